import BluetoothCore
import Foundation

/// A manager's scan request.
struct Scan: Hashable, Sendable {
    /// Distinguishes it from earlier scans.
    var number: UInt64
    /// Matches any of them; all devices if empty.
    var services: [BluetoothUUID]
    /// Devices that solicit any of these services match too.
    var solicited: [BluetoothUUID]
    var allowsDuplicates: Bool
}

/// State that an adapter keeps for one of its central managers.
///
/// Members without a lock are used only within the scheduler.
final class CentralRole: @unchecked Sendable {
    /// A connection request of the manager.
    struct Wish: Sendable {
        /// Whether to reconnect after a loss.
        var reconnects: Bool
        /// Number of the peripheral object used in the request; the request ends with the object.
        var object: UInt64
        var call: UInt64
    }

    /// The parts of a device's advertising reported in a scan.
    struct Reported {
        var advertisement = false
        var scanResponse = false
    }

    private struct Owner { weak var manager: CBCentralManager? }

    private let owner = Guarded(Owner())
    private let objects = Guarded<[DeviceAddress: Weak<CBPeripheral>]>([:])
    private let numbers = Guarded<UInt64>(0)
    private let restoration = Guarded<String?>(nil)

    /// Identifier under which a later manager may take over; nil for none.
    var restoreIdentifier: String? { restoration.current }
    /// Whether its manager was released and another may take over.
    var isDormant = false

    var scan: Scan?
    var reported: [DeviceAddress: Reported] = [:]
    var wanted: [DeviceAddress: Wish] = [:]
    /// Number of the last processed call to connect or cancel, by device.
    var heard: [DeviceAddress: UInt64] = [:]
    /// Filter of reported connection events; nil for none.
    var events: ConnectionEventFilter?
    /// State of released peripheral objects, for a manager that takes over.
    var remains: [DeviceAddress: PeripheralRemains] = [:]

    var manager: CBCentralManager? { owner.current.manager }

    func begin(_ manager: CBCentralManager, restoreIdentifier: String?) {
        owner.current = Owner(manager: manager)
        restoration.current = restoreIdentifier
    }

    /// Returns a number greater than all before it.
    func nextNumber() -> UInt64 {
        numbers.change { number in
            number += 1
            return number
        }
    }

    func peripheral(at address: DeviceAddress, on adapter: BluetoothAdapter) -> CBPeripheral {
        if let there = existing(address) { return there }
        let new = CBPeripheral(
            identifier: adapter.identifier(of: address), address: address, role: self, adapter: adapter)
        return objects.change { objects in
            if let there = objects[address]?.object { return there }
            objects[address] = Weak(new)
            return new
        }
    }

    func existing(_ address: DeviceAddress) -> CBPeripheral? { objects.current[address]?.object }

    func forget(_ address: DeviceAddress) {
        objects.change { objects in
            if objects[address]?.object == nil { objects[address] = nil }
        }
    }

    /// Invalidates all objects, after the adapter was reset.
    func invalidate() { objects.current = [:] }
}

struct ConnectionEventFilter: Sendable {
    var services: [BluetoothUUID]?
    var peripherals: [UUID]?

    func matches(_ identifier: UUID, _ known: Set<BluetoothUUID>) -> Bool {
        if services == nil, peripherals == nil { return true }
        return peripherals?.contains(identifier) ?? false
            || services?.contains { known.contains($0) } ?? false
    }
}
