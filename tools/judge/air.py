"""Judges captures from the air by tshark, packet by packet (`judge air`).

Compared are the types of advertising PDUs, the opcodes of link layer control, ATT and SMP, and the values
of ATT, of all packets whose check sequence is right. A difference belongs to a class only if the class's rule
holds for that packet.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import tempfile

FIELDS = ('frame.number', 'btatt.opcode', 'btatt.value', 'btle.control_opcode',
          'btle.advertising_header.pdu_type', 'btsmp.opcode')

# What tshark does not decode, and what it decodes twice.
CLASSES = {
    'repetition': 'a repeated packet is named as one, and its PDU is not shown again',
    'closed': 'the PDU is encrypted: what tshark shows are its ciphertext bytes',
    'damaged': 'the check sequence is wrong: blecap reads nothing in it',
    'fragment': 'tshark decodes the first fragment or shows the PDU at another fragment',
    'stray': 'a packet with the access address of no connection that was heard',
}


def read_tshark(blecap, path, folder):
    """The fields of each packet by its number.

    tshark has no keys, and does not read Ubertooth's PPI: it reads what `convert` writes, with PDUs opened.
    """
    written = pathlib.Path(folder, 'converted.pcapng')
    written.unlink(missing_ok=True)
    subprocess.run([str(blecap), 'convert', str(path), str(written)], capture_output=True, check=False)
    path = written if written.exists() else path
    command = ['tshark', '-r', str(path), '-T', 'fields', '-E', 'separator=|', '-E', 'occurrence=f']
    for name in FIELDS:
        command += ['-e', name]
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    packets = {}
    for line in out.splitlines():
        number, *values = line.split('|')
        packets[int(number)] = dict(zip(FIELDS[1:], values))
    return packets


def read_ours(blecap, path):
    out = subprocess.run([str(blecap), 'annotate', '--format', 'ndjson', str(path)], capture_output=True,
                         text=True, check=False).stdout
    frames = (json.loads(line) for line in out.splitlines())
    return {frame['frame']: frame for frame in frames if frame['kind'] == 'frame'}


def number(text):
    return int(text, 0) if text else None


def differences(packet, frame):
    """The names of the fields in which one packet differs."""
    air, att = frame.get('air', {}), frame.get('att', {})
    pdu = air.get('pdu', {})
    is_control = 'pdu' in air and air['access_address'] != '8e89bed6'
    pairs = {
        'ATT opcode': (number(packet['btatt.opcode']), att.get('opcode')),
        'control opcode': (number(packet['btle.control_opcode']), pdu.get('code') if is_control else None),
        'SMP code': (number(packet['btsmp.opcode']), frame.get('smp', {}).get('code')),
    }
    if packet['btatt.value'] and isinstance(att.get('value'), str):
        pairs['ATT value'] = (packet['btatt.value'].replace(':', ''), att['value'])
    if packet['btle.advertising_header.pdu_type']:
        theirs = number(packet['btle.advertising_header.pdu_type'])
        pairs['advertising PDU'] = (theirs, None if is_control else pdu.get('code'))
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def explain(frame, wrong):
    """The class of a packet's differences; None if they have none."""
    air = frame.get('air', {})
    if air.get('crc_ok') is False:
        return 'damaged'
    if air.get('retransmission'):
        return 'repetition'
    if air.get('encrypted'):
        return 'closed'
    if 'name' not in air.get('pdu', {}) and not air.get('connection', frame.get('connection')):
        return 'stray'
    if 'acl' in frame or frame.get('l2cap', {}).get('fragments'):
        return 'fragment'
    return None


def judge_all(blecap, paths, is_quiet, most_lines):
    """Compares captures from the air; others are left out. 1 if a difference has no class."""
    status, judged, packets, classes = 0, 0, 0, collections.Counter()
    folder = tempfile.mkdtemp()
    for path in paths:
        frames = read_ours(blecap, path)
        if not any('air' in frame for frame in frames.values()):
            continue
        theirs = read_tshark(blecap, path, folder)
        judged += 1
        packets += len(frames)
        lines = []
        for place, frame in frames.items():
            wrong = differences(theirs.get(place, dict.fromkeys(FIELDS[1:], '')), frame)
            if not wrong:
                continue
            name = explain(frame, wrong)
            if name:
                classes[name] += 1
            else:
                lines += [f'packet {place}: {what}: tshark {pair[0]}, blecap {pair[1]}'
                          for what, pair in wrong.items()]
        if lines:
            status = 1
            print(f'DIFFERS {path.name}: {len(lines)} of {len(frames)} packets')
            for line in lines[:most_lines]:
                print(f'    {line}')
        elif not is_quiet:
            print(f'ok      {path.name}: {len(frames)} packets')
    shutil.rmtree(folder)
    found = dict(classes) or 'none'
    print(f'{judged} captures from the air, {packets} packets; differences by class: {found}')
    return status
