"""Reads recordings of the HCI monitor channel for comparison: btsnoop 2001, pcap and pcapng 254."""

import pathlib
import struct
from dataclasses import dataclass, field

EPOCH_OFFSET = 0x00DC_DDB3_0F2F_8000  # microseconds from btsnoop's start to 1970
USER_LOGGING = 13
# What one adapter's own queue sends and receives: commands, events, ACL, SCO and ISO data.
TRAFFIC = {2, 3, 4, 5, 6, 7, 18, 19}
NO_ADAPTER = 0xFFFF


@dataclass(frozen=True)
class Record:
    adapter: int
    opcode: int
    data: bytes
    microseconds: int


@dataclass
class Recording:
    records: list[Record] = field(default_factory=list)
    drops: int = 0  # as the format holds them
    left_over: int = 0  # octets of a record that is not whole, at the end

    def notes(self) -> list[str]:
        """The texts of blecap's own notes and marks."""
        return [text for text in map(note, self.records) if text is not None]


def note(record: Record, ident: bytes = b"blecap") -> str | None:
    """The text of a User Logging record of this program; None for any other record."""
    data = record.data
    if record.opcode != USER_LOGGING or len(data) < 2 or data[2 : 1 + data[1]] != ident:
        return None
    return data[2 + data[1] :].rstrip(b"\0").decode(errors="replace")


def read(path: pathlib.Path) -> Recording:
    octets = path.read_bytes()
    if octets[:8] == b"btsnoop\0":
        return btsnoop(octets)
    if octets[:4] == b"\x0a\x0d\x0d\x0a":
        return pcapng(octets)
    return pcap(octets)


def btsnoop(octets: bytes) -> Recording:
    if struct.unpack_from(">II", octets, 8) != (1, 2001):
        raise ValueError("no btsnoop file of the monitor channel")
    found = Recording()
    place = 16
    while place + 24 <= len(octets):
        original, length, flags, drops, time = struct.unpack_from(">IIIIQ", octets, place)
        if original != length:
            raise ValueError(f"a record of {original} octets was cut to {length}")
        if place + 24 + length > len(octets):
            break
        data = octets[place + 24 : place + 24 + length]
        found.records.append(Record(flags >> 16, flags & 0xFFFF, data, time - EPOCH_OFFSET))
        found.drops = drops
        place += 24 + length
    found.left_over = len(octets) - place
    return found


def pcap(octets: bytes) -> Recording:
    magic = struct.unpack_from("<I", octets)[0]
    link_type = struct.unpack_from("<I", octets, 20)[0]
    if magic != 0xA1B2C3D4 or link_type != 254:
        raise ValueError("no pcap file of the monitor channel with microseconds")
    found = Recording()
    place = 24
    while place + 16 <= len(octets):
        seconds, microseconds, length, original = struct.unpack_from("<IIII", octets, place)
        if original != length:
            raise ValueError(f"a record of {original} octets was cut to {length}")
        if place + 16 + length > len(octets):
            break
        adapter, opcode = struct.unpack_from(">HH", octets, place + 16)
        data = octets[place + 20 : place + 16 + length]
        found.records.append(Record(adapter, opcode, data, seconds * 1_000_000 + microseconds))
        place += 16 + length
    found.left_over = len(octets) - place
    return found


def pcapng(octets: bytes) -> Recording:
    found = Recording()
    place = 0
    while place + 12 <= len(octets):
        kind, length = struct.unpack_from("<II", octets, place)
        if length < 12 or place + length > len(octets):
            break
        if kind == 6:
            _, high, low, captured, original = struct.unpack_from("<IIIII", octets, place + 8)
            if captured != original:
                raise ValueError(f"a record of {original} octets was cut to {captured}")
            adapter, opcode = struct.unpack_from(">HH", octets, place + 28)
            data = octets[place + 32 : place + 28 + captured]
            found.records.append(Record(adapter, opcode, data, high << 32 | low))
            rest = octets[place + 28 + (captured + 3) // 4 * 4 : place + length - 4]
            found.drops += option(rest, 4)
        elif kind == 5:
            statistic = option(octets[place + 20 : place + length - 4], 5)
            if statistic != found.drops:
                raise ValueError(f"packets say {found.drops} drops, the statistics {statistic}")
        place += length
    found.left_over = len(octets) - place
    return found


def option(octets: bytes, wanted: int) -> int:
    """The value of an option of 64 bits; 0 where it is not there."""
    place = 0
    while place + 4 <= len(octets):
        code, length = struct.unpack_from("<HH", octets, place)
        if code == wanted and length == 8:
            return struct.unpack_from("<Q", octets, place + 4)[0]
        if code == 0:
            break
        place += 4 + (length + 3) // 4 * 4
    return 0


def between(recording: Recording, start: str, end: str) -> list[Record]:
    """The records after the mark `start` and before the mark `end`."""
    texts = [note(record) for record in recording.records]
    return recording.records[texts.index(start) + 1 : texts.index(end)]


def streams(records: list[Record]) -> dict[int | None, list[Record]]:
    """The records as every reader of the channel has them: of each adapter its traffic in the order of the
    recording, and under None all the others by their time.

    The kernel gives a record to one reader after the other. Two processors that give one each, the queue of
    an adapter a command and the management interface an event, may come to two readers in different orders.
    What one adapter's queue gives is never in two hands at once. A program's log line has no time here: the
    kernel takes it for each reader anew.
    """
    found: dict[int | None, list[Record]] = {None: []}
    for record in records:
        if record.opcode in TRAFFIC:
            found.setdefault(record.adapter, []).append(record)
        elif record.opcode == USER_LOGGING:
            found[None].append(Record(record.adapter, record.opcode, record.data, 0))
        else:
            found[None].append(record)
    found[None].sort(key=lambda record: (record.microseconds, record.adapter, record.opcode, record.data))
    return found
