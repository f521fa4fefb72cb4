"""The rows of HCI, L2CAP signalling and SMP beside Bumble's classes: names and widths of the fields."""

import collections
import re
import unittest

from bumble import hci, l2cap, smp

from peers import rows

# Bumble reads a length and what it is of as one field.
SIZED = 'a length and its bytes are one field'
# Bumble reads a coding format, its company and its vendor's codec as one field.
CODEC = 'a coding format is one field of five bytes'
OWN = 'read by a method of its own'
# What the specification says, and Bumble does not.
LACKS = 'lacks fields of the specification'

# (kind, code): why the fields are not the same.
DIFFERENT = {
    ('command', 0x043D): CODEC, ('command', 0x043E): CODEC, ('command', 0x206E): CODEC,
    ('return', 0x100B): CODEC, ('return', 0x100D): CODEC,
    ('command', 0x0C83): SIZED, ('command', 0x2008): SIZED, ('command', 0x2009): SIZED,
    ('command', 0x2037): SIZED, ('command', 0x2038): SIZED, ('command', 0x203F): SIZED,
    ('command', 0x2095): SIZED, ('LE event', 0x0F): SIZED, ('LE event', 0x25): SIZED,
    ('LE event', 0x31): SIZED, ('LE event', 0x32): SIZED,
    ('command', 0x0C05): OWN, ('return', 0x0C39): OWN, ('command', 0x2041): OWN,
    ('command', 0x2043): OWN, ('event', 0x0E): OWN, ('LE event', 0x02): OWN, ('LE event', 0x0D): OWN,
    ('return', 0x0445): LACKS, ('return', 0x0C7C): LACKS, ('event', 0x0D): LACKS,
    ('return', 0x0C7D): 'has LE_Supported_Host, which 7.3.95 does not',
    ('return', 0x2061): 'has a Time_Offset of four bytes, 7.8.96 one of three',
    ('event', 0x02): 'has the two reserved bytes as two fields',
}

# (kind, code): Bumble's names where they are not the specification's.
NAMED = {
    ('command', 0x0811): ('maximum_latency', 'minimum_remote_timeout', 'minimum_local_timeout'),
    ('command', 0x0C0D): ('read_all_flag',),
    ('command', 0x0C12): ('delete_all_flag',),
    ('command', 0x0C6D): ('simultaneous_le_host',),
    ('command', 0x2039): ('advertising_handles', 'durations'),
    ('command', 0x208B): ('rtt_random_sequence_n',),
    ('return', 0x0C38): ('num_support_iac',),
    ('return', 0x1005): (
        'hc_acl_data_packet_length', 'hc_synchronous_data_packet_length', 'hc_total_num_acl_data_packets',
        'hc_total_num_synchronous_data_packets'),
    ('return', 0x2089): ('rtt_random_sequence_n',),
    ('return', 0x20A5): ('rtt_random_sequence_n', 'rtt_2m_random_sequence_n'),
    ('event', 0x0C): ('manufacturer_name',),
    ('event', 0x13): ('connection_handles',),
    ('LE event', 0x05): ('encryption_diversifier',),
    ('LE event', 0x2C): ('rtt_random_sequence_n',),
    ('LE event', 0x2F): ('reserved',),
    ('LE event', 0x38): ('rtt_random_sequence_n', 'rtt_2m_random_sequence_n'),
}

# Our names of fields in L2CAP and SMP, and Bumble's.
NAMED_OTHERWISE = {
    'reasondata': 'data', 'configurationoptions': 'options', 'echodata': 'data', 'spsm': 'lepsm',
    'sourcecids': 'sourcecid', 'destinationcids': 'destinationcid',
}


def width(kind):
    """How many bytes Bumble takes for a type of field; None where that depends on them."""
    try:
        return hci.HCI_Object.parse_field(bytes(300), 0, kind)[1]
    except Exception:  # its parsers raise what they like for bytes that mean nothing
        return None


def theirs(fields):
    """[(name, width)] of Bumble's fields; a list is one entry, with its fields in the width."""
    found = []
    for field in fields:
        if isinstance(field, list):
            found.append((None, [(name, width(kind)) for name, kind in field]))
        else:
            found.append((field[0], None if field[1] == '*' else width(field[1])))
    return found


def ours(row):
    return [(None if isinstance(size, list) else name, size) for name, size in rows.without_counts(row)]


def flat(fields):
    """[(name without case and punctuation, width)]; None for a list and for all that is left."""
    return [(re.sub('[^a-z0-9]', '', name.lower()), size if isinstance(size, int) and size < 100 else None)
            for name, size in fields]


def names(fields):
    return [inner for name, size in fields
            for inner in ([pair[0] for pair in size] if isinstance(size, list) else [name])]


def widths(fields):
    return [[pair[1] for pair in size] if isinstance(size, list) else size for _, size in fields]


def pairs():
    """(kind, code, our row, Bumble's fields) of everything that both have."""
    commands, events, le_events = rows.commands(), rows.events(), rows.le_events()
    for code, known in sorted(hci.HCI_Command.command_classes.items()):
        if code not in commands or commands[code][1] is None:
            continue
        yield 'command', code, commands[code][1], known.fields
        returned = getattr(getattr(known, 'return_parameters_class', None), 'fields', None)
        if returned and commands[code][2] is not None:
            yield 'return', code, commands[code][2], returned
    for kind, table, classes in (('event', events, hci.HCI_Event.event_classes),
                                 ('LE event', le_events, hci.HCI_LE_Meta_Event.subevent_classes)):
        for code, known in sorted(classes.items()):
            if code in table and table[code][1] is not None:
                yield kind, code, table[code][1], known.fields


class RowsTest(unittest.TestCase):
    def test_rows_are_what_bumble_has(self):
        same = collections.Counter()
        different, named = {}, {}
        for kind, code, row, fields in pairs():
            mine, other = ours(row), theirs(fields)
            if widths(mine) != widths(other):
                different[kind, code] = (mine, other)
            elif names(mine) != names(other):
                named[kind, code] = tuple(b for a, b in zip(names(mine), names(other)) if a != b)
            else:
                same[kind] += 1
        for key in different.keys() - DIFFERENT.keys():
            self.fail(f'{key}: ours {different[key][0]}, Bumble {different[key][1]}')
        self.assertEqual(different.keys(), DIFFERENT.keys())
        self.assertEqual(named, NAMED)
        self.assertEqual(dict(same), {'command': 181, 'return': 143, 'event': 37, 'LE event': 28})

    def test_signalling_and_pairing_are_what_bumble_has(self):
        named = {}
        for kind, table, classes in (('signal', rows.signals(), l2cap.L2CAP_Control_Frame.classes),
                                     ('smp', rows.smp(), smp.SMP_Command.smp_classes)):
            self.assertEqual([code for code, row in table.items() if row[1] is not None], sorted(classes))
            for code, known in classes.items():
                mine, other = flat(table[code][1]), flat(theirs(known.fields))
                with self.subTest(kind=kind, code=code):
                    self.assertEqual([size for _, size in mine], [size for _, size in other])
                for (name, _), (bumbles, _) in zip(mine, other):
                    if name != bumbles:
                        named[name] = bumbles
        self.assertEqual(named, NAMED_OTHERWISE)

    def test_every_row_has_a_name_of_its_own(self):
        for table in (rows.commands(), rows.events(), rows.le_events(), rows.signals(), rows.smp()):
            counted = collections.Counter(name for name, _, _ in table.values())
            self.assertEqual([name for name, count in counted.items() if count > 1], [])

    def test_a_list_and_a_condition_are_read(self):
        read = rows.fields('a:1 n:1 b:[n](c:2 d:[#a]) ?a=1,2(e:6x) status f:[n]', {})
        self.assertEqual(
            read, [('a', 1), ('n', 1), ('b', [('c', 2), ('d', None)]), ('?a=1,2(', [('e', 6)]), ('status', 1),
                   ('f', None)])
        self.assertEqual(
            rows.fields('"The Count":1 @g', {'g': '"A List":["The Count"]("Its Value":2h)'}),
            [('The Count', 1), ('A List', [('Its Value', 2)])])


if __name__ == '__main__':
    unittest.main()
