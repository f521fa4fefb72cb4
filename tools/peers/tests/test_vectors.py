"""The format's own test vectors, and the checksum's and the MAC's."""

import unittest

from peers.uqdk import security
from peers.uqdk.fragments import Reassembler, split
from peers.uqdk.messages import Command, Kind, Message, VehicleState, crc16

KEY = bytes(range(16))
KEY_ID = bytes.fromhex("1122334455667788")
PHONE_NONCE = bytes(range(0xA0, 0xB0))
VEHICLE_NONCE = bytes(range(0xC0, 0xD0))
AUTH_COUNTER = 7
PAIRING_CODE = "314159"
VALUE_LENGTH = 20  # ATT_MTU 23
STATE = VehicleState(doors_locked=0, doors_open=1, engine=0, battery_percent=60, range_km=412)
VEHICLE_PROOF = "b73a9aebed7c0dbc"
PHONE_PROOF = "402c2ef6d7513e03"

# name, message id, kind, command, body, fragments
UNSECURED = [
    (
        "ACTIVATE request",
        0,
        Kind.REQUEST,
        Command.ACTIVATE,
        KEY_ID.hex() + "064b7ed42959d4e8",
        "0000555101010001000010112233445566778806 00814b7ed42959d4e844a5",
    ),
    (
        "ACTIVATE response, slot 2",
        0,
        Kind.RESPONSE,
        Command.ACTIVATE,
        "0002",
        "00805551010200010000020002aa27",
    ),
    (
        "AUTH_BEGIN request",
        1,
        Kind.REQUEST,
        Command.AUTH_BEGIN,
        KEY_ID.hex() + PHONE_NONCE.hex(),
        "01005551010101010000181122334455667788a0 0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3",
    ),
    (
        "AUTH_BEGIN response",
        1,
        Kind.RESPONSE,
        Command.AUTH_BEGIN,
        "00" + VEHICLE_NONCE.hex() + VEHICLE_PROOF,
        "010055510102010100001900c0c1c2c3c4c5c6c7 0181c8c9cacbcccdcecfb73a9aebed7c0dbc6d71",
    ),
    (
        "AUTH_FINISH request",
        2,
        Kind.REQUEST,
        Command.AUTH_FINISH,
        "00000007" + PHONE_PROOF,
        "020055510101010200000c00000007402c2ef6d7 0281513e033947",
    ),
    (
        "AUTH_FINISH response, 300 s",
        2,
        Kind.RESPONSE,
        Command.AUTH_FINISH,
        "00012c",
        "028055510102010200000300012c6af8",
    ),
]

# name, direction, counter, message id, kind, command, body, fragments
SECURED = [
    (
        "DOOR_UNLOCK 0xFF",
        security.PHONE_TO_CAR,
        1,
        3,
        Kind.REQUEST,
        Command.DOOR_UNLOCK,
        "ff",
        "030055510101020201000d0000000189f1b1d123 03816aef5b1d7b6e",
    ),
    (
        "DOOR_UNLOCK response",
        security.CAR_TO_PHONE,
        1,
        3,
        Kind.RESPONSE,
        Command.DOOR_UNLOCK,
        "00",
        "030055510102020201000d00000001538e326134 0381ffa5c5a9abf9",
    ),
    (
        "STATUS_EVENT",
        security.CAR_TO_PHONE,
        2,
        0x80,
        Kind.EVENT,
        Command.STATUS_EVENT,
        STATE.encode().hex(),
        "800055510103040101001600000002dce20825a1 8081d9a4a344800b74b9c15373b4ee88e2",
    ),
]


def session(direction: int, sent: int = 0) -> security.Session:
    key = security.session_key(KEY, PHONE_NONCE, VEHICLE_NONCE)
    return security.Session(key, VEHICLE_NONCE, direction, sent=sent)


def put_together(fragments: str) -> tuple[int, bytes]:
    reassembler = Reassembler(lambda: 0.0)
    outcomes = [o for part in fragments.split() for o in reassembler.receive(bytes.fromhex(part))]
    (outcome,) = outcomes
    return outcome


class VectorTests(unittest.TestCase):
    def test_the_checksum(self):
        self.assertEqual(crc16(b"123456789"), 0x29B1)

    def test_cmac_as_rfc_4493_has_it(self):
        key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
        self.assertEqual(security.cmac(key).hex(), "bb1d6929e95937287fa37d129b756746")

    def test_the_proofs_and_the_session_key(self):
        activation = security.activation_proof(KEY, PAIRING_CODE)
        vehicle = security.vehicle_proof(KEY, KEY_ID, PHONE_NONCE, VEHICLE_NONCE)
        phone = security.phone_proof(KEY, KEY_ID, VEHICLE_NONCE, PHONE_NONCE, AUTH_COUNTER)
        secret = security.session_key(KEY, PHONE_NONCE, VEHICLE_NONCE)
        self.assertEqual(activation.hex(), "064b7ed42959d4e8")
        self.assertEqual(vehicle.hex(), VEHICLE_PROOF)
        self.assertEqual(phone.hex(), PHONE_PROOF)
        self.assertEqual(secret.hex(), "1f5286e7a0fe8800a6aba31e1637456e")

    def test_unsecured_messages_both_ways(self):
        for name, message_id, kind, command, body, fragments in UNSECURED:
            with self.subTest(name):
                message = Message(kind, command, bytes.fromhex(body))
                made = split(message_id, message.encode(), VALUE_LENGTH)
                self.assertEqual(" ".join(part.hex() for part in made), fragments)
                self.assertEqual(put_together(fragments), (message_id, message.encode()))
                self.assertEqual(Message.decode(message.encode()), message)

    def test_secured_messages_both_ways(self):
        for name, direction, counter, message_id, kind, command, body, fragments in SECURED:
            with self.subTest(name):
                plain = Message(kind, command, bytes.fromhex(body))
                sealed = plain.sealed(session(direction, counter - 1), message_id)
                made = split(message_id, sealed.encode(), VALUE_LENGTH)
                self.assertEqual(" ".join(part.hex() for part in made), fragments)
                _, octets = put_together(fragments)
                message = Message.decode(octets)
                opened = session(1 - direction).open(message_id, message.header, message.payload)
                self.assertEqual(opened, (counter, plain.payload))

    def test_a_changed_octet_does_not_verify(self):
        *_, fragments = SECURED[0]
        message_id, octets = put_together(fragments)
        message = Message.decode(octets)
        receiver = session(security.CAR_TO_PHONE)
        for index in range(len(message.payload)):
            changed = bytearray(message.payload)
            changed[index] ^= 1
            with self.assertRaises(security.SecurityError):
                receiver.open(message_id, message.header, bytes(changed))
        with self.assertRaises(security.SecurityError):
            receiver.open(message_id + 1, message.header, message.payload)


if __name__ == "__main__":
    unittest.main()
