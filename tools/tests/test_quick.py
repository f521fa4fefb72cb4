import pathlib
import types
import unittest

from tests import script

quick = script('quick')
ROOT = pathlib.Path('/tree')


def target(name, folder, kind='regular', declared=()):
    return types.SimpleNamespace(name=name, kind=kind, folder=ROOT / folder, declared=set(declared))


TARGETS = [
    target('CPcap', 'Sources/System/CPcap', 'system'),
    target('Bytes', 'Sources/Base/Bytes'),
    target('Analysis', 'Sources/Decoder/Analysis', declared=['Bytes']),
    target('AnalysisExtra', 'Sources/Decoder/AnalysisExtra', declared=['CPcap']),
    target('Support', 'Tests/Support/Support', declared=['Bytes']),
    target('BytesTests', 'Tests/Base/BytesTests', 'test', ['Bytes']),
    target('AnalysisTests', 'Tests/Decoder/AnalysisTests', 'test', ['Analysis', 'Support']),
    target('DocumentTests', 'Tests/Decoder/DocumentTests', 'test', ['Bytes', 'Support']),
]


class ChoiceTests(unittest.TestCase):
    def test_a_room_is_tested_by_its_own_tests_alone(self):
        self.assertEqual(quick.chosen_tests(TARGETS, 'Bytes', False), {'BytesTests'})
        self.assertEqual(quick.chosen_tests(TARGETS, 'Document', False), {'DocumentTests'})

    def test_dependents_are_the_tests_of_the_rooms_that_import_it(self):
        self.assertEqual(
            quick.chosen_tests(TARGETS, 'Bytes', True), {'BytesTests', 'AnalysisTests', 'DocumentTests'})

    def test_a_room_without_tests_is_tested_by_those_that_import_it(self):
        self.assertEqual(quick.chosen_tests(TARGETS, 'Support', False), {'AnalysisTests', 'DocumentTests'})

    def test_rooms_are_named_without_the_tests_of_them(self):
        self.assertEqual(
            quick.rooms(TARGETS), ['Analysis', 'AnalysisExtra', 'Bytes', 'Document', 'Support'])

    def test_changed_files_name_their_rooms(self):
        for files, rooms in [
            (['Sources/Decoder/Analysis/A.swift'], {'Analysis'}),
            (['Tests/Decoder/AnalysisTests/A.swift', 'README.md'], {'Analysis'}),
            (['Sources/Decoder/AnalysisExtra/A.swift'], {'AnalysisExtra'}),
            (['Sources/System/CPcap/shim.h'], {'AnalysisExtra'}),
            (['docs/a.md', 'Package.swift'], set()),
        ]:
            with self.subTest(files=files):
                self.assertEqual(quick.rooms_of(TARGETS, ROOT, files), rooms)


class CountTests(unittest.TestCase):
    def test_a_run_that_says_nothing_ran_no_tests(self):
        self.assertEqual(quick.tests_run(''), 0)
        self.assertEqual(quick.tests_run('✔ Test run with 0 tests in 0 suites passed'), 0)
        self.assertEqual(quick.tests_run('✔ Test run with 12 tests in 3 suites passed'), 12)
        self.assertEqual(quick.tests_run('✔ Test run with 1 test in 1 suite passed'), 1)


if __name__ == '__main__':
    unittest.main()
