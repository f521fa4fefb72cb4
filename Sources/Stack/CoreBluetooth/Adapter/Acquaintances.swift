import BluetoothCore
import Foundation

/// The devices that applications of an adapter have been told of, as a phone remembers them: their addresses
/// by identifier, and their names. So many are kept; those met first are forgotten first.
struct Acquaintances {
    static let limit = 8192
    private var addresses: [UUID: DeviceAddress] = [:]
    private var names: [DeviceAddress: String] = [:]
    private var order: [UUID] = []
    /// By the identities of bonded devices, the addresses that they were met at.
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

    /// The address that a device was met at, by its identity.
    func known(_ identity: DeviceAddress) -> DeviceAddress { known[identity] ?? identity }

    /// Learns the identity of a device, unless it was met by that, too.
    mutating func learn(_ identity: DeviceAddress, of address: DeviceAddress) {
        guard identity != address, known[identity] == nil else { return }
        if !addresses.values.contains(identity) { known[identity] = address }
    }

    mutating func call(_ address: DeviceAddress, _ name: String) { names[address] = name }
}
