"""Large captures for measuring: a log repeated with its time moved on, and one of many devices."""

import random
import struct

from judge import files, octets as o

RECORD = struct.Struct('>IIIIq')
FLUSH_RECORDS = 20_000


def repeated(source, target, size):
    """Writes `source` (a btsnoop file) over and over into `target`, each time later, until it has
    `size` octets. Returns the number of records."""
    whole = source.read_bytes()
    if whole[:8] != b'btsnoop\0':
        raise ValueError(f'{source} is no btsnoop file')
    offsets, at = [], 16
    while at + RECORD.size <= len(whole):
        captured = int.from_bytes(whole[at + 4:at + 8], 'big')
        if at + RECORD.size + captured > len(whole):
            break
        offsets.append(at - 16)
        at += RECORD.size + captured
    if not offsets:
        raise ValueError(f'{source} holds no record')
    block = bytearray(whole[16:at])
    stamp = struct.Struct('>q')
    times = [stamp.unpack_from(block, offset + 16)[0] for offset in offsets]
    round_us = max(times) - min(times) + 1_000_000
    rounds = max(1, -(-(size - 16) // len(block)))
    with open(target, 'wb') as out:
        out.write(whole[:16])
        for number in range(rounds):
            later = number * round_us
            for offset, time in zip(offsets, times):
                stamp.pack_into(block, offset + 16, time + later)
            out.write(block)
    return rounds * len(offsets)


class Crowd:
    """Many peers, several links at a time, and advertising between them; the same for each seed."""

    PEERS, LAYOUTS, LINKS, ADVERTISERS = 512, 16, 8, 2_000

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.layouts = [self._layout(number) for number in range(self.LAYOUTS)]
        self.discovered = set()
        self.reports = [self._report(number) for number in range(self.ADVERTISERS)]
        self.values = [self.random.randbytes(length) for length in range(1, 65) for _ in range(4)]
        self.handles = 0x40

    def _address(self, number, top):
        return bytes([number & 0xFF, number >> 8 & 0xFF, 0x5A, 0x3C, 0x17, top])

    def _report(self, number):
        data = bytes([2, 1, 6, 3, 3]) + struct.pack('<H', 0xA000 + number % 64)
        name = f'device {number}'.encode()
        data += bytes([len(name) + 1, 9]) + name
        return o.event(0x3E, bytes([2, 1, 0, 1]) + self._address(number, 0xC4) + bytes([len(data)]) + data
                       + bytes([256 - 40 - number % 50]))

    def _layout(self, number):
        base = 0xB000 + number * 16
        services, handle = [], 1
        for service in range(4):
            characteristics = []
            first = handle
            for index in range(3):
                properties = 0x10 if index == 0 else 0x0E
                characteristics.append((handle + 1, properties, handle + 2, f'{base + index + 1:04X}'))
                handle += 3 if index == 0 else 2
            services.append((first, handle, f'{base + service:04X}', characteristics))
            handle += 1
        return services

    def _link(self):
        """The records of one connection, one after another."""
        pick = self.random.random
        peer = int(pick() * self.PEERS)
        self.handles = 0x40 + (self.handles - 0x3F) % 0xE00
        handle = self.handles
        yield o.event(0x3E, struct.pack('<BBHBB', 1, 0, handle, 0, 1) + self._address(peer, 0xD2)
                      + struct.pack('<HHHB', 24, 0, 42, 0)), 'rx'
        services = self.layouts[peer % self.LAYOUTS]
        def att(direction, payload):
            start = o.START_FROM_HOST if direction == 'tx' else o.START_FROM_CONTROLLER
            return struct.pack('<BHHHH', o.ACL, handle | start << 12, len(payload) + 4, len(payload),
                               o.ATT) + payload, direction
        yield att('tx', o.exchange_mtu_request(247))
        yield att('rx', o.exchange_mtu_response(247))
        if peer not in self.discovered:
            self.discovered.add(peer)
            yield from self._discovery(att, services)
        for first, _, _, characteristics in services:
            yield att('tx', o.write_request(characteristics[0][2] + 1, b'\1\0'))
            yield att('rx', o.write_response())
        values, count = self.values, len(self.values)
        for _ in range(int(20 + pick() * 400)):
            what = pick()
            service = services[int(pick() * 4)][3]
            value = values[int(pick() * count)]
            if what < 0.55:
                yield att('rx', o.notification(service[0][2], value))
            elif what < 0.75:
                yield att('tx', o.write_command(service[1][2], value))
            elif what < 0.9:
                yield att('tx', o.write_request(service[2][2], value))
                yield att('rx', o.write_response())
            else:
                yield att('tx', o.read_request(service[1][2]))
                yield att('rx', o.read_response(value))
        yield o.disconnection_complete(handle), 'rx'

    @staticmethod
    def _discovery(att, services):
        yield att('tx', o.read_by_group_type_request(1, 0xFFFF))
        yield att('rx', o.read_by_group_type_response([service[:3] for service in services]))
        yield att('tx', o.read_by_group_type_request(services[-1][1] + 1, 0xFFFF))
        yield att('rx', o.error_response(0x10, services[-1][1] + 1))
        for first, last, _, characteristics in services:
            yield att('tx', o.read_by_type_request(first, last, '2803'))
            yield att('rx', o.read_by_type_response([
                (declaration, o.characteristic(properties, value, kind))
                for declaration, properties, value, kind in characteristics]))
            cccd = characteristics[0][2] + 1
            yield att('tx', o.find_information_request(cccd, cccd))
            yield att('rx', o.find_information_response([(cccd, '2902')]))

    def records(self):
        """(H4 octets, direction) without end: links in turn, and four advertising reports in ten."""
        pick, reports, many = self.random.random, self.reports, self.ADVERTISERS
        links = [self._link() for _ in range(self.LINKS)]
        while True:
            for index in range(self.LINKS):
                record = next(links[index], None)
                if record is None:
                    links[index] = self._link()
                    continue
                yield record
                if pick() < 0.67:
                    yield reports[int(pick() * many)], 'rx'


def crowd(target, size, seed=1):
    """Writes a capture of many devices with `size` octets or a little more; returns its records."""
    time_us = files.BTSNOOP_EPOCH_US + 1_700_000_000_000_000
    written, count, out_list = 16, 0, []
    pack = RECORD.pack
    with open(target, 'wb') as out:
        out.write(b'btsnoop\0' + struct.pack('>II', 1, 1002))
        for octets, direction in Crowd(seed).records():
            length = len(octets)
            time_us += 311
            flags = (direction == 'rx') | (0 if octets[0] == o.ACL else 2)
            out_list.append(pack(length, length, flags, 0, time_us))
            out_list.append(octets)
            written += 24 + length
            count += 1
            if count % FLUSH_RECORDS == 0 or written >= size:
                out.write(b''.join(out_list))
                out_list.clear()
                if written >= size:
                    return count
    return count
