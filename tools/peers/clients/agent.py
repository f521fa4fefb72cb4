"""bluetoothd's pairing agent: says yes to everything, as a test must."""

import contextlib
from collections.abc import AsyncIterator

from dbus_fast import BusType, Message
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method

PATH = "/blecap/agent"
CAPABILITY = "NoInputNoOutput"


class Agent(ServiceInterface):
    def __init__(self):
        super().__init__("org.bluez.Agent1")

    @dbus_method()
    def Release(self):
        pass

    @dbus_method()
    def RequestConfirmation(self, device: "o", passkey: "u"):  # noqa: F821
        pass

    @dbus_method()
    def RequestAuthorization(self, device: "o"):  # noqa: F821
        pass

    @dbus_method()
    def Cancel(self):
        pass


@contextlib.asynccontextmanager
async def agent() -> AsyncIterator[None]:
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    bus.export(PATH, Agent())
    for member, signature, body in [
        ("RegisterAgent", "os", [PATH, CAPABILITY]),
        ("RequestDefaultAgent", "o", [PATH]),
    ]:
        await bus.call(
            Message(
                destination="org.bluez",
                path="/org/bluez",
                interface="org.bluez.AgentManager1",
                member=member,
                signature=signature,
                body=body,
            )
        )
    try:
        yield
    finally:
        bus.disconnect()
