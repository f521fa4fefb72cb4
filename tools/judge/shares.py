"""The share of ATT values that profiles name to the field, by pack and by log (`judge shares`)."""

import collections
import json
import subprocess

# Writes, notifications, indications and responses to reads.
VALUES = {0x0B, 0x0D, 0x12, 0x1B, 0x1D, 0x52, 0xD2}
# Packs that name values of every device: a log is not covered because one of them names its Device Name.
COMMON = {'gap-gatt', 'sig'}
DESCRIPTORS = range(0x2900, 0x2910)


class Shares:
    """Numbers of values: of each log all of them, and by pack those that it names."""

    def __init__(self):
        self.values = {}
        self.named = {}

    def add(self, blecap, path):
        """Counts the values of a log; returns whether it has any."""
        done = subprocess.run([str(blecap), 'annotate', '--format', 'ndjson', str(path)],
                              capture_output=True, check=False, timeout=900)
        count, named = 0, collections.Counter()
        for line in done.stdout.splitlines():
            if b'"att"' not in line:
                continue
            frame = json.loads(line)
            att = frame.get('att', {})
            if not isinstance(att, dict) or att.get('opcode') not in VALUES or 'value' not in att:
                continue
            uuid = att.get('uuid', '')
            if len(uuid) == 4 and int(uuid, 16) in DESCRIPTORS:
                continue
            count += 1
            packs = {entry['profile'] for entry in frame.get('profiles', []) if is_named(entry)}
            named.update({'uqdk'} if 'uqdk' in frame else packs)
            named['any'] += bool(packs or 'uqdk' in frame)
        if count:
            self.values[path.name], self.named[path.name] = count, named
        return count > 0

    def report(self):
        """Prints the table of the packs, then the totals."""
        packs = {pack for named in self.named.values() for pack in named} - {'any'}
        print('| pack | logs | values | named | % |\n|---|--:|--:|--:|--:|')
        for pack in sorted(packs):
            logs = [name for name in self.named if self.named[name][pack]]
            total = sum(self.values[name] for name in logs)
            count = sum(self.named[name][pack] for name in logs)
            print(f'| {pack} | {len(logs)} | {total} | {count} | {100 * count / total:.0f} |')
        covered = [name for name in self.values
                   if any(pack not in COMMON | {'any'} for pack in self.named[name])]
        for what, logs in (('all logs', list(self.values)), ('logs that a pack covers', covered)):
            total = sum(self.values[name] for name in logs)
            count = sum(self.named[name]['any'] for name in logs)
            print(f'{what}: {len(logs)}, {total} values, {count} named'
                  + (f', {100 * count / total:.0f} %' if total else ''))


def is_named(entry):
    """Whether a profile names the message of a value with all of its fields, or one that it is a part of."""
    return 'misfits' not in entry and bool(entry.get('message') or entry.get('fragment'))


def judge_all(blecap, paths, lists):
    """Counts all logs; returns the exit status."""
    shares = Shares()
    for path in paths:
        shares.add(blecap, path)
    shares.report()
    if lists:
        for name, named in shares.named.items():
            packs = ', '.join(f'{pack} {count}' for pack, count in sorted(named.items()))
            print(f'{name}: {shares.values[name]} values; {packs}')
    return 0
