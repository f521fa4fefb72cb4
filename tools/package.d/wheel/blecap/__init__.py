"""What failed in a Bluetooth log, as Python values.

    import blecap

    for item in blecap.annotate('night.btsnoop'):
        if isinstance(item, blecap.Summary):
            for incident in item.wrong:
                print(incident.frame, incident.message)

The command itself is in the package: ``blecap`` on the PATH of the environment, or ``python -m blecap``.
"""

import os
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator

from ._build import read
from ._types import *  # noqa: F401,F403
from ._types import Line, Log
from ._version import __version__  # noqa: F401

BINARY = pathlib.Path(__file__).parent / 'bin' / 'blecap'


class BlecapError(Exception):
    """The command could not do its work; the text is its own."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        #: The exit status: 2 wrong usage, 3 unreadable input, 4 environment.
        self.status = status


def run(*arguments: 'str | os.PathLike[str]') -> Iterator[Line]:
    """Runs the command and yields its lines of NDJSON as dataclasses, while it runs.

    Raises BlecapError after the last line if the status is 2 or more; 1 is a negative result, no error.
    """
    with tempfile.TemporaryFile() as errors, subprocess.Popen(
            [BINARY, *arguments], stdout=subprocess.PIPE, stderr=errors,
            stdin=subprocess.DEVNULL) as process:
        lines = process.stdout
        assert lines is not None
        try:
            for line in lines:
                yield read(line)
        finally:
            # A caller that has seen enough ends the command, too.
            lines.close()
            status = process.wait()
        errors.seek(0)
        if status not in (0, 1):
            raise BlecapError(status, errors.read().decode(errors='replace').strip())


def annotate(*paths: 'str | os.PathLike[str]', options: tuple[str, ...] = ()) -> Iterator[Line]:
    """Yields everything in a log: File, Frame, Problem, Connection, and last a Summary.

    ``options`` are the command's: ``('--keys', 'keys.json')``.
    """
    return run('annotate', '--format', 'ndjson', *options, '--', *paths)


def info(*paths: 'str | os.PathLike[str]', options: tuple[str, ...] = ()) -> Iterator[Line]:
    """Yields a Log with its verdict for each log, each before its connections; no frames."""
    return run('info', '--format', 'ndjson', *options, '--', *paths)


def verdict(path: 'str | os.PathLike[str]', options: tuple[str, ...] = ()) -> Log:
    """The verdict on one log."""
    return next(item for item in info(path, options=options) if isinstance(item, Log))


def diff(*paths: 'str | os.PathLike[str]', options: tuple[str, ...] = ()) -> Iterator[Line]:
    """Yields each Difference of the last log from the good ones before it, and last a Diff."""
    return run('diff', '--format', 'ndjson', *options, '--', *paths)
