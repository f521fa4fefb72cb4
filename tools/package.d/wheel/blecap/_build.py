"""Lines of NDJSON as the dataclasses of _types.py."""

import dataclasses
import functools
import json
import types
import typing

from . import _types


@functools.cache
def _fields(kind: type) -> dict[str, typing.Any]:
    return typing.get_type_hints(kind, vars(_types))


def _value(kind: typing.Any, value: typing.Any) -> typing.Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        kinds = [one for one in typing.get_args(kind) if one is not types.NoneType]
        return value if value is None or len(kinds) != 1 else _value(kinds[0], value)
    if origin is list and isinstance(value, list):
        (item,) = typing.get_args(kind)
        return [_value(item, one) for one in value]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return _object(kind, value)
    return value


def _object(kind: type, value: dict[str, typing.Any]) -> typing.Any:
    fields = _fields(kind)
    # A newer command may write more than this package knows.
    return kind(**{name: _value(fields[name], one) for name, one in value.items() if name in fields})


def read(line: 'str | bytes') -> '_types.Line':
    """One line of NDJSON."""
    value = json.loads(line)
    item: _types.Line = _object(_types.KINDS[value['kind']], value)
    return item
