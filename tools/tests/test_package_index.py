import json
import os
import subprocess
import unittest

from tests import TOOLS


def manifest(hidden=()):
    """The package as the Swift Package Index sees it where these folders of headers are missing."""
    hide = ''.join(f'mount -t tmpfs none /usr/include/{folder} && ' for folder in hidden)
    made = subprocess.run(
        ['unshare', '--map-root-user', '--mount', 'sh', '-c',
         f'{hide} exec swift package --manifest-cache none dump-package'],
        cwd=TOOLS.parent, env=os.environ | {'SPI_BUILDER': '1'}, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-2000:]
    package = json.loads(made.stdout)
    targets = {target['name']: {need['byName'][0] for need in target['dependencies']}
               for target in package['targets']}
    return targets, {product['name'] for product in package['products']}


class PackageIndexTests(unittest.TestCase):
    def test_without_the_headers_of_capture_the_libraries_stay_and_nothing_hangs_in_the_air(self):
        targets, products = manifest()
        self.assertIn('MonitorCapture', targets)
        fewer, remaining = manifest(hidden=['bluetooth', 'pcap'])
        self.assertEqual(products - remaining, {'blecap'})
        self.assertNotIn('MonitorCapture', fewer)
        for name, needs in fewer.items():
            self.assertLessEqual(needs, fewer.keys(), name)


if __name__ == '__main__':
    unittest.main()
