public import BluetoothCore

/// What one of the small devices is: its attributes, its advertising, and what it does with what is written.
///
/// It is called by ``SimulatedGadget``, one call at a time.
public protocol Gadget: Sendable {
    /// Its services, in the order in which they are added.
    var services: [GadgetService] { get }
    /// What it advertises; its address is that of its adapter.
    func advertising(_ address: DeviceAddress) -> GadgetAdvertising
    /// The value of a characteristic that can be read.
    func value(of uuid: BluetoothUUID) -> [UInt8]
    /// Why a value can't be written; nil where it can. Of a batch, all are asked about before one is written.
    func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal?
    /// Takes a value, and gives what the central that wrote it is told.
    mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate]
    /// How often a subscriber of a characteristic is told its value unasked; nil for never.
    func period(of uuid: BluetoothUUID) -> Duration?
    /// What such a subscriber is told, by a clock that shows nanoseconds since 1970 (UTC).
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
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Its characteristics.
    public var characteristics: [GadgetCharacteristic]

    init(_ uuid: UInt16, _ characteristics: [GadgetCharacteristic]) {
        self.uuid = BluetoothUUID(uuid)
        self.characteristics = characteristics
    }
}

/// A characteristic of a gadget. A use that is not among its own is refused by the attribute server.
public struct GadgetCharacteristic: Hashable, Sendable {
    /// What can be done with one.
    public enum Use: Hashable, Sendable {
        case read, write, writeWithoutResponse, notify
    }

    /// Its UUID.
    public var uuid: BluetoothUUID
    /// What can be done with it.
    public var uses: Set<Use>
    /// Its user description; nil for none.
    public var text: String?
    /// Whether every use takes an encrypted link.
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

    /// Flags and services; then the address as manufacturer specific data and the name in the scan response,
    /// or the name alone.
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

/// Why a gadget refuses a value.
public enum GadgetRefusal: Hashable, Sendable {
    /// It has another length than the gadget takes.
    case length
    /// An error of the gadget's own: 0x80 to 0x9F.
    case application(UInt8)
}

/// A value that a gadget tells.
public struct GadgetUpdate: Hashable, Sendable {
    /// The characteristic.
    public var uuid: BluetoothUUID
    /// Its value.
    public var value: [UInt8]

    init(_ uuid: UInt16, _ value: [UInt8]) {
        self.uuid = BluetoothUUID(uuid)
        self.value = value
    }
}
