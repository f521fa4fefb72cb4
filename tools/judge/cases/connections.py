"""Sessions whose packets come out of order, or that succeed at last: nothing failed in them."""

import struct

from judge import octets as o
from judge.cases.registry import healthy
from judge.session import DISCONNECT


@healthy
def late_packets(s):
    """Data of a connection comes after the event of its end."""
    s.normal()
    s.say('tx', o.write_request(s.writable[0], s.value()))
    s.command(DISCONNECT, struct.pack('<HB', s.handle, 0x13))
    s.event(o.disconnection_complete(s.handle, 0x16))
    s.say('rx', o.write_response())
    s.say('rx', o.notification(s.notifying, s.value()))
    s.wait(1, 100)
    s.normal()


@healthy
def early_packets(s):
    """The phone's first request comes before the event of its connection, twice on the same handle."""
    for _ in range(2):
        s.command(0x200A, b'\1', event=0x0E)
        s.wait(0.2, 60)
        s.att(s.handle, 'rx', o.exchange_mtu_request(517))
        s.wait(0.001, 0.05)
        s.connect(s.handle, s.peer, role=1, peer_type=1)
        s.say('tx', o.exchange_mtu_response(247))
        s.exchange(o.read_request(s.writable[0]), o.read_response(s.value()), asker='rx')
        s.ends(0x13)


@healthy(said=('ended-connection',))
def writes_on_an_ended_handle(s):
    s.normal()
    s.ends(0x13)
    s.wait(0.06, 5)
    s.att(s.handle, 'tx', o.write_request(s.writable[0], s.value()))
    s.wait(1, 20)
    s.normal()


@healthy(said=('request-while-pending',))
def writes_without_waiting(s):
    """Several requests at once, which the device answers in order."""
    s.normal()
    count = s.random.randrange(2, 8)
    for _ in range(count):
        s.say('tx', o.write_request(s.writable[0], s.value()))
    for _ in range(count):
        s.say('rx', o.write_response())
    s.ends(0x16)


@healthy
def second_passkey_is_right(s):
    s.begin()
    s.pairing(6)
    s.smp(s.handle, 'rx', b'\5\4')
    s.wait(2, 20)
    s.pairing(9)
    s.encrypts()
    s.talk()
    s.ends(0x16)


@healthy
def bond_lost_and_made_again(s):
    s.scan()
    s.connects()
    s.encrypts(status=0x06)
    s.pairing(9)
    s.encrypts()
    s.talk()
    s.ends(0x16)


@healthy
def bond_lost_and_made_on_the_next_connection(s):
    s.scan()
    s.connects()
    s.encrypts(status=0x06)
    s.ends(0x16)
    s.wait(1, 20)
    s.connects()
    s.pairing(9)
    s.encrypts()
    s.talk()
    s.ends(0x16)


@healthy
def established_at_last(s):
    for _ in range(s.random.randrange(1, 4)):
        s.scan()
        s.connects()
        s.wait(0.2, 0.4)
        s.ends(0x3E)
        s.wait(1, 10)
    s.normal()
    s.ends(0x16)


@healthy
def paired_and_identified_after_a_refusal(s):
    """The device is refused by a private address, and tells its identity as it pairs."""
    peer, s.peer = s.peer, f'{s.random.randrange(0x40, 0x80):02X}{s.peer[2:]}'
    s.begin()
    s.refused(o.write_request(s.writable[0], b'\1'), 0x05)
    s.pairing(9)
    s.encrypts()
    s.smp(s.handle, 'rx', b'\x08' + s.random.randbytes(16))
    s.smp(s.handle, 'rx', b'\x09\1' + o.address(peer)[-6:])
    s.exchange(o.write_request(s.writable[0], b'\1'), o.write_response())
    s.ends(0x16)
