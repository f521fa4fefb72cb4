"""What an application does wrong. Where the log does not tell, the truth is that nothing failed."""

import struct

from judge import octets as o
from judge.cases.registry import each, failing, healthy
from judge.session import BLE_CREATE_CANCEL

LAYER = 'application'


def has_control_point(s):
    """Makes the notifying characteristic a Fitness Machine Control Point; gives the handle of its value."""
    characteristics = s.services[0][3]
    declaration, _, value, _ = characteristics[0]
    characteristics[0] = (declaration, 0x18, value, '2AD9')
    return value


@failing(LAYER, 'att-error', 'peer')
def wrong_configuration_value(s):
    """Indications of a value that only notifies."""
    s.begin()
    s.refused(o.write_request(s.notifying + 1, b'\2\0'), s.random.choice([0x13, 0xFD]))
    s.talk(0, 4)
    s.ends(0x16)


@failing(LAYER, 'att-error', 'host')
def writes_read_only(s):
    s.normal()
    declaration = s.services[0][3][1][0]
    s.refused(o.write_request(declaration, s.value()), 0x03)
    s.ends(0x16)


@failing(LAYER, 'att-error', 'peer')
def stale_handle(s):
    """The device's database changed, the app goes on with a handle of the old one."""
    s.normal()
    s.say('rx', o.indication(3, struct.pack('<HH', 1, 0xFFFF)))
    s.say('tx', o.confirmation())
    s.refused(o.write_request(s.writable[-1], s.value()), 0x01)
    s.ends(0x16)


@failing(LAYER, 'att-error', 'peer')
def reads_past_the_end(s):
    """A read that begins past the end of a value that it has not read before."""
    s.normal()
    s.refused(struct.pack('<BHH', 0x0C, s.writable[0], 400), 0x07)
    s.ends(0x16)


@failing(LAYER, 'att-error', 'peer')
def never_pairs(s):
    s.normal()
    handle = s.writable[0]
    for _ in range(s.random.randrange(1, 4)):
        s.refused(o.write_request(handle, s.value()), 0x05)
        s.wait(0.5, 2)
    s.ends(0x16)


@failing(LAYER, 'att-error', 'peer')
def prepares_too_much(s):
    s.normal()
    handle, offset = s.writable[0], 0
    for _ in range(s.random.randrange(3, 8)):
        part = s.random.randbytes(18)
        s.exchange(o.prepare_write_request(handle, offset, part),
                   b'\x17' + o.prepare_write_request(handle, offset, part)[1:])
        offset += len(part)
    s.refused(o.prepare_write_request(handle, offset, s.random.randbytes(18)), 0x09)
    s.exchange(b'\x18\x00', b'\x19')
    s.ends(0x16)


@failing(LAYER, 'att-error', 'host')
def own_service_refuses(s):
    """The recorded device's own service refuses what the peer asks."""
    s.normal()
    s.exchange(o.read_request(0x60), o.error_response(0x0A, 0x60, 0x08), asker='rx')
    s.ends(0x13)


@failing(LAYER, 'att-timeout', 'host')
def never_confirms(s):
    """The device gives up when its indication has waited for 30 s."""
    s.normal()
    s.say('rx', o.indication(s.notifying, s.value()))
    s.wait(30.1, 32)
    s.ends(0x13)


@failing(LAYER, 'att-timeout', 'host')
def own_service_silent(s):
    s.normal()
    s.say('rx', o.read_request(0x60))
    s.wait(31, 50)
    s.say('tx', o.write_command(s.writable[0], s.value()))
    s.ends(0x13)


@failing(LAYER, 'no-response', 'host')
def hangs_up_on_a_question(s):
    s.normal()
    s.say('rx', o.read_request(0x60))
    s.wait(0.2, 5)
    s.ends(0x16)


@failing(LAYER, 'request-while-pending', 'host')
def asks_twice_at_once(s):
    """A second request before the first is answered: the device drops it."""
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.exchange(o.write_request(s.writable[-1], s.value()), o.read_response(s.value()))
    s.wait(31, 50)
    s.say('rx', o.notification(s.notifying, s.value()))
    s.ends(0x16)


@failing(LAYER, 'request-repeated', 'host')
def discovers_in_circles(s):
    """Discovery never goes on behind what was found."""
    s.scan()
    s.connects()
    for _ in range(s.random.randrange(5, 30)):
        s.exchange(o.read_by_type_request(1, 5, '2803'), b'\x09\x07' + struct.pack('<HBHH', 2, 2, 3, 0x2A00))
    s.wait(0.1, 5)
    s.ends(0x13)


@failing(LAYER, 'control-point-refused', 'peer')
def control_not_permitted(s):
    """The device takes the write and refuses what it asks for: Fitness Machine Control Point."""
    control = has_control_point(s)
    s.begin()
    s.subscribe()
    s.exchange(o.write_request(control, b'\0'), o.write_response())
    s.say('rx', o.notification(control, b'\x80\0' + bytes([s.random.choice([2, 3, 4, 5])])))
    s.wait(1, 5)
    s.ends(0x16)


@healthy
def reads_by_type_again(s):
    """A value that is read by its type, and stays what it is."""
    s.begin()
    for _ in range(s.random.randrange(6, 20)):
        s.exchange(o.read_by_type_request(1, 0xFFFF, '2A19'), b'\x09\x03' + struct.pack('<HB', 3, 90))
    s.ends(0x16)


@healthy
def control_point_obeys(s):
    """It refuses at first."""
    control = has_control_point(s)
    s.begin()
    s.subscribe()
    for result in (5, 1):
        s.exchange(o.write_request(control, b'\0'), o.write_response())
        s.say('rx', o.notification(control, b'\x80\0' + bytes([result])))
    s.wait(1, 5)
    s.ends(0x16)


@failing(LAYER, 'att-mtu-exceeded', 'host')
def writes_longer_than_mtu(s):
    """The MTU was refused, or never asked for."""
    s.scan()
    s.connects()
    if s.random.random() < 0.5:
        s.exchange(o.exchange_mtu_request(517), o.error_response(0x02, 0, 0x06))
    s.discover(s.handle, s.services)
    s.subscribe()
    s.say('tx', o.write_command(s.writable[0], s.random.randbytes(s.random.randrange(21, 200))))
    s.wait(1, 10)
    s.ends(0x16)


@failing(LAYER, 'connection-given-up', 'host')
def asks_for_the_wrong_kind_of_address(s):
    """The device advertises by a random address and is asked for by the same as a public one."""
    s.scan()
    s.ask(peer_type=0)
    s.wait(5, 30)
    s.command(BLE_CREATE_CANCEL, event=0x0E)
    s.event(o.connection_complete(0, s.peer, 0, 0, status=2))


# Nothing in the log tells

@failing(LAYER)
def commands_before_subscribing(s):
    """The device takes the commands, and its answers come for nobody."""
    s.begin()
    for _ in range(s.random.randrange(1, 5)):
        s.exchange(o.write_request(s.writable[0], s.value()), o.write_response())
        s.wait(1, 3)
    s.ends(0x16)


@each([('hangs_up_before_the_answer', 0.01, 0.9), ('never_reads_the_answer', 0.001, 0.02),
       ('hangs_up_after_a_while', 1.5, 3)], LAYER)
def _(s, least, most):
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(least, most)
    s.ends(0x16)


@failing(LAYER)
def asks_twice_and_is_answered(s):
    """What no client may do, and some servers serve."""
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.exchange(o.write_request(s.writable[-1], s.value()), o.read_response(s.value()))
    s.say('rx', o.write_response())
    s.talk()
    s.ends(0x16)


@failing(LAYER)
def idle_until_peer_leaves(s):
    s.normal()
    s.wait(20, 600)
    s.ends(s.random.choice([0x13, 0x15]))


@failing(LAYER)
def two_apps_subscribe(s):
    """The second app's subscription is the same again, the first one's end switches both off."""
    s.normal()
    s.subscribe()
    s.talk(1, 4)
    s.exchange(o.write_request(s.notifying + 1, b'\0\0'), o.write_response())
    s.wait(5, 30)
    s.ends(0x16)


@failing(LAYER)
def commands_to_read_only(s):
    """A Write Command has no response: whoever can't take it drops it."""
    s.normal()
    for _ in range(s.random.randrange(1, 6)):
        s.say('tx', o.write_command(s.services[0][3][1][0], s.value()))
    s.ends(0x16)


@failing(LAYER)
def connects_and_does_nothing(s):
    s.scan()
    s.connects()
    s.wait(5, 60)
    s.ends(0x16)


@failing(LAYER)
def cancels_soon(s):
    s.scan()
    s.ask()
    s.wait(0.05, 0.8)
    s.command(BLE_CREATE_CANCEL, event=0x0E)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=2))


@failing(LAYER)
def never_executes_writes(s):
    s.normal()
    request = o.prepare_write_request(s.writable[0], 0, s.value())
    s.exchange(request, b'\x17' + request[1:])
    s.wait(1, 5)
    s.ends(0x16)


@failing(LAYER)
def searches_what_is_not_there(s):
    s.begin()
    for kind in ('2A19', '2A00', '2A29'):
        s.exchange(o.read_by_type_request(1, 0xFFFF, kind), o.error_response(0x08, 1))
    s.exchange(struct.pack('<BHHH', 0x06, 1, 0xFFFF, 0x2800) + bytes(16), o.error_response(0x06, 1))
    s.ends(0x16)
