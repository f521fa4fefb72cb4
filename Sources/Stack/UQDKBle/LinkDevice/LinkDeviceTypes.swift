public import BluetoothCore
public import CoreBluetooth
public import WireBytes

/// A change of link devices.
public enum LinkState: Hashable, Sendable {
    /// The radio became usable or unusable; not tied to a channel.
    case deviceOpen
    /// A device is linked under a number.
    case connected(channel: Int)
    /// A device sends data, or its data could not be started.
    case ready(channel: Int)
    /// A device is disconnected, and its number is free.
    case disconnected(channel: Int)
}

/// A failure of link devices.
public enum LinkDeviceError: Error, Equatable, Sendable {
    /// The list of devices is empty.
    case noDevices
    /// A text in the list is not a MAC address.
    case invalidID(String)
    /// More devices than channels.
    case tooManyDevices(Int)
    /// No device is ready on this channel.
    case noDevice(channel: Int)
    /// The upload rate is not 0 to 1,000 bytes per second.
    case invalidSpeed(Int)
    /// The text is not hexadecimal; nothing was written.
    case invalidHex(Hex.Problem)
    /// The value is too long for one write; the limit is in bytes.
    case tooLong(limit: Int)
    /// The device refused the value, or is disconnected.
    case writeFailed
}

/// UUIDs of a link device, and time limits.
public struct LinkDeviceOptions: Hashable, Sendable {
    /// The service.
    public var service = CBUUID(string: "FFE0")
    /// The one characteristic for everything.
    public var characteristic = CBUUID(string: "FFE1")
    /// Time limit of a scan for the remaining devices; zero for none.
    public var scanTimeout = Duration.seconds(10)
    /// Time limit of establishing a link, and then of its three calls.
    public var connectTimeout = Duration.seconds(10)

    public init() {}
}

extension LinkDeviceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noDevices: "no device to link with"
        case .invalidID(let text): "\(text) is not a MAC address"
        case .tooManyDevices(let count): "\(count) devices are more than there are channels"
        case .noDevice(let channel): "no device is ready on channel \(channel)"
        case .invalidSpeed(let speed): "\(speed) is not an upload rate of 0 to 1000 bytes a second"
        case .invalidHex(let problem): "not hexadecimal: \(problem)"
        case .tooLong(let limit): "the link takes at most \(limit) bytes"
        case .writeFailed: "the device refused it, or is gone"
        }
    }
}

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
    static let limit = 4

    private var channels = [LinkChannel?](repeating: nil, count: LinkChannels.limit)

    var all: [LinkChannel] { channels.compactMap { $0 } }
    var canAdd: Bool { channels.contains { $0 == nil } }

    /// Adds a device and returns its number; nil if no channel is free or it was already added.
    mutating func add(_ id: DeviceAddress, _ peripheral: CBPeripheral) -> Int? {
        guard number(of: peripheral) == nil, !all.contains(where: { $0.id == id }),
            let number = channels.firstIndex(where: { $0 == nil })
        else { return nil }
        channels[number] = LinkChannel(number: number, id: id, peripheral: peripheral)
        return number
    }

    mutating func set(_ characteristic: CBCharacteristic, of peripheral: CBPeripheral) {
        guard let number = number(of: peripheral) else { return }
        channels[number]?.characteristic = characteristic
    }

    /// Frees a number and returns its channel.
    @discardableResult
    mutating func remove(channel number: Int) -> LinkChannel? {
        guard channels.indices.contains(number) else { return nil }
        defer { channels[number] = nil }
        return channels[number]
    }

    /// The channel with a number; nil if it is free or invalid.
    subscript(number: Int) -> LinkChannel? {
        channels.indices.contains(number) ? channels[number] : nil
    }

    /// Returns the number of a device, found by its object and not by a part of its identifier.
    func number(of peripheral: CBPeripheral) -> Int? {
        channels.firstIndex { $0?.peripheral === peripheral }
    }
}
