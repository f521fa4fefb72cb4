#!/usr/bin/env python3
"""Tests in Chromium that the page of `blecap report` claims no more than the log shows, that its parts agree,
and what a narrow page shows at first.

  tools/tests/report_claims.py
"""

import struct
import unittest

from page_captures import advertising, connected, disconnected, notified, timed
from page_case import TOP, PageCase

ROWS = """return Object.fromEntries([...document.querySelectorAll('.gantt .name')].map((one) =>
    [one.textContent, one.nextSibling.nextSibling.innerText.replace(/\\u00a0/g, ' ')]));"""
LEDE = "return document.querySelector('.lede').innerText"


def data(pdu, flags):
    """An ATT PDU on the connection with handle 0x0040: flags 0 for sent, 1 for received."""
    handle = 0x2040 if flags else 0x40
    return (flags, struct.pack('<BHHHH', 2, handle, len(pdu) + 4, len(pdu), 4) + pdu)


def asked(first):
    """A request for the services from a handle on."""
    return data(struct.pack('<BHHH', 0x10, first, 0xFFFF, 0x2800), 0)


def answered(first):
    """The answer to such a request: one service."""
    return data(struct.pack('<BBHHH', 0x11, 6, first, first + 1, 0x1800), 1)


class ReportClaims(PageCase):
    def made(self, *records):
        """Opens the page about a capture with these records: seconds, flags and bytes of each."""
        capture = self.path / 'made.btsnoop'
        capture.write_bytes(timed(records))
        self.open(capture)

    def answers(self):
        return self.browser.run("return document.querySelector('.answers').innerText").replace('\xa0', ' ')

    def test_a_log_of_one_side_does_not_say_that_discovery_did_not_finish(self):
        values = [(2 + at, *data(b'\x52\x10\0' + bytes([at]), 0)) for at in range(20)]
        self.made((0, *asked(1)), (0.1, *asked(5)), (0.3, *asked(9)), *values)
        self.assertEqual(self.browser.run(ROWS)['discovery'], 'answers not in this log')
        page, part = self.browser.run("""
            for (const one of document.querySelectorAll('#app details')) one.open = true;
            return [document.getElementById('app').innerText + document.getElementById('phases').innerText,
            document.querySelector('.track .phase').getBoundingClientRect().width
                / document.querySelector('.track').getBoundingClientRect().width];""")
        self.assertNotIn('not finished', page)
        self.assertLess(part, 0.2)

    def test_a_discovery_that_stopped_in_a_log_of_both_sides_did_not_finish(self):
        self.made((0, *connected(0x40, 1)), (1, *asked(1)), (1.1, *answered(1)), (1.2, *asked(3)),
                  (2, *notified(0x40, b'a')))
        self.assertEqual(self.browser.run(ROWS)['discovery'], 'not finished')

    def test_only_events_show_that_a_connection_was_open_before_the_log(self):
        self.made((0, *data(b'\x52\x10\0a', 0)), (1, *notified(0x40, b'a')))
        self.assertIn('Since when\nNot in this log\nthe log does not show the connecting', self.answers())
        self.made((0, 3, advertising(b'lamp', 2)), (0.5, *notified(0x40, b'a')))
        self.assertIn('it was open when the log began', self.answers())

    def test_each_part_of_a_discovery_has_a_bar(self):
        self.made((0, *connected(0x40, 1)), (1, *asked(1)), (1.2, *answered(1)), (4, *asked(3)),
                  (4.3, *answered(3)), (9, *disconnected(0x40, 0x13)))
        self.assertEqual(self.browser.run(ROWS)['discovery'], '500.0 ms in 2')
        bars = self.browser.run("""return barsOf(log.connections[0]).filter(({name}) => name === 'discovery')
            .map(({from, lasts}) => [from, lasts]);""")
        self.assertEqual(bars, [[1_000_000, 200_000], [4_000_000, 300_000]])

    def test_authentications_within_the_commands_have_bars(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.assertEqual(self.browser.run(ROWS)['authentication'], '1.5 s in 8, 7 refused')
        bars = self.browser.run("""return barsOf(log.connections[0])
            .filter(({name}) => name === 'authentication').map(({from, to}) => [from, to]);""")
        frames = self.browser.run("return ['333', '382'].map((one) => log.index[log.places.get(one)][TIME])")
        self.assertEqual([bars[2][1], bars[7][1]], frames)

    def test_the_name_of_a_phase_stands_before_what_became_of_it(self):
        draw = """const words = [], draw = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function(text) { words.push(text); };
            for (let length = 1e6; length < 2e8; length *= 1.1) {
                lookAt([0, length]);
                timeline.canvas.getContext('2d');
                drawTimeline();
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            }
            CanvasRenderingContext2D.prototype.fillText = draw;
            return [...new Set(words)];"""
        self.made((0, *connected(0x40, 1)), (1, *asked(1)), (1.1, *answered(1)), (1.2, *asked(3)),
                  (20, *notified(0x40, b'a')))
        words = self.browser.run(draw)
        self.assertIn('discovery, not finished', words)
        self.assertIn('discovery', words)
        self.assertNotIn('not finished', words)

    def test_the_headline_has_the_causes_of_the_failures_that_it_names(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        causes = self.browser.run("""return [...document.querySelectorAll('.card.first > .why')]
            .filter((one) => one.checkVisibility()).map((one) => one.innerText);""")
        self.assertIn(
            'The phone sent no proof: look at what its program does with the key.', causes)

    def test_a_profile_that_all_connections_use_has_no_number(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        lede = self.browser.run(LEDE)
        self.assertIn('ble-link-manager', lede)
        self.assertNotIn('(connection', lede)

    def test_what_was_overcome_has_its_cause(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        causes = self.browser.run("""return [...document.querySelectorAll('.card:is(.overcome, .warning)')]
            .map((one) => one.querySelector('.why')?.textContent ?? '');""")
        self.assertTrue(any(causes), causes)

    def test_a_connection_that_is_a_small_part_of_the_log_is_in_view_at_first(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        part, begin, end = self.browser.run("""const {from, to} = spanOf([overview.connection]);
            return [(to - from) / (timeline.to - timeline.from), from - timeline.from, timeline.to - to];""")
        self.assertGreater(part, 0.4)
        # What is around it is there, too, and the way back.
        self.assertGreater(min(begin, end), 0)
        self.assertTrue(self.browser.run("return document.querySelector('#part button').checkVisibility()"))
        self.browser.click('#part button')
        self.assertTrue(self.browser.run('return timeline.to - timeline.from > timeline.last'))

    def test_a_narrow_page_has_each_further_card_on_two_lines_at_most(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        heights = """return [...document.querySelectorAll('.card:not(.first)')].filter((one) =>
            one.checkVisibility()).map((one) => one.getBoundingClientRect().height);"""
        self.assertGreater(min(self.browser.run(heights)), 60)
        self.resize(390)
        folded = self.browser.run(heights)
        self.assertGreater(len(folded), 2)
        self.assertLess(max(folded), 64)
        self.browser.run("document.querySelector('.card:not(.first) h2').click()")
        self.assertGreater(self.browser.run(heights)[0], 100)
        # A key that leads to a card opens it.
        self.browser.run('overview.at = -1')
        self.browser.press('n', 'n', 'n')
        self.browser.await_true("document.activeElement.matches('.card.open')")
        self.assertGreater(self.browser.run('return document.activeElement.offsetHeight'), 100)
        self.resize(1280)

    def test_each_connection_of_a_failure_has_its_consequences(self):
        records = []
        for at in (0, 20):
            write = data(b'\x12\x10\0' + bytes([at]), 0)
            records += [(at, *connected(0x40, 1)), (at + 1, *write), (at + 9, *disconnected(0x40, 8))]
        self.made(*records)
        first, other = self.browser.run("""return ['.card.first > p', '.site > p'].map((selector) =>
            [...document.querySelectorAll(selector)].map((one) => one.textContent)
                .filter((one) => one.startsWith('before:')));""")
        self.assertEqual((len(first), len(other)), (1, 1))
        self.assertIn('frame 2', first[0])
        self.assertIn('frame 5', other[0])

    def test_a_fragment_is_not_shown_beside_its_packet_and_text_is_shown_as_text(self):
        name = b'a value that is text'
        pdu = b'\x1b\x12\0' + name
        start = (1, struct.pack('<BHHHH', 2, 0x2040, 20, len(pdu), 4) + pdu[:16])
        rest = (1, struct.pack('<BHH', 2, 0x1040, len(pdu) - 16) + pdu[16:])
        self.made((0, *connected(0x40, 1)), (1, *start), (1.001, *rest), (9, *disconnected(0x40, 8)))
        proofs = self.browser.run("""return [...document.querySelectorAll('.card.first .proof')]
            .map((one) => one.innerText.replace(/\\s+/g, ' '));""")
        self.assertEqual([one.split()[0] for one in proofs], ['1', '3', '4'])
        self.assertIn(f'Handle Value Notification 0x0012 "{name.decode()}"', proofs[1])

    def test_a_part_of_the_timeline_says_how_many_failures_lie_outside_it(self):
        records = []
        for at in (0, 20, 5000):
            write = data(b'\x12\x10\0' + bytes([at % 256]), 0)
            records += [(at, *connected(0x40, 1)), (at + 1, *write), (at + 9, *disconnected(0x40, 8))]
        self.made(*records)
        self.browser.run('viewConnection(log.connections[0]);')
        part = self.browser.run("return document.querySelector('#part b').innerText")
        self.assertTrue(part.endswith('; failures outside it: 2 places'), part)
        self.browser.run('viewConnection(log.connections[2]);')
        marks = self.browser.run("""const pen = timeline.canvas.getContext('2d');
            const scale = timeline.canvas.width / timeline.width, at = (time) => Math.round(scale
                * (side() + (along(time) - wholeSpan().from) / (wholeSpan().to - wholeSpan().from) * room()));
            const strip = pen.getImageData(0, 2, timeline.canvas.width, 1).data;
            return timeline.failures.map((time) => [...strip.slice(4 * at(time), 4 * at(time) + 3)]);""")
        self.assertEqual(len(set(map(tuple, marks))), 1)
        self.assertGreater(marks[0][0], marks[0][2] + 60)

    def test_no_advice_needs_the_command(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        count, advice = self.browser.run("""
            for (const one of document.querySelectorAll('details')) one.open = true;
            const text = document.body.innerText;
            return [text.split('not read: connection').length, text.match(/--keys|blecap info/)];""")
        # The note, the verdict as text, and twice in the full report.
        self.assertGreater(count, 3)
        self.assertIsNone(advice)

    def test_the_headline_says_since_when_the_other_side_is_silent(self):
        self.open(self.corpus('corpus-2', 'sweyntooth-st-sequential-att-deadlock.pcap'))
        headline, link = self.browser.run("""return [document.querySelector('h1').innerText,
            document.querySelector('h1 a.named').hash];""")
        self.assertIn('is silent after frame 142', headline)
        self.assertEqual(link, '#frame=142')

    def test_the_exchange_counts_places_as_the_headline_does(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.assertIn('8 failures in 13 places', self.browser.run(LEDE))
        counts = self.browser.run("""return [sequence.steering.innerText, ...[...document.querySelectorAll(
            '#connections td.count')].map((one) => one.innerText)];""")
        self.assertIn('12 places of failures', counts[0])
        self.assertEqual(counts[1:], ['12', '1'])


if __name__ == '__main__':
    unittest.main()
