"""Sessions in which nothing failed, whatever they look like (`judge faults`)."""

import struct

from judge import octets as o
from judge.cases.registry import healthy
from judge.key_session import CarSession, KeySession
from judge.session import BLE_CREATE_CANCEL, REMOTE_NAME_REQUEST, SET_SCAN_ENABLE
from peers.uqdk.messages import Command


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
def exchange_not_supported(s):
    """A device with the least MTU alone."""
    s.scan()
    s.connects()
    s.exchange(o.exchange_mtu_request(517), o.error_response(0x02, 0, 0x06))
    s.discover(s.handle, s.services)
    s.subscribe()
    s.talk()
    s.ends(s.random.choice([0x13, 0x16]))


@healthy
def adapter_reset_when_idle(s):
    s.normal()
    s.wait(0.5, 20)
    s.command(0x0C03, event=0x0E)


@healthy
def paired_after_a_refusal(s):
    s.begin()
    s.refused(o.write_request(s.writable[0], b'\1'), 0x05)
    s.pairing(9)
    s.encrypts()
    s.exchange(o.write_request(s.writable[0], b'\1'), o.write_response())
    s.ends(0x16)


@healthy
def paired_after_a_refusal_without_asking_again(s):
    s.begin()
    s.refused(o.read_request(s.writable[0]), s.random.choice([0x05, 0x0F]))
    s.pairing(9)
    s.encrypts()
    s.talk(0, 4)
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


@healthy
def bonded_with_mtu(s):
    s.scan()
    s.connects()
    s.exchange(o.exchange_mtu_request(517), o.exchange_mtu_response(247))
    s.encrypts()
    s.talk()
    s.ends(0x16)


@healthy
def private_address(s):
    s.scan()
    s.ask()
    private = f'{s.random.randrange(0x40, 0x80):02X}' + s.peer[2:]
    s.event(o.enhanced_connection_complete(s.handle, s.peer, private))
    s.encrypts()
    s.talk()
    s.ends(0x13)


@healthy
def extended_connect(s):
    s.command(0x2042, b'\1\0\0\0\0\0', event=0x0E)
    s.wait(0.1, 2)
    report = struct.pack('<HB', 0x13, 1) + o.address(s.peer) + b'\1\0\xff\x7f\xc4' + bytes(9) + b'\3\2\1\6'
    s.event(o.meta(0x0D, b'\1' + report))
    s.command(0x2042, bytes(6), event=0x0E)
    s.command(0x2043, b'\0\0\1' + o.address(s.peer) + b'\1' + struct.pack('<8H', 96, 48, 24, 40, 0, 42, 0, 0))
    s.wait(0.05, 0.5)
    s.event(o.enhanced_connection_complete(s.handle, s.peer, '00:00:00:00:00:00', peer_type=1))
    s.discover(s.handle, s.services)
    s.talk()
    s.ends(0x16)


@healthy
def parameters_updated(s):
    """The peer asks for a longer interval; later the host for a shorter one."""
    s.normal()
    s.pdu(s.handle, 'rx', o.LE_SIGNALLING, struct.pack('<BBHHHHH', 0x12, 1, 8, 40, 56, 4, 600))
    s.pdu(s.handle, 'tx', o.LE_SIGNALLING, struct.pack('<BBHH', 0x13, 1, 2, 0))
    for interval in (48, 12):
        s.command(0x2013, struct.pack('<7H', s.handle, interval, interval, 0, 600, 0, 0))
        s.wait(0.1, 0.5)
        s.event(o.meta(0x03, struct.pack('<BHHHH', 0, s.handle, interval, 0, 600)))
    s.talk()
    s.ends(0x16)


@healthy
def phy_changed(s):
    s.normal()
    s.command(0x2032, struct.pack('<HBBBH', s.handle, 0, 2, 2, 0))
    s.wait(0.1, 0.3)
    s.event(o.meta(0x0C, struct.pack('<BHBB', 0, s.handle, 2, 2)))
    s.command(0x2022, struct.pack('<HHH', s.handle, 251, 2120), event=None)
    s.event(o.command_complete(0x2022, b'\0' + struct.pack('<H', s.handle)))
    s.event(o.meta(0x07, struct.pack('<5H', s.handle, 251, 2120, 251, 2120)))
    s.talk()
    s.ends(0x13)


@healthy
def many_notifications(s):
    s.normal()
    for _ in range(s.random.randrange(200, 600)):
        s.say('rx', o.notification(s.notifying, s.value()))
    s.ends(0x16)


@healthy
def long_write(s):
    s.normal()
    handle, offset = s.writable[0], 0
    for _ in range(s.random.randrange(3, 12)):
        request = o.prepare_write_request(handle, offset, s.random.randbytes(18))
        s.exchange(request, b'\x17' + request[1:])
        offset += 18
    s.exchange(b'\x18\x01', b'\x19')
    s.talk()
    s.ends(0x16)


@healthy
def paired_with_passkey(s):
    """LE legacy pairing, the peer shows the passkey; both distribute their keys."""
    s.begin()
    pdus = [('tx', b'\1\4\0\5\x10\3\3'), ('rx', b'\2\0\0\5\x10\3\3')]
    pdus += [(direction, code + s.random.randbytes(16))
             for code in (b'\3', b'\4') for direction in ('tx', 'rx')]
    for direction, payload in pdus:
        s.wait(0.02, 6)
        s.smp(s.handle, direction, payload)
    s.encrypts()
    for direction in ('rx', 'tx'):
        s.smp(s.handle, direction, b'\6' + s.random.randbytes(16))
        s.smp(s.handle, direction, b'\7' + s.random.randbytes(10))
    s.talk()
    s.ends(0x16)


@healthy
def several_links(s):
    """Three devices at once, in turns."""
    peers = [(s.handle + number, f'C{number}{s.peer[2:]}') for number in range(3)]
    for s.handle, s.peer in peers:
        s.normal()
    for _ in range(s.random.randrange(3, 9)):
        s.handle, s.peer = s.random.choice(peers)
        s.talk()
    for s.handle, s.peer in peers:
        s.ends(s.random.choice([0x13, 0x16]))


@healthy
def peripheral_role(s):
    """The recorded device advertises; a phone connects, reads and subscribes."""
    s.command(0x200A, b'\1', event=0x0E)
    s.wait(1, 60)
    s.connect(s.handle, s.peer, role=1, peer_type=1)
    s.exchange(o.exchange_mtu_request(517), o.exchange_mtu_response(247), asker='rx')
    s.exchange(o.read_by_group_type_request(1, 0xFFFF), o.read_by_group_type_response(
        [service[:3] for service in s.services]), asker='rx')
    s.exchange(o.write_request(s.notifying + 1, b'\1\0'), o.write_response(), asker='rx')
    for _ in range(s.random.randrange(2, 9)):
        s.exchange(o.read_request(s.writable[0]), o.read_response(s.value()), asker='rx')
        s.say('tx', o.notification(s.notifying, s.value()))
    s.ends(0x13)


@healthy
def active_scan(s):
    s.command(0x200B, b'\1\x10\0\x10\0\0\0', event=0x0E)
    s.command(SET_SCAN_ENABLE, b'\1\0', event=0x0E)
    for _ in range(s.random.randrange(5, 40)):
        s.wait(0.02, 0.4)
        peer = f'{s.random.randrange(0xC0, 0x100):02X}{s.peer[2:]}'
        s.event(o.advertising_report(peer, b'\2\1\6', peer_type=1))
        name = s.random.randbytes(4).hex().encode()
        s.event(o.meta(0x02, b'\1\4\1' + o.address(peer) + bytes([len(name) + 2, len(name) + 1, 9]) + name
                       + b'\xc0'))
    s.command(SET_SCAN_ENABLE, b'\0\0', event=0x0E)


@healthy
def reconnects_at_once(s):
    s.normal()
    s.ends(0x13)
    s.connects()
    s.talk()
    s.ends(0x16)


@healthy
def idle_phone(s):
    """Nothing but housekeeping."""
    for _ in range(s.random.randrange(3, 20)):
        s.wait(1, 200)
        opcode, returned = s.random.choice([(0x1009, b'\0' + bytes(6)), (0x1001, b'\0' + bytes(8)),
                                            (0xFD53, b'\0'), (0x0C14, b'\0' + bytes(248))])
        s.command(opcode, event=None)
        s.event(o.command_complete(opcode, returned))


@healthy
def inquiry(s):
    """BR/EDR: an inquiry, its results, and the name of one device."""
    s.command(0x0401, b'\x33\x8b\x9e\x0a\0')
    for _ in range(s.random.randrange(0, 9)):
        s.wait(0.1, 1)
        s.event(o.event(0x22, b'\1' + o.address(s.peer) + b'\1\0' + b'\x0c\x02\x5a' + b'\0\0' + b'\xc4'))
    s.wait(1, 4)
    s.event(o.event(0x01, b'\0'))
    s.command(REMOTE_NAME_REQUEST, o.address(s.peer) + bytes(4))
    s.wait(0.2, 2)
    s.event(o.event(0x07, b'\0' + o.address(s.peer) + b'Headset' + bytes(241)))


@healthy
def gives_up_then_connects(s):
    s.scan()
    s.ask()
    s.wait(3, 20)
    s.command(BLE_CREATE_CANCEL, event=0x0E)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=2))
    s.wait(1, 5)
    s.normal()
    s.talk(20, 30)
    s.ends(0x16)


@healthy
def channel_opened_on_a_second_try(s):
    s.begin()
    s.channel(result=s.random.choice([4, 5, 6]))
    s.wait(0.5, 3)
    s.channel()
    s.wait(1, 3)
    s.ends(0x16)


@healthy
def stops_what_does_not_run(s):
    """Hosts switch scanning and advertising off to be sure."""
    s.command(SET_SCAN_ENABLE, b'\0\0', 0x0C, event=0x0E)
    s.command(0x200A, b'\0', 0x0C, event=0x0E)
    s.normal()
    s.command(BLE_CREATE_CANCEL, status=0x0C, event=0x0E)
    s.ends(0x16)


@healthy
def advertising_ends_as_asked(s):
    """The host removes a set, or gave it a number of events."""
    s.command(0x2036, bytes(25), event=0x0E)
    for status in (0x44, 0x43):
        s.command(0x2039, b'\1\1' + bytes(4), event=0x0E)
        s.wait(1, 30)
        s.event(o.meta(0x12, struct.pack('<BBHB', status, 0, 0, 9)))
    s.normal()
    s.ends(0x16)


@healthy
def idle_until_the_peer_ends(s):
    s.scan()
    s.connects()
    s.wait(3, 60)
    s.ends(0x13)


@healthy
def payload_timeout_passes(s):
    s.normal()
    s.encrypts()
    s.wait(30)
    s.event(o.event(0x57, struct.pack('<H', s.handle)))
    s.wait(2, 9)
    s.talk()
    s.ends(0x16)


# A phone and its car, with the keys file and without

@healthy(session=KeySession)
def unlock(s):
    s.visit()
    s.drives()
    s.ends(s.random.choice([0x13, 0x16]))


@healthy(session=KeySession)
def activation(s):
    s.car.keys[s.key_id].slot = None
    s.begin()
    s.subscribe()
    s.activate()
    s.authenticate()
    s.drives()
    s.ends(0x16)


@healthy(session=KeySession)
def unlocks_after_clear_query(s):
    """The car asks for authentication first, and gets it."""
    s.begin()
    s.subscribe()
    s.request(Command.STATUS_QUERY)
    s.authenticate()
    s.drives()
    s.ends(0x16)


@healthy(session=KeySession)
def second_code_is_right(s):
    """A wrong pairing code, then the right one."""
    s.car.keys[s.key_id].slot = None
    s.begin()
    s.subscribe()
    s.activate(f'{(int(s.car.pairing_code) + 1) % 1_000_000:06d}')
    s.wait(2, 20)
    s.activate()
    s.authenticate()
    s.drives()
    s.ends(0x16)


@healthy(session=KeySession)
def door_is_closed_first(s):
    """The engine does not start with a door open, and does once it is closed."""
    s.visit()
    s.car.vehicle.state.doors_open = 1
    s.request(Command.ENGINE_START, b'\x0a')
    s.wait(2, 20)
    s.car.vehicle.state.doors_open = 0
    s.request(Command.ENGINE_START, b'\x0a')
    s.ends(0x16)


@healthy(session=KeySession)
def key_refresh(s):
    """A second authentication before the session's lifetime ends, and two visits in one log."""
    s.visit()
    s.drives()
    s.wait(100, 250)
    s.authenticate()
    s.drives()
    s.ends(0x13)
    s.wait(10, 1000)
    s.visit()
    s.drives()
    s.ends(0x16)


@healthy(session=CarSession)
def unlock_seen_by_the_car(s):
    s.visit()
    s.drives()
    s.ends(0x13)
