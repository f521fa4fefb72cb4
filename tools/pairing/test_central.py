"""This host as the central of BlueZ's peripheral."""

import pathlib
import re
import tempfile
import unittest

from .bluez import BlueZ
from .sides import Program, Recording, check

OURS = 'hci1'
# What BlueZ's agent can do, and how it and this host's keyboard and display make sure of each other: by LE
# Secure Connections, and by legacy pairing.
METHODS = {
    'NoInputNoOutput': ('just works', 'just works'),
    'DisplayOnly': ('bluez shows', 'bluez shows'),
    'KeyboardOnly': ('bluez asks', 'bluez asks'),
    'DisplayYesNo': ('compare', 'bluez shows'),
    'KeyboardDisplay': ('compare', 'bluez asks'),
}


class Central(unittest.TestCase):
    """Each test begins without bonds."""

    @classmethod
    def setUpClass(cls):
        cls.bluez = BlueZ('hci0')
        cls.bluez.appear()
        cls.bluez.become('NoInputNoOutput')
        cls.bluez.serve('mirror', 0xFF50, 0xFF51, ['read', 'encrypt-read'], b'bonded')

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = pathlib.Path(folder.name)
        self.bluez.remove_all()

    def drive(self, *actions):
        """Exit status and text of a drive that is asked nothing."""
        return Program('drive', *actions, '--adapter', OURS, state=self.state).end()

    def pair(self, method, secure=True):
        """One drive that pairs for a value, and is told and says what the method takes."""
        allowed = [] if secure else ['--allow-legacy']
        drive = Program('drive', *allowed, '--adapter', OURS, state=self.state)
        drive.say('connect FF50')
        drive.wait('service FF50: FF51')
        drive.say('read FF51')
        if method == 'bluez shows':
            drive.wait('the device shows a passkey')
            drive.say(f'answer {self.bluez.agent.shown.get(timeout=60):06}')
        elif method == 'bluez asks':
            self.bluez.enter(int(drive.wait(r'enter (\d{6}) on the device')[1]))
        elif method == 'compare':
            number = int(drive.wait(r'does the device show (\d{6})')[1])
            self.assertEqual(number, self.bluez.agent.shown.get(timeout=60))
            drive.say('answer yes')
        drive.wait('FF51 is 626f6e646564 "bonded"')
        drive.say('pair')
        # The whole line: a part of it may be written first.
        kind = drive.wait(r'paired: (.*)\n')[1]
        drive.say('quit')
        self.assertEqual(drive.end()[0], 0)
        return kind

    def session(self, capability, secure):
        method = METHODS[capability][0 if secure else 1]
        self.bluez.become(capability)
        with Recording(f'central-{capability}-{"secure" if secure else "legacy"}') as recording:
            kind = self.pair(method, secure)
            status, text = self.drive('connect=FF50', 'read=FF51', 'bonds')
        self.assertEqual(status, 0, text)
        self.assertIn('FF51 is 626f6e646564 "bonded"', text)
        self.assertIn('bonded with', text)
        self.assertIn('LE Secure Connections' if secure else 'legacy pairing', kind)
        self.assertEqual('not authenticated' in kind, method == 'just works' or not secure)
        check(self, recording, OURS)

    def test_it_pairs_in_every_way_and_reads_by_the_bond(self):
        for secure in (True, False):
            self.bluez.manage('sc', 'on' if secure else 'off')
            self.bluez.advertise()
            for capability in METHODS:
                with self.subTest(capability, secure=secure):
                    self.session(capability, secure)
                self.bluez.remove_all()
                for file in self.state.rglob('bonds.json'):
                    file.unlink()
            if not secure:
                with self.subTest('refused without --allow-legacy'):
                    self.bluez.become('DisplayOnly')
                    status, text = self.drive('connect=FF50', 'read=FF51')
                    self.assertEqual(status, 1, text)
                    self.assertIn('someone in the middle: refused', text)
        self.bluez.manage('sc', 'on')
        self.bluez.advertise()

    def test_a_bond_that_one_side_has_lost(self):
        self.bluez.become('NoInputNoOutput')
        self.assertIn('Secure', self.pair('just works'))
        # BlueZ's is lost: the link ends, until a person forgets the bond.
        self.bluez.remove_all()
        status, text = self.drive('connect=FF50')
        self.assertEqual(status, 1)
        self.assertIn('Peer removed pairing information', text)
        address = self.bluez.address
        status, text = self.drive(f'forget={address}', 'bonds', 'connect=FF50', 'read=FF51', 'bonds')
        self.assertEqual(status, 0, text)
        self.assertIn(f'forgot {address}', text)
        self.assertIn(f'bonded with {address}', text)
        # Ours is lost: BlueZ lets it pair anew.
        status, text = self.drive(f'forget={address}', 'connect=FF50', 'read=FF51', 'bonds')
        self.assertEqual(status, 0, text)
        self.assertIn('bonded with', text)


    def test_the_private_addresses_of_a_device_are_one_device(self):
        self.bluez.become('NoInputNoOutput')
        self.bluez.manage('privacy', 'on')
        self.bluez.advertise()
        try:
            with Recording('central-privacy') as recording:
                self.pair('just works')
                status, text = self.drive('bonds')
                identity = re.search(r'bonded with (\S+)', text)[1]
                self.assertEqual(identity, self.bluez.address)
                # The next private address: BlueZ makes one whenever it is switched on.
                self.bluez.power(False)
                self.bluez.power(True)
                self.bluez.advertise()
                status, text = self.drive('connect=FF50', 'read=FF51', 'bonds')
            self.assertEqual(status, 0, text)
            self.assertIn('FF51 is 626f6e646564 "bonded"', text)
            self.assertEqual(text.count('bonded with'), 1, text)
            check(self, recording, OURS)
        finally:
            self.bluez.manage('privacy', 'off')
            self.bluez.advertise()


class Essential(Central):
    """One way, for every test of the repository."""

    def test_it_pairs_in_every_way_and_reads_by_the_bond(self):
        self.session('DisplayYesNo', True)

    test_a_bond_that_one_side_has_lost = None
    test_the_private_addresses_of_a_device_are_one_device = None


if __name__ == '__main__':
    unittest.main()
