"""One session of BlueZ and a peer, recorded by all recorders at once: they hold the same.

Needs bluetoothd and the car of tools/peers in the air (tools/tests/guest-record starts them), and in the
environment KEYS, the car's keys.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from recorder import files
from recorder.guest.running import (
    BLECAP, PATIENCE, ROOT, Btmon, Recorder, mark, wait_for, wait_for_octets, wait_for_quiet)

KEYS = os.environ.get("KEYS", "")
START, END = "start of the session", "end of the session"


class Session(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        own = [Recorder(cls.folder / name) for name in ("own.btsnoop", "own.pcap", "own.pcapng")]
        btmon = Btmon(cls.folder / "btmon.btsnoop")
        dumped = cls.folder / "tcpdump.pcap"
        tcpdump = subprocess.Popen(
            ["tcpdump", "-Z", "root", "-i", "bluetooth-monitor", "-U", "-w", dumped],
            stderr=subprocess.DEVNULL)
        wait_for("tcpdump's file", lambda: dumped.exists() and dumped.stat().st_size > 24)
        cls.live = cls.folder / "live.ndjson"
        pipe = subprocess.Popen(
            f"'{BLECAP}' record - 2>'{cls.folder}/piped.errors' | tee '{cls.folder}/piped.btsnoop'"
            f" | '{BLECAP}' annotate --format ndjson --keys '{KEYS}' - >'{cls.live}'", shell=True)
        wait_for("the pipe", lambda: cls.live.exists() and b"frame" in cls.live.read_bytes())
        wait_for_quiet(btmon.path)
        mark(START)
        # The phone stays until the recorder that comes late has seen the link.
        seen = cls.folder / "seen"
        client = subprocess.Popen(
            [sys.executable, "-m", "peers.clients", "uqdk-unlock", "--keys", KEYS, "--slower", "20",
             "--stay", seen], cwd=ROOT / "tools")
        wait_for("the connection", lambda: client.poll() is not None or cls.shown("Connection Complete"))
        late = Recorder(cls.folder / "late.btsnoop", "--duration", "1s")
        late.wait()
        # What the phone did is shown while everything still runs.
        wait_for("the last command", lambda: client.poll() is not None or cls.shown("ENGINE_START"))
        cls.shown_live = cls.shown("ENGINE_START")
        seen.touch()
        cls.client = client.wait(PATIENCE)
        wait_for_quiet(btmon.path)
        mark(END)
        paths = [*(recorder.path for recorder in own), btmon.path, dumped, cls.folder / "piped.btsnoop"]
        for path in paths:
            wait_for_octets(path, END.encode())
        for recorder in own:
            recorder.stop()
        btmon.stop()
        tcpdump.send_signal(signal.SIGINT)
        tcpdump.wait()
        # The recorder at the head of the pipe ends it all.
        subprocess.run(["pkill", "-INT", "-P", str(pipe.pid), "-f", "record -"], check=True)
        cls.pipe = pipe.wait(PATIENCE)
        cls.recordings = {path.name: files.read(path) for path in paths}
        cls.late = files.read(late.path)

    @classmethod
    def shown(cls, text: str) -> bool:
        return text.encode() in cls.live.read_bytes()

    def test_all_recorders_hold_the_same_between_the_marks(self) -> None:
        self.assertEqual(self.client, 0)
        # A step of the guest's clock is a note that only its recorder has.
        parts = {
            name: [record for record in files.between(recording, START, END) if files.note(record) is None]
            for name, recording in self.recordings.items()
        }
        theirs = files.streams(parts["btmon.btsnoop"])
        self.assertGreater(sum(map(len, theirs.values())), 150)
        self.assertGreater(len(theirs), 1, "no adapter had traffic")
        for name, part in parts.items():
            ours = files.streams(part)
            self.assertEqual(ours.keys(), theirs.keys(), name)
            for adapter, records in ours.items():
                self.assertEqual(len(records), len(theirs[adapter]), f"{name}: adapter {adapter}")
                for number, (one, other) in enumerate(zip(records, theirs[adapter])):
                    self.assertEqual(one, other, f"{name}: adapter {adapter}: record {number}")
            self.assertEqual(self.recordings[name].left_over, 0, name)
        alike = sum(map(len, theirs.values()))
        print(f"{alike} records alike, octet for octet, in {', '.join(sorted(parts))}")

    def test_the_pipe_shows_what_the_file_shows_and_shows_it_live(self) -> None:
        self.assertTrue(self.shown_live)
        self.assertEqual(self.pipe, 0)
        with open(self.folder / "piped.btsnoop", "rb") as recorded:
            whole = subprocess.run(
                [BLECAP, "annotate", "--format", "ndjson", "--keys", KEYS, "-"], stdin=recorded,
                capture_output=True, check=True).stdout
        self.assertEqual(self.live.read_bytes().decode().splitlines(), whole.decode().splitlines())
        verified = whole.count(b'"tag":"verified"')
        self.assertGreaterEqual(verified, 10)
        marks = [json.loads(line) for line in whole.splitlines() if START.encode() in line]
        self.assertEqual(len(marks), 1)
        self.assertEqual(marks[0]["type"], "monitor")
        for name in ("own.btsnoop", "own.pcap", "own.pcapng"):
            other = subprocess.run(
                [BLECAP, "annotate", "--format", "ndjson", "--keys", KEYS, self.folder / name],
                capture_output=True, check=True).stdout
            self.assertEqual(other.count(b'"tag":"verified"'), verified, name)
        print(f"{verified} secured messages verified, live and from every file")

    def test_a_link_that_is_up_already_is_noted(self) -> None:
        notes = [text for text in self.late.notes() if text.startswith("link already up")]
        self.assertEqual(len(notes), 1, self.late.notes())
        self.assertRegex(
            notes[0], r"link already up: handle 0x[0-9A-F]{4}, LE, (..:){5}.. \((public|random)\), outgoing")
        address = re.search(r"(..:){5}..", notes[0])[0]
        octets = bytes.fromhex(address.replace(":", ""))[::-1]
        connected = [record for record in self.recordings["own.btsnoop"].records
                     if record.opcode == 3 and record.data[:1] == b"\x3e" and octets in record.data]
        self.assertTrue(connected, f"{address} is nobody's in the session")

    def test_wireshark_finds_the_interface_and_the_annotation(self) -> None:
        home = self.folder / "home"
        # The personal extcap folders of Wireshark before and since 4.2.
        for folder in (".config/wireshark/extcap", ".local/lib/wireshark/extcap"):
            (home / folder).mkdir(parents=True)
            (home / folder / "blecap").symlink_to(BLECAP)
        tshark = subprocess.Popen(
            ["tshark", "-Q", "-l", "-n", "-i", "blecap", "-T", "fields", "-e", "frame.comment"],
            env={**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": ""},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(tshark.kill)
        os.set_blocking(tshark.stdout.fileno(), False)
        octets, end = b"", time.monotonic() + PATIENCE
        # It shows what comes after it has begun, which nobody else can see.
        while b"for Wireshark" not in octets and tshark.poll() is None and time.monotonic() < end:
            mark("for Wireshark")
            time.sleep(0.5)
            octets += tshark.stdout.read() or b""
        tshark.send_signal(signal.SIGINT)
        more, said = tshark.communicate(timeout=PATIENCE)
        self.assertRegex((octets + more).decode(errors="replace"),
                         r"blecap #\d+ mon User Logging .*for Wireshark",
                         said.decode(errors="replace"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
