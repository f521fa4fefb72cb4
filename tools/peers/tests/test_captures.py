"""The recordings in captures/ are what their notes say."""

import json
import pathlib
import unittest

from peers import capture
from peers.notes import hci_events, uqdk_messages

CAPTURES = pathlib.Path(__file__).parents[3] / "captures"
HANDLES = (0x0010, 0x0012)


def messages(name: str) -> list[dict]:
    text = (CAPTURES / "uqdk-unlock.keys.json").read_text()
    keys = {bytes.fromhex(e["keyId"]): bytes.fromhex(e["key"]) for e in json.loads(text)["uqdk"]}
    return list(uqdk_messages(CAPTURES / f"{name}.btsnoop", keys, HANDLES))


class CaptureTests(unittest.TestCase):
    def test_every_recording_has_its_note_and_whole_links(self):
        recordings = sorted(CAPTURES.glob("*.btsnoop"))
        self.assertGreaterEqual(len(recordings), 10)
        for path in recordings:
            with self.subTest(path.name):
                self.assertTrue(path.with_suffix(".md").exists())
                lines = [text for _, text in hci_events(path)]
                ups = [text for text in lines if text.startswith("LE Connection Complete: status 0x00")]
                downs = [text for text in lines if text.startswith("Disconnection Complete")]
                self.assertGreaterEqual(len(ups), 1)
                self.assertEqual(len(ups), len(downs))

    def test_the_lists_of_messages_are_those_of_the_recordings(self):
        for path in sorted(CAPTURES.glob("*.messages.ndjson")):
            with self.subTest(path.name):
                written = [json.loads(line) for line in path.read_text().splitlines()]
                self.assertEqual(messages(path.name.removesuffix(".messages.ndjson")), written)

    def test_the_sessions_hold_what_they_are_for(self):
        unlock, refusals = messages("uqdk-unlock"), messages("uqdk-refusals")
        wanted = {
            "ACTIVATE",
            "AUTH_BEGIN",
            "AUTH_FINISH",
            "DOOR_UNLOCK",
            "STATUS_QUERY",
            "STATUS_EVENT",
        }
        self.assertLessEqual(wanted, {fields.get("name") for fields in unlock})
        self.assertTrue(all(fields["tag"] == "verified" for fields in unlock if fields.get("secured")))
        forged = [fields for fields in refusals if fields.get("tag") == "wrong"]
        self.assertEqual(len(forged), 1)
        statuses = {fields["status"] for fields in unlock + refusals if "status" in fields}
        self.assertEqual(len(statuses), 11)

    def test_the_two_recorders_agree(self):
        records = [record for record in capture.records(CAPTURES / "uqdk-unlock.btsnoop")]
        octets = (CAPTURES / "uqdk-unlock.pcap").read_bytes()
        offset, packets = 24, []
        while offset < len(octets):
            length = int.from_bytes(octets[offset + 8 : offset + 12], "little")
            packets.append(octets[offset + 16 : offset + 16 + length])
            offset += 16 + length
        self.assertEqual(len(records), len(packets))
        for record, packet in zip(records, packets):
            header = record.adapter.to_bytes(2, "big") + record.opcode.to_bytes(2, "big")
            self.assertEqual(header + record.data, packet)


if __name__ == "__main__":
    unittest.main()
