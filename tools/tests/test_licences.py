"""What a user of the libraries links: nothing under the GPL."""

import json
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The licences of the system libraries, by the targets that open them. zstd may be had under BSD's.
LICENCES = {
    'CArchive': 'BSD', 'CBluez': 'GPL', 'CCompression': 'BSD, zlib, public domain', 'CCrypto': 'Apache',
    'CEdit': 'BSD', 'CLinux': 'of the C library', 'CPcap': 'BSD', 'CoreBluetoothHeaders': 'ours',
}


def manifest():
    return json.loads(subprocess.check_output(
        ['swift', 'package', '--package-path', str(ROOT), 'dump-package'], stderr=subprocess.PIPE))


def reached(targets, names):
    """All targets that some need, and those that they need."""
    known, left = set(), list(names)
    while left:
        name = left.pop()
        if name in known:
            continue
        known.add(name)
        for dependency in targets[name]['dependencies']:
            left += [dependency[kind][0] for kind in dependency if kind in ('byName', 'target')]
    return known


class LicenceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        described = manifest()
        cls.targets = {target['name']: target for target in described['targets']}
        cls.products = described['products']

    def test_each_system_library_has_a_licence(self):
        system = {name for name, target in self.targets.items() if target['type'] == 'system'}
        self.assertEqual(system, set(LICENCES))

    def test_no_library_product_needs_what_is_under_the_gpl(self):
        libraries = [product for product in self.products if 'library' in product['type']]
        self.assertGreaterEqual(len(libraries), 4)
        for product in libraries:
            needed = reached(self.targets, product['targets'])
            self.assertGreater(len(needed), 3, product['name'])
            self.assertEqual(
                [name for name in needed if LICENCES.get(name) == 'GPL'], [], product['name'])

    def test_the_command_does(self):
        command = next(product for product in self.products if product['name'] == 'blecap')
        self.assertIn('CBluez', reached(self.targets, command['targets']))
