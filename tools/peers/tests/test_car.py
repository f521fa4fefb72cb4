"""The car and the phone against each other without a radio, and the car against bad phones."""

import asyncio
import unittest

from peers.uqdk import security
from peers.uqdk.car import BAD_PROOFS_MAX, Car, Key
from peers.uqdk.fragments import split
from peers.uqdk.messages import Command, Kind, Message, Status, VehicleState
from peers.uqdk.phone import Phone, PhoneError

KEY, OTHER_KEY = bytes(range(16)), bytes(range(16, 32))
KEY_ID, OTHER_ID = bytes.fromhex("1122334455667788"), bytes.fromhex("99aabbccddeeff00")
VALUE_LENGTH = 20
ALL_DOORS = b"\xff"
LIMIT = 60.0  # seconds that an answer may take; it comes at once


class Bench:
    """A car with one phone linked to it; time stands until a test moves it."""

    def __init__(self, **options):
        self.now = 1000.0
        self.codes = [f"{number:06d}" for number in range(9, 0, -1)]
        keys = {KEY_ID: Key(KEY), OTHER_ID: Key(OTHER_KEY)}
        self.car = Car(keys, clock=lambda: self.now, make_code=self.codes.pop, **options)
        self.connect()

    def connect(self, key_id: bytes = KEY_ID, key: bytes = KEY) -> None:
        sent: list[bytes] = []  # what the car notified on this link

        async def write(value: bytes) -> None:
            self.car.received(link, value)

        def notified(value: bytes) -> None:
            sent.append(value)
            asyncio.get_running_loop().call_soon(phone.received, value)

        link = self.car.connected(notified, lambda: VALUE_LENGTH)
        phone = Phone(key_id, key, write, VALUE_LENGTH, command_seconds=LIMIT, clock=lambda: self.now)
        self.link, self.phone, self.sent = link, phone, sent

    def reconnect(self, *key) -> None:
        self.car.disconnected(self.link)
        self.connect(*key)

    async def activate(self) -> Status:
        status, _ = await self.phone.activate(self.car.pairing_code or "000000")
        return status

    async def ready(self) -> "Bench":
        """Activated and authenticated."""
        self.car.open_pairing_window()
        assert await self.activate() == Status.SUCCESS
        assert await self.phone.authenticate() == Status.SUCCESS
        assert (await self.phone.events.get())[0] == Command.PROXIMITY_EVENT
        return self

    async def status(self, command: Command, body: bytes = b"") -> Status:
        return (await self.phone.request(command, body))[0]

    async def raw(self, octets: bytes, message_id: int = 0x50) -> tuple[bool, bytes]:
        return await self.phone.exchange(message_id, octets)


class ActivationTests(unittest.IsolatedAsyncioTestCase):
    async def test_only_while_the_window_is_open(self):
        bench = Bench()
        self.assertEqual(await bench.activate(), Status.REFUSED_IN_THIS_STATE)
        bench.car.open_pairing_window()
        self.assertEqual(await bench.activate(), Status.SUCCESS)

    async def test_a_repeat_gives_the_same_slot_and_another_key_the_next(self):
        bench = Bench()
        bench.car.open_pairing_window()
        code = bench.car.pairing_code
        self.assertEqual(await bench.phone.activate(code), (Status.SUCCESS, b"\0"))
        self.assertEqual(await bench.phone.activate(code), (Status.SUCCESS, b"\0"))
        bench.connect(OTHER_ID, OTHER_KEY)
        self.assertEqual(await bench.phone.activate(code), (Status.SUCCESS, b"\1"))

    async def test_no_slot_is_left(self):
        bench = Bench(slots=1)
        bench.car.open_pairing_window()
        self.assertEqual(await bench.activate(), Status.SUCCESS)
        self.assertTrue(bench.car.is_full)
        bench.connect(OTHER_ID, OTHER_KEY)
        self.assertEqual(await bench.activate(), Status.REFUSED_IN_THIS_STATE)

    async def test_an_unknown_and_a_revoked_key(self):
        bench = await Bench().ready()
        bench.car.keys[KEY_ID].is_revoked = True
        self.assertEqual(await bench.activate(), Status.KEY_REVOKED_OR_EXPIRED)
        bench.connect(bytes(8), KEY)
        self.assertEqual(await bench.activate(), Status.KEY_REVOKED_OR_EXPIRED)

    async def test_a_code_lives_until_the_connection_that_used_it_ends(self):
        bench = Bench()
        bench.car.open_pairing_window()
        code = bench.car.pairing_code
        bench.reconnect()
        self.assertEqual(bench.car.pairing_code, code)  # it was not used
        await bench.phone.activate("999999")
        self.assertEqual(bench.car.pairing_code, code)
        bench.reconnect()
        self.assertNotEqual(bench.car.pairing_code, code)
        self.assertEqual(await bench.activate(), Status.SUCCESS)
        bench.reconnect()
        self.assertIsNone(bench.car.pairing_code)


class AuthenticationTests(unittest.IsolatedAsyncioTestCase):
    async def test_a_counter_must_grow(self):
        bench = await Bench().ready()
        self.assertEqual(await bench.phone.authenticate(1), Status.COUNTER_REPLAYED)
        self.assertEqual(await bench.phone.authenticate(2), Status.SUCCESS)

    async def test_five_bad_proofs_lock_the_key_for_a_minute(self):
        bench = await Bench().ready()
        bench.phone.key = OTHER_KEY
        bench.car.keys[KEY_ID].secret = KEY
        for _ in range(BAD_PROOFS_MAX):
            self.assertEqual(await self._bad_finish(bench), Status.BAD_PROOF)
        bench.phone.key = KEY
        self.assertEqual(await bench.phone.authenticate(9), Status.KEY_LOCKED_OUT)
        bench.now += 59.9
        self.assertEqual(await bench.phone.authenticate(9), Status.KEY_LOCKED_OUT)
        bench.now += 0.2
        self.assertEqual(await bench.phone.authenticate(9), Status.SUCCESS)

    async def test_a_good_proof_starts_the_row_anew(self):
        bench = await Bench().ready()
        for counter in (10, 11):
            for _ in range(BAD_PROOFS_MAX - 1):
                self.assertEqual(await self._bad_finish(bench), Status.BAD_PROOF)
            self.assertEqual(await bench.phone.authenticate(counter), Status.SUCCESS)

    async def test_a_nonce_is_good_once(self):
        bench = await Bench().ready()
        begun = KEY_ID + bytes(16)
        self.assertEqual(await bench.status(Command.AUTH_BEGIN, begun), Status.SUCCESS)
        finish = bytes(12)
        self.assertEqual(await bench.status(Command.AUTH_FINISH, finish), Status.BAD_PROOF)
        status = await bench.status(Command.AUTH_FINISH, finish)
        self.assertEqual(status, Status.AUTHENTICATION_REQUIRED)

    async def test_the_old_session_stands_until_the_new_one_does(self):
        bench = await Bench().ready()
        begun = KEY_ID + bytes(16)
        self.assertEqual(await bench.status(Command.AUTH_BEGIN, begun), Status.SUCCESS)
        self.assertEqual(await bench.status(Command.STATUS_QUERY), Status.SUCCESS)

    async def test_a_false_car_is_found_out(self):
        bench = await Bench().ready()
        bench.car.keys[KEY_ID].secret = OTHER_KEY
        with self.assertRaises(PhoneError):
            await bench.phone.authenticate()

    async def _bad_finish(self, bench: Bench) -> Status:
        await bench.status(Command.AUTH_BEGIN, KEY_ID + bytes(16))
        return await bench.status(Command.AUTH_FINISH, bytes(12))


class SessionTests(unittest.IsolatedAsyncioTestCase):
    async def test_every_command_and_what_it_does(self):
        bench = await Bench().ready()
        state = bench.car.vehicle.state
        self.assertEqual(await bench.status(Command.DOOR_UNLOCK, ALL_DOORS), Status.SUCCESS)
        command, body = await bench.phone.events.get()
        self.assertEqual(command, Command.STATUS_EVENT)
        self.assertEqual(VehicleState.decode(body).doors_locked, 0)
        steps = [
            (Command.DOOR_LOCK, b"\x03", Status.SUCCESS),
            (Command.ENGINE_START, b"\x0a", Status.SUCCESS),
            (Command.ENGINE_START, b"\x0a", Status.REFUSED_IN_THIS_STATE),
            (Command.ENGINE_STOP, b"", Status.SUCCESS),
            (Command.TRUNK_OPEN, b"", Status.SUCCESS),
            (Command.ENGINE_START, b"\x0a", Status.REFUSED_IN_THIS_STATE),
            (Command.DOOR_LOCK, ALL_DOORS, Status.REFUSED_IN_THIS_STATE),
            (Command.FIND_VEHICLE, b"\x05\x03", Status.SUCCESS),
            (Command.FIND_VEHICLE, b"\x05\x04", Status.BAD_MESSAGE),
            (Command.WINDOW_SET, b"\x01\x64", Status.SUCCESS),
            (Command.WINDOW_SET, b"\x01\x00", Status.BUSY),
            (Command.WINDOW_SET, b"\x01\x65", Status.BAD_MESSAGE),
            (Command.DOOR_UNLOCK, b"", Status.BAD_MESSAGE),
            (Command.DOOR_UNLOCK, b"\x20", Status.BAD_MESSAGE),
            (Command.STATUS_EVENT, b"", Status.UNSUPPORTED_COMMAND),
            (0x0299, b"", Status.UNSUPPORTED_COMMAND),
            (0x0103, b"", Status.UNSUPPORTED_COMMAND),
        ]
        for command, body, expected in steps:
            with self.subTest(f"{command:#06x} {body.hex()}"):
                self.assertEqual(await bench.status(command, body), expected)
        self.assertEqual((state.doors_locked, state.doors_open, state.engine), (3, 0x10, 0))
        bench.now += 1.1
        self.assertEqual(await bench.status(Command.WINDOW_SET, b"\x01\x00"), Status.SUCCESS)
        status, body = await bench.phone.request(Command.STATUS_QUERY)
        self.assertEqual((status, VehicleState.decode(body)), (Status.SUCCESS, state))
        events = [bench.phone.events.get_nowait()[0] for _ in range(bench.phone.events.qsize())]
        self.assertIn(Command.FAULT_EVENT, events)

    async def test_nothing_secured_without_a_session(self):
        bench = Bench()
        for command in (Command.DOOR_UNLOCK, Command.STATUS_QUERY, 0x0FFF):
            self.assertEqual(await bench.status(command), Status.AUTHENTICATION_REQUIRED)

    async def test_an_unsecured_command_in_a_session(self):
        bench = await Bench().ready()
        octets = Message(Kind.REQUEST, Command.DOOR_UNLOCK, ALL_DOORS).encode()
        answer = await bench.raw(octets)
        self.assertEqual(answer, (False, bytes([Status.AUTHENTICATION_REQUIRED])))
        self.assertEqual(bench.car.vehicle.state.doors_locked, 0x1F)

    async def test_the_lifetime_ends(self):
        bench = await Bench(lifetime=10).ready()
        bench.now += 10
        status = await bench.status(Command.STATUS_QUERY)
        self.assertEqual(status, Status.AUTHENTICATION_REQUIRED)
        self.assertIsNone(bench.phone.session)
        self.assertEqual(await bench.phone.authenticate(), Status.SUCCESS)

    async def test_a_replayed_counter_and_a_wrong_tag(self):
        bench = await Bench().ready()
        plain = Message(Kind.REQUEST, Command.DOOR_UNLOCK, ALL_DOORS)
        sealed = plain.sealed(bench.phone.session, 0x50).encode()
        self.assertEqual(await bench.raw(sealed), (True, bytes([Status.SUCCESS])))
        bench.now += 3  # the finished message is forgotten
        self.assertEqual(await bench.raw(sealed), (True, bytes([Status.COUNTER_REPLAYED])))
        bench.now += 3
        sealed = plain.sealed(bench.phone.session, 0x50)
        wrong = sealed.payload[:-1] + bytes([sealed.payload[-1] ^ 1])
        octets = Message(Kind.REQUEST, Command.DOOR_UNLOCK, wrong, True).encode()
        self.assertEqual(await bench.raw(octets), (False, bytes([Status.BAD_MESSAGE])))
        self.assertEqual(await bench.raw(sealed.encode()), (True, bytes([Status.SUCCESS])))

    async def test_the_counters_end(self):
        bench = await Bench().ready()
        bench.phone.session.sent = security.COUNTER_MAX - 1
        self.assertEqual(await bench.status(Command.STATUS_QUERY), Status.SUCCESS)
        bench.phone.session.sent = 5
        status = await bench.status(Command.STATUS_QUERY)
        self.assertEqual(status, Status.AUTHENTICATION_REQUIRED)

    async def test_events_only_to_links_with_a_session(self):
        bench = await Bench().ready()
        bench.connect()  # a second link
        bench.car.send_event(Command.FAULT_EVENT, b"\0\1\0")
        self.assertEqual(bench.sent, [])


class BadMessageTests(unittest.IsolatedAsyncioTestCase):
    async def test_each_broken_message_is_answered_with_bad_message(self):
        bench = Bench()
        good = Message(Kind.REQUEST, Command.ACTIVATE, bytes(16)).encode()
        broken = [good[:length] for length in range(len(good))]
        broken += [good[:i] + bytes([good[i] ^ 0xFF]) + good[i + 1 :] for i in range(len(good))]
        broken += [
            good + b"\0",
            Message(Kind.RESPONSE, Command.ACTIVATE, bytes(16)).encode(),
            Message(Kind.EVENT, Command.STATUS_EVENT, bytes(10)).encode(),
            Message(Kind.REQUEST, Command.ACTIVATE, bytes(16), True).encode(),
        ]
        for octets in broken:
            bench.now += 3
            with self.subTest(octets.hex()):
                self.assertEqual(await bench.raw(octets), (False, bytes([Status.BAD_MESSAGE])))

    async def test_a_gap_is_answered_once_and_a_missing_end_after_two_seconds(self):
        bench = Bench()
        first, second = split(1, Message(Kind.REQUEST, Command.ACTIVATE, bytes(16)).encode(), 20)
        gap = bytes([second[0], second[1] + 1]) + second[2:]
        exchange = bench.phone.exchange_fragments
        self.assertEqual(await exchange(1, [first, gap, second]), (False, bytes([7])))
        self.assertEqual(len(bench.sent), 1)
        bench.car.received(bench.link, bytes([2]) + first[1:])
        bench.now += 1.9
        bench.car.tick()
        self.assertEqual(len(bench.sent), 1)
        bench.now += 0.2
        bench.car.tick()
        self.assertEqual(bench.sent[1][-3], Status.TIMED_OUT)
        bench.car.tick()
        self.assertEqual(len(bench.sent), 2)

    async def test_repeats_are_ignored_and_messages_interleave(self):
        bench = Bench()
        octets = Message(Kind.REQUEST, Command.ACTIVATE, bytes(16)).encode()
        one, two = split(1, octets, 20), split(2, octets, 20)
        for fragment in [one[0], one[0], two[0], one[1], one[1], two[1], two[1], one[1]]:
            bench.car.received(bench.link, fragment)
        self.assertEqual([fragment[0] for fragment in bench.sent], [1, 2])

    async def test_a_start_on_an_open_id_ends_the_old_message_and_begins_a_new_one(self):
        bench = Bench()
        long = split(1, Message(Kind.REQUEST, Command.ACTIVATE, bytes(16)).encode(), 20)
        short = split(1, Message(Kind.REQUEST, Command.STATUS_QUERY, b"").encode(), 20)
        for fragment in [long[0], *short]:
            bench.car.received(bench.link, fragment)
        statuses = [fragment[-3] for fragment in bench.sent]
        self.assertEqual(statuses, [Status.BAD_MESSAGE, Status.AUTHENTICATION_REQUIRED])


if __name__ == "__main__":
    unittest.main()
