import pathlib
import struct
import tempfile
import unittest

from judge import captures, compare, every_pdu, files, measure, octets as o, ours, parameters, recipes, tshark


def theirs(number=1, att=(), smp=(), **more):
    pdus = [tshark.ATT(octets[0], handles, octets, tshark.value_of(octets)) for octets, handles in att]
    return tshark.Packet(number, '1700000000.000001000', att=pdus, smp=list(smp), h4=b'\x02', **more)


def mine(number=1, att=(), smp=(), time='2023-11-14T22:13:20.000001Z', **more):
    return ours.Frame(number, time, att=[ours.ATT(*pdu, (None, None), None) for pdu in att],
                      smp=list(smp), **more)


NOTIFY = (o.notification(5, b'\x01\x02'), (5,))


class CompareTests(unittest.TestCase):
    def wrong(self, packet, frame, vote=None):
        verdict = compare.compare([packet], [frame], [vote] if vote else None)
        return verdict.wrong, verdict.explained

    def test_the_same_is_the_same(self):
        self.assertEqual(self.wrong(theirs(att=[NOTIFY]), mine(att=[(0x1B, (5,), b'\x01\x02')])), ([], {}))

    def test_each_difference_is_found(self):
        packet = theirs(att=[NOTIFY], smp=[3], command=0x0C03)
        good = {'att': [(0x1B, (5,), b'\x01\x02')], 'smp': [3], 'command': 0x0C03}
        self.assertEqual(self.wrong(packet, mine(**good))[0], [])
        for change in ({'att': [(0x1D, (5,), b'\x01\x02')]}, {'att': [(0x1B, (6,), b'\x01\x02')]},
                       {'att': [(0x1B, (5,), b'\x01')]}, {'att': [(0x1B, (5,), None)]}, {'att': []},
                       {'smp': []}, {'smp': [4]}, {'command': 0x0C01}, {'event': 0x3E}, {'subevent': 1},
                       {'time': '2023-11-14T22:13:20.000002Z'}, {'number': 2}):
            with self.subTest(change=change):
                self.assertEqual(len(self.wrong(packet, mine(**{**good, **change}))[0]), 1)

    def test_another_number_of_packets_is_found(self):
        self.assertTrue(compare.compare([theirs()], []).wrong)

    def test_a_class_needs_the_third_vote(self):
        packet, frame = theirs(att=[NOTIFY]), mine(problems=['fragment-without-start'])
        self.assertEqual(self.wrong(packet, frame, ([], [])), ([], {'handed-over-fragments': 1}))
        self.assertEqual(len(self.wrong(packet, frame, ([0x1B], []))[0]), 1)
        self.assertEqual(len(self.wrong(packet, mine(), ([], []))[0]), 1)

    def test_a_cut_start_is_a_class_and_a_whole_one_is_none(self):
        frame = mine(att=[(0x1B, (5,), b'\x01')], problems=['record-cut'])
        self.assertEqual(self.wrong(theirs(cut=True), frame)[1], {'cut-start': 1})
        self.assertEqual(len(self.wrong(theirs(), frame)[0]), 1)


class ParameterTests(unittest.TestCase):
    RULES = parameters.Rules({f'bthci_cmd.evt_mask_{byte}{bit}' for byte in range(8) for bit in range(8)})

    def entry(self, name, problems=(), advertising=None, **found):
        entry = {'frame': 1, 'type': 'event', 'hci': {'name': name, **found},
                 'problems': [{'code': code} for code in problems]}
        return {**entry, 'advertising': advertising} if advertising else entry

    def verdict(self, entry, theirs):
        theirs = {name if '.' in name else f'bthci_evt.{name}': value for name, value in theirs.items()}
        return parameters.compare(self.RULES, [entry], {1: theirs})

    def update(self, **change):
        return self.entry('LE Connection Update Complete', **{
            'event': 62, 'subevent': 3, 'status': 0, 'connection_handle': 64, 'connection_interval': 6,
            'peripheral_latency': 0, 'supervision_timeout': 500, **change})

    UPDATE = {'le_meta_subevent': ['0x03'], 'status': ['0x00'], 'connection_handle': ['0x0040'],
              'le_con_interval': ['6'], 'le_con_latency': ['0'], 'le_supv_timeout': ['500']}

    def test_the_table_has_at_least_150_rules_and_no_two_for_one_parameter(self):
        self.assertGreater(len(self.RULES.rows), 150)

    @unittest.skipUnless(tshark.available(), 'tshark is not installed')
    def test_tshark_has_every_field_of_the_table(self):
        self.assertEqual(parameters.Rules(parameters.known_fields()).missing, [])

    def test_the_capture_of_every_pdu_is_the_same_each_time(self):
        first, second = (captures.octets_of(every_pdu.capture()) for _ in range(2))
        self.assertEqual(first, second)
        self.assertGreater(len(every_pdu.capture().records), 2000)

    def test_the_same_values_are_the_same(self):
        verdict = self.verdict(self.update(), self.UPDATE)
        self.assertEqual((verdict.wrong, verdict.values, len(verdict.rules)), ([], 5, 5))

    def test_each_difference_is_found(self):
        for change in ('status', 'connection_handle', 'connection_interval', 'peripheral_latency',
                       'supervision_timeout'):
            with self.subTest(change=change):
                self.assertEqual(len(self.verdict(self.update(**{change: 7}), self.UPDATE).wrong), 1)
        for name in self.UPDATE.keys() - {'le_meta_subevent'}:
            with self.subTest(not_shown=name):
                rest = {key: value for key, value in self.UPDATE.items() if key != name}
                self.assertEqual(len(self.verdict(self.update(), rest).wrong), 1)

    def test_a_parameter_without_a_rule_is_counted_and_not_judged(self):
        verdict = self.verdict(self.update(colour=3), self.UPDATE)
        self.assertEqual(verdict.wrong, [])
        self.assertEqual(list(verdict.without_rule), [('event', 'LE Connection Update Complete', 'colour')])

    def test_secrets_are_left_out(self):
        found = {'status': 0, 'link_key': {'redacted': True}}
        self.assertEqual(list(parameters.parameters_of(found)), [('status', 0)])

    def test_only_what_tshark_calls_unknown_is_of_that_class(self):
        verdict = self.verdict(self.update(), {'le_meta_subevent': ['0x29']})
        self.assertEqual((verdict.wrong, dict(verdict.explained)), ([], {'unknown-to-tshark': 5}))
        verdict = self.verdict(self.update(), {**self.UPDATE, 'le_con_interval': []})
        self.assertEqual((len(verdict.wrong), dict(verdict.explained)), (1, {}))

    def test_reports_after_malformed_advertising_data_are_a_class(self):
        reports = [{'address': f'C0:00:00:00:00:0{number}', 'rssi': -60} for number in (1, 2)]
        first = {'bd_addr': ['c0:00:00:00:00:01'], 'rssi': ['-60']}
        entry = self.entry('LE Advertising Report', ['malformed-advertising'], reports, event=62, subevent=2)
        self.assertEqual(self.verdict(entry, first).wrong, [])
        self.assertEqual(len(self.verdict(entry, {**first, 'rssi': ['-61']}).wrong), 1)
        entry = self.entry('LE Advertising Report', (), reports, event=62, subevent=2)
        self.assertEqual(len(self.verdict(entry, first).wrong), 2)

    def test_single_bits_are_put_together_and_what_is_not_shown_is_left_out(self):
        entry = {'frame': 1, 'type': 'command', 'hci': {
            'name': 'Set Event Mask', 'event_mask': '0x0000000000008110'}}
        shown = {'bthci_cmd.evt_mask_04': ['0x01'], 'bthci_cmd.evt_mask_10': ['0x01']}
        self.assertEqual(self.verdict(entry, shown).wrong, [])
        self.assertEqual(len(self.verdict(entry, {**shown, 'bthci_cmd.evt_mask_17': ['0x00']}).wrong), 1)
        entry = self.entry('Inquiry Result', clock_offset=0x9234)
        self.assertEqual(self.verdict(entry, {'clock_offset': ['0x1234']}).wrong, [])

    def test_bytes_least_significant_first_are_a_number(self):
        entry = self.entry('LE Long Term Key Request', random_number='0x0000000000000102')
        self.assertEqual(self.verdict(entry, {'le_random_number': ['0201000000000000']}).wrong, [])

    @unittest.skipUnless(tshark.available(), 'tshark is not installed')
    def test_tshark_shows_the_parameters_of_what_the_writers_write(self):
        made, rules = captures.two_devices(), parameters.Rules(parameters.known_fields())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'made.btsnoop'
            path.write_bytes(files.btsnoop(made.records))
            packets = parameters.shown(path, rules.fields)
        self.assertEqual(packets[1]['bthci_evt.bd_addr'], [captures.PHONE_CAR.lower()])
        self.assertEqual(packets[2]['bthci_evt.connection_handle'], ['0x0041'])


class TimeTests(unittest.TestCase):
    def test_both_spellings(self):
        self.assertEqual(ours.nanoseconds('2023-11-14T22:13:20.000001Z'), 1_700_000_000_000_001_000)
        self.assertEqual(ours.nanoseconds('1700000000.000001000'), 1_700_000_000_000_001_000)
        self.assertEqual(ours.nanoseconds('1969-12-31T23:59:59Z'), -1_000_000_000)
        self.assertEqual(ours.nanoseconds('-0.500000000'), -500_000_000)


class MadeTests(unittest.TestCase):
    def test_every_capture_has_its_expectation(self):
        self.assertEqual(set(captures.CAPTURES), set(captures.EXPECTED))
        classes = [name for name, expected in captures.EXPECTED.items()
                   if expected.tshark != 'none' or expected.names]
        self.assertLessEqual(len(classes), 12)
        self.assertLessEqual(set(compare.CLASSES), set(classes))

    def test_every_capture_is_made_and_the_same_each_time(self):
        for name, make in captures.CAPTURES.items():
            with self.subTest(name=name):
                self.assertEqual(captures.octets_of(make()), captures.octets_of(make()))
                self.assertTrue(make().records)

    @unittest.skipUnless(tshark.available(), 'tshark is not installed')
    def test_tshark_reads_what_the_writers_write(self):
        made = captures.two_devices()
        with tempfile.TemporaryDirectory() as folder:
            for name, whole in (
                    ('btsnoop', files.btsnoop(made.records)), ('201', files.pcap(made.records, 201)),
                    ('254', files.pcap(made.records, 254, nanoseconds=True)),
                    ('big-endian', files.pcap(made.records, 201, order='>')),
                    ('monitor', files.btsnoop(made.records, 2001)),
                    ('pcapng', files.pcapng(made.records, 201)),
                    ('pcapng-2^20', files.pcapng(made.records, 201, resolution=0x80 | 20, offset_s=1000)),
                    ('logger', files.packet_logger(made.records))):
                with self.subTest(name=name):
                    path = pathlib.Path(folder) / name
                    path.write_bytes(whole)
                    packets, said = tshark.read(path)
                    self.assertEqual(said, '')
                    self.assertEqual(len(packets), len(made.records))
                    true = [octets for number in sorted(made.truth) for octets in made.truth[number].att]
                    self.assertEqual([pdu.octets for packet in packets for pdu in packet.att], true)
                    first = ours.nanoseconds(packets[0].time)
                    self.assertLess(abs(first - made.records[0].time_us * 1000), 1000)


class RecipeTests(unittest.TestCase):
    def records(self, path):
        whole, at, found = path.read_bytes(), 16, []
        while at < len(whole):
            original, captured, flags, drops, time = struct.unpack_from('>IIIIq', whole, at)
            self.assertEqual(original, captured)
            found.append((time, flags, whole[at + 24:at + 24 + captured]))
            at += 24 + captured
        self.assertEqual(at, len(whole))
        return found

    def test_a_crowd_has_the_size_asked_for_and_is_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = pathlib.Path(folder) / 'a', pathlib.Path(folder) / 'b'
            count = recipes.crowd(first, 200_000)
            recipes.crowd(second, 200_000)
            self.assertEqual(first.read_bytes(), second.read_bytes())
            found = self.records(first)
            self.assertEqual(len(found), count)
            self.assertGreaterEqual(first.stat().st_size, 200_000)
            reports = [octets for _, _, octets in found if octets[:2] == b"\x04\x3e"]
            self.assertGreater(len({octets[4:10] for octets in reports}), 100)
            self.assertEqual(sorted(time for time, _, _ in found), [time for time, _, _ in found])

    def test_a_repeated_log_moves_on(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder) / 'a', pathlib.Path(folder) / 'b'
            source.write_bytes(files.btsnoop(captures.two_devices().records))
            once = self.records(source)
            count = recipes.repeated(source, target, 20_000)
            found = self.records(target)
            self.assertEqual(len(found), count)
            self.assertEqual(count % len(once), 0)
            self.assertEqual([record[2] for record in found[:len(once)]], [record[2] for record in once])
            self.assertEqual(sorted({time for time, _, _ in found}), [time for time, _, _ in found])


class MeasureTests(unittest.TestCase):
    def test_a_run_that_takes_too_long_is_ended_with_all_that_it_started_and_said_to_be(self):
        runs = measure.repeated(['sh', '-c', 'sleep 600; true'], 3, limit_s=1)
        self.assertEqual(len(runs), 1)
        self.assertTrue(runs[0].was_stopped)
        self.assertLess(runs[0].wall_s, 500)

    def test_a_run_that_ends_by_itself_is_not_said_to_have_been_stopped(self):
        runs = measure.repeated(['true'], 2, limit_s=60)
        self.assertEqual([(run.status, run.was_stopped) for run in runs], [(0, False)] * 2)


if __name__ == '__main__':
    unittest.main()
