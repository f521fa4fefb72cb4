"""Faults of ATT and GATT."""

from judge import octets as o
from judge.cases.registry import each, failing


@each([('read_not_permitted', o.read_request, 0x02), ('write_not_permitted', o.write_request, 0x03),
       ('insufficient_authentication', o.write_request, 0x05), ('wrong_length', o.write_request, 0x0D),
       ('insufficient_encryption', o.read_request, 0x0F), ('busy', o.write_request, 0xFE),
       ('database_changed', o.read_request, 0x12), ('application_error', o.write_request, 0x80)],
      'att', 'att-error', 'peer')
def _(s, request, code):
    s.normal()
    handle = s.writable.pop()
    s.refused(request(handle) if request is o.read_request else request(handle, s.value()), code)
    s.talk(0, 4)
    s.ends(0x16)


@failing('att', 'att-timeout', 'peer')
def request_times_out(s):
    s.normal()
    s.say('tx', o.read_request(s.writable[0]))
    s.wait(31, 60)
    s.say('rx', o.notification(s.notifying, s.value()))


@failing('att', 'att-timeout', 'host')
def indication_not_confirmed(s):
    s.normal()
    s.say('rx', o.indication(s.notifying, s.value()))
    s.wait(31, 60)
    s.say('tx', o.write_command(s.writable[0], s.value()))


@failing('att', 'att-error', 'host')
def host_refuses(s):
    s.normal()
    s.exchange(o.write_request(3, s.value()), o.error_response(0x12, 3, 0x01), asker='rx')
    s.ends(0x13)


@failing('att', 'att-error', 'peer')
def subscription_refused(s):
    s.begin()
    s.refused(o.write_request(s.notifying + 1, b'\1\0'), 0x05)
    s.ends(0x16)
