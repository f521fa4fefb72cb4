"""Measures the highest rate of events that each recorder takes without a loss, in this kernel.

    python -m recorder.guest.rates

Every recorder meets every rate in turn, alone, for RECORDER_SECONDS (default 4); a rate holds where no event
of RECORDER_TRIES bursts (default 3) is lost. Prints a table in Markdown.
"""

import os
import pathlib
import tempfile

from recorder import flood
from recorder.guest.running import Btmon, Recorder, emit_end, kernel

RATES = [int(rate) for rate in os.environ.get(
    "RECORDER_RATES", "1000 2000 3000 4000 6000 8000 10000 12000 0").split()]
SECONDS = float(os.environ.get("RECORDER_SECONDS", "4"))
TRIES = int(os.environ.get("RECORDER_TRIES", "3"))
# What btmon has: the system's default for a socket, counted as the kernel counts it (half of 208 KiB).
LIKE_BTMON = "104K"


def main() -> None:
    folder = pathlib.Path(tempfile.mkdtemp())
    recorders = {
        "`blecap record`": lambda: Recorder(folder / "a.btsnoop", "--force"),
        "`blecap record --buffer 104K`": lambda: Recorder(
            folder / "a.btsnoop", "--force", "--buffer", LIKE_BTMON),
        "`btmon -w`": lambda: Btmon(folder / "b.btsnoop"),
    }
    controller = flood.Controller()
    number = 0
    highest = dict.fromkeys(recorders, 0.0)
    broken = set()
    print(f"{kernel()}, {os.cpu_count()} processors")
    print(f"| events a second asked | {' | '.join(recorders)} |")
    print(f"|--:|{'--:|' * len(recorders)}")
    for rate in RATES:
        cells = []
        for name, make in recorders.items():
            lost, slowest, sent_all = 0, float("inf"), 0
            for _ in range(TRIES):
                number += 1
                recorder = make()
                sent, real = controller.flood(number, SECONDS, rate)
                emit_end(controller, number, recorder.path)
                found = sum(flood.number_of(record.data, number) is not None
                            for record in recorder.stop().records)
                lost += sent - found
                sent_all += sent
                slowest = min(slowest, real)
            cells.append(f"{lost} of {sent_all} lost at {slowest:.0f}/s")
            if lost:
                broken.add(name)
            elif name not in broken:
                highest[name] = max(highest[name], slowest)
        print(f"| {rate or 'all that go'} | {' | '.join(cells)} |", flush=True)
    print(f"| highest without a loss | {' | '.join(f'{rate:.0f}/s' for rate in highest.values())} |")
    controller.close()


if __name__ == "__main__":
    main()
