#!/usr/bin/env python3
"""Tests how the page of `blecap report` looks in Chromium: what it opens on, its widths, its contrast, and
the rules of axe for accessibility.

  tools/tests/report_layout.py
"""

import subprocess
import unittest

from page_captures import advertising, air, btsnoop
from page_case import PROGRAM, READY, TOP, WIDTHS, PageCase

AXE = TOP / '.cache/axe/axe_playwright_python/axe.min.js'


class ReportLayout(PageCase):
    def test_the_headline_and_the_cards(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.assertEqual(self.browser.run("return document.querySelector('h1').innerText"),
                         '“blecap car”: ENGINE_START is answered with refusedInState')
        cards = self.browser.run('''
            return [...document.querySelectorAll('.card.failed')].map((card) => [
                card.querySelector('.side').textContent, card.querySelector('.decides').dataset.frame]);''')
        self.assertEqual(cards, [['car', '281'], ['phone', '282']])
        phases = self.browser.run("return document.getElementById('phases').innerText")
        for name in ('scan 618.9 ms', 'connecting 155.2 ms', 'authentication 221.7 ms'):
            self.assertIn(name, phases)
        self.assertEqual(self.browser.run("return document.getElementById('connection').value"), '1')
        # The sender's folders are not in the page.
        page = self.browser.run('return document.documentElement.outerHTML + JSON.stringify(log.lines)')
        self.assertNotIn(str(TOP), page)

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

    def test_an_export_without_events_has_lanes(self):
        capture = self.path / 'data-only.btsnoop'
        capture.write_bytes(self.data_only(TOP / 'captures/mi-band.btsnoop'))
        self.open(capture)
        lanes = self.browser.run('return timeline.lanes.map((lane) => [lane.title, lane.places.length])')
        self.assertTrue(lanes and lanes[0][0].startswith('handle 0x') and lanes[0][1] > 20, lanes)

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
        self.assertIn('ended by the host', rows[0])
        self.assertGreater(int(rows[0][5]), 1)
        self.browser.click('#connections tbody tr:last-child button')
        self.browser.await_true("document.getElementById('connection').value === '2'")
        self.assertEqual(self.browser.run('return log.index[detail.opened][LINK]'), 2)

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

    def test_the_signs_of_the_timeline_have_words(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        legend = self.browser.run("return document.querySelector('.bar .legend').innerText")
        for words in ('discovery', 'sent', 'received', 'with a problem', 'failure', 'overcome', 'silence',
                      'RSSI', 'time to the answer'):
            self.assertIn(words, legend)

    def test_a_range_is_counted(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        text = self.browser.run('''timeline.range = [log.index[256][TIME], log.index[260][TIME]]; showRange();
            return document.getElementById('range').textContent;''')
        self.assertRegex(text, r'^[\d.]+ ms selected: 5 frames, \d+ bytes, [\d.]+ kB/s')

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
            for width in (390, 800, 1440, 2560):
                with self.subTest(page=name, width=width):
                    self.resize(width)
                    widths = self.browser.run(
                        'const {scrollWidth, clientWidth} = document.documentElement;'
                        'return [scrollWidth, clientWidth]')
                    self.assertLessEqual(*widths)
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
            return [sequence.first, sequence.drawn, sequence.less.hidden, sequence.box.childElementCount];""")
        self.assertEqual(drawn, [2400, 2600, False, 200])
        self.browser.run('sequence.less.click()')
        self.assertEqual(self.browser.run('return sequence.first'), 2200)

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
