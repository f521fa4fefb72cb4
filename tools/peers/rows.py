"""Reads the rows of PDUs from the Swift sources' tables (docs/architecture.md)."""

import pathlib
import re

CORE = pathlib.Path(__file__).resolve().parents[2] / 'Sources/Base/BluetoothCore'
WIDTHS = {'status': 1, 'opcode': 2, 'company': 2, 'dBm': 1, 'addr': 6, 'i1': 1, 'i2': 2, 'uuid2': 2,
          'uuid16': 16, 'acl': 2, 'sco': 2, 'cis': 2, 'bis': 2, 'link': 2}
ALONE = {'status': 1, 'connection_handle': 2, 'bd_addr': 6}


def text(path):
    """The rows of a file's tables, with continued lines joined."""
    bodies = path.read_text(encoding='utf-8').split('"""')[1::2]
    lines = [line[12:] for body in bodies for line in body.split('\n')]
    joined = []
    for line in lines:
        if line.startswith(' ') and joined:
            joined[-1] += line[1:]
        elif line:
            joined.append(line)
    return joined


def fields(words, groups):
    """[(name, width)] of a row; a list is (name, [its fields]), and a width that the values give is None."""
    tokens = re.findall(r'(?:"[^"]*"|[^\s()"])+\(?|\)', words)
    stack = [[]]
    for token in tokens:
        if token == ')':
            done = stack.pop()
            if stack[-1] and stack[-1][-1][1] == 'open':
                stack[-1][-1] = (stack[-1][-1][0], done)
        elif token.startswith('?'):
            stack[-1].append((token, 'open'))
            stack.append([])
        elif token.startswith('@'):
            stack[-1] += fields(groups[token[1:]], groups)
        elif token.endswith('('):
            stack[-1].append((token.split(':')[0].strip('"'), 'open'))
            stack.append([])
        else:
            name, _, kind = token.partition(':')
            name = name.strip('"')
            number = re.match(r'\d+', kind)
            width = int(number.group()) if number else WIDTHS.get(kind, ALONE.get(name) if not kind else None)
            stack[-1].append((name, width))
    return stack[0]


def rows(path):
    """{code: (name, parameters, return parameters)}; parameters are None where only the name is known."""
    found, groups = {}, {}
    code = None
    for line in text(path):
        head = line[0]
        if head == '@':
            name, _, rest = line[1:].partition(' ')
            groups[name] = rest
        elif head == '>':
            found[code][1] = None if line[2:].startswith('?') and len(line) < 5 else fields(line[2:], groups)
        elif head == '<':
            found[code][2] = fields(line[2:], groups)
        elif head != '#':
            match = re.match(r'([0-9A-F]+) (?:[\d.]+ )?(.+)', line)
            code = int(match.group(1), 16)
            found[code] = [match.group(2), [], None]
    return found


def commands():
    """All rows of commands."""
    every = {}
    for path in sorted((CORE / 'HCI/Tables').glob('*Commands.swift')):
        every.update(rows(path))
    return every


def events():
    return rows(CORE / 'HCI/Tables/Events.swift')


def le_events():
    return rows(CORE / 'HCI/Tables/LEEvents.swift')


def signals():
    return rows(CORE / 'L2CAP/Tables/L2CAPTable.swift')


def smp():
    return rows(CORE / 'SMP/Tables/SMPTable.swift')


def without_counts(row):
    """The fields with each list's own count left out, as Bumble declares them."""
    left = []
    for index, (name, width) in enumerate(row):
        follows = row[index + 1] if index + 1 < len(row) else (None, None)
        if isinstance(follows[1], list) and not follows[0].startswith('?'):
            continue
        left.append((name, without_counts(width) if isinstance(width, list) else width))
    return left
