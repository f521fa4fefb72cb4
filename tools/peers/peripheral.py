"""What every peripheral here shares: attributes that refuse what they don't allow, advertising."""

import asyncio

from bumble import att
from bumble.core import AdvertisingData
from bumble.device import Connection, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, OwnAddressType

from .air import Air

Properties = Characteristic.Properties
AD = AdvertisingData.Type
FLAGS = (AD.FLAGS, b"\x06")  # general discoverable, no BR/EDR
ADVERTISING_INTERVAL = 100  # milliseconds


def characteristic(uuid, properties, read=None, write=None, descriptors=()) -> Characteristic:
    """`read()` gives the value, `write(connection, value)` takes one; without them it is refused."""

    def read_value(_connection):
        if read is None:
            raise att.ATT_Error(att.ATT_READ_NOT_PERMITTED_ERROR)
        return read()

    def write_value(connection, value):
        if write is None:
            raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR)
        write(connection, value)

    permissions = Characteristic.READABLE | Characteristic.WRITEABLE  # read and write decide
    value = CharacteristicValue(read=read_value, write=write_value)
    return Characteristic(uuid, properties, permissions, value, descriptors)


def uuid16(number: int) -> bytes:
    return number.to_bytes(2, "little")


class Peripheral:
    """A device in the air. Subclasses say what it is; its identity is chosen, never random."""

    name = ""
    address = ""
    is_public = True
    att_mtu = 517  # the most that its server accepts

    def services(self) -> list[Service]:
        raise NotImplementedError

    def advertising_data(self) -> list[tuple[int, bytes]]:
        raise NotImplementedError

    def scan_response(self) -> list[tuple[int, bytes]]:
        return []

    def on_connected(self, connection: Connection) -> None:
        pass

    def on_disconnected(self, connection: Connection) -> None:
        pass

    def configuration(self) -> DeviceConfiguration:
        config = DeviceConfiguration(name=self.name)
        if not self.is_public:
            config.address = Address(self.address, Address.RANDOM_DEVICE_ADDRESS)
        return config

    def own_address_type(self) -> OwnAddressType:
        return OwnAddressType.PUBLIC if self.is_public else OwnAddressType.RANDOM

    async def start(self, air: Air) -> None:
        public = self.address if self.is_public else "00:00:00:00:00:00"
        self.device = await air.add_device(self.configuration(), public)
        self.device.gatt_server.max_mtu = self.att_mtu
        self.device.add_services(self.services())
        self.device.on("connection", self._connected)
        await self.advertise()

    async def advertise(self) -> None:
        """Starts advertising, or starts it anew with what has changed."""
        await self.device.start_advertising(
            own_address_type=self.own_address_type(),
            advertising_data=bytes(AdvertisingData(self.advertising_data())),
            scan_response_data=bytes(AdvertisingData(self.scan_response())),
            advertising_interval_min=ADVERTISING_INTERVAL,
            advertising_interval_max=ADVERTISING_INTERVAL,
        )

    def notify(self, connection: Connection, attribute: Characteristic, value: bytes) -> None:
        """In the order of the calls; only if this central has subscribed."""
        asyncio.create_task(self.device.notify_subscriber(connection, attribute, value))

    def later(self, function, *arguments) -> None:
        """After the answer to the request that is being handled."""
        asyncio.get_running_loop().call_soon(function, *arguments)

    def _connected(self, connection: Connection) -> None:
        print(f"connected to {connection.peer_address}", flush=True)
        connection.on("disconnection", lambda reason: self._disconnected(connection, reason))
        self.on_connected(connection)

    def _disconnected(self, connection: Connection, reason: int) -> None:
        print(f"disconnected from {connection.peer_address}, reason {reason:#04x}", flush=True)
        self.on_disconnected(connection)
        asyncio.create_task(self.advertise())
