"""Logs of nights that failed by a fault of the phone, replayed with an expectation (`judge field-faults`).

Each must come out the right way round: the stack under test, which does not have the fault, gives what was
expected; a host that has it, and does again what was recorded, does not.
"""

import json
import pathlib
import shutil
import subprocess
import tempfile

from judge import files
from judge.cases import CASES, HEALTHY

# The faults, and whether every request goes well once they are mended. Of a command that was sealed with the
# wrong key nobody can read what it said, and a session that is over needs a new authentication: there the
# first authentication is looked at.
MENDED = {
    'wrong_key': True,
    'auth_counter_repeated': True,
    'message_counter_repeated': True,
    'wrong_session_key': False,
    'session_expired': False,
    'never_subscribed': True,
    'longer_than_mtu': True,
}
CAPTURES = pathlib.Path(__file__).resolve().parent.parent.parent / 'captures'


def logs(folder, seeds):
    """Yields name, log and file of keys."""
    for name in MENDED:
        for seed in seeds:
            case = CASES[name]
            session = case.session(f'{name} {seed}')
            case.make(session)
            log, keys = folder / f'{name}-{seed}.btsnoop', folder / f'{name}-{seed}.keys.json'
            log.write_bytes(files.btsnoop(session.records))
            keys.write_text(json.dumps(session.keys))
            keys.chmod(0o600)
            yield name, log, keys
    # A counter that did not advance, recorded from a real phone's stack.
    log = folder / 'stale-counter.btsnoop'
    shutil.copy(CAPTURES / 'uqdk-refusals.btsnoop', log)
    yield 'stale_counter', log, CAPTURES / 'uqdk-unlock.keys.json'


def judge_one(blecap, name, log, keys):
    """What is wrong about one log, a line each."""
    expectation = log.with_suffix('.expected.json')

    def replay(*options):
        words = [blecap, 'replay', '--force', *map(str, options), str(log)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
        return done.returncode, done.stdout

    found = []
    status, text = replay('--keys', keys, '--bless', expectation)
    if status != 1 or not text.startswith('DIVERGED'):
        found.append(f'without an expectation the mended host gives {text.splitlines()[:1]}')
    status, text = replay('--keys', keys, '--expect', expectation, '--bless', expectation)
    if status != 0 or not text.startswith('AS EXPECTED'):
        found.append(f'the mended host gives {text.splitlines()[:3]}')
    blessed = json.loads(expectation.read_text())
    if not blessed['departures']:
        found.append('nothing was to be done otherwise')
    ends = [(outcome['name'], outcome['ends']) for outcome in blessed['outcomes']]
    if ('authentication', 'ok') not in ends:
        found.append(f'no authentication went well: {ends}')
    if MENDED.get(name) and any(end != 'ok' for _, end in ends):
        found.append(f'not everything went well: {ends}')
    status, text = replay('--keys', 'none', '--allow-partial', '--expect', expectation)
    if status != 1 or not text.startswith('NOT AS EXPECTED'):
        found.append(f'the faulty host gives {text.splitlines()[:1]}')
    return found


def judge_healthy(blecap, folder, name, case, seed):
    """A session in which nothing failed is never red, with its keys or without."""
    session = case.session(f'{name} {seed}')
    case.make(session)
    log, keys = folder / 'healthy.btsnoop', folder / 'healthy.keys'
    log.write_bytes(files.btsnoop(session.records))
    keys.unlink(missing_ok=True)
    keys.write_text(json.dumps(session.keys or {}))
    keys.chmod(0o600)
    for given in ['none', str(keys)] if session.keys else ['none']:
        words = [blecap, 'replay', '--keys', given, str(log)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode not in {0, 5}:
            yield f'{name}, seed {seed}: {done.stdout.splitlines()[:3]} {done.stderr[:200]}'


def judge_all(blecap, seeds):
    """Judges every log; 1 where one comes out the wrong way round."""
    judged, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, log, keys in logs(pathlib.Path(folder), seeds):
            judged += 1
            wrong += [f'{name}, {log.name}: {line}' for line in judge_one(blecap, name, log, keys)]
        healthy = 0
        for name, case in CASES.items():
            if case.layer == HEALTHY:
                for seed in seeds:
                    healthy += 1
                    wrong += judge_healthy(blecap, pathlib.Path(folder), name, case, seed)
    for line in wrong:
        print(f'WRONG {line}')
    print(f'{healthy} healthy sessions replayed')
    print(f'field faults: {judged} logs of {len(MENDED) + 1} faults, {len(wrong)} wrong')
    return int(bool(wrong))
