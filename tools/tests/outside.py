#!/usr/bin/env python3
"""Tests this stack with those of others over H4: Bumble's host, Bumble's car, and RootCanal's controller.

  tools/tests/outside.py [TEST...]

Run with the Python of tools/venv. BLECAP is the program (default: .build/tests/debug/blecap). Tests that need
captures of strangers are left out, and named, where BLECAP_CORPUS has none.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BLECAP = os.environ.get('BLECAP', str(TOP / '.build' / 'tests' / 'debug' / 'blecap'))
CORPUS = pathlib.Path(os.environ.get('BLECAP_CORPUS', TOP.parent / 'shared' / 'corpus'))
KEYS = TOP / 'captures' / 'uqdk-unlock.keys.json'
LOG = TOP / 'captures' / 'uqdk-unlock.btsnoop'
LIMIT = 300
SLOW = TOP / 'tools' / 'tests' / 'slow-dialect.json'


class Program:
    """A program in the background, with what it says."""

    def __init__(self, *command, until):
        self._file = tempfile.NamedTemporaryFile('w+')
        self._process = subprocess.Popen(
            [str(word) for word in command], stdout=self._file, stderr=subprocess.STDOUT, cwd=TOP / 'tools',
            process_group=0)
        ends = time.monotonic() + LIMIT
        while not re.search(until, self.text):
            if self._process.poll() is not None or time.monotonic() > ends:
                self._kill()
                raise AssertionError(f'{command[0]} never said {until}:\n{self.text}')
            time.sleep(0.05)

    @property
    def text(self):
        return pathlib.Path(self._file.name).read_text(errors='replace')

    def wait(self):
        """Its exit status."""
        try:
            return self._process.wait(LIMIT)
        finally:
            self._kill()

    def _kill(self):
        """Ends what is left of it, and what it has started, such as RootCanal of its Python wrapper."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self):
        """Ends it, and gives what it said. What runs in the background may ignore an interrupt."""
        self._process.terminate()
        self.wait()
        return self.text


def run(*command):
    """Runs a program to its end."""
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=LIMIT, cwd=TOP / 'tools')


def client(*words):
    return run(sys.executable, '-B', '-m', 'peers.clients', *words)


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


# What a phone does to each of the small devices, on our controller and on RootCanal's.
SCENARIOS = {
    'band': ('MI', [
        '', 'read=FF01', 'read=FF02', 'write=FF02:1b9901', 'subscribe=FF01 command=FF02:1b9901 wait=3',
        'subscribe=FF01 unsubscribe=FF01', 'write=FF02:00',
        'subscribe=FF01 write=FF02:1b9901 wait=3 read=FF01']),
    'clock': ('xmg', [
        'read=FFF2', 'read=FFF1', 'describe=FFF2', 'write=FFF2:6869 read=FFF2', 'write=FFF3:00',
        'write=FFF2:' + '61' * 40 + ' read=FFF2', 'subscribe=FFF1 unsubscribe=FFF1', 'read=2A00 read=2A01']),
    'link': ('BLE-LINK', [
        'read=FFE1', 'describe=FFE1', 'subscribe=FFE1 write=FFE1:aa0312720a0001723055 wait=3',
        'command=FFE1:00', 'subscribe=FFE1 command=FFE1:00 wait=3', 'write=FFE1:00 read=FFE1',
        'rssi discover']),
    'mobike': ('Mobike', [
        'read=FFE1', 'read=FFE2', 'read=FFE3', 'write=FFE2:64', 'write=FFE2:0102', 'write=FFE3:01',
        'subscribe=FFE1 write=FFE2:65 wait=3', 'write=FFE2:10 read=FFE2 read=FFE3']),
}


def conversation(log):
    """What the attribute protocol carried in a log, without moments."""
    said = run(BLECAP, 'annotate', '--all', '--keys', 'none', '--format', 'ndjson', log).stdout
    frames = [json.loads(line) for line in said.splitlines()]
    return [(frame['direction'], frame['att']['name'], frame['att'].get('handle'), frame['att'].get('value'),
             json.dumps(frame['att'].get('parameters'), sort_keys=True))
            for frame in frames if frame['kind'] == 'frame' and 'att' in frame]


class RecordingJudgesBumble(unittest.TestCase):
    """`replay --listen`: Bumble's host on a recording."""

    @classmethod
    def setUpClass(cls):
        said = run(BLECAP, 'annotate', '--keys', KEYS, '--format', 'ndjson', LOG).stdout
        cls.nonce = re.search('"phone_nonce":"([0-9a-f]+)"', said)[1]

    def judge(self, log, session, *options):
        """What the recording said of a session of a client, and its exit status."""
        with tempfile.TemporaryDirectory() as folder:
            place = f'unix:{folder}/s'
            options = ['--policy', 'earliest', '--patience', '5m', *options]
            replay = Program(BLECAP, 'replay', *options, '--listen', place, log,
                             until='waiting for a host')
            client(*session, '--transport', f'unix-client:{folder}/s')
            status = replay.wait()
            return replay.text, status

    def unlock(self, *more):
        session = ['uqdk-unlock', '--slower', '20', '--keys', KEYS, '--nonce', self.nonce, *more]
        return self.judge(LOG, session, '--keys', KEYS)

    def test_the_recorded_script_is_the_same(self):
        text, status = self.unlock()
        self.assertIn('\nSAME: 69 of 107 ATT PDUs compared, 23 host steps over 1 connection', text)
        self.assertEqual(status, 0, text)

    def test_a_changed_script_is_named_at_its_message(self):
        for wrong, field in (('command', 'command in the header'), ('order', 'command in the header'),
                             ('value', 'ciphertext')):
            with self.subTest(wrong):
                text, status = self.unlock('--wrong', wrong)
                self.assertRegex(text, r'\nDIVERGED #1 at .* frame 254, ')
                self.assertIn(f'field     {field} of DOOR_UNLOCK', text)
                self.assertEqual(status, 1)

    def test_logs_of_strangers_judge_it_and_a_changed_value_is_named(self):
        names = ['smart-lock-yeelock.log', 'ideal-led-onoff.log', 'zengge-on-off.log']
        if not all((CORPUS / name).exists() for name in names):
            self.skipTest('there are no captures of strangers')
        for name in names:
            with self.subTest(name):
                session = ['as-logged', CORPUS / name, '--blecap', BLECAP]
                text, status = self.judge(CORPUS / name, session, '--keys', 'none')
                self.assertIn('\nSAME: ', text)
                self.assertEqual(status, 0, text)
                writes = self.writes(CORPUS / name)
                place, frame = writes[len(writes) // 2]
                text, status = self.judge(
                    CORPUS / name, [*session, '--wrong', str(place)], '--keys', 'none')
                self.assertRegex(text, rf'\nDIVERGED #1 at .* frame {frame}, ')
                self.assertEqual(status, 1)

    @staticmethod
    def writes(log):
        """Place and frame of each write among the steps of a log's first connection."""
        sys.path.insert(0, str(TOP / 'tools'))
        from peers.clients import as_logged
        steps = as_logged.steps_of(BLECAP, log)
        first = steps[min(steps)]
        # A changed configuration of a client is another kind of step.
        return [(place, step['frame']) for place, step in enumerate(first)
                if step['att']['name'].startswith('Write') and len(step['att']['value']) > 4]


class OurHostOnOthersControllers(unittest.TestCase):
    """`drive` and `simulate --adapter`: this host on Bumble's controller, and on RootCanal's."""

    def unlock(self, place, car, folder):
        """A phone unlocks a car over an adapter; its log is annotated and replayed."""
        log = pathlib.Path(folder) / 'phone.btsnoop'
        dialect = ['--keys', KEYS, '--dialect', SLOW]
        phone = run(BLECAP, 'drive', 'uqdk', 'unlock', 'trunk', '--adapter', place, *dialect,
                    '--car', car, '--record', log)
        self.assertEqual(phone.returncode, 0, phone.stdout + phone.stderr)
        self.assertIn('DOOR_UNLOCK: success', phone.stdout)
        self.assertIn('TRUNK_OPEN: success', phone.stdout)
        replayed = run(BLECAP, 'replay', *dialect, log)
        self.assertTrue(replayed.stdout.startswith('SAME: '), replayed.stdout)
        info = run(BLECAP, 'info', *dialect, '--format', 'ndjson', log).stdout
        wrong = [one for line in info.splitlines() for one in json.loads(line).get('wrong', [])]
        self.assertEqual(wrong, [])

    def test_bumbles_car(self):
        place = f'127.0.0.1:{free_port()}'
        car = Program(sys.executable, '-B', '-u', '-m', 'peers', '--host', f'tcp-server:{place}', 'car',
                      '--slower', '20', '--keys', KEYS, until='ready')
        with tempfile.TemporaryDirectory() as folder:
            self.unlock(f'tcp:{place}', '02:55:51:00:00:01', folder)
        car.stop()

    def test_a_fob_of_bumble_pairs_is_bonded_and_is_forgotten(self):
        place = f'127.0.0.1:{free_port()}'

        def drive(*words):
            return run(BLECAP, 'drive', '--adapter', f'tcp:{place}', *words)

        def fob(*words):
            return Program(sys.executable, '-B', '-u', '-m', 'peers', '--host', f'tcp-server:{place}', 'fob',
                           *words, until='ready')

        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.dict(os.environ, XDG_STATE_HOME=folder):
            device = fob('--io', '0', '--passkey', '012345', '--mitm')
            first = drive('connect=fob', 'read=FF51', 'answer=012345', 'pair', 'bonds')
            self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
            self.assertIn('the device shows a passkey', first.stdout)
            self.assertIn('626f6e646564 "bonded"', first.stdout)
            self.assertIn('paired: LE Secure Connections, authenticated', first.stdout)
            self.assertIn('bonded with 02:46:4F:42:00:01', first.stdout)
            # At its next private address it is known by its identity.
            second = drive('connect=fob', 'read=FF51')
            self.assertEqual(second.returncode, 0, second.stdout + second.stderr)
            self.assertNotIn('passkey', second.stdout)
            device.stop()
            # One that knows nothing of the bond.
            device = fob()
            third = drive('connect=fob')
            self.assertEqual(third.returncode, 1)
            self.assertIn('Peer removed pairing information', third.stdout)
            fourth = drive('forget=02:46:4F:42:00:01', 'bonds', 'connect=fob', 'pair')
            self.assertEqual(fourth.returncode, 0, fourth.stdout + fourth.stderr)
            self.assertIn('no bonds', fourth.stdout)
            self.assertIn('paired: LE Secure Connections, not authenticated', fourth.stdout)
            device.stop()

    @staticmethod
    def rootcanal():
        """A RootCanal, and where it gives controllers."""
        ports = [free_port() for _ in range(4)]
        names = ['hci_port', 'test_port', 'link_port', 'link_ble_port']
        canal = Program(
            sys.executable, '-m', 'rootcanal', *[f'-{name}={port}' for name, port in zip(names, ports)],
            until='Listening|listening|HCI')
        ends = time.monotonic() + LIMIT
        while time.monotonic() < ends:
            with socket.socket() as one:
                if one.connect_ex(('127.0.0.1', ports[0])) == 0:
                    break
            time.sleep(0.2)
        return canal, f'tcp:127.0.0.1:{ports[0]}'

    def test_thirty_scenarios_are_the_same_conversation_on_rootcanal(self):
        canal, place = self.rootcanal()
        with tempfile.TemporaryDirectory() as folder:
            # A device keeps what was done to it: both see the scenarios in the same order.
            def talks(device, kind):
                own = f'unix:{folder}/{device}'
                where = ['--listen', own] if kind == 'ours' else ['--adapter', place]
                program = Program(BLECAP, 'simulate', device, *where, until=', at (tcp|unix)')
                name, scenarios = SCENARIOS[device]
                found = []
                for number, actions in enumerate(scenarios):
                    log = f'{folder}/{device}-{number}-{kind}.btsnoop'
                    status = run(BLECAP, 'drive', f'connect={name}', *actions.split(), '--adapter', where[1],
                                 '--record', log).returncode
                    found.append((status, conversation(log)))
                program.stop()
                return found

            pairs = [(device, kind) for device in SCENARIOS for kind in ('ours', 'canal')]
            with concurrent.futures.ThreadPoolExecutor(len(pairs)) as pool:
                found = dict(zip(pairs, pool.map(lambda pair: talks(*pair), pairs)))
        canal.stop()
        self.assertGreaterEqual(sum(len(scenarios) for _, scenarios in SCENARIOS.values()), 30)
        for device, (_, scenarios) in SCENARIOS.items():
            for scenario, ours, canals in zip(scenarios, found[device, 'ours'], found[device, 'canal']):
                with self.subTest(f'{device}: {scenario}'):
                    self.assertGreater(len(ours[1]), 10)
                    self.assertEqual(ours, canals)

    def test_rootcanal_between_our_phone_and_our_car(self):
        canal, place = self.rootcanal()
        with tempfile.TemporaryDirectory() as folder:
            car = Program(BLECAP, 'simulate', 'car', '--keys', KEYS, '--dialect', SLOW, '--adapter', place,
                          until='pairing window open')
            address = re.search('(..:){5}..', car.text)[0]
            self.unlock(place, address, folder)
            self.assertIn('TRUNK_OPEN answered with success, secured', car.stop())
            canal.stop()


if __name__ == '__main__':
    unittest.main(verbosity=2)
