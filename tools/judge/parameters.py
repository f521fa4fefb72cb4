"""The parameters of HCI commands and events beside tshark's, field by field (docs/judges.md)."""

import json
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from judge import parameters_table as table

CLASSES = ('unknown-to-tshark', 'no-field', 'malformed-advertising')
PROCESSES = 2

# What tshark says where it shows none of the parameters.
UNKNOWN = ('bthci_cmd.expert.command.unknown_command', 'bthci_evt.expert.event.unknown_command',
           'bthci_evt.expert.event.unknown_event')
# Codes, which `compare` is for, and what tshark shows even of commands and events that it doesn't know.
CODES = ('bthci_cmd.opcode', 'bthci_evt.code', 'bthci_evt.le_meta_subevent')
HEADER = (*CODES, 'bthci_evt.num_command_packets', 'bthci_evt.opcode')
COMMAND_COMPLETE = 14

# Not parameters: names and what the command works out, and bytes whose meaning nobody knows.
NOT_PARAMETERS = {'name', 'command_name', 'request_frame', 'response_frame', 'latency_us', 'parameters',
                  'return_parameters', 'opcode', 'event', 'subevent'}

# Of a parameter whose value tshark puts in no field.
NO_FIELD = '-'

# Separators that are in no value.
FIELD, VALUE = '\x1f', '\x1e'


@dataclass(frozen=True)
class Rule:
    """What one parameter is compared with; `bits` are (field, first bit, width), and empty for the rest."""

    line: str
    theirs: str
    bits: tuple = ()
    is_reversed: bool = False
    absent: str | None = None


@dataclass
class Verdict:
    """The result of comparing one capture, or several."""

    values: int = 0
    met: Counter = field(default_factory=Counter)
    rules: set = field(default_factory=set)
    without_rule: Counter = field(default_factory=Counter)
    explained: Counter = field(default_factory=Counter)
    wrong: list = field(default_factory=list)

    def add(self, other):
        self.values += other.values
        self.met += other.met
        self.rules |= other.rules
        self.without_rule += other.without_rule
        self.explained += other.explained
        self.wrong += other.wrong


def _rule(group, pdu, text, known):
    ours, _, theirs = text.partition('=')
    theirs = theirs or ours
    theirs, _, absent = theirs.partition('~')
    full = lambda name: name if name.startswith(('btcommon.', NO_FIELD)) else f'{group}.{name}'  # noqa: E731
    bits = []
    if theirs.endswith('_*'):
        stem = full(theirs[:-1])
        bits = sorted((name, int(name[-2:], 8), 1) for name in known
                      if name.startswith(stem) and name[len(stem):].isdigit())
    elif '@' in theirs:
        for bit in theirs.split('+'):
            name, _, place = bit.partition('@')
            first, _, width = place.partition(':')
            bits.append((full(name), int(first), int(width or 1)))
        theirs = theirs.partition('@')[0]
    is_reversed, theirs = theirs.startswith('<'), theirs.removeprefix('<')
    return ours, Rule(f'{group} {pdu} | {ours}', full(theirs), tuple(bits), is_reversed, absent or None)


class Rules:
    """The table, by kind, command or event, and parameter; `known` are the fields of the tshark at hand."""

    def __init__(self, known):
        self.rows = {}
        for kind, group, text in (
                ('command', 'bthci_cmd', table.COMMANDS), ('event', 'bthci_evt', table.EVENTS),
                ('returned', 'bthci_evt', table.RETURNED)):
            for line in filter(None, text.split('\n')):
                pdu, _, fields = line.partition(' | ')
                for word in fields.split():
                    ours, rule = _rule(group, pdu, word, known)
                    if (kind, pdu, ours) in self.rows:
                        raise ValueError(f'two rules for {pdu}: {ours}')
                    self.rows[kind, pdu, ours] = rule
        wanted = {name for rule in self.rows.values() for name, _, _ in rule.bits or ((rule.theirs, 0, 0),)}
        wanted = (wanted | set(HEADER) | set(UNKNOWN)) - {NO_FIELD}
        self.fields, self.missing = sorted(wanted & known), sorted(wanted - known)

    def of(self, kind, pdu, ours):
        """The rule of a parameter, or None; what a command returns is else as in every event."""
        found = self.rows.get((kind, pdu, ours))
        kind = 'event' if kind == 'returned' else kind
        return found or self.rows.get((kind, '*', ours))


def known_fields():
    """The names of all fields of the tshark at hand that a rule may name."""
    run = subprocess.run(['tshark', '-G', 'fields'], capture_output=True, text=True, check=True)
    names = (line.split('\t')[2] for line in run.stdout.split('\n') if line.startswith('F\t'))
    return {name for name in names if name.startswith(('bthci_cmd.', 'bthci_evt.', 'btcommon.cod.'))}


def plain(value):
    """A value as both spell it: a number in decimal, an address in capitals, all else as it is."""
    if isinstance(value, bool):
        return str(int(value))
    text = str(value)
    try:
        return str(int(text, 0))
    except ValueError:
        return text.upper() if len(text) == 17 and text.count(':') == 5 else text


def parameters_of(tree, prefix=''):
    """(name, value) of each parameter, in the order of the packet; secrets are left out."""
    if isinstance(tree, list):
        for item in tree:
            yield from parameters_of(item, prefix)
    for name, value in tree.items() if isinstance(tree, dict) else []:
        if isinstance(value, dict) and 'redacted' in value:
            continue
        if isinstance(value, (dict, list)):
            yield from parameters_of(value, prefix)
        elif name not in NOT_PARAMETERS:
            yield prefix + name, value


def ours_of(entry):
    """Kind, name and parameters of the command or event of one object of the output."""
    hci, kind = entry['hci'], entry['type']
    name = hci.get('name', '')
    if hci.get('event') == COMMAND_COMPLETE:
        kind, name = 'returned', hci.get('command_name', name)
    found = list(parameters_of(hci))
    reports = entry.get('advertising') or []
    for report in reports if isinstance(reports, list) else [reports]:
        found += [(f'advertising.{key}', value) for key, value in report.items()
                  if not isinstance(value, (list, dict)) and key != 'data']
    return kind, name, found


def _bits(rule, theirs, ours, at):
    """Our number and tshark's, of the bits that tshark shows for the `at`-th of its name, or nothing."""
    mask = value = 0
    for name, first, width in rule.bits:
        if at < len(theirs.get(name, [])):
            mask |= ((1 << width) - 1) << first
            value |= int(plain(theirs[name][at])) << first
    return ([str(int(plain(ours)) & mask)], [str(value)]) if mask else ([plain(ours)], [])


def pairs_of(rules, kind, pdu, found, theirs):
    """(names, rules, our values, tshark's values) of one packet; no rules where the table has none."""
    groups, seen = {}, Counter()
    for name, value in found:
        rule = rules.of(kind, pdu, name)
        if rule is None:
            yield (name,), (), [plain(value)], []
            continue
        if rule.bits:
            yield (name,), (rule,), *_bits(rule, theirs, value, seen[name])
            seen[name] += 1
            continue
        group = groups.setdefault(rule.theirs, ({}, {}, []))
        group[0][name] = group[1][rule] = None
        if value != '':
            group[2].append(plain(value))
    for theirs_name, (names, used, mine) in groups.items():
        yours = theirs.get(theirs_name, [])
        rule = next(iter(used))
        if rule.is_reversed:
            yours = [str(int.from_bytes(bytes.fromhex(value), 'little')) for value in yours]
        yours = [plain(value) for value in yours]
        yield tuple(names), tuple(used), mine, [value for value in yours if value != rule.absent]


def _class(used, mine, yours, is_unknown, problems):
    """The class of a difference, or None."""
    if is_unknown and not yours and not (used and used[0].theirs in HEADER):
        return 'unknown-to-tshark'
    if used and used[0].theirs == NO_FIELD:
        return 'no-field'
    if 'malformed-advertising' in problems and len(yours) < len(mine) and yours == mine[:len(yours)]:
        return 'malformed-advertising'
    return None


def compare_packet(rules, entry, theirs, verdict):
    """Compares one packet; `theirs` are tshark's values by field."""
    kind, pdu, found = ours_of(entry)
    is_unknown = any(name in theirs for name in UNKNOWN) or (
        'bthci_evt.le_meta_subevent' in theirs and not set(theirs) - set(HEADER))
    problems = {problem['code'] for problem in entry.get('problems', [])}
    for names, used, mine, yours in pairs_of(rules, kind, pdu, found, theirs):
        reason = _class(used, mine, yours, is_unknown, problems)
        if used and mine == yours:
            verdict.values += len(mine)
            verdict.rules.update(rule.line for rule in used)
            for name in names:
                verdict.met[kind, pdu, name] += 1
        elif reason:
            verdict.explained[reason] += len(mine)
            verdict.rules.update(rule.line for rule in used if reason == 'no-field')
        elif not used:
            verdict.without_rule[kind, pdu, names[0]] += 1
        else:
            verdict.wrong.append(f'frame {entry["frame"]}: {pdu}: {"+".join(names)} {mine}, '
                                 f'tshark {used[0].theirs} {yours or "not shown"}')


def compare(rules, entries, packets):
    """The verdict on one capture: objects of the output, and by frame tshark's values by field."""
    verdict = Verdict()
    for entry in entries:
        compare_packet(rules, entry, packets.get(entry['frame'], {}), verdict)
    return verdict


def annotated(blecap, path):
    """The objects of the output that hold a command or an event."""
    run = subprocess.run([str(blecap), 'annotate', '--format', 'ndjson', str(path)],
                         capture_output=True, timeout=600, check=False)
    return [json.loads(line) for line in run.stdout.split(b'\n') if b'"hci":{' in line]


def shown(path, fields):
    """By frame, tshark's values by field, of the commands and events of a capture."""
    arguments = ['tshark', '-n', '-r', str(path), '-Y', 'bthci_cmd || bthci_evt', '-T', 'fields',
                 '-E', f'separator={FIELD}', '-E', f'aggregator={VALUE}', '-e', 'frame.number']
    for name in fields:
        arguments += ['-e', name]
    run = subprocess.run(arguments, capture_output=True, timeout=600, check=False)
    packets = {}
    for line in run.stdout.decode(errors='replace').split('\n'):
        number, *cells = line.split(FIELD)
        if cells:
            packets[int(number)] = {name: [value for value in cell.split(VALUE) if value]
                                    for name, cell in zip(fields, cells) if cell}
    return packets


def compare_all(blecap, paths, quiet=False, lines=20):
    """Compares every capture and prints the results; the status is 1 where anything is wrong."""
    rules = Rules(known_fields())

    def judge(path):
        entries = annotated(blecap, path)
        packets = shown(path, rules.fields) if entries else None
        return path, compare(rules, entries, packets) if packets else None

    total, judged, left_out = Verdict(), 0, 0
    with ThreadPoolExecutor(PROCESSES) as pool:
        for path, verdict in pool.map(judge, paths):
            if verdict is None:
                left_out += 1
                continue
            judged += 1
            total.add(verdict)
            if verdict.wrong:
                print(f'DIFFERS {path.name}: {len(verdict.wrong)} parameters')
                for line in verdict.wrong[:lines]:
                    print(f'    {path.name}: {line}')
            elif not quiet:
                print(f'ok      {path.name}: {verdict.values} values'
                      + (f', differences {dict(verdict.explained)}' if verdict.explained else ''))
    _summary(total, rules, judged, left_out, quiet)
    return 1 if total.wrong else 0


def _summary(total, rules, judged, left_out, quiet):
    if not quiet:
        for (kind, pdu, name), many in sorted(total.without_rule.items()):
            print(f'no rule {kind} {pdu}: {name}, {many} times')
    for name in rules.missing:
        print(f'left out: this tshark has no field {name}')
    print(f'{judged} captures, {total.values} values of {len(total.met)} parameters by {len(total.rules)} of '
          f'{len(rules.rows)} rules; differences by class: {dict(total.explained) or "none"}; '
          f'parameters without a rule: {len(total.without_rule)}; no HCI for tshark: {left_out}')
