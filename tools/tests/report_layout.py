#!/usr/bin/env python3
"""Tests how the page of `blecap report` looks in Chromium: what it opens on, its widths, its contrast, and
the rules of axe for accessibility.

  tools/tests/report_layout.py
"""

import subprocess
import unittest

from page_captures import advertising, air, btsnoop, connected, disconnected, notified, timed
from page_case import PROGRAM, READY, TOP, WIDTHS, PageCase

AXE = TOP / '.cache/axe/axe_playwright_python/axe.min.js'


class ReportLayout(PageCase):
    def test_the_headline_and_the_cards(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.assertEqual(self.browser.run("return document.querySelector('h1').innerText"),
                         '“blecap car”: ENGINE_START is answered with refusedInState frame 281')
        cards = self.browser.run('''
            return [...document.querySelectorAll('.card.failed')].map((card) => [
                card.querySelector('.side').textContent, card.querySelector('.decides').dataset.frame]);''')
        self.assertEqual(cards, [['car', '281'], ['phone', '282']])
        phases = self.browser.run("return document.getElementById('phases').innerText.replace(/\\n/g, ' ')")
        for name in ('scan 239.0 ms within 618.9 ms', 'connecting 155.2 ms', 'authentication 285.1 ms'):
            self.assertIn(name, phases.replace('\xa0', ' '))
        self.assertEqual(self.browser.run("return document.getElementById('connection').value"), '1')
        # The sender's folders are not in the page.
        page = self.browser.run('return document.documentElement.outerHTML + JSON.stringify(log.lines)')
        self.assertNotIn(str(TOP), page)

    def test_a_name_is_written_as_the_device_gives_it(self):
        self.open(TOP / 'captures/peripheral-clock.btsnoop')
        side = self.browser.run("return document.querySelector('.answers b').innerText")
        self.assertEqual(side, '“xmg”')
        # The word of the other outputs stands below, and no sign stands before the facts.
        below, lede = self.browser.run("""
            return ['.answers > div', '.lede'].map((one) => document.querySelector(one).innerText);""")
        self.assertIn('peer, the other side of the connection', below)
        self.assertRegex(lede.strip(), r'^\w')

    def test_the_first_screen_says_side_time_and_what_came_before(self):
        self.resize(1440)
        for name in ('uqdk-unlock', 'uqdk-refusals', 'mi-band'):
            self.open(TOP / f'captures/{name}.btsnoop')
            questions, answers, bottom = self.browser.run("""
                const all = (selector) =>
                    [...document.querySelectorAll(selector)].map((one) => one.innerText);
                return [all('.answers dt'), all('.answers b'),
                    document.querySelector('.decides').getBoundingClientRect().bottom];""")
            self.assertEqual(questions, ['Which side', 'When', 'What came before', 'How it ended'], name)
            self.assertRegex(answers[1], r'^[\d.]+\xa0s$')
            self.assertLessEqual(bottom, 900, name)
        self.resize(WIDTHS[0])

    def test_both_sides_have_the_names_that_readers_know(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        text = self.browser.run("""
            return ['section[aria-label=Verdict]', '#connections', '#heads']
                .map((one) => document.querySelector(one).textContent).join(' ');""")
        self.assertNotRegex(text, r'\b(host|peer)\b')
        self.assertIn('ended by the phone', text)
        ways = self.browser.run("return [...new Set([...document.querySelectorAll('.way')]"
                                ".map((one) => one.textContent))].filter((one) => /[▶◀]/.test(one)).sort()")
        self.assertEqual(ways, ['▶ to car', '◀ from car'])

    def test_times_in_cards_have_a_unit(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        times = self.browser.run("return [...document.querySelectorAll('.proof .time')]"
                                 '.map((one) => one.textContent)')
        self.assertGreater(len(times), 8)
        for time in times:
            self.assertRegex(time, r'^[\d.]+\xa0s$')

    def test_the_deciding_row_is_whole(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.resize(1100)
        # It has two lines rather than an end that is cut off.
        cut = self.browser.run("""
            const what = document.querySelector('.decides .what');
            what.textContent = 'a word '.repeat(18);
            return [what.scrollHeight - what.clientHeight, what.clientHeight / 13 > 2];""")
        self.assertEqual(cut, [0, True])
        self.resize(WIDTHS[0])

    def crowd(self):
        """A log in which connections to two devices are lost, to the second one twice."""
        path = self.path / 'crowd-lost.btsnoop'
        records = [(3, advertising(b'first', 1)), (3, advertising(b'second', 2))]
        for handle, device in ((0x40, 1), (0x41, 2), (0x42, 2)):
            records += [connected(handle, device), notified(handle, bytes(20)), disconnected(handle, 8)]
        path.write_bytes(timed([(5 * at, *record) for at, record in enumerate(records)]))
        return path

    def test_each_card_names_its_devices_and_connections(self):
        self.open(self.crowd())
        cards = self.browser.run("""
            return [...document.querySelectorAll('.card.failed')].map((card) => card.innerText);""")
        self.assertEqual(len(cards), 2)
        for text, device, connections in ((cards[0], 'first', (1,)), (cards[1], 'second', (2, 3))):
            self.assertIn(device, text)
            for connection in connections:
                self.assertRegex(text, rf'connections? (\d, )*{connection}\b')
        # The other occurrence has the frames that explain it, too.
        shown = self.browser.run("""
            const site = document.querySelector('.site');
            site.open = true;
            while (!site.querySelector('.decides')) await new Promise((done) => setTimeout(done, 10));
            return [site.innerText, site.querySelector('.decides').dataset.frame, site.dataset.frame];""")
        self.assertIn('connection 3', shown[0])
        self.assertEqual(shown[1:], ['11', '11'])

    def test_only_failures_are_red(self):
        path = self.path / 'warned.btsnoop'
        # Nothing subscribed to the values.
        records = [connected(0x40, 1), *[notified(0x40, bytes([at])) for at in range(6)]]
        path.write_bytes(btsnoop([*records, disconnected(0x40, 8)]))
        self.open(path)
        rows, ticks, colors = self.browser.run("""
            const style = getComputedStyle(document.documentElement);
            return [[...document.querySelectorAll('.list .row')].map((row) => [row.className,
                    (row.querySelector('i') || row).className]),
                [...timeline.lanes[0].ticks.kinds].map((kind) => [kind & WARN_TICK, kind & BAD_TICK]),
                [...document.querySelectorAll('.list i')].map((one) => getComputedStyle(one).color)];""")
        warned = [row for row in rows if 'warned' in row[0]]
        self.assertEqual([row[1] for row in warned], ['warning'] * 6)
        self.assertEqual([row[1] for row in rows if 'wrong' in row[0]], ['problem'])
        self.assertEqual([bool(bad) for _, bad in ticks], [False] * 7 + [True])
        self.assertEqual([bool(warning) for warning, _ in ticks], [False] + [True] * 6 + [False])
        self.assertEqual(len(set(colors)), 2)

    def test_what_was_overcome_is_not_red(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        weights = self.browser.run("""
            return ['218', '221', '281'].map((name) => log.index[log.places.get(name)][WRONG]);""")
        self.assertEqual(weights, [1, 1, 2])

    def test_keys_of_the_timeline_show_it(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        for key in 'ca':
            for place in (0, 100_000):
                self.browser.run(f'window.scrollTo(0, {place})')
                self.browser.press(key)
                self.assertTrue(self.browser.run("""
                    const box = timeline.canvas.getBoundingClientRect();
                    return box.top >= 0 && box.bottom <= window.innerHeight;"""), (key, place))

    def test_a_value_is_small_and_behind_its_name(self):
        self.open(self.crowd())
        before = self.browser.run("""
            const box = document.querySelector('.answers .before');
            return [box.querySelector('b').textContent, box.querySelector('code').textContent,
                parseFloat(getComputedStyle(box.querySelector('code')).fontSize)];""")
        self.assertEqual(before[:2], ['Handle Value Notification 0x0012', '00' * 12 + '… 20 bytes'])
        self.assertLess(before[2], 13)

    def test_the_failure_is_stated_once(self):
        for name in ('uqdk-unlock', 'mi-band'):
            self.open(TOP / f'captures/{name}.btsnoop')
            self.stated_once()
        self.open(self.crowd())
        self.stated_once()

    def stated_once(self):
        sentence, text, ended = self.browser.run("""
            return [document.querySelector('h1 .bad').innerText,
                document.querySelector('.card.first').innerText, endOf(overview.connection)];""")
        for words in (sentence.split(' (')[0], ended):
            self.assertLessEqual(text.lower().count(words.lower()), 1, text)

    def test_a_search_without_hits_says_what_can_be_searched(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        shown = """
            const {box, nothing} = list;
            return [box.checkVisibility() || document.querySelector('.heading').checkVisibility(),
                nothing.checkVisibility(), nothing.innerText];"""
        self.browser.run("list.filters.text.value = 'no such thing'; searchList();")
        box, nothing, text = self.browser.run(shown)
        self.assertEqual((box, nothing), (False, True))
        for word in ('no such thing', 'handle', 'UUID', 'bytes'):
            self.assertIn(word, text)
        self.browser.click('.nothing button')
        self.assertEqual(self.browser.run(shown)[:2], [True, False])
        self.assertEqual(self.browser.run('return list.shown.length === log.index.length'), True)

    def test_no_script_reads_printed_text(self):
        scripts = ''.join(path.read_text() for path in sorted((TOP / 'page').glob('*.js')))
        self.assertNotRegex(scripts, r'(?:test|exec|match)\(\w+\[(?:LABEL|SHORT)\]')
        self.assertNotRegex(
            scripts, r'\[(?:LABEL|MEANING|SHORT|VALUE)\]\.(?:match|replace|split|startsWith|slice)')
        self.assertNotIn('lower(row[LABEL])', scripts)

    def test_a_frame_that_a_card_names_is_in_it(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        missing = self.browser.run("""
            return [...document.querySelectorAll('.card')].flatMap((card) => {
                const shown = [...card.querySelectorAll('.proof')].map((one) => one.dataset.frame);
                const named = [...card.querySelectorAll('h1, h2, p:not(.lede)')]
                    .flatMap((one) => one.textContent.match(/(?<=frame )\\d+/g) || []);
                return named.filter((name) => !shown.includes(name));
            });""")
        self.assertEqual(missing, [])

    def test_what_came_before_a_failure_is_found_however_far(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        found = self.browser.run("""
            const place = log.places.get('281'), before = neighbours(place, 3, 1);
            // Five hundred frames of other devices between.
            const other = Array.from({length: 500}, () => Object.assign([...log.index[0]], {[LINK]: 0}));
            log.index.splice(place, 0, ...other);
            overview.places = null;
            return [before, neighbours(place + 500, 3, 1)];""")
        self.assertEqual(found[1], [*found[0][:3], *[place + 500 for place in found[0][3:]]])

    def test_words_are_explained_where_they_stand(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        words = self.browser.run("""
            return [...document.querySelectorAll('abbr')].filter((one) => !one.title).length === 0
                && [...document.querySelectorAll('abbr')].map((one) => one.textContent);""")
        for word in ('ATT', 'MTU', 'discovery'):
            self.assertIn(word, words)
        self.browser.run('showHelp()')
        shown = self.browser.run("return document.getElementById('help').innerText")
        self.assertIn('Attribute Protocol', shown)

    def test_a_frame_leads_back_to_the_summary(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.click('.card .decides')
        self.browser.await_true("location.hash === '#frame=281' && window.scrollY > 0")
        self.browser.click('#back')
        self.assertEqual(self.browser.run('return [window.scrollY, location.hash]'), [0, ''])
        self.browser.click('.card .decides')
        self.browser.await_true('window.scrollY > 0')
        self.browser.run('history.back()')
        self.browser.await_true("window.scrollY === 0 && location.hash === ''")

    def test_the_figures_are_about_the_connection_that_is_looked_at(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        figures = "return document.getElementById('figures').innerText"
        self.assertIn('Connection 1', self.browser.run(figures))
        self.browser.click('#connections tbody tr:last-child button')
        self.browser.await_true("document.getElementById('connection').value === '2'")
        text = self.browser.run(figures)
        self.assertIn('Connection 2', text)
        count = self.browser.run("""
            const line = log.connections[1];
            return log.index.filter((row) => row[RSSI] !== null && row[LINK] === 0 && row[DEVICE] >= 0
                && log.devices[row[DEVICE]][0] === line.peer && row[TIME] <= beginOf(line)).length;""")
        self.assertIn(f'RSSI, last of {count} advertising reports before it', text)

    def test_a_figure_without_values_is_left_out(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        figures = self.browser.run("""
            return figuresOf({...overview.connection, reads: 0, writes: 0, notifications: 0, indications: 0})
                .map(([value]) => value);""")
        self.assertNotIn('0 values', figures)
        self.assertTrue(any(value.endswith(' bytes') for value in figures), figures)

    def test_the_page_opens_on_a_frame_with_content(self):
        self.open(TOP / 'captures/bonding.btsnoop')
        found = self.browser.run("""
            document.querySelectorAll('.card').forEach((card) => card.remove());
            const own = log.index.filter((row) => row[LINK] === overview.connection.connection);
            for (const row of own.slice(0, 3)) {
                Object.assign(row, {[LABEL]: 'LL empty PDU', [LAYER]: 'LL', [FOLDED]: 1});
            }
            openFirst();
            return log.index[detail.opened][LABEL];""")
        self.assertRegex(found, '^(ATT|SMP)')

    def test_damage_and_gaps_stand_below_the_cards(self):
        cut = self.path / 'cut.btsnoop'
        cut.write_bytes(self.data_only(TOP / 'captures/mi-band.btsnoop')[:-3])
        page = self.path / 'cut.html'
        run = subprocess.run([PROGRAM, 'report', '-o', page, cut], check=False, stderr=subprocess.DEVNULL)
        self.assertEqual(run.returncode, 3)
        self.load(page)
        self.browser.await_true(READY)
        notes = self.browser.run("return [...document.querySelectorAll('.note')].map((one) => one.innerText)")
        self.assertTrue(any(note.startswith('damaged: cut.btsnoop: ') for note in notes), notes)
        self.assertTrue(any(note.startswith('not in this log: HCI events') for note in notes), notes)
        # The sender's folders are not in the page.
        page = self.browser.run('return document.documentElement.outerHTML + JSON.stringify(log.lines)')
        self.assertNotIn(str(self.path), page)

    def test_the_profile_in_use_says_what_the_device_is(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        lede = self.browser.run("return document.querySelector('.lede').innerText")
        self.assertIn('mi-band: The band named MI', lede)

    def test_several_connections_are_listed(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        rows = self.browser.run('''return [...document.querySelectorAll('#connections tbody tr')]
            .map((row) => [...row.cells].map((cell) => cell.textContent));''')
        self.assertEqual([row[0] for row in rows], ['1', '2'])
        self.assertIn('blecap car 02:55:51:00:00:01', rows[0])
        self.assertIn('ended by the phone', rows[0])
        self.assertGreater(int(rows[0][5]), 1)
        self.browser.click('#connections tbody tr:last-child button')
        self.browser.await_true("document.getElementById('connection').value === '2'")
        self.assertEqual(self.browser.run('return log.index[detail.opened][LINK]'), 2)

    def test_connections_without_failures_have_no_column_for_them(self):
        heads = """return [...document.querySelectorAll('#connections th[scope=col]')]
            .map((one) => one.innerText);"""
        self.open(TOP / 'captures/two-devices.btsnoop')
        self.assertNotIn('places of failures', self.browser.run(heads))
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        self.assertIn('places of failures', self.browser.run(heads))

    def test_a_narrow_list_shows_values(self):
        self.resize(390)
        self.open(TOP / 'captures/mi-band.btsnoop')
        place, left, right = self.browser.run("""
            const place = log.index.findIndex((row) => row[ATTRIBUTE] && row[VALUE].length > 3);
            await openFrame(place, false);
            const row = document.getElementById('row-' + place), code = row.querySelector('code');
            return [place, code.getBoundingClientRect().left, row.getBoundingClientRect().right];""")
        self.assertGreater(place, 0)
        self.assertLess(left, right - 60)
        self.resize(WIDTHS[0])

    def test_a_failed_frame_and_each_value_have_a_step_of_their_own(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        alone, values = self.browser.run('''
            const own = sequence.steps.filter((step) => !step.isCarrier).flatMap((step) => step.places);
            const labels = own.map((place) => log.index[place][LABEL]);
            const writes = labels.filter((one) => /^ATT Write/.test(one));
            return [own.includes(log.places.get('207')), writes.length];
            ''')
        self.assertTrue(alone)
        self.assertGreater(values, 3)

    def test_each_failure_has_its_half_sentence(self):
        for name in ('uqdk-unlock', 'uqdk-refusals', 'mi-band'):
            self.open(TOP / f'captures/{name}.btsnoop')
            bare = self.browser.run('''
                const isMeaning = (one) => !/^then/.test(one.innerText);
                return [...document.querySelectorAll('.card.failed')]
                .filter((card) => ![...card.querySelectorAll('p')].some(isMeaning))
                .map((card) => card.querySelector('h2').textContent);''')
            self.assertEqual(bare, [], name)

    def test_everything_has_a_name(self):
        for width in WIDTHS:
            with self.subTest(width=width):
                self.resize(width)
                self.check_names()
        self.resize(WIDTHS[0])

    def check_names(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=257')
        self.await_frame('257')
        # What is too wide scrolls in its own box.
        self.assertLessEqual(*self.browser.run(
            'return [document.documentElement.scrollWidth, document.documentElement.clientWidth]'))
        tree = self.browser.command('Accessibility.getFullAXTree')['nodes']
        roles = {'button', 'link', 'combobox', 'searchbox', 'checkbox', 'listbox', 'option', 'image'}
        found = [node for node in tree if not node['ignored'] and node['role']['value'] in roles]
        self.assertGreater(len(found), 40)
        unnamed = [node['role']['value'] for node in found if not node.get('name', {}).get('value')]
        self.assertEqual(unnamed, [])

    def pages_of_all_kinds(self):
        """Opens pages of different kinds: with failures, without, of an export, of a crowd, from the air."""
        names = ('crowd.btsnoop', 'export.btsnoop', 'air.pcap')
        crowd, export, sniffed = (self.path / name for name in names)
        crowd.write_bytes(btsnoop([(3, advertising(b'device %d' % place, place)) for place in range(60)]))
        export.write_bytes(self.data_only(TOP / 'captures/mi-band.btsnoop'))
        sniffed.write_bytes(air([b'one', b'two']))
        captures = [TOP / f'captures/{name}.btsnoop' for name in ('uqdk-refusals', 'bonding')]
        for capture in (*captures, export, crowd, sniffed):
            self.open(capture)
            yield capture.name

    def test_no_width_scrolls_the_page(self):
        for name in self.pages_of_all_kinds():
            for width in (320, 390, 800, 1440, 2560):
                with self.subTest(page=name, width=width):
                    self.resize(width)
                    widths = self.browser.run(
                        'const {scrollWidth, clientWidth} = document.documentElement;'
                        'return [scrollWidth, clientWidth]')
                    self.assertLessEqual(*widths)
        self.resize(WIDTHS[0])

    def test_narrow_pages_have_nothing_over_another(self):
        # Times with as many digits as a log of hours has.
        late = self.path / 'late.btsnoop'
        late.write_bytes(self.later(TOP / 'captures/uqdk-unlock.btsnoop', 14_388))
        self.open(late)
        self.browser.press('t')
        for width in (320, 390, 640):
            self.resize(width)
            self.browser.run('await new Promise((done) => requestAnimationFrame(() => done()))')
            over = self.browser.run("""
                const meets = (a, b) => a.right > b.left && b.right > a.left && a.bottom > b.top + 1
                    && b.bottom > a.top + 1;
                const box = (one) => {
                    const range = document.createRange();
                    range.selectNodeContents(one);
                    const text = range.getBoundingClientRect(), own = one.getBoundingClientRect();
                    return {left: Math.max(text.left, own.left), right: Math.min(text.right, own.right),
                        top: own.top, bottom: own.bottom};
                };
                const groups = [...document.querySelectorAll('.proof, .axis, .keys')]
                    .map((one) => [...one.querySelectorAll('.number, .time, .way, .what, i, button')]
                        .filter((cell) => cell.checkVisibility()));
                return groups.flatMap((cells) => cells.flatMap((one, at) => cells.slice(at + 1)
                    .filter((other) => meets(box(one), box(other)))
                    .map((other) => [one.textContent, other.textContent])));""")
            self.assertEqual(over, [], width)
            lines = self.browser.run("""
                return [...document.querySelectorAll('.answers b, .proof .time')]
                    .filter((one) => /^[\\d.]+\\s\\w+$/.test(one.textContent))
                    .map((one) => one.getBoundingClientRect().height
                        / parseFloat(getComputedStyle(one).lineHeight));""")
            self.assertGreater(len(lines), 5)
            self.assertLess(max(lines), 1.5, width)
        self.resize(WIDTHS[0])

    @unittest.skipUnless(AXE.exists(), 'axe is not there: tools/axe fetches it')
    def test_axe_finds_nothing(self):
        scheme = 'prefers-color-scheme'
        for name in self.pages_of_all_kinds():
            self.browser.command('Runtime.evaluate', expression=AXE.read_text())
            for width, dark in ((1280, False), (390, True)):
                with self.subTest(page=name, width=width):
                    self.resize(width)
                    self.browser.command('Emulation.setEmulatedMedia', features=[
                        {'name': scheme, 'value': 'dark' if dark else 'light'}])
                    found = self.browser.run('''
                        for (const one of document.querySelectorAll('details')) one.open = true;
                        const {violations, passes} = await axe.run(document);
                        return [violations.map((one) => [one.id, one.nodes[0].html]), passes.length];''')
                    self.assertEqual(found[0], [])
                    self.assertGreater(found[1], 30)
        self.browser.command('Emulation.setEmulatedMedia', features=[])
        self.resize(WIDTHS[0])

    def test_the_page_opens_on_what_the_headline_says(self):
        # The first connection's failure is earlier, but the key session's is more serious.
        both = [str(TOP / f'captures/{name}.btsnoop') for name in ('mi-band', 'uqdk-unlock')]
        self.show('order', ['--offset', '2:+3600', *both])
        self.await_frame('2:281')
        headline = self.browser.run("return document.querySelector('h1').textContent")
        self.assertIn('ENGINE_START is answered with refusedInState', headline)
        links = self.browser.run('return [log.index[detail.opened][LINK], sequence.choice.value]')
        self.assertEqual(links, [2, '2'])
        self.assertEqual(self.browser.run('return window.scrollY'), 0)
        # A frame of the other connection takes the exchange with it, and is in view.
        self.browser.run("openFrame(log.places.get('207'), true)")
        self.await_frame('207')
        self.assertEqual(self.browser.run("return document.getElementById('connection').value"), '1')
        self.browser.await_true("""(() => {
            const box = document.getElementById('detail-title').getBoundingClientRect();
            return box.top >= 0 && box.bottom <= window.innerHeight;
        })()""")

    def test_a_step_far_down_the_exchange_is_drawn_alone(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        drawn = self.browser.run("""
            const places = log.index.flatMap((row, place) => row[LINK] ? [place] : []);
            sequence.steps = [];
            for (let step = 0; step < 3000; step++) {
                sequence.steps.push({places: [places[step % places.length]], isCarrier: false});
            }
            sequence.stepOf = new Map([[places[0], 2500]]);
            markStep(places[0]);
            return [sequence.first, sequence.drawn, sequence.box.childElementCount,
                sequence.steering.lastChild.innerText];""")
        self.assertEqual(drawn, [2470, 2530, 60, 'steps 2471 to 2530 of 3000; scroll for more'])
        self.browser.run('earlierSteps()')
        self.assertEqual(self.browser.run('return sequence.first'), 2410)

    def test_the_air_by_channel(self):
        capture = self.path / 'channels.pcap'
        # The advertising channels 37, 38 and 39 are the radio channels 0, 12 and 39.
        capture.write_bytes(air([b'a', b'b', b'c', b'd'], [(0, -40), (12, -60), (0, -50), (39, -70)]))
        self.open(capture)
        self.browser.run("document.getElementById('air').open = true")
        self.browser.await_true("document.querySelector('#air table') !== null")
        rows = self.browser.run("""
            return [...document.querySelectorAll('#air tbody tr')].map((row) =>
                [...row.children].map((cell) => cell.textContent));""")
        self.assertEqual(rows, [['37', '2', '', '0', '0', '−40 dBm (−50 to −40)'],
                                ['38', '1', '', '0', '0', '−60 dBm (−60 to −60)'],
                                ['39', '1', '', '0', '0', '−70 dBm (−70 to −70)']])

    def test_contrast(self):
        def opened():
            self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=282')
            self.await_frame('282')
        self.check_contrast(opened)


if __name__ == '__main__':
    unittest.main()
