"""A session on the air in every container that sniffers write: what fuzzing starts from.

The encrypted PDUs are the sample data of the Core Specification, Vol 6, Part C, 1.
"""

import struct

ADVERTISING = 0x8E89BED6
ACCESS = 0x50655491
CENTRAL, PERIPHERAL = bytes.fromhex('010203040506'), bytes.fromhex('1112131415c6')
# (sender: 0 advertiser, 1 central, 2 peripheral; header and payload)
PDUS = [(sender, bytes.fromhex(pdu)) for sender, pdu in (
    (0, '400f' + PERIPHERAL.hex() + '020106' + '05094c616d70'),
    (0, 'c522' + (CENTRAL + PERIPHERAL).hex() + '91546550' + '563412' + '010000' + '1800' + '0000' + '6400'
     + 'ffffffff1f' + '05'),
    (1, '03060c090f000102'), (2, '07060c080d000304'), (1, '0f09080100000000000000'),
    (1, '020703000400020002'), (2, '060703000400030002'), (1, '020b07000400100100ffff0028'),
    (2, '060b0800040011060100090000'), (2, '0d0118'),
    (1, '020b07000600010300051003' + '03'), (2, '060b07000600020300051003' + '03'),
    (1, '021511000600' + '03' + 16 * '5a'), (2, '061511000600' + '04' + 16 * 'a5'),
    (1, '0317039078563412efcdab74241302f1e0dfcebdac24abdcba'),
    (2, '0b0d047968574635241302bebaafde'), (2, '070105'),
    (1, '0f059fcda7f448'), (2, '0705a34c13a415'),
    (1, '0e1f7a70d66415226df26b17839a060405596bd6564f796b5b9ce6ff32f75a6d33'),
    (2, '061ff38881e7bd94c9c369b9a66846dd4786aa8c39ce540d0dae3adcdf89b96088'),
    (1, '03020213'),
)]
LINK_TYPES = (157, 192, 251, 256, 272)


def crc(pdu, initial):
    """The check sequence (Vol 6, Part B, 3.1.1)."""
    state = int(f'{initial:024b}'[::-1], 2)
    for octet in pdu:
        state ^= octet
        for _ in range(8):
            state = state >> 1 ^ 0xDA6000 if state & 1 else state >> 1
    return state.to_bytes(3, 'little')


def packets():
    """(sender, channel index, packet from access address to check sequence)."""
    for number, (sender, pdu) in enumerate(PDUS):
        address, initial = (ACCESS, 0x123456) if sender else (ADVERTISING, 0x555555)
        yield sender, number * 7 % 37 if sender else 37, struct.pack('<I', address) + pdu + crc(pdu, initial)


def headed(link_type, sender, channel, packet):
    """A packet with what a link type has before it."""
    rf = 0 if channel == 37 else channel + (1 if channel < 11 else 2)
    if link_type == 256:
        return struct.pack('<BbbBIH', rf, -60, 0, 0, ACCESS, 0xC13 | (0, 0x100, 0x180)[sender]) + packet
    if link_type in (157, 272):
        radio = bytes([10, 1 | (2 if sender == 1 else 0), channel, 60]) + bytes(6) + packet
        return bytes([4, 6, len(radio), 2, 0, 0, 6]) + radio
    if link_type == 192:
        field = struct.pack('<BHBIbbbB', 0, 2402 + 2 * rf, 0, 1000, -60, -60, -60, 1)
        return struct.pack('<HHIHH', 0, 12 + len(field), 147, 30006, len(field)) + field + packet
    return packet


def made():
    """(name, octets) of each container."""
    for link_type in LINK_TYPES:
        out = struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, link_type)
        for number, heard in enumerate(packets()):
            whole = headed(link_type, *heard)
            out += struct.pack('<IIII', 1700000000, number * 30000, len(whole), len(whole)) + whole
        yield f'air-{link_type}', out
    out = b''
    for number, (_, channel, packet) in enumerate(packets()):
        ticks = number * 960_000
        body = packet + bytes([60, 0x80 | channel])
        record = struct.pack('<BIHHIHB', 1, number, ticks % 5000, ticks // 5000 & 0xFFFF, 0, len(body) + 1,
                             len(body)) + body
        out += record.ljust(271, b'\0')
    yield 'air-psd', out
