"""Running a command and measuring it: wall clock, processor time, peak memory, output.

Peak memory comes from GNU time: what wait4 says of a direct child has this process's own size in it,
because the kernel carries the peak of the memory before exec over.
"""

import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass
class Run:
    """One run of a command."""

    wall_s: float
    cpu_s: float
    peak_kib: int
    status: int
    output_octets: int | None = None
    was_stopped: bool = False


def run(arguments, output=None, limit_s=1800):
    """Runs a command with its output to the file `output`, or to nowhere."""
    note = tempfile.NamedTemporaryFile()
    arguments = ['/usr/bin/time', '-q', '-f', '%M', '-o', note.name, *arguments]
    target = open(output, 'wb') if output else open(os.devnull, 'wb')
    with note, target, open(os.devnull, 'rb') as nothing, open(os.devnull, 'wb') as silence:
        started = time.monotonic()
        child = subprocess.Popen(arguments, stdin=nothing, stdout=target, stderr=silence,
                                 start_new_session=True)
        # The command is a child of the timer's, which passes no signal on: both are of one session.
        stopped = threading.Event()
        limit = threading.Timer(limit_s, lambda: (stopped.set(), os.killpg(child.pid, signal.SIGKILL)))
        limit.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - started
        limit.cancel()
        peak = note.read().split()
    child.returncode = os.waitstatus_to_exitcode(status)
    octets = os.path.getsize(output) if output else None
    return Run(wall, usage.ru_utime + usage.ru_stime, int(peak[-1]) if peak else 0, child.returncode, octets,
               stopped.is_set())


def repeated(arguments, times, output=None, limit_s=1800):
    """Runs of a command, until one had to be stopped."""
    runs = []
    while len(runs) < times and not (runs and runs[-1].was_stopped):
        runs.append(run(arguments, output, limit_s))
    return runs


def median(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


def spread(runs, what):
    """How far the slowest and the fastest run are apart, as a share of the median."""
    values = [getattr(run, what) for run in runs]
    middle = statistics.median(values)
    return (max(values) - min(values)) / middle if middle else 0.0


def instructions(arguments):
    """Instructions that valgrind counts for one run, or None where there is no valgrind."""
    if shutil.which('valgrind') is None:
        return None
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / 'log'
        done = subprocess.run(
            ['valgrind', '--tool=cachegrind', '--cache-sim=no', f'--log-file={log}',
             '--cachegrind-out-file=' + os.devnull, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = re.search(r'I\s+refs:\s+([\d,]+)', log.read_text()) if log.exists() else None
    if found is None or done.returncode < 0:
        return None
    return int(found[1].replace(',', ''))


def machine():
    """One line about this machine."""
    def first(path, pattern):
        try:
            found = re.search(pattern, pathlib.Path(path).read_text(), re.M)
        except OSError:
            return 'unknown'
        return found[1].strip() if found else 'unknown'
    model = first('/proc/cpuinfo', r'^model name\s*:\s*(.*)$')
    memory = int(first('/proc/meminfo', r'^MemTotal:\s*(\d+)')) / (1 << 20)
    system = first('/etc/os-release', r'^PRETTY_NAME="(.*)"$')
    load = os.getloadavg()[0]
    return (f'{model}, {os.cpu_count()} processors, {memory:.0f} GiB of memory, {system}, '
            f'Linux {os.uname().release}; load {load:.1f} at the start')


def version(arguments):
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=30, check=False)
    except OSError:
        return None
    said = (done.stdout or done.stderr).decode(errors='replace').strip().split('\n')[0]
    return re.sub(r'\s*\(Git[^)]*\)', '', said)
