"""The captures of known truth, one or more for each class of differences (docs/judges.md)."""

from dataclasses import dataclass, field

from judge import files, octets as o
from judge.capture import Capture

PHONE_CAR, OTHER = 'C0:11:22:33:44:55', 'C0:66:77:88:99:AA'
CAR = [(1, 7, 'AAA0', [(2, 0x08, 3, 'AAA1'), (4, 0x10, 5, 'AAA2')])]
BAND = [(1, 7, 'BBB0', [(2, 0x08, 3, 'BBB1'), (4, 0x10, 5, 'BBB2')])]
MEMBER = [(1, 7, 'AAA0', [(2, 0x08, 3, 'FFF2'), (4, 0x10, 5, 'FFF5')])]
CAR_WRITE, CAR_NOTIFY = ('AAA0', 'AAA1'), ('AAA0', 'AAA2')
BAND_WRITE, BAND_NOTIFY = ('BBB0', 'BBB1'), ('BBB0', 'BBB2')


def reused_handle():
    """Handle 0x0040 is device A, discovered; A leaves; 0x0040 is device B, never discovered."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.discover(0x40, CAR)
    made.att(0x40, 'tx', o.write_command(3, b'open'), CAR_WRITE)
    made.att(0x40, 'rx', o.notification(5, b'done'), CAR_NOTIFY)
    made.disconnect(0x40)
    made.connect(0x40, OTHER)
    made.att(0x40, 'tx', o.write_command(3, b'\x01\x02'), (None, None))
    made.att(0x40, 'rx', o.notification(5, b'\x03'), (None, None))
    return made


def two_devices():
    """Two links at once; what B's discovery said must not name A's handles."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.connect(0x41, OTHER)
    made.discover(0x40, CAR)
    made.att(0x40, 'rx', o.notification(5, b'a1'), CAR_NOTIFY)
    made.discover(0x41, BAND)
    made.att(0x40, 'rx', o.notification(5, b'a2'), CAR_NOTIFY)
    made.att(0x41, 'rx', o.notification(5, b'b1'), BAND_NOTIFY)
    made.att(0x40, 'tx', o.write_request(3, b'a3'), CAR_WRITE)
    made.att(0x40, 'rx', o.write_response(), CAR_WRITE)
    return made


def two_adapters():
    """Two adapters, each with a link 0x0040 to another device; fragments of both interleave."""
    made = Capture()
    made.connect(0x40, PHONE_CAR, adapter=0)
    made.connect(0x40, OTHER, adapter=1)
    made.discover(0x40, CAR, adapter=0)
    made.discover(0x40, BAND, adapter=1)
    first = o.fragments(0x40, 'rx', o.ATT, o.notification(5, b'car ' * 8), [20])
    second = o.fragments(0x40, 'rx', o.ATT, o.notification(5, b'band' * 8), [20])
    made.raw(first[0], 'rx', 0)
    made.raw(second[0], 'rx', 1)
    for packet, adapter, value, label in (
            (first[1], 0, b'car ' * 8, CAR_NOTIFY), (second[1], 1, b'band' * 8, BAND_NOTIFY)):
        frame = made.raw(packet, 'rx', adapter)
        made.expect(frame, o.notification(5, value), label)
    made.att(0x40, 'tx', o.write_command(3, b'x'), CAR_WRITE, adapter=0)
    made.att(0x40, 'tx', o.write_command(3, b'y'), BAND_WRITE, adapter=1)
    return made


def bonded_reconnection():
    """A is discovered, B after it; A comes back with its identity and is not discovered again."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.discover(0x40, CAR)
    made.disconnect(0x40)
    made.connect(0x41, OTHER)
    made.discover(0x41, BAND)
    made.disconnect(0x41)
    made.event(o.enhanced_connection_complete(0x42, PHONE_CAR, '5A:01:02:03:04:05'))
    made.event(o.encryption_change(0x42))
    made.att(0x42, 'tx', o.write_command(3, b'open'), CAR_WRITE)
    made.att(0x42, 'rx', o.notification(5, b'done'), CAR_NOTIFY)
    return made


def member_uuids():
    """Characteristics FFF2 and FFF5: as service UUIDs these numbers belong to companies."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.discover(0x40, MEMBER)
    made.att(0x40, 'tx', o.write_command(3, b'\x01'), ('AAA0', 'FFF2'))
    made.att(0x40, 'rx', o.notification(5, b'\x02'), ('AAA0', 'FFF5'))
    return made


def handed_over_fragments():
    """A PDU's first half before a disconnection, a second half on the next link of that handle."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    whole = o.fragments(0x40, 'rx', o.ATT, o.notification(5, b'0123456789abcdef'), [12])
    made.raw(whole[0], 'rx')
    made.disconnect(0x40)
    made.connect(0x40, OTHER)
    made.raw(whole[1], 'rx')
    made.att(0x40, 'rx', o.notification(5, b'whole'), (None, None))
    return made


def cut_records():
    """Records that keep 14 octets of each ACL packet, as an Android phone's default log does."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    for direction, payload in (
            ('tx', o.write_request(3, bytes(range(20)))), ('rx', o.notification(5, bytes(range(20)))),
            ('tx', o.write_command(3, b'\x01')), ('tx', o.read_by_type_request(1, 0xFFFF, '2803'))):
        (packet,) = o.fragments(0x40, direction, o.ATT, payload)
        kept = packet[:15]
        frame = made.raw(kept, direction, original=len(packet))
        made.expect(frame, kept[9:], (None, None))
    return made


def holes():
    """A start that was cut, its continuation kept whole: the two are not one PDU."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    start, rest = o.fragments(0x40, 'rx', o.ATT, o.notification(5, bytes(range(60))), [27])
    frame = made.raw(start[:15], 'rx', original=len(start))
    made.expect(frame, start[9:15], (None, None))
    made.raw(rest, 'rx')
    made.att(0x40, 'rx', o.notification(5, b'whole'), (None, None))
    return made


def interleaved_links():
    """Fragments of two links and both directions, interleaved: each PDU is whole."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.connect(0x41, OTHER)
    lanes = []
    for handle, direction, letter in ((0x40, 'rx', b'a'), (0x41, 'rx', b'b'), (0x40, 'tx', b'c')):
        payload = o.notification(5, letter * 50) if direction == 'rx' else o.write_command(3, letter * 50)
        lanes.append((direction, payload, o.fragments(handle, direction, o.ATT, payload, [20, 20])))
    for step in range(3):
        for direction, payload, packets in lanes:
            frame = made.raw(packets[step], direction)
            if step == 2:
                made.expect(frame, payload, (None, None))
    return made


def vendor_acl():
    """ACL data on handle 0x0EDC, which no connection has: the controller's own debug traffic."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.raw(o.acl(0xEDC, o.START_FROM_CONTROLLER, o.l2cap(o.ATT, o.read_request(0xFF) + bytes(40))), 'rx')
    made.att(0x40, 'rx', o.notification(5, b'real'), (None, None))
    return made


def file_cut():
    """The file ends inside a record: what came before is whole, and the offset is known."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.att(0x40, 'rx', o.notification(5, b'whole'), (None, None))
    made.att(0x40, 'rx', o.notification(5, bytes(100)), (None, None))
    made.keep_octets = -100
    return made


def empty_record():
    """A record of no octets between whole ones."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.raw(b'', 'rx')
    made.att(0x40, 'rx', o.notification(5, b'after'), (None, None))
    return made


def clock_step():
    """The clock is set back by an hour: the order of the records is the truth, the time is data."""
    made = Capture()
    made.connect(0x40, PHONE_CAR)
    made.att(0x40, 'rx', o.notification(5, b'before'), (None, None))
    made.now_us -= 3_600_000_000
    made.att(0x40, 'rx', o.notification(5, b'after'), (None, None))
    return made


CAPTURES = {
    'reused-handle': reused_handle, 'two-devices': two_devices, 'two-adapters': two_adapters,
    'bonded-reconnection': bonded_reconnection, 'member-uuids': member_uuids,
    'handed-over-fragments': handed_over_fragments, 'cut-records': cut_records, 'cut-start': holes,
    'interleaved-links': interleaved_links, 'file-cut': file_cut, 'empty-record': empty_record,
    'clock-step': clock_step, 'vendor-acl': vendor_acl,
}


@dataclass(frozen=True)
class Expectation:
    """What the readers are known to do with a capture, beside the truth."""

    # Which of tshark's answers differ from the truth: labels, pdus; or none of them.
    tshark: str = 'none'
    # Words of a label that tshark shows and nobody may.
    names: tuple = ()
    # frame -> the problem that the command reports on it.
    problems: dict = field(default_factory=dict)
    # The command's exit status, and what its one line on standard error names.
    status: int = 0
    error: str = ''


EXPECTED = {
    'reused-handle': Expectation('labels'),
    'two-devices': Expectation('labels'),
    'two-adapters': Expectation(),
    'bonded-reconnection': Expectation('labels'),
    'member-uuids': Expectation(names=('Aliro', 'Car Connectivity Consortium')),
    'handed-over-fragments': Expectation('pdus', problems={5: 'fragment-without-start'}),
    'cut-records': Expectation(problems={2: 'record-cut', 3: 'record-cut'}),
    'cut-start': Expectation('pdus', problems={2: 'record-cut'}),
    'interleaved-links': Expectation(),
    'file-cut': Expectation(status=3, error='offset'),
    'empty-record': Expectation(problems={2: 'empty-record'}),
    'clock-step': Expectation(problems={3: 'clock-backwards'}),
    'vendor-acl': Expectation('pdus'),
}


def octets_of(made):
    """The capture as a btsnoop file: the monitor channel's kind when there are several adapters."""
    datalink = 2001 if any(record.adapter for record in made.records) else 1002
    whole = files.btsnoop(made.records, datalink)
    return whole[:made.keep_octets] if made.keep_octets else whole
