import unittest

from swift_source import code_of, functions


class CodeOfTests(unittest.TestCase):
    def test_comments_and_strings_are_gone_and_lines_stay(self):
        text = 'let a = "print(" // print(\n/* print( /* nested */ print(\n */ let b = 1\n'
        code = code_of(text)
        self.assertNotIn('print', code)
        self.assertEqual(code.count('\n'), text.count('\n'))
        self.assertIn('let b = 1', code)

    def test_code_in_interpolations_stays(self):
        self.assertIn('Date()', code_of(r'let a = "now: \(Date())"'))
        self.assertIn('f(g(1))', code_of(r'let a = #"now: \#(f(g(1))) (x)"#'))

    def test_an_escaped_quote_does_not_end_a_string(self):
        self.assertNotIn('fatalError', code_of(r'let a = "\" fatalError("; let b = 2'))

    def test_multiline_strings(self):
        code = code_of('let a = """\n  print("x")\n  """\nprint(1)\n')
        self.assertEqual(code.count('print'), 1)

    def test_names_in_backticks_are_no_code(self):
        self.assertNotIn('Task {', code_of('@Test func `a bare Task { is refused`() {}'))


class FunctionsTests(unittest.TestCase):
    def lengths(self, text):
        return [(name, lines) for _, name, lines in functions(code_of(text))]

    def test_lines_are_counted_from_head_to_brace(self):
        self.assertEqual(self.lengths('func a() {\n  b()\n}\n'), [('a', 3)])

    def test_head_on_several_lines(self):
        self.assertEqual(
            self.lengths('func a(\n  b: Int,\n  c: () -> Void = {}\n) throws -> Int {\n  1\n}\n'), [('a', 6)])

    def test_requirements_have_no_body(self):
        text = 'protocol P {\n  func a()\n  func b() -> Int\n  init(c: Int)\n}\nfunc d() { }\n'
        self.assertEqual(self.lengths(text), [('d', 1)])

    def test_calls_of_initializers_are_none(self):
        self.assertEqual(self.lengths('let a = B.init(c: 1)\nlet d = { 1 }\n'), [])

    def test_braces_in_strings_do_not_count(self):
        self.assertEqual(self.lengths('func a() {\n  b("}")\n}\n'), [('a', 3)])
