"""Faults of pairing and encryption."""

import struct

from judge import octets as o
from judge.cases.registry import each, failing
from judge.session import LTK_NEGATIVE_REPLY


@each([('wrong_passkey', 'rx', 4), ('pairing_not_supported', 'rx', 5), ('pairing_requirements', 'rx', 3),
       ('numeric_refused', 'rx', 12), ('repeated_attempts', 'rx', 9)],
      'pairing', 'pairing-failed', 'peer')
@each([('host_refuses_pairing', 'tx', 8), ('host_wrong_confirm', 'tx', 4)],
      'pairing', 'pairing-failed', 'host')
def _(s, direction, reason):
    s.begin()
    s.pairing(1 if reason in (3, 5, 8) else 6)
    s.smp(s.handle, direction, bytes([5, reason]))
    s.wait(0.1)
    s.ends(0x13 if direction == 'rx' else 0x16)


@failing('pairing', 'pairing-unanswered', 'peer')
def pairing_stops(s):
    s.begin()
    s.pairing(3)
    s.wait(31, 40)
    s.say('tx', o.write_command(s.writable[0], s.value()))


@failing('pairing', 'pairing-unfinished', 'peer')
def peer_leaves_pairing(s):
    s.begin()
    s.pairing(s.random.choice([1, 3]))
    s.wait(1, 4)
    s.ends(0x13)


@failing('pairing', 'encryption-before-key', 'host')
def encrypts_while_pairing(s):
    s.begin()
    s.pairing(s.random.randrange(2, 9))
    s.encrypts()
    s.talk()
    s.ends(0x16)


@failing('pairing', 'pairing-pdu-misplaced', 'host')
def public_key_in_legacy_pairing(s):
    s.begin()
    s.pairing(1)
    s.smp(s.handle, 'rx', bytes([2, 3, 0, 5, 16, 7, 7]))
    s.smp(s.handle, 'tx', b'\x0c' + s.random.randbytes(64))
    s.wait(0.1)
    s.smp(s.handle, 'rx', bytes([5, 8]))
    s.ends(0x16)


@failing('pairing', 'encryption-failed', 'peer')
def bond_lost_at_peer(s):
    s.scan()
    s.connects()
    s.encrypts(0x06)
    s.wait(0.2)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', 'host')
def bond_lost_at_host(s):
    """The recorded device is the peripheral, and no longer has the key that the central asks for."""
    s.connect(s.handle, s.peer, role=1, peer_type=1)
    s.event(o.event(0x3E, b'\5' + struct.pack('<H', s.handle) + bytes(10)))
    s.command(LTK_NEGATIVE_REPLY, struct.pack('<H', s.handle), event=None)
    s.event(o.command_complete(LTK_NEGATIVE_REPLY, b'\0' + struct.pack('<H', s.handle)))
    s.wait(0.1, 0.5)
    s.ends(0x13)


@failing('pairing', 'encryption-failed', None)
def encryption_refused(s):
    s.normal()
    s.encrypts(0x1F)


@failing('pairing', 'abnormal-disconnection', None)
def mic_failure(s):
    s.begin()
    s.encrypts()
    s.talk()
    s.ends(0x3D)


