"""Sessions of a phone with a car, of UQDK reference format 1 (`judge faults`).

The car is that of tools/peers/uqdk, without a radio: what it answers is what a car answers. The phone is
here, so that it can do what a phone should not.
"""

from judge import octets as o
from judge.session import Session
from peers.uqdk import security
from peers.uqdk.car import Car, Key
from peers.uqdk.fragments import split
from peers.uqdk.messages import Command, Kind, Message

UUID = '5551444B-{:04X}-4449-4749-54414C4B4559'.format
IN_CLEAR_LAST = 0x0200


class KeySession(Session):
    """What the phone's bus shows of its visits to one car."""

    def __init__(self, seed):
        super().__init__(seed)
        start = self.services[0][0]
        characteristics = [(start + 1, 0x0C, start + 2, UUID(2)), (start + 3, 0x10, start + 4, UUID(3)),
                           (start + 6, 0x02, start + 7, UUID(4))]
        self.services = [(start, start + 7, UUID(1), characteristics)]
        self.command_value, self.notifying, self.info = [value for *_, value, _ in characteristics]
        self.writable = [self.command_value]
        self.mtu = self.random.choice([23, 65, 185, 247])
        self.writes = self.random.choice([o.write_request, o.write_command])
        self.key_id, self.key = self.random.randbytes(8), self.random.randbytes(16)
        self.phone_key = self.key
        self.auth_counter = self.random.randrange(1, 1000)
        self.next_id = 0
        self.on_the_air = lambda fragment: fragment  # of the car's: None is lost
        self.car = Car({self.key_id: Key(self.key, slot=0)}, clock=lambda: self.now_us / 1e6,
                       make_code=lambda: f'{self.random.randrange(1_000_000):06d}',
                       make_nonce=lambda: self.random.randbytes(16))
        self.car.open_pairing_window()
        self.keys = {'test': True, 'uqdk': [{'keyId': self.key_id.hex(), 'key': self.key.hex(),
                                             'pairingCode': self.car.pairing_code}]}

    # The connection

    def discover(self, handle, services, adapter=0):
        """A 128-bit UUID at a time, since more don't fit in the smallest MTU."""
        start, end, kind, characteristics = services[0]
        self.exchange(o.read_by_group_type_request(1, 0xFFFF),
                      o.read_by_group_type_response([(start, end, kind)]))
        self.refused(o.read_by_group_type_request(end + 1, 0xFFFF), 0x0A)
        after = start
        for declaration, properties, value, kind in characteristics:
            self.exchange(o.read_by_type_request(after, end, '2803'), o.read_by_type_response(
                [(declaration, o.characteristic(properties, value, kind))]))
            after = value
        cccd = self.notifying + 1
        self.exchange(o.find_information_request(cccd, cccd), o.find_information_response([(cccd, '2902')]))

    def begin(self):
        self.scan()
        self.connects()
        if self.mtu > 23:
            self.exchange(o.exchange_mtu_request(517), o.exchange_mtu_response(self.mtu))
        self.discover(self.handle, self.services)
        self.session = None
        self.link = self.car.connected(self.hear, lambda: self.mtu - 3)

    def visit(self):
        """As far as a session."""
        self.begin()
        self.subscribe()
        self.authenticate()

    def ends(self, reason, by_host=None):
        super().ends(reason, by_host)
        if self.link in self.car.links:
            self.car.disconnected(self.link)

    # Fragments and messages

    def hear(self, fragment):
        fragment = self.on_the_air(fragment)
        if fragment is not None:
            self.say('rx', o.notification(self.notifying, fragment))

    def write(self, fragment):
        self.say('tx', self.writes(self.command_value, fragment))
        if self.writes is o.write_request:
            self.say('rx', o.write_response())
        self.car.received(self.link, fragment)

    def send(self, octets, message_id=None):
        for fragment in split(self.take_id() if message_id is None else message_id, octets, self.mtu - 3):
            self.write(fragment)

    def take_id(self):
        self.next_id = (self.next_id + 1) % 0x80
        return self.next_id

    def message(self, message_id, command, body=b''):
        """The octets of a request, secured where a session stands and the command wants it."""
        message = Message(Kind.REQUEST, command, body)
        if self.session and command > IN_CLEAR_LAST:
            message = message.sealed(self.session, message_id)
        return message.encode()

    def request(self, command, body=b''):
        message_id = self.take_id()
        self.send(self.message(message_id, command, body), message_id)

    # Activation and authentication

    def activate(self, code=None):
        code = self.car.pairing_code if code is None else code
        self.request(Command.ACTIVATE, self.key_id + security.activation_proof(self.phone_key, code))

    def auth_begin(self):
        self.phone_nonce = self.random.randbytes(16)
        self.request(Command.AUTH_BEGIN, self.key_id + self.phone_nonce)
        if self.link.begun:
            self.vehicle_nonce = self.link.begun[2]

    def auth_finish(self, counter=None):
        """The session stands where the car took it."""
        if counter is None:
            self.auth_counter += 1
            counter = self.auth_counter
        proof = security.phone_proof(
            self.phone_key, self.key_id, self.vehicle_nonce, self.phone_nonce, counter)
        before = self.link.session
        self.request(Command.AUTH_FINISH, counter.to_bytes(4, 'big') + proof)
        if self.link.session is not before:
            key = security.session_key(self.phone_key, self.phone_nonce, self.vehicle_nonce)
            self.session = security.Session(key, self.vehicle_nonce, security.PHONE_TO_CAR)

    def authenticate(self, counter=None):
        self.auth_begin()
        self.auth_finish(counter)

    def drives(self, least=1, most=5):
        """Commands that a car does."""
        for _ in range(self.random.randrange(least, most)):
            self.wait(0.3, 3)
            self.request(*self.random.choice([
                (Command.DOOR_UNLOCK, b'\xff'), (Command.DOOR_LOCK, b'\xff'), (Command.STATUS_QUERY,),
                (Command.FIND_VEHICLE, b'\3\2')]))


class CarSession(KeySession):
    """The same visits on the car's bus: the recorded device is the car."""

    def say(self, direction, payload):
        super().say('rx' if direction == 'tx' else 'tx', payload)

    def scan(self):
        self.wait(1, 60)

    def connects(self):
        self.connect(self.handle, self.peer, role=1, peer_type=1)
