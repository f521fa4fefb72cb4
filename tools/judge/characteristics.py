"""The SIG's characteristics: `profiles/sig.json` against the parsers of the wheel `bluetooth-sig`."""

import datetime
import enum
import itertools
import json
import logging
import pathlib
import random
import re
import struct
import subprocess
import tempfile
import uuid
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from judge import files
from judge import octets as o
from judge.capture import Capture

PROFILE = pathlib.Path(__file__).resolve().parents[2] / 'profiles/sig.json'
CONNECTION, MTU, LONGEST = 0x40, 200, 72
SEED = 1
WIDTH = {'sfloat': 2, 'float': 4, 'f32': 4}
DATE = {'year': (1582, 2100), 'month': (1, 12), 'day': (1, 28), 'hours': (0, 23), 'minutes': (0, 59),
        'seconds': (0, 59)}
LIKELY = DATE | {'body-fat-percentage': (0, 500)}
# What the wheel does not read although its length is right, by the words with which it says so.
REFUSALS = {
    'wheel-unfinished': r'must either set _template',
    'reserved-code': r'not a valid|Invalid|reserved bits|expected range|RFU value',
    'impossible-date': r'(year|month|day|hour|minute|second|date value).*(must be in|out of range)',
    'implausible-number':
        r'cannot (be greater|exceed)|outside (valid|allowed) range|must be (between|non-neg|0-)|'
        r'Text string too long',
}
# By how much the wheel reads the exponent of a medfloat otherwise, by type.
SHIFTED = {'sfloat': 8, 'float': 128}
# The wheel's unit in those of the profile.
FACTORS = {
    'min': (60,), 'h': (3600, 4), 'd': (86400,), 'kWh': (1000,), 'kJ': (1000,), 'm': (1e7, 1000, 0.1),
    'lm·h': (0.001,), 'lx·h': (0.001,), 's': (8,),
}
# Units that the wheel writes otherwise, or without its own table of signs.
SPELT = {
    'bpm': '/min', 'RPM': '/min', 'yr': 'years', 'length.meter': 'm', 'L/s': 'l/s', 'N·m': 'Nm',
    'dB SPL': 'dB', 'density.kilogram_per_cubic_meter': 'kg/m³', 'bitmap': '',
    'luminous_energy.lumen_per_hour': 'lm·h', 'illuminance.lumen': 'lm',
    'flow.cubic_metre_per_second': 'm³/s', 'grains/m³': '/m³',
    'per kilogram per minute': 'ml/kg/min',
}
# Of fields in structures: a rate's own word, and the kilo that the profile puts before the unit.
RATES = {'rpm': '/min', 'per minute': '/min'}
# Fields without a unit beside the wheel's: a year is a date's.
NO_UNIT = {'year'}
# By characteristic: raw quarters and powers have no unit; the wheel scales rain to millimetres.
UNITS_APART = {'time-zone', 'time-exponential-8', 'rainfall'}
# Numbers that the wheel works out of others, by name.
DERIVED = {'sensor_contact', 'enabled_features', 'feature_count', 'epoch_year', 'raw_value', 'offset_hours',
           'total_offset_hours', 'min_length', 'max_length'}
# Of these the wheel drops bits, or gives codes as zero, that are reserved.
MASKED = {'flags', 'adjust-reason'}
CODES = {'weight_measurement_resolution', 'height_measurement_resolution', 'battery_chemistry',
         'mass_measurement_resolution'}
# Numbers that the wheel leaves out: unused ones, and a balance of 255 steps.
NOT_READ = {'cuff-pressure-compound-value-diastolic', 'compound-value-mean-arterial-pressure',
            'pedal-power-balance', 'exercise-intensity'}


def fill(field, size, source):
    """Bytes of a field that mean something: a code with a name, a part of a date; None for any other."""
    codes = [int(code, 0) for code in field.get('enum', ())]
    if codes and 'scale' not in field:
        return source.choice(codes).to_bytes(size, 'little')
    if field['name'] in LIKELY:
        return source.randint(*LIKELY[field['name']]).to_bytes(size, 'little')
    return None


def size_of(fields, value, at=0, filled_by=None):
    """Bytes that fields take of a value, into which it may fill codes and dates; None: all that is left."""
    known, start = {}, at
    for field in fields:
        if condition := field.get('if'):
            raw = known.get(condition['field'], 0)
            if 'bit' in condition:
                there = (raw >> condition['bit'] & 1) == condition.get('is', 1)
            else:
                there = raw & condition.get('mask', -1) == condition['is']
            if not there:
                continue
        if 'optional' in field:
            return None
        kind = field['type']
        if kind == 'group':
            size = size_of(field['fields'], value, at, filled_by)
        elif kind in ('bytes', 'utf8', 'array'):
            size = field.get('length')
        else:
            size = WIDTH.get(kind) or int(kind[1:]) // 8
            if filled_by and (wanted := fill(field, size, filled_by)):
                value[at:at + size] = wanted
            known[field['name']] = int.from_bytes(value[at:at + size], 'little')
        if not isinstance(size, int):
            return None
        at += size
    return at - start


def draw(fields, source):
    """A value of a length that fits, one cut or too long, or one of any length."""
    value = bytearray(source.randbytes(LONGEST))
    for place in range(3):
        # Few bits and small numbers, so that flags select few fields and codes have names.
        if source.random() < 0.5:
            value[place] &= source.choice((0x01, 0x03, 0x07, 0x0F, 0x24, 0x80, 0))
    if source.random() < 0.05:
        value[:] = source.choice((b'\xff', b'\0', b'\x7f', b'\x80')) * LONGEST
    if source.random() < 0.1:
        value[:] = bytes(source.randint(0x20, 0x7E) for _ in value)
    if source.random() < 0.7:
        size_of(fields, value, filled_by=source)
    size, way = size_of(fields, value), source.random()
    if size is None:
        return bytes(value[:source.randint(0, 24)])
    if way < 0.1:
        size -= source.randint(1, min(4, size)) if size else 0
    elif way < 0.2:
        size += source.randint(1, 4)
    return bytes(value[:size])


def build(channels, values):
    """One capture: a connection, the database, and each value in a notification."""
    made = Capture()
    made.connect(CONNECTION, '11:22:33:44:55:66')
    made.att(CONNECTION, 'tx', o.exchange_mtu_request(MTU))
    made.att(CONNECTION, 'rx', struct.pack('<BH', 3, MTU))
    rows = [(2 + 2 * place, 0x12, 3 + 2 * place, kind) for place, kind in enumerate(channels)]
    made.discover(CONNECTION, [(1, 0xFFFF, '1800', rows)])
    handles = {kind: handle for _, _, handle, kind in rows}
    frames = {made.att(CONNECTION, 'rx', o.notification(handles[kind], value)): (kind, value)
              for kind, value in values}
    return made, frames


def ours_of(blecap, profile, made):
    """The fields by frame, of frames whose value the profile reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'characteristics.btsnoop'
        path.write_bytes(files.btsnoop(made.records))
        options = ['--profile', str(profile)] if profile else []
        with subprocess.Popen([str(blecap), 'annotate', '--format', 'ndjson', *options, str(path)],
                              stdout=subprocess.PIPE, text=True) as run:
            for line in run.stdout:
                entry = json.loads(line, parse_float=Decimal)
                if entry.get('kind') == 'frame' and 'att' in entry:
                    found = [one['fields'] for one in entry.get('profiles', [])
                             if one['profile'] == 'sig' and 'fields' in one and 'misfits' not in one]
                    yield entry['frame'], found[0] if found else None


def theirs_of(value, path=''):
    """(path, number or text or bytes) of each part of the wheel's object."""
    if value is None:
        return
    if isinstance(value, enum.Enum):
        yield path, value.value
    elif isinstance(value, (bool, int, float, str, bytes, bytearray)):
        yield path, value
    elif isinstance(value, datetime.timedelta):
        yield path, Decimal(value // datetime.timedelta(microseconds=1)) / 1_000_000
    elif isinstance(value, datetime.date):
        for part in ('year', 'month', 'day', 'hour', 'minute', 'second'):
            if hasattr(value, part):
                yield f'{path}.{part}', getattr(value, part)
    elif isinstance(value, datetime.time):
        for part in ('hour', 'minute', 'second'):
            yield f'{path}.{part}', getattr(value, part)
    elif isinstance(value, uuid.UUID):
        yield path, str(value)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from theirs_of(one, f'{path}.{key}')
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from theirs_of(one, path)
    elif hasattr(value, '__struct_fields__'):
        for key in value.__struct_fields__:
            yield from theirs_of(getattr(value, key), f'{path}.{key}')
    else:
        # A UUID of 16 bits is written with all 128.
        found = re.fullmatch(r'0000([0-9A-F]{4})-?0000-?1000-?8000-?00805F9B34FB', str(value))
        yield path, int(found[1], 16) if found else str(value)


@dataclass
class Part:
    """A field as blecap shows it: its description in the profile, its number or text, and a code's name."""

    field: dict
    value: object
    name: str | None = None
    bits: tuple = ()


def parts_of(fields, shown):
    """Each part that the profile describes and the output has. Bits are put together to the number again."""
    for field in fields:
        value = shown.get(field['name'].replace('-', '_'))
        if value is None:
            continue
        if field['type'] == 'group':
            yield from parts_of(field['fields'], value)
        elif field['type'] == 'array':
            for item in value:
                yield from parts_of(field['items'], item)
        elif 'bits' in field:
            number, bits = value.get('other_bits', 0), []
            for bit in field['bits']:
                one = value.get(bit['name'].replace('-', '_'), 0)
                bits.append(int(one['code'] if isinstance(one, dict) else one))
                number |= bits[-1] << bit['at']
            yield Part(field, number, None, tuple(bits))
        elif isinstance(value, dict):
            yield Part(field, value.get('bits', value.get('code')), value.get('name'))
        elif isinstance(value, str) and field['type'] in WIDTH:
            # Very small and very great numbers are texts.
            yield Part(field, Decimal(value))
        else:
            yield Part(field, value)


def same(one, other, tolerance=1e-9):
    """Whether two numbers are the same, or two texts: the wheel's are binary, with 53 bits."""
    if isinstance(one, (str, bytes)) or isinstance(other, (str, bytes)):
        return one == other
    one, other = float(one), float(other)
    return one == other or abs(one - other) <= tolerance * abs(other) or (one != one and other != other)


def signed(part):
    bits = int(part.field['type'][1:])
    return part.value - (1 << bits) if part.field['type'][0] == 'i' and part.value >> bits - 1 else part.value


def why_other(part, found):
    """The class of a number that the wheel gives otherwise; None if no rule holds."""
    field, value, kind = part.field, part.value, part.field['type']
    if isinstance(value, str) and kind == 'utf8':
        return 'text-after-zero' if isinstance(found, str) and found.startswith(value + '\0') else None
    if not isinstance(value, (int, Decimal)) or not isinstance(found, (int, float, Decimal)):
        return None
    if kind in SHIFTED:
        if any(same(found, float(value) * 10.0 ** (shift + more))
               for shift in (SHIFTED[kind], -SHIFTED[kind]) for more in (0, -3, 3)):
            return 'medfloat-exponent'
        return 'medfloat-exponent' if part.name else None
    if kind == 'f32':
        return 'single-precision' if struct.pack('<f', value) == struct.pack('<f', found) else None
    if '254' in field.get('enum', {}) and same(found, 1.1 ** (value - 64) if value else 0, 1e-3):
        return 'power-as-raw-number'
    if part.name is not None and same(found, signed(part) * field.get('scale', 1)):
        return 'special-in-structure'
    if field['name'] in ('hdop', 'vdop') and same(found, value * Decimal('2.5')):
        return 'dilution-step'
    if field['name'] == 'time-zone' and same(found, int(value * 4) % 256):
        return 'unsigned-time-zone'
    if not isinstance(found, bool) and field['name'] in MASKED and int(found) & int(value) == found:
        return 'reserved-dropped'
    if any(same(found, float(value) * factor) for factor in FACTORS.get(field.get('unit'), ())):
        return 'other-unit'
    return None


def tail(path):
    return path.rpartition('.')[2]


def compare(fields, value, shown, theirs):
    """Names of the classes of differences of a value that both read; '?…' for what no class explains."""
    classes, parts = [], list(parts_of(fields, shown))
    if isinstance(theirs, datetime.date) and parts[0].field.get('unit') == 'd':
        right = datetime.date(1970, 1, 1) + datetime.timedelta(days=int(parts[0].value)) == theirs
        return ['days-as-date' if right else '?date']
    shown_parts = tuple(parts)
    left = sorted(theirs_of(theirs), key=lambda one: tail(one[0]) in DERIVED)
    not_known = any(part.field['name'] in ('year', 'month', 'day') and part.value == 0
                    for part in shown_parts)
    identifier = b''.join(found for _, found in left if isinstance(found, bytes))
    equal = lambda part, found: '' if same(part.value, found) else None  # noqa: E731
    for rule, by_name in ((equal, True), (why_other, True), (equal, False), (why_other, False)):
        for part in list(parts):
            for one in left:
                if isinstance(one[1], bool) and 'enum' not in part.field:
                    continue
                if by_name and tail(one[0]).replace('_', '-') != part.field['name']:
                    continue
                said = rule(part, one[1])
                if said is not None:
                    classes += [said] if said else []
                    left.remove(one)
                    parts.remove(part)
                    break
    rest = [part for part in parts if part.field['type'] == 'bytes']
    for part in list(parts):
        if part.field['type'] == 'bytes':
            classes.append('left-as-bytes')
        elif identifier == value:
            classes.append('number-as-bytes')
        elif part.field['name'] in DATE and not_known:
            classes.append('unknown-date')
        elif {'flags', 'bits', 'enum'} & part.field.keys():
            classes.append('words-only')
        elif part.field['name'] in NOT_READ:
            classes.append('not-read')
        else:
            classes.append('?' + part.field['name'])
    for path, found in left:
        if isinstance(found, (bytes, bytearray)):
            classes.append('left-as-bytes' if bytes(found) in value else '?' + path)
        elif isinstance(found, (bool, str)) or tail(path) in DERIVED:
            classes.append('derived')
        elif tail(path) in CODES:
            classes.append('reserved-dropped')
        elif rest:
            classes.append('left-as-bytes')
        else:
            classes.append('' if any(found in part.bits for part in shown_parts) else '?' + path)
    return classes


def why_refused(fields, value):
    """The class of a value that only the wheel reads."""
    size = size_of(fields, value + bytes(LONGEST * 2))
    if size is not None and len(value) > size:
        return 'too-long'
    if size is not None and len(value) < size:
        return 'cut'
    if any('array' in (field['type'], *(one['type'] for one in field.get('fields', ()))) for field in fields):
        # Half an item of a list.
        return 'cut'
    try:
        value.decode()
    except UnicodeDecodeError:
        if any(field['type'] == 'utf8' for field in fields):
            return 'not-utf-8'
    return '?refused'


def leaves(fields):
    """The fields of a structure, those of groups and of items included."""
    for field in fields:
        yield from leaves(field['fields'] if field['type'] == 'group' else field['items']) \
            if field['type'] in ('group', 'array') else [field]


def is_unit(ours, theirs):
    """Whether the profile's unit is the wheel's, or a thousand of it."""
    theirs = RATES.get(theirs, SPELT.get(theirs, theirs))
    return ours in (theirs, 'k' + theirs) or theirs == '/min' and ours.endswith('/min')


def units_apart(parser, fields):
    """(name, units of the profile, unit of the wheel) of each field that the wheel gives a unit, by its name.

    A field whose unit a flag selects is two of the profile, or two of the wheel.
    """
    for row in (parser._spec.structure if parser._spec else None) or ():
        unit = parser.get_field_unit(row.field)
        words = [re.sub('[^a-z0-9]+', '-', text.lower()).strip('-')
                 for text in (row.field, re.sub(r'\(.*?\)|, if .*', '', row.field))]
        found = [one.get('unit', '') for one in leaves(fields)
                 if any(one['name'] == word or word.endswith('-' + one['name'])
                        or one['name'].startswith(word + '-') for word in words)]
        if unit and words[1] not in NO_UNIT:
            yield words[1], found, unit


def judge_all(blecap, count, lines):
    from bluetooth_sig.gatt.characteristics.registry import CharacteristicRegistry
    from bluetooth_sig.gatt.exceptions import SpecialValueDetectedError
    logging.disable(logging.CRITICAL)
    channels = {channel['attributes'][0]['characteristic']: channel
                for channel in json.loads(PROFILE.read_text(encoding='utf-8'))['channels']}
    fields = {kind: channel['messages'][0]['fields'] for kind, channel in channels.items()}
    names = {kind: {field['name'] for field in one} for kind, one in fields.items()}
    parsers = {}
    for made in CharacteristicRegistry.get_all_characteristics().values():
        parser = made()
        parsers[str(parser.uuid)[4:8].upper()] = parser
    kinds = sorted(fields.keys() & parsers.keys())
    source = random.Random(SEED)
    values = [(kind, draw(fields[kind], source)) for kind in itertools.islice(itertools.cycle(kinds), count)]
    capture, frames = build(kinds, values)
    classes, judged, numbers, wrong = Counter(), 0, 0, []
    for frame, shown in ours_of(blecap, PROFILE, capture):
        if frame not in frames:
            continue
        kind, value = frames[frame]
        judged += 1
        try:
            theirs, said = parsers[kind].parse_value(value, validate=False), None
        except Exception as error:  # noqa: BLE001
            theirs, said = None, error
        if shown is None:
            found = [why_refused(fields[kind], value)] if said is None else ['both-refuse']
        elif said is None:
            found = compare(fields[kind], value, shown, theirs)
            numbers += sum(1 for _ in parts_of(fields[kind], shown))
        elif isinstance(said, SpecialValueDetectedError):
            named = any(part.name or '-' in str(part.value) for part in parts_of(fields[kind], shown))
            found = [] if named else ['?special']
        else:
            # What the profile leaves as bytes may be absent there.
            words = REFUSALS | ({'left-as-bytes': r'need \d+ bytes'} if 'rest' in names[kind] else {})
            found = [next((name for name, pattern in words.items() if re.search(pattern, str(said))),
                          '?refused')]
        for name in set(found) - {''}:
            if name[0] == '?':
                wrong.append(f'{channels[kind]["name"]} {value.hex()}: {name[1:]}; {said or theirs}')
            else:
                classes[name] += 1
    wrong += [f'{channels[kind]["name"]}: unit {one["unit"] if "unit" in one else "missing"}, not {unit}'
              for kind, unit, one in ((kind, parsers[kind].unit or '', fields[kind][0]) for kind in kinds)
              if len(fields[kind]) == 1 and SPELT.get(unit, unit) != one.get('unit', '')
              and channels[kind]['name'] not in UNITS_APART]
    judged_units = [(kind, *one) for kind in kinds if len(fields[kind]) > 1
                    for one in units_apart(parsers[kind], fields[kind])]
    wrong += [f'{channels[kind]["name"]}: {name} in {ours}, not {theirs}'
              for kind, name, ours, theirs in judged_units
              if ours and not any(is_unit(one, theirs) for one in ours)]
    for line in wrong[:lines]:
        print(f'DIFFERS {line[:400]}')
    for name, many in sorted(classes.items()):
        print(f'  {name}: {many}')
    print(f'units of structures: {sum(1 for one in judged_units if one[2])} fields, without a name of ours: '
          f'{sum(1 for one in judged_units if not one[2])}')
    print(f'{judged} values of {len(kinds)} characteristics, {numbers} fields; without a class: {len(wrong)}')
    return 1 if wrong or judged != count else 0
