#!/usr/bin/env python3
"""Tests the list of frames on the page of `blecap report`, its search, and the bar above all, in Chromium.

  tools/tests/report_list.py
"""

import unittest

from page_case import TOP, WIDTHS, PageCase


class ReportList(PageCase):
    def test_three_bytes_are_found_anywhere_in_a_packet(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        search = '''list.filters.text.value = given[0]; filterList();
            return list.shown.map((place) => nameOf(log.index[place]));'''
        frames = self.browser.run("""return Promise.all([...log.index.keys()].map(async (place) =>
            [nameOf(log.index[place]), (await frameAt(place)).bytes]));""")
        digits = next(bytes[4:16] for name, bytes in frames if name == '257')
        self.browser.run(search, digits)
        self.browser.await_true('raw.octets !== null')
        expected = [name for name, bytes in frames
                    if any(bytes[at:at + 12] == digits for at in range(0, len(bytes), 2))]
        self.assertIn('257', expected)
        self.assertLessEqual(set(expected), set(self.browser.run(search, digits)))

    def test_the_number_of_frames_is_that_of_the_connection(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        status = """filterByLink(given[0]); return list.status.textContent;"""
        count = self.browser.run('return log.index.filter((row) => row[LINK] === 2).length')
        self.assertEqual(self.browser.run(status, 2), f'{count} of {count} frames of connection 2')
        self.assertRegex(self.browser.run(status, 0), r'^(\d+) of \1 frames$')

    def test_the_top_bar_fits_a_narrow_screen(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.resize(390)
        for text in ('next failure', 'next overcome problem', 'next warning, and much longer'):
            right = self.browser.run("""document.querySelector('#next > span').textContent = given[0];
                return Math.max(...[...document.querySelectorAll('.keys button')]
                    .map((one) => one.getBoundingClientRect().right));""", text)
            self.assertLessEqual(right, 390, text)
        self.resize(WIDTHS[0])


if __name__ == '__main__':
    unittest.main()
