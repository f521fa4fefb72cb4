"""Sessions in which something looks wrong, and nothing failed (`judge faults`)."""

import struct

from judge import octets as o
from judge.cases.registry import healthy
from judge.session import BLE_CREATE_CANCEL, CREATE_CONNECTION


@healthy
def powered_off(s):
    """The user switches the device off."""
    s.normal()
    s.wait(0.5, 60)
    s.ends(0x15)


@healthy
def ends_at_once_then_works(s):
    """The device is still busy with what was before."""
    s.scan()
    s.connects()
    s.wait(0.05, 1)
    s.ends(0x13)
    s.wait(0.5, 20)
    s.normal()
    s.ends(0x16)


@healthy
def procedures_not_supported(s):
    """The device has neither the PHY, nor the features' exchange, nor enhanced bearers."""
    s.normal()
    s.command(0x2016, struct.pack('<H', s.handle))
    s.event(o.meta(0x04, struct.pack('<BH', 0x1A, s.handle) + bytes(8)))
    s.command(0x2032, struct.pack('<HBBBH', s.handle, 0, 2, 2, 0))
    s.wait(0.1, 0.3)
    s.event(o.meta(0x0C, struct.pack('<BHBB', 0x1A, s.handle, 1, 1)))
    s.pdu(s.handle, 'tx', o.LE_SIGNALLING, struct.pack('<BBH5H', 0x17, 9, 10, 0x27, 64, 64, 5, 0x41))
    s.pdu(s.handle, 'rx', o.LE_SIGNALLING, struct.pack('<BBH4H', 0x18, 9, 8, 0, 0, 0, 2))
    s.talk()
    s.ends(0x16)


@healthy
def command_refused_then_accepted(s):
    """The controller is still cancelling the attempt before."""
    s.scan()
    s.ask(status=0x0C)
    s.wait(0.1, 2)
    s.normal()
    s.talk(20, 30)
    s.ends(0x16)


@healthy
def waits_for_known_devices(s):
    """The phone waits for devices of its accept list, which it withdraws now and then to change the list."""
    s.command(0x2011, b'\1' + o.address(s.peer), event=0x0E)
    for _ in range(s.random.randrange(1, 4)):
        s.command(0x200D, struct.pack('<HHBB', 96, 48, 1, 0) + bytes(6)
                  + struct.pack('<BHHHHHH', 0, 24, 40, 0, 42, 0, 0))
        s.wait(60, 4000)
        s.command(BLE_CREATE_CANCEL, event=0x0E)
        s.event(o.connection_complete(0, '00:00:00:00:00:00', 0, 0, status=2))
        s.wait(0.01, 1)


@healthy
def notifies_unasked(s):
    """A device that does not wait for a subscription."""
    s.begin()
    for _ in range(s.random.randrange(2, 9)):
        s.wait(0.1, 2)
        s.say('rx', o.notification(s.notifying, s.value()))
    s.ends(0x13)


@healthy
def pages_another_device(s):
    """The phone looks for the user's headset, which is off."""
    s.normal()
    other = ':'.join(f'{byte:02X}' for byte in s.random.randbytes(6))
    for _ in range(s.random.randrange(1, 4)):
        s.command(CREATE_CONNECTION, o.address(other) + bytes.fromhex('18CC02000000') + b'\1')
        s.wait(5.1)
        s.event(o.event(0x03, b'\4\0\0' + o.address(other) + b'\1\0'))
    s.talk()
    s.ends(0x16)


@healthy
def leaves_when_told(s):
    """What the app writes last sends the device to sleep; the app comes back."""
    for _ in range(s.random.randrange(1, 4)):
        s.begin()
        s.say('tx', o.write_command(s.writable[0], b'\x00\xff'))
        s.wait(0.01, 0.9)
        s.ends(0x13)
        s.wait(70, 900)


@healthy
def switched_off_while_driven(s):
    """A toy gets the same command all the time, and its user switches it off."""
    command = s.value()
    for _ in range(s.random.randrange(2, 4)):
        s.begin()
        for _ in range(s.random.randrange(3, 30)):
            s.say('tx', o.write_command(s.writable[0], command))
            s.wait(0.02, 0.2)
        s.ends(0x13)
        s.wait(3, 30)
