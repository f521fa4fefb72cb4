import pathlib
import re
import unittest

from swift_source import code_of
from tests import script

imports = script('check-imports')


def target(name, declared=(), kind='regular'):
    return imports.Target(
        {'name': name, 'type': kind, 'path': 'x',
         'dependencies': [{'byName': [room, None]} for room in declared]}, pathlib.Path('.'))


class ManifestTests(unittest.TestCase):
    def test_an_arrow_and_the_ground_are_allowed(self):
        self.assertEqual(imports.check_manifest(target('Analysis', ['CaptureFile', 'WireBytes'])), [])

    def test_an_arrow_back_is_not(self):
        self.assertEqual(len(imports.check_manifest(target('CaptureFile', ['Analysis']))), 1)
        self.assertEqual(len(imports.check_manifest(target('WireBytes', ['BluetoothCore']))), 1)
        self.assertEqual(len(imports.check_manifest(target('Crypto', ['BluetoothCore']))), 1)

    def test_a_dependency_that_no_file_imports_is_named(self):
        declared = target('Analysis', ['CaptureFile', 'WireBytes'])
        self.assertEqual(imports.check_unused(declared, {'CaptureFile', 'Testing', 'WireBytes'}), [])
        self.assertEqual(len(imports.check_unused(declared, {'WireBytes'})), 1)

    def test_a_room_nobody_knows_is_named(self):
        self.assertEqual(len(imports.check_manifest(target('Helpers'))), 1)

    def test_the_command_sees_all_but_system_libraries(self):
        rooms = ['Analysis', 'Rendering']
        self.assertEqual(imports.check_manifest(target('blecap', rooms, 'executable')), [])
        self.assertEqual(len(imports.check_manifest(target('blecap', ['CArchive'], 'executable'))), 1)

    def test_arrows_make_no_circle(self):
        def under(room, seen=()):
            self.assertNotIn(room, seen)
            for next_room in imports.ARROWS.get(room, []):
                under(next_room, (*seen, room))
        for room in imports.ARROWS:
            under(room)


class ImportTests(unittest.TestCase):
    def check(self, text, name='Analysis', declared=('WireBytes',), kind='regular'):
        rooms = {'Analysis', 'WireBytes', 'Crypto'}
        return imports.check_imports(target(name, declared, kind), 'f', code_of(text), rooms)

    def test_undeclared_imports_in_every_spelling(self):
        for line in ['import Crypto', 'public import Crypto', '@testable import Crypto',
                     '@_spi(X) internal import struct Crypto.AES', '    import Crypto']:
            with self.subTest(line=line):
                self.assertEqual(len(self.check(line + '\n')), 1)
        self.assertEqual(self.check('import WireBytes\n// import Crypto\n'), [])

    def test_foundation_only_where_it_is_needed(self):
        self.assertEqual(len(self.check('import Foundation\n')), 1)
        self.assertEqual(self.check('import Foundation\n', 'blecap'), [])
        self.assertEqual(self.check('import Foundation\n', kind='test'), [])

    def test_foundation_comes_with_core_bluetooth_only_to_rooms_that_may_have_it(self):
        self.assertEqual(len(self.check('import CoreBluetooth\n')), 1)
        for room in ['UQDKBle', 'ReplayHarness', 'blecap']:
            self.assertEqual(self.check('import CoreBluetooth\n', room), [])


class IdentifierTests(unittest.TestCase):
    def check(self, text, name='Analysis'):
        return imports.check_identifiers(target(name), 'f', code_of(text), text)

    def test_what_only_the_rim_may(self):
        for line in ['Task { await a() }', 'Task.detached { }', 'let now = Date()',
                     'let c = ContinuousClock()',
                     'DispatchQueue.main', 'print(1)', 'Int.random(in: 0..<4)', 'list.shuffled()',
                     'var g = SystemRandomNumberGenerator()', 'try! a()', 'fatalError("x")',
                     'final class A: @unchecked Sendable {}']:
            with self.subTest(line=line):
                self.assertEqual(len(self.check(line)), 1)

    def test_what_looks_like_it_and_is_not(self):
        for line in ['// Date()', 'let a = "print("', 'fingerprint(1)', 'self.print(1)',
                     'Int.random(in: 0..<4, using: &g)', 'let taskCount = 1', 'struct SubTask { }']:
            with self.subTest(line=line):
                self.assertEqual(self.check(line), [])

    def test_unsafe_needs_its_room_and_its_reason(self):
        self.assertEqual(len(self.check('unsafe a.load()')), 1)
        self.assertEqual(len(self.check('unsafe a.load()', 'WireBytes')), 1)
        self.assertEqual(self.check('// Safe: four octets are left.\nunsafe a.load()', 'WireBytes'), [])


class ArchitecturePageTests(unittest.TestCase):
    def test_the_page_names_what_the_sources_have(self):
        top = pathlib.Path(__file__).parents[2]
        rooms = ('Plugins', 'Sources', 'Tests', 'page')
        found = [file for room in rooms for file in (top / room).rglob('*')]
        files = [file for file in found if file.suffix in ('.swift', '.js')]
        text = '\n'.join(f'{file.stem} {file.read_text()}' for file in files)
        known = set(re.findall(r'\w+', text)) | {file.name for file in (top / 'Plugins').iterdir()}
        named = re.findall(r'`([A-Za-z]+[A-Z]\w+)`', (top / 'docs/architecture.md').read_text())
        self.assertGreater(len(named), 40)
        self.assertEqual([name for name in named if name not in known], [])


if __name__ == '__main__':
    unittest.main()
