"""What tshark says about a capture, packet by packet, in the terms of the comparison."""

import json
import shutil
import subprocess
from dataclasses import dataclass, field

# ATT opcode -> where its value begins in the PDU. What has no single value is not in here.
VALUE_OFFSET = {
    0x0B: 1, 0x0D: 1, 0x0F: 1, 0x12: 3, 0x16: 5, 0x17: 5, 0x1B: 3, 0x1D: 3, 0x52: 3, 0xD2: 3,
}
SIGNATURE_OCTETS = 12

# ATT opcodes whose PDU carries one attribute handle at a fixed place.
HANDLE_OFFSET = {
    0x01: 2, 0x0A: 1, 0x0C: 1, 0x12: 1, 0x16: 1, 0x17: 1, 0x1B: 1, 0x1D: 1, 0x52: 1, 0xD2: 1,
}


@dataclass
class ATT:
    """One ATT PDU: its opcode, the handles in it in their order, its octets and its value."""

    opcode: int
    handles: tuple = ()
    octets: bytes = b''
    value: bytes | None = None


@dataclass
class Packet:
    """One record of a capture."""

    number: int
    time: str
    layers: str = ''
    command: int | None = None
    event: int | None = None
    subevent: int | None = None
    att: list = field(default_factory=list)
    smp: list = field(default_factory=list)
    cut: bool = False
    labels: list = field(default_factory=list)
    adapter: int = 0
    direction: str | None = None
    h4: bytes = b''

    @property
    def handle(self):
        """The connection handle of ACL data."""
        is_acl = self.h4[:1] == b'\x02' and len(self.h4) >= 3
        return int.from_bytes(self.h4[1:3], 'little') & 0xFFF if is_acl else None


def available():
    return shutil.which('tshark') is not None


def value_of(octets):
    """The value that stands in an ATT PDU, or None when its kind has none."""
    if not octets or octets[0] not in VALUE_OFFSET:
        return None
    offset = VALUE_OFFSET[octets[0]]
    end = len(octets) - SIGNATURE_OCTETS if octets[0] == 0xD2 else len(octets)
    return octets[offset:end] if len(octets) >= offset and end >= offset else None


def _raw_entries(tree, wanted, found):
    """(position, name, octets) of the wanted fields that are octets of the packet, not generated."""
    for key, value in tree.items():
        if key.endswith('_raw') and key[:-4] in wanted and value:
            for entry in value if isinstance(value[0], list) else [value]:
                found.append((entry[1], key[:-4], entry[0], entry[2]))
        elif isinstance(value, dict):
            _raw_entries(value, wanted, found)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    _raw_entries(item, wanted, found)
    return found


def _listed(value):
    """One entry or several, as a list; a raw entry is itself a list that begins with a string."""
    if value is None:
        return []
    if isinstance(value, list) and value and isinstance(value[0], list):
        return value
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [value]
    return value if isinstance(value, list) else [value]


def _att(layers):
    trees = [tree for tree in _listed(layers.get('btatt')) if isinstance(tree, dict)]
    raws = _listed(layers.get('btatt_raw'))
    pdus, labels = [], []
    for raw, tree in zip(raws, trees):
        octets = bytes.fromhex(raw[0])
        if not octets:
            continue
        names = {'btatt.handle', 'btatt.starting_handle', 'btatt.ending_handle', 'btatt.group_end_handle'}
        entries = sorted(_raw_entries(tree, names, []))
        step = octets[1] if octets[0] == 0x09 and len(octets) > 1 else None
        # In declarations tshark takes the handle inside the value for one more: the list has one each.
        handles = tuple(int.from_bytes(bytes.fromhex(hexed), 'little')
                        for at, _, hexed, size in entries
                        if size == 2 and not (step and (at - raw[1] - 2) % step))
        if octets[0] in HANDLE_OFFSET:
            # What a value holds may be handles too: they are no handles of the PDU.
            own = raw[1] + HANDLE_OFFSET[octets[0]]
            handles = tuple(int.from_bytes(bytes.fromhex(hexed), 'little')
                            for at, name, hexed, size in entries if at == own and name == 'btatt.handle')
        pdus.append(ATT(octets[0], handles, octets, value_of(octets)))
        labels.append(_label(tree))
    return pdus, labels


def _label(tree):
    """The (service, characteristic, attribute) UUIDs that tshark puts on the first handle."""
    under = tree.get('btatt.handle_tree')
    under = under[0] if isinstance(under, list) else under
    if not isinstance(under, dict):
        return None
    def one(*names):
        for name in names:
            value = under.get(name)
            if value:
                value = value[0] if isinstance(value, list) else value
                return value.removeprefix('0x').replace(':', '').upper()
        return None
    return (one('btatt.service_uuid16', 'btatt.service_uuid128'),
            one('btatt.characteristic_uuid16', 'btatt.characteristic_uuid128'),
            one('btatt.uuid16', 'btatt.uuid128'))


def _number(layer, name):
    value = layer.get(name) if isinstance(layer, dict) else None
    value = value[0] if isinstance(value, list) else value
    return int(value, 0) if value is not None else None


# Monitor channel opcode, PacketLogger type -> (H4 packet type, direction).
MONITOR = {2: (1, 'tx'), 3: (4, 'rx'), 4: (2, 'tx'), 5: (2, 'rx'), 6: (3, 'tx'), 7: (3, 'rx'),
           18: (5, 'tx'), 19: (5, 'rx')}
PACKET_LOGGER = {0: (1, 'tx'), 1: (4, 'rx'), 2: (2, 'tx'), 3: (2, 'rx'), 8: (3, 'tx'), 9: (3, 'rx')}


def _carry(packet, layers):
    """Gives the packet its adapter, direction and H4 octets, as tshark found them in the file."""
    raw = _listed(layers.get('frame_raw'))
    octets = bytes.fromhex(raw[0][0] or '') if raw else b''
    monitor, logger = layers.get('hci_mon'), layers.get('packetlogger')
    if isinstance(monitor, dict):
        packet.adapter = _number(monitor, 'hci_mon.adapter_id') or 0
        kind, packet.direction = MONITOR.get(_number(monitor, 'hci_mon.opcode'), (None, None))
    elif isinstance(logger, dict):
        kind, packet.direction = PACKET_LOGGER.get(_number(logger, 'packetlogger.type'), (None, None))
        octets = octets[1:]
    elif 'hci_h4' in layers:
        direction = layers['frame'].get('frame.p2p_dir')
        packet.direction = {'0': 'tx', '1': 'rx'}.get(direction)
        packet.h4 = octets
        return
    else:
        return
    packet.h4 = bytes([kind]) + octets if kind else b''


def packet_of(layers):
    """A packet from the layers of tshark's JSON."""
    frame = layers['frame']
    packet = Packet(int(frame['frame.number']), frame['frame.time_epoch'], frame['frame.protocols'])
    packet.cut = int(frame['frame.cap_len']) < int(frame['frame.len'])
    command = layers.get('bthci_cmd')
    packet.command = _number(command, 'bthci_cmd.opcode')
    event = layers.get('bthci_evt')
    packet.event = _number(event, 'bthci_evt.code')
    packet.subevent = _number(event, 'bthci_evt.le_meta_subevent')
    packet.att, packet.labels = _att(layers)
    packet.smp = [int(entry['btsmp.opcode'], 0) for entry in _listed(layers.get('btsmp'))
                  if isinstance(entry, dict) and 'btsmp.opcode' in entry]
    _carry(packet, layers)
    return packet


# The layers that a packet is made of: tshark writes a third less than with all.
LAYERS = 'frame hci_mon packetlogger hci_h4 bthci_cmd bthci_evt btatt btsmp'


def read(path, options=()):
    """(packets, what tshark said on standard error). Raises RuntimeError when it gives none."""
    run = subprocess.run(
        ['tshark', '-n', '-r', str(path), '-T', 'json', '-x', '--no-duplicate-keys', '-J', LAYERS, *options],
        capture_output=True, timeout=600, check=False)
    said = run.stderr.decode(errors='replace').strip()
    said = '\n'.join(line for line in said.split('\n') if 'Running as user' not in line)
    if not run.stdout.strip():
        raise RuntimeError(said or f'tshark ended with {run.returncode} and no output')
    packets = [packet_of(entry['_source']['layers']) for entry in json.loads(run.stdout)]
    return packets, said


def is_hci(packets):
    """Whether a capture holds host-controller traffic (and not what was heard in the air)."""
    marks = ('hci_h4', 'hci_mon', 'packetlogger', 'bthci')
    return any(mark in packet.layers for packet in packets[:50] for mark in marks)
