"""Sessions of a host with one device, made step by step, for a verdict to be judged by (`judge faults`)."""

import random
import struct

from judge import octets as o
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
        self.keys = None  # what a keys file for it holds
        self.written = lambda octets: octets  # what becomes of the file

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

    def ask(self, status=0, peer_type=1):
        """LE Create Connection."""
        self.command(BLE_CREATE_CONNECTION, struct.pack('<HHBB', 96, 48, 0, peer_type) + o.address(self.peer)
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

    # L2CAP

    def channel(self, result=0, credits=10, psm=0x80):
        """The host asks for an LE credit-based channel; the peer answers."""
        self.channels = getattr(self, 'channels', 0) + 1
        number, cid = self.channels, 0x40 + self.channels
        self.wait(0.01, 0.1)
        self.pdu(self.handle, 'tx', o.LE_SIGNALLING,
                 struct.pack('<BBHHHHHH', 0x14, number, 10, psm, cid, 512, 64, 10))
        self.wait(0.01, 0.1)
        end = (cid + 0x10, 512, 64, credits, 0) if result == 0 else (0, 0, 0, 0, result)
        self.pdu(self.handle, 'rx', o.LE_SIGNALLING, struct.pack('<BBHHHHHH', 0x15, number, 10, *end))
        return cid + 0x10

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
