"""What btmon does on captures, beside what the command does: a table."""

import re
import shutil
import subprocess
import sys

from judge import measure

# Far more than a busy machine needs for any of the files: what takes longer does not end.
LIMIT_S = 600
# btmon gives each record a line of its own that begins so, at the left edge.
RECORD_LINE = re.compile(rb'^(?:\x1b\[[0-9;]*m)*[<>=@#] ', re.M)


def ended(code):
    return 'normally' if code == 0 else f'signal {-code}' if code < 0 else f'status {code}'


def run(arguments):
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return None, b'', b''
    return done.returncode, done.stdout, done.stderr


def table(blecap, paths):
    """Prints the table; the status is 1 where the command ends by a signal or not at all."""
    if shutil.which('btmon') is None:
        print('judge: btmon is not installed', file=sys.stderr)
        return 4
    status, died, refused = 0, 0, 0
    print(f'btmon {measure.version(["btmon", "--version"])}\n')
    print('| capture | btmon ends | records it printed | blecap ends | frames |')
    print('|---|---|--:|---|--:|')
    for path in paths:
        code, said, _ = run(['btmon', '-r', str(path)])
        mine, lines, error = run([str(blecap), 'annotate', '--format', 'ndjson', str(path)])
        frames = lines.count(b'"kind":"frame"')
        if code == 0 and not RECORD_LINE.search(said) and mine == 3 and not frames:
            refused += 1
            continue
        died += code is None or code < 0
        how = ended(mine) if mine is not None else f'not in {LIMIT_S} s'
        if mine == 3:
            how += ': ' + error.decode(errors='replace').strip().removeprefix(f'blecap: {path}: ')[:60]
        if mine is None or mine < 0:
            status = 1
        print(f'| {path.name} | {ended(code) if code is not None else f"not in {LIMIT_S} s"} '
              f'| {len(RECORD_LINE.findall(said))} | {how} | {frames} |')
    print(f'\nbtmon ended by a signal on {died}. Not in the table: {refused} files that neither reads '
          f'(captures of the air, text).')
    return status
