import subprocess
import tempfile
import unittest

from tests import script

tidy = script('tidy')


class TidyTests(unittest.TestCase):
    def test_a_long_function_is_named_with_its_line(self):
        text = 'struct A {\n' + 'func b() {\n' + 'c()\n' * 69 + '}\n}\n'
        self.assertEqual(len(tidy.check_swift('Sources/X/A.swift', text)), 1)
        self.assertIn(':2: b has 71 lines', tidy.check_swift('Sources/X/A.swift', text)[0])
        self.assertEqual(tidy.check_swift('Sources/X/A.swift', text.replace('c()\n', '', 1)), [])

    def test_a_file_is_named_like_its_type(self):
        self.assertTrue(tidy.check_swift('Sources/X/A.swift', 'struct B {}\n'))
        self.assertFalse(tidy.check_swift('Sources/X/A+B.swift', 'extension A {}\n'))
        self.assertFalse(tidy.check_swift('Sources/X/Reads.swift', 'public struct A {}\nstruct B {}\n'))
        self.assertFalse(tidy.check_swift('Sources/X/main.swift', 'run()\n'))

    def test_lines(self):
        # Put together, so that this file holds no path of a machine itself.
        home, work = ('/' + folder for folder in ('home', 'work'))
        for line, many in [
            ('x' * 110, 0), ('x' * 111, 1), ('a = 1 ', 1), ('\ta', 1), ('// TODO: b', 1),
            ('// a stub', 1), ('let stubborn = 1', 0), (f'open("{home}/me/x")', 1), ('open("/dev/vhci")', 0),
            (f'$dir{home}/x', 0), (f'see {work}/x', 1),
        ]:
            with self.subTest(line=line):
                self.assertEqual(len(tidy.check_lines('Sources/X/A.swift', [line])), many)

    def test_long_lines_are_allowed_in_long_strings(self):
        lines = ['let a = """', '  ' + 'x' * 120, '  """', 'let b = "' + 'x' * 120 + '"']
        self.assertEqual(len(tidy.check_lines('Sources/X/A.swift', lines)), 1)
        self.assertEqual(tidy.check_lines('Tests/X/A.swift', lines), [])
        self.assertEqual(len(tidy.check_lines('Tests/X/A.swift', ['let b = ' + 'x' * 120])), 1)

    def test_long_lines_are_allowed_in_prose(self):
        self.assertEqual(tidy.check_lines('docs/a.md', ['x' * 400]), [])

    def test_phrases_that_must_be_decoded_are_named_with_what_to_write(self):
        wrong = tidy.check_lines('docs/a.md', ['Nil if there is none.', 'Nothing is wrong here.'])
        self.assertEqual(wrong, ['docs/a.md:1: "is none": say what it is, or that it is missing'])

    def test_a_doc_comment_begins_with_a_noun_phrase(self):
        lines = ['/// What is kept.', 'let a', '/// Bytes kept.', '/// When full, the oldest goes.', 'let b']
        self.assertEqual(len(tidy.check_lines('Sources/X/A.swift', lines)), 1)
        self.assertEqual(tidy.check_lines('Tests/X/A.swift', lines), [])

    def test_subjects_of_commits_are_short(self):
        with tempfile.TemporaryDirectory() as place:
            def git(*arguments):
                subprocess.run(['git', '-C', place, '-c', 'user.name=a', '-c', 'user.email=a', *arguments],
                               check=True, capture_output=True)
            git('init')
            git('commit', '--allow-empty', '-m', 'Say more')
            self.assertEqual(tidy.check_subjects(place), [])
            git('commit', '--allow-empty', '-m', 'Say ' + 'more ' * 20)
            git('commit', '--allow-empty', '-m', 'Say what came of it')
            self.assertEqual(len(tidy.check_subjects(place)), 2)

    def test_kinds_and_places(self):
        for name, good in [
            ('Sources/A/B.swift', True), ('Sources/A/b.py', False), ('captures/a.btsnoop', True),
            ('README.md', True), ('notes.md', False), ('tools/test', True), ('other/a.swift', False),
        ]:
            with self.subTest(name=name):
                self.assertEqual(tidy.check_kind(name) == [], good)


if __name__ == '__main__':
    unittest.main()
