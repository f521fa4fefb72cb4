"""The register of the made sessions: what each is called and what is true of it."""

from collections.abc import Callable
from dataclasses import dataclass

from judge.session import Session

HEALTHY = 'healthy'
NOTHING = (None, None)


@dataclass(frozen=True)
class Case:
    """A session and its truth. A truth is the code and the side of the first failure, Nones for none."""

    layer: str
    truth: tuple[str | None, str | None]
    make: Callable
    session: type = Session
    keyed: tuple[str | None, str | None] | None = None  # the truth with the keys file given, if another
    said: tuple[str, ...] = ()  # codes of `not_in_log`, of problems or of damage that must be there
    forms: tuple[str, ...] | None = None  # the recorders that can leave such a log; all of them if None


CASES = {}


def failing(layer, code=None, side=None, name=None, **more):
    """A fault whose first failure has this code and side (None: the log does not tell)."""
    def keep(make):
        CASES[name or make.__name__] = Case(layer, (code, side), make, **more)
        return make
    return keep


def each(table, layer, code=None, side=None, **more):
    """One fault for each row of `table`: a name and what the maker is given."""
    def keep(make):
        for name, *given in table:
            failing(layer, code, side, name, **more)(lambda session, given=given: make(session, *given))
        return make
    return keep


def healthy(make=None, **more):
    """A session in which nothing failed."""
    if make is None:
        return lambda make: healthy(make, **more)
    return failing(HEALTHY, **more)(make)
