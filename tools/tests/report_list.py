#!/usr/bin/env python3
"""Tests the list of frames on the page of `blecap report`, its search, the bar above all, and what narrow
pages have instead of columns, in Chromium.

  tools/tests/report_list.py
"""

import unittest

from page_captures import advertising, btsnoop, connected, notified, timed  # noqa: E402
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
        # Each has room for a finger, and stands apart from the next.
        boxes = self.browser.run("""return [...document.querySelectorAll('.keys button')]
            .map((one) => one.getBoundingClientRect())
            .map(({left, right, height}) => [left, right, height]);""")
        for (_, right, _), (left, _, height) in zip(boxes, boxes[1:]):
            self.assertGreater(left - right, 4)
            self.assertGreater(height, 30)
        self.resize(WIDTHS[0])

    def test_each_width_has_a_search_in_the_top_bar(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        for width in (320, 390, 800, 1440):
            self.resize(width)
            self.browser.run('document.activeElement.blur(); window.scrollTo(0, 0)')
            self.browser.click('#seek')
            focus, top, bottom = self.browser.run("""
                const {top, bottom} = list.filters.text.getBoundingClientRect();
                return [document.activeElement.id, top - document.getElementById('keys').offsetHeight,
                    window.innerHeight - bottom];""")
            self.assertEqual(focus, 'filter-text', width)
            self.assertGreaterEqual(min(top, bottom), 0, width)
        self.resize(WIDTHS[0])

    def test_narrow_pages_begin_without_filters(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        height = """return document.querySelector('.frames .heading').getBoundingClientRect().top
            - document.getElementById('frames-title').getBoundingClientRect().bottom;"""
        for width in (320, 390, 800):
            self.resize(width)
            self.assertFalse(self.browser.run("return list.filters.layer.checkVisibility()"), width)
            self.assertLess(self.browser.run(height), 130, width)
            self.browser.click('#unfold')
            self.assertTrue(self.browser.run("return list.filters.layer.checkVisibility()"), width)
            self.browser.click('#unfold')
        self.browser.run("filterByLink(1)")
        self.assertEqual(self.browser.run("return list.unfold.textContent"), 'Filters (1)')
        self.resize(WIDTHS[0])
        self.assertTrue(self.browser.run("return list.filters.layer.checkVisibility()"))

    def test_a_narrow_page_opens_a_frame_beside_what_was_chosen(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        # Of each kind those in view, first with their box at the upper edge, then at the lower one.
        chosen = """
            const boxes = {'.proof': '.card.failed .evidence', '.arrow': '#steps', '.row': '#list'};
            const box = document.querySelector(boxes[given[0]]);
            closeSheet();
            box.scrollIntoView({block: given[1]});
            const bar = document.getElementById('keys').offsetHeight, edge = box.getBoundingClientRect();
            const all = [...box.querySelectorAll(given[0])].filter((one) => {
                const {top, bottom} = one.getBoundingClientRect();
                return one.checkVisibility() && top >= Math.max(bar, edge.top)
                    && bottom <= Math.min(window.innerHeight, edge.bottom);
            });
            const one = all[given[1] === 'start' ? 0 : all.length - 1];
            one.click();
            return one.dataset.frame || one.querySelector('.number').textContent;"""
        for width in (320, 390, 800):
            self.resize(width)
            self.browser.run('closeSheet(); await new Promise(requestAnimationFrame)')
            self.assertFalse(self.browser.run('return detail.box.checkVisibility()'), width)
            for kind in ('.proof', '.arrow', '.row'):
                for block in ('start', 'end'):
                    name = self.browser.run(chosen, kind, block)
                    self.await_frame(name)
                    self.browser.await_true('isSheetOpen()')
                    above, top, below = self.browser.run("""
                        const sheet = detail.box.getBoundingClientRect();
                        const bar = document.getElementById('keys').offsetHeight;
                        const all = document.querySelectorAll(`#row-${log.places.get(given[0])},
                            :is(.proof, .arrow)[data-frame="${given[0]}"]`);
                        return [[...all].some((one) => {
                            const {top, bottom} = one.getBoundingClientRect();
                            return top >= bar && bottom <= sheet.top + 1;
                        }), sheet.top, window.innerHeight - sheet.bottom];""", name)
                    self.assertTrue(above, (width, kind, block))
                    self.assertEqual((top > 300, below), (True, 0), (width, kind))
            self.browser.click('#close')
            self.assertEqual(self.browser.run('return [detail.box.checkVisibility(), location.hash]'),
                             [False, ''])
            self.browser.run("document.querySelector('.card.failed .proof.decides').click()")
            self.browser.await_true('isSheetOpen()')
            self.browser.press('escape')
            self.assertFalse(self.browser.run('return isSheetOpen()'))
        self.resize(WIDTHS[0])
        self.assertTrue(self.browser.run('return detail.box.checkVisibility()'))

    def test_a_sheet_has_lines_as_long_as_it_has_room_for(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width, most in ((800, 16), (390, 8)):
            self.resize(width)
            self.browser.run("closeSheet(); await openFrame(log.places.get('215'), true)")
            octets = "return document.querySelectorAll('.dump > :nth-child(2) .byte').length"
            self.assertEqual(self.browser.run(octets), most)
        self.resize(WIDTHS[0])

    def test_a_connection_has_two_lines_on_a_narrow_page(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width in (320, 390):
            self.resize(width)
            heights, right = self.browser.run("""
                const rows = [...document.querySelectorAll('#connections tbody tr')];
                return [rows.map((row) => row.offsetHeight), Math.max(...rows.flatMap((row) =>
                    [...row.cells].map((cell) => cell.getBoundingClientRect().right)))];""")
            self.assertLess(max(heights), 60, width)
            self.assertLessEqual(right, width)
        self.resize(WIDTHS[0])

    def test_no_row_is_cut_or_lies_over_the_next(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for width in (390, 800, 1280, 2560):
            self.resize(width)
            for name in ('1', '215', '333', '464'):
                cut, over, lines = self.browser.run("""
                    await openFrame(log.places.get(given[0]), false);
                    const rows = [...document.querySelectorAll('#list .row')];
                    const labels = rows.map((row) => row.querySelector('.label'));
                    const ends = rows.map((row) => row.getBoundingClientRect());
                    return [labels.filter((one) => one.scrollHeight > one.clientHeight + 2).length,
                        ends.filter(({top}, at) => at > 0 && top < ends[at - 1].bottom - 1).length,
                        new Set(rows.map((row) => row.offsetHeight)).size];""", name)
                self.assertEqual((cut, over), (0, 0), (width, name))
                self.assertGreater(lines if name == '215' and width < 2560 else 2, 1)
        self.resize(WIDTHS[0])

    def test_a_search_keeps_the_connection_and_marks_what_it_finds(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        self.browser.run("filterByLink(1); list.filters.text.value = 'notify'; searchList()")
        own, all_of_them, whole, status = self.browser.run("""
            const found = log.index.filter((row) => isOperation(row, 'notify'));
            return [found.filter((row) => row[LINK] === 1).length, found.length, list.whole.innerText,
                list.status.innerText];""")
        self.assertTrue(0 < own < all_of_them)
        self.assertEqual(self.browser.run('return list.shown.length'), own)
        self.assertEqual(whole, 'search all frames')
        self.assertIn(f'{own} hits in connection 1, {all_of_them} in all', status)
        # Other filters hide hits, too, and are taken back as well.
        self.browser.run("list.filters.layer.value = 'HCI'; searchList()")
        self.assertIn('Search all frames', self.browser.run('return list.nothing.innerText'))
        self.assertIn(f'0 hits with these filters, {all_of_them} in all',
                      self.browser.run('return list.status.innerText'))
        marks = """list.filters.text.value = given[0]; searchList();
            return [...document.querySelectorAll('#list mark')].map((one) => one.textContent);"""
        self.browser.click('#whole')
        self.assertEqual(set(self.browser.run(marks, 'value')), {'Value'})
        self.open(TOP / 'captures/mi-band.btsnoop')
        digits = self.browser.run("return log.index.find((row) => /^[0-9a-f]{8}/.test(row[VALUE]))[VALUE]")
        for word in (digits[:8], f'{digits[:2]} {digits[2:4]} {digits[4:6]} {digits[6:8]}', f'{digits[:7]}?'):
            self.assertIn(digits[:8], self.browser.run(marks, word), word)
        self.assertEqual(self.browser.run(marks, '-value'), [])
        # A question mark stands for a digit only in bytes.
        found = self.browser.run("""return [['what?', 'whata what?'], ['"ab?d"', 'abcd ab?d'],
            ['a5?1', 'a5c1'], ['a5 ?1', 'a5c1']]
            .map(([word, text]) => hitsOf(searchWords(word)).exec(text)[0]);""")
        self.assertEqual(found, ['what?', 'ab?d', 'a5c1', 'a5c1'])

    def test_what_a_jump_leads_to_is_whole_below_the_bar(self):
        jumps = {
            '#detail-title': ["openFrame(log.places.get('400'), true)",
                              "openFrame(log.places.get('215'), true)",
                              "document.querySelector('.card:last-of-type h2 a').click()"],
            'h1': ["document.querySelector('.parts button').click()"],
            '#timeline-title': ["document.querySelector('.parts button:nth-child(2)').click()"],
            '#sequence-title': ["document.querySelector('.parts button:nth-child(3)').click()"],
            '#frames-title': ["document.querySelector('.parts button:nth-child(4)').click()",
                              'startSearch()'],
            ':focus': ['stepFailure(1)', 'stepFailure(1, true)', 'stepFailure(-1)'],
            '#timeline': ["showConnection(log.connections[1])", "showConnection(log.connections[0])"],
        }
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        # Chromium limits how often the address changes.
        self.browser.run('history.pushState = history.replaceState = () => {};')
        for width in (320, 390, 800, 1280, 2560):
            self.resize(width)
            for selector, scripts in jumps.items():
                for script in scripts:
                    for start in (0, 900, 1500, 100_000):
                        top, bottom = self.browser.run("""
                            closeSheet();
                            window.scrollTo(0, given[2]);
                            await eval(given[1]);
                            await new Promise((done) => setTimeout(done, 30));
                            const one = document.querySelector(given[0]);
                            const head = one.querySelector('h1, h2, summary');
                            const {bottom} = (head || one).getBoundingClientRect();
                            // Also the frame of the focus, but for the first card, above which is the header.
                            const {top} = (one.matches('.first') ? head : one).getBoundingClientRect();
                            const end = isSheetOpen() && !detail.box.contains(one)
                                ? detail.box.getBoundingClientRect().top : window.innerHeight;
                            const bar = detail.box.contains(one) && isSheetOpen() ? 0
                                : document.getElementById('keys').offsetHeight;
                            return [top - 3 - bar, end - bottom];""", selector, script, start)
                        self.assertGreaterEqual(min(top, bottom), -1, (width, selector, script, start))
        self.resize(WIDTHS[0])

    def test_bytes_with_spaces_and_numbers_of_frames_are_found(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        search = '''list.filters.text.value = given[0]; filterList();
            return list.shown.map((place) => nameOf(log.index[place]));'''
        self.browser.run(search, '06 81 0c')
        self.browser.await_true('raw.octets !== null')
        for spaced, joined in (('06 81 0C 74', '06810c74'), ('write 06 81', 'write 0681'),
                               ('06 ?? 0c', '06??0c')):
            self.assertEqual(self.browser.run(search, spaced), self.browser.run(search, joined))
            self.assertNotEqual(self.browser.run(search, spaced), [])
        self.assertEqual(self.browser.run(search, '0c 81 06'), [])
        self.assertEqual(self.browser.run(search, 'frame 257'), ['257'])
        self.assertEqual(self.browser.run(search, 'Frame 1:257'), ['257'])
        self.browser.run(search, 'notify 2902')
        self.assertRegex(self.browser.run('return list.nothing.innerText'),
                         r'Alone, they find: “notify” \d+, “2902” \d+\.')

    def test_a_layer_has_what_it_carries(self):
        frames = self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        shown = self.browser.run("""
            list.filters.layer.value = 'ATT';
            searchList();
            return list.shown.map((place) => nameOf(log.index[place]));""")
        self.assertEqual(shown, [str(frame['frame']) for frame in frames if 'att' in frame])
        self.assertTrue(self.browser.run(
            "return list.shown.some((place) => log.index[place][LAYER] !== 'ATT')"))

    def test_a_narrow_bar_always_leads_to_the_parts(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        shown = """return [...document.querySelectorAll('.parts button, #step')].map((one) => {
            const {left, right, bottom} = one.getBoundingClientRect();
            return one.checkVisibility() && left >= 0 && right <= window.innerWidth && bottom <= 90;
        });"""
        for width in (320, 390):
            self.resize(width)
            for script in ("openFrame(log.places.get('215'), true)", 'closeSheet()', 'stepFailure(1)'):
                self.browser.run(f'await {script}')
                self.assertEqual(self.browser.run(shown), [True] * 5, (width, script))
        self.resize(WIDTHS[0])

    def test_a_frame_on_no_connection_leads_to_its_device(self):
        attempt = bytes([1, 5, 4, 13, 1, 0, 0, 0, 0x11, 0x22, 0x18, 0xCC, 1, 0, 0, 0, 1])
        failed = bytes([4, 3, 11, 4, 0, 0, 1, 0, 0, 0, 0x11, 0x22, 1, 0])
        others = [(1 + at / 10, 3, advertising(b'lamp', 2)) for at in range(50)]
        capture = self.path / 'attempt.btsnoop'
        capture.write_bytes(timed([(0, 2, attempt), (0.1, 3, bytes([4, 0x0F, 4, 0, 1, 5, 4])), *others,
                                   (6, 3, failed), (7, *connected(0x40, 2))]))
        self.open(capture)
        names = 'return list.shown.map((place) => nameOf(log.index[place]))'
        status = "return [list.whole.innerText, list.status.innerText, document.querySelector('.row.current" \
            " .number').textContent, detail.box.dataset.frame]"
        self.assertEqual(self.browser.run(names), ['1', '53'])
        self.assertEqual(self.browser.run(status),
                         ['all 54 frames', '2 of 2 frames of 22:11:00:00:00:01', '53', '53'])
        self.browser.click('#whole')
        self.assertEqual(self.browser.run(status),
                         ['only 22:11:00:00:00:01', '54 of 54 frames', '53', '53'])
        # A search says what is found elsewhere.
        self.browser.run("clearFilters(); presetFilters(); list.filters.text.value = 'lamp'; searchList()")
        self.assertEqual(self.browser.run('return [list.status.innerText, list.whole.innerText]'),
                         ['0 hits of this device, 51 in all', 'search all frames'])
        self.browser.click('#whole')
        self.assertEqual(len(self.browser.run(names)), 51)

    def test_the_highlighted_row_is_the_frame_that_is_shown(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        rows = """return [[...document.querySelectorAll('.row.current .number')].map((one) => one.innerText),
            detail.box.dataset.frame];"""
        self.browser.run("list.filters.text.value = 'DOOR'; searchList()")
        self.assertEqual(self.browser.run(rows), [[], '382'])
        self.browser.run('list.filters.text.focus()')
        self.browser.press('enter')
        self.await_frame('257')
        self.assertEqual(self.browser.run(rows), [['257'], '257'])
        self.browser.run('clearFilters()')
        for key, frame in (('down', '258'), ('up', '257'), ('end', '464'), ('home', '1')):
            self.browser.press(key)
            self.await_frame(frame)
            self.assertEqual(self.browser.run(rows), [[frame], frame])
        self.browser.run("list.box.querySelector('.row:nth-child(3)').dispatchEvent("
                         "new MouseEvent('click', {ctrlKey: true, bubbles: true}))")
        self.await_frame('3')
        self.assertEqual(self.browser.run(rows), [['3'], '3'])

    def test_the_row_of_a_chosen_frame_is_above_the_fold(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.browser.run('history.pushState = history.replaceState = () => {};')
        shown = """['.row.current', '#steps .marked'].every((one) => {
                const box = document.querySelector(one)?.getBoundingClientRect();
                return box && box.bottom <= window.innerHeight
                    && box.top >= document.getElementById('keys').offsetHeight;
            })"""
        for width in (1280, 1440):
            self.resize(width)
            marks = self.browser.run("""return [...document.querySelectorAll('.gantt .mark')]
                .map((mark) => mark.dataset.name);""")
            self.assertGreater(len(marks), 0, width)
            for at, frame in enumerate(marks):
                self.browser.run("document.querySelectorAll('.gantt .mark')[given[0]].click()", at)
                self.await_frame(frame)
                self.browser.await_true(shown, 10)
                self.browser.run('window.scrollTo(0, 0)')
            for _ in range(4):
                self.browser.run("delete document.getElementById('detail').dataset.frame")
                self.browser.press('n', 'enter')
                self.browser.await_true("document.getElementById('detail').dataset.frame !== undefined")
                self.browser.await_true(shown, 10)
                self.browser.press('b')
        self.resize(WIDTHS[0])

    def test_narrow_pages_name_no_keys_and_no_wheel(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        hints = """return [...document.querySelectorAll('#app .hint[id]')]
            .map((one) => one.innerText).join(' ');"""
        self.assertRegex(self.browser.run(hints), 'wheel.*Shift')
        self.resize(390)
        self.assertNotRegex(self.browser.run(hints), 'wheel|Shift|[Aa]rrow')
        self.resize(WIDTHS[0])

    def test_a_value_is_not_repeated_as_prose(self):
        value = bytes(range(150))
        capture = self.path / 'long.btsnoop'
        capture.write_bytes(timed([(0, *connected(0x40, 2)), (1, *notified(0x40, value)),
                                   (2, *notified(0x40, value[:4]))]))
        self.open(capture, '#frame=2')
        self.await_frame('2')
        label, steps = self.browser.run("""return [document.querySelector('.detail .label').innerText,
            sequence.box.offsetHeight - [...sequence.box.children].reduce((sum, one) =>
                sum + one.offsetHeight, 0)];""")
        self.assertLess(len(label), 100)
        # A short exchange has a short box.
        self.assertLess(steps, 30)

    def test_keys_on_the_timeline_are_its_own_or_the_browsers(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=215')
        self.await_frame('215')
        key = '''const event = new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...given[0]});
            timeline.canvas.dispatchEvent(event);
            return [event.defaultPrevented, timeline.to - timeline.from];'''
        span = self.browser.run('return timeline.to - timeline.from')
        for name in ('+', '-', 's', 'w'):
            self.assertEqual(self.browser.run(key, {'key': name, 'ctrlKey': True}), [False, span], name)
        # The range ends with the log, both ways.
        self.browser.run('wholeTimeline()')
        for name, edge in (('ArrowRight', 'last'), ('ArrowLeft', 'first')):
            for _ in range(60):
                self.browser.run(key, {'key': name, 'shiftKey': True})
            self.assertTrue(self.browser.run(f'return timeline.range[1] === timeline.{edge}'), name)
        # Escape forgets the range, and closes the sheet only then.
        self.resize(390)
        self.browser.run('await openFrame(detail.opened, true)')
        for has_range, is_open in ((False, True), (False, False)):
            self.browser.run(key, {'key': 'Escape'})
            self.assertEqual(self.browser.run('return [timeline.range !== null, isSheetOpen()]'),
                             [has_range, is_open])
        self.resize(WIDTHS[0])

    def test_selected_frames_that_a_filter_hides_are_said(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        status = self.browser.run("""
            for (const name of ['5', '6', '7']) toggle(log.places.get(name));
            list.filters.text.value = 'discovery';
            searchList();
            return list.status.textContent;""")
        self.assertTrue(status.endswith(', 3 selected, 3 of them hidden'), status)

    def test_headings_and_cards_have_their_own_style(self):
        styles = """return given[0].map((selector) => {
            const {fontSize, fontWeight, marginTop, marginBottom, color, borderTopWidth, paddingTop} =
                getComputedStyle(document.querySelector(selector));
            return {fontSize, fontWeight, marginTop, marginBottom, color, borderTopWidth, paddingTop};
        });"""
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.run("document.getElementById('answers').after(make('p', {}))")
        part, card, bad, text, plain = self.browser.run(styles, [
            '#timeline-title', '.card h2', 'h1 .bad', '.card.first #answers + p', 'h1'])
        self.assertEqual([part[name] for name in ('fontSize', 'fontWeight', 'marginTop', 'marginBottom')],
                         ['14px', '600', '31.5px', '8.4px'])
        self.assertEqual([card[name] for name in ('fontSize', 'marginTop')], ['14.98px', '0px'])
        self.assertEqual([bad['color'], text['marginTop'], plain['fontSize']],
                         ['rgb(184, 35, 44)', '12.6px', '24.08px'])
        self.open(TOP / 'captures/bonding.btsnoop')
        [calm] = self.browser.run(styles, ['div.calm'])
        self.assertEqual([calm[name] for name in ('borderTopWidth', 'paddingTop', 'marginBottom')],
                         ['1px', '15.4px', '14px'])

    def test_devices_that_were_only_heard_have_a_table(self):
        capture = self.path / 'heard.btsnoop'
        far, near = advertising(b'far', 1), advertising(b'near', 2)[:-1] + b'\xd8'
        capture.write_bytes(btsnoop([(3, report) for report in (far, near, far)]))
        self.open(capture)
        rows, lede = self.browser.run("""return [
            [...document.querySelectorAll('#devices tbody tr')].map((row) => row.innerText.split('\\t')),
            document.querySelector('.lede').innerText];""")
        self.assertEqual([row[1:4] for row in rows], [['near', '−40 dBm', '1'], ['far', '−64 dBm', '2']])
        self.assertIn('no connection in this log', lede)
        self.browser.click('#devices tbody tr:last-child button')
        shown = self.browser.run('return list.shown.map((place) => log.index[place][FRAME])')
        self.assertEqual(shown, [1, 3])


if __name__ == '__main__':
    unittest.main()
