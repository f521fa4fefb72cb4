import pathlib
import unittest

from judge.cases import CASES, HEALTHY

PAGE = pathlib.Path(__file__).resolve().parents[2] / 'docs' / 'verdict.md'


def names_of(cell):
    return [name.strip() for name in cell.split(',')]


def truth_of(case):
    """The code and the side as the page has them."""
    keyed = case.keyed or case.truth
    return [(mine or '-') + (f' (with keys: {other or "-"})' if keyed != case.truth else '')
            for mine, other in zip(case.truth, keyed)]


class VerdictPageTests(unittest.TestCase):
    def setUp(self):
        self.page = PAGE.read_text()
        lines = self.page.split('\n## Faults', 1)[1].split('\n## ', 1)[0].splitlines()
        self.rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in lines
                     if line.startswith('| ') and not line.startswith(('| fault', '| case'))]

    def test_the_page_lists_every_fault_with_its_truth(self):
        listed = {name: row[1:] for row in self.rows if len(row) == 4 for name in names_of(row[0])}
        made = {name: [case.layer, *truth_of(case)] for name, case in CASES.items()
                if case.layer not in (HEALTHY, 'recorder')}
        self.assertEqual(listed, made)

    def test_the_page_lists_what_must_be_said_of_a_recorder(self):
        listed = {name: row[1:] for row in self.rows if len(row) == 3 for name in names_of(row[0])}
        made = {name: [', '.join(filter(None, case.truth)) or '-', ', '.join(case.said) or '-']
                for name, case in CASES.items() if case.layer == 'recorder'}
        self.assertEqual(listed, made)

    def test_the_page_lists_every_healthy_session(self):
        paragraph = self.page.split('Nothing may fail in these sessions:\n\n', 1)[1].split('\n\n', 1)[0]
        self.assertEqual(names_of(' '.join(paragraph.split())),
                         [name for name, case in CASES.items() if case.layer == HEALTHY])

    def test_there_are_enough_of_each_layer(self):
        many = {}
        for case in CASES.values():
            many[case.layer] = many.get(case.layer, 0) + 1
        self.assertTrue(all(count >= 8 for count in many.values()), many)
