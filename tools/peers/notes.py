"""python -m peers.notes CAPTURE: what happens in a recording, at which frames, in Markdown.

For the notes beside the captures: an account that does not come from blecap.
"""

import argparse
import json
import pathlib
import struct
from collections import Counter
from collections.abc import Iterator

from . import capture
from .uqdk import security
from .uqdk.fragments import FragmentError, Reassembler
from .uqdk.messages import Command, Kind, Message, MessageError, Status

ATT_NAMES = {
    0x01: "Error Response",
    0x02: "Exchange MTU Request",
    0x03: "Exchange MTU Response",
    0x0A: "Read Request",
    0x0B: "Read Response",
    0x0C: "Read Blob Request",
    0x0D: "Read Blob Response",
    0x12: "Write Request",
    0x13: "Write Response",
    0x16: "Prepare Write Request",
    0x17: "Prepare Write Response",
    0x18: "Execute Write Request",
    0x19: "Execute Write Response",
    0x1B: "Handle Value Notification",
    0x1D: "Handle Value Indication",
    0x1E: "Handle Value Confirmation",
    0x52: "Write Command",
}
HANDLE_FIRST = {0x0A, 0x0C, 0x12, 0x16, 0x1B, 0x1D, 0x52}
SHOWN = set(ATT_NAMES) - {0x13, 0x19, 0x1E}  # bare acknowledgements are counted only
WRITES = {0x12, 0x52}
NOTIFICATION = 0x1B
UQDK_COMMAND = "5551444b-0002"

Line = tuple[int, str]


def with_adapter(path: pathlib.Path, lines: Iterator[Line]) -> list[Line]:
    """The lines, with the adapter where there are several."""
    adapters = {
        record.frame: record.adapter
        for record in capture.records(path)
        if record.opcode in (capture.COMMAND, capture.EVENT, capture.ACL_SENT, capture.ACL_RECEIVED)
    }
    if len(set(adapters.values())) == 1:
        return list(lines)
    return [(frame, f"hci{adapters[frame]}: {text}") for frame, text in lines]


def hci_events(path: pathlib.Path) -> Iterator[Line]:
    """The life of the links."""
    for record in capture.records(path):
        data = record.data
        if record.opcode == capture.COMMAND and data[:2] == b"\x0c\x20":
            yield record.frame, "LE Set Scan Enable: " + ("on" if data[3] else "off")
        elif record.opcode == capture.COMMAND and data[:2] == b"\x0d\x20":
            yield record.frame, "LE Create Connection"
        elif record.opcode != capture.EVENT:
            continue
        elif data[0] == 0x3E and data[2] == 0x01:
            address = ":".join(f"{octet:02X}" for octet in data[13:7:-1])
            kind = "random" if data[7] else "public"
            handle = int.from_bytes(data[4:6], "little")
            yield (
                record.frame,
                (
                    f"LE Connection Complete: status {data[3]:#04x}, handle {handle:#06x}, "
                    f"{address} ({kind})"
                ),
            )
        elif data[0] == 0x05:
            handle = int.from_bytes(data[3:5], "little")
            yield record.frame, f"Disconnection Complete: handle {handle:#06x}, reason {data[5]:#04x}"
        elif data[0] in (0x08, 0x59):
            yield record.frame, f"Encryption Change: status {data[2]:#04x}, enabled {data[5]}"


def att_events(path: pathlib.Path) -> Iterator[Line]:
    """The ATT PDUs that carry values, and the errors; discovery is left out."""
    for pdu in capture.att_pdus(path):
        opcode, rest = pdu.data[0], pdu.data[1:]
        if opcode not in SHOWN:
            continue
        arrow = "→" if pdu.is_sent else "←"
        text = f"{arrow} {ATT_NAMES[opcode]}"
        if opcode in HANDLE_FIRST:
            text += f", handle {int.from_bytes(rest[:2], 'little'):#06x}"
            rest = rest[2:]
        elif opcode == 0x01:
            request, handle, error = struct.unpack("<BHB", rest)
            if request in (0x04, 0x06, 0x08, 0x10):
                continue  # the end of a discovery
            text += f", opcode {request:#04x}, handle {handle:#06x}, error {error:#04x}"
            rest = b""
        yield pdu.record.frame, f"{text} {rest.hex()}".rstrip()


class UqdkReader:
    """The messages of a UQDK session, opened with the test keys."""

    def __init__(self, keys: dict[bytes, bytes]):
        self.keys = keys
        self.now = 0.0
        self.streams = {True: Reassembler(lambda: self.now), False: Reassembler(lambda: self.now)}
        self.begun: tuple[bytes, bytes] = (b"", b"")
        self.sessions: dict[bool, security.Session] = {}  # by "from the phone"
        self.next: dict[bool, security.Session] = {}  # stands once AUTH_FINISH is answered with success

    def restart(self) -> None:
        """A new link."""
        self.sessions.clear()
        for stream in self.streams.values():
            stream.clear()

    def fragment(self, pdu: capture.Pdu, value: bytes) -> Iterator[dict]:
        self.now = pdu.record.microseconds / 1e6
        for outcome in self.streams[pdu.is_sent].receive(value):
            frame = {"frame": pdu.record.frame, "from": "phone" if pdu.is_sent else "car"}
            if isinstance(outcome, FragmentError):
                yield {**frame, "id": outcome.message_id, "error": str(outcome)}
                continue
            message_id, octets = outcome
            yield {**frame, "id": message_id, **self._message(pdu.is_sent, message_id, octets)}

    def _message(self, from_phone: bool, message_id: int, octets: bytes) -> dict:
        try:
            message = Message.decode(octets)
        except MessageError as error:
            return {"octets": octets.hex(), "error": str(error)}
        name = Command(message.command).name if message.command in iter(Command) else "unknown"
        fields = {
            "kind": message.kind.name.lower(),
            "command": message.command,
            "name": name,
            "secured": message.is_secured,
        }
        body = message.payload
        if message.is_secured:
            fields["counter"] = int.from_bytes(body[:4], "big")
            try:
                _, body = self.sessions[from_phone].open(message_id, message.header, body)
                fields["tag"] = "verified"
            except (security.SecurityError, KeyError):
                return {**fields, "tag": "wrong", "payload": message.payload.hex()}
        fields["body"] = body.hex()
        if message.kind == Kind.RESPONSE and body:
            fields["status"] = Status(body[0]).name
        self._follow(message, body)
        return fields

    def _follow(self, message: Message, body: bytes) -> None:
        """What the authentication's messages say about the session."""
        if message.command == Command.AUTH_BEGIN and message.kind == Kind.REQUEST:
            self.begun = body[:8], body[8:24]
        elif message.command == Command.AUTH_BEGIN and len(body) == 25:
            key_id, phone_nonce = self.begun
            if key_id in self.keys:
                nonce = body[1:17]
                secret = security.session_key(self.keys[key_id], phone_nonce, nonce)
                self.next = {
                    from_phone: security.Session(secret, nonce, 1 if from_phone else 0)
                    for from_phone in (True, False)
                }
        elif message.command == Command.AUTH_FINISH and body[:1] == b"\0" and len(body) == 3:
            self.sessions = dict(self.next)


def uqdk_messages(path: pathlib.Path, keys: dict[bytes, bytes], handles: tuple[int, int]):
    """Every UQDK message, on the frame that completes it."""
    reader = UqdkReader(keys)
    ends = [frame for frame, text in hci_events(path) if text.startswith("Disconnection")]
    for pdu in capture.att_pdus(path):
        while ends and pdu.record.frame > ends[0]:
            ends.pop(0)
            reader.restart()
        opcode, handle = pdu.data[0], int.from_bytes(pdu.data[1:3], "little")
        wanted = (opcode in WRITES, opcode == NOTIFICATION)
        if (wanted[0] and handle == handles[0]) or (wanted[1] and handle == handles[1]):
            yield from reader.fragment(pdu, pdu.data[3:])


def uqdk_lines(messages: list[dict]) -> Iterator[Line]:
    for fields in messages:
        who = fields["from"]
        if "error" in fields:
            yield fields["frame"], f"{who}, id {fields['id']:#04x}: {fields['error']}"
            continue
        secured = f", secured, counter {fields['counter']}" if fields["secured"] else ""
        text = f"{who}, id {fields['id']:#04x}: {fields['name']} {fields['kind']}{secured}"
        if "status" in fields:
            text += f", {fields['status']}"
        yield fields["frame"], f"{text}, body {fields.get('body', 'unknown')}"


def markdown(title: str, lines: list[Line]) -> str:
    rows = "\n".join(f"| {frame} | {text} |" for frame, text in lines)
    return f"## {title}\n\n| frame | |\n|---|---|\n{rows}\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="peers.notes", description=__doc__.splitlines()[0])
    parser.add_argument("capture", type=pathlib.Path)
    parser.add_argument("--keys", type=pathlib.Path, help="the recording is a UQDK session")
    parser.add_argument("--messages", type=pathlib.Path, help="write the UQDK messages as NDJSON")
    options = parser.parse_args()
    path = options.capture
    counts = Counter(record.opcode for record in capture.records(path))
    pdus = Counter(pdu.data[0] for pdu in capture.att_pdus(path))
    print(
        f"{counts.total()} records: {counts[capture.COMMAND]} commands, "
        f"{counts[capture.EVENT]} events, {counts[capture.ACL_SENT]} ACL sent, "
        f"{counts[capture.ACL_RECEIVED]} ACL received, the rest the monitor channel's own; "
        f"{pdus.total()} ATT PDUs.\n"
    )
    print(markdown("Links", with_adapter(path, hci_events(path))))
    if options.keys:
        keys = {
            bytes.fromhex(entry["keyId"]): bytes.fromhex(entry["key"])
            for entry in json.loads(options.keys.read_text())["uqdk"]
        }
        messages = list(uqdk_messages(path, keys, (0x0010, 0x0012)))
        print(markdown("UQDK messages", list(uqdk_lines(messages))))
        if options.messages:
            text = "".join(json.dumps(fields) + "\n" for fields in messages)
            options.messages.write_text(text)
    else:
        print(markdown("Values", with_adapter(path, att_events(path))))


if __name__ == "__main__":
    main()
