"""A link device that uploads: data at the rate of the last speed frame."""

import asyncio

from bumble.core import UUID
from bumble.gatt import Service

from .gadgets import LinkDevice
from .peripheral import Properties, characteristic

PERIOD = 0.5  # seconds; all devices upload at the same moments, so that their packets meet
FIRST_OCTET = 0x30


class Uploader(LinkDevice):
    """Each period it notifies half its rate in octets; a speed of 0 stops it.

    With `has_version` it has a version to be read before its data, and so other attribute handles.
    """

    name = "BLE-UPLOAD"

    def __init__(self, number: int, has_version: bool):
        super().__init__(number)
        self.has_version = has_version
        self.rates = {}  # by connection, octets per second
        self.sent = 0

    def services(self) -> list[Service]:
        (service,) = super().services()
        if not self.has_version:
            return [service]
        version = characteristic(UUID.from_16_bits(0xFFE3), Properties.READ, read=lambda: b"1.0")
        return [Service(service.uuid, [version, self.data])]

    async def start(self, air) -> None:
        await super().start(air)
        self._uploading = asyncio.create_task(self._upload())

    def on_disconnected(self, connection) -> None:
        self.rates.pop(connection, None)

    def _answer(self, connection, frame: bytes) -> None:
        super()._answer(connection, frame)
        self.rates[connection] = self.speed(frame) or 0

    async def _upload(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PERIOD - loop.time() % PERIOD)
            for connection, rate in self.rates.items():
                length = min(int(rate * PERIOD), connection.att_mtu - 3)
                if length:
                    self.notify(connection, self.data, bytes([FIRST_OCTET + self.sent % 10]) * length)
                    self.sent += 1
