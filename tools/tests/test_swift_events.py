import json
import unittest

import swift_events

QUICK = 'RoomTests.Suite/`a test (of "x")`()/RoomTests.swift:12:6'
SLOW = 'RoomTests.Suite/`another: a|b`(way:)/RoomTests.swift:20:6'
ABSENT = 'RoomTests.`a third`()/Other.swift:7:2'


def event(kind, test, text, at=0.0):
    return {'kind': 'event', 'payload': {
        'kind': kind, 'testID': test, 'instant': {'absolute': at}, 'messages': [{'text': text}]}}


def stream(*events):
    tests = [{'kind': 'test', 'payload': {'kind': 'function', 'id': test, 'name': test}}
             for test in (QUICK, SLOW, ABSENT)]
    suite = {'kind': 'test', 'payload': {'kind': 'suite', 'id': 'RoomTests.Suite', 'name': 'Suite'}}
    return [json.dumps(record) for record in (suite, *tests, *events)]


WHOLE = stream(
    event('testStarted', 'RoomTests.Suite', 'Suite started.'),
    event('testStarted', QUICK, 'started.', 1),
    event('testSkipped', SLOW, 'Test "another" skipped: "not quick: starts a process"'),
    event('testSkipped', ABSENT, 'Test "a third" skipped: "no tshark"'),
    event('testEnded', QUICK, 'passed', 3.5),
    event('runEnded', None, 'passed'))


class SwiftEventsTests(unittest.TestCase):
    def test_skipped_tests_and_suites_do_not_count_as_run(self):
        run = swift_events.Run(WHOLE)
        self.assertEqual((run.ran, run.ended), (1, True))

    def test_a_run_without_an_end_is_recognized(self):
        self.assertFalse(swift_events.Run(WHOLE[:-1]).ended)

    def test_tests_for_the_second_tier_are_apart_from_those_that_lack_something(self):
        run = swift_events.Run(WHOLE)
        self.assertEqual(run.later, [SLOW])
        lines = list(run.summary())
        self.assertIn(f'left out: {ABSENT}, no tshark', lines)
        self.assertIn('1 tests left to tools/test --all, not quick: starts a process', lines)

    def test_a_filter_names_tests_by_file_and_line(self):
        self.assertEqual(swift_events.pattern([SLOW, ABSENT]), r'/Other\.swift:7:|/RoomTests\.swift:20:')

    def test_each_tier_has_a_floor(self):
        self.assertEqual(swift_events.floors('quick 5\nrest 2\n'), {'quick': 5, 'rest': 2})
        self.assertEqual(set(swift_events.floors(swift_events.FLOORS.read_text())), {'quick', 'rest'})
