"""One capture with every HCI command, event and return there may be, their parameters drawn from a seed."""

import contextlib
import pathlib
import random
import struct
import tempfile

from judge import files
from judge.capture import Capture

SEED = 1
ROUNDS = 4
LAST_COMMANDS = {1: 0x45, 2: 0x11, 3: 0x84, 4: 0x0F, 5: 0x0D, 6: 0x0A, 8: 0xB0}
LAST_EVENT, LAST_SUBEVENT = 0x59, 0x36
COMMAND_COMPLETE, COMMAND_STATUS, LE_META = 0x0E, 0x0F, 0x3E
# What takes no numbers drawn at random: pages of features, packet types, and a count that is always one.
LOCAL_EXTENDED_FEATURES = 0x1004
REMOTE_EXTENDED_FEATURES, PACKET_TYPE_CHANGED, EXTENDED_INQUIRY_RESULT = 0x23, 0x1D, 0x2F
LEFT_OUT = {COMMAND_COMPLETE, COMMAND_STATUS, LE_META, REMOTE_EXTENDED_FEATURES, PACKET_TYPE_CHANGED,
            EXTENDED_INQUIRY_RESULT}
# Small numbers only: as counts they ask for no more than there is, and as numbers have no sign.
LARGEST = 7


def capture():
    """Each in turn, several times over, with as many bytes as fit: both readers leave what is over."""
    made, source = Capture(), random.Random(SEED)
    drawn = lambda count: bytes(source.randint(1, LARGEST) for _ in range(count))  # noqa: E731
    opcodes = [group << 10 | command
               for group, last in LAST_COMMANDS.items() for command in range(1, last + 1)]
    for _ in range(ROUNDS):
        for opcode in opcodes:
            octets = struct.pack('<H', opcode)
            made.raw(b'\x01' + octets + b'\xff' + drawn(255), 'tx')
            if opcode != LOCAL_EXTENDED_FEATURES:
                made.event(bytes([4, COMMAND_COMPLETE, 255, 1]) + octets + b'\0' + drawn(251))
        for code in range(1, LAST_EVENT + 1):
            if code not in LEFT_OUT:
                made.event(bytes([4, code, 255]) + drawn(255))
        for code in range(1, LAST_SUBEVENT + 1):
            made.event(bytes([4, LE_META, 255, code]) + drawn(254))
    return made


@contextlib.contextmanager
def file():
    """The capture in a file, which goes afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'every-pdu.btsnoop'
        path.write_bytes(files.btsnoop(capture().records))
        yield path
