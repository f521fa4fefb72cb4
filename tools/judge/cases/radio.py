"""Sessions made so that what failed in them, and on which side, is known.

docs/verdict.md lists the faults and says what a side is. Each is made from a seed: addresses, handles, times,
attributes and the amount of traffic differ, the fault stays. `judge faults` compares the verdict with it.
"""

import struct

from judge import octets as o
from judge.session import BLE_CREATE_CANCEL, CREATE_CONNECTION, DISCONNECT, LTK_NEGATIVE_REPLY

FAILING = {}


def failing(layer, code, side, name=None):
    """A fault whose first failure has this code and side (None: the log does not tell)."""
    def keep(make):
        FAILING[name or make.__name__] = (layer, code, side, make)
        return make
    return keep


def each(table, layer, code, side):
    """One fault for each row of `table`: a name and what the maker is given."""
    def keep(make):
        for name, *given in table:
            failing(layer, code, side, name)(lambda session, given=given: make(session, *given))
        return make
    return keep


# Radio

@each([('link_lost', 0x08), ('link_layer_silent', 0x22)], 'radio', 'abnormal-disconnection', 'link')
def _(s, reason):
    s.normal()
    s.wait(2, 8)
    s.ends(reason)


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


@failing('radio', 'connection-given-up', 'link')
def out_of_reach(s):
    s.scan()
    s.ask()
    s.wait(5, 30)
    s.command(BLE_CREATE_CANCEL, event=0x0E)
    s.event(o.connection_complete(0, s.peer, 0, 1, status=2))


@failing('radio', 'connection-failed', 'link')
def page_timeout(s):
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


# Link: one of the two, or the host's controller, ends or refuses a connection

@each([('hung_up_in_discovery', 0x13), ('low_resources_in_discovery', 0x14),
       ('power_off_in_discovery', 0x15)], 'link', 'no-response', 'peer')
def _(s, reason):
    s.scan()
    s.connects()
    s.exchange(o.exchange_mtu_request(185), o.exchange_mtu_response(23))
    s.say('tx', o.read_by_group_type_request(1, 0xFFFF))
    s.wait(0.01, 0.9)
    s.ends(reason)


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


@each([('instant_passed', 0x28), ('unacceptable_parameters', 0x3B), ('unspecified', 0x1F)],
      'link', 'abnormal-disconnection', None)
def _(s, reason):
    s.normal()
    s.ends(reason)


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


# Pairing and encryption

@each([('wrong_passkey', 'rx', 4), ('pairing_not_supported', 'rx', 5), ('pairing_requirements', 'rx', 3),
       ('numeric_refused', 'rx', 12), ('repeated_attempts', 'rx', 9)],
      'pairing', 'pairing-failed', 'peer')
@each([('host_refuses_pairing', 'tx', 8), ('host_wrong_confirm', 'tx', 4)],
      'pairing', 'pairing-failed', 'host')
def _(s, direction, reason):
    s.begin()
    s.pairing(1 if reason in (3, 5, 8) else 6)
    s.smp(s.handle, direction, bytes([5, reason]))
    s.wait(0.1)
    s.ends(0x13 if direction == 'rx' else 0x16)


@failing('pairing', 'pairing-unanswered', 'peer')
def pairing_stops(s):
    s.begin()
    s.pairing(3)
    s.wait(31, 40)
    s.say('tx', o.write_command(s.writable[0], s.value()))


@failing('pairing', 'pairing-unfinished', 'peer')
def peer_leaves_pairing(s):
    s.begin()
    s.pairing(s.random.choice([1, 3]))
    s.wait(1, 4)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', 'peer')
def bond_lost_at_peer(s):
    s.scan()
    s.connects()
    s.encrypts(0x06)
    s.wait(0.2)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', 'host')
def bond_lost_at_host(s):
    """The recorded device is the peripheral, and no longer has the key that the central asks for."""
    s.connect(s.handle, s.peer, role=1, peer_type=1)
    s.event(o.event(0x3E, b'\5' + struct.pack('<H', s.handle) + bytes(10)))
    s.command(LTK_NEGATIVE_REPLY, struct.pack('<H', s.handle), event=None)
    s.event(o.command_complete(LTK_NEGATIVE_REPLY, b'\0' + struct.pack('<H', s.handle)))
    s.wait(0.1, 0.5)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', None)
def encryption_refused(s):
    s.normal()
    s.encrypts(0x1F)


@failing('pairing', 'abnormal-disconnection', None)
def mic_failure(s):
    s.begin()
    s.encrypts()
    s.talk()
    s.ends(0x3D)


# ATT and GATT

@each([('read_not_permitted', o.read_request, 0x02), ('write_not_permitted', o.write_request, 0x03),
       ('insufficient_authentication', o.write_request, 0x05), ('wrong_length', o.write_request, 0x0D),
       ('insufficient_encryption', o.read_request, 0x0F), ('busy', o.write_request, 0xFE),
       ('database_changed', o.read_request, 0x12), ('application_error', o.write_request, 0x80)],
      'att', 'att-error', 'peer')
def _(s, request, code):
    s.normal()
    handle = s.writable.pop()
    s.refused(request(handle) if request is o.read_request else request(handle, s.value()), code)
    s.talk(0, 4)
    s.ends(0x16)


@failing('att', 'att-timeout', 'peer')
def request_times_out(s):
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(31, 60)
    s.say('rx', o.notification(s.notifying, s.value()))


@failing('att', 'att-timeout', 'host')
def indication_not_confirmed(s):
    s.normal()
    s.say('rx', o.indication(s.notifying, s.value()))
    s.wait(31, 60)
    s.say('tx', o.write_command(s.writable[0], s.value()))


@failing('att', 'att-error', 'host')
def host_refuses(s):
    s.normal()
    s.exchange(o.write_request(3, s.value()), o.error_response(0x12, 3, 0x01), asker='rx')
    s.ends(0x13)


@failing('att', 'att-error', 'peer')
def subscription_refused(s):
    s.begin()
    s.refused(o.write_request(s.notifying + 1, b'\1\0'), 0x05)
    s.ends(0x16)
