"""Devices in the virtual air with Bumble as their central: radio, attributes and protocol at once."""

import asyncio
import unittest

from bumble.att import ATT_Error
from bumble.core import UUID
from bumble.device import DeviceConfiguration, Peer

from peers.air import Air, public
from peers.gadgets import Band, Mobike
from peers.uploader import Uploader
from peers.uqdk import gatt_car
from peers.uqdk.car import Car, Key
from peers.uqdk.messages import Command, Status
from peers.uqdk.phone import Phone

KEY, KEY_ID = bytes(range(16)), bytes.fromhex("1122334455667788")
CENTRAL = "02:00:00:00:00:10"
LIMIT = 120.0  # seconds; each wait ends with what it waits for


async def until(condition) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():
            await asyncio.sleep(0.01)


def short(number: int) -> UUID:
    return UUID.from_16_bits(number)


class Central:
    """A Bumble host with a public address, as Linux is one."""

    async def start(self, air: Air) -> "Central":
        self.device = await air.add_device(DeviceConfiguration(name="central"), CENTRAL)
        return self

    async def connect(self, address) -> Peer:
        connecting = self.device.connect(address, own_address_type=0)
        peer = Peer(await asyncio.wait_for(connecting, LIMIT))
        await peer.discover_all()
        return peer


def attribute(peer: Peer, uuid: UUID):
    (found,) = peer.get_characteristics_by_uuid(uuid)
    return found


class AirTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.air = Air()
        self.central = await Central().start(self.air)

    async def test_a_scan_sees_the_data_and_the_scan_response_once_each(self):
        seen = []
        controller = next(c for c in self.air.link.controllers if c.name == "central")
        send = controller.send_hci_packet
        controller.send_hci_packet = lambda packet: (seen.append(packet), send(packet))
        advertised = []
        hear = controller.on_advertising_pdu
        controller.on_advertising_pdu = lambda pdu: (hear(pdu), advertised.append(pdu))
        car = gatt_car.GattCar(Car({KEY_ID: Key(KEY)}), bytes(8), 23)
        await car.start(self.air)
        await self.central.device.start_scanning(filter_duplicates=True)
        first = len(advertised)
        await until(lambda: len(advertised) >= first + 4)
        reports = [packet.reports[0] for packet in seen if hasattr(packet, "reports")]
        data = [(report.event_type, bytes(report.data)) for report in reports]
        self.assertEqual([kind for kind, _ in data], [0, 4])  # ADV_IND, SCAN_RSP
        self.assertIn(bytes.fromhex("0CFFFFFF555102025551000001"), data[0][1])
        self.assertIn(bytes(gatt_car.SERVICE), data[1][1])

    async def test_the_car_is_activated_and_unlocked(self):
        for mtu in (23, 517):
            with self.subTest(mtu=mtu):
                await self._visit_the_car(mtu)

    async def test_a_value_is_refused_with_its_att_error(self):
        mobike = Mobike()
        await mobike.start(self.air)
        peer = await self.central.connect(mobike.device.random_address)
        for uuid, error in [(0xFFE2, 0x0D), (0xFFE1, 0x03)]:
            with self.assertRaises(ATT_Error) as caught:
                await attribute(peer, short(uuid)).write_value(b"12", with_response=True)
            self.assertEqual(caught.exception.error_code, error)

    async def test_the_band_answers_with_a_checksum(self):
        await Band().start(self.air)
        peer = await self.central.connect(public(Band.address))
        answers = asyncio.Queue()
        await attribute(peer, short(0xFF01)).subscribe(answers.put_nowait)
        for expected in ("567b0629", "567b052a"):
            await attribute(peer, short(0xFF02)).write_value(bytes.fromhex("1b9901"))
            answer = await asyncio.wait_for(answers.get(), LIMIT)
            self.assertEqual(answer.hex(), expected)
            self.assertEqual(sum(answer) % 256, 0)

    async def test_fragments_of_two_links_take_turns_and_come_together(self):
        uploads = []
        for number in (3, 4):
            uploader = Uploader(number, has_version=number == 4)
            await uploader.start(self.air)
            peer = await self.central.connect(public(uploader.address))
            await peer.request_mtu(517)
            queue = asyncio.Queue()
            data = attribute(peer, short(0xFFE1))
            await data.subscribe(queue.put_nowait)
            await data.write_value(bytes.fromhex("AA031272020001723055"), with_response=True)
            uploads.append(queue)
        for queue in uploads:
            self.assertEqual(await asyncio.wait_for(queue.get(), LIMIT), b"SPEED 200")
            for _ in range(2):
                value = await asyncio.wait_for(queue.get(), LIMIT)
                self.assertEqual(value, value[:1] * 100)

    async def _visit_the_car(self, mtu: int) -> None:
        # Time stands, so that nothing is too late where the machine is busy.
        car = Car({KEY_ID: Key(KEY)}, clock=lambda: 0.0)
        car.open_pairing_window()
        peripheral = gatt_car.GattCar(car, bytes(8), mtu)
        peripheral.address = f"02:55:51:00:{mtu >> 8:02X}:{mtu & 0xFF:02X}"
        await peripheral.start(self.air)
        peer = await self.central.connect(public(peripheral.address))
        self.assertEqual(await peer.request_mtu(517), mtu)
        command = attribute(peer, gatt_car.COMMAND)

        async def write(value: bytes) -> None:
            await command.write_value(value, with_response=True)

        phone = Phone(KEY_ID, KEY, write, mtu - 3, command_seconds=LIMIT, clock=lambda: 0.0)
        await attribute(peer, gatt_car.EVENT).subscribe(phone.received)
        self.assertEqual(await phone.activate(car.pairing_code), (Status.SUCCESS, b"\0"))
        self.assertEqual(await phone.authenticate(), Status.SUCCESS)
        status, _ = await phone.request(Command.DOOR_UNLOCK, b"\xff")
        self.assertEqual((status, car.vehicle.state.doors_locked), (Status.SUCCESS, 0))
        events = [await asyncio.wait_for(phone.events.get(), LIMIT) for _ in range(2)]
        self.assertEqual([kind for kind, _ in events], [Command.PROXIMITY_EVENT, Command.STATUS_EVENT])
        await peer.connection.disconnect()
        await until(lambda: peripheral.device.is_advertising)  # it starts again by itself


if __name__ == "__main__":
    unittest.main()
