"""Reads a btsnoop file of the HCI monitor channel: records, ATT PDUs put together."""

import pathlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

MONITOR = 2001
COMMAND, EVENT, ACL_SENT, ACL_RECEIVED = 2, 3, 4, 5  # monitor opcodes
ATT_CID = 0x0004
EPOCH_OFFSET = 0x00DC_DDB3_0F2F_8000  # microseconds from the year 0 to 1970, as btsnoop counts


@dataclass
class Record:
    frame: int  # from 1, as Wireshark counts
    microseconds: int  # since 1970
    adapter: int
    opcode: int
    data: bytes

    @property
    def time(self) -> datetime:
        start = datetime.fromtimestamp(0, timezone.utc)
        return start + timedelta(microseconds=self.microseconds)


@dataclass
class Pdu:
    """An ATT PDU, on the frame that completes it."""

    record: Record
    is_sent: bool
    handle: int
    data: bytes


def records(path: pathlib.Path) -> Iterator[Record]:
    octets = path.read_bytes()
    if octets[:8] != b"btsnoop\0" or struct.unpack(">II", octets[8:16]) != (1, MONITOR):
        raise ValueError(f"{path} is no btsnoop file of the monitor channel")
    offset, frame = 16, 0
    while offset < len(octets):
        _, length, flags, _, time = struct.unpack_from(">IIIIQ", octets, offset)
        offset += 24
        frame += 1
        data = octets[offset : offset + length]
        yield Record(frame, time - EPOCH_OFFSET, flags >> 16, flags & 0xFFFF, data)
        offset += length


def att_pdus(path: pathlib.Path) -> Iterator[Pdu]:
    partial: dict[tuple[int, int, bool], bytes] = {}
    for record in records(path):
        if record.opcode not in (ACL_SENT, ACL_RECEIVED):
            continue
        first = struct.unpack_from("<H", record.data)[0]
        handle, boundary = first & 0x0FFF, first >> 12 & 3
        is_sent = record.opcode == ACL_SENT
        key = record.adapter, handle, is_sent
        start = partial.pop(key, b"") if boundary == 1 else b""
        octets = start + record.data[4:]
        length, cid = struct.unpack_from("<HH", octets) if len(octets) >= 4 else (0xFFFF, 0)
        if len(octets) < 4 + length:
            partial[key] = octets
        elif cid == ATT_CID:
            yield Pdu(record, is_sent, handle, octets[4 : 4 + length])
