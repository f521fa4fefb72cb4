"""Faults of the digital-key protocol, UQDK reference format 1."""

from functools import partial

from judge import octets as o
from judge.cases import registry
from judge.key_session import CarSession, KeySession
from peers.uqdk import security
from peers.uqdk.fragments import split
from peers.uqdk.messages import Command, Kind, Message, Status

failing = partial(registry.failing, 'key', session=KeySession)
SECOND_US = 1_000_000


def subscribed(s):
    s.begin()
    s.subscribe()


@failing('uqdk.status', 'peer', keyed=('uqdk.proof.wrong', 'host'))
def wrong_key(s):
    subscribed(s)
    s.phone_key = s.random.randbytes(16)
    s.authenticate()
    s.ends(0x16)


@failing('uqdk.status', 'peer', keyed=('uqdk.proof.wrong', 'host'))
def wrong_pairing_code(s):
    subscribed(s)
    s.activate(f'{(int(s.car.pairing_code) + 1) % 1_000_000:06d}')
    s.ends(0x16)


@failing(keyed=('uqdk.proof.wrong', 'peer'))
def wrong_vehicle(s):
    """A car that does not have the key, and a phone that notices and leaves."""
    subscribed(s)
    s.car.keys[s.key_id].secret = s.random.randbytes(16)
    s.auth_begin()
    s.ends(0x16)


@failing('uqdk.status', 'peer')
def stale_auth_counter(s):
    subscribed(s)
    s.car.keys[s.key_id].counter = 5000
    s.authenticate()
    s.ends(0x16)


@failing('uqdk.counter.auth-replayed', 'host')
def auth_counter_repeated(s):
    s.visit()
    s.drives()
    s.ends(0x16)
    s.wait(1, 20)
    subscribed(s)
    s.authenticate(s.auth_counter)
    s.ends(0x16)


@failing('uqdk.status', 'peer')
def key_revoked(s):
    subscribed(s)
    s.car.keys[s.key_id].is_revoked = True
    s.auth_begin()
    s.ends(0x16)


@failing('uqdk.status', 'peer')
def key_locked_out(s):
    subscribed(s)
    s.car.keys[s.key_id].locked_until = s.now_us / SECOND_US + 50
    s.auth_begin()
    s.ends(0x16)


@failing('uqdk.status', 'peer')
def window_closed(s):
    subscribed(s)
    code = s.car.pairing_code
    s.car.close_pairing_window()
    s.activate(code)
    s.ends(0x16)


@failing('uqdk.status', 'peer')
def no_free_slot(s):
    subscribed(s)
    s.car.slots = 0
    s.car.keys[s.key_id].slot = None
    s.activate()
    s.ends(0x16)


@failing(keyed=('uqdk.status', 'peer'))
def refused_in_state(s):
    s.visit()
    s.car.vehicle.state.doors_open = 1
    s.request(Command.ENGINE_START, b'\x0a')
    s.ends(0x16)


@failing(keyed=('uqdk.status', 'peer'))
def windows_busy(s):
    s.visit()
    s.car.vehicle.window_seconds = 60
    s.request(Command.WINDOW_SET, b'\xff\x64')
    s.wait(0.5, 2)
    s.request(Command.WINDOW_SET, b'\xff\x00')
    s.ends(0x16)


@failing('uqdk.message.command', 'host')
def unknown_command(s):
    s.visit()
    s.request(0x02F0, b'\1')
    s.ends(0x16)


@failing('uqdk.counter.replayed', 'host')
def message_counter_repeated(s):
    s.visit()
    s.drives()
    s.session.sent -= 1
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.ends(0x16)


@failing('uqdk.session.unsecured-response', 'host', keyed=('uqdk.tag.wrong', 'host'))
def wrong_session_key(s):
    """The car can't open the command, and says in clear that it is a bad message."""
    s.visit()
    s.session.key = s.random.randbytes(16)
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.ends(0x16)


@failing(keyed=('uqdk.tag.wrong', 'peer'))
def wrong_tag_of_car(s):
    s.visit()
    s.link.session.key, key = s.random.randbytes(16), s.link.session.key
    s.link.session.open = security.Session(key, s.vehicle_nonce, security.CAR_TO_PHONE).open
    s.request(Command.STATUS_QUERY)
    s.ends(0x16)


@failing('uqdk.session.not-authenticated', 'host')
def never_authenticated(s):
    subscribed(s)
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.wait(6, 20)
    s.ends(0x16)


@failing('uqdk.session.expired', 'host')
def session_expired(s):
    s.visit()
    s.wait(301, 900)
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.ends(0x16)


@failing('uqdk.nonce.reused', 'host')
def nonce_repeated(s):
    s.visit()
    s.auth_finish()
    s.ends(0x16)


@failing('notifications-not-enabled', 'host')
def never_subscribed(s):
    s.begin()
    s.on_the_air = lambda fragment: None
    s.auth_begin()
    s.wait(6, 20)
    s.ends(0x16)


@failing('notifications-not-enabled', 'peer')
def event_subscription_refused(s):
    s.begin()
    s.on_the_air = lambda fragment: None
    s.refused(o.write_request(s.notifying + 1, b'\1\0'), s.random.choice([0x03, 0x05, 0x11]))
    s.auth_begin()
    s.wait(6, 20)
    s.ends(0x16)


@failing('uqdk.message.checksum', 'host')
def wrong_checksum(s):
    subscribed(s)
    message_id = s.take_id()
    octets = s.message(message_id, Command.AUTH_BEGIN, s.key_id + s.random.randbytes(16))
    s.send(octets[:-1] + bytes([octets[-1] ^ 0xFF]), message_id)
    s.ends(0x16)


@failing('uqdk.message.checksum', 'peer')
def wrong_checksum_of_car(s):
    subscribed(s)
    s.on_the_air = lambda fragment: (fragment[:-1] + bytes([fragment[-1] ^ 0xFF])
                                     if fragment[1] & 0x80 else fragment)
    s.auth_begin()
    s.ends(0x16)


@failing('uqdk.fragment.gap', 'host')
def fragment_missing(s):
    s.mtu = 23
    subscribed(s)
    message_id = s.take_id()
    octets = s.message(message_id, Command.AUTH_BEGIN, s.key_id + s.random.randbytes(16))
    for fragment in split(message_id, octets, s.mtu - 3)[1:]:
        s.write(fragment)
    s.ends(0x16)


@failing('uqdk.fragment.timeout', 'host')
def fragments_stop(s):
    """The phone stops within a message; the car says so after 2 s."""
    s.mtu = 23
    subscribed(s)
    s.write(split(1, s.message(1, Command.AUTH_BEGIN, s.key_id + s.random.randbytes(16)), s.mtu - 3)[0])
    s.wait(2.1, 3)
    s.car.tick()
    s.ends(0x16)


@failing('uqdk.request.timeout', 'peer')
def answer_lost(s):
    s.visit()
    s.drives()
    s.on_the_air = lambda fragment: None
    s.request(Command.STATUS_QUERY)
    s.wait(6, 20)
    s.ends(0x16)


@failing('uqdk.request.timeout', 'peer')
def answer_late(s):
    s.visit()

    def late(fragment):
        s.wait(0 if fragment[1] & 0x7F else 6, 9)
        return fragment
    s.on_the_air = late
    s.request(Command.STATUS_QUERY)
    s.ends(0x16)


@failing('uqdk.session.unsecured-response', 'peer')
def answer_in_clear(s):
    """A success in clear, which proves nothing: the phone goes on waiting."""
    s.visit()
    s.on_the_air = lambda fragment: None
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.on_the_air = lambda fragment: fragment
    success = Message(Kind.RESPONSE, Command.DOOR_UNLOCK, bytes([Status.SUCCESS]))
    for fragment in split(s.next_id, success.encode(), s.mtu - 3):
        s.hear(fragment)
    s.wait(6, 9)
    s.ends(0x16)


@failing('uqdk.request.unanswered', 'peer')
def car_hangs_up(s):
    s.visit()
    s.on_the_air = lambda fragment: None
    s.request(Command.DOOR_LOCK, b'\xff')
    s.wait(0.1, 4)
    s.ends(0x13)


@failing('abnormal-disconnection', 'link')
def link_lost_before_answer(s):
    s.visit()
    s.on_the_air = lambda fragment: None
    s.request(Command.DOOR_LOCK, b'\xff')
    s.wait(1, 4)
    s.ends(0x08)


@failing()
def leaves_before_answer(s):
    s.visit()
    s.on_the_air = lambda fragment: None
    s.request(Command.STATUS_QUERY)
    s.wait(0.01, 0.5)
    s.ends(0x16)


@failing('att-mtu-exceeded', 'host')
def longer_than_mtu(s):
    """A phone that fragments for an MTU that was never agreed on: the car's stack drops what is too long."""
    s.mtu = 23
    subscribed(s)
    message_id = s.take_id()
    octets = s.message(message_id, Command.AUTH_BEGIN, s.key_id + s.random.randbytes(16))
    s.say('tx', o.write_command(s.command_value, bytes([message_id, 0x80]) + octets))
    s.wait(6, 20)
    s.ends(0x16)


# Recorded at the car: what the phone does is the peer's

@registry.failing('key', 'uqdk.status', 'host', 'wrong_key_at_the_car', session=CarSession,
                  keyed=('uqdk.proof.wrong', 'peer'))
def _(s):
    wrong_key(s)


@registry.failing('key', 'uqdk.request.timeout', 'host', session=CarSession)
def car_never_answers(s):
    s.visit()
    s.on_the_air = lambda fragment: None
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.wait(6, 20)
    s.ends(0x13)


@registry.failing('key', 'uqdk.session.not-authenticated', 'peer', session=CarSession)
def phone_never_authenticates(s):
    subscribed(s)
    s.request(Command.DOOR_UNLOCK, b'\xff')
    s.wait(6, 20)
    s.ends(0x13)


@registry.failing('key', session=CarSession)
def phone_leaves_before_answer(s):
    s.visit()
    s.on_the_air = lambda fragment: None
    s.request(Command.STATUS_QUERY)
    s.wait(0.01, 0.5)
    s.ends(0x13)
