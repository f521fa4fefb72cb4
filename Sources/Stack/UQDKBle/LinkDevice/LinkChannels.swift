public import BluetoothCore
public import CoreBluetooth

/// One of the numbered channels: a device, and the characteristic of its data once discovered.
public struct LinkChannel: Sendable {
    /// The channel's number, 0 to 3.
    public let number: Int
    /// The MAC address that identifies the device.
    public let id: DeviceAddress
    /// The device as a CoreBluetooth object.
    public let peripheral: CBPeripheral
    /// The characteristic of its data; nil until its service is discovered.
    public internal(set) var characteristic: CBCharacteristic?
}

/// The channels 0 to 3: at most four devices, each with the lowest free number.
struct LinkChannels {
    /// Maximum number of devices.
    static let limit = 4

    private var channels = [LinkChannel?](repeating: nil, count: LinkChannels.limit)

    /// The channels in use, by number.
    var all: [LinkChannel] { channels.compactMap { $0 } }
    /// Whether a channel is free.
    var canAdd: Bool { channels.contains { $0 == nil } }

    /// Adds a device and returns its number; nil if no channel is free or it was already added.
    mutating func add(_ id: DeviceAddress, _ peripheral: CBPeripheral) -> Int? {
        guard number(of: peripheral) == nil, !all.contains(where: { $0.id == id }),
            let number = channels.firstIndex(where: { $0 == nil })
        else { return nil }
        channels[number] = LinkChannel(number: number, id: id, peripheral: peripheral)
        return number
    }

    /// Sets the characteristic of a device's data.
    mutating func set(_ characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let number = number(of: peripheral) else { return }
        channels[number]?.characteristic = characteristic
    }

    /// Frees a number and returns its channel.
    @discardableResult
    mutating func remove(_ number: Int) -> LinkChannel? {
        guard channels.indices.contains(number) else { return nil }
        defer { channels[number] = nil }
        return channels[number]
    }

    mutating func removeAll() { self = LinkChannels() }

    /// The channel with a number; nil if it is free or invalid.
    subscript(number: Int) -> LinkChannel? {
        channels.indices.contains(number) ? channels[number] : nil
    }

    /// Returns the number of a device, found by its object and not by a part of its identifier.
    func number(of peripheral: CBPeripheral) -> Int? {
        channels.firstIndex { $0?.peripheral === peripheral }
    }
}
