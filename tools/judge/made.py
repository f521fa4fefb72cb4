"""The captures of known truth: the command must say the truth, and the others what they are known to."""

import pathlib
import subprocess
import tempfile

from judge import captures, ours, tshark, vote
from judge.capture import Truth


def single_handle(octets):
    """The handle in an ATT PDU of one attribute, as far as the octets have it."""
    at = tshark.HANDLE_OFFSET.get(octets[0]) if octets else None
    return int.from_bytes(octets[at:at + 2], 'little') if at and len(octets) >= at + 2 else None


def _facts(octets):
    """Opcode, handle and value of a true PDU."""
    return octets[0], single_handle(octets), tshark.value_of(octets)


def _my_facts(pdu):
    handle = pdu.handles[0] if pdu.handles and pdu.opcode in ours.SINGLE else None
    value = pdu.value if pdu.opcode in tshark.VALUE_OFFSET else None
    return pdu.opcode, handle, value


def judge_ours(made, frames, status, error, expected):
    """Where the command is not the truth."""
    wrong = []
    count = len(made.records) - (1 if made.keep_octets else 0)
    if len(frames) != count:
        wrong.append(f'{len(frames)} frames, {count} are true')
    for frame in frames:
        truth = made.truth.get(frame.number, Truth())
        true = [_facts(octets) for octets in truth.att]
        mine = [_my_facts(pdu) for pdu in frame.att]
        if [(opcode, handle, value or None) for opcode, handle, value in mine] \
                != [(opcode, handle, value or None) for opcode, handle, value in true]:
            wrong.append(f'frame {frame.number}: {mine}, true is {true}')
        if frame.smp != truth.smp:
            wrong.append(f'frame {frame.number}: SMP {frame.smp}, true is {truth.smp}')
        if truth.label and frame.att and frame.att[0].label != truth.label:
            wrong.append(f'frame {frame.number}: label {frame.att[0].label} ({frame.att[0].source}), '
                         f'true is {truth.label}')
    for number, code in expected.problems.items():
        problems = next((frame.problems for frame in frames if frame.number == number), [])
        if code not in problems:
            wrong.append(f'frame {number}: problems {problems}, true is {code}')
    if status != expected.status:
        wrong.append(f'exit status {status}, {expected.status} is right')
    if expected.error not in error:
        wrong.append(f'standard error does not name the {expected.error}: {error}')
    return wrong


def differences_of_tshark(made, packets):
    """The frames where tshark's labels, and where its PDUs, are not the truth."""
    labels, pdus = [], []
    for packet in packets:
        truth = made.truth.get(packet.number, Truth())
        if [pdu.octets for pdu in packet.att] != truth.att or packet.smp != truth.smp:
            pdus.append(packet.number)
            continue
        shown = packet.labels[0] if packet.labels else None
        if truth.label and shown:
            service, characteristic, uuid = shown
            if (service, characteristic or uuid) != truth.label:
                labels.append(packet.number)
    return labels, pdus


def judge_vote(made):
    """The frames where Bumble's parsers do not agree with the truth, among whole PDUs."""
    wrong = []
    voter = vote.Vote()
    for number, record in enumerate(made.records, 1):
        att, smp = voter.record(record.adapter, record.direction, record.octets)
        truth = made.truth.get(number, Truth())
        if record.original is not None:
            continue
        if [pdu[0] for pdu in att] != [octets[0] for octets in truth.att] or smp != truth.smp:
            wrong.append(number)
        for pdu, octets in zip(att, truth.att):
            handle = single_handle(octets)
            if handle is not None and pdu[1] != handle:
                wrong.append(number)
            if pdu[2] is not None and pdu[2] != tshark.value_of(octets):
                wrong.append(number)
    return wrong


def _text(arguments):
    done = subprocess.run(arguments, capture_output=True, timeout=600, check=False)
    return done.stdout.decode(errors='replace')


def judge_one(name, blecap, path):
    """(what is wrong, what the line says) of one capture."""
    made, expected = captures.CAPTURES[name](), captures.EXPECTED[name]
    path.write_bytes(captures.octets_of(made))
    frames, status, error = ours.read(blecap, path)
    wrong = [f'command: {line}' for line in judge_ours(made, frames, status, error, expected)]
    packets, _ = tshark.read(path)
    labels, pdus = differences_of_tshark(made, packets)
    found = 'labels' if labels and not pdus else 'pdus' if pdus and not labels else \
        'both' if labels else 'none'
    if found != expected.tshark:
        wrong.append(f'tshark: differs in {found} (labels {labels}, PDUs {pdus}), not in {expected.tshark}')
    against = judge_vote(made)
    if against:
        wrong.append(f'third vote: not the truth on frames {against}')
    if expected.names:
        theirs = _text(['tshark', '-n', '-r', str(path), '-V'])
        mine = _text([str(blecap), 'annotate', '--all', str(path)])
        for word in expected.names:
            if word in mine:
                wrong.append(f'command: names a characteristic "{word}"')
            if word not in theirs:
                wrong.append(f'tshark: does not show "{word}" any more')
    said = f'{len(frames)} frames true; tshark wrong in {found}'
    if labels or pdus:
        said += f' on frames {labels or pdus}'
    if expected.names:
        said += f', and in names: {", ".join(expected.names)}'
    return wrong, said


def judge_all(blecap, keep=None):
    """Judges every capture of known truth; keeps the files in `keep` where that is given."""
    status = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in captures.CAPTURES:
            wrong, said = judge_one(name, blecap, folder / f'{name}.btsnoop')
            print(f'{"WRONG" if wrong else "ok   "} {name}: {said}')
            for line in wrong:
                print(f'      {line}')
            status |= bool(wrong)
    return status
