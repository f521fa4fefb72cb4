import BluetoothCore
import Foundation

/// Devices that an adapter's applications have seen, as a phone remembers them: addresses by identifier, and
/// names.
///
/// Limited in number; the oldest entries are evicted.
struct Acquaintances {
    static let limit = 8192
    private var addresses: [UUID: DeviceAddress] = [:]
    private var names: [DeviceAddress: String] = [:]
    private var order: [UUID] = []
    /// Addresses under which bonded devices were first met, by identity.
    private var known: [DeviceAddress: DeviceAddress] = [:]

    func address(of identifier: UUID) -> DeviceAddress? { addresses[identifier] }
    func name(of address: DeviceAddress) -> String? { names[address] }

    mutating func meet(_ identifier: UUID, at address: DeviceAddress) {
        guard addresses.updateValue(address, forKey: identifier) == nil else { return }
        order.append(identifier)
        guard order.count > Self.limit, let gone = addresses.removeValue(forKey: order.removeFirst()) else {
            return
        }
        names[gone] = nil
    }

    /// Returns the address under which a device was first met.
    func known(_ identity: DeviceAddress) -> DeviceAddress { known[identity] ?? identity }

    /// Records the identity of a device, unless the device was met under its identity too.
    mutating func learn(_ identity: DeviceAddress, of address: DeviceAddress) {
        guard identity != address, known[identity] == nil else { return }
        if !addresses.values.contains(identity) { known[identity] = address }
    }

    mutating func call(_ address: DeviceAddress, _ name: String) { names[address] = name }
}
