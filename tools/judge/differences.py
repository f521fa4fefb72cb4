"""Judges `blecap diff` by pairs of sessions whose difference is known (`judge diff`).

Both sessions of a pair are with one device and follow one script: the draws that say what is done are the
same. What differs from one night to the next does: times, values, nonces, counters, handles, the recorder.

Further good pairs are of two stacks: a session that BlueZ had, and what the stack of this repository did when
the session was played to it.
"""

import itertools
import json
import pathlib
import random
import struct
import subprocess
import tempfile

from judge import octets as o, recorders
from judge.cases import CASES, HEALTHY
from judge.cases.recorder import KEEP_LENGTHS
from judge.cases.registry import NOTHING
from judge.key_session import CarSession, KeySession
from judge.recorders import FORMS

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / 'captures'
# Sessions that BlueZ's host had, and which the stack of this repository can have, too.
BLUEZ = ('bonded-reconnect', 'bonding', 'handle-reuse', 'handle-reuse-before', 'link-device', 'mi-band',
         'mobike', 'peripheral-clock', 'two-devices', 'uqdk-unlock')
ALIKE_PAIRS = 100
CAUSES_FOUND = 0.9
ALIKE_MISSED = 2
# What the recorder of the second of two good nights leaves out, in turn.
LEFT_OUT = [list, recorders.without_events, list, recorders.received_only, list, recorders.sent_only,
            list, recorders.cut_values, list, recorders.data_only]
LTK_REPLY = 0x201A


class Script(random.Random):
    """What is done is drawn from one seed; bytes and times are drawn from another."""

    def __init__(self, script, night):
        super().__init__(script)
        self.night = random.Random(night)

    def randbytes(self, n):
        return self.night.randbytes(n)

    def uniform(self, a, b):
        return self.night.uniform(a, b)


# Nights that went well

def paired(s):
    s.begin()
    s.pairing(9)
    s.encrypts()
    s.talk()
    s.ends(0x16)


def encrypted(s):
    s.begin()
    s.encrypts()
    s.talk()
    s.ends(0x16)


def key_at_host(s):
    s.connect(s.handle, s.peer, role=1, peer_type=1)
    s.event(o.event(0x3E, b'\5' + struct.pack('<H', s.handle) + bytes(10)))
    s.command(LTK_REPLY, struct.pack('<H', s.handle) + bytes(16), event=None)
    s.event(o.command_complete(LTK_REPLY, b'\0' + struct.pack('<H', s.handle)))
    s.event(o.event(0x08, struct.pack('<BHB', 0, s.handle, 1)))
    s.wait(0.1, 0.5)
    s.ends(0x13)


WELL = {KeySession: CASES['unlock'].make, CarSession: CASES['unlock_seen_by_the_car'].make}
WELL_OF = dict.fromkeys(
    ('wrong_pairing_code', 'window_closed', 'no_free_slot'), CASES['activation'].make) | dict.fromkeys(
    ('wrong_passkey', 'pairing_not_supported', 'pairing_requirements', 'numeric_refused',
     'repeated_attempts', 'host_refuses_pairing', 'host_wrong_confirm', 'pairing_stops',
     'peer_leaves_pairing', 'encrypts_while_pairing', 'lost_while_pairing'), paired) | {
    'bond_lost_at_peer': CASES['bonded_reconnect'].make, 'bond_lost_at_host': key_at_host,
    'encryption_refused': encrypted, 'mic_failure': encrypted}

# Faults that no problem of the log tells of: what the first difference is about.
UNTOLD = {
    'commands_before_subscribing': ('notifications on',),
    'connects_and_does_nothing': ('MTU exchange', 'discovery'),
    'two_apps_subscribe': ('everything off',),
}


def moved(session, by):
    """Gives every attribute of the device another handle."""
    session.services = [(first + by, last + by, kind, [(declaration + by, properties, value + by, uuid)
                                                       for declaration, properties, value, uuid in inside])
                        for first, last, kind, inside in session.services]
    session.notifying += by
    session.writable = [handle + by for handle in session.writable]
    if isinstance(session, KeySession):
        session.command_value += by
        session.info += by


def refuses(session, begin):
    """Each connection begins with a refusal that harms nobody, on good nights as on bad ones."""
    def begins():
        begin()
        session.refused(o.read_request(session.notifying), 0x02)
    return begins


def night_of(case, make, device, night, is_noisy=False):
    """One night with a device; a noisy one with a refusal on each connection."""
    session = case.session(device)
    own = random.Random(night)
    session.random = Script(device, night)
    session.now_us += own.randrange(10 ** 12)
    session.handle = own.randrange(1, 0xE00)
    moved(session, own.randrange(40))
    if isinstance(session, KeySession):
        session.auth_counter += own.randrange(1, 1000)
    if is_noisy:
        session.begin = refuses(session, session.begin)
    make(session)
    return session


class Judge:
    """Compares pairs, and keeps what is wrong about each."""

    def __init__(self, blecap, folder):
        self.blecap, self.folder = blecap, pathlib.Path(folder)
        self.forms = itertools.cycle(itertools.product(FORMS, FORMS))
        self.causes, self.causes_missed, self.alike, self.alike_missed = 0, [], 0, []

    def compare(self, good, bad, allowed=None, keyed=False):
        """The first difference and the exit status."""
        paths = []
        forms = next(self.forms)
        for name, session, form in zip(('good', 'bad'), (good, bad), forms, strict=True):
            form = form if allowed is None or form in allowed else allowed[0]
            paths.append(self.folder / f'{name}.{form}')
            paths[-1].write_bytes(session.written(FORMS[form](session.records)))
        keys = 'none'
        if keyed:
            keys = self.folder / 'keys.json'
            keys.write_text(json.dumps(good.keys))
        return self.first(keys, *paths)

    def first(self, keys, *paths):
        """The first difference and the exit status."""
        done = subprocess.run([self.blecap, 'diff', '--format', 'ndjson', '--keys', keys, *paths],
                              capture_output=True, timeout=600, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return lines[0] if lines else {}, done.returncode

    def fault(self, name, case, seed):
        device = f'{name} {seed}'
        well = WELL_OF.get(name) or WELL.get(case.session, CASES['closed_by_host'].make)
        good = night_of(case, well, device, f'{device} good', seed % 2 == 0)
        bad = night_of(case, case.make, device, f'{device} bad', seed % 2 == 0)
        truths = [(False, case.truth)]
        if good.keys:
            truths.append((True, case.truth if case.keyed is None else case.keyed))
        for keyed, truth in truths:
            wanted = UNTOLD.get(name) if truth == NOTHING else truth[:1]
            if wanted is None:
                continue
            first, status = self.compare(good, bad, case.forms, keyed)
            self.causes += 1
            found = first.get('subject', '') if truth == NOTHING else first.get('code', '')
            is_found = any(found == one or truth == NOTHING and one in found for one in wanted)
            has_frames = all((first.get(side) or {}).get('frame') for side in ('good', 'bad'))
            if status != 1 or not is_found or not has_frames:
                self.causes_missed.append(
                    f'{device}{", with keys" if keyed else ""}: {first.get("what")} '
                    f'{first.get("subject")}, true is {wanted}{"" if has_frames else ", lacks a frame"}')

    def good_pair(self, name, case, seed):
        device = f'{name} {seed}'
        first, second = (night_of(case, case.make, device, f'{device} {night}', seed % 2 == 0)
                         for night in (1, 2))
        leave_out = LEFT_OUT[self.alike % len(LEFT_OUT)]
        if not leave_out(second.records):
            leave_out = list
        second.records = leave_out(second.records)
        allowed = KEEP_LENGTHS if leave_out is recorders.cut_values else case.forms
        difference, status = self.compare(first, second, allowed, keyed=bool(first.keys) and seed % 2)
        self.alike += 1
        if status != 0:
            self.alike_missed.append(
                f'{device}, {leave_out.__name__}: {difference.get("what")} {difference.get("subject")}')

    def stacks(self, name):
        """BlueZ beside our stack, each as the good night once."""
        log, keys = CAPTURES / f'{name}.btsnoop', CAPTURES / f'{name}.keys.json'
        ours = self.folder / f'{name}.btsnoop'
        played = subprocess.run([self.blecap, 'replay', '--record', ours, log], capture_output=True,
                                timeout=600, check=False)
        for good, bad in ((log, ours), (ours, log)):
            self.alike += 1
            difference, status = self.first(keys if keys.exists() else 'none', good, bad)
            if played.returncode != 0 or status != 0:
                self.alike_missed.append(
                    f'{name}, {good.parent.name} first: {difference.get("what")} {difference.get("subject")}')


def judge_all(blecap, seeds, pairs=ALIKE_PAIRS):
    """Judges a pair of each fault with each of the seeds, and pairs in which nothing failed; 1 where too many
    causes are missed, or too many good nights differ."""
    with tempfile.TemporaryDirectory() as scratch:
        judge = Judge(blecap, scratch)
        for seed in seeds:
            for name, case in CASES.items():
                if case.layer not in {HEALTHY, 'recorder'}:
                    judge.fault(name, case, seed)
        healthy = [(name, case) for name, case in CASES.items() if case.layer == HEALTHY]
        for number in range(pairs):
            judge.good_pair(*healthy[number % len(healthy)], seeds[0] + number // len(healthy))
        for name in BLUEZ:
            judge.stacks(name)
    for line in judge.causes_missed + judge.alike_missed:
        print(f'WRONG {line}')
    found = judge.causes - len(judge.causes_missed)
    print(f'{judge.causes} pairs with a fault: the cause is the first difference in {found}; '
          f'{judge.alike} pairs of good sessions, '
          f'{2 * len(BLUEZ)} of them of two stacks: {len(judge.alike_missed)} differ')
    return int(found < CAUSES_FOUND * judge.causes or len(judge.alike_missed) > ALIKE_MISSED)
