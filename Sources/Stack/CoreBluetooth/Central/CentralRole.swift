import BluetoothCore
import Foundation

/// What a manager scans for.
struct Scan: Hashable, Sendable {
    /// Any of them; all devices where there are none.
    var services: [BluetoothUUID]
    /// Devices that ask for any of them are reported too.
    var solicited: [BluetoothUUID]
    var allowsDuplicates: Bool
}

/// What an adapter knows of one of its central managers.
///
/// What is not behind a lock is used within the scheduler alone.
final class CentralRole: @unchecked Sendable {
    private let owner = Guarded(Weak<CBCentralManager>(nil))
    private let objects = Guarded<[DeviceAddress: Weak<CBPeripheral>]>([:])
    /// Devices that this manager may be asked for, by identifier.
    let known = Guarded<[UUID: DeviceAddress]>([:])
    private(set) var restoreIdentifier: String?

    var scan: Scan?
    /// What has been reported in this scan.
    var reported: [DeviceAddress: Reported] = [:]
    /// Devices that it has asked to be connected to, with whether it wants them again after a loss.
    var wanted: [DeviceAddress: Bool] = [:]

    /// What of a device the application has been told in a scan.
    struct Reported {
        var advertisement = false
        var scanResponse = false
    }

    var manager: CBCentralManager? { owner.current.object }

    func begin(_ manager: CBCentralManager, restoreIdentifier: String?) {
        owner.current = Weak(manager)
        self.restoreIdentifier = restoreIdentifier
    }

    /// The one object that stands for a device at this manager.
    func peripheral(
        at address: DeviceAddress, of manager: CBCentralManager, on adapter: BluetoothAdapter
    ) -> CBPeripheral {
        objects.change { objects in
            if let there = objects[address]?.object { return there }
            let identifier = adapter.identifier(of: address)
            let new = CBPeripheral(identifier: identifier, address: address, role: self, adapter: adapter)
            objects[address] = Weak(new)
            known.change { $0[identifier] = address }
            return new
        }
    }

    /// The object for a device where the application has one.
    func existing(_ address: DeviceAddress) -> CBPeripheral? { objects.current[address]?.object }

    /// All objects that the application has, in the order of their addresses.
    var peripherals: [CBPeripheral] {
        objects.current.sorted { ($0.key.value, $0.key.kind.rawValue) < ($1.key.value, $1.key.kind.rawValue) }
            .compactMap(\.value.object)
    }

    func forget(_ address: DeviceAddress) {
        objects.change { objects in
            if objects[address]?.object == nil { objects[address] = nil }
        }
    }

    /// Makes all objects strangers: after the adapter was reset they stand for nothing.
    func invalidate() { objects.current = [:] }
}
