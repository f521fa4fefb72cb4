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
            part, breaks = self.browser.run("""
                const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                return [box('.track .phase').width / box('.track').width,
                    document.querySelectorAll('.break').length];""")
            self.assertTrue(0.04 < part < 0.3, part)
            self.assertEqual(breaks, 2)
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
        self.assertEqual(bars, ['phase refused opens', 'phase opens'])
        # The one that failed is drawn in full, too.
        widths = self.browser.run("""return [...document.querySelectorAll('.phase')].slice(0, 2)
            .map((one) => one.getBoundingClientRect().width);""")
        self.assertAlmostEqual(widths[0] / widths[1], 0.3 / 0.6, delta=0.05)
        self.assertEqual(lasts, '900.0\xa0ms in 2, 1 failed')

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

    def test_a_refused_phase_ends_with_its_refusal(self):
        self.made((0, *connected(0x40, 1)), (1, *sent(4, b'\2\5\2')), (1.034, *sent(4, b'\1\2\0\0\6', 1)),
                  (4, *notified(0x40, b'a')), (5, *disconnected(0x40, 0x13)))
        phases, table, ends, figures = self.browser.run("""
            const bar = barsOf(log.connections[0]).find(({name}) => name === 'MTU');
            return [document.getElementById('phases').innerText,
                [...document.querySelectorAll('main details td')].map((one) => one.textContent),
                [bar.to, log.index[2][TIME]], document.getElementById('figures').innerText];""")
        self.assertIn('34.0\xa0ms, refused', phases)
        self.assertNotIn('not finished', phases)
        self.assertIn('34.0\xa0ms, refused', table)
        self.assertEqual(ends[0], ends[1])
        self.assertIn('23 bytes', figures)

    def test_encryption_says_whether_its_key_is_new(self):
        meanings = """return log.connections.flatMap(barsOf).filter(({name}) => name === 'encryption')
            .map(({meaning}) => meaning);"""
        self.open(TOP / 'captures/bonded-reconnect.btsnoop')
        self.assertEqual(self.browser.run(meanings)[-1], 'encrypting with a key from before')
        self.made((0, *connected(0x40, 1)), *self.spread(paired(), 1), (2, *START), (2.5, *ENCRYPTED),
                  (9, *disconnected(0x40, 0x13)))
        self.assertEqual(self.browser.run(meanings), ['encrypting with the key just agreed'])

    def test_only_what_is_shorter_is_said_to_be(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        shorter, rates = self.browser.run("""
            const stretches = [[0, 9022000, false], [9022000, 9126000, true], [9126000, 9346000, false]]
                .map(([from, to, isStep]) => ({from, to, isStep, length: to - from, isShorter: !isStep}));
            const scale = scaleOf(stretches, [9346000]);
            return [stretches.map((one) => one.isShorter), stretches.map((one) => one.part / one.length)];""")
        self.assertEqual(shorter, [True, False, False])
        self.assertLess(rates[0], rates[1])
        self.assertAlmostEqual(rates[1], rates[2])

    def test_an_export_without_events_is_not_silent_after_its_last_packet(self):
        self.made((0, *sent(4, struct.pack('<BHHH', 0x10, 1, 0xFFFF, 0x2800))),
                  *[(at, *notified(0x50, bytes([at]))) for at in range(1, 202, 20)])
        silences, bars, ends, tip = self.browser.run("""
            const line = log.connections[0], lane = timeline.lanes.find(({places}) => places.length === 1);
            wholeTimeline();
            showTip({offsetX: positionOf(9e7), offsetY: lane.top + 20});
            return [lane.silences, lane.bars.map(({from, to}) => [from, to]), lane.ends,
                timeline.tip.textContent];""")
        self.assertEqual((silences, bars), ([], [[0, 0]]))
        self.assertEqual(ends, [{'from': 0, 'text': 'its end is not in this log'}])
        self.assertTrue(tip.startswith('Its end is not in this log · '), tip)

    def test_what_came_before_is_what_was_refused_or_said_last(self):
        before = """return [...document.querySelectorAll('.answers .before')].at(-1).innerText"""
        read = sent(4, struct.pack('<BH', 0x0A, 3))
        self.made((0, *connected(0x40, 1)), (1, *read), (1.1, *notified(0x40, b'a')),
                  (1.2, *sent(4, struct.pack('<BBHB', 1, 0x0A, 3, 2), 1)), (9, *disconnected(0x40, 0x13)))
        self.assertIn('Read Request', self.browser.run(before))
        # The host's reaction to the silence.
        self.made((0, *connected(0x40, 1)), (1, *read), (21, 2, b'\1\6\4\3\x40\0\x13'),
                  (21.1, *disconnected(0x40, 0x16)))
        self.assertIn('Read Request', self.browser.run(before))

    def test_a_reset_is_shown_on_the_connection_that_it_ended(self):
        self.made((0, 2, b'\1\x0c\x20\2\1\0'), (1, *connected(0x40, 1)), (2, *notified(0x40, b'a')),
                  (3, *sent(4, struct.pack('<BHB', 0x12, 0x10, 1))), (3.3, 2, b'\1\3\x0c\0'),
                  (3.4, 3, b'\4\x0e\4\1\3\x0c\0'))
        chosen, steps, last, before, heads = self.browser.run("""
            const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.innerText);
            return [sequence.choice.value, texts('#steps .arrow'), texts('#steps li').at(-1),
                texts('.answers .before').at(-1), texts('#connections').length];""")
        self.assertEqual((chosen, heads), ('1', 0))
        self.assertIn('no answer', next(step for step in steps if 'Write Request' in step))
        self.assertIn('reset', steps[-1])
        self.assertRegex(last, 'Ended by HCI Reset, after 2.3.s')
        self.assertIn('Write Request', before)

    def test_a_loss_without_silence_is_not_drawn_as_one(self):
        records = [(0, *connected(0x40, 1)), (1, *notified(0x40, b'a'))]
        losses = 'return timeline.lanes.flatMap(({silences}) => silences).map(({isLoss}) => isLoss)'
        self.made(*records, (41, *disconnected(0x40, 0x22)))
        self.assertEqual(self.browser.run(losses), [False])
        text = self.browser.run("return document.querySelector('.card.failed').innerText")
        self.assertIn('neither side alone', text)
        self.assertIn('A Link Layer procedure had no answer', text)
        self.made(*records, (11, *disconnected(0x40, 8)))
        self.assertIn(True, self.browser.run(losses))

    def test_what_counts_as_a_failure_is_red_everywhere(self):
        self.made((0, 2, b'\1\6\x20\x0f\x20\0\x10' + bytes(12)), (0.1, 3, b'\4\x0e\4\1\6\x20\x12'),
                  (0.2, 2, b'\1\x0a\x20\1\1'), (0.3, 3, b'\4\x0e\4\1\x0a\x20\x0c'))
        weights, shown = self.browser.run("""
            const failed = log.incidents.filter(({kind}) => kind === 'failed').flatMap(({places}) => places);
            const name = nameOf(log.index[failed[0]]);
            return [failed.map((place) => log.index[place][WRONG]),
                [document.querySelector(`#row-${failed[0]}.wrong .problem`),
                    document.querySelector(`.arrow.wrong[data-frame="${name}"] .problem`),
                    document.querySelector('#detail .problem')].map(Boolean)];""")
        self.assertEqual((weights, shown), ([2], [True, True, True]))

    def test_the_key_goes_on_from_a_failure_that_was_chosen(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        chosen, step, following, middle = self.browser.run("""
            const all = log.incidents.filter(({kind}) => kind === 'failed'), place = all[1].places[0];
            await openFrame(place, true, true);
            const step = document.getElementById('step').textContent;
            zoomTimeline(0.5);
            const x = positionOf(log.index[place][TIME]);
            zoomTimeline(0.5);
            const middle = positionOf(log.index[place][TIME]) - x;
            stepFailure(1);
            return [all.length, step, document.getElementById('step').textContent, middle];""")
        self.assertRegex(step, f'^failure 3 of {chosen}')
        self.assertRegex(following, f'^failure 4 of {chosen}')
        self.assertAlmostEqual(middle, 0)

    def test_a_phase_opens_its_first_frame_and_ticks_differ(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        opened = self.browser.run("""
            const found = [];
            for (const name of ['MTU', 'discovery']) {
                detail.box.dataset.frame = '';
                [...document.querySelectorAll('.gantt .name button')].find((one) => one.innerText === name)
                    .click();
                while (!detail.box.dataset.frame) await new Promise(requestAnimationFrame);
                found.push(log.index[log.places.get(detail.box.dataset.frame)][SHORT]);
            }
            return found;""")
        self.assertRegex(opened[0], '^Exchange MTU Request')
        self.assertRegex(opened[1], '^(Read By|Find)')
        labels = self.browser.run("""
            const axis = axisOf(scaleOf([{from: 1060000, to: 1140000, length: 80000}], []), 1);
            return [...axis.children].map((one) => one.textContent);""")
        self.assertEqual(len(labels), len(set(labels)), labels)

    def test_a_long_name_stays_in_its_figure(self):
        read = [sent(4, struct.pack('<BH', 0x0A, 3)), sent(4, b'\x0b1', 1)]
        self.made((0, 3, advertising(b'LEDnetWF02001D0CDC48AB', 1)), (1, *connected(0x40, 1)),
                  *self.spread(read * 3, 2), (9, *disconnected(0x40, 0x13)))
        for width in WIDTHS:
            self.resize(width)
            self.assertEqual(self.browser.run("""return [...document.querySelectorAll('.figure')]
                .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText);"""), [])
        self.resize(WIDTHS[0])

    def test_only_the_chosen_row_of_a_fold_is_marked(self):
        self.made((0, *connected(0x40, 1)), *self.spread([notified(0x40, bytes([at])) for at in range(9)], 1),
                  (9, *disconnected(0x40, 0x13)))
        marked = self.browser.run("""
            await openFrame(log.places.get('5'), true);
            const back = (one) => getComputedStyle(one).backgroundColor;
            const all = [...document.querySelectorAll('#steps :is(li, .arrow)')];
            const plain = back(document.querySelector('#steps li'));
            return all.filter((one) => back(one) !== plain).map((one) => one.dataset.frame);""")
        self.assertEqual(marked, ['5'])

    def test_the_headline_is_what_the_session_was_left_with(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        headline, lede, cards, before = self.browser.run("""return [document.querySelector('h1').innerText,
            document.querySelector('.lede').innerText,
            [...document.querySelectorAll('.card.failed')].map((card) => card.dataset.frame),
            document.querySelector('.answers').innerText];""")
        self.assertIn('AUTH_BEGIN is answered with keyLockedOut', headline)
        self.assertIn('the first failure: ACTIVATE is answered with keyRevoked (frame 215)', lede)
        # The others are in the order of the log.
        self.assertEqual(cards[0], '382')
        self.assertEqual(cards[1:], sorted(cards[1:], key=int))
        # Who sent what came before.
        self.assertIn('▶ to car, 34.6 ms before', before.replace('\xa0', ' '))
        self.browser.press('n')
        self.browser.await_true("document.getElementById('step').innerText.startsWith('failure 1 of 8')")

    def test_a_connection_that_was_open_before_the_log_does_not_begin_with_it(self):
        self.made((0, 3, advertising(b'lamp', 2)), (0.5, *notified(0x40, b'a')))
        answers = self.browser.run("return document.querySelector('.answers').innerText")
        self.assertIn('Since when\nBefore this log\nit was open when the log began; first packet at 0.5',
                      answers)

    def test_the_failing_frame_is_the_headline_s_link(self):
        self.made((0, 3, advertising(b'lamp', 1)), (1, *connected(0x40, 1)), *self.spread(paired()[:3], 2),
                  (2.4, 2, bytes([1, 0x06, 0x04, 3, 0x40, 0, 0x13])), (2.5, *disconnected(0x40, 0x16)))
        self.assertTrue(self.browser.run("return document.querySelector('h1 .named')"))
        self.check_links()
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.check_links()

    def check_links(self):
        for card, failing in self.browser.run("""
                return [...document.querySelectorAll('.card')].map((card) => [card.dataset.frame,
                    [...card.querySelectorAll(':is(h1, h2) a')].map((one) =>
                        [one.hash.slice(7), parseFloat(getComputedStyle(one).fontSize)])]);"""):
            largest = max(size for _, size in failing)
            self.assertEqual([name for name, size in failing if size == largest], [card])

    def test_an_attempt_names_the_device_that_was_asked_for(self):
        records = []
        for at, name in ((1, b'lamp'), (2, b'door')):
            address = bytes([at, 0, 0, 0, 0x11, 0x22])
            asked = bytes([1, 5, 4, 13]) + address + bytes([0x18, 0xCC, 1, 0, 0, 0, 1])
            records += [(10 * at, 3, advertising(name, at)), (10 * at + 1, 2, asked),
                        (10 * at + 1.1, 3, bytes([4, 0x0F, 4, 0, 1, 5, 4])),
                        (10 * at + 6, 3, bytes([4, 3, 11, 4, 0, 0]) + address + bytes([1, 0]))]
        self.made(*records)
        head, lede = self.browser.run("""return ['h1', '.lede'].map((one) =>
            document.querySelector(one).innerText);""")
        self.assertTrue(head.startswith('No connection to “lamp” (22:11:00:00:00:01) (frame 2): '), head)
        self.assertIn('“door” (22:11:00:00:00:02)', lede)

    def test_the_frames_of_a_failure_are_in_the_order_of_time(self):
        self.made((0, *connected(0x40, 1)), (1, *notified(0x40, b'a')), (3, *notified(0x40, b'b')),
                  (2.9, *notified(0x40, b'c')), (9, *disconnected(0x40, 8)))
        order = self.browser.run("""return [...document.querySelectorAll('.card.first .proof')]
            .map((one) => log.index[log.places.get(one.dataset.frame)][TIME]);""")
        self.assertEqual(order, sorted(order))
        self.assertGreater(len(order), 3)

    def test_what_is_known_of_the_first_loss_is_said_of_it_alone(self):
        records = []
        for at in range(2):
            records += [(30 * at, *connected(0x40, 1)), (30 * at + 1, *notified(0x40, b'a')),
                        (30 * at + 9 + at, *disconnected(0x40, 8))]
        self.made(*records)
        known, site = self.browser.run("""
            return ['.card.first > p', '.site > p'].map((selector) =>
                [...document.querySelectorAll(selector)].map((one) => one.textContent));""")
        first = next(text for text in known if text.startswith('Known'))
        self.assertRegex(first, r'^Known of the first: .*no data received for 8\.0 s before\.$')
        self.assertEqual(len(site), 1)
        self.assertRegex(site[0], r'^Known: .*no data received for 9\.0 s before\.$')

    def test_the_signal_before_a_connection_says_what_it_was_measured_on(self):
        result = bytes([4, 0x22, 15, 1, 1, 0, 0, 0, 0x11, 0x22, 1, 0, 4, 4, 0x24, 0x10, 0x20, 0xC4])
        opened = struct.pack('<BBBBHI', 4, 3, 11, 0, 0x40, 1) + b'\x11\x22\1\0'
        figures = 'return figures.box.innerText'
        self.made((0, 3, result), (1, 3, opened), (9, *disconnected(0x40, 0x13)))
        self.assertIn('RSSI of the only inquiry result before it', self.browser.run(figures))
        self.made((0, 3, advertising(b'lamp', 1)), (1, *connected(0x40, 1)), (9, *disconnected(0x40, 0x13)))
        self.assertIn('RSSI of the only advertising report before it', self.browser.run(figures))

    def test_bytes_before_a_failure_are_short_and_not_bold(self):
        opened = struct.pack('<BBBBHI', 4, 3, 11, 0, 0x40, 1) + b'\x11\x22\1\0'
        data = struct.pack('<BHHHH', 2, 0x2040, 34, 30, 0x41) + bytes(range(30))
        self.made((0, 3, opened), (1, 1, data), (9, *disconnected(0x40, 8)))
        words, value = self.browser.run("""return ['b', 'code'].map((name) =>
            document.querySelector('.answers .before ' + name).innerText);""")
        self.assertEqual((words, value), ('channel 0x0041, 30 bytes', '000102030405060708090a0b…'))


if __name__ == '__main__':
    unittest.main()
