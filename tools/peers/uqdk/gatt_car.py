"""The car as a Bumble peripheral: advertising, the GATT layout, fragments in and out."""

import asyncio
import struct

from bumble.core import UUID
from bumble.gatt import Service

from ..peripheral import AD, FLAGS, Peripheral, Properties, characteristic
from .car import Car
from .fragments import MESSAGE_MAX
from .messages import DOORS_ALL, VERSION

SERVICE = UUID("5551444B-0001-4449-4749-54414C4B4559")
COMMAND = UUID("5551444B-0002-4449-4749-54414C4B4559")
EVENT = UUID("5551444B-0003-4449-4749-54414C4B4559")
INFO = UUID("5551444B-0004-4449-4749-54414C4B4559")
COMPANY = 0xFFFF
WINDOW_OPEN, LOCKED, SLOTS_TAKEN = 0x01, 0x02, 0x04
TICK_SECONDS = 0.1


class GattCar(Peripheral):
    """The car in the air. With `name_only` its MAC is its name and it has no manufacturer data."""

    name = "blecap car"
    address = "02:55:51:00:00:01"

    def __init__(self, car: Car, vehicle_id: bytes, att_mtu: int, name_only: bool = False):
        self.car = car
        self.vehicle_id = vehicle_id
        self.att_mtu = att_mtu
        self.name_only = name_only
        self.links = {}
        if name_only:
            self.name = self.address

    def services(self) -> list[Service]:
        info = struct.pack(">BH", VERSION, MESSAGE_MAX) + self.vehicle_id
        self.event = characteristic(EVENT, Properties.NOTIFY)
        write = Properties.WRITE | Properties.WRITE_WITHOUT_RESPONSE
        return [
            Service(
                SERVICE,
                [
                    characteristic(COMMAND, write, write=self._written),
                    self.event,
                    characteristic(INFO, Properties.READ, read=lambda: info),
                ],
            )
        ]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        if self.name_only:
            return [FLAGS, (AD.COMPLETE_LOCAL_NAME, self.address.encode())]
        mac = bytes.fromhex(self.address.replace(":", ""))
        data = struct.pack("<H", COMPANY) + b"\x55\x51" + bytes([self._flags()]) + mac
        return [FLAGS, (AD.MANUFACTURER_SPECIFIC_DATA, data)]

    def scan_response(self) -> list[tuple[int, bytes]]:
        response = [(AD.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(SERVICE))]
        if not self.name_only:
            response.append((AD.COMPLETE_LOCAL_NAME, self.name.encode()))
        return response

    def on_connected(self, connection) -> None:
        self.links[connection] = self.car.connected(
            lambda fragment: self.notify(connection, self.event, fragment),
            lambda: connection.att_mtu - 3,
        )

    def on_disconnected(self, connection) -> None:
        self.car.disconnected(self.links.pop(connection))

    async def start(self, air) -> None:
        await super().start(air)
        self._ticking = asyncio.create_task(self._tick())

    def _flags(self) -> int:
        locked = self.car.vehicle.state.doors_locked == DOORS_ALL
        return (
            (WINDOW_OPEN if self.car.pairing_code else 0)
            | (LOCKED if locked else 0)
            | (SLOTS_TAKEN if self.car.is_full else 0)
        )

    def _written(self, connection, value: bytes) -> None:
        self.later(self._receive, connection, value)

    def _receive(self, connection, value: bytes) -> None:
        link = self.links.get(connection)
        if link:
            self.car.received(link, value)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.car.tick()
