#!/usr/bin/env python3
"""The event stream of a Swift test run (`swift test --event-stream-output-path FILE`).

  swift_events.py summary FILE TIER    prints "left out: NAME, REASON", the slowest tests and how many ran;
                                       exit status 1 if that is fewer than tools/test-floor asks for TIER
  swift_events.py later FILE           prints a --filter pattern of the tests that the first tier leaves out
"""

import collections
import json
import pathlib
import re
import sys

FLOORS = pathlib.Path(__file__).resolve().parent / 'test-floor'
# How the traits of Tests/Support/TestSupport/Tier.swift begin their reasons.
LATER = 'not quick: '
SLOWEST = 5


class Run:
    """The tests of one run by identifier."""

    def __init__(self, lines):
        self.names, self.skipped, self.started, self.seconds, self.ended = {}, {}, {}, {}, False
        for line in lines:
            record = json.loads(line)
            payload = record['payload']
            if record['kind'] == 'test':
                if payload['kind'] == 'function':
                    self.names[payload['id']] = payload.get('displayName') or payload['name']
                continue
            kind, test = payload['kind'], payload.get('testID')
            self.ended |= kind == 'runEnded'
            if test not in self.names:
                continue
            if kind == 'testSkipped':
                text = payload['messages'][0]['text'] if payload['messages'] else ''
                reason = re.search(r' skipped: "(.*)"$', text, re.S)
                self.skipped[test] = reason[1] if reason else 'skipped'
            elif kind == 'testStarted':
                self.started[test] = payload['instant']['absolute']
            elif kind == 'testEnded' and test in self.started:
                self.seconds[test] = payload['instant']['absolute'] - self.started[test]

    @property
    def ran(self):
        """How many tests ended and were not skipped."""
        return len(self.seconds.keys() - self.skipped.keys())

    @property
    def later(self):
        """The tests that the first tier leaves to the second."""
        return [test for test, reason in self.skipped.items() if reason.startswith(LATER)]

    def summary(self):
        """Lines that say what was left out, what was slow, and how many ran."""
        for test, reason in sorted(self.skipped.items()):
            if not reason.startswith(LATER):
                yield f'left out: {self.names[test]}, {reason}'
        for reason, count in sorted(collections.Counter(self.skipped[test] for test in self.later).items()):
            yield f'{count} tests left to tools/test --all, {reason}'
        slowest = sorted(self.seconds, key=self.seconds.get, reverse=True)[:SLOWEST]
        yield from (f'{self.seconds[test]:6.1f} s  {self.names[test]}' for test in slowest)


def floors(text):
    """The number of tests below which some got lost, by tier."""
    return {tier: int(count) for tier, count in (line.split() for line in text.splitlines() if line)}


def pattern(tests):
    """A regular expression for exactly these tests: by file and line, since names hold any character."""
    places = [re.search(r'/([^/]+\.swift):(\d+):\d+$', test) for test in tests]
    return '|'.join(sorted(f'/{re.escape(place[1])}:{place[2]}:' for place in places if place))


def main(arguments):
    action, path, *tier = arguments
    with open(path, encoding='utf-8') as lines:
        run = Run(lines)
    if action == 'later':
        print(pattern(run.later))
        return 0
    for line in run.summary():
        print(line)
    floor = floors(FLOORS.read_text())[tier[0]]
    if not run.ended or run.ran < max(1, floor):
        print(f'error: {run.ran} tests ran; tools/test-floor asks for {floor}')
        return 1
    print(f'{run.ran} tests ran (at least {floor} asked for)')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
