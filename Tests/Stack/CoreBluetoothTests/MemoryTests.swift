import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation
import Testing
import VirtualController

/// What a program can rely on across processes, and calls that wait.
@Suite struct MemoryTests {
    @Test func `an identifier means the same device in the next process`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "state/peripherals.json")
        let identifier = try Self.connect(file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // Another world stands for another process: nothing was heard in it.
        let (world, phone) = Self.world(file)
        let known = phone.retrievePeripherals(withIdentifiers: [UUID(), identifier])
        #expect(known.map(\.identifier) == [identifier])
        let peripheral = try #require(known.first)
        let gadget = Gadget.usual(world)
        phone.connect(peripheral)
        world.run(for: .seconds(2))
        #expect(peripheral.state == .connected)
        withExtendedLifetime(gadget) {}
        // A file that is damaged, or another's, is as none.
        for text in ["", "[1]", "[{}]", "{"] {
            try Data(text.utf8).write(to: file)
            let (_, stranger) = Self.world(file)
            #expect(stranger.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
        }
    }

    /// A phone that keeps what it was connected to.
    static func world(_ file: URL) -> (BluetoothWorld, CBCentralManager) {
        let world = BluetoothWorld()
        let (adapter, _) = world.adapter(0xF1, { $0.memory = file })
        let manager = CBCentralManager(
            delegate: nil, queue: world.delivery.inline, options: nil, adapter: adapter)
        world.run(for: .seconds(1))
        return (world, manager)
    }

    private static func connect(_ file: URL) throws -> UUID {
        let (world, phone) = world(file)
        let gadget = Gadget.usual(world)
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.peripheral(at: DeviceAddress(0xC1, .public)))
        phone.connect(peripheral)
        world.run(for: .seconds(2))
        #expect(peripheral.state == .connected)
        withExtendedLifetime(gadget) {}
        return peripheral.identifier
    }

    @Test func `a connection waits for its start delay, and a cancelled one never begins`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        defer { withExtendedLifetime(gadget) {} }
        let phone = Phone.on(world)
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.manager.peripheral(at: DeviceAddress(0xC1, .public)))
        let delay = [CBConnectPeripheralOptionStartDelayKey: NSNumber(value: 5)]
        phone.manager.connect(peripheral, options: delay)
        #expect(peripheral.state == .connecting)
        world.run(for: .milliseconds(4_900))
        #expect(world.radio.air.openLinks == 0)
        world.run(for: .seconds(2))
        #expect(peripheral.state == .connected)
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(1))
        phone.manager.connect(peripheral, options: delay)
        phone.manager.cancelPeripheralConnection(peripheral)
        world.run(for: .seconds(10))
        #expect(peripheral.state == .disconnected)
        #expect(world.radio.air.openLinks == 0)
    }

    /// As subclasses of applications are written.
    final class Scanner: CBCentralManager, @unchecked Sendable {
        private(set) var scans = 0

        override init(
            delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
        ) {
            super.init(delegate: delegate, queue: queue, options: options)
        }

        override func scanForPeripherals(withServices services: [CBUUID]?, options: [String: Any]? = nil) {
            scans += 1
            super.scanForPeripherals(withServices: services, options: options)
        }

        override var isScanning: Bool { scans > 0 || super.isScanning }
    }

    @Test func `a subclass of a manager works as its base does`() {
        let world = BluetoothWorld()
        let scanner = AdapterSlot.with(world.adapter(0xF1).0) {
            Scanner(delegate: nil, queue: world.delivery.inline)
        }
        world.run(for: .seconds(1))
        #expect(scanner.state == .poweredOn)
        #expect(!scanner.isScanning)
        scanner.scanForPeripherals(withServices: nil)
        #expect(scanner.isScanning && scanner.scans == 1 && scanner.misuse.isEmpty)
    }
}
