"""Judges the verdict by sessions whose truth is known: judge.cases (`judge faults`)."""

import json
import pathlib
import subprocess
import tempfile

from judge import files
from judge.cases import CASES, HEALTHY
from judge.cases.registry import NOTHING
from judge.recorders import FORMS, LEFT_OUT



class Verdict:
    """What the command says about a log."""

    def __init__(self, blecap, path, options=()):
        done = subprocess.run([blecap, 'annotate', '--format', 'ndjson', *options, path], capture_output=True,
                              timeout=600, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        summary = lines[-1] if lines and lines[-1]['kind'] == 'summary' else {}
        self.wrong = [(entry.get('name', entry['code']), entry.get('side'))
                      for entry in summary.get('wrong', [])]
        incidents = summary.get('wrong', []) + summary.get('overcome', [])
        explained = [entry for incident in incidents for entry in incident.get('consequences', [])]
        self.told = {entry.get('name', entry['code']) for entry in incidents + explained}
        self.gaps = {gap['code'] for gap in summary.get('not_in_log', [])}
        self.said = {*self.gaps, *(problem['code'] for problem in summary.get('problem_counts', [])),
                     *(line['code'] for line in lines if line['kind'] == 'problem')}

    @property
    def first(self):
        return self.wrong[0] if self.wrong else NOTHING


class Judge:
    """Counts logs, and keeps what is wrong about each."""

    def __init__(self, blecap, folder):
        self.blecap, self.folder = blecap, pathlib.Path(folder)
        self.judged, self.wrong = 0, []

    def verdict(self, octets, form, options=()):
        path = self.folder / f'log.{form}'
        path.write_bytes(octets)
        self.judged += 1
        return Verdict(self.blecap, path, options)

    def judge(self, name, case, seed):
        session = case.session(f'{name} {seed}')
        case.make(session)
        truths = [((), case.truth)]
        if session.keys:
            path = self.folder / 'keys.json'
            path.write_text(json.dumps(session.keys))
            truths.append((('--keys', path), case.truth if case.keyed is None else case.keyed))
        for options, truth in truths:
            where = f'{name}, seed {seed}' + (', with keys' if options else '')
            for form in case.forms or FORMS:
                found = self.verdict(session.written(FORMS[form](session.records)), form, options)
                self.compare(f'{where}, {form}', case, truth, found)
            if case.layer != 'recorder':
                self.leave_out(where, session.records, options)

    def compare(self, where, case, truth, found):
        if found.first != truth:
            self.wrong.append(f'{where}: {found.first}, true is {truth}')
        if not found.said.issuperset(case.said):
            self.wrong.append(f'{where}: said is {sorted(found.said)}, true is {case.said}')
        if not found.gaps.issubset(case.said):
            self.wrong.append(f'{where}: {sorted(found.gaps)} is not missing in the log')

    def leave_out(self, where, records, options):
        """A log with parts left out may tell less than the whole one, and nothing else: what fails in it is a
        failure there too, or follows from one, or was overcome."""
        whole = self.verdict(files.btsnoop(records), 'whole', options).told
        for leave_out in LEFT_OUT:
            part = self.verdict(files.btsnoop(leave_out(records)), 'part', options)
            more = {code for code, _ in part.wrong} - whole
            if more:
                self.wrong.append(f'{where}, {leave_out.__name__}: {sorted(more)}, not in the whole log')


def judge_all(blecap, seeds):
    """Judges every session in each form, with each of the seeds; 1 where a verdict is not the truth."""
    with tempfile.TemporaryDirectory() as scratch:
        judge = Judge(blecap, scratch)
        for name, case in CASES.items():
            for seed in seeds:
                judge.judge(name, case, seed)
    for line in judge.wrong:
        print(f'WRONG {line}')
    healthy = sum(case.layer == HEALTHY for case in CASES.values())
    print(f'{judge.judged} logs of {len(CASES) - healthy} faults and {healthy} healthy sessions: '
          f'{len(judge.wrong)} wrong verdicts')
    return int(bool(judge.wrong))
