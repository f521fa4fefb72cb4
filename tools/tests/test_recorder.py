import pathlib
import struct
import tempfile
import unittest

from recorder import files, flood


def btsnoop(*records):
    octets = b'btsnoop\0' + struct.pack('>II', 1, 2001)
    for adapter, opcode, data, drops, time in records:
        octets += struct.pack('>IIIIQ', len(data), len(data), adapter << 16 | opcode, drops,
                              time + files.EPOCH_OFFSET) + data
    return octets


def note(text, ident=b'blecap\0'):
    return bytes([5, len(ident)]) + ident + text + b'\0'


class RecorderFilesTests(unittest.TestCase):
    def read(self, octets):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'x'
            path.write_bytes(octets)
            return files.read(path)

    def test_btsnoop_is_read_with_its_drops_and_what_is_cut(self):
        whole = btsnoop((1, 3, b'abc', 0, 7), (0xFFFF, 13, note(b'hello'), 4, 8))
        found = self.read(whole)
        self.assertEqual(found.records[0], files.Record(1, 3, b'abc', 7))
        self.assertEqual((found.drops, found.left_over, found.notes()), (4, 0, ['hello']))
        for length in range(16, len(whole)):
            cut = self.read(whole[:length])
            self.assertLess(len(cut.records), 2)
            self.assertEqual(cut.left_over > 0, length not in (16, 16 + 27))

    def test_pcap_and_pcapng_give_the_same_records(self):
        record = files.Record(1, 3, b'abcde', 3_000_007)
        packet = struct.pack('>HH', 1, 3) + b'abcde'
        pcap = struct.pack('<IHHIIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 254)
        pcap += struct.pack('<IIII', 3, 7, 9, 9) + packet
        self.assertEqual(self.read(pcap).records, [record])
        self.assertEqual(self.read(pcap[:-1]).left_over, 24)
        section = struct.pack('<IIIIqI', 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, -1, 28)
        drops = struct.pack('<HHQI', 4, 8, 6, 0)
        body = struct.pack('<IIIII', 0, 0, 3_000_007, 9, 9) + packet + bytes(3) + drops
        block = struct.pack('<II', 6, 12 + len(body)) + body + struct.pack('<I', 12 + len(body))
        found = self.read(section + block)
        self.assertEqual((found.records, found.drops, found.left_over), ([record], 6, 0))

    def test_only_what_stands_between_the_marks_is_compared(self):
        records = [(0, 3, bytes([number]), 0, number) for number in range(4)]
        marked = [records[0], (0xFFFF, 13, note(b'go'), 0, 0), *records[1:3],
                  (0xFFFF, 13, note(b'stop'), 0, 0), records[3]]
        found = files.between(self.read(btsnoop(*marked)), 'go', 'stop')
        self.assertEqual([record.data for record in found], [b'\x01', b'\x02'])

    def test_recorders_may_see_what_two_processors_give_in_any_order(self):
        command, event = files.Record(0, 2, b'\x06\x04', 743), files.Record(0, 17, b'\x01', 718)
        answer, line = files.Record(0, 3, b'\x0e', 750), files.Record(0xFFFF, 13, b'said', 700)
        seen = files.streams([line, event, command, answer])
        self.assertEqual(seen, {None: [files.Record(0xFFFF, 13, b'said', 0), event], 0: [command, answer]})
        late = files.Record(0xFFFF, 13, b'said', 760)
        self.assertEqual(seen, files.streams([command, answer, event, late]))
        # The traffic of one adapter has one order; another time, another adapter are something else.
        self.assertNotEqual(seen, files.streams([line, event, answer, command]))
        self.assertNotEqual(seen, files.streams([line, files.Record(0, 17, b'\x01', 719), command, answer]))
        self.assertNotEqual(seen, files.streams([line, event, command, files.Record(1, 3, b'\x0e', 750)]))

    def test_an_event_of_the_flood_is_known_by_run_and_number(self):
        packet = flood.event(3, 77, 20)
        self.assertEqual(len(packet), 3 + 20)
        self.assertEqual(flood.number_of(packet[1:], 3), 77)
        self.assertIsNone(flood.number_of(packet[1:], 4))
        self.assertIsNone(flood.number_of(b'\xff\x02ab', 3))


if __name__ == '__main__':
    unittest.main()
