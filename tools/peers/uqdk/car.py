"""The car's side of UQDK reference format 1, without a radio: fragments in, fragments out."""

import secrets
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from . import security
from .fragments import FragmentError, Reassembler, split
from .messages import COMMAND_FIRST_SECURED, Command, Kind, Message, MessageError, Status, command_of
from .vehicle import Refused, Vehicle

BAD_PROOFS_MAX = 5
LOCK_OUT_SECONDS = 60
EVENT_ID_FIRST = 0x80
ZONE_UNLOCK = 2


@dataclass
class Key:
    """A digital key that the car knows."""

    secret: bytes
    slot: int | None = None  # set by its activation
    counter: int = 0  # the highest auth counter accepted
    bad_proofs: int = 0  # in a row
    locked_until: float = 0.0
    is_revoked: bool = False


@dataclass
class Link:
    """What the car keeps for one connection."""

    send: Callable[[bytes], None]  # one fragment, to be notified
    value_length: Callable[[], int]  # ATT_MTU - 3
    reassembler: Reassembler
    begun: tuple[bytes, bytes, bytes] | None = None  # key id, phone nonce, vehicle nonce
    session: security.Session | None = None
    session_end: float = 0.0
    session_key_id: bytes = b""
    used_pairing_code: bool = False
    event_id: int = EVENT_ID_FIRST


@dataclass
class Car:
    """A car with its keys. Every time it takes comes from `clock`, in seconds."""

    keys: dict[bytes, Key]
    vehicle: Vehicle = field(default_factory=Vehicle)
    slots: int = 4
    lifetime: int = 300  # of a session, in seconds
    clock: Callable[[], float] = time.monotonic
    make_code: Callable[[], str] = lambda: f"{secrets.randbelow(1_000_000):06d}"
    make_nonce: Callable[[], bytes] = lambda: secrets.token_bytes(16)
    log: Callable[[str], None] = lambda line: None
    rssi: int = -50  # at which the car hears the phone
    pairing_code: str | None = None  # None while the pairing window is closed
    activated_in_window: bool = False
    links: list[Link] = field(default_factory=list)

    # The pairing window

    def open_pairing_window(self) -> None:
        self.pairing_code = self.make_code()
        self.activated_in_window = False
        self.log(f"pairing window open, code {self.pairing_code}")

    def close_pairing_window(self) -> None:
        self.pairing_code = None

    @property
    def is_full(self) -> bool:
        return sum(key.slot is not None for key in self.keys.values()) >= self.slots

    # Links

    def connected(self, send: Callable[[bytes], None], value_length: Callable[[], int]) -> Link:
        link = Link(send, value_length, Reassembler(self.clock))
        self.links.append(link)
        return link

    def disconnected(self, link: Link) -> None:
        """A code lives as long as the connection that used it; an activation closes the window."""
        self.links.remove(link)
        link.reassembler.clear()
        if self.pairing_code and self.activated_in_window:
            self.close_pairing_window()
        elif self.pairing_code and link.used_pairing_code:
            self.open_pairing_window()

    def received(self, link: Link, fragment: bytes) -> None:
        """One value written to the Command characteristic."""
        self._settle(link, link.reassembler.receive(fragment))

    def tick(self) -> None:
        """To be called now and then: ends the messages whose next fragment is overdue."""
        for link in self.links:
            self._settle(link, link.reassembler.expired())

    def _settle(self, link: Link, outcomes: list) -> None:
        for outcome in outcomes:
            if isinstance(outcome, FragmentError):
                self.log(f"error: {outcome}")
                status = Status.TIMED_OUT if outcome.timed_out else Status.BAD_MESSAGE
                self._respond(link, outcome.message_id, command_of(outcome.head), status)
            else:
                self._message(link, *outcome)

    # Messages

    def _message(self, link: Link, message_id: int, octets: bytes) -> None:
        try:
            message = Message.decode(octets)
            if message.kind != Kind.REQUEST or message_id >= EVENT_ID_FIRST:
                raise MessageError("not a request of a phone", message.command)
        except MessageError as error:
            self.log(f"error: message {message_id:#04x}: {error}")
            self._respond(link, message_id, error.command, Status.BAD_MESSAGE)
            return
        if message.command >= COMMAND_FIRST_SECURED:
            self._secured(link, message_id, message)
        elif message.is_secured:
            self._respond(link, message_id, message.command, Status.BAD_MESSAGE)
        else:
            status, body = self._attempt(link, message.command, message.payload)
            self._respond(link, message_id, message.command, status, body)
            if message.command == Command.AUTH_FINISH and status == Status.SUCCESS:
                self.send_event(Command.PROXIMITY_EVENT, struct.pack(">Bb", ZONE_UNLOCK, self.rssi))

    def _secured(self, link: Link, message_id: int, message: Message) -> None:
        if not self._session_stands(link) or not message.is_secured:
            status = Status.AUTHENTICATION_REQUIRED
            self._respond(link, message_id, message.command, status)
            return
        try:
            counter, body = link.session.open(message_id, message.header, message.payload)
        except security.SecurityError as error:
            self.log(f"error: message {message_id:#04x}: {error}")
            self._respond(link, message_id, message.command, Status.BAD_MESSAGE)
            return
        if counter <= link.session.received:
            status, answer = Status.COUNTER_REPLAYED, b""
        else:
            link.session.received = counter
            status, answer = self._attempt(link, message.command, body)
        self._respond(link, message_id, message.command, status, answer, secured=True)
        if self.vehicle.take_changed():
            self.send_event(Command.STATUS_EVENT, self.vehicle.state.encode())
        fault = self.vehicle.take_fault()
        if fault:
            self.send_event(Command.FAULT_EVENT, fault)

    def _attempt(self, link: Link, command: int, body: bytes) -> tuple[Status, bytes]:
        """The status and the body after it."""
        try:
            match command:
                case Command.ACTIVATE:
                    return Status.SUCCESS, self._activate(link, body)
                case Command.AUTH_BEGIN:
                    return Status.SUCCESS, self._auth_begin(link, body)
                case Command.AUTH_FINISH:
                    return Status.SUCCESS, self._auth_finish(link, body)
                case _:
                    return Status.SUCCESS, self.vehicle.perform(command, body, self.clock())
        except Refused as refusal:
            self.log(f"refused: {refusal.status.name} ({command:#06x})")
            return refusal.status, b""

    def _session_stands(self, link: Link) -> bool:
        session = link.session
        if session and (self.clock() >= link.session_end or session.is_used_up):
            link.session = session = None
        return session is not None and not self.keys[link.session_key_id].is_revoked

    # Activation and authentication

    def _usable_key(self, key_id: bytes) -> Key:
        key = self.keys.get(key_id)
        if key is None or key.is_revoked:
            raise Refused(Status.KEY_REVOKED_OR_EXPIRED)
        if self.clock() < key.locked_until:
            raise Refused(Status.KEY_LOCKED_OUT)
        return key

    def _check_proof(self, key: Key, proof: bytes, expected: bytes) -> None:
        if security.same(proof, expected):
            key.bad_proofs = 0
            return
        key.bad_proofs += 1
        if key.bad_proofs == BAD_PROOFS_MAX:
            key.bad_proofs = 0
            key.locked_until = self.clock() + LOCK_OUT_SECONDS
        raise Refused(Status.BAD_PROOF)

    def _activate(self, link: Link, body: bytes) -> bytes:
        if len(body) != 16:
            raise Refused(Status.BAD_MESSAGE)
        if self.pairing_code is None:
            raise Refused(Status.REFUSED_IN_THIS_STATE)
        key = self._usable_key(body[:8])
        link.used_pairing_code = True
        self._check_proof(key, body[8:], security.activation_proof(key.secret, self.pairing_code))
        if key.slot is None:
            taken = {other.slot for other in self.keys.values()}
            free = [slot for slot in range(self.slots) if slot not in taken]
            if not free:
                raise Refused(Status.REFUSED_IN_THIS_STATE)
            key.slot = free[0]
        self.activated_in_window = True
        return bytes([key.slot])

    def _auth_begin(self, link: Link, body: bytes) -> bytes:
        if len(body) != 24:
            raise Refused(Status.BAD_MESSAGE)
        key_id, phone_nonce = body[:8], body[8:]
        key = self._usable_key(key_id)
        if key.slot is None:
            raise Refused(Status.REFUSED_IN_THIS_STATE)
        vehicle_nonce = self.make_nonce()
        link.begun = key_id, phone_nonce, vehicle_nonce
        proof = security.vehicle_proof(key.secret, key_id, phone_nonce, vehicle_nonce)
        return vehicle_nonce + proof

    def _auth_finish(self, link: Link, body: bytes) -> bytes:
        if len(body) != 12:
            raise Refused(Status.BAD_MESSAGE)
        if link.begun is None:
            raise Refused(Status.AUTHENTICATION_REQUIRED)
        (key_id, phone_nonce, vehicle_nonce), link.begun = link.begun, None
        key = self._usable_key(key_id)
        counter = int.from_bytes(body[:4], "big")
        self._check_proof(
            key,
            body[4:],
            security.phone_proof(key.secret, key_id, vehicle_nonce, phone_nonce, counter),
        )
        if counter <= key.counter:
            raise Refused(Status.COUNTER_REPLAYED)
        key.counter = counter
        secret = security.session_key(key.secret, phone_nonce, vehicle_nonce)
        link.session = security.Session(secret, vehicle_nonce, security.CAR_TO_PHONE)
        link.session_end = self.clock() + self.lifetime
        link.session_key_id = key_id
        self.log(f"session of key {key_id.hex()}, auth counter {counter}")
        return struct.pack(">H", self.lifetime)

    # Sending

    def send_event(self, command: Command, body: bytes) -> None:
        """An event to every link with a session; others learn nothing about the vehicle."""
        for link in self.links:
            if not self._session_stands(link):
                continue
            message_id = link.event_id
            link.event_id = EVENT_ID_FIRST if message_id == 0xFF else message_id + 1
            message = Message(Kind.EVENT, command, body)
            self._send(link, message_id, message.sealed(link.session, message_id))

    def _respond(
        self, link, message_id: int, command: int, status: Status, body=b"", secured=False
    ) -> None:
        message = Message(Kind.RESPONSE, command, bytes([status]) + body)
        if secured:
            message = message.sealed(link.session, message_id)
        self._send(link, message_id, message)

    def _send(self, link: Link, message_id: int, message: Message) -> None:
        for fragment in split(message_id, message.encode(), link.value_length()):
            link.send(fragment)
