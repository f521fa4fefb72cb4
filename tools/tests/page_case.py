"""What the tests of the report page in Chromium share."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / 'tools' / 'tests'))
from webdriver import Browser  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get('BLECAP', TOP / '.build' / 'tests' / 'debug' / 'blecap'))
READY = "document.body.dataset.state === 'ready'"
WIDTHS = (1280, 390)


def annotated(capture, *options):
    """The frames of a capture as NDJSON has them."""
    lines = subprocess.run([PROGRAM, 'annotate', '--format', 'ndjson', *options, str(capture)], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    frames = [json.loads(line) for line in lines.splitlines()]
    return [frame for frame in frames if frame['kind'] == 'frame']


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.browser = Browser(downloads=cls.path)
        cls.browser.command('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(cls.path))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.pages = set()

    def open(self, capture, fragment='', *options):
        """Writes the page about a capture, opens it, and returns the capture's frames as NDJSON has them."""
        self.show(capture.stem, [*options, str(capture)], fragment)
        return annotated(capture, *options)

    def show(self, name, words, fragment=''):
        """Writes the page of `blecap report` with these words, and opens it."""
        page = self.path / f'{name}.html'
        subprocess.run([PROGRAM, 'report', '--force', '-o', str(page), *words], check=True,
                       stderr=subprocess.DEVNULL)
        self.browser.open('about:blank')
        self.load(page, fragment)
        self.browser.await_true(READY)

    def load(self, page, fragment=''):
        self.pages.add(page.as_uri())
        self.browser.open(page.as_uri() + fragment)

    def tearDown(self):
        self.assertEqual([line['message'] for line in self.browser.console()], [])
        # Nothing but the pages themselves, and what they save.
        asked = {address.split('#')[0] for address in self.browser.requests()
                 if not address.startswith(('about:blank', 'blob:'))}
        self.assertLessEqual(asked, self.pages)

    def corpus(self, folder, name):
        """A capture of a stranger; without it, the test is skipped."""
        path = TOP.parent / 'shared' / folder / name
        if not path.exists():
            self.skipTest('without the captures of strangers')
        return path

    def shown(self):
        return self.browser.run("return document.getElementById('detail').dataset.frame")

    def await_frame(self, number):
        self.browser.await_true(f"document.getElementById('detail').dataset.frame === '{number}'")

    @staticmethod
    def data_only(path):
        """A capture of the monitor with its data alone."""
        source = path.read_bytes()
        at, kept = 16, source[:16]
        while at < len(source):
            end = at + 24 + int.from_bytes(source[at:at + 4], 'big')
            # Data of the monitor: opcodes 4 and 5.
            kept += source[at:end] if int.from_bytes(source[at + 10:at + 12], 'big') in (4, 5) else b''
            at = end
        return kept

    @staticmethod
    def later(path, seconds):
        """A capture of which all but the first record was recorded so much later."""
        data = bytearray(path.read_bytes())
        at = 40 + int.from_bytes(data[20:24], 'big')
        while at < len(data):
            time = int.from_bytes(data[at + 16:at + 24], 'big') + seconds * 1_000_000
            data[at + 16:at + 24] = time.to_bytes(8, 'big')
            at += 24 + int.from_bytes(data[at + 4:at + 8], 'big')
        return bytes(data)

    def resize(self, width):
        self.browser.command('Emulation.setDeviceMetricsOverride', width=width, height=900,
                             deviceScaleFactor=1, mobile=False)

    def check_contrast(self, opened):
        """Text in light and dark, wide and narrow, stands out from what is behind it (WCAG 2, 1.4.3)."""
        script = """
            const light = (color) => {
                const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
                    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
            };
            const probe = document.createElement('i');
            probe.style.backgroundColor = 'Canvas';
            document.body.append(probe);
            const canvas = getComputedStyle(probe).backgroundColor;
            probe.remove();
            const back = (element) => {
                for (let each = element; each; each = each.parentElement) {
                    const color = getComputedStyle(each).backgroundColor;
                    if (!/, 0\\)$/.test(color)) return color;
                }
                return canvas;
            };
            const poor = [];
            for (const element of document.querySelectorAll('body *')) {
                const isText = (node) => node.nodeType === 3 && node.data.trim();
                if (![...element.childNodes].some(isText) || element.localName === 'script') continue;
                if (!element.checkVisibility() || element.disabled) continue;
                const [a, b] = [light(getComputedStyle(element).color), light(back(element))];
                const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (ratio < 4.5) poor.push([element.className, element.textContent.slice(0, 30), ratio]);
            }
            return poor;"""
        for scheme in ('light', 'dark'):
            self.browser.command('Emulation.setEmulatedMedia',
                                 features=[{'name': 'prefers-color-scheme', 'value': scheme}])
            opened()
            for width in WIDTHS:
                with self.subTest(scheme=scheme, width=width):
                    self.resize(width)
                    self.assertEqual(self.browser.run(script), [])
        self.browser.command('Emulation.setEmulatedMedia', features=[])
        self.resize(WIDTHS[0])
