"""The phone's side of UQDK reference format 1, without a radio."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from . import security
from .fragments import FragmentError, Reassembler, split
from .messages import COMMAND_FIRST_SECURED, Command, Kind, Message, MessageError, Status


class PhoneError(Exception):
    """The car's answer can't be believed, or none came."""


@dataclass
class Phone:
    """One key on one connection."""

    key_id: bytes
    key: bytes
    write: Callable[[bytes], Awaitable[None]]  # one value to the Command characteristic
    value_length: int  # ATT_MTU - 3
    auth_counter: int = 0  # the last one used
    command_seconds: float = 5.0
    make_nonce: Callable[[], bytes] = lambda: secrets.token_bytes(16)
    clock: Callable[[], float] = time.monotonic
    log: Callable[[str], None] = lambda line: None
    session: security.Session | None = None
    begun: security.Session | None = None  # stands once AUTH_FINISH is answered with success
    next_id: int = 0
    waiting: dict[int, asyncio.Future] = field(default_factory=dict)
    events: asyncio.Queue = field(default_factory=asyncio.Queue)

    def __post_init__(self):
        self._reassembler = Reassembler(self.clock)

    # Receiving

    def received(self, fragment: bytes) -> None:
        """One value notified by the Event characteristic."""
        for outcome in self._reassembler.receive(fragment):
            if isinstance(outcome, FragmentError):
                self.log(f"error: {outcome}")
                continue
            message_id, octets = outcome
            try:
                self._message(message_id, Message.decode(octets))
            except (MessageError, security.SecurityError) as error:
                self.log(f"error: message {message_id:#04x}: {error}")

    def _message(self, message_id: int, message: Message) -> None:
        body = message.payload
        if message.is_secured:
            if self.session is None:
                raise MessageError("secured without a session")
            counter, body = self.session.open(message_id, message.header, message.payload)
            if counter <= self.session.received:
                raise MessageError(f"counter {counter} is replayed")
            self.session.received = counter
        if message.kind == Kind.EVENT:
            if self.session and not message.is_secured:
                raise MessageError("an unsecured event in a session")
            self.events.put_nowait((Command(message.command), body))
        elif message_id in self.waiting and not self.waiting[message_id].done():
            if message.command == Command.AUTH_FINISH and body[:1] == bytes([Status.SUCCESS]):
                self.session = self.begun  # at once: an event may follow in the same breath
            self.waiting[message_id].set_result((message.is_secured, body))

    # Sending

    async def request(self, command: int, body: bytes = b"") -> tuple[Status, bytes]:
        """A request as the format wants it: secured from 0x0201 on once a session stands."""
        message_id = self._take_id()
        message = Message(Kind.REQUEST, command, body)
        wants_secured = self.session is not None and command >= COMMAND_FIRST_SECURED
        if wants_secured:
            message = message.sealed(self.session, message_id)
        is_secured, answer = await self.exchange(message_id, message.encode())
        if not answer:
            raise PhoneError("a response without a status")
        status = Status(answer[0])
        if wants_secured and not is_secured:
            if status == Status.AUTHENTICATION_REQUIRED:
                self.session = None
            elif status == Status.SUCCESS:
                raise PhoneError("an unsecured success in a session")
        return status, answer[1:]

    async def exchange(self, message_id: int, octets: bytes) -> tuple[bool, bytes]:
        """Sends these octets as a message, whatever they are; the response's payload, opened."""
        return await self.exchange_fragments(message_id, split(message_id, octets, self.value_length))

    async def exchange_fragments(self, message_id: int, fragments: list[bytes]) -> tuple[bool, bytes]:
        self.waiting[message_id] = asyncio.get_running_loop().create_future()
        try:
            for fragment in fragments:
                await self.write(fragment)
            return await asyncio.wait_for(self.waiting[message_id], self.command_seconds)
        except TimeoutError:
            raise PhoneError(f"no response to message {message_id:#04x}") from None
        finally:
            del self.waiting[message_id]

    def _take_id(self) -> int:
        while self.next_id in self.waiting:
            self.next_id = (self.next_id + 1) % 0x80
        message_id, self.next_id = self.next_id, (self.next_id + 1) % 0x80
        return message_id

    # Activation and authentication

    async def activate(self, pairing_code: str) -> tuple[Status, bytes]:
        proof = security.activation_proof(self.key, pairing_code)
        return await self.request(Command.ACTIVATE, self.key_id + proof)

    async def authenticate(self, auth_counter: int | None = None) -> Status:
        """Both halves; the session stands when the status is success."""
        phone_nonce = self.make_nonce()
        status, body = await self.request(Command.AUTH_BEGIN, self.key_id + phone_nonce)
        if status != Status.SUCCESS:
            return status
        vehicle_nonce, proof = body[:16], body[16:]
        expected = security.vehicle_proof(self.key, self.key_id, phone_nonce, vehicle_nonce)
        if not security.same(proof, expected):
            raise PhoneError("the vehicle's proof is wrong")
        if auth_counter is None:
            self.auth_counter += 1
            auth_counter = self.auth_counter
        proof = security.phone_proof(self.key, self.key_id, vehicle_nonce, phone_nonce, auth_counter)
        finish = auth_counter.to_bytes(4, "big") + proof
        secret = security.session_key(self.key, phone_nonce, vehicle_nonce)
        self.begun = security.Session(secret, vehicle_nonce, security.PHONE_TO_CAR)
        status, _ = await self.request(Command.AUTH_FINISH, finish)
        return status
