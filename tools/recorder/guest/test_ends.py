"""How recordings end, with and without the kernel's and the disk's consent."""

import fcntl
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

from recorder import files, flood
from recorder.guest.running import (
    BLECAP, PATIENCE, ROOT, Recorder, holds, mark, named, wait_for, wait_for_octets)

NOBODY = 65534


def as_nobody(*capabilities: str) -> tuple[str, ...]:
    """The command that runs another one as a user without any capability but these."""
    words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
    words += [f"--bounding-set=-all{''.join(',+' + name for name in capabilities)}"]
    if capabilities:
        words[4] = "--inh-caps=-all" + "".join(",+" + name for name in capabilities)
        words.append("--ambient-caps=-all" + "".join(",+" + name for name in capabilities))
    return tuple(words)


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.controller = flood.Controller()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.controller.close()

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o777)

    def tearDown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def one_line(self, said: str) -> str:
        """The only line beside those that every recording begins with, and its summary."""
        usual = (r"running as root|recording all adapters|without CAP_NET_ADMIN"
                 r"|ended by a failure: \d+ records")
        lines = [line for line in said.splitlines() if not re.search(usual, line)]
        self.assertEqual(len(lines), 1, said)
        return lines[0]

    def test_every_signal_ends_it_with_a_summary(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            recorder = Recorder(self.folder / f"{number}.btsnoop")
            mark("before the end")
            recording = recorder.stop(number)
            self.assertIn("before the end", recording.notes())
            self.assertIn(f"ended by {signal.Signals(number).name}: ", recorder.errors())
            self.assertIn("none lost", recorder.errors())
            self.assertEqual(recorder.path.stat().st_mode & 0o777, 0o600)

    def test_the_commands_of_the_readme_record(self) -> None:
        text = (ROOT / "README.md").read_text()
        block = text.split("## Record", 1)[1].split("```")[1]
        commands = [line.split("#")[0].strip() for line in block.splitlines() if line.strip()]
        self.assertEqual(sum(command.startswith("blecap ") for command in commands), len(commands))
        self.assertGreaterEqual(len(commands), 4)
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "blecap").symlink_to(BLECAP)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for number, command in enumerate(commands):
            with self.subTest(command):
                self.run_until_interrupted(command, self.folder / f"{number}", environment)

    def run_until_interrupted(self, command: str, folder: pathlib.Path, environment: dict) -> None:
        """Runs a command in a folder of its own; one that records gets Ctrl-C once it does."""
        folder.mkdir()
        said, printed = folder / "said.txt", folder / "printed.txt"
        with said.open("wb") as errors, printed.open("wb") as output:
            process = subprocess.Popen(
                ["sh", "-c", f"trap : INT; {command}"], cwd=folder, env=environment, stdout=output,
                stderr=errors, start_new_session=True)
            if " record" in command:
                wait_for_octets(said, b"recording ")
                mark("seen by the README's command")
                # Before its first line, the one at the end of a pipe may not have taken the signals over.
                if "| blecap annotate" in command:
                    wait_for_octets(printed, b"\n")
                os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.wait(PATIENCE), 0, said.read_text())
        if " record" in command:
            written = [path for path in folder.iterdir() if path != said and path.stat().st_size > 0]
            self.assertTrue(written, said.read_text())

    def test_limits_end_it(self) -> None:
        recorder = Recorder(self.folder / "time.btsnoop", "--duration", "700ms")
        self.assertEqual(recorder.wait(), 0)
        self.assertIn("ended by --duration", recorder.errors())
        recorder = Recorder(self.folder / "packets.btsnoop", "--packets", "100")
        self.controller.emit(1, 400)
        self.assertEqual(recorder.wait(), 0)
        self.assertEqual(len(files.read(recorder.path).records), 100)
        recorder = Recorder(self.folder / "size.pcap", "--size", "4K")
        self.controller.emit(1, 400)
        self.assertEqual(recorder.wait(), 0)
        self.assertIn(recorder.path.stat().st_size, range(4096, 4096 + 2048))

    def test_files_rotate_and_the_newest_are_kept(self) -> None:
        recorder = Recorder(self.folder / "x.btsnoop", "--rotate-size", "4K", "--keep", "3")
        sent = 1000
        self.controller.emit(7, sent)
        last = flood.event(7, sent - 1)[3:]
        wait_for("the last event", lambda: any(holds(path, last) for path in self.folder.iterdir()))
        recorder.process.send_signal(signal.SIGINT)
        self.assertEqual(recorder.wait(), 0)
        paths = sorted(self.folder.iterdir())
        self.assertEqual(len(paths), 3)
        numbers = [flood.number_of(record.data, 7) for path in paths for record in files.read(path).records]
        numbers = [number for number in numbers if number is not None]
        self.assertEqual(numbers, list(range(sent - len(numbers), sent)))

    def test_a_full_disk(self) -> None:
        disk = self.folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", disk], check=True)
        try:
            recorder = Recorder(disk / "x.btsnoop")
            self.controller.emit(2, 2000)
            self.assertEqual(recorder.wait(), 4)
            line = self.one_line(recorder.errors())
            self.assertRegex(
                line, r"x\.btsnoop: can't write: No space left on device; it holds everything recorded")
            self.assertRegex(recorder.errors(), r"ended by a failure: \d+ records, ")
            recording = files.read(recorder.path)
            self.assertEqual(recording.left_over, 0)
            numbers = [flood.number_of(record.data, 2) for record in recording.records]
            numbers = [number for number in numbers if number is not None]
            self.assertEqual(numbers, list(range(len(numbers))))
            self.assertGreater(recorder.path.stat().st_size, 16 << 10)
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)

    def test_a_folder_that_goes(self) -> None:
        folder = self.folder / "gone"
        folder.mkdir()
        recorder = Recorder(folder / "x.btsnoop")
        shutil.rmtree(folder)
        self.assertEqual(recorder.wait(), 4)
        self.assertIn("was deleted during the recording", self.one_line(recorder.errors()))
        recorder = Recorder(self.folder / "none" / "x.btsnoop")
        self.assertEqual(recorder.wait(), 4)
        self.assertIn("No such file or directory", recorder.errors())

    def test_a_pipe_that_nobody_reads(self) -> None:
        reading, writing = os.pipe()
        recorder = subprocess.Popen([BLECAP, "record", "-"], stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        self.assertEqual(os.read(reading, 16)[:7], b"btsnoop")
        os.close(reading)
        said = recorder.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(recorder.returncode, 4)
        self.assertIn("nobody reads it any more", self.one_line(said))

    def test_a_pipe_whose_reader_sleeps_holds_nothing_up(self) -> None:
        reading, writing = os.pipe()
        # A pipe of one page: what the recorder has to write is more, however little of it finds room in its
        # buffer for records.
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
        recorder = subprocess.Popen(
            [BLECAP, "record", "--buffer", "64K", "-"], stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        self.assertEqual(os.read(reading, 16)[:7], b"btsnoop")
        self.controller.emit(3, 4000)
        recorder.send_signal(signal.SIGINT)
        said = recorder.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(recorder.returncode, 4, said)
        self.assertIn("can't write", self.one_line(said))
        os.close(reading)

    def test_an_annotation_that_is_not_read_does_not_hold_the_file_up(self) -> None:
        recorder = Recorder(self.folder / "x.btsnoop", "--annotate", "--all")
        sent = 4000
        self.controller.emit(4, sent)
        wait_for_octets(recorder.path, flood.event(4, sent - 1)[3:])
        numbers = [flood.number_of(record.data, 4) for record in files.read(recorder.path).records]
        self.assertEqual([number for number in numbers if number is not None], list(range(sent)))
        self.assertEqual(recorder.stop().left_over, 0)

    def test_without_the_capability_it_says_which(self) -> None:
        said = subprocess.run(
            [*as_nobody(), BLECAP, "record", str(self.folder / "x.btsnoop")], capture_output=True, text=True)
        self.assertEqual(said.returncode, 4, said.stderr)
        self.assertIn("CAP_NET_RAW is missing", self.one_line(said.stderr))
        self.assertIn("setcap cap_net_raw", said.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        said = subprocess.run([*as_nobody(), BLECAP, "mark", "x"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 4)
        self.assertIn("CAP_NET_ADMIN is missing", said.stderr)
        said = subprocess.run([*as_nobody(), BLECAP, "devices"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("record: needs CAP_NET_RAW", said.stdout)

    def test_one_capability_is_enough(self) -> None:
        recorder = Recorder(self.folder / "x.btsnoop", prefix=as_nobody("net_raw"))
        mark("seen by nobody")
        recording = recorder.stop()
        self.assertIn("seen by nobody", recording.notes())
        said = recorder.errors()
        self.assertEqual(said.count("without CAP_NET_ADMIN"), 1)
        self.assertRegex(said, r"the receive buffer is .* and links already up lack their address type")
        self.assertNotIn("running as root", said)

    def test_root_is_dropped(self) -> None:
        recorder = Recorder(self.folder / "x.btsnoop", "--user", "nobody")
        mark("after root")
        status = pathlib.Path(f"/proc/{recorder.process.pid}/status").read_text()
        self.assertRegex(status, rf"Uid:\t{NOBODY}\t{NOBODY}\t{NOBODY}\t{NOBODY}\n")
        self.assertRegex(status, r"CapEff:\t0+\n")
        self.assertIn("after root", recorder.stop().notes())
        self.assertEqual(recorder.path.stat().st_uid, NOBODY)
        self.assertNotIn("running as root", recorder.errors())

    def test_a_part_that_can_not_be_removed_is_named(self) -> None:
        first = self.folder / "x.0001.btsnoop"
        recorder = Recorder(self.folder / "x.btsnoop", "--rotate-size", "4K", "--keep", "1")
        # What something is mounted on can't be removed, and is still the same file.
        subprocess.run(["mount", "--bind", first, first], check=True)
        try:
            self.controller.emit(8, 600)
            wait_for("another file", lambda: len(list(self.folder.iterdir())) == 2)
            recorder.process.send_signal(signal.SIGINT)
            self.assertEqual(recorder.wait(), 0, recorder.errors())
            self.assertIn("x.0001.btsnoop: can't be removed", recorder.errors())
        finally:
            subprocess.run(["umount", "--lazy", first], check=True)

    def test_root_that_can_not_be_given_up_is_no_recorder(self) -> None:
        """With this bit set, becoming another user keeps the capabilities, and root can be had again."""
        words = ("setpriv", "--securebits", "+no_setuid_fixup")
        recorder = Recorder(self.folder / "x.btsnoop", "--user", "nobody", prefix=words)
        self.addCleanup(recorder.process.kill)
        wait_for("the refusal", recorder.ended)
        self.assertEqual(recorder.wait(), 4, recorder.errors())
        self.assertIn("can't give up being root", recorder.errors())
        self.assertEqual(list(self.folder.iterdir()), [])

    def guard_of(self, recorder: Recorder) -> str:
        """What the kernel says of the recorder's guard process, once it has settled and has the file."""
        def found():
            for folder in named("recording-guard"):
                try:
                    names = sorted(os.readlink(entry) for entry in (folder / "fd").iterdir())
                    status = (folder / "status").read_text()
                except OSError:
                    continue  # right now it closes what it has of the recorder's, or it has ended
                has_all = str(recorder.path) in names and any("memfd:" in name for name in names)
                if has_all and f"PPid:\t{recorder.process.pid}\n" in status:
                    return folder, status, names
            return None
        folder, status, names = wait_for("the guard that has the file", found)
        for kind in ("CapPrm", "CapEff"):
            self.assertRegex(status, rf"{kind}:\t0+\n")
        # Its socket, twice nothing, the file, the memory that is shared, and nothing of the channel.
        self.assertEqual(len([name for name in names if name.startswith("socket:")]), 1, names)
        self.assertEqual(len(names), 5, names)
        self.assertNotEqual(os.getsid(int(folder.name)), os.getsid(recorder.process.pid))
        return status

    def test_the_guard_may_do_nothing_and_goes_with_the_recorder(self) -> None:
        recorder = Recorder(self.folder / "root.btsnoop")
        self.guard_of(recorder)
        recorder.stop()
        self.assertEqual(named("recording-guard"), [])
        recorder = Recorder(self.folder / "user.btsnoop", "--user", "nobody")
        self.assertRegex(self.guard_of(recorder), rf"Uid:\t{NOBODY}\t{NOBODY}\t{NOBODY}\t{NOBODY}\n")
        recorder.stop()
        # A program that has its capabilities from its file, as setcap gives them: net_admin and net_raw.
        program = self.folder / "blecap"
        shutil.copy(os.path.realpath(BLECAP), program)
        program.chmod(0o755)
        os.setxattr(program, "security.capability",
                    struct.pack("<IIIII", 0x0200_0001, 1 << 12 | 1 << 13, 0, 0, 0))
        words = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        recorder = Recorder(self.folder / "file.btsnoop", prefix=words, program=str(program))
        mark("with file capabilities")
        self.guard_of(recorder)
        self.assertIn("with file capabilities", recorder.stop().notes())
        self.assertEqual(named("recording-guard"), [])

    def test_pipes_have_no_guard(self) -> None:
        reading, writing = os.pipe()
        recorder = subprocess.Popen([BLECAP, "record", "-"], stdout=writing, stderr=subprocess.DEVNULL)
        os.close(writing)
        self.assertEqual(os.read(reading, 16)[:7], b"btsnoop")
        self.assertEqual(named("recording-guard"), [])
        recorder.send_signal(signal.SIGKILL)
        recorder.wait()
        os.close(reading)

    def test_a_step_of_the_clock_is_noted(self) -> None:
        recorder = Recorder(self.folder / "x.btsnoop")
        steps = []
        for seconds, word in ((7, b"set forward by"), (-7, b"set back by")):
            before = self.clocks_apart()
            time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
            # Less than was asked for: the clock went on between its reading and its setting.
            steps.append(self.clocks_apart() - before)
            wait_for_octets(recorder.path, word)
        notes = " ".join(recorder.stop().notes())
        found = re.findall(r"the wall clock was set (forward|back) by (\d+\.\d+) s", notes)
        shown = [float(seconds) * (1 if way == "forward" else -1) for way, seconds in found]
        for step in steps:
            self.assertTrue(any(abs(step - seconds) < 0.1 for seconds in shown), f"{step}: {notes}")

    @staticmethod
    def clocks_apart() -> float:
        """The seconds between the wall clock and the one that is never set."""
        readings = []
        for _ in range(50):
            first, wall, last = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
            readings.append((last - first, wall - (first + last) // 2))
        return min(readings)[1] / 1e9

    def test_keys_are_blanked_when_asked(self) -> None:
        plain = Recorder(self.folder / "plain.btsnoop")
        blank = Recorder(self.folder / "blank.btsnoop", "--no-keys")
        key = bytes(range(0xA0, 0xB0))
        # Link Key Notification
        self.controller.send(b"\x04\x18\x17" + bytes(6) + key + b"\x04")
        mark("after the key")
        for recorder in (plain, blank):
            wait_for_octets(recorder.path, b"after the key")
        first, second = plain.stop(), blank.stop()
        self.assertTrue(any(key in record.data for record in first.records))
        self.assertNotIn(key, blank.path.read_bytes())
        self.assertTrue(any(record.data == b"\x18\x17" + bytes(6 + 16) + b"\x04"
                            for record in second.records))
        self.assertIn("1 with keys blanked", blank.errors())

    def test_records_of_all_lengths_pass_whole(self) -> None:
        recorder = Recorder(self.folder / "x.btsnoop")
        # ACL data on no connection: the kernel passes it to the monitor channel before it looks.
        sizes = [1, 27, 251, 1021, 16_384, 60_000]
        for size in sizes:
            packet = b"\x02\x00\x20" + size.to_bytes(2, "little") + bytes(size)
            if not self.controller.send(packet):
                sizes = sizes[: sizes.index(size)]
                break
        mark("all lengths")
        wait_for_octets(recorder.path, b"all lengths")
        lengths = [len(record.data) - 4 for record in recorder.stop().records if record.opcode == 5]
        self.assertEqual(lengths, sizes)
        self.assertGreaterEqual(sizes[-1], 1021)


if __name__ == "__main__":
    unittest.main(verbosity=2)
