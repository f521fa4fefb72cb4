"""Sessions made so that what failed in them, and on which side, is known; and healthy ones.

docs/verdict.md lists the faults and says what a side is. Each is made from a seed: addresses, handles, times,
attributes and the amount of traffic differ, the fault stays. `judge faults` compares the verdict with the truth.
"""

import functools
import json
import pathlib
import random
import struct
import subprocess
import tempfile
from dataclasses import replace

from judge import files, octets as o
from judge.capture import Capture

SECOND = 1_000_000
BLE_CREATE_CONNECTION, BLE_CREATE_CANCEL = 0x200D, 0x200E
DISCONNECT, REMOTE_NAME_REQUEST, CREATE_CONNECTION = 0x0406, 0x0419, 0x0405
SET_SCAN_ENABLE, ENABLE_ENCRYPTION, LTK_NEGATIVE_REPLY = 0x200C, 0x2019, 0x201B


class Session(Capture):
    """What a phone's bus shows of one device, step by step."""

    def __init__(self, seed):
        super().__init__()
        self.random = random.Random(seed)
        self.now_us += self.random.randrange(10 ** 12)
        self.handle = self.random.randrange(1, 0xE00)
        self.peer = ':'.join(f'{byte:02X}' for byte in [self.random.randrange(0xC0, 0x100),
                                                        *self.random.randbytes(5)])
        first = self.random.randrange(1, 40)
        self.services, at = [], first
        for number in range(self.random.randrange(1, 4)):
            start, characteristics = at, []
            for index in range(self.random.randrange(3, 6)):
                kind = f'{self.random.randrange(0xA000, 0xF000):04X}'
                characteristics.append((at + 1, 0x10 if index == 0 else 0x0E, at + 2, kind))
                at += 3 if index == 0 else 2
            self.services.append((start, at, f'{0x9000 + number:04X}', characteristics))
            at += 1 + self.random.randrange(5)
        values = [value for *_, characteristics in self.services for _, _, value, _ in characteristics]
        self.notifying = self.services[0][3][0][2]
        self.writable = [value for value in values if value != self.notifying]

    # Time

    def wait(self, least, most=None):
        """Seconds, at random from `least` to `most`."""
        self.now_us += int(self.random.uniform(least, most or least) * SECOND)

    def value(self, longest=12):
        return self.random.randbytes(self.random.randrange(1, longest))

    # HCI

    def command(self, opcode, parameters=b'', status=0, event=0x0F):
        """A command and its Command Status (0x0F) or Command Complete (0x0E)."""
        self.raw(o.command(opcode, parameters), 'tx')
        if event == 0x0E:
            self.event(o.command_complete(opcode, bytes([status])))
        elif event == 0x0F:
            self.event(o.event(0x0F, struct.pack('<BBH', status, 1, opcode)))

    def scan(self):
        self.command(SET_SCAN_ENABLE, b'\1\0', event=0x0E)
        for _ in range(self.random.randrange(1, 9)):
            self.wait(0.05, 0.4)
            self.event(o.advertising_report(self.peer, b'\2\1\6', peer_type=1))
        self.command(SET_SCAN_ENABLE, b'\0\0', event=0x0E)

    def ask(self, status=0):
        """LE Create Connection."""
        self.command(BLE_CREATE_CONNECTION, struct.pack('<HHBB', 96, 48, 0, 1) + o.address(self.peer)
                     + struct.pack('<BHHHHHH', 0, 24, 40, 0, 42, 0, 0), status)

    def begin(self):
        """A connection that comes about, and what most clients do on it first."""
        self.scan()
        self.connects()
        if self.random.random() < 0.7:
            self.exchange(o.exchange_mtu_request(517), o.exchange_mtu_response(247))
        self.discover(self.handle, self.services)

    def connects(self):
        self.ask()
        self.wait(0.05, 0.5)
        self.connect(self.handle, self.peer, peer_type=1)

    def ends(self, reason, by_host=None):
        by_host = reason == 0x16 if by_host is None else by_host
        if by_host:
            self.command(DISCONNECT, struct.pack('<HB', self.handle, 0x13))
        self.event(o.disconnection_complete(self.handle, reason))

    # ATT

    def say(self, direction, payload):
        self.wait(0.002, 0.05)
        self.att(self.handle, direction, payload)

    def exchange(self, request, response, asker='tx'):
        self.say(asker, request)
        self.say('rx' if asker == 'tx' else 'tx', response)

    def refused(self, request, code, handle=None):
        handle = struct.unpack_from('<H', request, 1)[0] if handle is None else handle
        self.exchange(request, o.error_response(request[0], handle, code))

    def subscribe(self):
        self.exchange(o.write_request(self.notifying + 1, b'\1\0'), o.write_response())

    def talk(self, least=2, most=9):
        """Reads, writes and notifications that go well."""
        for _ in range(self.random.randrange(least, most)):
            handle = self.random.choice(self.writable)
            kind = self.random.randrange(3)
            if kind == 0:
                self.exchange(o.read_request(handle), o.read_response(self.value()))
            elif kind == 1:
                self.exchange(o.write_request(handle, self.value()), o.write_response())
            else:
                self.say('tx', o.write_command(handle, self.value()))
            if self.random.random() < 0.5:
                self.say('rx', o.notification(self.notifying, self.value()))

    def normal(self):
        self.begin()
        self.subscribe()
        self.talk()

    # SMP

    def pairing(self, steps=4, by_peer=False):
        """The first `steps` PDUs of LE Secure Connections, Just Works, begun by the central."""
        pdus = [('tx', bytes([1, 3, 0, 0x2D, 16, 7, 7])), ('rx', bytes([2, 3, 0, 0x2D, 16, 7, 7])),
                ('tx', b'\x0c' + self.random.randbytes(64)), ('rx', b'\x0c' + self.random.randbytes(64)),
                ('rx', b'\x03' + self.random.randbytes(16)), ('tx', b'\x04' + self.random.randbytes(16)),
                ('rx', b'\x04' + self.random.randbytes(16)), ('tx', b'\x0d' + self.random.randbytes(16)),
                ('rx', b'\x0d' + self.random.randbytes(16))]
        if by_peer:
            self.smp(self.handle, 'rx', b'\x0b\x2d')
        for direction, payload in pdus[:steps]:
            self.wait(0.02, 0.2)
            self.smp(self.handle, direction, payload)

    def encrypts(self, status=0):
        self.command(ENABLE_ENCRYPTION, struct.pack('<H', self.handle) + bytes(26))
        self.wait(0.05, 0.2)
        self.event(o.event(0x08, struct.pack('<BHB', status, self.handle, status == 0)))


FAILING, HEALTHY = {}, {}


def failing(layer, code, side, name=None):
    """A fault whose first failure has this code and side (None: the log does not tell)."""
    def keep(make):
        FAILING[name or make.__name__] = (layer, code, side, make)
        return make
    return keep


def healthy(make):
    HEALTHY[make.__name__] = make
    return make


def each(table, layer, code, side):
    """One fault for each row of `table`: a name and what the maker is given."""
    def keep(make):
        for name, *given in table:
            failing(layer, code, side, name)(functools.partial(lambda session, given: make(session, *given),
                                                               given=given))
        return make
    return keep


# Radio

@each([('link_lost', 0x08), ('link_layer_silent', 0x22)], 'radio', 'abnormal-disconnection', 'link')
def _(s, reason):
    s.normal()
    s.wait(2, 8)
    s.ends(reason)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_in_discovery(s):
    s.scan()
    s.connects()
    s.exchange(o.read_by_group_type_request(1, 0xFFFF), o.error_response(0x10, 1))
    s.say('tx', o.read_by_type_request(1, 0xFFFF, '2803'))
    s.wait(4, 8)
    s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def never_established(s):
    s.scan()
    s.connects()
    s.wait(0.2, 0.4)
    s.ends(0x3E)


@failing('radio', 'connection-given-up', 'link')
def out_of_reach(s):
    s.scan()
    s.ask()
    s.wait(5, 30)
    s.command(BLE_CREATE_CANCEL, event=0x0E)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=2))


@failing('radio', 'connection-failed', 'link')
def page_timeout(s):
    s.command(CREATE_CONNECTION, o.address(s.peer) + bytes.fromhex('18CC02000000') + b'\1')
    s.wait(5.1)
    s.event(o.event(0x03, b'\4\0\0' + o.address(s.peer) + b'\1\0'))


@failing('radio', 'abnormal-disconnection', 'link')
def lost_after_refusals(s):
    s.begin()
    for handle in range(1, s.random.randrange(7, 12)):
        s.refused(o.read_request(handle), 0x02)
    s.wait(2)
    s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_again_and_again(s):
    for _ in range(s.random.randrange(2, 5)):
        s.begin()
        s.talk()
        s.wait(1, 3)
        s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_while_pairing(s):
    s.begin()
    s.pairing(3)
    s.wait(3)
    s.ends(0x08)


@failing('radio', 'connection-failed', 'link')
def connect_fails(s):
    s.scan()
    s.ask()
    s.wait(0.1, 0.4)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=0x3E))


# Link: one of the two, or the host's controller, ends or refuses a connection

@each([('hung_up_in_discovery', 0x13), ('low_resources_in_discovery', 0x14), ('power_off_in_discovery', 0x15)],
      'link', 'no-response', 'peer')
def _(s, reason):
    s.scan()
    s.connects()
    s.exchange(o.exchange_mtu_request(185), o.exchange_mtu_response(23))
    s.say('tx', o.read_by_group_type_request(1, 0xFFFF))
    s.wait(0.01, 0.9)
    s.ends(reason)


@failing('link', 'no-response', 'peer')
def host_gives_up_waiting(s):
    s.begin()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(5, 20)
    s.ends(0x16)


@each([('connection_limit', 0x09), ('create_disallowed', 0x0C)], 'link', 'command-failed', 'controller')
def _(s, status):
    s.scan()
    s.ask(status)
    s.wait(1)
    s.scan()


@each([('instant_passed', 0x28), ('unacceptable_parameters', 0x3B), ('unspecified', 0x1F)],
      'link', 'abnormal-disconnection', None)
def _(s, reason):
    s.normal()
    s.ends(reason)


@failing('link', 'hardware-error', 'controller')
def controller_fails(s):
    s.normal()
    s.event(o.event(0x10, b'\x42'))


@failing('link', 'command-unanswered', 'controller')
def controller_silent(s):
    s.normal()
    s.command(DISCONNECT, struct.pack('<HB', s.handle, 0x13), event=None)
    s.wait(11)
    s.command(0x0C03, event=None)
    s.wait(11)
    s.command(0x0C03, event=None)


# Pairing and encryption

@each([('wrong_passkey', 'rx', 4), ('pairing_not_supported', 'rx', 5), ('pairing_requirements', 'rx', 3),
       ('numeric_refused', 'rx', 12), ('repeated_attempts', 'rx', 9)], 'pairing', 'pairing-failed', 'peer')
@each([('host_refuses_pairing', 'tx', 8), ('host_wrong_confirm', 'tx', 4)], 'pairing', 'pairing-failed', 'host')
def _(s, direction, reason):
    s.begin()
    s.pairing(1 if reason in (3, 5, 8) else 6)
    s.smp(s.handle, direction, bytes([5, reason]))
    s.wait(0.1)
    s.ends(0x13 if direction == 'rx' else 0x16)


@failing('pairing', 'pairing-unanswered', 'peer')
def pairing_stops(s):
    s.begin()
    s.pairing(3)
    s.wait(31, 40)
    s.say('tx', o.write_command(s.writable[0], s.value()))


@failing('pairing', 'pairing-unfinished', 'peer')
def peer_leaves_pairing(s):
    s.begin()
    s.pairing(s.random.choice([1, 3]))
    s.wait(1, 4)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', 'peer')
def bond_lost_at_peer(s):
    s.scan()
    s.connects()
    s.encrypts(0x06)
    s.wait(0.2)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', 'host')
def bond_lost_at_host(s):
    """The recorded device is the peripheral, and no longer has the key that the central asks for."""
    s.connect(s.handle, s.peer, role=1, peer_type=1)
    s.event(o.event(0x3E, b'\5' + struct.pack('<H', s.handle) + bytes(10)))
    s.command(LTK_NEGATIVE_REPLY, struct.pack('<H', s.handle), event=None)
    s.event(o.command_complete(LTK_NEGATIVE_REPLY, b'\0' + struct.pack('<H', s.handle)))
    s.wait(0.1, 0.5)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', None)
def encryption_refused(s):
    s.normal()
    s.encrypts(0x1F)


@failing('pairing', 'abnormal-disconnection', None)
def mic_failure(s):
    s.begin()
    s.encrypts()
    s.talk()
    s.ends(0x3D)


# ATT and GATT

@each([('read_not_permitted', o.read_request, 0x02), ('write_not_permitted', o.write_request, 0x03),
       ('insufficient_authentication', o.write_request, 0x05), ('wrong_length', o.write_request, 0x0D),
       ('insufficient_encryption', o.read_request, 0x0F), ('busy', o.write_request, 0xFE),
       ('database_changed', o.read_request, 0x12), ('application_error', o.write_request, 0x80)],
      'att', 'att-error', 'peer')
def _(s, request, code):
    s.normal()
    handle = s.writable.pop()
    s.refused(request(handle) if request is o.read_request else request(handle, s.value()), code)
    s.talk(0, 4)
    s.ends(0x16)


@failing('att', 'att-timeout', 'peer')
def request_times_out(s):
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(31, 60)
    s.say('rx', o.notification(s.notifying, s.value()))


@failing('att', 'att-timeout', 'host')
def indication_not_confirmed(s):
    s.normal()
    s.say('rx', o.indication(s.notifying, s.value()))
    s.wait(31, 60)
    s.say('tx', o.write_command(s.writable[0], s.value()))


@failing('att', 'att-error', 'host')
def host_refuses(s):
    s.normal()
    s.exchange(o.write_request(3, s.value()), o.error_response(0x12, 3, 0x01), asker='rx')
    s.ends(0x13)


@failing('att', 'att-error', 'peer')
def subscription_refused(s):
    s.begin()
    s.refused(o.write_request(s.notifying + 1, b'\1\0'), 0x05)
    s.ends(0x16)


# Healthy

@healthy
def closed_by_host(s):
    s.normal()
    s.ends(0x16)


@healthy
def closed_by_peer(s):
    s.normal()
    s.wait(1, 5)
    s.ends(0x13)


@healthy
def still_open(s):
    s.normal()
    s.wait(1, 60)


@healthy
def asked_just_before_the_end(s):
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))


@healthy
def asked_just_before_closing(s):
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(0.001, 0.05)
    s.ends(0x16)


@healthy
def paired_after_a_refusal(s):
    s.begin()
    s.refused(o.write_request(s.writable[0], b'\1'), 0x05)
    s.pairing(9)
    s.encrypts()
    s.exchange(o.write_request(s.writable[0], b'\1'), o.write_response())
    s.ends(0x16)


@healthy
def bonded_reconnect(s):
    s.scan()
    s.connects()
    s.encrypts()
    s.say('rx', o.notification(s.notifying, s.value()))
    s.talk()
    s.ends(0x13)


@healthy
def reconnects(s):
    for _ in range(s.random.randrange(2, 5)):
        s.normal()
        s.ends(s.random.choice([0x13, 0x16]))
        s.wait(1, 100)


@healthy
def long_silence(s):
    s.normal()
    s.wait(100, 4000)
    s.say('rx', o.notification(s.notifying, s.value()))
    s.ends(0x16)


@healthy
def long_read(s):
    s.begin()
    handle, whole = s.writable[0], s.random.randbytes(22)
    s.exchange(o.read_request(handle), o.read_response(whole))
    s.refused(struct.pack('<BHH', 0x0C, handle, 22), 0x07)
    s.ends(0x16)


@healthy
def service_changed(s):
    s.normal()
    s.say('rx', o.indication(3, struct.pack('<HH', 1, 0xFFFF)))
    s.say('tx', o.confirmation())
    s.discover(s.handle, s.services)


@healthy
def two_devices(s):
    s.normal()
    s.handle += 1
    s.peer = s.peer[:-2] + ('00' if s.peer[-2:] != '00' else '01')
    s.normal()
    s.ends(0x13)


@healthy
def background_scan(s):
    s.command(SET_SCAN_ENABLE, b'\1\0', event=0x0E)
    s.wait(600, 4000)
    s.event(o.advertising_report(s.peer, b'\2\1\6', peer_type=1))
    s.command(SET_SCAN_ENABLE, b'\0\0', event=0x0E)
    s.connects()
    s.discover(s.handle, s.services)


@healthy
def scan_only(s):
    for _ in range(5):
        s.scan()


@healthy
def peer_discovers_the_phone(s):
    s.normal()
    s.exchange(o.exchange_mtu_request(100), o.exchange_mtu_response(517), asker='rx')
    s.exchange(o.read_by_type_request(1, 0xFFFF, '2A00'), o.error_response(0x08, 1), asker='rx')
    s.exchange(o.read_request(3), o.read_response(b'Phone'), asker='rx')
    s.ends(0x13)


# What a recorder or an export leaves out: such a log may tell less, and nothing else.

def without_events(records):
    return [record for record in records if record.octets[0] != o.EVENT]


def received_only(records):
    return [record for record in records if record.direction == 'rx']


def sent_only(records):
    return [record for record in records if record.direction == 'tx']


def second_half(records):
    return records[len(records) // 2:]


def first_half(records):
    return records[:len(records) // 2]


def cut_values(records):
    """As Android's filtered mode: of data, the headers and the opcode are kept."""
    return [replace(record, octets=record.octets[:12], original=len(record.octets))
            if record.octets[0] == o.ACL else record for record in records]


def data_only(records):
    return [record for record in records if record.octets[0] == o.ACL]


LEFT_OUT = [without_events, received_only, sent_only, second_half, first_half, cut_values, data_only]

FORMS = {'btsnoop': lambda records: files.btsnoop(records), 'monitor': lambda records: files.btsnoop(records, 2001),
         'pklg': files.packet_logger}


def summary(blecap, path):
    done = subprocess.run([blecap, 'annotate', '--format', 'ndjson', path], capture_output=True, timeout=600,
                          check=True)
    return json.loads(done.stdout.splitlines()[-1])


def first_of(found):
    """Code and side of what the verdict names first; Nones where nothing failed."""
    if not found['wrong']:
        return None, None
    return found['wrong'][0]['code'], found['wrong'][0].get('side')


def failures(blecap, records, folder):
    """The codes of all that failed, by a log of these records."""
    path = pathlib.Path(folder) / 'part.btsnoop'
    path.write_bytes(files.btsnoop(records))
    return {entry['code'] for entry in summary(blecap, path)['wrong']}


def judge_all(blecap, seeds):
    """Judges every session in each form, with each of the seeds; 1 where a verdict is not the truth."""
    wrong, judged = [], 0
    cases = [(name, (code, side), make) for name, (_, code, side, make) in FAILING.items()]
    cases += [(name, (None, None), make) for name, make in HEALTHY.items()]
    with tempfile.TemporaryDirectory() as scratch:
        for name, truth, make in cases:
            for seed in seeds:
                session = Session(f'{name} {seed}')
                make(session)
                for form, octets_of in FORMS.items():
                    path = pathlib.Path(scratch) / f'{name}-{seed}.{form}'
                    path.write_bytes(octets_of(session.records))
                    said = first_of(summary(blecap, path))
                    judged += 1
                    if said != truth:
                        wrong.append(f'{name}, seed {seed}, {form}: {said}, true is {truth}')
                    path.unlink()
                whole = failures(blecap, session.records, scratch)
                for leave_out in LEFT_OUT:
                    judged += 1
                    more = failures(blecap, leave_out(session.records), scratch) - whole
                    if more:
                        wrong.append(f'{name}, seed {seed}, {leave_out.__name__}: {sorted(more)}, not in the whole log')
    for line in wrong:
        print(f'WRONG {line}')
    print(f'{judged} logs of {len(FAILING)} faults and {len(HEALTHY)} healthy sessions: {len(wrong)} wrong verdicts')
    return int(bool(wrong))
