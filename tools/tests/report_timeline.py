#!/usr/bin/env python3
"""Tests what the page of `blecap report` says of time and of devices, in Chromium: the timeline, the phases
of a connection, the time of day, and who was heard.

  tools/tests/report_timeline.py
"""

import struct
import unittest

from page_captures import advertising, air, btsnoop, connected, disconnected, notified, timed
from page_case import TOP, WIDTHS, PageCase


class ReportTimeline(PageCase):
    def test_pairing_has_its_method_and_commands_end_with_the_last_message(self):
        self.open(TOP / 'captures/bonding.btsnoop')
        phases = self.browser.run("return document.getElementById('phases').innerText")
        self.assertIn('Pairing: Just Works, LE Secure Connections', phases)
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        ends = self.browser.run("""const bar = barsOf(overview.connection).find((one) => one.isUse);
            return [bar.to, bar.lasts, bar.from, Math.max(...log.index.filter((row) =>
                row[LINK] === 1 && ['ATT', 'uqdk'].includes(row[LAYER])).map((row) => row[TIME]))];""")
        self.assertEqual((ends[0], ends[1]), (ends[3], ends[3] - ends[2]))

    def test_ticks_keep_their_direction_and_fill_whole_pixels(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        kinds = self.browser.run('''return timeline.lanes.flatMap((lane) => lane.places.map((place, at) => [
            log.index[place][WAY] === TX, (lane.ticks.kinds[at] & TX_TICK) !== 0,
            log.index[place][WRONG] === FAILED, (lane.ticks.kinds[at] & BAD_TICK) !== 0]));''')
        self.assertTrue(any(sent and bad for sent, _, bad, _ in kinds))
        for sent, drawn_as_sent, bad, drawn_as_bad in kinds:
            self.assertEqual((sent, bad), (drawn_as_sent, drawn_as_bad))
        for width in WIDTHS:
            self.resize(width)
            filled = self.browser.run('''const all = [], fill = CanvasRenderingContext2D.prototype.fillRect;
                CanvasRenderingContext2D.prototype.fillRect = function (...box) {
                    all.push(box);
                    fill.apply(this, box);
                };
                timeline.range = [timeline.first, timeline.first];
                drawTimeline();
                CanvasRenderingContext2D.prototype.fillRect = fill;
                return all;''')
            for left, _, across, _ in filled:
                self.assertEqual((left, across), (round(left), max(1, round(across))))
        self.resize(WIDTHS[0])

    def test_a_zoom_step_asks_for_the_width_once(self):
        # To ask costs a layout, and a long log has thousands of phases.
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        asked = self.browser.run("""
            let count = 0;
            const {get} = Object.getOwnPropertyDescriptor(Element.prototype, 'clientWidth');
            Object.defineProperty(timeline.canvas, 'clientWidth', {get() {
                count++;
                return get.call(this);
            }});
            for (let step = 0; step < 5; step++) zoomTimeline(0.9);
            await new Promise(requestAnimationFrame);
            return count;""")
        self.assertEqual(asked, 1)

    def test_the_log_of_a_peripheral_says_which_side_is_which(self):
        event = bytearray(connected(64, 1)[1])
        event[7] = 1
        pdus = [(1, (0x10, 1, 0, 0xFF, 0xFF, 0, 0x28)), (0, (1, 0x10, 1, 0, 0x0A)), (1, (2, 0, 1)),
                (0, (3, 0, 1))]
        acl = [(second, flag, bytes([2, 64, flag << 5, len(pdu) + 4, 0, len(pdu), 0, 4, 0, *pdu]))
               for second, (flag, pdu) in enumerate(pdus, 1)]
        capture = self.path / 'peripheral.btsnoop'
        capture.write_bytes(timed([(0, 3, bytes(event)), *acl, (9, *disconnected(64, 19))]))
        self.open(capture)
        heads, phases, lane, lede = self.browser.run("""
            return [document.getElementById('heads').innerText, document.getElementById('phases').innerText,
                timeline.lanes[0].role, document.querySelector('.lede').innerText];""")
        self.assertRegex(heads, r'(?s)central.*This device\s+peripheral, recorded here')
        for name in ('discovery by the other side', 'MTU by the other side'):
            self.assertIn(name, phases)
        self.assertEqual(lane, 'central')
        self.assertIn('this device is the peripheral', lede)
        self.open(TOP / 'captures/mi-band.btsnoop')
        text = self.browser.run("return document.body.innerText + timeline.lanes.map((one) => one.role)")
        self.assertNotIn('by the peer', text)
        self.assertNotIn('is the peripheral', text)

    def test_steps_before_a_failure_are_in_the_order_of_time(self):
        for name in ('uqdk-unlock', 'uqdk-refusals', 'mi-band', 'peripheral-clock'):
            self.open(TOP / f'captures/{name}.btsnoop')
            times = self.browser.run("""const place = headlinePlace();
                return stepsBefore(place, overview.connection).map(([, time]) => time);""")
            self.assertEqual(times, sorted(times))
        # A phase that was done long before still comes first.
        times = self.browser.run("""const place = headlinePlace();
            for (const row of log.index.slice(place - 1)) row[TIME] += 60e6;
            return stepsBefore(place, overview.connection).map(([, time]) => time);""")
        self.assertEqual((len(times), times), (2, sorted(times)))

    def test_what_took_no_time_has_no_duration(self):
        handle = bytes([2, 65, 0, 11, 0, 7, 0, 4, 0, 0x10, 1, 0, 0xFF, 0xFF, 0, 0x28])
        asked, answered = (bytes([2, 64, flags, 7, 0, 3, 0, 4, 0, *pdu]) for flags, pdu in
                           ((0, (0x0A, 3, 0)), (0x20, (0x0B, 7, 7))))
        capture = self.path / 'unanswered.btsnoop'
        capture.write_bytes(timed([(0, 0, handle), (40, 0, asked), (41, 1, answered), (80, 0, asked),
                                   (81, 1, answered)]))
        self.open(capture)
        table, text, title = self.browser.run("""return [document.getElementById('connections').innerText,
            document.body.innerText, document.querySelector('h1').innerText];""")
        self.assertIn('handle 0x0041', table)
        self.assertNotIn('0\xa0µs', text)
        self.assertIn('Read By Group Type Request of frame 1 had no response', text)
        self.assertIn('last packet after 41.0\xa0s', text)
        self.assertIn('nothing failed; 1 request had no answer', title)

    def test_headers_of_tables_keep_their_words(self):
        self.resize(390)
        self.open(TOP / 'captures/two-devices.btsnoop')
        broken = self.browser.run("""
            const range = document.createRange();
            return [...document.querySelectorAll('thead th')].filter((one) => one.checkVisibility())
                .filter((one) => one.firstChild && one.textContent.split(/\\s+/).some((word) => {
                    const from = one.textContent.indexOf(word);
                    range.setStart(one.firstChild, from);
                    range.setEnd(one.firstChild, from + word.length);
                    return range.getClientRects().length > 1;
                })).map((one) => one.textContent);""")
        self.assertEqual(broken, [])
        self.resize(WIDTHS[0])

    def test_the_timeline_opens_on_the_connection_that_the_page_is_about(self):
        for names, is_calm in ((('mi-band', 'uqdk-refusals'), False), (('bonding', 'two-devices'), True)):
            self.show('apart', [str(TOP / f'captures/{name}.btsnoop') for name in names])
            peer, shown, whole, inside = self.browser.run('''const line = overview.connection;
                const own = log.index.filter((row) => row[LINK] === line.connection).map((row) => row[TIME]);
                return [log.names.get(peerOf(line)), timeline.to - timeline.from,
                    wholeSpan().to - wholeSpan().from,
                    timeline.from <= along(own[0]) && along(own[own.length - 1]) <= timeline.to
                        && document.getElementById('detail').dataset.frame !== undefined];''')
            self.assertTrue(inside, names)
            # In all of the log, it would hardly be seen.
            self.assertEqual((whole > 2 * shown, peer == 'blecap car'), (True, not is_calm))

    def test_a_chosen_connection_or_failure_is_zoomed_to(self):
        self.show('apart', [str(TOP / f'captures/{name}.btsnoop') for name in ('mi-band', 'uqdk-refusals')])
        # With the time between, both are too narrow to be seen.
        self.browser.run('timeline.pauses = []')
        shows = """(given) => {
            const span = timeline.to - timeline.from, all = spanOf([log.connections[given]]);
            const [from, to] = [all.from, all.to].map(along);
            return timeline.from < from && to < timeline.to && span < 2 * (to - from);
        }"""
        for number, choose in (
                (0, lambda: self.browser.click('#connections tbody tr:first-child button')),
                (0, lambda: self.browser.press('c')),
                (0, lambda: self.browser.click('#own')),
                (2, lambda: self.browser.click('#connections tbody tr:last-child button')),
                (1, lambda: self.browser.run("""sequence.choice.value = '2';
                    sequence.choice.dispatchEvent(new Event('change'));""")),
                (1, lambda: self.browser.press('n')),
                (1, lambda: self.browser.run("""const {place, x, top} = marksInView()
                    .find((mark) => log.index[mark.place][LINK] === 2);
                    showNearest(x, top + 3);""")),
        ):
            self.browser.run('document.activeElement.blur()')
            self.browser.press('a')
            self.browser.run('window.scrollTo(0, 0)')
            self.assertFalse(self.browser.run(f'return ({shows})({number})'))
            choose()
            self.browser.await_true(f'({shows})({number})')
        # A part of a connection that is looked at keeps its length.
        kept = self.browser.run("""
            timeline.to = timeline.from + (timeline.to - timeline.from) / 10;
            const before = timeline.to - timeline.from;
            markFrame(log.index.findLastIndex((row) => row[LINK] === 2), true);
            return (timeline.to - timeline.from) / before;""")
        self.assertAlmostEqual(kept, 1, delta=0.001)

    def test_the_lanes_follow_the_connections_and_each_occurrence_has_a_mark(self):
        self.show('apart', [str(TOP / f'captures/{name}.btsnoop') for name in ('mi-band', 'uqdk-refusals')])
        lanes, main, counts = self.browser.run("""
            return [timeline.lanes.map((lane) => log.devices[[...lane.devices][0]][0]).slice(0, 2),
                [overview.connection, log.connections[0]].map(peerOf),
                timeline.incidents.filter((one) => one.links.includes(2)).map((one) =>
                    [one.text, one.places.length])];""")
        self.assertEqual(lanes, main)
        zeros = 'AUTH_FINISH is answered with badProof: the proof of its request is all zeros (5 times)'
        self.assertIn([zeros, 5], counts)
        self.assertIn(['STATUS_QUERY: counter 8, not above 8', 1], counts)

    def test_phases_stand_on_one_time_axis(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        for width in (390, 800, 1440, 2560):
            self.resize(width)
            bars, drawn, ticks, bare = self.browser.run("""
                const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => {
                    const {left, right} = one.getBoundingClientRect();
                    return [left, right];
                });
                const phases = barsOf(overview.connection);
                const bars = [...phases, ...restOf(overview.connection, phases)]
                    .map((bar) => [bar.from, bar.to]);
                const end = document.querySelector('.axis').getBoundingClientRect().right;
                const bare = [...document.querySelectorAll('.axis > span:not([hidden]) > i')].filter((one) =>
                    !one.checkVisibility() || one.getBoundingClientRect().right > end);
                return [bars, boxes('.track .phase'),
                    boxes('.gantt .name, .gantt .lasts, .axis span:not([hidden])'), bare.length];""")
            self.assertEqual(bare, 0, 'each tick has its words')
            self.assertEqual(len(bars), len(drawn))
            # The shortest bars are wider than to scale.
            longest = max(range(len(bars)), key=lambda at: bars[at][1] - bars[at][0])
            scale = (drawn[longest][1] - drawn[0][0]) / (bars[longest][1] - bars[0][0])
            for (start, end), (left, right) in zip(bars, drawn):
                self.assertAlmostEqual(left - drawn[0][0], (start - bars[0][0]) * scale, delta=1.5)
                self.assertAlmostEqual(right - left, max(3, (end - start) * scale), delta=1.5)
            for left, right in ticks:
                self.assertTrue(0 <= left < right <= width, (width, left, right))
        self.resize(WIDTHS[0])

    def test_a_phase_without_an_end_is_open(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        found = self.browser.run("""
            delete overview.connection.discovery_ended;
            buildOverview();
            const bar = barsOf(overview.connection).find((one) => one.name === 'discovery');
            const open = document.querySelector('.phase.open');
            return [bar.lasts, bar.to === sinceStart(overview.connection.disconnected),
                open.parentElement.nextSibling.textContent,
                document.querySelectorAll('.track .open').length];""")
        self.assertEqual(found, [None, True, 'not finished', 1])

    def test_a_scan_much_longer_than_the_rest_is_cut(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        cut, bars = self.browser.run("""
            overview.connection.scan_started = new Date(Date.parse(log.start) - 600e3).toISOString();
            buildOverview();
            return [document.querySelector('.axis i').innerText,
                [...document.querySelectorAll('.track > *')].map((one) => one.clientWidth)];""")
        self.assertRegex(cut, r'^-\d+\.\d\xa0s')
        # Most of the axis is for what followed.
        self.assertGreater(sum(bars[1:-1]), 2 * bars[0])

    def test_a_connection_much_longer_than_its_phases_has_a_gap(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        for width in (390, 1280):
            self.resize(width)
            names, bars, gap, ticks = self.browser.run("""
                const line = overview.connection;
                delete line.first_command;
                line.disconnected = new Date(Date.parse(line.authenticated) + 3600e3).toISOString();
                buildOverview();
                const box = (one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right];
                const all = (selector) => [...document.querySelectorAll('#phases ' + selector)];
                return [all('.name').map((one) => one.textContent), all('.track > :first-child').map(box),
                    all('.break').map(box),
                    all('.axis > *').filter((one) => !one.hidden).map(box)];""")
            self.assertEqual(len(gap), 1)
            for name, (left, right) in zip(names, bars):
                if name == 'connection':
                    self.assertTrue(left < gap[0][0] and right > gap[0][1])
                else:
                    self.assertLess(right, gap[0][0] + 1, name)
            self.assertLess(ticks[0][1], gap[0][1])
            self.assertGreater(ticks[-1][1], gap[0][1])
        self.resize(WIDTHS[0])

    def test_lanes_without_plots_are_low(self):
        capture = self.path / 'air.pcap'
        capture.write_bytes(air([b'one', b'two']))
        self.open(capture)
        self.assertLess(self.browser.run('return timeline.canvas.clientHeight / timeline.lanes.length'), 70)

    def test_overlapping_phases_are_both_in_the_lane(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        found = self.browser.run("""
            const line = {...overview.connection, mtu_exchanged: overview.connection.discovery_ended};
            return barsOf(line).filter((bar) => bar.isHalf).map((bar) => [bar.name, bar.isLower]);""")
        self.assertEqual(found, [['MTU', False], ['discovery', True]])

    def test_a_long_log_leads_with_the_time_of_day(self):
        late = self.path / 'late.btsnoop'
        late.write_bytes(self.later(TOP / 'captures/uqdk-refusals.btsnoop', 14_388))
        self.open(late)
        shown = """
            const text = (selector) => (document.querySelector(selector) || {}).innerText || '';
            return [text('.answers div:nth-child(2) b'), text('.answers div:nth-child(2) span'),
                text('.proof .time'), text('#connections td:nth-of-type(2)'), text('.axis i'),
                text('.heading .time'), document.getElementById('day').ariaPressed,
                document.getElementById('day').checkVisibility()];"""
        when, below, row, began, tick, head, *day = self.browser.run(shown)
        self.assertRegex(when, r'^\d\d:\d\d:\d\d\.\d{3}\xa0UTC$')
        self.assertRegex(below, r'^[\d.]+\xa0s after connecting, 4\.0\xa0h after the first record$')
        for text in (row, began, tick):
            self.assertRegex(text, r'^\d\d:\d\d:\d\d(\.\d{3})?$')
        self.assertEqual([head, *day], ['time, UTC', 'true', True])
        self.browser.press('t')
        when, below, row, began, tick, head, *day = self.browser.run(shown)
        self.assertRegex(when, r'^144\d\d\.\d{6}\xa0s$')
        self.assertRegex(below, r' after connecting, at \d\d:\d\d:\d\d\.\d{3}\xa0UTC$')
        for text in (row, began, tick):
            self.assertRegex(text, r'^144\d\d(\.\d+)?\xa0s$')
        self.assertEqual([head, *day], ['time, s', 'false', True])

    def test_times_since_the_start_of_a_recorder_are_no_time_of_day(self):
        counted = self.path / 'counted.pcap'
        counted.write_bytes(air([b'one', b'two']))
        data = bytearray(counted.read_bytes())
        at, second = 24, 1000
        while at < len(data):
            data[at:at + 4] = second.to_bytes(4, 'little')
            at, second = at + 16 + int.from_bytes(data[at + 8:at + 12], 'little'), second + 3600
        counted.write_bytes(data)
        self.open(counted)
        self.browser.press('t')
        self.assertEqual(self.browser.run("""
            return [log.hasClock, log.showsDay, document.getElementById('day').checkVisibility(),
                /UTC/.test(document.getElementById('app').innerText)];"""), [False, False, False, False])

    def test_no_width_is_too_narrow_for_the_timeline(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        for width in (200, 120, 60):
            self.resize(width)
            self.browser.run("drawTimeline(); zoomTimeline(0.5); timeline.canvas.style.width = '0'; "
                             "drawTimeline(); timeline.canvas.style.width = ''")
            self.assertTrue(self.browser.run('return Number.isFinite(timeline.from + timeline.to)'))
        self.resize(WIDTHS[0])

    def test_the_view_never_leaves_the_log(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        # In whole microseconds.
        view = 'return [timeline.from, timeline.to].map(Math.round);'
        whole = self.browser.run('wholeTimeline(); ' + view)
        for act in ('zoomTimeline(4, side() + 10)', 'zoomTimeline(4, timeline.width - 10)',
                    'panTimeline(timeline.to - timeline.from)'):
            first, last = self.browser.run(f'zoomTimeline(0.3); {act}; {act}; {view}')
            self.assertTrue(whole[0] <= first < last <= whole[1], act)
        self.assertEqual(self.browser.run(f'zoomTimeline(9); {view}'), whole)

    def test_the_signs_of_the_timeline_have_words(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        legend = self.browser.run("return document.querySelector('.bar .legend').innerText")
        for words in ('discovery', 'sent', 'received', 'failed', 'failure', 'overcome', 'no data', 'RSSI',
                      'time to the answer', 'connected', 'before or after the log', 'the frame shown below'):
            self.assertIn(words, legend)
        for words in ('pale', 'chosen connection', 'left out', 'not in this page', 'loss'):
            self.assertNotIn(words, legend)

    def test_silence_before_a_loss_is_hatched_with_its_duration(self):
        capture = self.path / 'lost.btsnoop'
        capture.write_bytes(timed([(0, *connected(0x40, 1)), (1, *notified(0x40, b'a')),
                                   (2.5, *disconnected(0x40, 8))]))
        self.open(capture)
        silence, tip = self.browser.run("""
            const [silence] = timeline.lanes[0].silences;
            const x = positionOf((silence.from + silence.to) / 2);
            showTip({offsetX: x, offsetY: timeline.lanes[0].top + 20});
            return [silence, timeline.tip.textContent];""")
        self.assertEqual([silence['from'], silence['to'], silence['isLoss']], [1_000_000, 2_500_000, True])
        self.assertEqual(silence['text'].replace('\xa0', ' '), 'no data received for 1.5 s, then lost')
        self.assertIn('No data received for', tip)
        # The phases show it, too.
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        title = self.browser.run("return document.querySelector('.track .silent').title")
        self.assertEqual(title.replace('\xa0', ' '), 'No data for 2.2 s')

    def test_pauses_longer_than_all_else_are_left_out(self):
        capture = self.path / 'pauses.btsnoop'
        day = 86_400
        records = [connected(0x40, 1), *[notified(0x40, bytes([at])) for at in range(4)]]
        times = (0, 1, 2, 4 * 3600, 4 * 3600 + 2)
        capture.write_bytes(timed([*((time, *record) for time, record in zip(times, records)),
                                   (99 * day, *disconnected(0x40, 19))]))
        self.open(capture)
        words, share, back, tip, head, end = self.browser.run("""
            wholeTimeline();
            const pen = timeline.canvas.getContext('2d');
            const inside = (positionOf(timeline.pauses[0].from) + positionOf(timeline.pauses[0].to)) / 2;
            showTip({offsetX: inside, offsetY: timeline.lanes[0].top + 8});
            return [pauseWords(pen).map((one) => one.text),
                (positionOf(4 * 3600e6 + 2e6) - positionOf(4 * 3600e6)) / room(),
                log.index.map((row) => Math.abs(timeAlong(along(row[TIME])) - row[TIME])),
                timeline.tip.textContent, document.querySelector('header').innerText,
                document.querySelector('.answers').innerText];""")
        self.assertEqual([word.replace('\xa0', ' ') for word in words],
                         ['nothing for 4.0 h', 'the clock jumps 98.8 d to 2000-04-09'])
        self.assertGreater(share, 0.3)
        self.assertLess(max(back), 1)
        self.assertEqual(tip.replace('\xa0', ' '), 'Nothing for 4.0 h: left out here')
        self.assertIn('4.0 h from', head)
        self.assertIn('the clock jumps ahead by 98.8 d at frame 6', head)
        self.assertIn('the clock jumped meanwhile', end)
        # Connections and frames are brought into view as everywhere.
        for press in ('c', 'a'):
            self.browser.press(press)
            self.assertTrue(self.browser.run("""return log.index.every((row) =>
                positionOf(row[TIME]) >= side() && positionOf(row[TIME]) <= timeline.width);"""))
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.assertEqual(self.browser.run('return timeline.pauses'), [])

    def test_a_range_is_counted(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        text = self.browser.run('''timeline.range = [log.index[256][TIME], log.index[260][TIME]]; showRange();
            return document.getElementById('range').textContent;''')
        self.assertRegex(text, r'^[\d.]+\xa0ms selected: 5 frames, \d+ bytes of data, [\d.]+ kB/s')
        # It can be looked at, and forgotten.
        view, range_ = self.browser.run("""document.querySelector('#range button').click();
            return [[timeAlong(timeline.from), timeAlong(timeline.to)], timeline.range];""")
        for one, other in zip(view, range_):
            self.assertAlmostEqual(one, other, delta=1)
        self.browser.run('timeline.canvas.focus();')
        self.browser.press('escape')
        self.assertEqual(self.browser.run("""
            return [timeline.range, document.getElementById('range').textContent];"""), [None, ''])

    def test_the_table_of_connections_fits_a_tablet(self):
        capture = self.path / 'ends.btsnoop'
        records = [(3, advertising(b'a lamp with a long name', 1))]
        for handle in (0x40, 0x41):
            records += [connected(handle, 1), notified(handle, b'a'), disconnected(handle, 0x3B)]
        capture.write_bytes(btsnoop(records))
        self.open(capture)
        self.resize(800)
        self.assertLessEqual(*self.browser.run("""const box = document.querySelector('#connections .scroll');
            return [box.scrollWidth, box.clientWidth];"""))
        self.resize(390)
        shown = self.browser.run("""return [...document.querySelectorAll('#connections thead th')]
            .filter((one) => one.checkVisibility()).map((one) => one.innerText);""")
        self.assertLessEqual({'began', 'lasted', 'end'}, set(shown))
        self.resize(WIDTHS[0])
        cut = self.browser.run("""return [...document.querySelectorAll('.proof .way')]
            .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText);""")
        self.assertEqual(cut, [], 'names of sides are whole')

    def test_problems_of_frames_name_the_sides_as_cards_do(self):
        capture = self.path / 'named.btsnoop'
        capture.write_bytes(timed([(0, 3, advertising(b'lamp $&', 1)), (1, *connected(0x40, 1)),
                                   (2, *notified(0x40, b'a')), (3, *disconnected(0x40, 0x3B))]))
        self.open(capture)
        texts = self.browser.run("""return ['h1', '.detail .problem', '.list .problem', '.steps .problem']
            .map((one) => document.querySelector(one).innerText);""")
        for text in texts:
            self.assertIn('“lamp $&” ended the connection', text)

    def test_what_nobody_is_known_of_is_called_so(self):
        capture = self.path / 'unknown.btsnoop'
        pdus = [(0, (0x0A, 3, 0)), (1, (0x0B, 7, 7))]
        acl = [(flag, flag, bytes([2, 64, flag << 5, 7, 0, 3, 0, 4, 0, *pdu])) for flag, pdu in pdus]
        capture.write_bytes(timed(acl))
        self.open(capture)
        title, when = self.browser.run("""return [document.querySelector('h1').innerText,
            document.querySelector('.answers').innerText];""")
        self.assertRegex(title, r'^Unknown device \(handle 0x')
        self.assertNotIn('0.000000', when)

    def test_an_export_without_events_has_lanes(self):
        capture = self.path / 'data-only.btsnoop'
        capture.write_bytes(self.data_only(TOP / 'captures/mi-band.btsnoop'))
        self.open(capture)
        lanes = self.browser.run('return timeline.lanes.map((lane) => [lane.title, lane.places.length])')
        self.assertTrue(lanes and lanes[0][0].startswith('handle 0x') and lanes[0][1] > 20, lanes)

    def test_figures_count_the_answers_of_the_other_side(self):
        read = struct.pack('<BHHHHBH', 2, 0x40, 7, 3, 4, 0x0A, 0x12)
        answer = (1, struct.pack('<BHHHHBB', 2, 0x2040, 6, 2, 4, 0x0B, 7))
        update = (2, bytes([1, 0x16, 0x20, 2, 0x40, 0]))
        updated = (3, bytes([4, 0x3E, 12, 4, 0, 0x40, 0]) + bytes(8))
        setup = [(0, *connected(0x40, 1)), (1, *update), (1.1, 3, bytes([4, 0x0F, 4, 0, 1, 0x16, 0x20])),
                 (4, *updated)]

        def made(*records):
            capture = self.path / 'answers.btsnoop'
            capture.write_bytes(timed([*setup, *records]))
            self.open(capture)

        figures = "return document.getElementById('figures').innerText"
        made((5, *notified(0x40, b'a')))
        self.assertNotIn('answer', self.browser.run(figures))
        made((5, 0, read), (5.25, *answer))
        self.assertIn('250.0 ms', self.browser.run(figures).replace('\u00a0', ' '))
        self.assertIn('the only answer of the device over ATT', self.browser.run(figures))
        # Those of other layers are told apart, and only where ATT has none.
        asked = [(6, 0, struct.pack('<BHHHHBBHHHHH', 2, 0x40, 16, 12, 5, 0x12, 1, 8, 6, 6, 0, 100)),
                 (6.5, 1, struct.pack('<BHHHHBBHH', 2, 0x2040, 10, 6, 5, 0x13, 1, 2, 0))]
        for records, text in ((asked, '500.0 ms\nto the only answer of the device over L2CAP'),
                              ([(5, 0, read), (5.25, *answer), *asked], '250.0 ms\nto the only answer')):
            made(*records)
            self.assertIn(text, self.browser.run(figures).replace('\u00a0', ' '))

    def test_a_field_has_its_value(self):
        capture = self.path / 'value.btsnoop'
        capture.write_bytes(timed([(0, *connected(0x40, 1)), (1, *notified(0x40, bytes(range(40))))]))
        self.open(capture, '#frame=2')
        text = self.browser.run("return document.getElementById('fields').innerText")
        self.assertIn(f'= 40 bytes: {bytes(range(32)).hex(" ")} …', text)


if __name__ == '__main__':
    unittest.main()
