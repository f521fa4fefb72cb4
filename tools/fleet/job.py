"""Judges a fleet of logs on Apache Spark: a row a log, as `blecap info --format ndjson` says it, in Parquet.

  spark-submit tools/fleet/job.py --blecap FILE LOGS OUT [--batch N] [--largest BYTES] [--seconds N]

LOGS and OUT are URIs of any file system that Spark is configured for. The command (the static one of
tools/install) is shipped to the executors. OUT is partitioned by the day on which each log begins. A log that
can't be read, is too large or takes too long has a row of its own that says so. Logs whose rows are in OUT
are not read again, so that a job that was cut off goes on where it was.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession, functions, types

ROW = types.StructType([
    types.StructField('log', types.StringType(), False),
    types.StructField('day', types.StringType(), False),
    types.StructField('verdict', types.StringType(), False),
    types.StructField('cause', types.StringType()),
    types.StructField('signature', types.StringType()),
    types.StructField('device', types.StringType()),
    types.StructField('message', types.StringType()),
    types.StructField('tags', types.MapType(types.StringType(), types.StringType())),
    types.StructField('lines', types.ArrayType(types.StringType())),
])
UNKNOWN_DAY = 'unknown'


def unread(path, cause, message):
    return path, UNKNOWN_DAY, 'unreadable', cause, None, None, message, {}, []


def judge(path, content, seconds):
    """The row of one log."""
    # The folders named KEY=VALUE give its tags.
    folders = [name for name in path.split('/')[:-1] if '=' in name]
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name, *folders)
        place.mkdir(parents=True, exist_ok=True)
        log = place / path.rsplit('/', 1)[-1]
        log.write_bytes(content)
        command = SparkFiles.get('blecap')
        os.chmod(command, 0o755)
        words = [command, 'info', '--format', 'ndjson', '--keys', 'none', log.name]
        if folders:
            words = [command, 'info', '--format', 'ndjson', '--keys', 'none', str(log.relative_to(name))]
        try:
            done = subprocess.run(words, capture_output=True, cwd=name if folders else place, timeout=seconds,
                                  check=False)
        except subprocess.TimeoutExpired:
            return unread(path, 'timeout', f'not judged in {seconds} s')
    lines = done.stdout.decode('utf-8', 'replace').splitlines()
    if done.returncode < 0 or not lines:
        error = done.stderr.decode('utf-8', 'replace').splitlines()
        return unread(path, 'not-judged', error[-1].replace(f'{name}/', '') if error else 'no output')
    found = json.loads(lines[0])
    return (path, found['summary'].get('first', UNKNOWN_DAY)[:10] or UNKNOWN_DAY, found['verdict'],
            found.get('cause'), found.get('signature'), found.get('device'), found['message'],
            found.get('tags', {}), lines)


def rows(partition, largest, seconds):
    for file in partition:
        if file.content is None:
            yield unread(file.path, 'too-large', f'{file.length} bytes, more than {largest}')
        else:
            yield judge(file.path, bytes(file.content), seconds)


def done_already(spark, out):
    """The logs whose rows are there."""
    try:
        return spark.read.schema(ROW).parquet(out).select('log').distinct()
    except Exception as error:  # noqa: BLE001 - Spark's own class for it differs by version
        if 'PATH_NOT_FOUND' not in str(error):
            raise
        return spark.createDataFrame([], types.StructType([ROW['log']]))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument('--blecap', required=True)
    options.add_argument('--batch', type=int, default=20_000, help='logs that are written at once')
    options.add_argument('--largest', type=int, default=1 << 30, help='bytes of the largest log that is read')
    options.add_argument('--seconds', type=int, default=600, help='that one log may take')
    options.add_argument('logs')
    options.add_argument('out')
    options = options.parse_args()
    spark = SparkSession.builder.appName('blecap fleet').getOrCreate()
    spark.sparkContext.addFile(options.blecap)
    spark.sparkContext.setLogLevel('ERROR')
    read = spark.read.format('binaryFile').option('recursiveFileLookup', 'true')
    files = read.load(options.logs)
    # Truth of a made fleet, keys and other companions are no logs.
    listed = files.select('path').where(~functions.col('path').rlike(r'\.(json|gatt|md|txt)$'))
    left = listed.join(done_already(spark, options.out), listed.path == functions.col('log'), 'left_anti')
    left = [row.path for row in left.orderBy('path').collect()]
    largest, seconds = options.largest, options.seconds
    for start in range(0, len(left), options.batch):
        batch = left[start:start + options.batch]
        content = functions.when(functions.col('length') <= largest, functions.col('content'))
        chosen = read.load(batch).select('path', 'length', content.alias('content'))
        judged = chosen.rdd.mapPartitions(lambda part: rows(part, largest, seconds))
        frame = spark.createDataFrame(judged, ROW)
        frame.write.mode('append').partitionBy('day').parquet(options.out)
    print(f'{len(left)} logs judged, {spark.read.schema(ROW).parquet(options.out).count()} in {options.out}')
    spark.stop()


if __name__ == '__main__':
    main()
