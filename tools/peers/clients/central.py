"""What the sessions share: finding a device, connecting, saying and checking what happens."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData

SCAN_SECONDS = 180.0  # an emulated machine is slow; each wait ends with what it waits for
SCANS = 4  # bluetoothd reports a known device only when it changes; a new scan reports it again
ANSWER_SECONDS = 120.0
Match = Callable[[BLEDevice, AdvertisementData], bool]


class SessionError(Exception):
    """The session did not go as its script says."""


def say(line: str) -> None:
    print(line, flush=True)


def expect(what: str, value, expected) -> None:
    if value != expected:
        raise SessionError(f"{what}: {value!r} where {expected!r} was due")
    shown = value.hex(" ") if isinstance(value, (bytes, bytearray)) else value
    say(f"{what}: {shown}")


@contextlib.asynccontextmanager
async def connected(match: Match, adapter: str = "hci0") -> AsyncIterator[BleakClient]:
    """Scans until the match, stops, connects and discovers; disconnects at the end."""
    bluez = {"adapter": adapter}
    for _ in range(SCANS):
        device = await BleakScanner.find_device_by_filter(match, timeout=SCAN_SECONDS / SCANS, bluez=bluez)
        if device is not None:
            break
    else:
        raise SessionError("no device matches")
    say(f"found {device.name} at {device.address}")
    async with BleakClient(device, timeout=SCAN_SECONDS, bluez=bluez) as client:
        services = ", ".join(service.uuid for service in client.services)
        say(f"connected; services {services}")
        yield client
    say("disconnected")


class Notifications:
    """The values that one characteristic notifies, in order."""

    def __init__(self, client: BleakClient, uuid: str):
        self._client = client
        self._uuid = uuid
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()

    async def __aenter__(self) -> "Notifications":
        await self._client.start_notify(self._uuid, self._received)
        return self

    async def __aexit__(self, *_):
        if self._client.is_connected:
            await self._client.stop_notify(self._uuid)

    def _received(self, _characteristic, value: bytearray) -> None:
        self._queue.put_nowait(bytes(value))

    async def next(self) -> bytes:
        return await asyncio.wait_for(self._queue.get(), ANSWER_SECONDS)
