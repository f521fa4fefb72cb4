"""Captures for the tests of the report page, written byte by byte."""

import struct

# What may stand in a name: ends of elements and strings, and characters that some parsers take for line ends.
HOSTILE = [
    '</script><script>document.title="bad"</script>', '<img src=x onerror="document.title=1">', '"\'`${1}',
    '--><!--', ']]>', '</pre><h1>bad', 'a\u2028b\u2029c', '&lt;b&gt;', '\u202egnp', 'javascript:alert(1)',
    '%00\x00\x1b[31m', '\\u003cscript>', '<svg/onload=alert(1)>', '{{7*7}}',
    '</style><style>*{display:none}']


def btsnoop(records):
    """A btsnoop file of H4 packets, a second apart: pairs of flags and bytes."""
    return timed([(index, *record) for index, record in enumerate(records)])


def timed(records):
    """A btsnoop file of H4 packets: seconds, flags and bytes of each."""
    out = b'btsnoop\0' + struct.pack('>II', 1, 1002)
    for seconds, flags, packet in records:
        time = 0x00E03AB44A676000 + round(1_000_000 * seconds)
        out += struct.pack('>IIIIQ', len(packet), len(packet), flags, 0, time) + packet
    return out


def packets(path):
    """The packets of a btsnoop file, without the type that a record of H4 begins with."""
    data = path.read_bytes()
    at, all_of_them = 16, []
    begin = 1 if data[12:16] == struct.pack('>I', 1002) else 0
    while at < len(data):
        length = int.from_bytes(data[at + 4:at + 8], 'big')
        all_of_them.append(data[at + 24 + begin:at + 24 + length])
        at += 24 + length
    return all_of_them


def connected(handle, device):
    """An event with a connection to the device of such a number, with a supervision timeout of 6 s."""
    address = struct.pack('<I', device) + b'\x11\x22'
    return (3, bytes([4, 0x3E, 19, 1, 0]) + struct.pack('<H', handle) + b'\0\0' + address
            + struct.pack('<HHHB', 36, 0, 600, 0))


def notified(handle, value):
    """A notification of attribute 0x0012 with a value."""
    pdu = b'\x1b\x12\0' + value
    return (1, struct.pack('<BHHHH', 2, 0x2000 | handle, len(pdu) + 4, len(pdu), 4) + pdu)


def disconnected(handle, reason):
    """The event of a connection's end."""
    return (3, struct.pack('<BBBBHB', 4, 5, 4, 0, handle, reason))


def advertising(name, place):
    """An event with an advertising report of a device with this name."""
    data = bytes([len(name) + 1, 9]) + name
    report = bytes([0, 0]) + struct.pack('<I', place) + b'\x11\x22' + bytes([len(data)]) + data + b'\xc0'
    return bytes([4, 0x3E, len(report) + 2, 2, 1]) + report


def hostile_names():
    """200 names of at most 26 bytes of UTF-8, whole or cut in the middle of a character."""
    names = []
    for index in range(200):
        name = HOSTILE[index % len(HOSTILE)]
        name = name[index // len(HOSTILE) % 7:] + str(index)
        names.append(name.encode()[:26])
    return names


def crc(pdu, state=0xAAAAAA):
    """The check sequence of an advertising PDU (Core Specification, Vol 6, Part B, 3.1.1)."""
    for byte in pdu:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xDA6000 if state & 1 else 0)
    return state.to_bytes(3, 'little')


def air(names, radio=None):
    """A pcap file from the air: an ADV_IND of each name. Of link type 251, or with the radio channel (by its
    frequency, from 0) and the RSSI of each packet of link type 256."""
    out = struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 256 if radio else 251)
    for index, name in enumerate(names):
        pdu = bytes([0x40, 8 + len(name), index, 2, 3, 4, 5, 0xC6, len(name) + 1, 9]) + name
        packet = struct.pack('<I', 0x8E89BED6) + pdu + crc(pdu)
        if radio:
            # The signal is valid, the CRC was checked, and is right.
            packet = struct.pack('<BbbBIH', *radio[index], 0, 0, 0x8E89BED6, 0x0C13) + packet
        out += struct.pack('<IIII', 1_700_000_000 + index, 0, len(packet), len(packet)) + packet
    return out
