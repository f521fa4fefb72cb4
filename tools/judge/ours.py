"""What `blecap annotate --format ndjson` says about a capture, in the terms of the comparison."""

import calendar
import json
import pathlib
import subprocess
import time
from dataclasses import dataclass, field

# PDUs that hold several handles, or one beside others: they stand in the PDU's parameters.
LISTED = {0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0E, 0x10, 0x11, 0x20, 0x23}
SINGLE = {0x01, 0x0A, 0x0C, 0x12, 0x16, 0x17, 0x18, 0x1B, 0x1D, 0x52, 0xD2}


@dataclass
class ATT:
    """One ATT PDU as it was annotated."""

    opcode: int
    handles: tuple
    value: bytes | None
    label: tuple
    source: str | None


@dataclass
class Frame:
    """One record as it was annotated."""

    number: int
    time: str
    command: int | None = None
    event: int | None = None
    subevent: int | None = None
    att: list = field(default_factory=list)
    smp: list = field(default_factory=list)
    problems: list = field(default_factory=list)
    is_vendor: bool = False


def binary(root, given=None):
    """The command to judge: the one named, else the newest build."""
    if given:
        return given
    built = [root / folder / 'blecap'
             for folder in ('.build/release', '.cache/build-static/release', '.build/tests/debug')]
    built = [path for path in built if path.exists()]
    if not built:
        raise FileNotFoundError('no build of blecap; run tools/setup')
    return max(built, key=lambda path: path.stat().st_mtime)


def _listed(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def _handles(tree, found):
    """Every whole number that is named a handle, in the order of the PDU."""
    for key, value in tree.items() if isinstance(tree, dict) else []:
        if 'handle' in key and isinstance(value, int):
            found.append(value)
        elif 'handle' in key and isinstance(value, list) and all(isinstance(item, int) for item in value):
            found.extend(value)
        elif isinstance(value, dict):
            _handles(value, found)
        elif isinstance(value, list):
            for item in value:
                _handles(item, found)
    return found


def _att(tree):
    opcode = tree['opcode']
    if opcode in LISTED:
        handles = tuple(_handles(tree.get('parameters', {}), []))
    elif opcode in SINGLE and 'handle' in tree:
        handles = (tree['handle'],)
    else:
        handles = ()
    value = bytes.fromhex(tree['value']) if 'value' in tree else None
    return ATT(opcode, handles, value, (tree.get('service'), tree.get('characteristic')), tree.get('label'))


def frame_of(line):
    """A frame from one object of the output."""
    frame = Frame(line['frame'], line['time'])
    hci = line.get('hci', {})
    if line.get('type') == 'command':
        frame.command = hci.get('opcode')
    elif line.get('type') == 'event':
        frame.event, frame.subevent = hci.get('event'), hci.get('subevent')
    frame.att = [_att(tree) for tree in _listed(line.get('att'))]
    frame.smp = [tree['code'] for tree in _listed(line.get('smp'))]
    frame.is_vendor = line.get('acl', {}).get('vendor', False)
    frame.problems = [problem['code'] for problem in line.get('problems', [])]
    return frame


def read(blecap, path):
    """(frames, exit status, what it said on standard error)."""
    run = subprocess.run([str(blecap), 'annotate', '--format', 'ndjson', str(path)],
                         capture_output=True, timeout=600, check=False)
    frames = []
    for line in run.stdout.decode().split('\n'):
        if line:
            entry = json.loads(line)
            if entry.get('kind') == 'frame':
                frames.append(frame_of(entry))
    return frames, run.returncode, run.stderr.decode(errors='replace').strip()


def nanoseconds(text):
    """Nanoseconds since 1970 of an RFC 3339 time in UTC, or of tshark's seconds with a fraction."""
    if 'T' not in text:
        sign = -1 if text.startswith('-') else 1
        whole, _, fraction = text.lstrip('-').partition('.')
        return sign * (int(whole) * 1_000_000_000 + int(fraction.ljust(9, '0')[:9]))
    head, _, fraction = text.removesuffix('Z').partition('.')
    seconds = calendar.timegm(time.strptime(head, '%Y-%m-%dT%H:%M:%S'))
    return seconds * 1_000_000_000 + int((fraction or '0').ljust(9, '0')[:9])


def captures_of(folder):
    """The files of a folder that may be captures."""
    folder = pathlib.Path(folder)
    plain = ('.md', '.json', '.ndjson', '.txt', '.gatt')
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix not in plain)
