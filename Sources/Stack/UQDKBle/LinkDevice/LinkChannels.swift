public import BluetoothCore
public import CoreBluetooth

/// One of the numbered channels: a device, and once its service is there the characteristic of its data.
public struct LinkChannel: Sendable {
    /// 0 to 3.
    public let number: Int
    /// The MAC by which the device is known.
    public let id: DeviceAddress
    /// The device as CoreBluetooth has it.
    public let peripheral: CBPeripheral
    /// Nil as long as the device is linked but its service is not found.
    public internal(set) var characteristic: CBCharacteristic?
}

/// The channels 0 to 3: at most four devices, each on the lowest number that is free when it comes.
struct LinkChannels {
    /// Devices at most.
    static let limit = 4

    private var channels = [LinkChannel?](repeating: nil, count: LinkChannels.limit)

    /// The channels in use, by number.
    var all: [LinkChannel] { channels.compactMap { $0 } }
    /// Whether another device fits.
    var canAdd: Bool { channels.contains { $0 == nil } }

    /// Adds a device; nil where none fits, or it is there already.
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

    /// Frees a number; what it stood for.
    @discardableResult
    mutating func remove(_ number: Int) -> LinkChannel? {
        guard channels.indices.contains(number) else { return nil }
        defer { channels[number] = nil }
        return channels[number]
    }

    /// Frees all numbers.
    mutating func removeAll() { self = LinkChannels() }

    /// The channel of a number; nil where it is free or invalid.
    subscript(number: Int) -> LinkChannel? {
        channels.indices.contains(number) ? channels[number] : nil
    }

    /// The number of a device: by the object that stands for it, not by a part of its identifier.
    func number(of peripheral: CBPeripheral) -> Int? {
        channels.firstIndex { $0?.peripheral === peripheral }
    }
}
