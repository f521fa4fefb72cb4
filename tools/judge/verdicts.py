"""Judges the verdict by sessions whose truth is known: faults.py and healthy.py (`judge faults`)."""

import json
import pathlib
import subprocess
import tempfile
from dataclasses import replace

from judge import files, octets as o
from judge.faults import FAILING
from judge.healthy import HEALTHY
from judge.session import Session

# What a recorder or an export leaves out: such a log may tell less, and nothing else.

def without_events(records):
    return [record for record in records if record.octets[0] != o.EVENT]


def received_only(records):
    return [record for record in records if record.direction == 'rx']


def sent_only(records):
    return [record for record in records if record.direction == 'tx']


def second_half(records):
    return records[len(records) // 2:]


def first_half(records):
    return records[:len(records) // 2]


def cut_values(records):
    """As Android's filtered mode: of data, the headers and the opcode are kept."""
    return [replace(record, octets=record.octets[:12], original=len(record.octets))
            if record.octets[0] == o.ACL else record for record in records]


def data_only(records):
    return [record for record in records if record.octets[0] == o.ACL]


LEFT_OUT = [without_events, received_only, sent_only, second_half, first_half, cut_values, data_only]

FORMS = {'btsnoop': lambda records: files.btsnoop(records),
         'monitor': lambda records: files.btsnoop(records, 2001), 'pklg': files.packet_logger}


def summary(blecap, path):
    done = subprocess.run([blecap, 'annotate', '--format', 'ndjson', path], capture_output=True, timeout=600,
                          check=True)
    return json.loads(done.stdout.splitlines()[-1])


def first_of(found):
    """Code and side of what the verdict names first; Nones where nothing failed."""
    if not found['wrong']:
        return None, None
    return found['wrong'][0]['code'], found['wrong'][0].get('side')


def failures(blecap, records, folder):
    """The codes of all that failed, by a log of these records."""
    path = pathlib.Path(folder) / 'part.btsnoop'
    path.write_bytes(files.btsnoop(records))
    return {entry['code'] for entry in summary(blecap, path)['wrong']}


def judge_all(blecap, seeds):
    """Judges every session in each form, with each of the seeds; 1 where a verdict is not the truth."""
    wrong, judged = [], 0
    cases = [(name, (code, side), make) for name, (_, code, side, make) in FAILING.items()]
    cases += [(name, (None, None), make) for name, make in HEALTHY.items()]
    with tempfile.TemporaryDirectory() as scratch:
        for name, truth, make in cases:
            for seed in seeds:
                session = Session(f'{name} {seed}')
                make(session)
                for form, octets_of in FORMS.items():
                    path = pathlib.Path(scratch) / f'{name}-{seed}.{form}'
                    path.write_bytes(octets_of(session.records))
                    said = first_of(summary(blecap, path))
                    judged += 1
                    if said != truth:
                        wrong.append(f'{name}, seed {seed}, {form}: {said}, true is {truth}')
                    path.unlink()
                whole = failures(blecap, session.records, scratch)
                for leave_out in LEFT_OUT:
                    judged += 1
                    more = failures(blecap, leave_out(session.records), scratch) - whole
                    if more:
                        wrong.append(f'{name}, seed {seed}, {leave_out.__name__}: {sorted(more)}, '
                                     'not in the whole log')
    for line in wrong:
        print(f'WRONG {line}')
    print(f'{judged} logs of {len(FAILING)} faults and {len(HEALTHY)} healthy sessions: '
          f'{len(wrong)} wrong verdicts')
    return int(bool(wrong))
