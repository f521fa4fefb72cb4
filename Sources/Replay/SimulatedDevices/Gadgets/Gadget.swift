public import BluetoothCore

/// A small device: its attributes, advertising and reactions to writes.
///
/// ``SimulatedGadget`` makes one call at a time.
public protocol Gadget: Sendable {
    /// The services, in the order in which they are added.
    var services: [GadgetService] { get }
    /// Returns the advertising data, for the adapter's address.
    func advertising(_ address: DeviceAddress) -> GadgetAdvertising
    /// Returns the value of a readable characteristic.
    func value(of uuid: BluetoothUUID) -> [UInt8]
    /// Returns the reason to refuse a value; nil to accept it. All values of a batch are checked before the
    /// first is written.
    func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal?
    /// Writes a value, and returns the notifications to the central that wrote it.
    mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate]
    /// Returns the interval of unsolicited notifications to a characteristic's subscribers; nil for none.
    func period(of uuid: BluetoothUUID) -> Duration?
    /// Returns the value of such a notification, for a clock in nanoseconds since 1970 (UTC).
    func told(of uuid: BluetoothUUID, wallClock: Int64) -> [UInt8]
}

extension Gadget {
    public func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal? { nil }
    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] { [] }
    public func period(of uuid: BluetoothUUID) -> Duration? { nil }
    public func told(of uuid: BluetoothUUID, wallClock: Int64) -> [UInt8] { value(of: uuid) }
}

/// A service of a gadget.
public struct GadgetService: Hashable, Sendable {
    /// The service's UUID.
    public var uuid: BluetoothUUID
    /// The service's characteristics.
    public var characteristics: [GadgetCharacteristic]

    init(_ uuid: UInt16, _ characteristics: [GadgetCharacteristic]) {
        self.uuid = BluetoothUUID(uuid)
        self.characteristics = characteristics
    }
}

/// A characteristic of a gadget. The attribute server refuses all other uses.
public struct GadgetCharacteristic: Hashable, Sendable {
    /// A use of a characteristic.
    public enum Use: Hashable, Sendable {
        case read, write, writeWithoutResponse, notify
    }

    /// The characteristic's UUID.
    public var uuid: BluetoothUUID
    /// The permitted uses.
    public var uses: Set<Use>
    /// The user description; nil for none.
    public var text: String?
    /// Whether every use needs an encrypted link.
    public var isEncrypted: Bool

    init(_ uuid: UInt16, _ uses: Set<Use>, text: String? = nil, isEncrypted: Bool = false) {
        self.uuid = BluetoothUUID(uuid)
        self.uses = uses
        self.text = text
        self.isEncrypted = isEncrypted
    }
}

/// The AD structures of a gadget.
public struct GadgetAdvertising: Hashable, Sendable {
    /// The advertising data.
    public var data: [UInt8]
    /// The scan response data.
    public var scanResponse: [UInt8] = []

    /// Puts flags and services into the data, and then either the name, or the address as manufacturer
    /// specific data with the name in the scan response.
    init(_ services: [UInt16], name: String, manufacturerAddress: DeviceAddress? = nil) {
        var advertisement = ADBuilder()
        _ = advertisement.append([.generalDiscoverable, .classicNotSupported])
        _ = advertisement.append(services: services.map { BluetoothUUID($0) })
        if let address = manufacturerAddress {
            var response = ADBuilder()
            _ = advertisement.append(company: 0xFFFF, address.octets)
            _ = response.append(name: name)
            scanResponse = response.octets
        } else {
            _ = advertisement.append(name: name)
        }
        data = advertisement.octets
    }
}

/// The reason for which a gadget refuses a value.
public enum GadgetRefusal: Hashable, Sendable {
    /// The gadget does not accept this length.
    case length
    /// An application error of the gadget: 0x80 to 0x9F.
    case application(UInt8)
}

/// A notification from a gadget.
public struct GadgetUpdate: Hashable, Sendable {
    /// The characteristic.
    public var uuid: BluetoothUUID
    /// The new value.
    public var value: [UInt8]

    init(_ uuid: UInt16, _ value: [UInt8]) {
        self.uuid = BluetoothUUID(uuid)
        self.value = value
    }
}
