"""What a recorder leaves out or damages: it must be said, and no failure derived from it."""

from dataclasses import replace
from functools import partial

from judge import octets as o, recorders
from judge.cases import registry

recorder = partial(registry.failing, 'recorder')
HOUR_US = 3_600_000_000
KEEP_LENGTHS = ('btsnoop', 'monitor')  # the forms that tell how long a packet was


def whole(s):
    """A session from its scan to its end, in which nothing failed."""
    s.normal()
    s.wait(1, 5)
    s.ends(s.random.choice([0x13, 0x16]))


@recorder(said=('no-events',))
def without_events(s):
    whole(s)
    s.records = recorders.data_only(s.records)


@recorder(said=('no-events',))
def handle_again_without_events(s):
    """Two connections on one handle; a request waits as the first ends."""
    s.scan()
    s.connects()
    s.discover(s.handle, s.services)
    s.talk()
    s.say('tx', o.write_request(s.writable[0], s.value()))
    s.wait(40, 4000)
    s.connects()
    s.discover(s.handle, s.services)
    s.talk()
    s.records = recorders.data_only(s.records)


@recorder(said=('one-direction',))
def received_only(s):
    whole(s)
    s.records = recorders.received_only(s.records)


@recorder(said=('one-direction', 'no-events'))
def sent_only(s):
    whole(s)
    s.records = recorders.sent_only(s.records)


@recorder(said=('cut-values',), forms=KEEP_LENGTHS)
def cut_values(s):
    whole(s)
    s.records = recorders.cut_values(s.records)


@recorder('abnormal-disconnection', 'link', said=('cut-values',), forms=KEEP_LENGTHS)
def link_lost_with_cut_values(s):
    s.normal()
    s.ends(0x08)
    s.records = recorders.cut_values(s.records)


@recorder(said=('no-start',))
def rotated(s):
    """The part before was in a file that was not given; it ended between two requests."""
    s.begin()
    first = len(s.records)
    s.subscribe()
    s.talk(3, 9)
    s.ends(0x13)
    s.records = s.records[first:]


@recorder()
def ends_early(s):
    whole(s)
    s.records = recorders.first_half(s.records)


@recorder()
def without_advertising(s):
    whole(s)
    s.records = [record for record in s.records if record.octets[:4:3] != b'\x04\x02']


@recorder()
def without_commands(s):
    whole(s)
    s.records = recorders.without_commands(s.records)


@recorder(said=('recorder-drops',), forms=KEEP_LENGTHS)
def dropped_packets(s):
    """A response among what was lost: btsnoop counts the lost packets in each record from there on."""
    s.normal()
    lost = len(s.records)
    s.exchange(o.read_request(s.writable[0]), o.read_response(s.value()))
    s.talk()
    s.wait(31, 40)
    s.talk()
    s.ends(0x16)
    after = [replace(record, drops=1) for record in s.records[lost + 2:]]
    s.records = s.records[:lost + 1] + after


@recorder(said=('truncated',))
def cut_in_a_record(s):
    whole(s)
    s.written = lambda octets: octets[:-s.random.randrange(1, 5)]


@recorder(said=('clock-backwards',))
def clock_set_back(s):
    _step(s, -HOUR_US)


@recorder(said=('clock-jump',))
def clock_set_forward(s):
    _step(s, 24 * HOUR_US)


def _step(s, by):
    """The clock is set while a request waits for its response."""
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.now_us += by
    s.say('rx', o.read_response(s.value()))
    s.talk()
    s.ends(0x16)


@recorder(said=('not-a-capture',))
def saved_as_text(s):
    whole(s)
    s.written = lambda octets: ''.join(
        f'{record.time_us} {record.direction} {record.octets.hex(" ")}\n' for record in s.records).encode()


@recorder(said=('empty',))
def empty(s):
    """The log was switched on, and Bluetooth not restarted."""
    s.records = []
