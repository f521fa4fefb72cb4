"""This repository's side of a pairing, and the recording of a session."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile

from .bluez import LIMIT, wait

ROOT = pathlib.Path(os.environ['BLECAP_ROOT'])
BLECAP = os.environ.get('BLECAP', str(ROOT / '.build' / 'debug' / 'blecap'))
RESULTS = pathlib.Path(os.environ['RESULTS'])


class Program:
    """`blecap` in the background: what it says, and lines for its standard input."""

    def __init__(self, *words, state=None):
        self.file = tempfile.NamedTemporaryFile('w+', suffix='.txt')
        environment = dict(os.environ) | ({'XDG_STATE_HOME': str(state)} if state else {})
        self.process = subprocess.Popen(
            [BLECAP, *map(str, words)], stdin=subprocess.PIPE, stdout=self.file, stderr=subprocess.STDOUT,
            text=True, env=environment)

    @property
    def text(self):
        return pathlib.Path(self.file.name).read_text(errors='replace')

    def say(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def wait(self, pattern):
        """The match, once the program has said so."""
        def said():
            found = re.search(pattern, self.text)
            if found is None and self.process.poll() is not None:
                raise AssertionError(f'ended without {pattern!r}:\n{self.text}')
            return found
        try:
            return wait(repr(pattern), said)
        except AssertionError as error:
            raise AssertionError(f'{error}; it said:\n{self.text}') from None

    def end(self):
        """Its exit status and all that it said."""
        try:
            self.process.communicate(timeout=LIMIT)
        finally:
            self.process.kill()
        return self.process.returncode, self.text

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.end()


def blecap(*words):
    return subprocess.run([BLECAP, *map(str, words)], capture_output=True, text=True, timeout=LIMIT)


class Recording:
    """Records the monitor channel while it is entered; then annotates and replays what it has."""

    def __init__(self, name):
        self.path = RESULTS / f'{name}.btsnoop'

    def __enter__(self):
        self.path.unlink(missing_ok=True)
        self._program = Program('record', self.path)
        self._program.wait('recording all adapters')
        return self

    def __exit__(self, *_):
        self._program.stop()


def check(test, recording, central, pairings=1, connections=2):
    """A recording is without a problem; its central, on this adapter, has had that many pairings and
    connections, and replays as the same."""
    whole = blecap('annotate', '--strict', recording.path)
    test.assertEqual(whole.returncode, 0, whole.stdout[-2000:] + whole.stderr)
    only = ['--adapter', central]
    said = blecap('annotate', '--all', *only, recording.path)
    test.assertEqual(said.returncode, 0, said.stdout[-2000:] + said.stderr)
    asked = {line.split()[0] for line in said.stdout.splitlines()
             if ' SMP ' in line and 'Pairing Request' in line}
    test.assertEqual(len(asked), pairings, sorted(asked))
    replayed = blecap('replay', *only, recording.path)
    same = (rf'^(SAME: (\d+ of \d+ ATT PDUs? compared, )?|NOT COMPARED: none of \d+ ATT PDUs?; the same in )'
            rf'\d+ host steps over {connections} connection')
    test.assertRegex(replayed.stdout, same, replayed.stderr)
