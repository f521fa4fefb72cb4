"""A capture under construction, and beside it the truth about each of its records."""

from dataclasses import dataclass, field

from judge import octets as o

START_US = 1_700_000_000_000_000
STEP_US = 1_250


@dataclass
class Record:
    """One record as it goes into a file; `octets` begin with the H4 type unless `opcode` is given."""

    octets: bytes
    direction: str
    time_us: int
    adapter: int = 0
    original: int | None = None
    drops: int = 0
    opcode: int | None = None


@dataclass
class Truth:
    """What one record completes: ATT PDUs, SMP codes, and what the value's handle really is."""

    att: list = field(default_factory=list)
    smp: list = field(default_factory=list)
    label: tuple | None = None


class Capture:
    """Records and their truth. Frame numbers count from 1, as tshark counts."""

    def __init__(self):
        self.records = []
        self.truth = {}
        self.now_us = START_US
        self.keep_octets = None

    @property
    def frame(self):
        """The number of the record added last."""
        return len(self.records)

    def raw(self, octets, direction, adapter=0, original=None, opcode=None):
        self.now_us += STEP_US
        self.records.append(Record(octets, direction, self.now_us, adapter, original, 0, opcode))
        return self.frame

    def event(self, octets, adapter=0):
        return self.raw(octets, 'rx', adapter)

    def connect(self, handle, peer, adapter=0, role=0, peer_type=0):
        return self.event(o.connection_complete(handle, peer, role, peer_type), adapter)

    def disconnect(self, handle, adapter=0):
        return self.event(o.disconnection_complete(handle), adapter)

    def pdu(self, handle, direction, cid, payload, adapter=0, sizes=(), between=()):
        """One L2CAP PDU in ACL packets; `between` are callables that add records in the gaps."""
        gaps = list(between)
        for number, packet in enumerate(o.fragments(handle, direction, cid, payload, sizes)):
            if number and gaps:
                gaps.pop(0)()
            self.raw(packet, direction, adapter)
        return self.frame

    def att(self, handle, direction, payload, label=None, adapter=0, sizes=(), between=()):
        frame = self.pdu(handle, direction, o.ATT, payload, adapter, sizes, between)
        self.expect(frame, payload, label)
        return frame

    def expect(self, frame, payload, label=None):
        """The record `frame` completes the ATT PDU `payload`, whose handle is `label`."""
        truth = self.truth.setdefault(frame, Truth())
        truth.att.append(payload)
        truth.label = label

    def smp(self, handle, direction, payload, adapter=0):
        frame = self.pdu(handle, direction, o.SMP, payload, adapter)
        self.truth.setdefault(frame, Truth()).smp.append(payload[0])
        return frame

    def discover(self, handle, services, adapter=0):
        """Primary services and characteristics, as a client asks: (first, last, UUID, [(declaration,
        properties, value handle, UUID)])."""
        say = lambda direction, payload: self.att(handle, direction, payload, adapter=adapter)  # noqa: E731
        say('tx', o.read_by_group_type_request(1, 0xFFFF))
        say('rx', o.read_by_group_type_response([(first, last, kind) for first, last, kind, _ in services]))
        after = services[-1][1]
        if after != 0xFFFF:
            say('tx', o.read_by_group_type_request(after + 1, 0xFFFF))
            say('rx', o.error_response(0x10, after + 1))
        for first, last, _, characteristics in services:
            say('tx', o.read_by_type_request(first, last, '2803'))
            say('rx', o.read_by_type_response([
                (declaration, o.characteristic(properties, value_handle, kind))
                for declaration, properties, value_handle, kind in characteristics]))
            following = characteristics[-1][2] + 1
            if following <= last:
                say('tx', o.read_by_type_request(following, last, '2803'))
                say('rx', o.error_response(0x08, following))
