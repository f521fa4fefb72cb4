import BluetoothCore
import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing
import VirtualController

@testable import SimulatedDevices

/// The car judged from outside: a phone that others wrote, Bumble's host with the Python phone of
/// tools/peers, on a controller of the virtual air, over HCI.
///
/// Left out where `tools/venv` has not been run.
@Suite(.judge, .serialized) struct BumblePhoneTests {
    static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    static let python = root.appending(path: ".cache/venv/bin/python")
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    // Bumble's host on standard input and output; lines go to standard error. A zero in the place of a packet
    // asks whether the host has done all that the packets before it brought about; so does its answer.
    static let phone = """
        import asyncio, sys
        import bumble.gatt_client
        from bumble.core import UUID
        from bumble.device import Device, Peer
        from bumble.hci import Address, OwnAddressType
        from bumble.transport.common import ParserSource, StreamPacketSink
        from peers.uqdk.messages import Command, Status, VehicleState
        from peers.uqdk.phone import Phone

        LONG = 600  # seconds for what comes at once, or never
        bumble.gatt_client.GATT_REQUEST_TIMEOUT = LONG

        def say(line): print(line, file=sys.stderr, flush=True)

        def length(octets):
            if octets[:1] == b"\\0": return 1
            if octets[:1] == b"\\4" and len(octets) >= 3: return 3 + octets[2]
            if octets[:1] == b"\\2" and len(octets) >= 5: return 5 + octets[3] + (octets[4] << 8)
            return 1 << 20

        class Source(asyncio.Protocol, ParserSource):
            octets = b""
            def data_received(self, data):
                self.octets += data
                while len(self.octets) >= (end := length(self.octets)):
                    packet, self.octets = self.octets[:end], self.octets[end:]
                    if packet == b"\\0": self.answer(50)
                    else: self.parser.feed_data(packet)
            def answer(self, turns):  # what is to be done has its turns before this
                if turns: asyncio.get_running_loop().call_soon(self.answer, turns - 1)
                else: self.answers.on_packet(b"\\0")

        async def main():
            loop = asyncio.get_running_loop()
            writing, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)
            Source.answers = sink = StreamPacketSink(writing)
            _, source = await loop.connect_read_pipe(Source, sys.stdin)
            device = Device.with_hci("phone", Address("F0:F1:F2:F3:F4:F5"), source, sink)
            await device.power_on()
            seen = asyncio.get_running_loop().create_future()
            def heard(advertisement):
                if not seen.done() and advertisement.address.to_string(False) == "02:55:51:00:00:01":
                    seen.set_result(advertisement)
            device.on("advertisement", heard)
            await device.start_scanning(active=True, own_address_type=OwnAddressType.PUBLIC)
            found = await asyncio.wait_for(seen, LONG)
            await device.stop_scanning()
            say("found " + bytes(found.data).hex()[:32])
            connection = await device.connect(found.address, own_address_type=OwnAddressType.PUBLIC)
            peer = Peer(connection)
            mtu = int(sys.argv[1])
            if mtu > 23: await peer.request_mtu(mtu)
            await peer.discover_services()
            await peer.discover_characteristics()
            def one(number):
                uuid = UUID(f"5551444B-000{number}-4449-4749-54414C4B4559")
                return peer.get_characteristics_by_uuid(uuid)[0]
            command, event, info = one(2), one(3), one(4)
            say("info " + bytes(await info.read_value()).hex())
            async def write(value): await command.write_value(value, with_response=True)
            phone = Phone(bytes.fromhex("1122334455667788"), bytes(range(16)), write, mtu - 3,
                          command_seconds=LONG, clock=lambda: 0.0, log=say)
            await event.subscribe(lambda value: phone.received(bytes(value)))
            async def ask(name, body=b""):
                status, answer = await phone.request(Command[name], body)
                say(f"{name} {status.name} {answer.hex()}".strip())
            async def hear():
                name, body = await asyncio.wait_for(phone.events.get(), LONG)
                say(f"{name.name} {body.hex()}")
            await ask("STATUS_QUERY")
            say("activate " + (await phone.activate("000000"))[0].name)
            status, slot = await phone.activate("314159")
            say(f"activate {status.name} {slot.hex()}")
            say("authenticate " + (await phone.authenticate(7)).name); await hear()
            await ask("DOOR_UNLOCK", b"\\xff"); await hear()
            await ask("STATUS_QUERY")
            await ask("TRUNK_OPEN"); await hear()
            await ask("ENGINE_START", b"\\x0a")
            await ask("DOOR_LOCK", b"\\xff"); await hear()
            await ask("WINDOW_SET", b"\\x01\\x32")
            say("authenticate " + (await phone.authenticate(7)).name)
            await connection.disconnect()
            say("end")

        asyncio.run(main())
        """

    /// The end of a process that speaks H4 on its standard input and output.
    private final class Host: Sendable {
        private let process = Process()
        private let (down, up, errors) = (Pipe(), Pipe(), Pipe())
        private let octets = Mutex<[UInt8]>([])

        init(_ arguments: [String]) throws {
            process.executableURL = BumblePhoneTests.python
            process.arguments = ["-B", "-c", BumblePhoneTests.phone] + arguments
            process.currentDirectoryURL = BumblePhoneTests.root.appending(path: "tools")
            process.standardInput = down
            process.standardOutput = up
            process.standardError = errors
            // What it is sent when it has ended is nobody's.
            signal(SIGPIPE, SIG_IGN)
            try process.run()
        }

        func send(_ packet: HCIPacket) { send(packet.h4) }

        private func send(_ octets: [UInt8]) {
            try? down.fileHandleForWriting.write(contentsOf: Data(octets))
        }

        /// Hands over the host's packets until it has nothing more to say to what it was sent, however long
        /// it takes to say it; false where it has ended.
        func settle(_ take: (HCIPacket) -> Void) -> Bool {
            send([0])
            while true {
                while let packet = next() {
                    if packet == [0] { return true }
                    if let packet = HCIPacket(h4: packet) { take(packet) }
                }
                let more = up.fileHandleForReading.availableData
                if more.isEmpty { return false }
                octets.withLock { $0 += more }
            }
        }

        /// The next whole packet or answer; nil before one has come.
        private func next() -> [UInt8]? {
            octets.withLock { octets in
                guard let length = Self.length(octets), octets.count >= length else { return nil }
                defer { octets.removeFirst(length) }
                return Array(octets[..<length])
            }
        }

        private static func length(_ octets: [UInt8]) -> Int? {
            switch octets.first {
            case 0?: 1
            case 1? where octets.count >= 4: 4 + Int(octets[3])
            case 2? where octets.count >= 5: 5 + Int(octets[3]) + Int(octets[4]) << 8
            default: nil
            }
        }

        /// Ends it, and gives the lines that it said.
        func end() -> [String] {
            process.terminate()
            let said = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    @Test(
        .enabled(if: isThere, "tools/venv has not been run"), .timeLimit(.minutes(15)), arguments: [23, 185])
    func `a phone of Bumble and Python opens it`(mtu: Int) throws {
        let world = SimulatedWorld()
        var configuration = CarConfiguration(keys: [CarKey(keyID: EnginePhone.keyID, key: EnginePhone.key)])
        configuration.pairingCode = EnginePhone.code
        let car = SimulatedCar(
            configuration, on: world.adapter(SimulatedCarTests.address).bluetooth)
        let controller = world.radio.add(
            ControllerConfiguration(publicAddress: DeviceAddress(0xF1F2_F3F4_F5F6, .public)))
        let host = try Host([String(mtu)])
        world.radio.attach(controller) { host.send($0) }
        // Time stands while the phone has something to do, however long that takes it.
        let limit = Instant.zero.advanced(by: .seconds(100))
        while host.settle({ world.radio.send($0, from: controller) }), world.time.now < limit {
            world.run(for: .milliseconds(2))
        }
        #expect(
            host.end() == [
                "found 0201060cffffff555103025551000001", "info 011000" + "424c454341503031",
                "STATUS_QUERY AUTHENTICATION_REQUIRED", "activate BAD_PROOF", "activate SUCCESS 00",
                "authenticate SUCCESS", "PROXIMITY_EVENT 02ce", "DOOR_UNLOCK SUCCESS",
                "STATUS_EVENT 00000" + "03c019c0001e240", "STATUS_QUERY SUCCESS 0000003c019c0001e240",
                "TRUNK_OPEN SUCCESS", "STATUS_EVENT 0010003c019c0001e240",
                "ENGINE_START REFUSED_IN_THIS_STATE", "DOOR_LOCK REFUSED_IN_THIS_STATE",
                "FAULT_EVENT 010101", "WINDOW_SET SUCCESS", "authenticate COUNTER_REPLAYED", "end",
            ])
        #expect(car.keys.first?.authCounter == 7)
        #expect(car.vehicle.windows == [50, 0, 0, 0])
    }
}
