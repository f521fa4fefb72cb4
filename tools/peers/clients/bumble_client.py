"""A client on Bumble's host, with the few calls of bleak's that the sessions make.

The controller is whatever speaks H4 at a transport, as Bumble names it: `tcp-client:127.0.0.1:9000`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.transport import open_transport

ADDRESS = "02:00:00:00:00:10"


class Advertisement:
    """What a device advertises, by the names that bleak has for it."""

    def __init__(self, data: AdvertisingData):
        name = data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME)
        self.local_name = name if isinstance(name, str) or name is None else bytes(name).decode()
        made = data.get_all(AdvertisingData.Type.MANUFACTURER_SPECIFIC_DATA, raw=True)
        self.manufacturer_data = {int.from_bytes(one[:2], "little"): one[2:] for one in made}


class Client:
    """One connection, with everything discovered."""

    def __init__(self, peer: Peer):
        self._peer = peer

    def _characteristic(self, uuid: str):
        return self._peer.get_characteristics_by_uuid(UUID(uuid))[0]

    async def read_gatt_char(self, uuid: str) -> bytes:
        return await self._peer.read_value(self._characteristic(uuid))

    async def write_gatt_char(self, uuid: str, value: bytes, response: bool = True) -> None:
        await self._peer.write_value(self._characteristic(uuid), value, with_response=response)

    async def start_notify(self, uuid: str, handler: Callable) -> None:
        await self._peer.subscribe(self._characteristic(uuid), lambda value: handler(uuid, value))


@contextlib.asynccontextmanager
async def open_device(transport: str) -> AsyncIterator[Device]:
    """A host that is on, over a transport that is closed at the end."""
    async with await open_transport(transport) as (source, sink):
        device = Device.with_hci("phone", ADDRESS, source, sink)
        await device.power_on()
        yield device


async def connect(device: Device, fits: Callable, seconds: float):
    """Scans until a device fits, stops and connects to it."""
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement) -> None:
        if not found.done() and fits(advertisement):
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning(legacy=True, active=True)
    address = await asyncio.wait_for(found, seconds)
    await device.stop_scanning()
    return await asyncio.wait_for(device.connect(address), seconds)


@contextlib.asynccontextmanager
async def connected(match: Callable, transport: str, seconds: float) -> AsyncIterator[Client]:
    """Connects to the device that matches, and discovers; disconnects at the end."""
    async with open_device(transport) as device:
        connection = await connect(
            device, lambda heard: match(None, Advertisement(heard.data)), seconds)
        peer = Peer(connection)
        await peer.request_mtu(517)
        await peer.discover_all()
        yield Client(peer)
        await connection.disconnect()
