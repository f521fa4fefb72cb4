#!/usr/bin/env python3
"""Tests in Chromium how a reader walks through the page of `blecap report`: along the exchange and the lanes
of the timeline, back to where one was, and out of the page with a copy.

  tools/tests/report_walk.py
"""

import struct
import unittest

from page_captures import advertising, connected, disconnected, timed
from page_case import TOP, WIDTHS, PageCase


def asked(handle, value):
    """A Write Request to attribute 0x0010."""
    pdu = b'\x12\x10\0' + value
    return (0, struct.pack('<BHHHH', 2, handle, len(pdu) + 4, len(pdu), 4) + pdu)


def answered(handle, error=None):
    """A Write Response, or an Error Response with such a code."""
    pdu = b'\x13' if error is None else bytes([1, 0x12, 0x10, 0, error])
    return (1, struct.pack('<BHHHH', 2, 0x2000 | handle, len(pdu) + 4, len(pdu), 4) + pdu)


# The frame in full, the row that is lit, the timeline's cursor and the step that is lit: of each the frame's
# name, and whether it is in view within its box.
STATE = """
    const seen = (box, one) => {
        const [outer, inner] = [box, one].map((each) => each.getBoundingClientRect());
        return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    };
    const row = document.querySelector('.row.current'), step = document.querySelector('.steps .marked');
    const x = positionOf(log.index[timeline.cursor][TIME]);
    return [[nameOf(log.index[detail.opened]), true], [detail.box.dataset.frame, true],
        [row?.querySelector('.number').innerText, Boolean(row) && seen(list.box, row)],
        [nameOf(log.index[timeline.cursor]), x >= side() && x <= timeline.width],
        ...step ? [[step.dataset.frame, seen(sequence.box, step)]] : []];"""


class ReportWalk(PageCase):
    def long(self):
        """Opens the page about 150 requests, of which two are refused, on a connection."""
        records = [(0, *connected(0x40, 1))]
        for nth in range(150):
            records += [(1 + nth / 10, *asked(0x40, bytes([nth, nth % 7]))),
                        (1.05 + nth / 10, *answered(0x40, 3 if nth in (20, 120) else None))]
        capture = self.path / 'long.btsnoop'
        capture.write_bytes(timed([*records, (30, *disconnected(0x40, 0x13))]))
        self.open(capture)

    def test_all_parts_show_the_frame_that_was_chosen(self):
        clicks = {
            'n': "document.activeElement.blur(); stepFailure(1)", 'p': 'stepFailure(-1)',
            'a row of a card': "document.querySelector('.proof:not(.decides)').click()",
            'a link in a card': "document.querySelector('.card h2 a').click()",
            'a message': "document.querySelector('#steps .arrow').click()",
            'the end of the list': "list.box.scrollTop = 1e6; await new Promise(requestAnimationFrame); "
                                   "list.room.lastChild.click()",
            'the timeline': 'showNearest(side() + 40, timeline.lanes[0].top + 20)',
            'another lane': 'showNearest(timeline.width - 40, timeline.lanes.at(-1).top + 20)',
            'a connection': "document.querySelector('#connections tbody tr:last-child button').click()",
            'the next frame': "document.querySelector('.detail .top button:nth-of-type(2)').click()",
            'a hit': "list.filters.text.value = 'write'; searchList(); list.filters.text.focus(); "
                     "searchKey(new KeyboardEvent('keydown', {key: 'Enter'}))",
            'a frame that the search hides': "document.querySelector('.card .proof.decides').click()",
        }
        for name in ('uqdk-refusals', 'two-devices'):
            self.open(TOP / f'captures/{name}.btsnoop')
            self.browser.run('history.pushState = history.replaceState = () => {};')
            has = self.browser.run("return ['.card', '.card h2 a', '#connections tr']"
                                   ".map((one) => document.querySelector(one) !== null)")
            for width in (390, 1280):
                self.resize(width)
                for action, script in clicks.items():
                    if not has[0] and ('card' in action or 'search hides' in action or len(action) == 1) \
                            or not has[1] and action == 'a link in a card':
                        continue
                    self.browser.run(script)
                    state = self.browser.run('await new Promise((done) => setTimeout(done, 100));' + STATE)
                    self.assertEqual(len({frame for frame, _ in state}), 1, (name, width, action, state))
                    self.assertTrue(all(seen for _, seen in state), (name, width, action, state))
                self.browser.run('closeSheet()')
        self.resize(WIDTHS[0])

    def test_the_way_back_leads_to_where_the_reader_was(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        # Of more than 50 addresses, Chromium forgets first those that a script made without a click.
        self.browser.command('Page.resetNavigationHistory')
        state = """await new Promise((done) => setTimeout(done, 300));
            return [location.hash, detail.box.dataset.frame, Math.round(scrollY), list.filters.text.value,
                Math.round(timeline.from)];"""
        states = [self.browser.run(state)]
        for script in ("document.querySelector('.card.failed .proof').click()",
                       "list.filters.text.value = 'door'; searchList(); scrollTo(0, 200)",
                       "[...document.querySelectorAll('.card h2 a')].pop().click()",
                       "zoomTimeline(0.5); scrollTo(0, 300); await openFrame(log.places.get('100'), true)"):
            self.browser.run(script)
            states.append(self.browser.run(state))
        self.assertEqual(len({hash for hash, *_ in states}), 4)
        for expected in (states[3], states[2], states[0]):
            back = self.browser.run('history.back();' + state)
            self.assertEqual([back[0], back[1], back[3]], [expected[0], expected[1], expected[3]])
        self.assertEqual(back[2], 0)
        self.assertEqual(self.browser.run('history.forward();' + state)[1], states[1][1])
        # From one row to the next there is one address.
        count = self.browser.run('list.box.focus(); return history.length')
        self.browser.press('down', 'down', 'down')
        self.assertEqual(self.browser.run('return history.length'), count)

    def test_the_way_back_has_what_was_done_before_the_frame_was_opened(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        state = """await new Promise((done) => setTimeout(done, 300));
            return [list.filters.text.value, list.filters.folded.checked, Math.round(scrollY),
                !list.restore.hidden];"""
        # The frame is the one that is shown already; filters that another frame took back are kept, too.
        for script in ("list.filters.text.value = 'door'; list.filters.folded.checked = false;"
                       'searchList(); scrollTo(0, 200);', "list.filters.text.value = 'discovery';"
                       'searchList(); showInList(detail.opened); scrollTo(0, 100);'):
            before = self.browser.run(script + state)
            self.browser.run("history.replaceState({}, '', location.pathname);"
                             'await openFrame(detail.opened, true);')
            self.assertEqual(self.browser.run('history.back();' + state), before)

    def test_steps_from_frame_to_frame_are_one_address(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop', '#frame=100')
        self.await_frame('100')
        keys = {'list.box': ['PageDown', 'PageDown', 'PageUp', 'End', 'ArrowUp'],
                'timeline.canvas': ['.', '.', ',', 'ArrowDown', 'ArrowUp'],
                'sequence.box': ['ArrowDown', 'ArrowDown', 'ArrowUp'], 'document.body': ['j', 'j', 'k']}
        self.browser.run('history.pushState = () => { throw new Error("another address"); };')
        for box, own in keys.items():
            for key in own:
                self.browser.run(box + '''.dispatchEvent(new KeyboardEvent('keydown',
                    {key: given[0], bubbles: true, cancelable: true}));''', key)
                self.browser.await_true("location.hash === '#frame=' + nameOf(log.index[detail.opened])"
                                        ' && detail.box.dataset.frame === location.hash.slice(7)', 10)

    def test_the_failures_of_the_exchange_are_those_of_the_cards(self):
        for name in ('uqdk-refusals', 'uqdk-unlock', 'bonding', 'mi-band'):
            self.open(TOP / f'captures/{name}.btsnoop')
            own, cards = self.browser.run("""
                const kinds = sequence.kind === 'failure' ? ['failed'] : ['overcome', 'warning'];
                const places = log.incidents.flatMap((one) => kinds.includes(one.kind) ? one.places : []);
                return [sequence.failures,
                    [...new Set(places)].filter((one) => sequence.stepOf.has(one))];""")
            self.assertEqual(own, sorted(cards), name)

    def test_the_exchange_leads_to_its_ends_and_failures(self):
        self.long()
        drawn = 'return [sequence.first, sequence.drawn, sequence.steps.length];'
        press = """[...sequence.steering.querySelectorAll('button')]
            .find((one) => one.ariaLabel.startsWith(given[0])).click();
            await new Promise((done) => setTimeout(done, 100));"""
        self.browser.run(press + drawn, '⇤ begin')
        first, last, count = self.browser.run(drawn)
        self.assertEqual((first, last < count), (0, True))
        self.assertIn(f'steps 1 to {last} of {count}', self.browser.run('return sequence.steering.innerText'))
        # More is there before the reader comes to the edge.
        scroll = 'sequence.box.scrollTop = given[0]; await new Promise((done) => setTimeout(done, 100));'
        self.assertGreater(self.browser.run(scroll + drawn, 1e6)[1], last)
        first, last, count = self.browser.run(press + drawn, 'end')
        self.assertEqual((first > 0, last), (True, count))
        self.assertTrue(self.browser.run("return seen(sequence.box, sequence.box.querySelector('.end'));"
                                         'function seen(box, one) { return one.getBoundingClientRect().top '
                                         '< box.getBoundingClientRect().bottom; }'))
        # What is drawn before moves nothing.
        moved = self.browser.run("""
            const {box} = sequence;
            box.scrollTop = 100;
            const first = [...box.children].find((one) => one.offsetTop >= box.scrollTop);
            const top = first.getBoundingClientRect().top, before = sequence.first;
            await new Promise((done) => setTimeout(done, 100));
            return [before - sequence.first, first.getBoundingClientRect().top - top];""")
        self.assertGreater(moved[0], 0)
        self.assertLess(abs(moved[1]), 2)
        # A frame without a card is not counted.
        self.browser.run(press, 'the place of the warning')
        self.await_frame('43')
        self.browser.run(press, '⇤ begin')
        self.browser.run(press + drawn, 'show all')
        self.assertEqual(self.browser.run(drawn), [0, count, count])
        items = "return document.querySelectorAll('#steps > li').length"
        self.assertEqual(self.browser.run(items), count + 1)
        # The button for that is gone, and the reader where they were: at the beginning.
        self.assertEqual(self.browser.run('return sequence.box.scrollTop'), 0)
        self.assertEqual(self.browser.run("return document.querySelectorAll('#steps .marked').length"), 1)
        # Arrows lead from message to message.
        before = self.shown()
        self.browser.run('sequence.box.focus({preventScroll: true})')
        self.browser.press('down', 'down', 'up')
        self.browser.await_true(f"detail.box.dataset.frame !== '{before}'")
        self.assertEqual(self.browser.run('return document.activeElement.id'), 'steps')
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.browser.run('drawSteps(0)')
        frames = self.browser.run('return sequence.failures.map((place) => nameOf(log.index[place]))')
        self.browser.run('openFrame(sequence.failures[0], false)')
        self.await_frame(frames[0])
        for name, frame in (('next', frames[1]), ('next', frames[2]), ('previous', frames[1])):
            self.browser.run(press, name)
            self.await_frame(frame)
        self.assertIn(f'2 of {len(frames)} places of failures',
                      self.browser.run('return sequence.steering.innerText'))

    def test_a_long_fold_shows_all_that_it_holds(self):
        capture = self.path / 'fold.btsnoop'
        values = [(1 + at / 1000, 1, struct.pack('<BHHHHBHH', 2, 0x2040, 9, 5, 4, 0x1B, 0x12, at))
                  for at in range(1500)]
        capture.write_bytes(timed([(0, *connected(0x40, 1)), *values, (9, *disconnected(0x40, 0x13))]))
        count = "return document.querySelectorAll('#steps details .arrow').length;"
        press = """[...document.querySelectorAll('#steps details button:not(.arrow)')]
            .find((one) => one.innerText.startsWith(given[0])).click();"""
        self.open(capture)
        self.browser.run("document.querySelector('#steps details').open = true")
        self.browser.await_true("document.querySelectorAll('#steps details .arrow').length === 100", 10)
        self.assertEqual(self.browser.run(press + count, 'show all 1399 more'), 1499)
        summary = "return document.querySelector('#steps details summary').innerText.replaceAll(NBSP, ' ')"
        self.assertTrue(self.browser.run(summary).endswith(', over 1.5 s'))
        self.browser.run('log.index[900][TIME] += 7e6; for (let at = 901; at < log.index.length; at++) '
                         'log.index[at][TIME] += 7e6; drawSequence()')
        self.assertTrue(self.browser.run(summary).endswith(', over 8.5 s, up to 7.0 s apart'))
        self.open(capture, '#frame=1400')
        self.await_frame('1400')
        self.browser.run(press, 'show the 1397 before')
        self.assertEqual(self.browser.run(press + count, 'show all'), 1499)

    def test_a_gap_of_the_exchange_says_how_many_frames_it_leaves_out(self):
        capture = self.path / 'gap.btsnoop'
        others = [(2 + nth / 10, 3, advertising(b'lamp', 2)) for nth in range(7)]
        capture.write_bytes(timed([(0, *connected(0x40, 1)), (1, *asked(0x40, b'a')), *others,
                                   (9, *answered(0x40)), (9.5, *disconnected(0x40, 0x13))]))
        self.open(capture)
        gaps = """return [...document.querySelectorAll('#steps .gap')].map((one) => one.innerText
            .replaceAll(NBSP, ' '));"""
        self.assertIn('+8.0 s · 7 other frames', self.browser.run(gaps))
        # Frames that have no room on the page are counted by their numbers.
        self.browser.run("""for (const row of log.index.slice(9)) row[FRAME] += 120;
            log.gaps = [1]; drawSequence();""")
        self.assertIn('+8.0 s · 7 other frames, 120 frames not in this page', self.browser.run(gaps))

    def test_frames_their_bytes_and_values_can_be_copied(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=281')
        self.await_frame('281')
        # What is put on the clipboard.
        self.browser.run("""window.copied = [];
            const {setData} = DataTransfer.prototype;
            DataTransfer.prototype.setData = function (type, text) {
                copied.push(text);
                return setData.call(this, type, text);
            };""")
        last = 'return [copied.at(-1), toast.box.innerText]'
        self.browser.click('.bytes .copy')
        digits = self.browser.run("return (await frameAt(log.places.get('281'))).bytes")
        self.assertEqual(self.browser.run(last), [bytes.fromhex(digits).hex(' '), '19 bytes copied'])
        # A click lights a field alone.
        count = self.browser.run('return copied.length')
        self.browser.click('.field[data-place="9"]')
        self.assertEqual(self.browser.run('return [copied.length, document.activeElement.dataset.place]'),
                         [count, '9'])
        for step in ("dispatchEvent(new MouseEvent('dblclick'))",
                     "dispatchEvent(new KeyboardEvent('keydown', {key: ' '}))"):
            self.browser.run('copied.pop(); document.activeElement.' + step)
            self.assertEqual(self.browser.run(last)[0], '0x0012')
        self.browser.run('''document.querySelector('.field[data-place="11"]').focus()''')
        self.browser.press('enter')
        self.assertEqual(self.browser.run(last)[0], bytes.fromhex(digits)[11:].hex(' '))
        self.browser.click('.hint .copy')
        text = self.browser.run(last)[0]
        for part in ('281\t46.505925\trx\t1\tuqdk\t', '+9 ', 'Attribute Handle = 0x0012',
                     bytes.fromhex(digits).hex(' ')):
            self.assertIn(part, text)
        # Without selected text, the rows that are selected, or else the frame in full.
        copy = """const event = new ClipboardEvent('copy',
            {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
            list.box.dispatchEvent(event); return [copied.at(-1), event.defaultPrevented];"""
        self.assertRegex(self.browser.run(copy)[0], r'^281\t[^\n]*\n$')
        self.browser.run("for (const name of ['5', '3']) toggle(log.places.get(name))")
        self.assertRegex(self.browser.run(copy)[0], r'^3\t[^\n]*\n5\t[^\n]*\n$')
        self.browser.run("getSelection().selectAllChildren(document.querySelector('.detail .label'))")
        self.assertEqual(self.browser.run(copy)[1], False)

    def test_a_byte_leads_to_its_field(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=281')
        self.await_frame('281')
        self.browser.run("document.querySelectorAll('.byte')[9].click()")
        self.assertEqual(self.browser.run('return document.activeElement.dataset.place'), '9')

    def test_without_a_selection_the_frames_of_the_list_are_saved(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        sizes = self.browser.run("""
            const sizes = [];
            URL.createObjectURL = (blob) => { sizes.push(blob.size); return 'blob:null/0'; };
            HTMLAnchorElement.prototype.click = () => {};
            list.filters.layer.value = 'ATT'; searchList();
            const names = [list.save.innerText];
            await saveFrames();
            const {parts} = await pcapngOf(list.shown);
            toggle(list.shown[0]); drawList();
            names.push(list.save.innerText);
            return [sizes[0], parts.reduce((sum, part) => sum + part.length, 0), names];""")
        self.assertEqual(sizes[0], sizes[1])
        self.assertEqual(sizes[2], ['Save these as pcapng', 'Save 1 selected as pcapng'])

    def test_no_row_has_a_line_more_than_its_words(self):
        for name in ('uqdk-unlock', 'uqdk-refusals', 'mi-band'):
            self.open(TOP / f'captures/{name}.btsnoop')
            for width in (390, 800, 1440, 2560):
                self.resize(width)
                spare = self.browser.run("""
                    const spare = [];
                    for (let top = 0; top < list.room.offsetHeight; top += list.box.clientHeight) {
                        list.box.scrollTop = top;
                        await new Promise((done) => setTimeout(done, 30));
                        for (const row of list.room.children) {
                            const label = row.querySelector('.label'), {bottom} = row.getBoundingClientRect();
                            spare.push(bottom - label.getBoundingClientRect().bottom);
                        }
                    }
                    return Math.max(...spare);""")
                self.assertLess(spare, 15, (name, width))
        self.resize(WIDTHS[0])

    def test_filters_that_hide_a_frame_can_be_had_again(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.run("list.filters.text.value = 'discovery'; list.filters.layer.value = 'ATT';"
                         'searchList()')
        shown = self.browser.run('return list.shown')
        self.browser.run("document.querySelector('.card .proof.decides').click()")
        self.browser.await_true('!list.restore.hidden')
        self.assertEqual(self.browser.run('return [list.filters.text.value, list.restore.innerText]'),
                         ['', 'back to “discovery”'])
        self.browser.click('#restore')
        self.assertEqual(self.browser.run('return [list.shown, list.restore.hidden]'), [shown, True])

    def test_a_narrow_timeline_has_its_names_above_and_enough_ticks(self):
        for name in ('uqdk-unlock', 'uqdk-refusals', 'two-devices'):
            self.open(TOP / f'captures/{name}.btsnoop')
            for width, least in ((390, 4), (1280, 6)):
                self.resize(width)
                words = self.browser.run("""
                    const words = [], {fillText} = CanvasRenderingContext2D.prototype;
                    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                        words.push([text, x, y]);
                        fillText.call(this, text, x, y);
                    };
                    drawTimeline();
                    CanvasRenderingContext2D.prototype.fillText = fillText;
                    return words;""")
                ticks = [text for text, _, y in words if y < 24 and text[0].isdigit()]
                self.assertGreaterEqual(len(ticks), least, (name, width))
                edges = self.browser.run("return timeline.lanes.map(({title, edge}) => [title, edge])")
                for title, edge in edges:
                    heights = [y for text, _, y in words if text == title]
                    self.assertTrue(any(edge < y < edge + 20 for y in heights), (name, width, title))
        self.resize(WIDTHS[0])

    def test_lanes_with_nothing_in_view_are_low_until_they_have_something(self):
        capture = self.path / 'lanes.btsnoop'
        records = []
        for nth in range(4):
            at, handle = 30 * nth, 0x40 + nth
            records += [(at, *connected(handle, nth + 1)), (at + 1, *asked(handle, b'a')),
                        (at + 2, *answered(handle)), (at + 3, *disconnected(handle, 0x13))]
        capture.write_bytes(timed(records))
        self.open(capture)
        heights = 'drawTimeline(); return timeline.lanes.map(({isEmpty, height}) => [isEmpty, height])'
        self.browser.run('wholeTimeline()')
        self.assertEqual([empty for empty, _ in self.browser.run(heights)], [False] * 4)
        self.browser.run('viewConnection(log.connections[1])')
        lanes = self.browser.run(heights)
        self.assertEqual([empty for empty, _ in lanes], [True, False, True, True])
        self.assertLess(lanes[0][1], lanes[1][1] / 1.9)
        # They come back as the reader zooms out, and none goes while one pans.
        self.browser.run('zoomTimeline(50)')
        self.assertIn(False, [empty for empty, _ in self.browser.run(heights)][2:])
        before = sum(not empty for empty, _ in self.browser.run(heights))
        self.browser.run('panTimeline(timeline.to - timeline.from); zoomTimeline(0.01)')
        self.assertGreaterEqual(sum(not empty for empty, _ in self.browser.run(heights)), before)

    def test_the_list_marks_where_frames_are_left_out(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        marks = self.browser.run("""for (const row of log.index.slice(40)) row[FRAME] += 120;
            log.gaps = [1];
            await openFrame(41, false);
            return [...list.room.children].map((row) => [row.id, row.matches('.after'), row.innerText]);""")
        self.assertEqual([row for row, is_after, _ in marks if is_after], ['row-40'])
        self.assertEqual([row for row, _, text in marks if '⋮ 120 frames left out before it' in text],
                         ['row-40'])

    def test_a_range_is_selected_by_keys(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.run('timeline.canvas.focus()')
        for _ in range(3):
            self.browser.run("""timeline.canvas.dispatchEvent(new KeyboardEvent('keydown',
                {key: 'ArrowRight', shiftKey: true, bubbles: true}));""")
        begin, length, text = self.browser.run("""return [timeline.range[0] ===
            log.index[timeline.cursor][TIME], timeline.range[1] - timeline.range[0],
            document.getElementById('range').innerText];""")
        self.assertEqual((begin, length > 0, 'selected: ' in text), (True, True, True))
        # Its frames can be selected, and that forgotten.
        self.browser.run("list.filters.layer.value = 'ATT'; searchList()")
        self.browser.click('#range button:last-child')
        selected, expected, seen = self.browser.run("""
            const [from, to] = timeline.range, isIn = ({[TIME]: time}) => time >= from && time <= to;
            return [[...list.selected], [...log.index.keys()].filter((at) => isIn(log.index[at])),
                [...list.room.children].some((row) => row.ariaSelected === 'true'
                    && row.getBoundingClientRect().top >= list.box.getBoundingClientRect().top - 1)];""")
        self.assertEqual((selected, seen), (expected, True))
        self.browser.run('list.box.focus()')
        self.browser.press('escape')
        self.assertEqual(self.browser.run('return list.selected.size'), 0)

    def test_marks_lie_over_no_words_of_phases(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.assertGreater(self.browser.run('return marksInView().length'), 0)
        self.assertTrue(self.browser.run("""return marksInView().every(({top}) => timeline.lanes.every(
            (lane) => top + 11 <= lane.top + 5 || top > lane.top + lane.height));"""))

    def test_the_scale_of_rssi_is_that_of_its_values(self):
        capture = self.path / 'strength.btsnoop'
        reports = [advertising(b'lamp', 2)[:-1] + bytes([256 - strength])
                   for strength in [*(60 + nth % 9 for nth in range(120)), 1]]
        capture.write_bytes(timed([(nth / 10, 3, report) for nth, report in enumerate(reports)]))
        self.open(capture)
        scale, edges, tip = self.browser.run("""
            const [lane] = timeline.lanes, x = positionOf(log.index.at(-1)[TIME]);
            return [lane.scale, [-1, -50, -70].map((one) => heightOf(one, lane.scale)),
                tipAt(x, lane.top + 40)];""")
        self.assertEqual(scale, [-70, -50])
        self.assertEqual(edges[0], edges[1])
        self.assertEqual(edges[2] - edges[1], 24)
        self.assertTrue(tip.endswith(' · −1 dBm'), tip)

    def test_a_tap_says_what_is_there(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.resize(390)
        place = self.browser.run("""timeline.canvas.scrollIntoView({block: 'center'}); drawTimeline();
            const [lane] = timeline.lanes, silence = lane.silences.find((one) => !one.isLoss);
            const {left, top} = timeline.canvas.getBoundingClientRect();
            return {x: left + positionOf((silence.from + silence.to) / 2), y: top + lane.top + 30};""")
        self.browser.command('Input.dispatchTouchEvent', type='touchStart', touchPoints=[place])
        self.browser.command('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])
        self.browser.await_true('isSheetOpen() && !timeline.tip.hidden', 10)
        self.assertIn('No data for', self.browser.run('return timeline.tip.innerText'))
        self.resize(WIDTHS[0])

    def test_parameters_are_written_as_far_as_they_have_room(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        words, tip = self.browser.run("""
            const words = [], {fillText} = CanvasRenderingContext2D.prototype;
            CanvasRenderingContext2D.prototype.fillText = function (text) { words.push(text); };
            const [lane] = timeline.lanes, [band] = lane.bands, pen = timeline.canvas.getContext('2d');
            for (const [from, room_] of [[band.from, 400], [band.from, 150], [band.from, 60], [0, 10]]) {
                const to = along(from) + room_ / room() * (timeline.to - timeline.from);
                drawBand(pen, {...band, from, to: timeAlong(to)}, 0, () => '#000');
            }
            CanvasRenderingContext2D.prototype.fillText = fillText;
            return [words, tipAt(positionOf(band.from) + 20, lane.top + PLOTTED - 10)];""")
        self.assertEqual([text.replace('\xa0', ' ') for text in words],
                         ['30 ms · latency 0 · timeout 420 ms · MTU 23', '30 ms · MTU 23', '30 ms'])
        self.assertIn('latency 0', tip)

    def test_keys_lead_along_the_lanes_of_the_timeline(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        self.browser.run('wholeTimeline(); await openFrame(timeline.lanes[0].places[5], false); '
                         'timeline.canvas.focus()')
        place = 'return [timeline.lanes.findIndex((lane) => lane.places.includes(detail.opened)), ' \
            'timeline.lanes[0].places.indexOf(detail.opened), timeline.tip.hidden, timeline.tip.innerText]'
        for key, at in (('.', 6), ('.', 7), (',', 6)):
            self.browser.press(key)
            self.browser.await_true(f'timeline.lanes[0].places.indexOf(timeline.cursor) === {at}', 10)
        wait = 'await new Promise((done) => setTimeout(done, 100));'
        lane, at, hidden, tip = self.browser.run(wait + place)
        self.assertEqual((lane, at, hidden), (0, 6, False))
        self.assertIn(f'Frame {self.shown()},', tip)
        self.browser.press('down')
        self.browser.await_true('timeline.lanes[1].places.includes(timeline.cursor)', 10)
        self.browser.press('up')
        self.browser.await_true('timeline.lanes[0].places.includes(timeline.cursor)', 10)
        span = 'return timeline.to - timeline.from'
        before = self.browser.run(span)
        self.browser.press('w')
        self.assertLess(self.browser.run(span), before)


if __name__ == '__main__':
    unittest.main()
