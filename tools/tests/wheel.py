#!/usr/bin/env python3
"""The wheel's typed values, for an environment that has it: wheel.py ROOT."""

import dataclasses
import json
import pathlib
import subprocess
import sys
import unittest

import blecap

ROOT = pathlib.Path(sys.argv.pop())
CAPTURES = ROOT / 'captures'


class Wheel(unittest.TestCase):
    """What `blecap.annotate` and its like yield."""

    def test_every_line_becomes_a_value_that_holds_all_of_it(self):
        for capture in sorted(CAPTURES.glob('*.btsnoop')):
            lines = subprocess.run([blecap.BINARY, 'annotate', '--format', 'ndjson', capture], check=True,
                                   capture_output=True).stdout.splitlines()
            for line, value in zip(lines, blecap.annotate(capture), strict=True):
                given = {name: one for name, one in dataclasses.asdict(value).items() if one is not None}
                self.assertEqual(self.without_nulls(json.loads(line)), self.without_nulls(given))

    def without_nulls(self, value):
        """The value without members that are null: a dataclass has None for absent ones."""
        if isinstance(value, dict):
            return {name: self.without_nulls(one) for name, one in value.items() if one is not None}
        return [self.without_nulls(one) for one in value] if isinstance(value, list) else value

    def test_a_summary_has_its_incidents_as_values(self):
        *_, summary = blecap.annotate(CAPTURES / 'uqdk-unlock.btsnoop')
        self.assertIsInstance(summary, blecap.Summary)
        self.assertEqual([type(one) for one in summary.wrong], [blecap.Incident] * len(summary.wrong))
        self.assertEqual({one.frame for one in summary.wrong}, {281, 282})

    def test_a_verdict_and_a_difference(self):
        self.assertEqual(blecap.verdict(CAPTURES / 'mi-band.btsnoop').verdict, 'failed')
        *_, diff = blecap.diff(CAPTURES / 'uqdk-unlock.btsnoop', CAPTURES / 'uqdk-refusals.btsnoop')
        self.assertFalse(diff.alike)

    def test_what_cannot_be_read_is_an_exception_with_the_commands_words(self):
        with self.assertRaisesRegex(blecap.BlecapError, 'README.md') as caught:
            list(blecap.annotate(ROOT / 'README.md'))
        self.assertEqual(caught.exception.status, 3)

    def test_a_caller_may_stop_early(self):
        first = next(blecap.annotate(CAPTURES / 'uqdk-unlock.btsnoop'))
        self.assertIsInstance(first, blecap.File)


if __name__ == '__main__':
    unittest.main()
