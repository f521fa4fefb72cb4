"""HCI, L2CAP and ATT octets for captures made so that the truth is known. Little-endian as on the wire."""

import struct

COMMAND, ACL, EVENT = 1, 2, 4
ATT, LE_SIGNALLING, SMP = 4, 5, 6
START_FROM_HOST, CONTINUATION, START_FROM_CONTROLLER = 0, 1, 2


def address(text):
    """AA:BB:CC:DD:EE:FF as the six octets on the wire, least significant first."""
    return bytes.fromhex(text.replace(':', ''))[::-1]


def uuid(text):
    """A UUID of 4 or 32 hexadecimal digits, as on the wire."""
    return bytes.fromhex(text.replace('-', ''))[::-1]


def command(opcode, parameters=b''):
    return struct.pack('<BHB', COMMAND, opcode, len(parameters)) + parameters


def event(code, parameters):
    return struct.pack('<BBB', EVENT, code, len(parameters)) + parameters


def meta(subevent, parameters):
    """An LE Meta event."""
    return event(0x3E, bytes([subevent]) + parameters)


def command_complete(opcode, returned=b'\0'):
    return event(0x0E, struct.pack('<BH', 1, opcode) + returned)


def connection_complete(handle, peer, role=0, peer_type=0, status=0):
    """LE Connection Complete: interval 30 ms, no latency, supervision timeout 420 ms."""
    return event(0x3E, struct.pack('<BBHBB', 1, status, handle, role, peer_type) + address(peer)
                 + struct.pack('<HHHB', 24, 0, 42, 0))


def enhanced_connection_complete(handle, peer, peer_private, role=0, peer_type=2):
    """LE Enhanced Connection Complete: `peer` is the identity that the controller resolved."""
    return event(0x3E, struct.pack('<BBHBB', 0x0A, 0, handle, role, peer_type) + address(peer) + bytes(6)
                 + address(peer_private) + struct.pack('<HHHB', 24, 0, 42, 0))


def disconnection_complete(handle, reason=0x13):
    return event(0x05, struct.pack('<BHB', 0, handle, reason))


def encryption_change(handle):
    return event(0x08, struct.pack('<BHB', 0, handle, 1))


def advertising_report(peer, data, peer_type=0, rssi=-60):
    return event(0x3E, bytes([2, 1, 0, peer_type]) + address(peer) + bytes([len(data)]) + data
                 + struct.pack('<b', rssi))


def acl(handle, boundary, data):
    return struct.pack('<BHH', ACL, handle | boundary << 12, len(data)) + data


def l2cap(cid, payload):
    return struct.pack('<HH', len(payload), cid) + payload


def fragments(handle, direction, cid, payload, sizes=()):
    """The ACL packets of one L2CAP PDU; `sizes` are those of the first ones, the rest goes last."""
    start = START_FROM_HOST if direction == 'tx' else START_FROM_CONTROLLER
    whole, packets = l2cap(cid, payload), []
    for size in [*sizes, len(whole)]:
        if whole:
            packets.append(acl(handle, CONTINUATION if packets else start, whole[:size]))
            whole = whole[size:]
    return packets


# ATT PDUs (Core Specification, Vol 3, Part F, 3.4)

def exchange_mtu_request(mtu):
    return struct.pack('<BH', 0x02, mtu)


def exchange_mtu_response(mtu):
    return struct.pack('<BH', 0x03, mtu)


def error_response(request, handle, code=0x0A):
    return struct.pack('<BBHB', 0x01, request, handle, code)


def find_information_request(first, last):
    return struct.pack('<BHH', 0x04, first, last)


def find_information_response(entries):
    body = b''.join(struct.pack('<H', handle) + uuid(kind) for handle, kind in entries)
    return bytes([0x05, 1 if len(entries[0][1]) == 4 else 2]) + body


def read_by_type_request(first, last, kind):
    return struct.pack('<BHH', 0x08, first, last) + uuid(kind)


def read_by_type_response(entries):
    return bytes([0x09, 2 + len(entries[0][1])]) + b''.join(
        struct.pack('<H', handle) + value for handle, value in entries)


def read_request(handle):
    return struct.pack('<BH', 0x0A, handle)


def read_response(value):
    return b'\x0b' + value


def read_by_group_type_request(first, last, kind='2800'):
    return struct.pack('<BHH', 0x10, first, last) + uuid(kind)


def read_by_group_type_response(entries):
    return bytes([0x11, 4 + len(uuid(entries[0][2]))]) + b''.join(
        struct.pack('<HH', first, last) + uuid(kind) for first, last, kind in entries)


def write_request(handle, value):
    return struct.pack('<BH', 0x12, handle) + value


def write_response():
    return b'\x13'


def prepare_write_request(handle, offset, value):
    return struct.pack('<BHH', 0x16, handle, offset) + value


def notification(handle, value):
    return struct.pack('<BH', 0x1B, handle) + value


def indication(handle, value):
    return struct.pack('<BH', 0x1D, handle) + value


def confirmation():
    return b'\x1e'


def write_command(handle, value):
    return struct.pack('<BH', 0x52, handle) + value


def characteristic(properties, value_handle, kind):
    """The value of a characteristic declaration."""
    return struct.pack('<BH', properties, value_handle) + uuid(kind)
