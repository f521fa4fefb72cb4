// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// The parent of an attribute was not optional in Apple's API up to iOS 14, and is optional since; code for
// either compiles with these declarations.

public import Foundation

/// Operations that a characteristic permits on its value.
public struct CBCharacteristicProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let broadcast = CBCharacteristicProperties(rawValue: 0x01)
    public static let read = CBCharacteristicProperties(rawValue: 0x02)
    public static let writeWithoutResponse = CBCharacteristicProperties(rawValue: 0x04)
    public static let write = CBCharacteristicProperties(rawValue: 0x08)
    public static let notify = CBCharacteristicProperties(rawValue: 0x10)
    public static let indicate = CBCharacteristicProperties(rawValue: 0x20)
    public static let authenticatedSignedWrites = CBCharacteristicProperties(rawValue: 0x40)
    public static let extendedProperties = CBCharacteristicProperties(rawValue: 0x80)
    public static let notifyEncryptionRequired = CBCharacteristicProperties(rawValue: 0x100)
    public static let indicateEncryptionRequired = CBCharacteristicProperties(rawValue: 0x200)

    /// The names of the set properties, from the lowest bit.
    ///
    /// Not part of Apple's API.
    public var names: [String] {
        let all: [(CBCharacteristicProperties, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write without response"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "authenticated signed writes"),
            (.extendedProperties, "extended properties"),
            (.notifyEncryptionRequired, "notify, encryption required"),
            (.indicateEncryptionRequired, "indicate, encryption required"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

/// The type of a write.
public enum CBCharacteristicWriteType: Int, Hashable, Sendable {
    case withResponse = 0
    case withoutResponse = 1
}

/// Requirements for a central to read or write a local attribute.
public struct CBAttributePermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let readable = CBAttributePermissions(rawValue: 0x01)
    public static let writeable = CBAttributePermissions(rawValue: 0x02)
    public static let readEncryptionRequired = CBAttributePermissions(rawValue: 0x04)
    public static let writeEncryptionRequired = CBAttributePermissions(rawValue: 0x08)
}

/// A service, a characteristic or a descriptor.
open class CBAttribute: NSObject, @unchecked Sendable {
    private let type: CBUUID

    init(uuid: CBUUID) { type = uuid }

    /// The attribute's type.
    open var uuid: CBUUID { type }
    open override var description: String { described(("UUID", uuid)) }
}

/// A service of a peripheral, or a local one.
open class CBService: CBAttribute, @unchecked Sendable {
    private let isFirst: Bool

    struct Contents {
        var peripheral: Weak<CBPeripheral> = Weak(nil)
        var includedServices: [CBService]?
        var characteristics: [CBCharacteristic]?
    }
    let contents = Guarded(Contents())
    /// The first and last handle at the peripheral; nil for a local service.
    let handles: ClosedRange<UInt16>?
    /// Lifetime of this service and everything in it; nil for a local service.
    let life: AttributeLife?

    init(uuid: CBUUID, isPrimary: Bool, handles: ClosedRange<UInt16>? = nil, peripheral: CBPeripheral? = nil)
    {
        isFirst = isPrimary
        self.handles = handles
        life = peripheral.map { AttributeLife($0) }
        super.init(uuid: uuid)
        contents.change { $0.peripheral = Weak(peripheral) }
    }

    /// Whether it is a primary service.
    open var isPrimary: Bool { isFirst }
    /// The peripheral that has it; nil for a local service.
    open var peripheral: CBPeripheral! { contents.current.peripheral.object }
    open override var description: String {
        described(("isPrimary", isPrimary.yesOrNo), ("UUID", uuid))
    }
    /// The services that it includes; nil before they were discovered.
    open var includedServices: [CBService]? { contents.current.includedServices }
    /// Its characteristics; nil before they were discovered.
    open var characteristics: [CBCharacteristic]? { contents.current.characteristics }
}

/// A characteristic of a peripheral, or a local one.
open class CBCharacteristic: CBAttribute, @unchecked Sendable {
    struct Contents {
        var service: Weak<CBService> = Weak(nil)
        var value: Data?
        var descriptors: [CBDescriptor]?
        var isNotifying = false
        var properties: CBCharacteristicProperties
    }
    let contents: Guarded<Contents>
    /// The handle of its value and its last handle at the peripheral; nil for a local characteristic.
    let handles: (value: UInt16, end: UInt16)?
    let life: AttributeLife?

    init(
        uuid: CBUUID, properties: CBCharacteristicProperties, value: Data? = nil,
        handles: (value: UInt16, end: UInt16)? = nil, service: CBService? = nil
    ) {
        self.handles = handles
        life = service?.life
        contents = Guarded(Contents(service: Weak(service), value: value, properties: properties))
        super.init(uuid: uuid)
    }

    /// The service that it belongs to; nil once that is gone.
    open var service: CBService! { contents.current.service.object }
    open override var description: String {
        described(
            ("UUID", uuid), ("properties", "0x" + String(properties.rawValue, radix: 16)), ("value", value),
            ("notifying", isNotifying.yesOrNo))
    }
    /// Operations permitted on its value.
    open var properties: CBCharacteristicProperties { contents.current.properties }
    /// Its value as last read or sent; nil before.
    open var value: Data? { contents.current.value }
    /// Its descriptors; nil before they were discovered.
    open var descriptors: [CBDescriptor]? { contents.current.descriptors }
    /// Always false: a value is not broadcast.
    @available(*, deprecated)
    open var isBroadcasted: Bool { false }
    /// Whether notifications or indications are on.
    open var isNotifying: Bool { contents.current.isNotifying }
}

/// A descriptor of a characteristic.
open class CBDescriptor: CBAttribute, @unchecked Sendable {
    struct Contents {
        var characteristic: Weak<CBCharacteristic> = Weak(nil)
        var value: Any?
    }
    let contents: Guarded<Contents>
    /// Its handle at the peripheral; nil for a local descriptor.
    let handle: UInt16?
    let life: AttributeLife?

    init(uuid: CBUUID, value: Any? = nil, handle: UInt16? = nil, characteristic: CBCharacteristic? = nil) {
        self.handle = handle
        life = characteristic?.life
        contents = Guarded(Contents(characteristic: Weak(characteristic), value: value))
        super.init(uuid: uuid)
    }

    /// The characteristic that it belongs to; nil once that is gone.
    open var characteristic: CBCharacteristic! { contents.current.characteristic.object }
    /// Its value as last read; nil before.
    ///
    /// A `String` for the user description, an `NSNumber` for the configurations and extended properties,
    /// otherwise `Data`.
    open var value: Any? { contents.current.value }
}

// Handles of attributes. Not part of Apple's API, which shows no handles: for programs that compare with a
// log.

extension CBCharacteristic {
    /// The handle of its value; nil for a local characteristic.
    @_spi(Host) public var valueHandle: UInt16? { handles?.value }
}

extension CBDescriptor {
    /// Its handle; nil for a local descriptor.
    @_spi(Host) public var attributeHandle: UInt16? { handle }
}

/// Lifetime of the attributes discovered at a peripheral: until the link ends, or the peripheral reports that
/// its services have changed.
final class AttributeLife: Sendable {
    private let owner: Guarded<Weak<CBPeripheral>>

    init(_ peripheral: CBPeripheral) { owner = Guarded(Weak(peripheral)) }

    /// Whether an operation of this peripheral may use the attributes.
    func serves(_ peripheral: CBPeripheral) -> Bool { owner.current.object === peripheral }

    func end() { owner.current = Weak(nil) }
}

extension CBService {
    /// Invalidates the service and everything discovered in it.
    func end() {
        life?.end()
        // Services may include each other.
        let included = contents.change { contents in
            defer { contents.includedServices = nil }
            return contents.includedServices ?? []
        }
        for service in included { service.end() }
    }
}
