"""Capture files written octet by octet, for captures made so that the truth is known."""

import struct

BTSNOOP_EPOCH_US = 0x00DCDDB30F2F8000
MONITOR_OPCODES = {(1, 'tx'): 2, (4, 'rx'): 3, (2, 'tx'): 4, (2, 'rx'): 5}


def monitor_opcode(record):
    return record.opcode if record.opcode is not None else MONITOR_OPCODES[record.octets[0], record.direction]


def btsnoop(records, datalink=1002):
    """btsnoop version 1: datalink 1002 (H4) or 2001 (the Linux monitor channel)."""
    out = [b'btsnoop\0', struct.pack('>II', 1, datalink)]
    for record in records:
        octets = record.octets
        if datalink == 2001:
            flags = record.adapter << 16 | monitor_opcode(record)
            octets = octets if record.opcode is not None else octets[1:]
        else:
            is_data = record.octets[:1] == b'\x02'
            flags = (record.direction == 'rx') | (0 if is_data else 2)
        original = len(octets) if record.original is None else record.original
        out.append(struct.pack('>IIIIq', original, len(octets), flags, record.drops,
                               record.time_us + BTSNOOP_EPOCH_US))
        out.append(octets)
    return b''.join(out)


def _pcap_octets(record, link_type):
    if link_type == 187:
        return record.octets
    if link_type == 201:
        return struct.pack('>I', record.direction == 'rx') + record.octets
    return struct.pack('>HH', record.adapter, monitor_opcode(record)) + record.octets[1:]


def pcap(records, link_type, nanoseconds=False, order='<'):
    magic = 0xA1B23C4D if nanoseconds else 0xA1B2C3D4
    out = [struct.pack(order + 'IHHiIII', magic, 2, 4, 0, 0, 65535, link_type)]
    for record in records:
        octets = _pcap_octets(record, link_type)
        fraction = record.time_us % 1_000_000 * (1000 if nanoseconds else 1)
        out.append(struct.pack(order + 'IIII', record.time_us // 1_000_000, fraction, len(octets),
                               len(octets)))
        out.append(octets)
    return b''.join(out)


def _option(code, value):
    return struct.pack('<HH', code, len(value)) + value + bytes(-len(value) % 4)


def _block(kind, body):
    length = 12 + len(body)
    return struct.pack('<II', kind, length) + body + struct.pack('<I', length)


def pcapng(records, link_type, resolution=9, offset_s=0):
    """One section, one interface. `resolution` is if_tsresol as in the file (bit 7: a power of two)."""
    options = _option(9, bytes([resolution])) + _option(14, struct.pack('<q', offset_s)) + _option(0, b'')
    out = [_block(0x0A0D0D0A, struct.pack('<IHHq', 0x1A2B3C4D, 1, 0, -1)),
           _block(1, struct.pack('<HHI', link_type, 0, 0) + options)]
    ticks_per_s = 1 << (resolution & 0x7F) if resolution & 0x80 else 10 ** resolution
    for record in records:
        octets = _pcap_octets(record, link_type)
        ticks = (record.time_us - offset_s * 1_000_000) * ticks_per_s // 1_000_000
        out.append(_block(6, struct.pack('<IIIII', 0, ticks >> 32, ticks & 0xFFFFFFFF, len(octets),
                                         len(octets)) + octets + bytes(-len(octets) % 4)))
    return b''.join(out)


def packet_logger(records, order='>'):
    """Apple's PacketLogger: version 1 big-endian, version 2 little-endian."""
    kinds = {(1, 'tx'): 0, (4, 'rx'): 1, (2, 'tx'): 2, (2, 'rx'): 3}
    out = []
    for record in records:
        body = record.octets[1:]
        out.append(struct.pack(order + 'IIIB', 9 + len(body), record.time_us // 1_000_000,
                               record.time_us % 1_000_000, kinds[record.octets[0], record.direction]))
        out.append(body)
    return b''.join(out)
