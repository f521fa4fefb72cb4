import BluetoothCore
import Foundation

/// What a manager scans for.
struct Scan: Hashable, Sendable {
    /// Tells it from the scans before it.
    var number: UInt64
    /// Any of them; all devices if there are none.
    var services: [BluetoothUUID]
    /// Devices that ask for any of them are reported too.
    var solicited: [BluetoothUUID]
    var allowsDuplicates: Bool
}

/// What an adapter knows of one of its central managers.
///
/// What is not behind a lock is used within the scheduler alone.
final class CentralRole: @unchecked Sendable {
    /// A device that the manager has asked to be connected to.
    struct Wish: Sendable {
        /// Whether it wants the device again after a loss.
        var reconnects: Bool
        /// The number of the peripheral object that it was asked with: when that goes, so does the wish.
        var object: UInt64
        /// The number of the call.
        var call: UInt64
    }

    /// What of a device the application has been told in a scan.
    struct Reported {
        var advertisement = false
        var scanResponse = false
    }

    private struct Owner { weak var manager: CBCentralManager? }

    private let owner = Guarded(Owner())
    private let objects = Guarded<[DeviceAddress: Weak<CBPeripheral>]>([:])
    private let numbers = Guarded<UInt64>(0)
    private let restoration = Guarded<String?>(nil)

    /// What a later manager is to take over from this one; nil where there will be none.
    var restoreIdentifier: String? { restoration.current }
    /// Whether its manager has gone, and another may take over.
    var isDormant = false

    var scan: Scan?
    /// What has been reported in this scan.
    var reported: [DeviceAddress: Reported] = [:]
    var wanted: [DeviceAddress: Wish] = [:]
    /// The number of the last call to connect or to cancel that came here, for each device.
    var heard: [DeviceAddress: UInt64] = [:]
    /// Whose connections the application hears of; nil for no one's.
    var events: ConnectionEventFilter?
    /// What was left of peripheral objects, for a manager that takes over.
    var remains: [DeviceAddress: PeripheralRemains] = [:]

    var manager: CBCentralManager? { owner.current.manager }

    func begin(_ manager: CBCentralManager, restoreIdentifier: String?) {
        owner.current = Owner(manager: manager)
        restoration.current = restoreIdentifier
    }

    /// A number that is greater than all before it.
    func nextNumber() -> UInt64 {
        numbers.change { number in
            number += 1
            return number
        }
    }

    /// The one object that stands for a device at this manager.
    func peripheral(
        at address: DeviceAddress, of manager: CBCentralManager, on adapter: BluetoothAdapter
    ) -> CBPeripheral {
        if let there = existing(address) { return there }
        let new = CBPeripheral(
            identifier: adapter.identifier(of: address), address: address, role: self, adapter: adapter)
        return objects.change { objects in
            if let there = objects[address]?.object { return there }
            objects[address] = Weak(new)
            return new
        }
    }

    /// The object for a device where the application has one.
    func existing(_ address: DeviceAddress) -> CBPeripheral? { objects.current[address]?.object }

    func forget(_ address: DeviceAddress) {
        objects.change { objects in
            if objects[address]?.object == nil { objects[address] = nil }
        }
    }

    /// Makes all objects strangers: after the adapter was reset they stand for nothing.
    func invalidate() { objects.current = [:] }
}

/// Whose connections a manager hears of.
struct ConnectionEventFilter: Sendable {
    var services: [BluetoothUUID]?
    var peripherals: [UUID]?

    func matches(_ identifier: UUID, _ known: Set<BluetoothUUID>) -> Bool {
        if services == nil, peripherals == nil { return true }
        return peripherals?.contains(identifier) ?? false
            || services?.contains { known.contains($0) } ?? false
    }
}
