"""Every record is received or counted as lost, at every rate; a killed recorder leaves whole records."""

import os
import pathlib
import pty
import random
import re
import signal
import subprocess
import tempfile
import time
import unittest
from dataclasses import dataclass

from recorder import files, flood
from recorder.guest.running import BLECAP, END_OF_RUN, Btmon, Recorder, emit_end, named, wait_for

RATES = [int(rate) for rate in os.environ.get("RECORDER_RATES", "2000 8000 0").split()]
SECONDS = float(os.environ.get("RECORDER_SECONDS", "1"))
KILLS = int(os.environ.get("RECORDER_KILLS", "20"))
SMALL = "8K"


@dataclass
class Burst:
    """What became of one burst of events."""

    sent: int
    rate: float
    received: int
    ends_sent: int
    ends_received: int
    recording: files.Recording


class Losses(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.controller = flood.Controller()
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.folder.chmod(0o777)
        cls.run_number = 0

    @classmethod
    def tearDownClass(cls) -> None:
        cls.controller.close()

    def burst(self, recorder, rate: int) -> Burst:
        """One burst into a recorder, which is stopped once it has come to the burst's end."""
        Losses.run_number += 1
        run = self.run_number
        sent, real = self.controller.flood(run, SECONDS, rate)
        ends = emit_end(self.controller, run, recorder.path)
        recording = recorder.stop()
        counts = []
        for kind in (run, END_OF_RUN | run):
            numbers = [flood.number_of(record.data, kind) for record in recording.records]
            numbers = [found for found in numbers if found is not None]
            self.assertEqual(numbers, sorted(set(numbers)), "events came twice or out of order")
            counts.append(len(numbers))
        recorder.path.unlink()
        return Burst(sent, real, counts[0], ends, counts[1], recording)

    def test_received_and_lost_are_what_was_sent_at_every_rate_and_buffer(self) -> None:
        for rate in RATES:
            for name, options in (
                ("16M.btsnoop", ()), (f"{SMALL}.btsnoop", ("--buffer", SMALL)),
                (f"{SMALL}.pcapng", ("--buffer", SMALL)),
            ):
                with self.subTest(rate=rate, recorder=name):
                    recorder = Recorder(self.folder / name, *options)
                    burst = self.burst(recorder, rate)
                    said = recorder.errors()
                    lost = re.search(r"(\d+) LOST", said)
                    lost = int(lost[1]) if lost else 0
                    sent, received = burst.sent + burst.ends_sent, burst.received + burst.ends_received
                    print(f"rate {burst.rate:7.0f}/s {name:12}: "
                          f"{sent} sent, {received} received, {lost} lost")
                    self.assertEqual(received + lost, sent, said)
                    self.assertEqual(burst.recording.drops, lost)
                    self.assertEqual(burst.recording.left_over, 0)
                    notes = [re.match(r"(\d+) records? lost here", text) for text in burst.recording.notes()]
                    self.assertEqual(sum(int(found[1]) for found in notes if found), lost)

    def test_no_rate_that_btmon_keeps_up_with_is_too_high(self) -> None:
        for rate in RATES:
            ours = self.burst(Recorder(self.folder / "ours.btsnoop"), rate)
            theirs = self.burst(Btmon(self.folder / "theirs.btsnoop"), rate)
            for name, burst in (("blecap", ours), ("btmon -w", theirs)):
                print(f"rate {burst.rate:7.0f}/s {name:12}: {burst.sent} sent, "
                      f"{burst.sent - burst.received} lost")
            if theirs.sent == theirs.received:
                self.assertEqual(ours.sent, ours.received, "btmon lost nothing at this rate")

    def test_a_killed_recorder_leaves_all_that_it_had_counted(self) -> None:
        """The live count is shown after the records were written: the file has at least as many, and ends
        with a whole one once the guard process has seen the end."""
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        print(f"{KILLS} kills, seed {seed}")
        cut, slowest = 0, 0.0
        for number in range(KILLS):
            Losses.run_number += 1
            format_name = ("btsnoop", "pcap", "pcapng")[number % 3]
            path = self.folder / f"killed.{format_name}"
            terminal, side = pty.openpty()
            user = ("--user", "nobody") if number % 4 == 3 else ()
            recorder = subprocess.Popen([BLECAP, "record", "--force", *user, str(path)], stderr=side)
            os.close(side)
            wait_for("the file", lambda: path.exists() and path.stat().st_size > 200)
            self.controller.flood(self.run_number, chance.uniform(0.1, 0.7), chance.choice([1000, 4000, 0]))
            recorder.send_signal(signal.SIGKILL)
            recorder.wait()
            killed = time.monotonic()
            cut += files.read(path).left_over > 0
            with self.subTest(seed=seed, kill=number, file=path.name):
                wait_for("the last record to be whole", lambda: files.read(path).left_over == 0)
                slowest = max(slowest, time.monotonic() - killed)
                shown = self.drain(terminal)
                counted = [int(count) for count in re.findall(r"(\d+) records, ", shown)]
                # Where nothing is torn, the guard may still be about to write what was waiting.
                wait_for("the guard's end", lambda: not named("recording-guard"))
                recording = files.read(path)
                self.assertGreaterEqual(len(recording.records), counted[-1] if counted else 0)
                ran = subprocess.run([BLECAP, "info", str(path)], capture_output=True, text=True)
                self.assertIn(f"{len(recording.records)} records", ran.stdout, ran.stderr)
                self.assertEqual(recording.left_over, 0)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                numbers = [flood.number_of(record.data, self.run_number) for record in recording.records]
                numbers = [found for found in numbers if found is not None]
                self.assertEqual(numbers, list(range(len(numbers))))
            path.unlink()
        print(f"{KILLS} files end with a whole record; {cut} did not yet when the recorder had just ended; "
              f"the guard took {slowest:.2f} s at most")

    def drain(self, terminal: int) -> str:
        octets = b""
        try:
            while part := os.read(terminal, 1 << 16):
                octets += part
        except OSError:
            pass
        os.close(terminal)
        return octets.decode(errors="replace")


if __name__ == "__main__":
    unittest.main(verbosity=2)
