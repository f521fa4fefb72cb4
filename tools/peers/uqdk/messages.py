"""Messages: header, payload, checksum; commands, statuses and the vehicle's state."""

import struct
from dataclasses import dataclass, replace
from enum import IntEnum

MAGIC = b"\x55\x51"
VERSION = 1
HEADER_LENGTH = 9
CRC_LENGTH = 2
SECURED = 0x01
DOORS_ALL = 0x1F
MASK_ALL = 0xFF
COMMAND_FIRST_SECURED = 0x0201


class Kind(IntEnum):
    REQUEST = 1
    RESPONSE = 2
    EVENT = 3


class Command(IntEnum):
    ACTIVATE = 0x0001
    AUTH_BEGIN = 0x0101
    AUTH_FINISH = 0x0102
    DOOR_LOCK = 0x0201
    DOOR_UNLOCK = 0x0202
    TRUNK_OPEN = 0x0203
    FIND_VEHICLE = 0x0204
    ENGINE_START = 0x0205
    ENGINE_STOP = 0x0206
    WINDOW_SET = 0x0207
    STATUS_QUERY = 0x0301
    STATUS_EVENT = 0x0401
    PROXIMITY_EVENT = 0x0402
    FAULT_EVENT = 0x0403


class Status(IntEnum):
    SUCCESS = 0
    BUSY = 1
    AUTHENTICATION_REQUIRED = 2
    BAD_PROOF = 3
    COUNTER_REPLAYED = 4
    UNSUPPORTED_COMMAND = 5
    REFUSED_IN_THIS_STATE = 6
    BAD_MESSAGE = 7
    TIMED_OUT = 8
    KEY_REVOKED_OR_EXPIRED = 9
    KEY_LOCKED_OUT = 10


class MessageError(Exception):
    """Not a valid message. `command` is as far as it could be read, else 0."""

    def __init__(self, reason: str, command: int = 0):
        super().__init__(reason)
        self.command = command


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    value = 0xFFFF
    for octet in data:
        value ^= octet << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def command_of(octets: bytes) -> int:
    """The command of a message that may be broken, 0 where it can't be read."""
    return int.from_bytes(octets[4:6], "big") if len(octets) >= 6 and octets[:2] == MAGIC else 0


@dataclass(frozen=True)
class Message:
    kind: Kind
    command: int
    payload: bytes
    is_secured: bool = False

    @property
    def header(self) -> bytes:
        flags = SECURED if self.is_secured else 0
        fields = (VERSION, self.kind, self.command, flags, len(self.payload))
        return MAGIC + struct.pack(">BBHBH", *fields)

    def encode(self) -> bytes:
        octets = self.header + self.payload
        return octets + struct.pack(">H", crc16(octets))

    @staticmethod
    def decode(octets: bytes) -> "Message":
        command = command_of(octets)
        if len(octets) < HEADER_LENGTH + CRC_LENGTH or octets[:2] != MAGIC:
            raise MessageError("no UQDK header", command)
        version, kind, command, flags, length = struct.unpack(">BBHBH", octets[2:HEADER_LENGTH])
        if length != len(octets) - HEADER_LENGTH - CRC_LENGTH:
            raise MessageError(f"length {length} in {len(octets)} octets", command)
        if int.from_bytes(octets[-CRC_LENGTH:], "big") != crc16(octets[:-CRC_LENGTH]):
            raise MessageError("wrong CRC", command)
        if version != VERSION or kind not in iter(Kind) or flags & ~SECURED:
            raise MessageError(f"version {version}, kind {kind}, flags {flags:#04x}", command)
        payload = octets[HEADER_LENGTH:-CRC_LENGTH]
        return Message(Kind(kind), command, payload, bool(flags & SECURED))

    def sealed(self, session, message_id: int) -> "Message":
        """This message with its payload secured."""
        length = len(self.payload) + 12  # counter and tag
        header = replace(self, is_secured=True, payload=bytes(length)).header
        return replace(self, is_secured=True, payload=session.seal(message_id, header, self.payload))


@dataclass
class VehicleState:
    """What STATUS_QUERY and STATUS_EVENT carry."""

    doors_locked: int = DOORS_ALL
    doors_open: int = 0
    engine: int = 0
    battery_percent: int = 60
    range_km: int = 412
    odometer_hundred_metres: int = 123456

    FORMAT = ">BBBBHI"
    LENGTH = 10

    def encode(self) -> bytes:
        return struct.pack(
            self.FORMAT,
            self.doors_locked,
            self.doors_open,
            self.engine,
            self.battery_percent,
            self.range_km,
            self.odometer_hundred_metres,
        )

    @classmethod
    def decode(cls, octets: bytes) -> "VehicleState":
        if len(octets) != cls.LENGTH:
            raise MessageError(f"a vehicle state has 10 octets, not {len(octets)}")
        return cls(*struct.unpack(cls.FORMAT, octets))
