public import BluetoothCore
import Gadgets
public import LEHost
import WireBytes

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
        _ = advertisement.append([.leGeneralDiscoverableMode, .brEDRNotSupported])
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

/// The band named "MI": the battery command, answered by a notification with a checksum.
///
/// The level drops by a tenth with each answer, down to 0. Other commands are refused with 0x80.
public struct Band: Gadget {
    private static let unknownCommand: UInt8 = 0x80
    private var tenths: UInt8
    private var command: [UInt8] = []

    /// Creates a band with a level of 0 to 10 tenths.
    public init(tenths: UInt8 = 6) { self.tenths = min(tenths, 10) }

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFEE0,
                [
                    GadgetCharacteristic(0xFF01, [.read, .notify]),
                    GadgetCharacteristic(0xFF02, [.read, .write, .writeWithoutResponse]),
                ])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFEE0], name: "MI", manufacturerAddress: address)
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] {
        uuid == BluetoothUUID(UInt16(0xFF01)) ? Array("MI 手环".utf8) : command
    }

    public func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal? {
        value == BandBattery.command ? nil : .application(Self.unknownCommand)
    }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        command = value
        guard let answer = BandBattery(tenths: tenths) else { return [] }
        if tenths > 0 { tenths -= 1 }
        return [GadgetUpdate(0xFF01, answer.octets)]
    }
}

/// A key fob for paired centrals only. Its value reads "bonded", and it answers each button press.
public struct Fob: Gadget {
    /// The pairing method of a fob.
    public enum Pairing: String, CaseIterable, Sendable {
        /// No user interaction.
        case justWorks = "just-works"
        /// Both sides show a number, and the user confirms that they are the same.
        case compare
        /// The fob shows a passkey.
        case shows
        /// The user enters the central's passkey at the fob.
        case asks

        /// The policy of the fob's host.
        public var policy: SecurityPolicy {
            var policy = SecurityPolicy()
            policy.needsProtection = self != .justWorks
            policy.ioCapability =
                switch self {
                case .justWorks: .noInputNoOutput
                case .compare: .displayYesNo
                case .shows: .displayOnly
                case .asks: .keyboardOnly
                }
            return policy
        }
    }

    public init() {}

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFF50,
                [
                    GadgetCharacteristic(0xFF51, [.read, .notify], isEncrypted: true),
                    GadgetCharacteristic(0xFF52, [.write], isEncrypted: true),
                ])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFF50], name: "fob")
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] { Array("bonded".utf8) }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        [GadgetUpdate(0xFF51, value + Array("ed".utf8))]
    }
}

/// A device of BLELinkManager with a single characteristic, identified by the MAC address in its advertising.
///
/// A frame that sets the upload rate is answered with `SPEED n`, a command with its type before that,
/// anything else with `ERR`. The last answer can also be read. These texts are the project's choice.
public struct LinkDevice: Gadget {
    private var answer: String

    /// Creates a device whose value is its number until the first write.
    public init(number: Int = 1) { answer = "LINK \(number)" }

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFFE0,
                [GadgetCharacteristic(0xFFE1, [.read, .write, .writeWithoutResponse, .notify], text: "data")])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFFE0], name: "BLE-LINK", manufacturerAddress: address)
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] { Array(answer.utf8) }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        answer = Self.answer(to: value)
        return [GadgetUpdate(0xFFE1, Array(answer.utf8))]
    }

    private static func answer(to value: [UInt8]) -> String {
        if let command = command(value) {
            return "\(command.kind)".uppercased() + " SPEED \(command.frame.number)"
        }
        guard let frame = frame(value), LinkFrame.speeds.contains(frame.number) else { return "ERR" }
        return "SPEED \(frame.number)"
    }

    private static func command(_ value: [UInt8]) -> LinkCommand? {
        var reader = ByteReader(value.borrowedOctets)
        return try? LinkCommand(decoding: &reader)
    }

    private static func frame(_ value: [UInt8]) -> LinkFrame? {
        var reader = ByteReader(value.borrowedOctets)
        return try? LinkFrame(decoding: &reader)
    }
}

/// eswiftBLE's example device: the greatest, the least and the mean battery level, one unsigned byte each.
///
/// Writing a least level above the greatest also raises the greatest, and notifies the central that wrote it.
public struct Mobike: Gadget {
    private var greatest: UInt8
    private var least: UInt8

    /// Creates a device with these levels.
    public init(greatest: UInt8 = 90, least: UInt8 = 10) {
        self.greatest = max(greatest, least)
        self.least = least
    }

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFFEE,
                [
                    GadgetCharacteristic(0xFFE1, [.read, .notify]),
                    GadgetCharacteristic(0xFFE2, [.read, .write]), GadgetCharacteristic(0xFFE3, [.read]),
                ])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFF00], name: "Mobike")
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] {
        switch uuid {
        case BluetoothUUID(UInt16(0xFFE1)): [greatest]
        case BluetoothUUID(UInt16(0xFFE2)): [least]
        default: [UInt8((UInt16(greatest) + UInt16(least)) / 2)]
        }
    }

    public func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal? {
        value.count == 1 ? nil : .length
    }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        least = value.first ?? least
        guard least > greatest else { return [] }
        greatest = least
        return [GadgetUpdate(0xFFE1, [greatest])]
    }
}
