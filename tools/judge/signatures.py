"""Judges that signatures stay what they are over versions of the command (`judge signatures`).

signatures.txt has those of each made session in which something fails: databases keep them for years.
"""

import json
import os
import pathlib
import subprocess
import tempfile

from judge.cases import CASES
from judge.recorders import FORMS

KNOWN = pathlib.Path(__file__).with_name('signatures.txt')


def signatures(blecap, path, keys):
    """The signatures of a log's failures and warnings, the most serious first."""
    done = subprocess.run([blecap, 'info', '--format', 'ndjson', '--keys', keys, path], capture_output=True,
                          timeout=600, check=False)
    log = json.loads(done.stdout.splitlines()[0])
    return [entry['signature'] for entry in log['summary'].get('wrong', [])]


def found(blecap):
    """A line for each made session in which something fails, without its keys and with them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, case in sorted(CASES.items()):
            session = case.session(f'{title} 1')
            case.make(session)
            form = (case.forms or tuple(FORMS))[0]
            log, keys = folder / f'log.{form}', folder / 'keys.json'
            log.write_bytes(session.written(FORMS[form](session.records)))
            keys.write_text(json.dumps(session.keys))
            keys.chmod(0o600)
            for words, given in (('', 'none'), (' with keys', keys)) if session.keys else (('', 'none'),):
                wrong = signatures(blecap, log, given)
                if wrong:
                    yield f'{title}{words}: {" ".join(wrong)}'


def judge_all(blecap):
    """Compares with what is known; with RECORD_GOLDEN=1, that is written. 1 where a signature is another."""
    lines = list(found(blecap))
    if os.environ.get('RECORD_GOLDEN'):
        KNOWN.write_text('\n'.join(lines) + '\n')
    known = KNOWN.read_text().splitlines()
    wrong = [f'gone: {line}' for line in known if line not in lines]
    wrong += [f'new: {line}' for line in lines if line not in known]
    print('\n'.join([*wrong, f'{len(lines)} made sessions with signatures: {len(wrong)} lines differ']))
    return int(bool(wrong))
