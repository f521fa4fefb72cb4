"""This host as the peripheral of BlueZ's central: the simulated fob."""

import json
import pathlib
import re
import tempfile
import unittest

from .bluez import BlueZ, wait
from .sides import Program, Recording, blecap, check

OURS = 'hci1'
# How the fob pairs, and what BlueZ's agent can do.
WAYS = [('just-works', 'NoInputNoOutput'), ('compare', 'DisplayYesNo'), ('shows', 'KeyboardOnly'),
        ('asks', 'DisplayOnly')]


class Peripheral(unittest.TestCase):
    """Each test begins without bonds."""

    @classmethod
    def setUpClass(cls):
        cls.bluez = BlueZ('hci0')
        cls.bluez.appear()
        cls.bluez.become('NoInputNoOutput')

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = pathlib.Path(folder.name)
        self.bluez.remove_all()

    def fob(self, pairing, *where, secure=True):
        where = where or ('--adapter', OURS)
        allowed = [] if secure else ['--allow-legacy']
        fob = Program('simulate', 'fob', '--pairing', pairing, *allowed, *where, state=self.state)
        self.addCleanup(fob.stop)
        fob.wait(r'the fob is (\S+),')
        return fob

    def pair(self, fob, pairing, asked=None, replaces=False):
        """Finds the fob, pairs and reads; `asked` has the agent; `replaces` whether the fob has a bond. Gives
        BlueZ's path of it."""
        path = self.bluez.find('fob')
        answer = self.bluez.in_background('Pair', path)
        if pairing == 'shows':
            (asked or self.bluez).enter(int(fob.wait(r'enter (\d{6}) on the device')[1]))
        elif pairing == 'asks':
            fob.wait('the device shows a passkey')
            fob.say(f'answer={self.bluez.agent.shown.get(timeout=60):06}')
        elif pairing == 'compare':
            number = int(fob.wait(r'does the device show (\d{6})')[1])
            self.assertEqual(number, self.bluez.agent.shown.get(timeout=60))
            fob.say('answer=yes')
        if replaces:
            fob.wait("may this pairing take the bond's place")
            fob.say('answer=yes')
        answer()
        self.bluez.connect(path)
        self.assertEqual(bytes(self.bluez.read(path, 0xFF51)), b'bonded')
        return path

    def session(self, pairing, capability, secure, *where):
        self.bluez.become(capability)
        with Recording(f'peripheral-{pairing}-{"secure" if secure else "legacy"}') as recording:
            fob = self.fob(pairing, *where, secure=secure)
            path = self.pair(fob, pairing)
            self.bluez.disconnect(path)
            self.bluez.connect(path)
            self.assertEqual(bytes(self.bluez.read(path, 0xFF51)), b'bonded')
            self.bluez.disconnect(path)
            fob.stop()
        check(self, recording, 'hci0')

    def test_it_pairs_in_every_way_and_is_read_by_the_bond(self):
        for secure in (True, False):
            self.bluez.manage('sc', 'on' if secure else 'off')
            for pairing, capability in WAYS:
                if pairing == 'compare' and not secure:
                    continue
                with self.subTest(pairing, secure=secure):
                    self.session(pairing, capability, secure)
                self.bluez.remove_all()
                for file in self.state.rglob('bonds.json'):
                    file.unlink()
        self.bluez.manage('sc', 'on')


    def test_a_bond_that_bluez_has_lost(self):
        self.bluez.become('NoInputNoOutput')
        fob = self.fob('just-works')
        path = self.pair(fob, 'just-works')
        self.bluez.disconnect(path)
        # It pairs anew with a fob that still has the bond, once the fob's person agrees.
        self.bluez.remove(path)
        path = self.pair(fob, 'just-works', replaces=True)
        self.bluez.disconnect(path)

    def test_private_addresses_of_bluez_are_one_bond(self):
        self.bluez.become('NoInputNoOutput')
        self.bluez.manage('privacy', 'on')
        try:
            fob = self.fob('just-works')
            path = self.pair(fob, 'just-works')
            self.bluez.disconnect(path)
            self.bluez.power(False)
            self.bluez.power(True)
            self.bluez.connect(path)
            self.assertEqual(bytes(self.bluez.read(path, 0xFF51)), b'bonded')
            self.bluez.disconnect(path)
            bonds = json.loads(next(self.state.rglob('bonds.json')).read_text())['bonds']
            self.assertEqual([bond['address'] for bond in bonds], [self.bluez.address])
        finally:
            self.bluez.manage('privacy', 'off')

    def test_a_fob_behind_vhci(self):
        # bluetoothd has one more adapter, in whose air the fob is.
        self.bluez.become('KeyboardOnly')
        with Recording('peripheral-vhci') as recording:
            fob = self.fob('shows', '--listen', 'vhci')
            other = BlueZ('hci2')
            other.appear()
            other.agent = self.bluez.agent
            self.bluez, other = other, self.bluez
            try:
                path = self.pair(fob, 'shows', other)
                self.bluez.disconnect(path)
                self.bluez.connect(path)
                self.assertEqual(bytes(self.bluez.read(path, 0xFF51)), b'bonded')
                self.bluez.disconnect(path)
            finally:
                self.bluez = other
            fob.stop()
        check(self, recording, 'hci2')


class Lost(Peripheral):
    """To be run last: bluetoothd 5.66 crashes when a bonded peripheral has lost its key."""

    def test_a_bond_that_the_fob_has_lost(self):
        self.bluez.become('NoInputNoOutput')
        fob = self.fob('just-works')
        path = self.pair(fob, 'just-works')
        self.bluez.disconnect(path)
        fob.stop()
        for file in self.state.rglob('bonds.json'):
            file.unlink()
        fob = self.fob('just-works')
        with Recording('peripheral-lost') as recording:
            self.bluez.in_background('Connect', path)

            def shows_it():
                said = blecap('annotate', '--all', '--adapter', 'hci0', recording.path).stdout
                return re.search(r'Encryption Change.* status=0x06\(PIN or Key Missing', said) \
                    and 'Disconnection Complete' in said
            wait('the kernel that ends the link', shows_it)

    test_it_pairs_in_every_way_and_is_read_by_the_bond = None
    test_a_bond_that_bluez_has_lost = None
    test_private_addresses_of_bluez_are_one_bond = None
    test_a_fob_behind_vhci = None


class Essential(Peripheral):
    """One way, for every test of the repository."""

    def test_it_pairs_in_every_way_and_is_read_by_the_bond(self):
        self.session('shows', 'KeyboardOnly', True)

    test_a_bond_that_bluez_has_lost = None
    test_private_addresses_of_bluez_are_one_bond = None
    test_a_fob_behind_vhci = None


if __name__ == '__main__':
    unittest.main()
