import BluetoothCore
import Foundation
import Runtime
import Synchronization
import Testing
import VirtualController

@testable import SimulatedDevices

/// The car judged from outside: a phone that others wrote, Bumble's host with the Python phone of
/// tools/peers, on a controller of the virtual air, over HCI.
///
/// Left out where `tools/venv` has not been run.
@Suite(.serialized) struct BumblePhoneTests {
    static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    static let python = root.appending(path: ".cache/venv/bin/python")
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    // Bumble's host at one end of a socket, standard input and output at the other; lines go to standard
    // error.
    static let phone = """
        import asyncio, socket, sys, threading
        from bumble.core import UUID
        from bumble.device import Device, Peer
        from bumble.hci import Address, OwnAddressType
        from bumble.transport import open_transport
        from peers.uqdk.messages import Command, Status, VehicleState
        from peers.uqdk.phone import Phone

        def say(line): print(line, file=sys.stderr, flush=True)

        def bridge(port):
            link = socket.create_connection(("127.0.0.1", port))
            def up():
                while octets := sys.stdin.buffer.raw.read(4096): link.sendall(octets)
            threading.Thread(target=up, daemon=True).start()
            while octets := link.recv(4096):
                sys.stdout.buffer.write(octets); sys.stdout.buffer.flush()

        async def main():
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0)); port = free.getsockname()[1]
            transport = await open_transport(f"tcp-server:127.0.0.1:{port}")
            threading.Thread(target=bridge, args=(port,), daemon=True).start()
            await asyncio.sleep(0.3)
            device = Device.with_hci("phone", Address("F0:F1:F2:F3:F4:F5"), transport.source, transport.sink)
            await device.power_on()
            seen = asyncio.get_running_loop().create_future()
            def heard(advertisement):
                if not seen.done() and advertisement.address.to_string(False) == "02:55:51:00:00:01":
                    seen.set_result(advertisement)
            device.on("advertisement", heard)
            await device.start_scanning(active=True, own_address_type=OwnAddressType.PUBLIC)
            found = await asyncio.wait_for(seen, 10)
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
            phone = Phone(bytes.fromhex("1122334455667788"), bytes(range(16)), write, mtu - 3, log=say)
            await event.subscribe(lambda value: phone.received(bytes(value)))
            async def ask(name, body=b""):
                status, answer = await phone.request(Command[name], body)
                say(f"{name} {status.name} {answer.hex()}".strip())
            async def hear():
                name, body = await asyncio.wait_for(phone.events.get(), 5)
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
        private let down = Pipe()
        private let state = Mutex((octets: [UInt8](), said: "", hasEnded: false))

        init(_ arguments: [String]) throws {
            let (up, errors) = (Pipe(), Pipe())
            process.executableURL = BumblePhoneTests.python
            process.arguments = ["-B", "-c", BumblePhoneTests.phone] + arguments
            process.currentDirectoryURL = BumblePhoneTests.root.appending(path: "tools")
            process.standardInput = down
            process.standardOutput = up
            process.standardError = errors
            up.fileHandleForReading.readabilityHandler = { [self] handle in
                let octets = handle.availableData
                state.withLock { $0.octets += octets }
                if octets.isEmpty { handle.readabilityHandler = nil }
            }
            errors.fileHandleForReading.readabilityHandler = { [self] handle in
                let octets = handle.availableData
                state.withLock { state in
                    state.said += String(decoding: octets, as: UTF8.self)
                    if octets.isEmpty { state.hasEnded = true }
                }
                if octets.isEmpty { handle.readabilityHandler = nil }
            }
            try process.run()
        }

        func send(_ packet: HCIPacket) { try? down.fileHandleForWriting.write(contentsOf: Data(packet.h4)) }

        /// The next whole packet of the host; nil where there is none yet.
        func next() -> HCIPacket? {
            state.withLock { state in
                guard let length = Self.length(state.octets), state.octets.count >= length else { return nil }
                defer { state.octets.removeFirst(length) }
                return HCIPacket(h4: Array(state.octets[..<length]))
            }
        }

        private static func length(_ octets: [UInt8]) -> Int? {
            switch octets.first {
            case 1? where octets.count >= 4: 4 + Int(octets[3])
            case 2? where octets.count >= 5: 5 + Int(octets[3]) + Int(octets[4]) << 8
            default: nil
            }
        }

        var said: [String] { state.withLock { $0.said.split(separator: "\n").map(String.init) } }
        var isOver: Bool { state.withLock { $0.hasEnded || $0.said.hasSuffix("end\n") } }
        func stop() { process.terminate() }
    }

    @Test(
        .enabled(if: isThere, "tools/venv has not been run"), .timeLimit(.minutes(2)), arguments: [23, 185])
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
        let start = ContinuousClock.now
        while !host.isOver {
            while let packet = host.next() { world.radio.send(packet, from: controller) }
            let behind = world.time.now.duration(to: Instant.zero.advanced(by: start.duration(to: .now)))
            if behind > .zero { world.run(for: behind) }
            Thread.sleep(forTimeInterval: 0.002)
            try #require(start.duration(to: .now) < .seconds(100), "\(host.said)")
        }
        host.stop()
        #expect(
            host.said == [
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
