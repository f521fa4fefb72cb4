"""The sessions with the devices of the other systems."""

import argparse
import contextlib
import re

from bleak import BleakClient
from bleak.exc import BleakError

from .agent import agent
from .central import Notifications, connected, expect, say


def uuid(number: int) -> str:
    return f"0000{number:04x}-0000-1000-8000-00805f9b34fb"


def has_address(address: str):
    return lambda device, _: device.address == address


def has_name(name: str):
    return lambda device, advertisement: advertisement.local_name == name


def advertises(number: int):
    return lambda _, advertisement: uuid(number) in advertisement.service_uuids


async def refused(what: str, attempt, reason: str) -> None:
    """The attempt must end with an error whose text has `reason`."""
    try:
        await attempt
    except BleakError as error:
        if not re.search(reason, str(error)):
            raise
        say(f"{what}: refused, {error}")
        return
    expect(what, "accepted", "refused")


def speed_frame(number: int) -> bytes:
    return bytes.fromhex("AA031272") + bytes(divmod(number, 100)) + bytes.fromhex("01723055")


async def link_devices(_options) -> None:
    """Two devices at once, known by their MACs; on each the three calls that start the data."""
    data = uuid(0xFFE1)
    async with contextlib.AsyncExitStack() as stack:
        channels = []
        for channel, address in enumerate(["02:4C:4B:00:00:01", "02:4C:4B:00:00:02"]):
            client = await stack.enter_async_context(connected(has_address(address)))
            value = bytes(await client.read_gatt_char(data))
            expect(f"channel {channel} value", value, f"LINK {channel + 1}".encode())
            for descriptor in client.services.get_characteristic(data).descriptors:
                text = bytes(await client.read_gatt_descriptor(descriptor.handle))
                say(f"channel {channel} descriptor {descriptor.uuid[4:8]}: {text.hex(' ')}")
            channels.append((client, await stack.enter_async_context(Notifications(client, data))))
        for channel, number in [(0, 200), (1, 1000), (0, 0), (1, 999)]:
            await _set_speed(*channels[channel], number)
        client, notifications = channels[0]
        await client.write_gatt_char(data, speed_frame(1001), response=False)
        expect("speed 1001", await notifications.next(), b"ERR")


async def _set_speed(client: BleakClient, notifications: Notifications, number: int) -> None:
    await client.write_gatt_char(uuid(0xFFE1), speed_frame(number), response=True)
    expect(f"speed {number}", await notifications.next(), f"SPEED {number}".encode())


async def mobike(_options) -> None:
    """Reads, writes with response, a notification, writes that are too long."""
    max_level, min_level, avg_level = uuid(0xFFE1), uuid(0xFFE2), uuid(0xFFE3)
    async with connected(advertises(0xFF00)) as client:
        for name, level, octet in [
            ("max", max_level, 90),
            ("min", min_level, 10),
            ("avg", avg_level, 50),
        ]:
            expect(name, bytes(await client.read_gatt_char(level)), bytes([octet]))
        await client.write_gatt_char(min_level, b"\x14", response=True)
        expect("avg", bytes(await client.read_gatt_char(avg_level)), b"\x37")
        async with Notifications(client, max_level) as notifications:
            await client.write_gatt_char(min_level, b"\x5f", response=True)
            expect("max", await notifications.next(), b"\x5f")
        two = client.write_gatt_char(min_level, b"\x01\x02", response=True)
        await refused("a write of 2 octets", two, "(?i)length")
        long = client.write_gatt_char(min_level, bytes(30), response=True)
        await refused("a long write of 30 octets", long, "(?i)length")


async def band(_options) -> None:
    """The battery command, with and without response, a text, an unknown command."""
    answers, commands = uuid(0xFF01), uuid(0xFF02)
    battery = bytes.fromhex("1B9901")
    async with connected(has_name("MI")) as client:
        expect("text", bytes(await client.read_gatt_char(answers)).decode(), "MI 手环")
        async with Notifications(client, answers) as notifications:
            await client.write_gatt_char(commands, battery, response=False)
            expect("battery", await notifications.next(), bytes.fromhex("567B0629"))
            await client.write_gatt_char(commands, battery, response=True)
            expect("battery", await notifications.next(), bytes.fromhex("567B052A"))
            unknown = client.write_gatt_char(commands, bytes.fromhex("1B9902"), response=True)
            await refused("an unknown command", unknown, "0x80")
            expect("last command", bytes(await client.read_gatt_char(commands)).hex(), "1b9902")


async def clock(_options) -> None:
    """Three times, a value written and read in pieces, what may not be written or read."""
    time, value, fixed = uuid(0xFFF1), uuid(0xFFF2), uuid(0xFFF3)
    text = b"a value that is longer than one PDU can carry"
    async with connected(advertises(0xFFF0)) as client:
        descriptors = client.services.get_characteristic(value).descriptors
        description = [item for item in descriptors if item.uuid == uuid(0x2901)]
        read = await client.read_gatt_descriptor(description[0].handle)
        expect("user description", bytes(read), b"xmgDes1")
        expect("read only", bytes(await client.read_gatt_char(fixed)), b"read only")
        expect("value", bytes(await client.read_gatt_char(value)), b"xmg")
        await client.write_gatt_char(value, text, response=True)
        expect("value", bytes(await client.read_gatt_char(value)), text)
        too_long = client.write_gatt_char(value, bytes(65), response=True)
        await refused("a value of 65 octets", too_long, "(?i)length")
        await refused("a write of what is read only", write(client, fixed, b"x"), "(?i)permitted")
        async with Notifications(client, time) as notifications:
            for _ in range(3):
                now = await notifications.next()
                expect("time", bool(re.fullmatch(rb"\d\d(:\d\d){5}", now)), True)
                say(f"  {now.decode()}")


async def handle_reuse_before(_options) -> None:
    """The second device of the next session, discovered: its attributes are known from here on."""
    async with connected(advertises(0xFF00)) as client:
        expect("max", bytes(await client.read_gatt_char(uuid(0xFFE1))), b"\x5a")


async def handle_reuse(_options) -> None:
    """Two devices one after the other: the same handles, other attributes behind them."""
    async with connected(has_name("MI")) as client:
        async with Notifications(client, uuid(0xFF01)) as notifications:
            await client.write_gatt_char(uuid(0xFF02), bytes.fromhex("1B9901"), response=False)
            expect("battery", await notifications.next(), bytes.fromhex("567B0629"))
    # By its name: what bluetoothd shows of a device that it knows are its services, not its advertising.
    async with connected(has_name("Mobike")) as client:
        async with Notifications(client, uuid(0xFFE1)) as notifications:
            await write(client, uuid(0xFFE2), b"\x5f")
            expect("max", await notifications.next(), b"\x5f")


async def two_devices(_options) -> None:
    """Two links of one adapter at once, whose fragments take turns; other attributes at the handles."""
    data = uuid(0xFFE1)
    async with (
        connected(has_address("02:4C:4B:00:00:03")) as first,
        connected(has_address("02:4C:4B:00:00:04")) as second,
        Notifications(first, data) as first_data,
        Notifications(second, data) as second_data,
    ):
        expect("version", bytes(await second.read_gatt_char(uuid(0xFFE3))), b"1.0")
        for client, notifications in [(first, first_data), (second, second_data)]:
            await write(client, data, speed_frame(200))
            expect("speed 200", await notifications.next(), b"SPEED 200")
        for _ in range(3):
            for notifications in (first_data, second_data):
                expect("uploaded", len(await notifications.next()), 100)
        for client in (first, second):
            await write(client, data, speed_frame(0))


async def two_adapters(_options) -> None:
    """Two adapters with a link each: the same connection handle and attribute handles in both."""
    async with (
        connected(has_name("MI"), "hci0") as band_client,
        connected(advertises(0xFF00), "hci1") as mobike_client,
        Notifications(band_client, uuid(0xFF01)) as band_answers,
        Notifications(mobike_client, uuid(0xFFE1)) as levels,
    ):
        await band_client.write_gatt_char(uuid(0xFF02), bytes.fromhex("1B9901"), response=False)
        expect("battery", await band_answers.next(), bytes.fromhex("567B0629"))
        await write(mobike_client, uuid(0xFFE2), b"\x5f")
        expect("max", await levels.next(), b"\x5f")


async def bonding(_options) -> None:
    """Pairing, then a value that only an encrypted link gives."""
    async with agent(), connected(has_name("fob")) as client:
        await client.pair()
        say(f"paired with {client.address}")
        expect("secret", bytes(await client.read_gatt_char(uuid(0xFF51))), b"bonded")


async def bonded_reconnect(_options) -> None:
    """The same device at another address: encrypted at once, its attributes known already."""
    async with connected(has_address("02:46:4F:42:00:01")) as client:
        async with Notifications(client, uuid(0xFF51)) as notifications:
            await write(client, uuid(0xFF52), b"press")
            expect("answer", await notifications.next(), b"pressed")


async def write(client: BleakClient, characteristic: str, value: bytes) -> None:
    await client.write_gatt_char(characteristic, value, response=True)


SESSIONS = {
    "link-device": link_devices,
    "mobike": mobike,
    "mi-band": band,
    "peripheral-clock": clock,
    "handle-reuse-before": handle_reuse_before,
    "handle-reuse": handle_reuse,
    "two-devices": two_devices,
    "two-adapters": two_adapters,
    "bonding": bonding,
    "bonded-reconnect": bonded_reconnect,
}


def options_of(arguments: list[str]) -> argparse.Namespace:
    return argparse.ArgumentParser(prog="peers.clients").parse_args(arguments)
