"""One adapter of bluetoothd by D-Bus: devices, a pairing agent, an advertisement and a GATT server."""

import asyncio
import contextlib
import queue
import subprocess
import threading
import time

from dbus_fast import BusType, DBusError, Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

LIMIT = 300
ADAPTER = 'org.bluez.Adapter1'
DEVICE = 'org.bluez.Device1'
CHARACTERISTIC = 'org.bluez.GattCharacteristic1'
PROPERTIES = 'org.freedesktop.DBus.Properties'
PATH = '/blecap'


class Agent(ServiceInterface):
    """Says yes, enters what it is told, and keeps what it is to show."""

    def __init__(self):
        super().__init__('org.bluez.Agent1')
        self.shown = queue.Queue()
        self.numbers = asyncio.Queue()

    @dbus_method()
    def Release(self):
        pass

    @dbus_method()
    def RequestConfirmation(self, device: 'o', passkey: 'u'):  # noqa: F821
        self.shown.put(passkey)

    @dbus_method()
    def RequestAuthorization(self, device: 'o'):  # noqa: F821
        pass

    @dbus_method()
    def DisplayPasskey(self, device: 'o', passkey: 'u', entered: 'q'):  # noqa: F821
        if entered == 0:
            self.shown.put(passkey)

    @dbus_method()
    async def RequestPasskey(self, device: 'o') -> 'u':  # noqa: F821
        return await self.numbers.get()

    @dbus_method()
    def Cancel(self):
        pass


class Advertisement(ServiceInterface):
    """A connectable advertisement of a service, with a name."""

    def __init__(self, name, service):
        super().__init__('org.bluez.LEAdvertisement1')
        self._name, self._service = name, service

    @dbus_method()
    def Release(self):
        pass

    @dbus_property(access=PropertyAccess.READ)
    def Type(self) -> 's':  # noqa: F821
        return 'peripheral'

    @dbus_property(access=PropertyAccess.READ)
    def LocalName(self) -> 's':  # noqa: F821
        return self._name

    @dbus_property(access=PropertyAccess.READ)
    def ServiceUUIDs(self) -> 'as':  # noqa: F821, F722
        return [self._service]


class Application(ServiceInterface):
    """What a GATT server has: one service with one characteristic."""

    def __init__(self, service, characteristic):
        super().__init__('org.freedesktop.DBus.ObjectManager')
        self._objects = {
            PATH + '/s': {'org.bluez.GattService1': {
                'UUID': Variant('s', service), 'Primary': Variant('b', True)}},
            PATH + '/s/c': {CHARACTERISTIC: {
                'UUID': Variant('s', characteristic.uuid), 'Service': Variant('o', PATH + '/s'),
                'Flags': Variant('as', characteristic.flags)}},
        }

    @dbus_method()
    def GetManagedObjects(self) -> 'a{oa{sa{sv}}}':  # noqa: F821, F722
        return self._objects


class Service(ServiceInterface):
    def __init__(self, uuid):
        super().__init__('org.bluez.GattService1')
        self._uuid = uuid

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> 's':  # noqa: F821
        return self._uuid

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> 'b':  # noqa: F821
        return True


class Characteristic(ServiceInterface):
    """A value that can be read under the given flags."""

    def __init__(self, uuid, flags, value):
        super().__init__(CHARACTERISTIC)
        self.uuid, self.flags, self._value = uuid, flags, value

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> 's':  # noqa: F821
        return self.uuid

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> 'o':  # noqa: F821
        return PATH + '/s'

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> 'as':  # noqa: F821, F722
        return self.flags

    @dbus_method()
    def ReadValue(self, options: 'a{sv}') -> 'ay':  # noqa: F821, F722
        return self._value


def uuid16(number):
    return f'0000{number:04x}-0000-1000-8000-00805f9b34fb'


class BlueZ:
    """An adapter, such as hci0. Its calls wait for their answers."""

    def __init__(self, name):
        self.name = name
        self.path = f'/org/bluez/{name}'
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._bus = self._do(self._connect())
        self.agent = None

    async def _connect(self):
        return await MessageBus(bus_type=BusType.SYSTEM).connect()

    def _do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT)

    def call(self, path, interface, member, signature='', *body):
        """The first value of the answer."""
        answer = self._do(self._bus.call(Message(
            destination='org.bluez', path=path, interface=interface, member=member, signature=signature,
            body=list(body))))
        if answer.message_type == MessageType.ERROR:
            raise DBusError(answer.error_name, answer.body[0] if answer.body else '')
        return answer.body[0] if answer.body else None

    def _export(self, path, interface):
        async def export():
            self._bus.unexport(path, interface.name)
            self._bus.export(path, interface)
        self._do(export())

    # MARK: The adapter

    def appear(self):
        """Waits until bluetoothd has it, and switches it on."""
        wait(self.name, lambda: self.path in self._objects())
        self.power(True)

    def power(self, on):
        self.call(self.path, PROPERTIES, 'Set', 'ssv', ADAPTER, 'Powered', Variant('b', on))

    def manage(self, *words):
        """Does what btmgmt does, while the adapter is off."""
        self.power(False)
        subprocess.run(['btmgmt', '--index', self.name, *words], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=LIMIT)
        self.power(True)

    @property
    def address(self):
        return self.call(self.path, PROPERTIES, 'Get', 'ss', ADAPTER, 'Address').value

    def become(self, capability):
        """Has an agent that can show and be told what the capability says."""
        if self.agent is not None:
            self.call('/org/bluez', 'org.bluez.AgentManager1', 'UnregisterAgent', 'o', PATH + '/agent')

        async def make():
            return Agent()
        self.agent = self._do(make())
        self._export(PATH + '/agent', self.agent)
        manager = ('/org/bluez', 'org.bluez.AgentManager1')
        self.call(*manager, 'RegisterAgent', 'os', PATH + '/agent', capability)
        self.call(*manager, 'RequestDefaultAgent', 'o', PATH + '/agent')

    def enter(self, number):
        """What the agent answers when it is asked for a passkey."""
        self._loop.call_soon_threadsafe(self.agent.numbers.put_nowait, number)

    # MARK: The peripheral

    def serve(self, name, service, uuid, flags, value):
        """Advertises a name, and has a service with one characteristic."""
        characteristic = Characteristic(uuid16(uuid), flags, value)
        self._export(PATH, Application(uuid16(service), characteristic))
        self._export(PATH + '/s', Service(uuid16(service)))
        self._export(PATH + '/s/c', characteristic)
        self._export(PATH + '/ad', Advertisement(name, uuid16(service)))
        self.call(self.path, 'org.bluez.GattManager1', 'RegisterApplication', 'oa{sv}', PATH, {})
        self.advertise()

    def advertise(self):
        """Advertises; again where the adapter was off meanwhile."""
        with contextlib.suppress(DBusError):
            self.call(self.path, 'org.bluez.LEAdvertisingManager1', 'UnregisterAdvertisement', 'o',
                      PATH + '/ad')
        self.call(self.path, 'org.bluez.LEAdvertisingManager1', 'RegisterAdvertisement', 'oa{sv}',
                  PATH + '/ad', {})

    # MARK: The central

    def _objects(self):
        return self.call('/', 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects')

    def devices(self):
        """Paths and properties of the devices that this adapter knows."""
        return {path: {name: one.value for name, one in interfaces[DEVICE].items()}
                for path, interfaces in self._objects().items()
                if DEVICE in interfaces and path.startswith(self.path + '/')}

    def find(self, name):
        """The path of the device that advertises this name."""
        self.call(self.path, ADAPTER, 'SetDiscoveryFilter', 'a{sv}', {'Transport': Variant('s', 'le')})
        self.call(self.path, ADAPTER, 'StartDiscovery')
        try:
            return wait(f'a device {name}', lambda: next(
                (path for path, device in self.devices().items()
                 if device.get('Name') == name and 'RSSI' in device), None))
        finally:
            self.call(self.path, ADAPTER, 'StopDiscovery')

    def device(self, path, member):
        return self.call(path, DEVICE, member)

    def connect(self, path):
        self.device(path, 'Connect')
        wait('its services', lambda: self.devices()[path].get('ServicesResolved'))

    def read(self, path, uuid):
        found = [where for where, interfaces in self._objects().items() if where.startswith(path + '/')
                 and interfaces.get(CHARACTERISTIC, {}).get('UUID', Variant('s', '')).value == uuid16(uuid)]
        return self.call(found[0], CHARACTERISTIC, 'ReadValue', 'a{sv}', {})

    def disconnect(self, path):
        self.device(path, 'Disconnect')
        wait('the end of the link', lambda: not self.devices()[path]['Connected'])

    def remove(self, path):
        self.call(self.path, ADAPTER, 'RemoveDevice', 'o', path)

    def remove_all(self):
        for path in self.devices():
            self.remove(path)

    def in_background(self, member, path):
        """Begins a call of a device; its answer is asked for later."""
        future = asyncio.run_coroutine_threadsafe(self._bus.call(Message(
            destination='org.bluez', path=path, interface=DEVICE, member=member)), self._loop)

        def answer():
            message = future.result(LIMIT)
            if message.message_type == MessageType.ERROR:
                raise DBusError(message.error_name, message.body[0] if message.body else '')
        return answer


def wait(what, condition):
    """What the condition gives, once that is something."""
    ends = time.monotonic() + LIMIT
    while not (found := condition()):
        if time.monotonic() > ends:
            raise AssertionError(f'waited in vain for {what}')
        time.sleep(0.05)
    return found
