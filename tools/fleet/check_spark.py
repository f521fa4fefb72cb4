"""Runs tools/fleet/job.py on a standalone Spark master with two workers on this machine, over a made fleet
with damaged logs, one worker killed in the middle, and compares what comes out with what was made.

  python tools/fleet/check_spark.py --blecap FILE [--logs N] [--seed S]  (status 1: a count is wrong)
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tools'))

import duckdb  # noqa: E402
import pyspark  # noqa: E402

from fleet import made  # noqa: E402

HOME = pathlib.Path(pyspark.__file__).parent
DAMAGED = 0.01


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


def waited(condition, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


class Cluster:
    """A master and two workers, each a process group of its own."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.environment = {**os.environ, 'SPARK_HOME': str(HOME), 'SPARK_LOCAL_IP': '127.0.0.1',
                            'PYSPARK_PYTHON': sys.executable, 'SPARK_NO_DAEMONIZE': '1'}
        self.url = f'spark://127.0.0.1:{self.port}'
        self.processes = [self.start('master.Master', '--host', '127.0.0.1', '--port', self.port,
                                     '--webui-port', free_port())]
        for number in range(2):
            self.processes.append(self.start(
                'worker.Worker', '--cores', 1, '--memory', '1G', '--webui-port', free_port(), '--work-dir',
                folder / f'worker-{number}', self.url))

    def start(self, name, *options):
        words = [str(HOME / 'bin' / 'spark-class'), f'org.apache.spark.deploy.{name}', *map(str, options)]
        log = (self.folder / f'{name}-{len(options)}-{free_port()}.log').open('wb')
        return subprocess.Popen(words, env=self.environment, stdout=log, stderr=log, start_new_session=True)

    def submit(self, *options):
        words = [str(HOME / 'bin' / 'spark-submit'), '--master', self.url, '--executor-memory', '512m',
                 str(ROOT / 'tools' / 'fleet' / 'job.py'), *map(str, options)]
        log = (self.folder / f'job-{free_port()}.log').open('wb')
        return subprocess.Popen(words, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True,
                                start_new_session=True)

    def kill(self, number):
        """Kills a worker and its executors, as where its machine is lost."""
        os.killpg(self.processes[number].pid, signal.SIGKILL)
        for line in subprocess.run(['pgrep', '-f', f'worker-{number - 1}/app-'], capture_output=True,
                                   text=True, check=False).stdout.split():
            os.kill(int(line), signal.SIGKILL)

    def stop(self):
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def damage(folder, rows, seed):
    """Damages one log in a hundred; returns how many logs of each truth are left whole, and how many not."""
    chance = random.Random(f'damage {seed}')
    logs = sorted(folder.rglob('*.btsnoop'))
    damaged = set(chance.sample(logs, max(1, int(len(logs) * DAMAGED))))
    for log in damaged:
        log.write_bytes(chance.randbytes(chance.randrange(1, 2000)))
    kinds = {number: kind for number, (_, _, _, kind) in enumerate(made.visits(len(logs), seed))}
    whole = collections.Counter(
        made.CASES[kinds[int(log.stem)]].truth[0] for log in logs if log not in damaged)
    assert sum(row['logs'] for row in rows) == len(logs)
    return whole, len(damaged)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument('--blecap', type=pathlib.Path, required=True)
    options.add_argument('--logs', type=int, default=10_000)
    options.add_argument('--seed', type=int, default=1)
    options = options.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        logs, out = folder / 'logs', folder / 'out'
        rows = made.make(logs, options.logs, options.seed)
        whole, damaged = damage(logs, rows, options.seed)
        cluster = Cluster(folder)
        try:
            start = time.monotonic()
            words = ['--blecap', options.blecap.resolve(), '--batch', options.logs // 4 + 1, logs.as_uri(),
                     out.as_uri()]
            job = cluster.submit(*words)
            # The first batch is written: one worker dies in the second.
            if waited(lambda: list(out.glob('day=*')) or job.poll() is not None, 900) and job.poll() is None:
                cluster.kill(2)
            else:
                wrong.append('the job was over before a worker could be killed')
            said, _ = job.communicate(timeout=3600)
            took = time.monotonic() - start
            if job.returncode != 0:
                wrong.append(f'the job ended with {job.returncode}')
            again = cluster.submit(*words)
            repeated, _ = again.communicate(timeout=600)
            if not repeated.startswith('0 logs judged'):
                wrong.append(f'a second run: {repeated.strip()}')
        finally:
            cluster.stop()
        database = duckdb.connect()
        query = f"FROM read_parquet('{out}/*/*.parquet', hive_partitioning = true)"
        found = database.execute(f'SELECT count(*), count(DISTINCT log) {query}').fetchone()
        if found != (options.logs, options.logs):
            wrong.append(f'{found[0]} rows of {found[1]} logs, {options.logs} were made')
        counts = dict(database.execute(f"SELECT cause, count(*) {query} WHERE verdict != 'unreadable' "
                                       'GROUP BY cause').fetchall())
        if counts != dict(whole):
            wrong.append(f'{counts}, true is {dict(whole)}')
        unread = database.execute(f"SELECT count(*) {query} WHERE verdict = 'unreadable'").fetchone()[0]
        if unread != damaged:
            wrong.append(f'{unread} unreadable logs, {damaged} were damaged')
    print('\n'.join(wrong), file=sys.stderr)
    print(f'spark: {said.strip().split(" in ")[0]}, {damaged} damaged, a worker killed, {took:.0f} s, '
          f'{len(wrong)} wrong')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
