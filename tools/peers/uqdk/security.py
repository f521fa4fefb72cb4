"""The cryptography of UQDK reference format 1: proofs, the session key, secured payloads."""

import hmac
import struct
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC

PROOF_LENGTH = 8
TAG_LENGTH = 8
COUNTER_MAX = 0xFFFF_FFFF
PHONE_TO_CAR = 0
CAR_TO_PHONE = 1


class SecurityError(Exception):
    """A secured payload that is too short or whose tag does not verify."""


def cmac(key: bytes, *parts: bytes) -> bytes:
    """AES-CMAC (RFC 4493) over the parts put together."""
    code = CMAC(AES(key))
    for part in parts:
        code.update(part)
    return code.finalize()


def activation_proof(key: bytes, pairing_code: str) -> bytes:
    return cmac(key, b"UQDK-ACT", pairing_code.encode("ascii"))[:PROOF_LENGTH]


def vehicle_proof(key: bytes, key_id: bytes, phone_nonce: bytes, vehicle_nonce: bytes) -> bytes:
    return cmac(key, b"UQDK-V1", key_id, phone_nonce, vehicle_nonce)[:PROOF_LENGTH]


def phone_proof(
    key: bytes, key_id: bytes, vehicle_nonce: bytes, phone_nonce: bytes, counter: int
) -> bytes:
    number = struct.pack(">I", counter)
    return cmac(key, b"UQDK-P1", key_id, vehicle_nonce, phone_nonce, number)[:PROOF_LENGTH]


def session_key(key: bytes, phone_nonce: bytes, vehicle_nonce: bytes) -> bytes:
    return cmac(key, b"UQDK-S1", phone_nonce, vehicle_nonce)


def same(left: bytes, right: bytes) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(left, right)


@dataclass
class Session:
    """Seals and opens the payloads of one authenticated session, for either side of it."""

    key: bytes
    vehicle_nonce: bytes
    sends: int  # PHONE_TO_CAR or CAR_TO_PHONE
    sent: int = 0  # the counter last used for sending
    received: int = 0  # the highest counter accepted

    @property
    def is_used_up(self) -> bool:
        return COUNTER_MAX in (self.sent, self.received)

    def seal(self, message_id: int, header: bytes, body: bytes) -> bytes:
        """The secured payload; `header` is the message's octets 0 to 8 with their final length."""
        self.sent += 1
        nonce = self._nonce(self.sends, self.sent)
        data = bytes([message_id]) + header
        sealed = AESCCM(self.key, tag_length=TAG_LENGTH).encrypt(nonce, body, data)
        return struct.pack(">I", self.sent) + sealed

    def open(self, message_id: int, header: bytes, payload: bytes) -> tuple[int, bytes]:
        """The counter and the body. Whether the counter is new is the caller's to judge."""
        if len(payload) < 4 + TAG_LENGTH:
            raise SecurityError("a secured payload has at least 12 octets")
        counter = int.from_bytes(payload[:4], "big")
        nonce = self._nonce(1 - self.sends, counter)
        data = bytes([message_id]) + header
        try:
            body = AESCCM(self.key, tag_length=TAG_LENGTH).decrypt(nonce, payload[4:], data)
        except InvalidTag:
            raise SecurityError("the tag does not verify") from None
        return counter, body

    def _nonce(self, direction: int, counter: int) -> bytes:
        return bytes([direction]) + self.vehicle_nonce[:8] + struct.pack(">I", counter)
