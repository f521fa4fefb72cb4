#!/usr/bin/env python3
"""Tests the top of the page of `blecap report` in Chromium: what stands where around the headline, and what
is drawn along time: the axis of the phases, attempts that failed, ticks, and long pauses in the exchange.

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

    def test_time_that_is_not_to_scale_has_ticks(self):
        self.made((0, *connected(0x40, 1)), (300, *START), (300.004, *ENCRYPTED),
                  (301, *notified(0x40, b'a')),
                  (900, *disconnected(0x40, 8)))
        for width, least in ((390, 1), (1440, 3)):
            self.resize(width)
            ticks = self.browser.run(TICKS)
            breaks = self.browser.run("""return [...document.querySelectorAll('.break')]
                .map((one) => one.getBoundingClientRect().right);""")
            ticks.sort(key=lambda tick: tick[2])
            times = [(text, left) for text, _, left, _ in ticks]
            self.assertEqual(sorted(times), times)
            self.assertGreaterEqual(sum(left > breaks[-1] for _, left in times), least, ticks)
            for (_, _, _, right), (_, _, left, _) in zip(ticks, ticks[1:]):
                self.assertLess(right, left)
        self.resize(WIDTHS[0])

    def test_each_part_that_is_not_to_scale_has_its_ground_and_length(self):
        self.made((0, *connected(0x40, 1)), (300, *START), (300.004, *ENCRYPTED),
                  (301, *notified(0x40, b'a')), (900, *disconnected(0x40, 8)))
        for width in (390, 800, 1440, 2560):
            self.resize(width)
            lengths, grounds, words, legend = self.browser.run("""
                for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
                const ends = (one) => {
                    const {left, right} = one.getBoundingClientRect();
                    return [Math.round(left), Math.round(right)];
                };
                const all = (selector) => [...document.querySelectorAll(selector)];
                return [all('.lengths > span').map(ends), all('.ground .rest').map(ends),
                    all('.lengths i').map((one) => [one.innerText, ...ends(one)]),
                    document.querySelector('#phases .legend').innerText];""")
            self.assertEqual((len(lengths), lengths), (2, grounds))
            self.assertEqual([text.split(',')[0] for text, _, _ in words], ['300.0\xa0s', '600.0\xa0s'])
            self.assertLess(words[0][2], words[1][1])
            self.assertEqual(all('not to scale' in text for text, _, _ in words), width > 390, words)
            self.assertIn('not to scale: its length is below the axis', legend)
        self.resize(WIDTHS[0])
        # A chart to scale says nothing of it.
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.assertNotIn('to scale', self.browser.run("return document.getElementById('phases').innerText"))

    def test_all_time_of_a_connection_is_told(self):
        def rows():
            return self.browser.run("""const names = [...document.querySelectorAll('.gantt .name')];
                return Object.fromEntries(names.map((one) =>
                    [one.innerText, one.nextSibling.nextSibling.innerText]));""")

        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        # A message that was put together is no frame of ATT.
        self.assertEqual(rows()['commands'], '7.8\xa0s')
        alone = self.browser.run("""
            const line = overview.connection, phases = barsOf(line);
            const all = [...phases.filter((bar) => bar.lasts !== null), ...restOf(line, phases)];
            return placesOfLink(line.connection).filter((at) => isMessage(log.index[at])).filter((at) => {
                const time = log.index[at][TIME];
                return !all.some(({from, to}) => from < time + 3 && time < to + 3);
            });""")
        self.assertEqual(alone, [])
        asked, answered = ((flag, struct.pack('<BHHHHBH', 2, 0x40 | flag << 13, 7, 3, 4, code, 100))
                           for flag, code in ((0, 2), (1, 3)))
        theirs, ours = ((flag, struct.pack('<BHHHHBH', 2, 0x40 | flag << 13, 7, 3, 4, code, 100))
                        for flag, code in ((1, 2), (0, 3)))
        self.made((0, *connected(0x40, 1)), (1, *asked), (1.1, *answered), (1.2, *theirs), (1.25, *ours),
                  (1.3, *asked), (1.5, *answered), *[(2 + at, *notified(0x40, b'a')) for at in range(3)],
                  (9, *notified(0x40, b'b')), (10, *disconnected(0x40, 0x13)))
        self.assertEqual({name: text for name, text in rows().items() if name != 'connection'},
                         {'MTU': '300.0\xa0ms in 2', 'MTU by the device': '50.0\xa0ms',
                          'other messages': '2.0\xa0s in 2'})
        self.assertEqual(rows()['connection'], '10.0\xa0s · no data for 5.0\xa0s')

    def test_a_log_without_phases_has_its_messages(self):
        self.made(*[(at, *notified(0x40, b'a')) for at in (0, 1, 2, 9)])
        texts = self.browser.run("""return [...document.querySelectorAll('.gantt :is(.name, .lasts)')]
            .map((one) => one.innerText);""")
        self.assertEqual(texts, ['messages', '2.0\xa0s in 2'])

    def test_frames_of_one_time_have_no_chart(self):
        for count in (1, 2):
            self.made(*[(0, *notified(0x40, b'a'))] * count)
            self.assertEqual(self.browser.run("return document.getElementById('phases').innerText"), '')
            self.assertEqual(self.browser.run('return list.shown.length'), count)
            self.await_frame('1')

    def test_a_part_that_fails_leaves_the_others(self):
        script = self.browser.command('Page.addScriptToEvaluateOnNewDocument', source="""
            console.error = (error) => (window.told ||= []).push(error.message);
            document.addEventListener('DOMContentLoaded', () => {
                for (const name of ['phaseChart', 'figuresOf']) {
                    window[name] = () => { throw new Error(name); };
                }
            });""")
        try:
            self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        finally:
            self.browser.command('Page.removeScriptToEvaluateOnNewDocument', **script)
        told, alerts, steps, shown = self.browser.run("""return [told,
            [...document.querySelectorAll('[role=alert]')].map((one) => one.innerText),
            document.querySelectorAll('#steps > li').length, list.shown.length];""")
        self.assertLessEqual({'phaseChart', 'figuresOf'}, set(told))
        self.assertIn("A part of this page can't be shown: phaseChart", alerts)
        self.assertIn("A part of this page can't be shown: figuresOf", alerts)
        self.assertGreater(min(steps, shown), 20)

    def test_a_phase_that_happens_very_often_is_drawn_in_part(self):
        def exchange(at):
            return [(at + later, flag, struct.pack('<BHHHHBH', 2, 0x40 | flag << 13, 7, 3, 4, code, 100))
                    for later, flag, code in ((0, 0, 2), (0.1, 1, 3))]

        self.made((0, *connected(0x40, 1)), *[one for at in range(1, 251) for one in exchange(at)],
                  (260, *notified(0x40, b'a')), (270, *notified(0x40, b'b')),
                  (280, *disconnected(0x40, 0x13)))
        rows, drawn, table = self.browser.run("""
            const names = [...document.querySelectorAll('.gantt .name')];
            return [Object.fromEntries(names.map((one) =>
                [one.innerText, one.nextSibling.nextSibling.innerText])),
                document.querySelectorAll('.track .phase').length,
                [...document.querySelectorAll('td')].map((one) => one.textContent)];""")
        self.assertEqual(rows['MTU'], '25.0\xa0s in 250, the first 100 drawn')
        self.assertEqual(rows['other messages'], '0\xa0µs in 2')
        self.assertEqual(drawn, 102)
        self.assertIn('100.0\xa0ms; 150 more not listed', table)

    def test_the_signs_of_the_phases_are_those_that_occur(self):
        legend = """return [...document.querySelectorAll('#phases .legend > span')]
            .map((one) => one.innerText);"""
        self.made((0, *connected(0x40, 1)), (1, *START), (2, *notified(0x40, b'a')),
                  (3, *disconnected(0x40, 0x13)))
        self.assertEqual(self.browser.run(legend), ['not finished'])
        pale, said = self.browser.run("""
            const pen = timeline.canvas.getContext('2d'), own = pen.fillText.bind(pen), words = [];
            pen.fillText = (text, ...more) => { words.push(text); own(text, ...more); };
            drawTimeline();
            return [document.querySelector('.bar .legend .pale').innerText, words];""")
        self.assertEqual(pale, 'pale: not finished')
        self.assertIn('encryption, not finished', said)
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.assertEqual(self.browser.run(legend), ['no data', 'place of a failure'])

    def test_figures_and_answers_fill_their_rows(self):
        for name in ('uqdk-refusals', 'mi-band', 'bonding'):
            self.open(TOP / f'captures/{name}.btsnoop')
            for width in (390, 800, 1440, 2560):
                self.resize(width)
                self.browser.run("for (let frame = 0; frame < 2; frame++) await new Promise("
                                 "requestAnimationFrame)")
                rows = self.browser.run("""return ['.figures', '.answers'].map((selector) => {
                    const box = document.querySelector(selector), rows = {};
                    for (const one of box.children) {
                        const {top, right} = one.getBoundingClientRect();
                        (rows[Math.round(top)] ||= []).push(right);
                    }
                    const all = Object.values(rows), end = box.getBoundingClientRect().right;
                    return [all.map((some) => some.length), all.map((some) => end - Math.max(...some))];
                });""")
                for counts, ends in rows:
                    self.assertLess(max(ends), 3, (name, width))
                    self.assertTrue(counts[-1] > 1 or counts[0] < 3, (name, width, counts))
        self.resize(WIDTHS[0])

    def test_the_time_of_an_answer_stands_beside_it(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width in (1440, 2560):
            self.resize(width)
            far = self.browser.run("""
                const times = [...document.querySelectorAll('.proof .latency')].filter((one) =>
                    one.innerText !== '' && one.checkVisibility());
                return times.map((one) => {
                    const ends = [...one.closest('.evidence').querySelectorAll('.what')].map((what) => {
                        const range = document.createRange();
                        range.selectNodeContents(what);
                        return range.getBoundingClientRect().right;
                    });
                    return one.getBoundingClientRect().left - Math.max(...ends);
                });""")
            self.assertTrue(far)
            self.assertLess(max(far), 80, width)
        self.resize(WIDTHS[0])

    def test_a_printed_chart_has_its_names(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.browser.command('Emulation.setEmulatedMedia', media='print', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark'}])
        names, ground = self.browser.run("""return [[...document.querySelectorAll('.gantt .name')]
            .map((one) => one.innerText),
                getComputedStyle(document.querySelector('.rest')).backgroundColor];""")
        self.browser.command('Emulation.setEmulatedMedia', media='', features=[])
        self.assertEqual(names[-2:], ['other messages', 'connection'])
        self.assertEqual(ground, 'rgb(238, 238, 238)')

    def test_words_at_the_pointer_name_phase_and_connection(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        tips = self.browser.run("""
            const [lane] = timeline.lanes, own = (name) => lane.bars.findLast((bar) => bar.name === name);
            return [own('authentication'), own('commands')].map((bar) => {
                showTip({offsetX: positionOf((bar.from + bar.to) / 2), offsetY: lane.top + 8});
                return timeline.tip.textContent;
            });""")
        self.assertRegex(tips[0], '^Connection 2 · Authentication [\\d.]+\xa0ms, refused')
        self.assertRegex(tips[1], '^Connection 1 · Commands 7.8\xa0s')

    def test_what_is_not_in_view_is_said(self):
        self.show('apart', [str(TOP / f'captures/{name}.btsnoop') for name in ('mi-band', 'uqdk-refusals')])
        words, line = self.browser.run("""
            const pen = timeline.canvas.getContext('2d'), fill = pen.fillRect.bind(pen), lines = [];
            const text = pen.fillText.bind(pen), words = [];
            pen.fillText = (one, ...more) => { words.push(one); text(one, ...more); };
            pen.fillRect = (...box) => {
                if (box[1] === 0 && box[3] === 3) lines.push(box[2]);
                fill(...box);
            };
            viewConnection(log.connections.find((one) => one.peer_name === 'blecap car'));
            drawTimeline();
            return [words.filter((one) => /earlier|later/.test(one)), lines];""")
        self.assertIn('◂ earlier', words)
        self.assertLess(line[1], line[0])

    def test_a_click_on_the_timeline_keeps_it_in_view(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width in (390, 1440):
            self.resize(width)
            self.browser.run("history.replaceState(null, '', location.pathname);"
                             "document.getElementById('timeline-title').scrollIntoView({block: 'start'})")
            top, shown, status, address = self.browser.run("""
                const place = log.places.get('242'), row = log.index[place];
                await chooseFrame(place);
                const box = timeline.canvas.getBoundingClientRect();
                const covered = detail.box.getBoundingClientRect().top;
                return [box.top >= 0 && box.bottom <= (SHEET.matches ? covered : window.innerHeight),
                    detail.box.dataset.frame, timeline.status.innerText, location.hash];""")
            self.assertTrue(top, width)
            self.assertEqual((shown, address), ('242', '#frame=242'))
            self.assertIn('auth counter 7, not above 7', status)
        self.browser.click('#range button')
        self.browser.await_true("document.getElementById('detail-title').getBoundingClientRect().top < 450")
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

    def test_a_short_label_of_a_pause_stands_beside_it(self):
        self.made((0, *connected(0x40, 1)), (200, *notified(0x40, b'a')), (230, *disconnected(0x40, 8)))
        words = self.browser.run("""wholeTimeline();
            return pauseWords(timeline.canvas.getContext('2d')).map((one) => one.text);""")
        self.assertEqual(words, ['⌇ 200.0\xa0s'])

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

    def test_a_phase_begins_with_the_first_fragment_and_its_bar_opens_it(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        opened = self.browser.run("""
            const found = [], names = [...document.querySelectorAll('.gantt .name')];
            for (const name of ['authentication', 'commands', 'connection']) {
                const own = names.find((one) => one.innerText === name);
                for (const one of [own.querySelector('button'), own.nextSibling.firstChild]) {
                    detail.box.dataset.frame = '';
                    one.click();
                    while (!detail.box.dataset.frame) await new Promise(requestAnimationFrame);
                    found.push(detail.box.dataset.frame);
                }
            }
            return found;""")
        self.assertEqual(opened[:4], ['229', '229', '246', '246'])
        self.assertEqual(opened[4], opened[5])

    def test_a_scan_lasts_as_long_as_the_text_says(self):
        for name in ('uqdk-unlock', 'uqdk-refusals', 'bonding'):
            self.open(TOP / f'captures/{name}.btsnoop')
            drawn, report = self.browser.run("""
                const scan = [...document.querySelectorAll('.gantt .name')]
                    .find((one) => one.innerText === 'scan').nextSibling.nextSibling;
                return [scan, document.getElementById('report')].map((one) =>
                    one.textContent.replace(/\\s+/g, ' '));""")
            self.assertIn(f'scan {drawn} ', report, name)

    def test_the_failure_before_the_headline_is_named_with_its_frame(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        before = self.browser.run(
            "return [...document.querySelectorAll('.before')].map((one) => one.innerText)")
        proof = next(one for one in before if 'badProof' in one)
        self.assertIn('frame 377, 69.4\xa0ms before', proof)
        self.browser.click('.before a[href="#frame=377"]')
        self.await_frame('377')

    def test_the_reason_and_the_limits_of_the_answer_stand_at_the_headline(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        order = self.browser.run("""
            const parts = 'h1, .first .why, #answers, .first > .evidence, .note, #phases';
            return [...document.querySelectorAll(parts)]
                .map((one) => one.className || one.id || one.localName);""")
        self.assertEqual(order, ['h1', 'why', 'why', 'answers', 'evidence', 'note', 'phases'])

    def test_consequences_without_room_are_counted(self):
        pairing = (3, bytes([4, 0x36, 7, 5]) + struct.pack('<I', 1) + b'\x11\x22')
        again = (3, bytes([4, 6, 3, 5, 0x40, 0]))
        self.made((0, *classic(0x40, 1)), (1, *pairing), *[(1.1 + at / 10, *again) for at in range(7)],
                  (3, *disconnected(0x40, 5)))
        texts = self.browser.run("""
            return [...document.querySelectorAll('.first > p:not(.lede, .why)')]
                .map((one) => one.innerText);""")
        self.assertEqual(len(texts), 5, texts)
        self.assertEqual(texts[4], 'and 4 more consequences')

    def test_a_wide_page_has_the_phases_beside_the_headline_and_cards_in_columns(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.resize(2560)
        self.browser.run("for (const one of document.querySelectorAll('.more')) one.open = true;")
        boxes = self.browser.run("""
            return [...document.querySelectorAll('.card, #phases')].map((one) => {
                const {left, right, top, bottom} = one.getBoundingClientRect();
                return [left, right, top, bottom];
            });""")
        first, phases, second, third, fourth = boxes[:5]
        self.assertLess(first[1], phases[0])
        self.assertLess(phases[2], first[2] + 20)
        self.assertEqual(second[0], phases[0], 'below the phases')
        self.assertLessEqual(second[2] - phases[3], 40)
        self.assertEqual(third[2], fourth[2])
        for one in boxes:
            self.assertLess(one[1] - one[0], 1300)
        # No two lie over each other.
        for at, one in enumerate(boxes):
            for other in boxes[:at]:
                apart = one[0] >= other[1] or other[0] >= one[1] or one[2] >= other[3] or other[2] >= one[3]
                self.assertTrue(apart, (one, other))
        self.resize(WIDTHS[0])

    def test_a_page_says_that_it_is_read_until_it_is_there(self):
        script = "document.addEventListener('DOMContentLoaded', () => " \
            "{ window.early = document.getElementById('app')?.innerText; })"
        added = self.browser.command('Page.addScriptToEvaluateOnNewDocument', source=script)
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.command('Page.removeScriptToEvaluateOnNewDocument', **added)
        self.assertEqual(self.browser.run('return early'), 'Reading the frames …')
        self.assertFalse(self.browser.run("return document.getElementById('loading')"))


if __name__ == '__main__':
    unittest.main()
