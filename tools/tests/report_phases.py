#!/usr/bin/env python3
"""Tests what the page of `blecap report` draws along time, in Chromium: the axis of the phases, attempts that
failed, ticks of the timeline, and long pauses in the exchange.

  tools/tests/report_phases.py
"""

import struct
import unittest

from page_captures import advertising, connected, disconnected, notified, timed
from page_case import TOP, WIDTHS, PageCase

START = (2, bytes([1, 0x19, 0x20, 28, 0x40, 0]) + bytes(26))
ENCRYPTED = (3, bytes([4, 8, 4, 0, 0x40, 0, 1]))
# Each shown tick of the phases' axis: its words, its kind and the pixels of its words.
TICKS = """
    const boxes = [...document.querySelectorAll('.axis > span')].filter((one) => one.checkVisibility());
    return boxes.map((one) => {
        const {left, right} = one.firstChild.getBoundingClientRect();
        return [one.innerText, one.className, left, right];
    });"""


def attempt(seconds, device, status, lasts):
    """A request for a connection to a device, its acceptance, and its failure so much later."""
    address = struct.pack('<I', device) + b'\x11\x22'
    return [(seconds, 2, bytes([1, 5, 4, 13]) + address + bytes([0x18, 0xCC, 1, 0, 0, 0, 1])),
            (seconds + 0.01, 3, bytes([4, 0x0F, 4, 0, 1, 5, 4])),
            (seconds + lasts, 3, bytes([4, 3, 11, status, 0, 0]) + address + bytes([1, 0]))]


class ReportPhases(PageCase):
    def made(self, *records):
        capture = self.path / 'made.btsnoop'
        capture.write_bytes(timed(records))
        self.open(capture)

    def test_time_that_is_drawn_shorter_has_ticks(self):
        self.made((0, *connected(0x40, 1)), (300, *START), (300.004, *ENCRYPTED), (301, *notified(0x40, b'a')),
                  (900, *disconnected(0x40, 8)))
        for width, least in ((390, 1), (1440, 3)):
            self.resize(width)
            ticks = self.browser.run(TICKS)
            breaks = self.browser.run("""return [...document.querySelectorAll('.break')]
                .map((one) => one.getBoundingClientRect().right);""")
            times = [(text, left) for text, kind, left, _ in ticks if kind != 'rest']
            self.assertEqual(sorted(times), times)
            self.assertGreaterEqual(sum(left > breaks[-1] for _, left in times), least, ticks)
            # What is no time has no number, however little room it has.
            self.assertLessEqual({text for text, kind, _, _ in ticks if kind == 'rest'}, {'drawn shorter'})
            for (_, _, _, right), (_, _, left, _) in zip(ticks, ticks[1:]):
                self.assertLess(right, left)
        self.resize(WIDTHS[0])

    def test_failures_have_their_times_on_the_axis_and_stand_beside_the_breaks(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width, least in ((390, 2), (1440, 5)):
            self.resize(width)
            ticks = [text for text, kind, _, _ in self.browser.run(TICKS) if kind == 'failure']
            self.assertGreaterEqual(len(ticks), least, width)
            self.assertEqual(ticks[0], '44.2\xa0s')
            over = self.browser.run("""
                const box = (one) => one.getBoundingClientRect();
                const marks = [...document.querySelectorAll('.gantt .mark:not([hidden])')];
                return marks.filter((mark) =>
                    [...document.querySelectorAll('.break')].some((one) =>
                        box(mark).left > box(one).left - 1 && box(mark).left < box(one).right + 1)).length;""")
            self.assertEqual(over, 0, width)
        self.resize(WIDTHS[0])

    def test_attempts_to_connect_that_failed_are_phases(self):
        self.made((0, 3, advertising(b'lamp', 1)), *attempt(1, 1, 4, 5.1), *attempt(10, 1, 4, 5.1),
                  *attempt(200, 2, 4, 5.1))
        title, rows, bars, marks = self.browser.run("""
            const texts = (selector) => [...document.querySelectorAll('#phases ' + selector)]
                .map((one) => one.innerText);
            return [texts('h2'), texts('.name, .lasts'), document.querySelectorAll('.track .phase').length,
                document.querySelectorAll('.gantt .mark').length];""")
        self.assertEqual(title, ['Attempts to connect to lamp (22:11:00:00:00:01)'])
        self.assertEqual(rows, ['Create Connection', '10.2\xa0s, failed in 2'])
        self.assertEqual((bars, marks), (2, 2))
        self.browser.run("document.querySelector('#phases .name button').click()")
        self.await_frame('2')

    def test_a_long_pause_in_the_exchange_is_seen(self):
        self.made((0, *connected(0x40, 1)), (0.005, *notified(0x40, b'a')), (0.5, *ENCRYPTED),
                  (12.4, *notified(0x40, b'def')), (72.4, *disconnected(0x40, 0x13)))
        gaps = self.browser.run("""return [...document.querySelectorAll('#steps .gap')]
            .filter((one) => one.innerText.startsWith('+'))
            .map((one) => [one.innerText, one.classList.contains('long'), one.offsetHeight]);""")
        by_length = sorted((height, text) for text, _, height in gaps)
        self.assertEqual([text for text, is_long, _ in gaps if is_long], ['+11.9\xa0s', '+60.0\xa0s'])
        self.assertEqual([text for _, text in by_length[-2:]], ['+11.9\xa0s', '+60.0\xa0s'])


if __name__ == '__main__':
    unittest.main()
