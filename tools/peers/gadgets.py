"""The devices of the other systems: link device, Mobike, the band named MI, the clock."""

import asyncio
import time

from bumble import att, crypto
from bumble.core import UUID
from bumble.device import DeviceConfiguration
from bumble.gatt import GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR as USER_DESCRIPTION
from bumble.gatt import Characteristic, Descriptor, Service
from bumble.hci import Address, HCI_LE_Set_Random_Address_Command, OwnAddressType
from bumble.l2cap import LeCreditBasedChannel, LeCreditBasedChannelSpec
from bumble.keys import MemoryKeyStore, PairingKeys
from bumble.pairing import OobContext, OobSharedData, PairingConfig, PairingDelegate

from .peripheral import AD, FLAGS, Peripheral, Properties, characteristic, uuid16

COMPANY_NONE = 0xFFFF


def described(text: str) -> tuple[Descriptor, ...]:
    return (Descriptor(USER_DESCRIPTION, Characteristic.READABLE, text.encode()),)


def mac_data(address: str) -> tuple[int, bytes]:
    mac = bytes.fromhex(address.replace(":", ""))
    return AD.MANUFACTURER_SPECIFIC_DATA, uuid16(COMPANY_NONE) + mac


class LinkDevice(Peripheral):
    """A device of BLELinkManager: one characteristic for everything, known by its MAC.

    A speed frame is answered with a text; anything else with another.
    """

    name = "BLE-LINK"
    PREFIX, SUFFIX = bytes.fromhex("AA031272"), bytes.fromhex("01723055")
    SPEED_MAX = 1000

    def __init__(self, number: int = 1):
        self.address = f"02:4C:4B:00:00:{number:02X}"
        self.value = f"LINK {number}".encode()

    def services(self) -> list[Service]:
        self.data = characteristic(
            UUID.from_16_bits(0xFFE1),
            Properties.READ | Properties.WRITE | Properties.WRITE_WITHOUT_RESPONSE | Properties.NOTIFY,
            read=lambda: self.value,
            write=lambda connection, value: self.later(self._answer, connection, value),
            descriptors=described("data"),
        )
        return [Service(UUID.from_16_bits(0xFFE0), [self.data])]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        uuids = (AD.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, uuid16(0xFFE0))
        return [FLAGS, uuids, mac_data(self.address)]

    def scan_response(self) -> list[tuple[int, bytes]]:
        return [(AD.COMPLETE_LOCAL_NAME, self.name.encode())]

    def speed(self, frame: bytes) -> int | None:
        """The number in a frame's two base-100 octets; None for what is no frame."""
        if len(frame) != 10 or frame[:4] != self.PREFIX or frame[6:] != self.SUFFIX:
            return None
        high, low = frame[4], frame[5]
        number = high * 100 + low
        return number if high < 100 and low < 100 and number <= self.SPEED_MAX else None

    def _answer(self, connection, frame: bytes) -> None:
        speed = self.speed(frame)
        text = "ERR" if speed is None else f"SPEED {speed}"
        self.value = text.encode()
        self.notify(connection, self.data, self.value)


class Mobike(Peripheral):
    """eswiftBLE's example: the greatest, least and mean battery level, one octet each."""

    name = "Mobike"
    address = "D0:4D:4F:42:49:4B"
    is_public = False
    att_mtu = 23

    def __init__(self):
        self.max, self.min = 90, 10

    def services(self) -> list[Service]:
        self.max_level = characteristic(
            UUID.from_16_bits(0xFFE1),
            Properties.READ | Properties.NOTIFY,
            read=lambda: bytes([self.max]),
        )
        min_level = characteristic(
            UUID.from_16_bits(0xFFE2),
            Properties.READ | Properties.WRITE,
            read=lambda: bytes([self.min]),
            write=self._set_min,
        )
        avg_level = characteristic(
            UUID.from_16_bits(0xFFE3),
            Properties.READ,
            read=lambda: bytes([(self.max + self.min) // 2]),
        )
        return [Service(UUID.from_16_bits(0xFFEE), [self.max_level, min_level, avg_level])]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        uuids = (AD.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, uuid16(0xFF00))
        return [FLAGS, uuids, (AD.COMPLETE_LOCAL_NAME, self.name.encode())]

    def _set_min(self, connection, value: bytes) -> None:
        """The greatest level follows a least level above it, and is notified."""
        if len(value) != 1:
            raise att.ATT_Error(att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR)
        self.min = value[0]
        if self.min > self.max:
            self.max = self.min
            self.later(self.notify, connection, self.max_level, bytes([self.max]))


class Band(Peripheral):
    """The band named MI: a battery command, answered by a notification with a checksum."""

    name = "MI"
    address = "02:4D:49:00:00:01"
    BATTERY, HEADER = bytes.fromhex("1B9901"), bytes.fromhex("567B")
    UNKNOWN_COMMAND = 0x80  # an ATT application error

    def __init__(self):
        self.tenths = 6
        self.command = b""

    def services(self) -> list[Service]:
        self.answers = characteristic(
            UUID.from_16_bits(0xFF01),
            Properties.READ | Properties.NOTIFY,
            read=lambda: "MI 手环".encode(),
        )
        commands = characteristic(
            UUID.from_16_bits(0xFF02),
            Properties.READ | Properties.WRITE | Properties.WRITE_WITHOUT_RESPONSE,
            read=lambda: self.command,
            write=self._written,
        )
        return [Service(UUID.from_16_bits(0xFEE0), [self.answers, commands])]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        uuids = (AD.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, uuid16(0xFEE0))
        return [FLAGS, uuids, mac_data(self.address)]

    def scan_response(self) -> list[tuple[int, bytes]]:
        return [(AD.COMPLETE_LOCAL_NAME, self.name.encode())]

    def _written(self, connection, command: bytes) -> None:
        self.command = command
        if command != self.BATTERY:
            raise att.ATT_Error(self.UNKNOWN_COMMAND)
        answer = self.HEADER + bytes([self.tenths])
        answer += bytes([-sum(answer) & 0xFF])
        self.tenths = max(0, self.tenths - 1)
        self.later(self.notify, connection, self.answers, answer)


class Clock(Peripheral):
    """Peripheral mode: the time every two seconds, a described value, a value to be read only."""

    name = "xmg"
    address = "C4:58:4D:47:00:01"
    is_public = False
    att_mtu = 23
    PERIOD = 2.0
    VALUE_MAX = 64

    def __init__(self):
        self.value = b"xmg"

    def services(self) -> list[Service]:
        self.time = characteristic(UUID.from_16_bits(0xFFF1), Properties.NOTIFY)
        value = characteristic(
            UUID.from_16_bits(0xFFF2),
            Properties.READ | Properties.WRITE,
            read=lambda: self.value,
            write=self._set_value,
            descriptors=described("xmgDes1"),
        )
        fixed = characteristic(
            UUID.from_16_bits(0xFFF3),
            Properties.READ,
            read=lambda: b"read only",
        )
        return [
            Service(UUID.from_16_bits(0xFFF0), [self.time, value]),
            Service(UUID.from_16_bits(0xFFE0), [fixed]),
        ]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        uuids = uuid16(0xFFF0) + uuid16(0xFFE0)
        return [
            FLAGS,
            (AD.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, uuids),
            (AD.COMPLETE_LOCAL_NAME, self.name.encode()),
        ]

    async def start(self, air) -> None:
        await super().start(air)
        self._telling = asyncio.create_task(self._tell())

    def _set_value(self, _connection, value: bytes) -> None:
        if len(value) > self.VALUE_MAX:
            raise att.ATT_Error(att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR)
        self.value = value

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(self.PERIOD)
            now = time.strftime("%y:%m:%d:%H:%M:%S").encode()
            for connection in list(self.device.connections.values()):
                self.notify(connection, self.time, now)


class Echo(Peripheral):
    """Sends back what comes on LE credit-based channels: those to its service, and one that it opens."""

    name = "echo"
    address = "02:45:43:48:00:01"
    SPSM = 0x80

    def __init__(self, mtu: int, mps: int, max_credits: int, opens: int | None):
        self.limits = {"mtu": mtu, "mps": mps, "max_credits": max_credits}
        self.opens = opens

    def services(self) -> list[Service]:
        spec = LeCreditBasedChannelSpec(psm=self.SPSM, **self.limits)
        self.device.create_l2cap_server(spec, self._echo)
        return []

    def advertising_data(self) -> list[tuple[int, bytes]]:
        return [FLAGS, (AD.COMPLETE_LOCAL_NAME, self.name.encode())]

    def on_connected(self, connection) -> None:
        if self.opens is not None:
            asyncio.create_task(self._open(connection))

    async def _open(self, connection) -> None:
        spec = LeCreditBasedChannelSpec(psm=self.opens, **self.limits)
        self._echo(await connection.create_l2cap_channel(spec))

    def _echo(self, channel: LeCreditBasedChannel) -> None:
        channel.sink = channel.write


class Person(PairingDelegate):
    """Who has a number to show and to enter, and agrees to everything."""

    def __init__(self, io: int, passkey: int):
        super().__init__(PairingDelegate.IoCapability(io))
        self.passkey = passkey

    async def get_number(self) -> int:
        return self.passkey

    async def generate_passkey(self) -> int:
        return self.passkey


class Keys(MemoryKeyStore):
    """The keys of bonds. Of legacy pairing Bumble 0.0.236 takes, as a peripheral, the key that the central
    gave; Vol 3, Part H, 2.4.4.1 has the peripheral's own."""

    async def update(self, name: str, keys: PairingKeys) -> None:
        keys.ltk_central, keys.ltk_peripheral = keys.ltk_peripheral, keys.ltk_central
        await super().update(name, keys)


def out_of_band(own: str, peer: str | None) -> PairingConfig.OobConfig:
    """What was given by other means: the private key and random value of the fob's own data, and the confirm
    and random values of the host's; in hexadecimal, joined by a colon, as the specification writes them."""
    key, random = (bytes.fromhex(part) for part in own.split(":"))
    context = OobContext(crypto.EccKey.from_private_key_bytes(key), random[::-1])
    data = None
    if peer:
        data = OobSharedData(*(bytes.fromhex(part)[::-1] for part in peer.split(":")))
    return PairingConfig.OobConfig(context, data, None)


class Fob(Peripheral):
    """A bonded key fob with resolvable private addresses, the next one for each connection."""

    name = "fob"
    address = "02:46:4F:42:00:01"  # its identity; never in the air
    IRK = bytes.fromhex(
        "ec0234a357c8ad05341010a60a397d9b"
    )  # a test key, as the specification writes it

    def __init__(self, io: int = 3, passkey: int = 0, mitm: bool = False, sc: bool = True, oob=None):
        self.turn = 0
        self.person = Person(io, passkey)
        self.mitm, self.sc, self.oob = mitm, sc, oob

    def configuration(self) -> DeviceConfiguration:
        config = super().configuration()
        config.le_privacy_enabled = True
        config.le_rpa_timeout = 0
        config.irk = self.IRK[::-1]
        return config

    def services(self) -> list[Service]:
        secured = Characteristic.READ_REQUIRES_ENCRYPTION | Characteristic.WRITE_REQUIRES_ENCRYPTION
        self.answers = characteristic(
            UUID.from_16_bits(0xFF51), Properties.READ | Properties.NOTIFY, read=lambda: b"bonded"
        )
        buttons = characteristic(UUID.from_16_bits(0xFF52), Properties.WRITE, write=self._pressed)
        for attribute in (self.answers, buttons):
            attribute.permissions |= secured
        return [Service(UUID.from_16_bits(0xFF50), [self.answers, buttons])]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        return [FLAGS, (AD.COMPLETE_LOCAL_NAME, self.name.encode())]

    async def advertise(self) -> None:
        if self.turn == 0:
            self.device.keystore = Keys()
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=self.sc,
            mitm=self.mitm,
            delegate=self.person,
            identity_address_type=PairingConfig.AddressType.PUBLIC,
            oob=self.oob,
        )
        self.turn += 1
        prand = bytes([self.turn, 0x00, 0x40])  # least significant first; the top bits say resolvable
        address = Address(crypto.ah(self.IRK[::-1], prand) + prand, Address.RANDOM_DEVICE_ADDRESS)
        self.device.random_address = address
        command = HCI_LE_Set_Random_Address_Command(random_address=address)
        await self.device.send_sync_command(command)
        await super().advertise()

    def own_address_type(self) -> OwnAddressType:
        return OwnAddressType.RANDOM

    def _pressed(self, connection, value: bytes) -> None:
        self.later(self.notify, connection, self.answers, value + b"ed")
