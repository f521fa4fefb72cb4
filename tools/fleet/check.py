"""Asks the questions of docs/fleet.md of a made fleet, and compares the answers with what was made.

  python tools/fleet/check.py [--blecap FILE] [--logs N] [--seed S]     exit status 1 where an answer is wrong
"""

import argparse
import collections
import datetime
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tools'))

import duckdb  # noqa: E402

from fleet import made  # noqa: E402
from judge import ours  # noqa: E402


def statements():
    """Yields name and text of each SQL block of the page."""
    page = (ROOT / 'docs' / 'fleet.md').read_text()
    for block in re.findall(r'^ *```sql\n(.*?)^ *```', page, re.S | re.M):
        named = re.match(r' *-- (.*)\n', block)
        yield named[1] if named else None, block


def truths(rows):
    """What each question must answer, by its name; a function of the answer where only a part is known."""
    failed = [row for row in rows if row['kind'] != made.WELL]

    def count(chosen, *keys):
        counts = collections.Counter()
        for row in chosen:
            counts[tuple(row[key] for key in keys)] += row['logs']
        return counts

    groups, bad = count(rows, 'model', 'app'), count(failed, 'model', 'app')
    causes, days, bad_days = count(failed, 'truth'), count(rows, 'day'), count(failed, 'day')
    by_app = {app: count([row for row in failed if row['app'] == app], 'truth') for app in ('3.1', '3.2')}
    first = {truth: min(row['day'] for row in failed if row['truth'] == truth) for (truth,) in causes}
    locked = count([row for row in failed if row['kind'] == 'key_locked_out'], 'model')
    bonds = count([row for row in failed if row['kind'] == 'bond_lost_at_host'], 'model', 'app')
    day = lambda number: datetime.date(2026, 1, 1) + datetime.timedelta(days=number)
    sides = collections.Counter()
    for row in failed:
        sides[made.CASES[row['kind']].truth[1]] += row['logs']

    def by_cause(answer):
        found = collections.Counter()
        for signature, logs in answer:
            found[signature.split('/')[0]] += logs
        return found == {truth: logs for (truth,), logs in causes.items()}

    return {
        'failure rate': {(*key, logs, round(100 * bad[key] / logs, 1)) for key, logs in groups.items()},
        'causes': by_cause,
        'with a version': {(*key, 0, logs) for key, logs in by_app['3.2'].items()
                           if key not in by_app['3.1']},
        'new since': {(truth, day(first[truth]), causes[truth,]) for truth in first if first[truth] >= 14},
        'locked out': {(*key, logs) for key, logs in locked.items()},
        'lost bonds': {(*key, logs) for key, logs in bonds.items()},
        'sides': set(sides.items()),
        'slowest phase': lambda answer: len(answer) == 1 and all(value > 0 for value in answer[0]),
        'by day': {(day(number), logs, bad_days[number,]) for (number,), logs in days.items()},
        'examples': lambda answer: {signature.split('/')[0] for signature, _ in answer}
        == {truth for truth, in causes} and all(log.endswith('.btsnoop') for _, log in answer),
    }


def ask(binary, logs, folder):
    """The answers about the logs of a folder, by question."""
    lines = folder / 'fleet.ndjson'
    with lines.open('wb') as out:
        subprocess.run([str(binary), 'info', '--format', 'ndjson', *map(str, logs)], stdout=out,
                       stderr=subprocess.DEVNULL, check=True)
    database = duckdb.connect()
    answers = {}
    for question, text in statements():
        answer = database.execute(text.replace("'fleet.ndjson'", f"'{lines}'")).fetchall()
        if question is not None:
            answers[question] = answer
    return answers


# Logs as a folder has them: without tags, and without a connection that authenticates. Some fail, none does.
ORDINARY = (('mi-band', 'mobike', 'bonding', 'two-devices'), ('bonding', 'link-device'))


def ordinary(binary, folder):
    """What is wrong with the answers about ordinary folders."""
    wrong = []
    for names in ORDINARY:
        logs = [ROOT / 'captures' / f'{name}.btsnoop' for name in names]
        answers = ask(binary, logs, folder)
        failed = sum(name in ('mi-band', 'mobike') for name in names)
        truth = {'failure rate': [(None, None, len(names), 100 * failed / len(names))],
                 'sides': [('peer', failed)] if failed else [], 'locked out': [], 'lost bonds': []}
        wrong += [f'{question} of {names}: {answers[question]}, true is {answer}'
                  for question, answer in truth.items() if answers[question] != answer]
        if sum(logs for _, logs in answers['causes']) != failed or len(answers['examples']) > failed:
            wrong.append(f'causes of {names}: {answers["causes"]}')
        connecting, _, authentication = answers['slowest phase'][0]
        if not connecting or authentication is not None:
            wrong.append(f'slowest phase of {names}: {answers["slowest phase"]}')
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument('--blecap', help='(default: the newest build)')
    options.add_argument('--logs', type=int, default=200)
    options.add_argument('--seed', type=int, default=1)
    options = options.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = made.make(folder / 'logs', options.logs, options.seed)
        binary = ours.binary(ROOT, options.blecap)
        expected = truths(rows)
        for question, answer in ask(binary, [folder / 'logs'], folder).items():
            truth = expected.pop(question)
            if not (truth(answer) if callable(truth) else set(answer) == truth):
                known = 'another' if callable(truth) else sorted(truth)
                wrong.append(f'{question}: {answer}, true is {known}')
        wrong += ordinary(binary, folder)
    wrong += [f'{question}: not on the page' for question in expected]
    print('\n'.join(wrong), file=sys.stderr)
    print(f'fleet: {options.logs} logs, 10 questions, {len(wrong)} wrong')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
