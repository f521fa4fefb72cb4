#!/usr/bin/env python3
"""Tests what the page of `blecap report` says of a failure, in Chromium: its places, what was before it, the
phases around it, and its words.

  tools/tests/report_failures.py
"""

import struct
import unittest

from page_captures import advertising, connected, disconnected, notified, timed
from page_case import TOP, WIDTHS, PageCase

ACKNOWLEDGED = (3, bytes([4, 0x13, 5, 1, 0x40, 0, 1, 0]))
START = (2, bytes([1, 0x19, 0x20, 28, 0x40, 0]) + bytes(26))
ENCRYPTED = (3, bytes([4, 8, 4, 0, 0x40, 0, 1]))


def sent(channel, pdu, flags=0):
    """A PDU of L2CAP on the connection with handle 0x0040."""
    handle = 0x2040 if flags else 0x40
    return (flags, struct.pack('<BHHHH', 2, handle, len(pdu) + 4, len(pdu), channel) + pdu)


def refused(attribute):
    """A Read Request, and its answer: Insufficient Authentication."""
    return [sent(4, struct.pack('<BH', 0x0A, attribute)),
            sent(4, struct.pack('<BBHB', 1, 0x0A, attribute, 5), 1)]


def paired():
    """A pairing with Just Works, as far as the log shows it."""
    features = b'\3\0\1\20\0\0'
    return [sent(6, b'\1' + features), sent(6, b'\2' + features, 1), sent(6, b'\3' + bytes(range(16))),
            sent(6, b'\3' + bytes(range(16)), 1)]


class ReportFailures(PageCase):
    def made(self, *records):
        """Opens the page about a capture with these records: seconds, flags and bytes of each."""
        capture = self.path / 'made.btsnoop'
        capture.write_bytes(timed(records))
        self.open(capture)

    @staticmethod
    def spread(records, seconds, step=0.05):
        """These records so much after each other, from a time on."""
        return [(seconds + step * at, *record) for at, record in enumerate(records)]

    def test_each_place_of_a_failure_is_a_link(self):
        records = [(0, *connected(0x40, 1))]
        for at in range(20):
            records += self.spread(refused(3), 1 + at)
        self.made(*records, (30, *disconnected(0x40, 0x13)))
        links = """return [...document.querySelectorAll('.card.failed > .places a')]
            .map((one) => one.hash.slice(7));"""
        places = self.browser.run('return log.incidents[0].places.map((at) => nameOf(log.index[at]))')
        self.assertEqual(len(places), 20)
        self.assertEqual(self.browser.run(links), places[:12])
        self.assertIn('and 8 more', self.browser.run("return document.querySelector('.places').innerText"))
        self.browser.click('.places button')
        self.assertEqual(self.browser.run(links), places)
        # A link opens its frame, and the card shows the frames around it.
        self.browser.click(f'.places a[href="#frame={places[15]}"]')
        self.await_frame(places[15])
        found = self.browser.run("""
            const card = document.querySelector('.card.failed');
            return [card.querySelector('.decides').dataset.frame,
                card.querySelector('.places [aria-current]').hash];""")
        self.assertEqual(found, [places[15], f'#frame={places[15]}'])

    def test_the_frame_of_the_focus_is_around_what_a_step_leads_to(self):
        records = []
        for at in range(6):
            values = [notified(0x40, bytes([at, value])) for value in range(6)]
            records += self.spread([connected(0x40, 1), *values, disconnected(0x40, 8)], 5 * at)
        self.made(*records)
        self.assertGreater(self.browser.run("return document.querySelectorAll('.site').length"), 4)
        for width in (390, 1280):
            self.resize(width)
            self.browser.run('overview.at = -1')
            for at in range(6):
                self.browser.run('stepFailure(1, true)')
                name, top = self.browser.run("""
                    const one = document.activeElement;
                    return [one.className.split(' ')[0], one.getBoundingClientRect().top
                        - document.getElementById('keys').offsetHeight];""")
                self.assertEqual(name, 'site' if at > 0 else 'card')
                self.assertGreater(top, 2, (width, at))
        self.resize(WIDTHS[0])

    def test_the_last_packets_before_a_silence_are_never_folded(self):
        value = struct.pack('<BH', 0x52, 0x10)
        records = [(0, *connected(0x40, 1))]
        records += self.spread([sent(4, value + b'\1'), ACKNOWLEDGED] * 20, 1)
        self.made(*records, (9, *disconnected(0x40, 8)))
        shown, folded = self.browser.run("""
            const shown = [...document.querySelectorAll('#steps .arrow')].filter((one) =>
                one.checkVisibility()).map((one) => one.dataset.frame);
            const card = [...document.querySelectorAll('.card.failed .proof')]
                .map((one) => one.dataset.frame);
            const last = lastBefore(headlinePlace()).map((at) => nameOf(log.index[at]));
            return [last, last.filter((name) => !shown.includes(name) || !card.includes(name))];""")
        self.assertEqual(folded, [])
        # Three writes, and the acknowledgement after which nothing came.
        self.assertEqual(len(shown), 3)
        self.assertIn(str(len(records)), shown)

    def test_a_short_phase_is_seen_beside_a_long_connection(self):
        records = [(0, *connected(0x40, 1))]
        records += [(300, *START), (300.004, *ENCRYPTED), (301, *notified(0x40, b'\1'))]
        self.made(*records, (900, *disconnected(0x40, 8)))
        for width in (390, 1440):
            self.resize(width)
            part, breaks, rest = self.browser.run("""
                const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                return [box('.track .phase').width / box('.track').width,
                    document.querySelectorAll('.break').length,
                    [...document.querySelectorAll('.axis .rest:not([hidden])')].map((one) => one.innerText)];
                """)
            self.assertTrue(0.04 < part < 0.3, part)
            self.assertEqual(breaks, 2)
            self.assertEqual([text.split(' ')[0] for text in rest], ['300.0\xa0s', '600.0\xa0s'])
            # Also where the stretch is narrower than its words.
            inside = self.browser.run("""
                const axis = document.querySelector('.axis').getBoundingClientRect();
                for (const rest of document.querySelectorAll('.axis .rest')) {
                    rest.style.width = '2px';
                    if (rest.nextSibling === null) rest.style.left = `${axis.width - 2}px`;
                }
                fitAxis();
                return [...document.querySelectorAll('.axis .rest')].map((rest) => {
                    const {left, right} = rest.firstChild.getBoundingClientRect();
                    return !rest.hidden && left >= axis.left - 1 && right <= axis.right + 1;
                });""")
            self.assertEqual(inside, [True, True])
        self.resize(WIDTHS[0])

    def test_each_pairing_has_a_bar(self):
        records = [(0, *connected(0x40, 1)), *self.spread(paired(), 1), (1.3, *sent(6, b'\5\4', 1)),
                   *self.spread(paired(), 4), (4.6, *ENCRYPTED)]
        self.made(*records, (9, *disconnected(0x40, 0x13)))
        bars, lasts = self.browser.run("""
            const row = [...document.querySelectorAll('.gantt .name')].find((one) =>
                one.textContent === 'pairing');
            const track = row.nextSibling;
            return [[...track.children].map((one) => one.className), track.nextSibling.innerText];""")
        self.assertEqual(bars, ['phase open', 'phase'])
        # The one that was broken off is drawn in full, too.
        widths = self.browser.run("""return [...document.querySelectorAll('.phase')].slice(0, 2)
            .map((one) => one.getBoundingClientRect().width);""")
        self.assertAlmostEqual(widths[0] / widths[1], 0.3 / 0.6, delta=0.05)
        self.assertEqual(lasts, '600.0\xa0ms in 2, 1 not finished')

    def test_marks_that_would_lie_over_each_other_are_one(self):
        records = [(0, *connected(0x40, 1)), *self.spread([START, ENCRYPTED], 0.2)]
        for at in range(6):
            records += self.spread(refused(3 + at), 1 + 0.001 * at, 0.0001)
        records += self.spread(refused(20), 8)
        self.made(*records, (9, *disconnected(0x40, 0x13)))
        for width in (390, 1440):
            self.resize(width)
            marks = self.browser.run("""
                return [...document.querySelectorAll('.gantt .mark:not([hidden])')]
                    .map((one) => [one.innerText, one.getBoundingClientRect().left]);""")
            self.assertEqual([text for text, _ in marks], ['6', ''])
            self.assertGreater(marks[1][1] - marks[0][1], 13)
        self.resize(WIDTHS[0])

    def test_marks_on_the_timeline_that_would_lie_over_each_other_are_one(self):
        records = [(0, *connected(0x40, 1))]
        for at in range(6):
            records += self.spread(refused(3 + at), 1 + 0.001 * at, 0.0001)
        records += self.spread(refused(20), 8)
        self.made(*records, (9, *disconnected(0x40, 0x13)))
        numbers, triangles = self.browser.run("""
            const numbers = [], triangles = [], {fillText, lineTo} = CanvasRenderingContext2D.prototype;
            const draws = CanvasRenderingContext2D.prototype;
            draws.fillText = function (text, ...place) {
                numbers.push(text);
                fillText.call(this, text, ...place);
            };
            draws.lineTo = function (x, y) {
                triangles.push(x);
                lineTo.call(this, x, y);
            };
            const pen = timeline.canvas.getContext('2d');
            drawMarks(pen, timeline.width, 100, () => '#000000');
            Object.assign(draws, {fillText, lineTo});
            return [numbers, triangles.length];""")
        self.assertEqual(numbers, ['6'])
        # Two lines a triangle, and the line of the frame.
        self.assertEqual(triangles, 5)

    def test_a_name_before_an_ending_has_no_quotes(self):
        name = (3, advertising(b'Mac', 1))
        value = struct.pack('<BH', 0x0A, 0x10)
        self.made((0, *name), (1, *connected(0x40, 1)), (2, *sent(4, value)), (4, *disconnected(0x40, 0x13)))
        texts = self.browser.run("""
            const text = document.body.innerText;
            return [text.includes('”’s') || text.includes("”'s"),
                problemText({...log.index[0], [PROBLEM]: '\\u00021\\u0002\\'s answer'}),
                problemText({...log.index[0], [PROBLEM]: 'no answer of \\u00021\\u0002'})];""")
        self.assertEqual(texts, [False, 'Mac’s answer', 'no answer of “Mac”'])

    def test_one_thing_is_counted_as_one(self):
        self.made((0, 3, advertising(b'Lamp', 1)), (1, *connected(0x40, 1)), (2, *notified(0x40, b'\1')),
                  (4, *disconnected(0x40, 0x13)))
        text = self.browser.run("return document.body.innerText")
        self.assertNotRegex(text, r'(?<![\d.,])1 (?!of )[a-z]+s\b(?! ago)')
        self.assertIn('RSSI of the only advertising report before it', text)

    def test_a_message_names_the_pdu_that_carries_it(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        bare = self.browser.run("""
            return log.index.filter((row) => row[MEANING] && row[HANDLE]
                && !/^(Read|Write|Handle|Find|Error|Prepare|Execute|Exchange|Signed|Multiple)/
                    .test(row[CARRIER] || row[SHORT])).map(nameOf);""")
        self.assertEqual(bare, [])
        words, named = self.browser.run("""
            const texts = (test) => log.index.filter((row) => row[MEANING] && test(row))
                .map((row) => [frameWords(row).textContent, row[CARRIER] || row[SHORT]]);
            return [texts((row) => row[CARRIER]), texts((row) => /^2A/.test(row[ATTRIBUTE]))];""")
        self.assertTrue(words and named)
        for text, pdu in words:
            self.assertIn(pdu, text)
        # Where the attribute has an assigned name, the PDU and that come first.
        for text, pdu in named:
            self.assertTrue(text.startswith(pdu + ' 2A'), text)
        shown = self.browser.run("""
            await openFrame(log.index.findIndex((row) => row[MEANING] && row[CARRIER]), false);
            return document.querySelector('#detail .label').textContent;""")
        self.assertEqual(shown, words[0][0])

    def test_a_message_in_a_list_of_values_has_its_fields(self):
        name = struct.pack('<BBH', 9, 5, 3) + b'Mac'
        asked = struct.pack('<BHHH', 8, 1, 0xFFFF, 0x2A00)
        self.made((1, *connected(0x40, 1)), (2, *sent(4, asked)), (2.1, *sent(4, name, 1)),
                  (4, *disconnected(0x40, 0x13)))
        words = self.browser.run("""
            const row = log.index.find((one) => one[MEANING]);
            return frameWords(row).textContent;""")
        self.assertIn('Read By Type Response', words)
        self.assertIn('Mac', words)

    def test_what_has_no_end_in_the_log_ends_with_its_last_packet(self):
        path = self.path / 'export.btsnoop'
        path.write_bytes(self.data_only(TOP / 'captures/two-devices.btsnoop'))
        self.open(path)
        ends = self.browser.run("""
            return log.connections.filter((line) => sidesOf(line)[5]).map((line) =>
                [endTime(line), beginOf(line) + line.lasted_us, log.index.at(-1)[TIME]]);""")
        self.assertGreater(len(ends), 1)
        self.assertTrue(any(end < last for end, _, last in ends))
        for end, own, _ in ends:
            self.assertEqual(end, own)

    def test_devices_that_only_advertised_are_counted_alike(self):
        records = [(at, 3, advertising(b'device %d' % at, at)) for at in range(6)]
        self.made(*records, (7, *connected(0x40, 1)), (9, *disconnected(0x40, 0x13)))
        found = self.browser.run("""return [document.querySelector('#devices summary').innerText,
            timeline.lanes.map(({title}) => title)];""")
        self.assertEqual(found[0], '6 devices advertised, 1 of which was connected')
        self.assertIn('5 devices only advertised', found[1])
        # One to which no connection came is no advertiser.
        create = (2, bytes([1, 0x0D, 0x20, 25, 0x10, 0, 0x10, 0, 0, 0]) + struct.pack('<I', 77) + b'\x11\x22'
                  + bytes([0, 24, 0, 40, 0, 0, 0, 42, 0, 0, 0, 0, 0]))
        self.made(*records, (6, *create), (7, *connected(0x40, 1)), (9, *disconnected(0x40, 0x13)))
        self.assertIn(['5 devices only advertised', 'and 1 other'],
                      self.browser.run('return timeline.lanes.map(({title, address}) => [title, address])'))


if __name__ == '__main__':
    unittest.main()
