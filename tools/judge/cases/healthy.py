"""Sessions in which nothing failed, whatever they look like (`judge faults`)."""

import struct

from judge import octets as o
from judge.session import SET_SCAN_ENABLE

HEALTHY = {}


def healthy(make):
    HEALTHY[make.__name__] = make
    return make


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
