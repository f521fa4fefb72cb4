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
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
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


def classic(handle, device):
    """The event with a connection of Bluetooth Classic to a device."""
    return (3, struct.pack('<BBBBH', 4, 3, 11, 0, handle) + struct.pack('<I', device) + b'\x11\x22\1\0')


def voice(handle, device):
    """The event with an eSCO link to a device."""
    return (3, struct.pack('<BBBBH', 4, 0x2C, 17, 0, handle) + struct.pack('<I', device)
            + b'\x11\x22\2\x0c\4\x3c\0\x3c\0\2')


def spoken(handle, flags):
    """A packet of voice."""
    return (flags, struct.pack('<BHB', 3, handle, 48) + bytes(48))


class ReportPhases(PageCase):
    def made(self, *records):
        capture = self.path / 'made.btsnoop'
        capture.write_bytes(timed(records))
        self.open(capture)

    def test_time_that_is_drawn_shorter_has_ticks(self):
        self.made((0, *connected(0x40, 1)), (300, *START), (300.004, *ENCRYPTED),
                  (301, *notified(0x40, b'a')),
                  (900, *disconnected(0x40, 8)))
        for width, least in ((390, 1), (1440, 3)):
            self.resize(width)
            ticks = self.browser.run(TICKS)
            breaks = self.browser.run("""return [...document.querySelectorAll('.break')]
                .map((one) => one.getBoundingClientRect().right);""")
            ticks.sort(key=lambda tick: tick[2])
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
                return marks.map((mark) => box(mark).left).filter((left) =>
                    [...document.querySelectorAll('.break')].some((one) =>
                        left > box(one).left - 1 && left < box(one).right + 1)).length;""")
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
        self.assertEqual(rows, ['Create Connection', '10.2\xa0s in 2, failed'])
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

    def test_voice_beside_a_connection_is_shown_everywhere(self):
        records = [(0, *classic(0x40, 1)), (1, 1, struct.pack('<BHHHH', 2, 0x2040, 12, 8, 0x41) + bytes(8)),
                   (2, *voice(0x41, 1))]
        records += [(2 + at / 50, *spoken(0x41, at % 2)) for at in range(500)]
        self.made(*records, (20, *disconnected(0x41, 0x13)), (20.1, *disconnected(0x40, 0x13)))
        said, phases, lane, figures, steps = self.browser.run("""
            const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText);
            const [lane] = timeline.lanes;
            return [texts('.answers')[0], texts('#phases .name, #phases .lasts'),
                [lane.bars.map(({name, from, to}) => [name, from, to]), lane.silences.map(({text}) => text)],
                texts('.figure'), texts('#steps .both')];""")
        packets = '500 packets: 250 sent, 250 received'
        self.assertIn(f'1 packet\nof Bluetooth Classic, not decoded above L2CAP; voice: {packets}', said)
        self.assertEqual(phases[:2], ['voice', '10.0\xa0s · 500 packets'])
        self.assertEqual(lane, [[['voice', 2_000_000, 11_980_000]], ['no data for 8.1\xa0s']])
        self.assertIn(f'10.0\xa0s\nvoice (eSCO) · {packets}', figures)
        self.assertEqual([text.split('\n')[-1].strip() for text in steps],
                         [f'Voice (eSCO) for 10.0\xa0s · {packets}'])
        # Its packets belong to the connection.
        self.assertEqual(self.browser.run("return placesOfLink(1).length"), 505)

    def test_events_are_not_counted_as_packets(self):
        self.made((0, *classic(0x40, 1)), *[(at, 3, bytes([4, 0x1B, 3, 0x40, 0, 5])) for at in range(1, 9)],
                  (9, *disconnected(0x40, 0x13)))
        said, figures = self.browser.run("""return [document.querySelector('.answers').innerText,
            figures.box.innerText];""")
        self.assertIn('Not in this log\nit has no data of this connection', said)
        self.assertNotIn('kB/s', figures)
        self.assertEqual(self.browser.run('return timeline.lanes[0].silences'), [])

    def test_narrow_timelines_have_ticks_and_none_outside_the_log(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width, least in ((390, 3), (800, 4), (1440, 6)):
            self.resize(width)
            ticks, words = self.browser.run("""
                const pen = document.createElement('canvas').getContext('2d'), found = [];
                const lines = [];
                pen.fillText = (text, x) => found.push([text, x, x + pen.measureText(text).width]);
                pen.moveTo = (x, y) => lines.push([x, y]);
                pen.font = '12px system-ui, sans-serif';
                drawTimeline();
                drawAxis(pen, timeline.width, 100, () => '#000');
                const axis = [...found];
                drawMarks(pen, timeline.width, 100, () => '#000');
                // The line through the chosen frame is the last one.
                return [axis, lines.at(-1)[1] >= AXIS];""")
            self.assertGreaterEqual(len(ticks), least, width)
            self.assertTrue(words)
            for (_, _, right), (_, left, _) in zip(ticks, ticks[1:]):
                self.assertLess(right, left)
            self.browser.run('timeline.from = -5e6; timeline.to = 2e6; drawTimeline()')
            self.assertEqual(self.browser.run("""return stretchesInView();"""), [[0, 2e6]])
            self.browser.run('fitConnections()')
        self.resize(WIDTHS[0])


if __name__ == '__main__':
    unittest.main()
