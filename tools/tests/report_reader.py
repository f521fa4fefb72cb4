#!/usr/bin/env python3
"""Tests the page of `blecap report` in Chromium as a reader meets it: one vocabulary for counts, the failure
in every part of the page, and nothing that can't be opened.

  tools/tests/report_reader.py

The variable BLECAP names the program (default: .build/tests/debug/blecap). Exit status: 0 all passed, 1
something failed.
"""

import pathlib
import struct
import unittest

from page_captures import advertising, connected, disconnected, notified, timed
from page_case import TOP, PageCase

PARAMETERS = (3, bytes([4, 0x3E, 10, 3, 0, 0x40, 0, 6, 0, 0, 0, 0x58, 2]))
ACKNOWLEDGED = (3, bytes([4, 0x13, 5, 1, 0x40, 0, 1, 0]))
# The host pages a device of Bluetooth Classic, after an advertising command, and nobody answers.
SCAN = (2, bytes([1, 0x0C, 0x20, 2, 1, 0]))
PAGE = (2, bytes([1, 0x05, 0x04, 13]) + b'\1\2\3\4\5\6' + bytes([0x18, 0xCC, 1, 0, 0, 0, 1]))
PAGE_TIMEOUT = (3, bytes([4, 3, 11, 4, 0, 0]) + b'\1\2\3\4\5\6' + bytes([1, 0]))
PAGED = (3, bytes([4, 3, 11, 0, 0x40, 0]) + b'\1\2\3\4\5\6' + bytes([1, 0]))


def written(handle, value):
    """A Write Command to attribute 0x0010."""
    pdu = b'\x52\x10\0' + value
    return (0, struct.pack('<BHHHH', 2, handle, len(pdu) + 4, len(pdu), 4) + pdu)


def advertised(device, name=b'Lamp'):
    """The record of an advertising report of a device with this name."""
    return (3, advertising(name, device))


class ReportReader(PageCase):
    def made(self, *records, fragment=''):
        """Opens the page about a capture with these records: seconds, flags and bytes of each."""
        capture = self.path / 'made.btsnoop'
        capture.write_bytes(timed(records))
        self.open(capture, fragment)

    def test_failures_and_their_places_have_one_vocabulary(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        kinds, places, lede, legend, heads = self.browser.run("""
            const failed = log.incidents.filter((one) => one.kind === 'failed');
            return [failed.length, failed.reduce((sum, one) => sum + one.places.length, 0),
                document.querySelector('.lede').innerText, document.querySelector('.legend').innerText,
                document.querySelector('#connections thead').innerText];""")
        self.assertGreater(places, kinds)
        self.assertIn(f'{kinds} failures in {places} places', lede)
        self.assertIn('place of a failure', legend)
        self.assertIn('failures', heads)
        self.assertNotIn('kinds', heads)
        counts = self.browser.run("""return [...document.querySelectorAll('#connections .count')].slice(1)
            .reduce((sum, one) => sum + Number(one.innerText), 0);""")
        self.assertEqual(counts, places)
        marks = self.browser.run(
            "wholeTimeline(); return marksInView().filter((one) => one.kind === 'failed').length")
        self.assertEqual(marks, places)
        listed = self.browser.run("""
            list.filters.problem.value = 'failed';
            searchList();
            return list.shown.length;""")
        self.assertEqual(listed, places)

    def test_the_rules_of_the_counts_are_a_click_away_from_them(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.browser.click('.lede #rules')
        rules, is_seen = self.browser.run("""
            const [help, own] = ['help', 'counted'].map((id) => document.getElementById(id));
            return [help.innerText, own.getBoundingClientRect().top >= help.offsetTop];""")
        self.assertTrue(is_seen)
        for word in ('failure', 'overcome', 'warning', 'place', 'only one with the same key'):
            self.assertIn(word, rules)
        text = self.browser.run("return document.querySelector('main').textContent")
        self.assertIn('1 warning: worth knowing, but no connection is known to have failed because', text)

    def test_what_only_warns_is_amber_in_every_part(self):
        # A phone pages a device of Bluetooth Classic in vain, beside a session that works.
        self.made((0, *connected(0x50, 2)), (1, *notified(0x50, b'a')), (2, *PAGE), (7.1, *PAGE_TIMEOUT),
                  (8, *notified(0x50, b'b')), (9, *disconnected(0x50, 0x13)))
        kinds, weights, red, ticks = self.browser.run("""
            const bad = getComputedStyle(document.documentElement).getPropertyValue('--bad');
            return [log.incidents.map((one) => one.kind),
                log.index.map((row) => row[WRONG]).filter((one) => one > 0),
                document.querySelectorAll('.row.wrong, .arrow.wrong, .problem').length,
                timeline.lanes.some((lane) => lane.ticks.kinds.some((kind) => kind & BAD_TICK))];""")
        self.assertEqual(set(kinds), {'warning'})
        self.assertEqual(set(weights), {1})
        self.assertEqual((red, ticks), (0, False))

    def test_a_device_is_listed_once_and_places_add_up(self):
        address = b'\1\0\0\0\x11\xc2'
        report = bytes([4, 0x3E, 12, 2, 1, 0, 1]) + address + bytes([0, 0xC0])
        # The connection's event has the kind of the identity; the advertising that of a random address.
        begin = bytes([4, 0x3E, 31, 10, 0, 0x40, 0, 0, 3]) + address + bytes(12) + bytes(
            [36, 0, 0, 0, 0x58, 2, 0])
        read = struct.pack('<BHHHHBH', 2, 0x40, 7, 3, 4, 0x0A, 0x12)
        # The missing answer shows in a frame of the other connection.
        self.made((0, 3, report), (0.1, *advertised(7)), (1, 3, begin), (2, *connected(0x50, 9)),
                  (3, 0, read), (20, *notified(0x50, b'a')), (40, *notified(0x50, b'b')),
                  (41, *disconnected(0x40, 8)), (42, *disconnected(0x50, 8)))
        devices, heard, lede, counts = self.browser.run("""return [log.devices.map(([address]) => address),
            document.querySelector('#devices summary').textContent, document.querySelector('.lede').innerText,
            [...document.querySelectorAll('#connections td.count')].map((one) => Number(one.innerText))];""")
        self.assertEqual(len(devices), len(set(devices)), devices)
        self.assertEqual(heard, '2 devices advertised, 1 of which was connected')
        places = self.browser.run("""return log.incidents.filter((one) => one.kind === 'failed')
            .reduce((sum, one) => sum + one.places.length, 0)""")
        self.assertEqual(sum(counts), places)
        self.assertIn(f'{places} failures', lede)

    def test_the_list_begins_with_the_failing_connection(self):
        self.made((0, *connected(0x40, 1)), (1, *connected(0x50, 2)), (2, *notified(0x40, b'a')),
                  *[(3 + at / 10, *notified(0x50, bytes([at]))) for at in range(20)],
                  (9, *disconnected(0x40, 8)), (20, *disconnected(0x50, 0x13)))
        links = """return [...new Set(list.shown.map((place) => log.index[place][LINK]))]"""
        whole = "return document.getElementById('whole').innerText"
        self.assertEqual(self.browser.run(links), [1])
        self.assertEqual(self.browser.run(whole), 'all 25 frames')
        self.browser.click('#whole')
        self.assertEqual(self.browser.run(links), [1, 2])
        self.assertEqual(self.browser.run(whole), 'only connection 1')
        # The row of a connection, a card's link, and the exchange filter alike.
        self.browser.run("document.querySelector('#connections tr[data-connection=\"2\"] td').click()")
        self.browser.await_true("document.getElementById('connection').value === '2'")
        self.assertEqual(self.browser.run(links), [2])
        self.browser.run("document.querySelector('.card a[href=\"#connection=1\"]').click()")
        self.browser.await_true("document.getElementById('connection').value === '1'")
        self.assertEqual(self.browser.run(links), [1])
        # The next frame is that of the list; one of another connection takes the list there.
        self.browser.run("list.box.focus(); return openFrame(log.places.get('3'), true)")
        self.browser.press('j')
        self.await_frame('24')
        self.browser.run("return openFrame(log.places.get('10'), true)")
        self.assertEqual(self.browser.run(links), [2])
        # A search says where else to look.
        self.browser.run("filterByLink(1); list.filters.text.value = '10'; searchList();")
        self.browser.click('.nothing button')
        self.assertIn('10', self.browser.run('return list.shown.map((place) => nameOf(log.index[place]))'))

    def test_names_are_whole_where_they_have_room(self):
        name = b'A device with a long name'
        self.made((0, *advertised(1, name)), (1, *connected(0x40, 1)), (2, *notified(0x40, b'a')),
                  (2.1, *written(0x40, b'b')), (9, *disconnected(0x40, 8)))
        heights = """return [...document.querySelectorAll('.proof .way')]
            .map((one) => {
                const range = document.createRange();
                range.selectNodeContents(one);
                return range.getBoundingClientRect().height;
            })"""
        lanes = """const pen = timeline.canvas.getContext('2d'); pen.font = TITLE_FONT;
            return timeline.lanes.map((lane) => twoLines(pen, lane.title));"""
        self.assertLess(max(self.browser.run(heights)), 25, 'the names of sides are on one line')
        self.assertEqual(self.browser.run(lanes), [[name.decode()]])
        self.resize(390)
        self.browser.run('drawTimeline()')
        self.assertEqual(' '.join(self.browser.run(lanes)[0]), name.decode())
        self.resize(1280)

    def test_the_side_that_began_a_phase_has_its_name(self):
        self.made((0, *advertised(1, b'Lamp')), (1, *connected(0x40, 1)), (2, *notified(0x40, b'a')),
                  (9, *disconnected(0x40, 0x13)))
        words, meanings = self.browser.run("""log.sides.get(1)[3] = log.sides.get(1)[4] = 1;
            const [line] = log.connections, at = line.connected;
            const bars = barsOf({...line, mtu_started: at, mtu_exchanged: at, discovery_started: at});
            return [bars.map((bar) => bar.words), bars.map((bar) => bar.meaning)];""")
        self.assertIn('MTU by “Lamp”', words)
        self.assertIn('“Lamp” asks which services this phone or computer has', meanings)

    def test_what_was_before_a_loss_is_not_said_to_follow(self):
        self.lost()
        text = self.browser.run("return document.querySelector('.card').innerText")
        self.assertIn('before: the Read By Group Type Request of frame 3', text)
        self.assertNotIn('\nthen', text)

    def test_a_refusal_that_asks_for_pairing_names_its_failure(self):
        read = struct.pack('<BHHHHBH', 2, 0x40, 7, 3, 4, 0x0A, 0x12)
        refused = struct.pack('<BHHHHBBHB', 2, 0x2040, 9, 5, 4, 1, 0x0A, 0x12, 5)
        asked = struct.pack('<BHHHHB', 2, 0x40, 11, 7, 6, 1) + bytes([3, 0, 1, 16, 1, 1])
        failed = struct.pack('<BHHHHBB', 2, 0x2040, 6, 2, 6, 5, 5)
        self.made((0, *connected(0x40, 1)), (1, 0, read), (1.1, 1, refused), (2, 0, asked), (2.2, 1, failed),
                  (3, *disconnected(0x40, 0x13)))
        first, card = self.browser.run(
            "return [...document.querySelectorAll('.card')].map((one) => one.innerText)")
        self.assertIn('A refused request had asked for pairing: frame 3', first)
        self.assertIn('asks for pairing, which followed and failed: frame 5', card)

    def test_a_frame_of_no_connection_names_the_side_of_its_problem(self):
        read = struct.pack('<BHHHHBH', 2, 0x40, 7, 3, 4, 0x0A, 0x12)
        self.made((0, *advertised(1)), (1, *connected(0x40, 1)), (2, 0, read),
                  (3, 2, bytes([1, 0x03, 0x0C, 0])), (3.1, 3, bytes([4, 0x0E, 4, 1, 0x03, 0x0C, 0])))
        text = self.browser.run("return log.index.map(problemText).join(' ')")
        self.assertIn('this phone or computer reset its adapter', text)
        self.assertNotIn('the peer', text)

    def test_the_page_of_an_empty_log_is_whole(self):
        self.made()
        self.assertIn('The log is empty', self.browser.run("return document.querySelector('h1').innerText"))
        self.assertEqual(self.browser.run("""return [...document.querySelectorAll('.frames select')]
            .filter((one) => one.checkVisibility()).length"""), 0, 'no filter without a choice')

    def test_what_is_folded_can_be_opened(self):
        self.made((0, *connected(0x40, 1)), *[(1 + at / 1000, *notified(0x40, bytes([at & 255])))
                                              for at in range(250)], (9, *disconnected(0x40, 0x13)))
        fold = ".steps li.message details:has(summary)"
        self.browser.click(f'{fold} summary')
        self.browser.await_true(f"document.querySelectorAll('{fold} .arrow').length === 100")
        self.browser.click(f'{fold} button:not(.arrow)')
        self.assertEqual(self.browser.run(f"return document.querySelectorAll('{fold} .arrow').length"), 249)
        self.assertEqual(self.browser.run(
            f"return document.querySelectorAll('{fold} button:not(.arrow)').length"), 0)

    def test_a_failure_without_a_connection_is_in_all_parts(self):
        self.made((0, *SCAN), (1, *PAGE), (6.1, *PAGE_TIMEOUT), (7, *SCAN), (4000, *PAGED),
                  (4001, *notified(0x40, b'a')), (4100, *disconnected(0x40, 0x13)))
        seen, step, before = self.browser.run("""
            const at = log.places.get('3'), x = positionOf(log.index[at][TIME]);
            const item = document.querySelector('.steps .marked'), box = item.getBoundingClientRect();
            const view = sequence.box.getBoundingClientRect();
            return [x > side() && x < timeline.width && timeline.from > along(timeline.first) - 5e5,
                item.innerText.includes('Page Timeout') && box.top >= view.top && box.bottom <= view.bottom,
                document.querySelector('.answers').innerText];""")
        self.assertTrue(seen, 'the timeline shows the failure, and no time before the log')
        self.assertTrue(step, 'the exchange shows it')
        self.assertIn('Create Connection', before)
        self.assertNotIn('Scan', before, 'a scan has nothing to do with a page')
        # The connection that followed, of which there is one.
        self.assertIn('How connection 1 ended\nEnded by the other side', before)
        lede, table = self.browser.run("""return ['.lede', '#connections']
            .map((one) => document.querySelector(one).innerText);""")
        self.assertIn('1 connection', lede)
        self.assertNotIn('other connection', lede)
        self.assertIn('1 connection\n', table)

    def test_a_timeline_that_opens_on_a_part_says_so(self):
        self.made((0, *SCAN), (1, *PAGE), (6.1, *PAGE_TIMEOUT), (400, *PAGED),
                  *[(30 * at, *notified(0x40, b'a')) for at in range(14, 41)])
        part = self.browser.run("return document.querySelector('#part b').innerText")
        self.assertRegex(part, r'^a part: [\d.]+\ss of 20\.0\smin$')
        self.browser.click('#part button')
        self.assertTrue(self.browser.run("return document.getElementById('part').hidden"))

    def test_a_packet_from_the_air_does_not_answer_itself(self):
        self.open(self.corpus('corpus-2', 'sniffle-cafe-gatt-reads.pcap'))
        latency, lines, lede = self.browser.run("""const place = log.places.get('354');
            return [log.index[place][LATENCY], (await frameAt(place)).lines.join(' '),
                document.querySelector('.lede').innerText];""")
        self.assertIsNone(latency)
        self.assertNotIn('answers', lines)
        self.assertIn('the sniffer heard 173 of 316 connection events', lede)
        # One card for a refusal of several attributes.
        groups = self.browser.run("""return [...document.querySelectorAll('.card')].map((card) =>
            card.querySelectorAll('.site[data-incident]').length);""")
        self.assertGreater(max(groups), 1)
        self.assertEqual(sum(groups) + len(groups), 14)
        self.browser.run("document.querySelector('.site[data-incident]').open = true")
        self.browser.await_true("document.querySelector('.site[data-incident] .decides') !== null")
        self.assertEqual(self.browser.run('return stops().length'), 14)

    def lost(self):
        """A connection that is lost with a request under way, after the chip gave a change up."""
        features = bytes([4, 0x3E, 12, 4, 0, 0x40, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        discovery = struct.pack('<BHHHHBHHH', 2, 0x40, 11, 7, 4, 0x10, 1, 0xFFFF, 0x2800)
        update = bytes([1, 0x13, 0x20, 14, 0x40, 0, 6, 0, 6, 0, 0, 0, 0xD0, 7, 0, 0, 0, 0])
        status = bytes([4, 0x0F, 4, 0, 1, 0x13, 0x20])
        failed = bytes([4, 0x3E, 10, 3, 0x22, 0x40, 0, 36, 0, 0, 0, 0x58, 2])
        self.made((0, *connected(0x40, 1)), (0.2, 3, features), (0.25, 0, discovery), (0.3, 2, update),
                  (0.31, 3, status), (1.3, 3, failed), (1.301, *disconnected(0x40, 0x22)),
                  (20, *connected(0x40, 1)), (21, *notified(0x40, b'a')), (30, *disconnected(0x40, 0x13)))

    def test_a_loss_is_told_with_one_figure_and_once(self):
        self.lost()
        card, silence = self.browser.run("""return [document.querySelector('.card.first').innerText,
            timeline.lanes[0].silences[0].text];""")
        card, silence = card.replace('\xa0', ' '), silence.replace('\xa0', ' ')
        self.assertEqual(silence, 'no data received for 1.1 s')
        self.assertIn('no data received for 1.1 s before', card)
        self.assertIn('before: the Read By Group Type Request', card, 'in the same frame')
        self.assertIn('Lost, with this failure\nopen for 1.3 s; connection 2 followed 18.7 s later', card)
        before = card.split('What came before')[1].split('How it ended')[0]
        self.assertIn('Read By Group Type Request', before)
        self.assertNotIn('LE Connection Update Complete', before, 'that is the failure itself')

    def test_folds_say_what_they_hold_and_open_for_their_frames(self):
        self.made((0, *connected(0x40, 1)), (1, *notified(0x40, b'a')), (1.1, *notified(0x40, b'a')),
                  (1.2, *notified(0x40, b'b')), (2, *written(0x40, b'c')), (2.1, *ACKNOWLEDGED),
                  (3, *written(0x40, b'd')), (9, *disconnected(0x40, 0x13)))
        text = self.browser.run("return document.getElementById('steps').innerText")
        self.assertIn('and 2 more: 2 different values in all', text)
        self.assertNotIn('HCI folded', text)
        shown = "return document.querySelector('#steps [data-frame=\"%s\"]')?.checkVisibility() || false"
        self.assertFalse(self.browser.run(shown % 4))
        self.browser.run("location.hash = '#frame=4'")
        self.await_frame('4')
        self.assertTrue(self.browser.run(shown % 4))
        self.assertFalse(self.browser.run(shown % 6), 'a count of packets is left out')
        self.browser.run("document.getElementById('bookkeeping').click()")
        self.assertTrue(self.browser.run(shown % 6), 'a single frame is not folded')

    def test_a_frame_far_down_a_fold_is_drawn_without_all_before(self):
        self.made((0, *connected(0x40, 1)), *[(1 + at / 1000, *notified(0x40, bytes([at & 255])))
                                              for at in range(2000)], (9, *disconnected(0x40, 0x13)))
        for frame in (1900, 300, 1950):
            self.browser.run(f"location.hash = '#frame={frame}'")
            self.await_frame(str(frame))
            seen, drawn = self.browser.run(f"""
                const one = document.querySelector('#steps [data-frame="{frame}"]');
                return [one !== null && one.checkVisibility(),
                    document.querySelectorAll('#steps .arrow').length];""")
            self.assertTrue(seen, frame)
            self.assertLess(drawn, 1000)

    def test_the_wheel_scrolls_the_page_until_the_timeline_is_clicked(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        wheel = """const event = new WheelEvent('wheel',
                {deltaY: 100, ctrlKey: %s, cancelable: true, bubbles: true});
            timeline.canvas.dispatchEvent(event);
            const words = timeline.tip.hidden ? '' : timeline.tip.textContent;
            timeline.tip.hidden = true;
            return [event.defaultPrevented, words.includes('Ctrl')];"""
        self.assertEqual(self.browser.run(wheel % 'false'), [False, True])
        self.assertEqual(self.browser.run(wheel % 'false'), [False, False], 'the hint is shown once')
        self.assertEqual(self.browser.run(wheel % 'true'), [True, False])
        self.browser.run('timeline.canvas.focus()')
        self.assertEqual(self.browser.run(wheel % 'false'), [True, False])

    def test_the_page_stays_near_when_a_connection_is_chosen(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.browser.run("document.getElementById('connections').scrollIntoView()")
        before = self.browser.run('return window.scrollY')
        self.browser.click('#connections tbody tr:last-child button')
        self.browser.await_true("document.getElementById('connection').value === '2'")
        after, seen = self.browser.run("""
            await new Promise((done) => setTimeout(done, 100));
            const box = document.querySelector('.lanes').getBoundingClientRect();
            return [window.scrollY, box.bottom <= window.innerHeight + 1];""")
        self.assertLess(abs(after - before), 400)
        self.assertTrue(seen)
        self.browser.run("document.querySelector('#phases h2 button').click()")
        self.assertEqual(self.browser.run("return document.getElementById('connection').value"), '1')

    def test_phases_follow_the_chosen_connection(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        heading = "return document.querySelector('#phases h2').innerText"
        self.assertIn('connection 1', self.browser.run(heading))
        self.browser.click('#connections tbody tr:last-child button')
        self.browser.await_true("document.querySelector('#phases h2').innerText.includes('connection 2')")
        chosen = self.browser.run(
            "return document.querySelector('#connections [aria-current]').dataset.connection")
        self.assertEqual(chosen, '2')

    def test_a_button_leads_from_failure_to_failure(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for number, frame in ((1, '382'), (2, '215')):
            self.browser.click('#next')
            self.await_frame(frame)
            self.assertRegex(self.browser.run("return document.getElementById('step').innerText"),
                             f'^failure {number} of 8')

    def test_a_request_without_an_answer_is_named(self):
        self.made((0, *connected(0x40, 1)), (1, 0, struct.pack('<BHHHHBH', 2, 0x40, 7, 3, 4, 0x0A, 0x12)),
                  (9, *ACKNOWLEDGED))
        answers = self.browser.run("return document.querySelector('.answers').innerText")
        self.assertIn('What had no answer\nRead Request 0x0012\nframe 2', answers)

    def test_a_linked_frame_is_in_the_middle_of_what_is_seen_of_the_list(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=200')
        self.await_frame('200')
        share = """
            const row = document.querySelector('.row.current').getBoundingClientRect();
            const {top, bottom} = list.box.getBoundingClientRect();
            return ((row.top + row.bottom) / 2 - top) / (Math.min(bottom, window.innerHeight) - top);"""
        self.assertAlmostEqual(self.browser.run(share), 0.5, delta=0.05)
        self.browser.run("location.hash = '#frame=20'")
        self.await_frame('20')
        self.assertAlmostEqual(self.browser.run(share), 0.5, delta=0.05)

    def test_only_silence_before_a_loss_is_hatched_as_such(self):
        asked = (2, bytes([1, 0x06, 0x04, 3, 0x40, 0, 0x13]))
        begin = [(0, *connected(0x40, 1)), (1, *notified(0x40, b'a')), (2, *written(0x40, b'b'))]
        losses = """return timeline.lanes[0].silences.filter((one) => one.isLoss)
            .map(({from, to}) => [from, to]);"""
        self.made(*begin, (3, *asked), (9, *disconnected(0x40, 8)))
        self.assertEqual(self.browser.run(losses), [], 'the host had asked for the end')
        self.made(*begin, (2.5, *ACKNOWLEDGED), (4, *written(0x40, b'c')), (9, *disconnected(0x40, 8)))
        self.assertEqual(self.browser.run(losses), [[2_500_000, 9_000_000]], 'since the acknowledgement')

    def test_each_connection_interval_is_told(self):
        self.made((0, *connected(0x40, 1)), (1, *PARAMETERS), (2, *notified(0x40, b'a')),
                  (9, *disconnected(0x40, 0x13)))
        text = self.browser.run("return document.getElementById('figures').innerText").replace('\xa0', ' ')
        self.assertIn('45 ms → 7.5 ms', text)
        self.assertIn('from frame 2 (1.000 s): 7.5 ms', text)

    def test_losses_after_the_same_message_are_said_to_be_alike(self):
        records = []
        for nth in range(3):
            at = 20 * nth
            records += [(at, *connected(0x40, 1)), (at + 1, *notified(0x40, bytes([nth]))),
                        (at + 2, *written(0x40, b'\xde\xad' if nth < 2 else b'\x00')),
                        (at + 9, *disconnected(0x40, 8))]
        self.made(*records)
        told = self.browser.run("""return [...document.querySelectorAll('.alike')].map((one) =>
            [one.innerText, [...one.querySelectorAll('a')].map((link) => link.hash)]);""")
        self.assertEqual(len(told), 1)
        self.assertIn('2 connections were lost after the same message: Write Command', told[0][0])
        self.assertEqual(told[0][1], ['#frame=3', '#frame=7'])

    def test_the_central_on_the_air_has_its_address(self):
        capture = pathlib.Path(self.corpus('corpus-2', 'sniffle-cafe-gatt-reads.pcap'))
        self.open(capture)
        self.assertIn('central DD:83:6E:F6:37:AE',
                      self.browser.run("return document.querySelector('.lede').innerText"))

    def test_paper_cuts_no_text(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.browser.command('Emulation.setEmulatedMedia', media='print')
        self.resize(720)
        cut = self.browser.run("""
            window.dispatchEvent(new Event('beforeprint'));
            const isCut = (one) => getComputedStyle(one).overflow !== 'visible' && one.clientWidth > 0
                && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2);
            return [...document.querySelectorAll('.proof *, .several *, .answers *, .figure *')]
                .filter((one) => one.checkVisibility() && !one.matches('.hidden') && isCut(one))
                .map((one) => one.className + one.innerText);""")
        self.browser.command('Emulation.setEmulatedMedia', media='')
        self.resize(1280)
        self.assertEqual(cut, [])

    def test_a_problem_names_the_sides_of_its_own_connection(self):
        read = [struct.pack('<BHHHHBH', 2, handle, 7, 3, 4, 0x0A, 0x12) for handle in (0x40, 0x41)]
        self.made((0, *advertised(1, b'Lamp one')), (1, *advertised(2, b'Lamp two')),
                  (2, *connected(0x40, 1)), (3, *connected(0x41, 2)), (4, 0, read[0]), (5, 0, read[1]),
                  (6, 2, bytes([1, 0x03, 0x0C, 0])), (6.1, 3, bytes([4, 0x0E, 4, 1, 0x03, 0x0C, 0])))
        text = self.browser.run("return log.index.map(problemText).join(' ')")
        for number, name in ((1, 'one'), (2, 'two')):
            self.assertIn(f'connection {number}: this phone or computer reset its adapter '
                          f'while Lamp {name}’s answer was awaited', text)
        title = self.browser.run("return document.querySelector('h1').innerText")
        self.assertRegex(title, '^[A-Z“]')

    def test_a_uuid_is_found_as_the_page_shows_it(self):
        found = bytes.fromhex('09150F000C1000FB349B5F80000080CDAB0000394BC4D4')
        answer = struct.pack('<BHHHH', 2, 0x2040, len(found) + 4, len(found), 4) + found
        ask = struct.pack('<BHHHH', 2, 0x40, 11, 7, 4) + bytes.fromhex('080100FFFF0328')
        self.made((0, *connected(0x40, 1)), (1, 0, ask), (2, 1, answer), (3, *written(0x40, b'a')),
                  (4, *notified(0x40, b'\x34\xfb')))
        search = """list.filters.text.value = given[0]; filterList();
            return list.shown.map((place) => log.index[place][FRAME]);"""
        for word, frames in (('D4C44B39-0000…34FB', [3, 4]), ('…34fb', [3, 4]), ('34FB', [3, 4, 5]),
                             ('D4C44B39-0000', [3, 4]), ('c44b', [3, 4]), ('-…34fb', [1, 2, 5])):
            with self.subTest(word=word):
                self.assertEqual(self.browser.run(search, word), frames)

    def test_a_chosen_connection_shows_a_frame_of_its_own(self):
        capture = TOP / 'captures/uqdk-refusals.btsnoop'
        self.open(capture)
        choose = """sequence.choice.value = given[0]; sequence.choice.dispatchEvent(new Event('change'));"""
        shown = """return [sequence.choice.value, list.filters.link.value,
            String(log.index[log.places.get(document.getElementById('detail').dataset.frame)][LINK])];"""
        self.browser.run(choose, '2')
        self.browser.await_true(
            "log.index[log.places.get(document.getElementById('detail').dataset.frame)][LINK] === 2")
        self.assertEqual(self.browser.run(shown), ['2', '2', '2'])
        self.open(capture, '#connection=2')
        self.assertEqual(self.browser.run(shown), ['2', '2', '2'])
        self.open(capture, '#connection=99')
        self.assertEqual(self.browser.run("return document.querySelector('#detail [role=alert]').innerText"),
                         'This page has no connection 99.')

    def test_the_key_leads_to_the_next_failure_and_says_so(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        firsts = self.browser.run("""return stops().filter(({incident}, at, all) =>
            at === 0 || incident !== all[at - 1].incident)
            .map(({place, incident}) => [nameOf(log.index[place]), KINDS[incident.kind]]);""")
        self.assertLess(len(firsts), self.browser.run('return stops().length'))
        for name, kind in [*firsts, firsts[0]]:
            label = self.browser.run("return document.getElementById('next').innerText")
            self.assertTrue(label.endswith(f'next {kind}'), label)
            self.browser.press('n')
            self.await_frame(name)
            self.assertEqual(self.browser.run('return location.hash'), '#frame=' + name)
        self.browser.press('p')
        self.await_frame(firsts[-1][0])


if __name__ == '__main__':
    unittest.main()
