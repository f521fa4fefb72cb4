"""The phone's sessions with the car."""

import argparse
import asyncio
import contextlib
import json
import pathlib
import time
from collections.abc import AsyncIterator

from bleak import BleakClient

from ..uqdk.fragments import split
from ..uqdk.messages import Command, Kind, Message, Status, VehicleState
from ..uqdk.phone import Phone
from . import central
from .central import expect, say

COMPANY = 0xFFFF
COMMAND = "5551444b-0002-4449-4749-54414c4b4559"
EVENT = "5551444b-0003-4449-4749-54414c4b4559"
INFO = "5551444b-0004-4449-4749-54414c4b4559"
ATT_MTU_DEFAULT = 23
SUCCESS = Status.SUCCESS
REMEMBERED_SECONDS = 3.0
FRONT_LEFT, ALL = b"\x01", b"\xff"


class Visit:
    """One connection of the phone to the car."""

    def __init__(self, client: BleakClient, phone: Phone):
        self.client = client
        self.phone = phone

    async def request(self, command: Command, body: bytes, expected: Status) -> bytes:
        status, answer = await self.phone.request(command, body)
        expect(f"{command.name} {body.hex()}".strip(), status.name, expected.name)
        return answer

    async def event(self, expected: Command) -> bytes:
        event = self.phone.events.get()
        command, body = await asyncio.wait_for(event, central.ANSWER_SECONDS)
        expect("event", command.name, expected.name)
        say(f"  {body.hex()}")
        return body

    async def state_event(self) -> VehicleState:
        return VehicleState.decode(await self.event(Command.STATUS_EVENT))

    async def authenticate(self, expected: Status, auth_counter: int | None = None) -> None:
        status = await self.phone.authenticate(auth_counter)
        expect("authentication", status.name, expected.name)
        if status == SUCCESS:
            await self.event(Command.PROXIMITY_EVENT)

    async def bad_proof(self, expected: Status) -> None:
        await self.phone.request(Command.AUTH_BEGIN, self.phone.key_id + bytes(16))
        status, _ = await self.phone.request(Command.AUTH_FINISH, bytes(12))
        expect("a bad proof", status.name, expected.name)

    async def broken_message(self, octets: bytes, message_id: int) -> None:
        """Octets that are no message are answered with "bad message", unsecured."""
        _, answer = await self.phone.exchange(message_id, octets)
        expect(f"broken message {octets.hex()}", answer, bytes([Status.BAD_MESSAGE]))


@contextlib.asynccontextmanager
async def visit(options, auth_counter: int) -> AsyncIterator[Visit]:
    """Finds the car by the MAC in its manufacturer data, connects, reads Info and subscribes."""
    mac = bytes.fromhex(options.mac.replace(":", ""))

    def is_the_car(_device, advertisement) -> bool:
        return advertisement.manufacturer_data.get(COMPANY, b"")[3:] == mac

    if options.transport:
        from . import bumble_client

        link = bumble_client.connected(is_the_car, options.transport, central.SCAN_SECONDS)
    else:
        link = central.connected(is_the_car)
    async with link as client:
        info = bytes(await client.read_gatt_char(INFO))
        expect("info: version and message size", info[:3], b"\x01\x10\x00")

        async def write(value: bytes) -> None:
            await client.write_gatt_char(COMMAND, value, response=options.with_response)

        key = options.key
        phone = Phone(
            key_id=bytes.fromhex(key["keyId"]),
            key=bytes.fromhex(key["key"]),
            write=write,
            value_length=options.att_mtu - 3,
            auth_counter=auth_counter,
            command_seconds=central.ANSWER_SECONDS,
            clock=lambda: time.monotonic() / options.slower,
            log=say,
        )
        if options.nonce:
            phone.make_nonce = lambda: options.nonce.pop(0)
        await client.start_notify(EVENT, lambda _, value: phone.received(bytes(value)))
        yield Visit(client, phone)


async def unlock(options) -> None:
    """Activation, authentication, status, unlock, refusals, a bad message, disconnection."""
    async with visit(options, auth_counter=6) as car:
        await car.request(Command.STATUS_QUERY, b"", Status.AUTHENTICATION_REQUIRED)
        status, _ = await car.phone.activate("000000")
        expect("activation with a wrong code", status.name, Status.BAD_PROOF.name)
        status, slot = await car.phone.activate(options.key["pairingCode"])
        expect("activation", status.name, SUCCESS.name)
        expect("slot", slot, b"\x00")
        await car.authenticate(SUCCESS)
        state = VehicleState.decode(await car.request(Command.STATUS_QUERY, b"", SUCCESS))
        expect("locked doors", state.doors_locked, 0x1F)
        if options.wrong:
            return await _wrong(car, options.wrong)
        await car.request(Command.DOOR_UNLOCK, ALL, SUCCESS)
        expect("locked doors", (await car.state_event()).doors_locked, 0x00)
        await car.request(Command.TRUNK_OPEN, b"", SUCCESS)
        expect("open doors", (await car.state_event()).doors_open, 0x10)
        await car.request(Command.ENGINE_START, b"\x0a", Status.REFUSED_IN_THIS_STATE)
        message = Message(Kind.REQUEST, Command.STATUS_QUERY, b"").encode()
        await car.broken_message(message[:-1] + bytes([message[-1] ^ 0xFF]), 0x40)
        await car.request(Command.DOOR_LOCK, FRONT_LEFT, SUCCESS)
        expect("locked doors", (await car.state_event()).doors_locked, 0x01)
        while options.stay and not options.stay.exists():
            await asyncio.sleep(0.1)


async def _wrong(car: Visit, kind: str) -> None:
    """What a changed application does where the recorded one unlocked all doors."""
    if kind == "command":
        await car.request(Command.DOOR_LOCK, ALL, SUCCESS)
    elif kind == "order":
        await car.request(Command.TRUNK_OPEN, b"", SUCCESS)
    else:
        await car.request(Command.DOOR_UNLOCK, FRONT_LEFT, SUCCESS)


async def refusals(options) -> None:
    """Every status that a car can answer with, on two connections, with writes without response."""
    options.with_response = False
    async with visit(options, auth_counter=6) as car:
        known, car.phone.key_id = car.phone.key_id, bytes(8)
        status, _ = await car.phone.activate(options.key["pairingCode"])
        expect("activation of an unknown key", status.name, Status.KEY_REVOKED_OR_EXPIRED.name)
        car.phone.key_id = known
        status, _ = await car.phone.activate(options.key["pairingCode"])
        expect("activation", status.name, SUCCESS.name)
        await car.authenticate(SUCCESS)
        await car.authenticate(Status.COUNTER_REPLAYED, auth_counter=7)
        await _refused_commands(car)
        await _broken_fragments(car)
        await _replay_and_forgery(car)
        for _ in range(5):
            await car.bad_proof(Status.BAD_PROOF)
        await car.authenticate(Status.KEY_LOCKED_OUT)
    async with visit(options, auth_counter=8) as car:
        await car.authenticate(Status.KEY_LOCKED_OUT)


async def _refused_commands(car: Visit) -> None:
    await car.request(Command.WINDOW_SET, b"\x0f\x32", SUCCESS)
    await car.request(Command.WINDOW_SET, b"\x0f\x00", Status.BUSY)
    await car.request(Command.DOOR_UNLOCK, b"\x20", Status.BAD_MESSAGE)
    await car.request(Command.STATUS_EVENT, b"", Status.UNSUPPORTED_COMMAND)
    await car.request(Command.TRUNK_OPEN, b"", SUCCESS)
    await car.state_event()
    await car.request(Command.DOOR_LOCK, ALL, Status.REFUSED_IN_THIS_STATE)
    await car.event(Command.FAULT_EVENT)
    unsecured = Message(Kind.REQUEST, Command.DOOR_UNLOCK, ALL).encode()
    _, answer = await car.phone.exchange(0x40, unsecured)
    expect("an unsecured unlock", answer, bytes([Status.AUTHENTICATION_REQUIRED]))


async def _broken_fragments(car: Visit) -> None:
    request = Message(Kind.REQUEST, Command.ACTIVATE, bytes(16)).encode()
    first, last = split(0x41, request, car.phone.value_length)
    gap = bytes([last[0], last[1] + 1]) + last[2:]
    _, answer = await car.phone.exchange_fragments(0x41, [first, gap])
    expect("a gap", answer, bytes([Status.BAD_MESSAGE]))
    unfinished = bytes([0x42]) + first[1:]
    _, answer = await car.phone.exchange_fragments(0x42, [unfinished])
    expect("no last fragment", answer, bytes([Status.TIMED_OUT]))
    query = Message(Kind.REQUEST, Command.FIND_VEHICLE, b"\x02\x02")
    first, last = split(0x43, query.sealed(car.phone.session, 0x43).encode(), car.phone.value_length)
    _, answer = await car.phone.exchange_fragments(0x43, [first, first, last, last])
    expect("repeated fragments", answer, bytes([SUCCESS]))


async def _replay_and_forgery(car: Visit) -> None:
    query = Message(Kind.REQUEST, Command.STATUS_QUERY, b"")
    sealed = query.sealed(car.phone.session, 0x44).encode()
    _, answer = await car.phone.exchange(0x44, sealed)
    expect("status", answer[:1], bytes([SUCCESS]))
    await asyncio.sleep(REMEMBERED_SECONDS)  # until then the car takes it for a repeated fragment
    _, answer = await car.phone.exchange(0x44, sealed)
    expect("the same once more", answer, bytes([Status.COUNTER_REPLAYED]))
    sealed = query.sealed(car.phone.session, 0x45)
    forged = sealed.payload[:-1] + bytes([sealed.payload[-1] ^ 0xFF])
    message = Message(Kind.REQUEST, Command.STATUS_QUERY, forged, True).encode()
    _, answer = await car.phone.exchange(0x45, message)
    expect("a wrong tag", answer, bytes([Status.BAD_MESSAGE]))


SESSIONS = {"uqdk-unlock": unlock, "uqdk-refusals": refusals}


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers.clients uqdk-…")
    parser.add_argument("--mac", default="02:55:51:00:00:01")
    parser.add_argument("--keys", type=pathlib.Path, required=True)
    parser.add_argument("--att-mtu", type=int, default=ATT_MTU_DEFAULT)
    parser.add_argument("--transport", help="run on Bumble's host, over this transport (default: bleak)")
    parser.add_argument(
        "--nonce", action="append", default=[], type=bytes.fromhex,
        help="take these nonces, in order, and not random ones; may be given several times")
    parser.add_argument(
        "--wrong", choices=["command", "order", "value"], help="make a mistake, to see it found")
    parser.add_argument("--stay", type=pathlib.Path, help="stay connected until this file is there")
    parser.add_argument(
        "--slower", type=float, default=1, help="how many times slower the phone's clock goes")
    options = parser.parse_args(arguments)
    options.with_response = True
    options.key = json.loads(options.keys.read_text())["uqdk"][0]
    return options
