"""Faults of the radio, and of the link: one of the two, or the host's controller, ends or refuses it."""

import struct

from judge import octets as o
from judge.cases.registry import each, failing, healthy
from judge.session import BLE_CREATE_CANCEL, CREATE_CONNECTION, DISCONNECT

def sends_all_credits(s):
    """An SDU in two K-frames, for which there are just enough credits; gives the channel."""
    channel = s.channel(credits=2)
    for frame in (struct.pack('<H', 100) + bytes(62), bytes(38)):
        s.wait(0.002, 0.05)
        s.pdu(s.handle, 'tx', channel, frame)
    return channel


def fills_buffers(s):
    """A connection on which the host sends as many packets as the controller has room for; their number."""
    count = s.random.randrange(3, 9)
    s.command(0x2002, event=None)
    s.event(o.command_complete(0x2002, b'\0\xfb\0' + bytes([count])))
    s.scan()
    s.connects()
    for _ in range(count):
        s.say('tx', o.write_command(s.writable[0], s.value()))
    return count


# Radio

@each([('link_lost', 0x08), ('link_layer_silent', 0x22)], 'radio', 'abnormal-disconnection', 'link')
def _(s, reason):
    s.normal()
    s.wait(2, 8)
    s.ends(reason)


def lost_beside_advertising(s, while_connected):
    """The host scans for others, and hears the peer advertise before it gives the connection up."""
    report = o.advertising_report(s.peer, b'\2\1\6', peer_type=1)
    s.normal()
    s.wait(1.5, 2)
    if while_connected:
        s.event(report)
        s.exchange(o.read_request(s.writable[0]), o.read_response(s.value()))
    s.wait(0.5, 1)
    s.event(report)
    s.wait(1, 4)
    s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'peer')
def peer_restarts(s):
    lost_beside_advertising(s, while_connected=False)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_while_advertising_too(s):
    lost_beside_advertising(s, while_connected=True)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_in_discovery(s):
    s.scan()
    s.connects()
    s.exchange(o.read_by_group_type_request(1, 0xFFFF), o.error_response(0x10, 1))
    s.say('tx', o.read_by_type_request(1, 0xFFFF, '2803'))
    s.wait(4, 8)
    s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def never_established(s):
    s.scan()
    s.connects()
    s.wait(0.2, 0.4)
    s.ends(0x3E)


@each([('lost_as_a_request_times_out', 0x08), ('silent_as_a_request_times_out', 0x22)],
      'radio', 'abnormal-disconnection', 'link')
def _(s, reason):
    """The request's 30 s run out unseen before the link is lost."""
    s.begin()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(31, 41)
    s.ends(reason)


@failing('radio', 'connection-given-up', 'link')
def out_of_reach(s):
    s.scan()
    s.ask()
    s.wait(5, 30)
    s.command(BLE_CREATE_CANCEL, event=0x0E)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=2))


@failing('radio', 'connection-failed', 'host')
def page_of_an_le_device(s):
    s.event(o.advertising_report(s.peer, b'\2\1\6'))
    pages(s)


@failing('radio', 'connection-failed', 'link')
def page_timeout(s):
    pages(s)


def pages(s):
    s.command(CREATE_CONNECTION, o.address(s.peer) + bytes.fromhex('18CC02000000') + b'\1')
    s.wait(5.1)
    s.event(o.event(0x03, b'\4\0\0' + o.address(s.peer) + b'\1\0'))


@failing('radio', 'abnormal-disconnection', 'link')
def lost_after_refusals(s):
    s.begin()
    for handle in range(1, s.random.randrange(7, 12)):
        s.refused(o.read_request(handle), 0x02)
    s.wait(2)
    s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def update_refused_then_lost(s):
    """The peer does not take other parameters, and the old ones do not last."""
    s.normal()
    s.command(0x2013, struct.pack('<7H', s.handle, 80, 80, 4, 600, 0, 0))
    s.wait(0.05, 0.3)
    s.event(o.meta(0x03, struct.pack('<BHHHH', 0x20, s.handle, 0, 0, 0)))
    s.wait(1, 8)
    s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_after_illegal_parameters(s):
    """The peer asks for a supervision timeout that is too long, or too short for its latency."""
    s.normal()
    asked = struct.pack('<4H', *s.random.choice([(80, 80, 0, 5000), (80, 80, 4, 42)]))
    s.pdu(s.handle, 'rx', o.LE_SIGNALLING, struct.pack('<BBH', 0x12, 1, 8) + asked)
    s.pdu(s.handle, 'tx', o.LE_SIGNALLING, struct.pack('<BBHH', 0x13, 1, 2, 0))
    s.command(0x2013, struct.pack('<H', s.handle) + asked + bytes(4), status=0x12)
    s.wait(1, 8)
    s.ends(0x08)


@failing('radio', 'authenticated-payload-timeout', 'link')
def payload_timeout_ends(s):
    s.begin()
    s.encrypts()
    s.talk()
    s.wait(30)
    s.event(o.event(0x57, struct.pack('<H', s.handle)))
    s.wait(0.001, 0.2)
    s.ends(0x16)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_again_and_again(s):
    for _ in range(s.random.randrange(2, 5)):
        s.begin()
        s.talk()
        s.wait(1, 3)
        s.ends(0x08)


@failing('radio', 'abnormal-disconnection', 'link')
def lost_while_pairing(s):
    s.begin()
    s.pairing(3)
    s.wait(3)
    s.ends(0x08)


@failing('radio', 'connection-failed', 'link')
def connect_fails(s):
    s.scan()
    s.ask()
    s.wait(0.1, 0.4)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=0x3E))


# Link

@each([('hung_up_in_discovery', 0x13), ('power_off_in_discovery', 0x15)], 'link', 'no-response', 'peer')
def _(s, reason):
    s.scan()
    s.connects()
    s.exchange(o.exchange_mtu_request(185), o.exchange_mtu_response(23))
    s.say('tx', o.read_by_group_type_request(1, 0xFFFF))
    s.wait(0.01, 0.9)
    s.ends(reason)


@failing('link', 'ended-by-peer', 'peer')
def low_resources_in_discovery(s):
    s.scan()
    s.connects()
    s.say('tx', o.read_by_group_type_request(1, 0xFFFF))
    s.wait(0.01, 0.9)
    s.ends(0x14)


@failing('link', 'l2cap-credits-spent', 'peer')
def credits_run_out(s):
    s.begin()
    sends_all_credits(s)
    s.wait(12, 60)
    s.ends(0x16)


@healthy
def credits_given_back(s):
    s.begin()
    channel = sends_all_credits(s)
    s.wait(0.1, 5)
    s.pdu(s.handle, 'rx', o.LE_SIGNALLING, struct.pack('<BBHHH', 0x16, 9, 4, channel, 2))
    s.wait(12, 60)
    s.ends(0x16)


@failing('link', 'buffers-held', 'controller')
def buffers_held(s):
    """The controller never says that a packet was sent."""
    fills_buffers(s)
    s.wait(12, 40)
    s.ends(0x16)


@healthy
def buffers_returned(s):
    count = fills_buffers(s)
    s.wait(0.1, 3)
    s.event(o.event(0x13, struct.pack('<BHH', 1, s.handle, count)))
    s.wait(12, 60)
    s.ends(0x16)


@failing('link', 'ended-by-peer', 'peer')
def peer_ends_at_once(s):
    for _ in range(s.random.randrange(1, 5)):
        s.scan()
        s.connects()
        s.wait(0.05, 1)
        s.ends(0x13)
        s.wait(0.5, 5)


@failing('link', 'ended-by-peer', 'peer')
def peer_ends_at_a_write(s):
    """The device does not like what the app writes first; the app tries again."""
    value = s.value()
    request = s.random.random() < 0.5
    for _ in range(s.random.randrange(2, 5)):
        s.begin()
        if request:
            s.exchange(o.write_request(s.writable[0], value), o.write_response())
        else:
            s.say('tx', o.write_command(s.writable[0], value))
        s.wait(0.01, 0.9)
        s.ends(0x13)
        s.wait(0.5, 20)


@failing('link', 'ended-by-peer', 'peer')
def low_resources(s):
    s.normal()
    s.wait(0.01, 9)
    s.ends(0x14)


@failing('link', 'adapter-ended', 'host')
def adapter_reset(s):
    s.normal()
    s.say('tx', o.write_request(s.writable[0], s.value()))
    s.wait(0.1, 9)
    s.command(0x0C03, event=0x0E)


@failing('link', 'no-response', 'peer')
def host_gives_up_waiting(s):
    s.begin()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(5, 20)
    s.ends(0x16)


@each([('connection_limit', 0x09), ('create_disallowed', 0x0C)], 'link', 'command-failed', 'controller')
def _(s, status):
    s.scan()
    s.ask(status)
    s.wait(1)
    s.scan()


@each([('instant_passed', 0x28), ('unspecified', 0x1F)], 'link', 'abnormal-disconnection', None)
def _(s, reason):
    s.normal()
    s.ends(reason)


@failing('link', 'abnormal-disconnection', 'peer')
def unacceptable_parameters(s):
    s.normal()
    s.ends(0x3B)


@failing('link', 'hardware-error', 'controller')
def controller_fails(s):
    s.normal()
    s.event(o.event(0x10, b'\x42'))


@failing('link', 'command-unanswered', 'controller')
def controller_silent(s):
    s.normal()
    s.command(DISCONNECT, struct.pack('<HB', s.handle, 0x13), event=None)
    s.wait(11)
    s.command(0x0C03, event=None)
    s.wait(11)
    s.command(0x0C03, event=None)

@failing('link', 'command-unanswered', 'controller')
def command_overtaken(s):
    """The controller goes on delivering values, and never answers."""
    s.normal()
    s.command(DISCONNECT, struct.pack('<HB', s.handle, 0x13), event=None)
    for _ in range(s.random.randrange(30, 60)):
        s.wait(0.4, 0.9)
        s.say('rx', o.notification(s.notifying, s.value()))


def _advertising(s, refused, status):
    """Advertising never starts."""
    for opcode, parameters in [(0x2006, bytes(15)), (0x2008, bytes(32)), (0x200A, b'\1')]:
        s.wait(0.01, 0.5)
        s.command(opcode, parameters, status if opcode >= refused and opcode != 0x2008 else 0, event=0x0E)
    s.wait(1, 20)
    s.scan()


@failing('link', 'command-failed', 'host')
def advertising_parameters_refused(s):
    """The intervals are 0."""
    _advertising(s, 0x2006, 0x12)


@failing('link', 'command-failed', 'controller')
def advertising_refused(s):
    _advertising(s, 0x200A, 0x0C)


@each([('channel_not_supported', 2), ('channel_without_resources', 4), ('channel_without_authentication', 5)],
      'link', 'l2cap-channel-refused', 'peer')
def _(s, result):
    s.begin()
    s.channel(result=result)
    s.wait(1, 3)
    s.ends(0x16)
