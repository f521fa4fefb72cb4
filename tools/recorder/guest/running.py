"""Recorders as the tests run them in the guest."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from recorder import files, flood

ROOT = pathlib.Path(os.environ["BLECAP_ROOT"])
BLECAP = os.environ.get("BLECAP", str(ROOT / ".build/tests/debug/blecap"))
# What is waited for comes, or something is wrong: so it has long, on an emulated machine that is busy too.
PATIENCE = 900.0
# Runs of the flood from here on mark an end.
END_OF_RUN = 0x8000


def wait_for(what: str, condition, seconds: float = PATIENCE):
    """Waits until the condition gives something true, and gives that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


def named(name: str) -> list[pathlib.Path]:
    """The folders in /proc of the processes that were started by this name."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().split(b"\0")[0] == name.encode():
                found.append(folder)
        except OSError:
            continue  # it has just ended
    return found


def mark(text: str) -> None:
    subprocess.run([BLECAP, "mark", text], check=True)


def holds(path: pathlib.Path, octets: bytes) -> bool:
    try:
        return octets in path.read_bytes()
    except FileNotFoundError:
        return False  # not there yet, or removed by now


def wait_for_octets(path: pathlib.Path, octets: bytes) -> None:
    """Waits until a recording has these octets, and so all that came before them."""
    wait_for(f"{octets!r} in {path.name}", lambda: holds(path, octets))


def wait_for_quiet(path: pathlib.Path, seconds: float = 0.5) -> None:
    """Waits until a recording has not grown for so long: a mark set now stands between the same records for
    every reader of the channel."""
    size, since = -1, 0.0

    def rests() -> bool:
        nonlocal size, since
        now = path.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        return time.monotonic() - since >= seconds

    wait_for(f"a pause in {path.name}", rests)


def emit_end(controller: flood.Controller, run: int, path: pathlib.Path) -> int:
    """Emits events that mark a run's end until the recording has one, and so all before it that was not
    lost; how many were emitted. One that finds no room in the recorder's buffer is lost like any other."""
    emitted = 0

    def has_end() -> bool:
        nonlocal emitted
        controller.emit(END_OF_RUN | run, 1, first=emitted)
        emitted += 1
        time.sleep(0.1)
        return holds(path, flood.event(END_OF_RUN | run, 0)[3:10])

    wait_for(f"the end of run {run} in {path.name}", has_end)
    return emitted


class Recorder:
    """`blecap record` into a file, ready as soon as it is made."""

    def __init__(
        self, path: pathlib.Path | str, *options: str, prefix: tuple[str, ...] = (), program: str = BLECAP
    ) -> None:
        self.path = pathlib.Path(path)
        # Read by its name: a descriptor that both have would have one place for both to read and write at.
        self.said = tempfile.NamedTemporaryFile("ab")
        self.process = subprocess.Popen(
            [*prefix, program, "record", *options, str(path)], stderr=self.said, stdout=subprocess.PIPE)
        wait_for("the recorder", lambda: "recording all adapters" in self.errors() or self.ended())

    def ended(self) -> bool:
        return self.process.poll() is not None

    def errors(self) -> str:
        return pathlib.Path(self.said.name).read_text()

    def wait(self) -> int:
        """Waits for the end and gives the exit status."""
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def stop(self, number: int = signal.SIGINT) -> files.Recording:
        self.process.send_signal(number)
        status = self.wait()
        if status != 0:
            raise AssertionError(f"status {status}: {self.errors()}")
        return files.read(self.path)


class Btmon:
    """`btmon -w`, ready as soon as it is made."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.process = subprocess.Popen(
            ["btmon", "-w", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("btmon's file", lambda: path.exists() and path.stat().st_size > 16)

    def stop(self) -> files.Recording:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        return files.read(self.path)


def kernel() -> str:
    return f"Linux {os.uname().release}, Python {sys.version.split()[0]}"
