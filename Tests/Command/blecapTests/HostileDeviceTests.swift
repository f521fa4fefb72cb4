import Adapters
import BluetoothCore
import CommandLineKit
import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import SimulatedDevices
@testable import blecap

/// Devices over the air whose names, descriptions and values are hostile to a terminal.
@Suite(.realTime) struct HostileDeviceTests {
    private static let text = "\u{1B}[2J\u{9B}2J\u{202E}\u{200F}\u{61C}\u{2028}"

    /// A device like another one, that says other things.
    struct HostileGadget: Gadget {
        var base: any Gadget
        /// What it is called; nil for the name of the other.
        var name: String?

        var services: [GadgetService] {
            base.services.map { service in
                var service = service
                for index in service.characteristics.indices {
                    service.characteristics[index].text = HostileDeviceTests.text
                }
                return service
            }
        }
        func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
            guard let name else { return base.advertising(address) }
            return GadgetAdvertising([0xFFE0], name: name)
        }
        func value(of uuid: BluetoothUUID) -> [UInt8] { Array(HostileDeviceTests.text.utf8) }
        func told(of uuid: BluetoothUUID, wallClock: Int64) -> [UInt8] { value(of: uuid) }
        mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
            base.services.flatMap(\.characteristics).filter { $0.uses.contains(.notify) }.map { one in
                var update = GadgetUpdate(0, Array(HostileDeviceTests.text.utf8))
                update.uuid = one.uuid
                return update
            }
        }
    }

    /// Runs the command against a device that is up meanwhile.
    private static func drive(_ gadget: HostileGadget, _ words: [String]) throws {
        let folder = try TemporaryFolder()
        let nowhere = try FileHandle.nameless()
        let stream = CommandEnvironment.Stream(nowhere.fileDescriptor)
        let stage = try Stage(
            CommandEnvironment(input: stream, output: stream, errors: stream), isLive: true, seed: 1)
        let time = try #require(stage.time as? RealTime)
        let adapter = try stage.adapter(DeviceAddress(0x024D_4900_0001, .public))
        let device = SimulatedGadget(gadget, on: adapter.bluetooth)
        let journal = SimulationJournal(stage)
        let seats = HostSeats(stage.world, journal) {}
        let place = "unix:" + folder.path("s")
        let listener = try AdapterAddress(place).listen(time) { seats.take($0) }
        let isDone = Atomic(false)
        let group = DispatchGroup()
        nonisolated(unsafe) let stageOfThread = stage
        DispatchQueue.global().async(group: group) {
            // Safe: this thread alone runs it; what the test calls meanwhile is Sendable.
            _ = unsafe stageOfThread.run(for: .seconds(120)) { isDone.load(ordering: .relaxed) }
        }
        let run = try CommandRun(["drive"] + words + ["--adapter", place])
        isDone.store(true, ordering: .relaxed)
        time.schedule(after: .zero, from: .application) {}
        group.wait()
        listener.close()
        seats.close()
        withExtendedLifetime(device) {}
        #expect(
            run.text.contains("\\u") || run.text.contains("1b5b"), "\(words): \(run.text.debugDescription)")
        let raw = OutsideTextTests.raw(run.output + Data(run.errors.utf8))
        #expect(raw.isEmpty, "\(words): \(run.text) \(run.errors)")
    }

    @Test(arguments: [
        ["scan=1"], ["connect=02:4D:49:00:00:01", "describe=FFE1", "read=FFE1", "subscribe=FFE1", "wait=1"],
        ["connect=nobody"],
    ])
    func `drive shows no device's words as they are`(words: [String]) throws {
        try Self.drive(HostileGadget(base: Mobike(), name: Self.text), words)
    }

    @Test func `the clients of small devices show none as they are`() throws {
        try Self.drive(HostileGadget(base: Band()), ["band", "text"])
    }
}
