"""Recorders as the tests run them in the guest."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from recorder import files

ROOT = pathlib.Path(os.environ["BLECAP_ROOT"])
BLECAP = os.environ.get("BLECAP", str(ROOT / ".build/debug/blecap"))
PATIENCE = 30.0


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


class Recorder:
    """`blecap record` into a file, ready as soon as it is made."""

    def __init__(
        self, path: pathlib.Path | str, *options: str, prefix: tuple[str, ...] = (), program: str = BLECAP
    ) -> None:
        self.path = pathlib.Path(path)
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [*prefix, program, "record", *options, str(path)], stderr=self.said, stdout=subprocess.PIPE)
        wait_for("the recorder", lambda: "records all adapters" in self.errors() or self.ended())

    def ended(self) -> bool:
        return self.process.poll() is not None

    def errors(self) -> str:
        self.said.seek(0)
        return self.said.read()

    def settle(self) -> None:
        """Waits until the file does not grow any more."""
        settle(self.path)

    def wait(self) -> int:
        """Waits for the end and gives the exit status."""
        self.process.stdout.read()
        return self.process.wait(PATIENCE)

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

    def settle(self) -> None:
        settle(self.path)

    def stop(self) -> files.Recording:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        return files.read(self.path)


def settle(path: pathlib.Path) -> None:
    last = -1
    while (size := path.stat().st_size) != last:
        last = size
        time.sleep(0.4)


def kernel() -> str:
    return f"Linux {os.uname().release}, Python {sys.version.split()[0]}"
