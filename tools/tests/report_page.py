#!/usr/bin/env python3
"""Tests the page of `blecap report` in Chromium: what it shows, how it is used, and what it must not do.

  tools/tests/report_page.py

The variable BLECAP names the program (default: .build/tests/debug/blecap). Exit status: 0 all passed, 1
something failed.
"""

import json
import os
import pathlib
import re
import subprocess
import unittest

from page_captures import advertising, air, btsnoop, hostile_names, packets
from page_case import PROGRAM, READY, TOP, WIDTHS, PageCase, annotated

CORPUS = pathlib.Path(os.environ.get('BLECAP_CORPUS', TOP.parent / 'shared' / 'corpus'))
# Searches that the page and `--find` read alike.
SEARCHES = (
    'write', 'notify 0x0012', 'write 0x0010 0681', '0x12', 'FF02', 'ff02 tx', 'a5', '0?00', 'read', 'tfb',
    'error', 'error -"Attribute Not Found"', 'cccd', 'discover rx', 'mtu', 'connect', 'disconnect',
    'pair', 'encrypt', 'advertise', 'scan', 'hci', 'l2cap', 'door_unlock', '2902', 'MI',
    '5551444B-0002-4449-4749-54414C4B4559', '5551444b00024449474954414c4b4559', '"write 257"',
    '02:55:51:00:00:01', '-hci', 'success', 'pairingwindowopen', 'vehicleid=4341', 'deed', '10',
    '0000ff02-0000-1000-8000-00805f9b34fb', '06 81', 'write 06 ??',
)


class ReportPage(PageCase):
    def test_values_are_those_of_ndjson(self):
        checked = 0
        for name in ('uqdk-unlock.btsnoop', 'mi-band.btsnoop', 'bonding.btsnoop', 'two-adapters.btsnoop'):
            frames = self.open(TOP / 'captures' / name)
            self.assertEqual(self.browser.run('return log.index.length'), len(frames))
            step = 1 if len(frames) < 400 else len(frames) // 200
            for at in range(0, len(frames), step):
                own = self.browser.run('return (await frameAt(given[0])).json', at)
                self.assertEqual(own, frames[at])
                checked += 1
        self.assertGreaterEqual(checked, 500)

    def test_the_fragment_names_the_frame(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=257')
        self.await_frame('257')
        text = self.browser.run("return document.getElementById('detail').innerText")
        self.assertIn('DOOR_UNLOCK request, id 6, 2 fragments, tag verified', text)
        self.assertIn('Attribute Handle = 0x0010', text)
        current = "return document.querySelector('.row.current .number').textContent"
        self.assertEqual(self.browser.run(current), '257')
        self.browser.run("location.hash = '#frame=9000'")
        self.browser.await_true("document.getElementById('detail').innerText.includes('no frame 9000')")

    def test_the_fragment_names_the_file_too(self):
        captures = [TOP / 'captures' / f'{name}.btsnoop' for name in ('mi-band', 'uqdk-unlock')]
        self.show('two', map(str, captures), '#frame=2:257')
        self.await_frame('2:257')
        shown = self.browser.run("return document.getElementById('detail').innerText")
        self.assertIn('DOOR_UNLOCK', shown)
        self.assertNotIn('null', shown)
        self.browser.run("location.hash = '#frame=1:3'")
        self.await_frame('3')
        for hostile in ('<img src=x onerror=alert(1)>', '__proto__', 'constructor', '-1', '1e3', '2:257:1'):
            self.browser.run('location.hash = "#frame=" + given[0]', hostile)
            self.assertEqual(self.browser.run("return document.querySelectorAll('img').length"), 0)
        self.browser.run("location.hash = '#frame=2:1'")
        self.await_frame('2:1')

    def test_phone_and_car_are_on_one_timeline(self):
        phone, car = self.path / 'phone.btsnoop', self.path / 'car.btsnoop'
        for words, path in ((('drive', 'uqdk'), phone), (('simulate', 'car'), car)):
            command = [PROGRAM, *words, 'unlock', '--adapter', 'simulator', '--seed', '7', '--record', path]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        data = bytearray(car.read_bytes())
        at = 16
        while at < len(data):
            time = int.from_bytes(data[at + 16:at + 24], 'big')
            data[at + 16:at + 24] = (time + 3_600_000_000).to_bytes(8, 'big')
            at += 24 + int.from_bytes(data[at + 4:at + 8], 'big')
        car.write_bytes(data)
        self.show('both', [str(phone), str(car)])
        note = self.browser.run("return document.querySelector('.note').textContent")
        self.assertIn('File 2: times moved by -3600.0', note)
        # Of each write of the phone, the car has the frame within 100 ms, and behind it.
        rows = self.browser.run('return log.index.map((row) => [row[FILE], row[TIME], row[WAY], row[LABEL]])')
        self.assertEqual([row[1] for row in rows], sorted(row[1] for row in rows))
        sent = [time for file, time, way, label in rows if (file, way) == (0, 0) and 'Write Request' in label]
        got = [time for file, time, way, label in rows if (file, way) == (1, 1) and 'Write Request' in label]
        # The phone asks for the status at the end, the car's session is over before.
        self.assertGreater(len(got), 3)
        for one, other in zip(sent, got):
            self.assertTrue(0 <= other - one <= 100_000, (one, other))

    def test_a_field_lights_its_bytes(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop', '#frame=257')
        self.await_frame('257')
        lit = "return [...document.querySelectorAll('.byte.lit')].map((cell) => cell.textContent).join('')"
        self.browser.point('.field[data-place="9"] .text')
        self.assertEqual(self.browser.run(lit), '1000')
        self.browser.run("document.querySelector('.field[data-place=\"11\"]').focus()")
        self.browser.point('h1')
        self.assertEqual(self.browser.run(lit), '06810c746662ef4c')
        # Each field that has bytes lights so many, and all together are the record's.
        all_lit = self.browser.run("""
            return [...document.querySelectorAll('.field[tabindex]')].map((field) => {
                field.focus();
                const cells = [...document.querySelectorAll('#bytes .byte')];
                return [Number(field.dataset.place), Number(field.dataset.count),
                    cells.flatMap((cell, at) => cell.classList.contains('lit') ? [at] : [])];
            });""")
        self.assertGreater(len(all_lit), 5)
        for place, count, cells in all_lit:
            self.assertEqual(cells, list(range(place, place + count)))
        self.assertEqual(sorted({cell for _, _, cells in all_lit for cell in cells}), list(range(19)))

    def test_keys_and_clicks(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.run("document.getElementById('list').focus()")
        self.browser.press('home', 'down', 'down', 'enter')
        self.await_frame('3')
        self.assertEqual(self.browser.run('return location.hash'), '#frame=3')
        self.browser.press('end', 'enter')
        self.await_frame('302')
        self.browser.run('window.scrollTo(0, 0)')
        self.browser.click('.card a[href="#frame=281"]')
        self.await_frame('281')
        self.assertTrue(self.browser.run('''
            const box = document.getElementById('detail').getBoundingClientRect();
            return box.top >= 0 && box.top < window.innerHeight / 2;'''), 'the frame is in view')
        self.browser.run('window.scrollTo(0, 0)')
        self.browser.click('.card.overcome .proof.decides')
        self.await_frame('218')
        self.browser.run("document.activeElement.blur(); document.body.focus()")
        # On from what was chosen: warnings; back, what was overcome, and the failures as the cards have them.
        for key, number in (('n', '211'), ('p', '218'), ('p', '282'), ('p', '281'), ('n', '282')):
            self.browser.press(key)
            self.await_frame(number)
        self.browser.press('?')
        self.assertTrue(self.browser.run("return document.getElementById('help').open"))
        self.browser.run("document.getElementById('help').close()")
        self.browser.press('/')
        self.assertEqual(self.browser.run('return document.activeElement.id'), 'filter-text')
        self.browser.run("document.getElementById('sequence-title').scrollIntoView()")
        self.browser.click('#steps .arrow')
        self.browser.await_true("document.getElementById('detail').dataset.frame !== '282'")
        first = self.browser.run("return document.querySelector('#steps .arrow').dataset.frame")
        self.assertEqual(self.shown(), first)
        self.browser.run("document.getElementById('timeline').focus()")
        span = 'return timeline.to - timeline.from'
        before = self.browser.run(span)
        self.browser.press('+', '+')
        self.assertAlmostEqual(self.browser.run(span), before / 4, delta=before / 1000)
        self.browser.press('home')
        self.assertGreater(self.browser.run(span), before)
        self.browser.run("showInList(0); openFrame(0, true)")
        self.await_frame('1')
        self.browser.click('#timeline')
        self.browser.await_true("document.getElementById('detail').dataset.frame !== '1'")

    def test_the_search_goes_from_hit_to_hit_and_is_left(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.press('/')
        self.browser.press(*'door_unlock')
        hits = self.browser.run('return list.shown.map((place) => nameOf(log.index[place]))')
        self.assertGreater(len(hits), 2)
        for key, at in (('enter', 0), ('enter', 1), ('down', 2), ('up', 1)):
            self.browser.press(key)
            self.await_frame(hits[at])
            focus = 'return [document.activeElement.id, list.filters.text.value]'
            self.assertEqual(self.browser.run(focus), ['filter-text', 'door_unlock'])
        self.browser.await_true("list.status.textContent.endsWith(', hit 2')")
        self.browser.press('escape')
        self.assertEqual(self.browser.run(focus), ['list', ''])
        # Escape leaves an empty search, too.
        self.browser.press('/', 'escape', 'n')
        self.await_frame('281')

    def test_typing_a_search_filters_the_list_and_moves_nothing_else(self):
        self.open(TOP / 'captures/two-devices.btsnoop')
        state = 'return [detail.opened, sequence.choice.value, timeline.from, scrollY, location.hash];'
        self.browser.press('/')
        before = self.browser.run(state)
        for letter in 'notify':
            self.browser.press(letter)
            self.browser.run('await new Promise((done) => setTimeout(done, 60))')
            self.assertEqual(self.browser.run(state), before)
        self.browser.await_true("/^\\d+ hits.*, Enter shows the first$/.test(list.status.textContent)")

    def test_keys_with_shift_reach_each_occurrence_and_warnings(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        stops = self.browser.run("""return stops().map(({card, place}) =>
            [card.className.split(' ')[1], nameOf(log.index[place])]);""")
        self.assertEqual([kind for kind, _ in stops],
                         sorted((kind for kind, _ in stops), key=['failed', 'overcome', 'warning'].index))
        self.assertIn('warning', [kind for kind, _ in stops])
        self.assertGreater(len(stops), self.browser.run("return document.querySelectorAll('.card').length"))
        for at, (_, name) in enumerate(stops):
            self.browser.press('N')
            self.await_frame(name)
            position, is_there, is_in_view = self.browser.run("""
                const card = document.activeElement.closest('.card');
                const site = [...card.querySelectorAll('.site')]
                    .find((one) => one.dataset.frame === given[0]);
                const box = (site || card).querySelector('h1, h2, summary').getBoundingClientRect();
                return [document.getElementById('step').textContent,
                    [...card.querySelectorAll('.proof.decides')].some((one) => one.checkVisibility()
                        && one.dataset.frame === given[0]),
                    box.top >= document.getElementById('keys').offsetHeight
                        && box.bottom <= window.innerHeight];
                """, name)
            self.assertRegex(position, r'^(failure|overcome problem|warning) \d+ of \d+')
            self.assertEqual((is_there, is_in_view), (True, True), at)
        self.browser.press('P', 'enter')
        self.browser.await_true(f"location.hash === '#frame={stops[-2][1]}'")

    def test_a_log_without_failures_names_no_key_for_them(self):
        self.open(TOP / 'captures/link-device.btsnoop')
        keys = self.browser.run("""return [document.querySelectorAll('.card').length,
            document.getElementById('keys').textContent];""")
        self.assertEqual((keys[0], 'next failure' in keys[1]), (0, False))

    def test_a_frame_states_its_problem_once(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop', '#frame=215')
        self.await_frame('215')
        text = self.browser.run("return document.getElementById('detail').innerText")
        self.assertEqual(text.count('ACTIVATE is answered with keyRevoked'), 1)

    def test_bytes_have_their_characters(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        for width, most in ((1440, 16), (390, 8)):
            self.resize(width)
            rows = self.browser.run("""
                const place = log.index.findIndex((row) => row[LABEL].includes('Complete Local Name'));
                await openFrame(place, false);
                const rows = [...document.querySelectorAll('.dump > :not(.place)')];
                const box = document.getElementById('bytes').getBoundingClientRect();
                return rows.map((one) => [one.textContent, one.getBoundingClientRect().right <= box.right]);
                """)
            for (digits, _), (characters, fits) in zip(rows[::2], rows[1::2]):
                text = ''.join(chr(byte) if 0x20 <= byte < 0x7F else '·' for byte in bytes.fromhex(digits))
                self.assertEqual((characters, fits), (text, True))
            self.assertEqual(len(rows[1][0]), most)
        self.resize(WIDTHS[0])

    def test_keys_before_the_page_is_there_are_kept(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        found = self.browser.run("""
            document.removeEventListener('keydown', pageKey);
            const replay = keepKeys();
            for (const key of ['n', '/', 'd', 'e', ' ', 'x', 'Enter']) {
                document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
            }
            const before = document.activeElement.id;
            document.addEventListener('keydown', pageKey);
            replay();
            return [before, document.activeElement.id, list.filters.text.value, overview.at, list.steps];""")
        self.assertEqual(found, ['', 'filter-text', 'de x', 0, True])

    def test_values_are_found_as_bytes_and_as_text(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        search = '''list.filters.text.value = given[0]; filterList();
            return list.shown.map((place) => nameOf(log.index[place]));'''
        self.assertIn('257', self.browser.run(search, '06810c746662ef4c'))
        self.assertIn('257', self.browser.run(search, 'tfb'))
        self.assertEqual(self.browser.run(search, 'no such thing'), [])

    def test_the_search_finds_what_the_option_finds(self):
        for name in ('uqdk-unlock', 'mi-band', 'bonding'):
            capture = TOP / f'captures/{name}.btsnoop'
            self.open(capture)
            for words in SEARCHES:
                found = [str(frame['frame']) for frame in annotated(capture, '--find=' + words)]
                # Frame numbers and names of devices are the page's own.
                shown = self.browser.run('''list.filters.text.value = given[0]; filterList();
                    const named = isNumberOrName(given[0].toLowerCase());
                    return list.shown.map((place) => [nameOf(log.index[place]), named(log.index[place])]);
                    ''', words)
                self.assertEqual([name for name, own in shown if name in found or not own], found, words)

    def test_frame_numbers_and_names_of_devices_are_found(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        search = '''list.filters.text.value = given[0]; filterList();
            return list.shown.map((place) => nameOf(log.index[place]));'''
        self.assertIn('281', self.browser.run(search, '281'))
        named = self.browser.run('return log.index.filter((row) => row[DEVICE] >= 0).map(nameOf)')
        self.assertGreater(len(named), 100)
        self.assertLessEqual(set(named), set(self.browser.run(search, '"Blecap Car"')))
        self.assertLess(len(self.browser.run(search, '-"blecap car"')), len(named))

    def test_what_is_only_a_note_is_not_red(self):
        capture = TOP / 'captures/uqdk-unlock.btsnoop'
        frames = {str(frame['frame']): frame for frame in annotated(capture)}
        self.open(capture)
        rows = self.browser.run('return log.index.map((row) => [nameOf(row), row[PROBLEM], row[WRONG]])')
        seen = {}
        for name, problem, wrong in rows:
            codes = {one['code'] for one in frames[name].get('problems', ())}
            self.assertEqual(problem != '', codes != set())
            if len(codes) == 1:
                seen.setdefault(codes.pop(), set()).add(wrong)
        self.assertEqual((seen['clock-backwards'], seen['uqdk']), ({0}, {1, 2}))

    def test_a_connection_with_one_phase_has_it_in_the_overview(self):
        self.open(TOP / 'captures/mi-band.btsnoop')
        names = self.browser.run('''const line = overview.connection;
            const [kept] = barsOf(line).filter((bar) => bar.to > bar.from);
            for (const [name, start] of PHASES) if (name !== kept.name) delete line[start];
            document.getElementById('phases').replaceChildren();
            buildOverview();
            return [...document.querySelectorAll('#phases .name')].map((one) => one.innerText);''')
        self.assertEqual(names, ['scan', 'other messages', 'connection'])

    def test_a_search_that_cannot_be_meant_says_why(self):
        capture = TOP / 'captures/mi-band.btsnoop'
        self.open(capture)
        for words in ('a5?', 'a5*01', '??', '0xzz', '"write'):
            status = self.browser.run('''list.filters.text.value = given[0]; filterList();
                return document.querySelector('.frames .status').textContent;''', words)
            run = subprocess.run([PROGRAM, 'annotate', '--find', words, str(capture)], check=False,
                                 stderr=subprocess.PIPE)
            self.assertEqual((run.returncode, run.stderr.decode()), (2, f'blecap: --find: {status}\n'))

    def test_paper_has_all_failures(self):
        self.open(TOP / 'captures/uqdk-refusals.btsnoop')
        opened = "return [...document.querySelectorAll('details.more, #connections')].map((one) => one.open)"
        before = self.browser.run(opened)
        self.assertIn(False, before)
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.assertNotIn(False, self.browser.run(opened))
        # A4 without its margins.
        self.browser.command('Emulation.setDeviceMetricsOverride', width=718, height=900, deviceScaleFactor=1,
                             mobile=False)
        self.browser.command('Emulation.setEmulatedMedia', media='print')
        self.assertTrue(self.browser.run("""const box = document.getElementById('connections');
            return box.querySelector('table').scrollWidth <= box.clientWidth;"""))
        self.browser.command('Emulation.setEmulatedMedia', media='')
        self.browser.command('Emulation.clearDeviceMetricsOverride')
        self.browser.run("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.run(opened), before)

    def test_filters(self):
        frames = self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.run("""
            list.filters.text.value = 'door_unlock';
            list.filters.text.dispatchEvent(new Event('input'));""")
        shown = self.browser.run('return list.shown.map((place) => nameOf(log.index[place]))')
        self.assertIn('257', shown)
        self.assertLess(len(shown), 20)
        self.browser.run("""
            list.filters.text.value = '';
            list.filters.layer.value = 'ATT';
            list.filters.layer.dispatchEvent(new Event('change'));""")
        shown = self.browser.run('return list.shown.map((place) => log.index[place][FRAME])')
        by_number = {frame['frame']: frame for frame in frames}
        self.assertTrue(shown and all('att' in by_number[number] for number in shown))

    def test_selected_frames_are_saved(self):
        self.open(TOP / 'captures/uqdk-unlock.btsnoop')
        self.browser.run("list.box.focus(); await openFrame(log.places.get('254'), false)")
        self.browser.press('space', 'down', 'down', 'down', 'space')
        self.browser.click('#save')
        frames = annotated(self.saved())
        original = annotated(TOP / 'captures/uqdk-unlock.btsnoop', '--frames', '254', '--frames', '257')
        self.assertEqual(len(original), 2)
        for name in ('time', 'direction', 'type', 'handle'):
            self.assertEqual([frame[name] for frame in frames], [frame[name] for frame in original])
        values = [frame['att']['value'] for frame in original]
        self.assertEqual([frame['att']['value'] for frame in frames], values)

    def saved(self):
        """The file that the page has saved, once the browser has it."""
        saved = self.path / 'selected.pcapng'
        for _ in range(1200):
            if saved.exists():
                break
            self.browser.run('await new Promise((resolve) => setTimeout(resolve, 50))')
        return saved.rename(self.path / 'kept.pcapng')

    def test_selected_packets_from_the_air_are_saved(self):
        capture = self.path / 'air.pcap'
        capture.write_bytes(air([b'lamp', b'lock', b'door']))
        original = self.open(capture)
        self.browser.run("list.box.focus(); await openFrame(log.places.get('2'), false)")
        self.browser.press('space')
        self.browser.click('#save')
        frames = annotated(self.saved())
        self.assertEqual([(frame['air'], frame['time']) for frame in frames],
                         [(frame['air'], frame['time']) for frame in original[1:2]])

    def test_the_list_names_the_sides_by_the_kind_of_capture(self):
        capture = self.path / 'sides.pcap'
        capture.write_bytes(air([b'lamp']))
        self.open(capture)
        head = "return document.querySelector('.row.heading').textContent"
        self.assertIn('tx: from the central, rx: from the peripheral', self.browser.run(head))
        capture = self.path / 'sides.btsnoop'
        capture.write_bytes(btsnoop([(3, advertising(b'lamp', 1))]))
        self.open(capture)
        self.assertIn('tx: sent by the recorded side', self.browser.run(head))

    def test_hostile_names_are_text(self):
        names = hostile_names()
        capture = self.path / 'x<img src=x>&amp;.btsnoop'
        reports = [advertising(name, place) for place, name in enumerate(names)]
        capture.write_bytes(btsnoop([(3, report) for report in reports]))
        frames = self.open(capture)
        self.assertEqual(len(frames), len(names))
        elements = self.browser.run("""
            const all = document.querySelectorAll('script,img,svg,style,h1,iframe');
            return [...all].map((element) => element.localName).sort();""")
        packed = self.browser.run("return document.querySelectorAll('script[type]').length")
        self.assertEqual(elements, sorted(['h1', 'style'] + ['script'] * (packed + 1)))
        self.assertNotIn(self.browser.run('return document.title'), ('bad', '1'))
        for at in range(0, len(names), 5):
            self.browser.run(f'await openFrame({at}, true)')
            text = self.browser.run("return document.getElementById('json').textContent")
            self.assertEqual(json.loads(text), frames[at])
        made = self.browser.run("return document.querySelectorAll('#app img, #app script').length")
        self.assertEqual(made, 0)

    def test_names_of_the_corpus_are_text(self):
        if not CORPUS.is_dir():
            self.skipTest(f'the corpus, which is not at {CORPUS}')
        # Every name that strangers' captures hold, put into one capture of our own.
        lines = subprocess.run([PROGRAM, 'info', '--format', 'ndjson', '--keys', 'none', str(CORPUS)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        names = sorted(set(re.findall(rb'"(?:peer_)?name":"((?:[^"\\\\]|\\\\.)*)"', lines)))
        names = [json.loads(b'"' + name + b'"').encode()[:26] for name in names]
        self.assertGreater(len(names), 10)
        capture = self.path / 'corpus.btsnoop'
        capture.write_bytes(btsnoop([(3, advertising(name, place)) for place, name in enumerate(names)]))
        frames = self.open(capture)
        self.assertEqual(len(frames), len(names))
        for at in range(0, len(names), 4):
            self.assertEqual(self.browser.run('return (await frameAt(given[0])).json', at), frames[at])
        made = "return document.querySelectorAll('#app img, #app script, #app style').length"
        self.assertEqual(self.browser.run(made), 0)

    def test_keys_do_not_reach_the_page(self):
        key = '00112233445566778899aabbccddeeff'
        enable = bytes.fromhex('01192 01c400001020304050607080a0b'.replace(' ', '') + key)
        capture = self.path / 'keys.btsnoop'
        capture.write_bytes(btsnoop([(2, enable)]))
        self.open(capture)
        self.browser.run('await openFrame(0, true)')
        text = self.browser.run(
            'return document.documentElement.innerText + JSON.stringify(await frameAt(0))')
        self.assertNotIn('445566', re.sub(r'\s', '', text))
        self.assertIn('··', text)

    def test_what_convert_blanks_is_masked(self):
        source = TOP / 'captures' / 'bonding.btsnoop'
        blanked = self.path / 'blanked.btsnoop'
        subprocess.run([PROGRAM, 'convert', '--no-keys', str(source), str(blanked)], check=True,
                       stderr=subprocess.DEVNULL)
        self.open(source)
        pages = self.browser.run('''
            const all = [];
            for (let place = 0; place < log.index.length; place++) all.push((await frameAt(place)).bytes);
            return all;''')
        originals, blanks = packets(source), packets(blanked)
        self.assertEqual((len(originals), len(blanks)), (len(pages), len(pages)))
        hidden = 0
        for shown, original, blank in zip(pages, originals, blanks):
            pairs = re.findall('..', shown)
            self.assertEqual(len(pairs), len(original))
            for pair, octet, other in zip(pairs, original, blank):
                if octet != other:
                    self.assertEqual(pair, '..')
                    hidden += 1
                if pair != '..':
                    self.assertEqual(pair, f'{octet:02x}')
        self.assertGreater(hidden, 30)

    def test_the_page_of_differences(self):
        bad = self.path / ('<img src=x onerror="document.title=1"><script>alert(1)<!--&amp;' + 'a' * 90)
        bad.write_bytes((TOP / 'captures/uqdk-refusals.btsnoop').read_bytes())
        page = self.path / 'differences.html'
        done = subprocess.run(
            [PROGRAM, 'diff', '--force', '--html', str(page), str(TOP / 'captures/uqdk-unlock.btsnoop'),
             str(bad)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 1)
        self.load(page)
        made = "return document.querySelectorAll('img, script, svg, iframe').length"
        self.assertEqual(self.browser.run(made), 0)
        text = self.browser.run('return document.body.textContent')
        self.assertEqual([bad.name in text, str(self.path) in text, str(TOP) in text], [True, False, False])
        self.assertGreater(self.browser.run("return document.querySelectorAll('table').length"), 1)
        for width in WIDTHS:
            self.resize(width)
            self.assertLessEqual(*self.browser.run(
                'return [document.documentElement.scrollWidth, document.documentElement.clientWidth]'))
        self.resize(WIDTHS[0])
        self.check_contrast(lambda: self.load(page))


if __name__ == '__main__':
    unittest.main()
