public import BluetoothCore
import Crypto

/// The requirements for a peer to read or write an attribute.
public struct ATTPermissions: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let readable = ATTPermissions(rawValue: 0x01)
    public static let writeable = ATTPermissions(rawValue: 0x02)
    /// Reading requires an encrypted link.
    public static let readEncryptionRequired = ATTPermissions(rawValue: 0x04)
    /// Writing requires an encrypted link.
    public static let writeEncryptionRequired = ATTPermissions(rawValue: 0x08)
}

/// One attribute of a server.
public struct ATTAttribute: AttributeTableEntry, Hashable, Sendable {
    /// The source of an attribute's value.
    public enum Value: Hashable, Sendable {
        /// A fixed value.
        case fixed([UInt8])
        /// The application is asked each time.
        case dynamic
        /// A value for each client: a Client Characteristic Configuration.
        case clientConfiguration
        /// A value for each client: Client Supported Features.
        case clientFeatures
        /// The Database Hash, which the host computes.
        case databaseHash
    }

    public var handle: UInt16
    public var type: BluetoothUUID
    public var value: Value
    public var permissions: ATTPermissions
    /// The last attribute of the group that this attribute starts; its own handle if it starts none.
    public var groupEndHandle: UInt16
}

/// A service to add to a server.
public struct GATTServiceDefinition: Hashable, Sendable {
    /// A descriptor of a characteristic, other than its Client Characteristic Configuration.
    public struct Descriptor: Hashable, Sendable {
        public var uuid: BluetoothUUID
        public var value: ATTAttribute.Value
        public var permissions: ATTPermissions

        public init(uuid: BluetoothUUID, value: ATTAttribute.Value, permissions: ATTPermissions = .readable) {
            self.uuid = uuid
            self.value = value
            self.permissions = permissions
        }
    }

    /// A characteristic of a service to add.
    public struct Characteristic: Hashable, Sendable {
        public var uuid: BluetoothUUID
        public var properties: GATTCharacteristicProperties
        public var value: ATTAttribute.Value
        public var permissions: ATTPermissions
        /// The requirements for a client to read or write the Client Characteristic Configuration.
        public var configurationPermissions: ATTPermissions
        public var descriptors: [Descriptor]

        public init(
            uuid: BluetoothUUID, properties: GATTCharacteristicProperties,
            value: ATTAttribute.Value = .dynamic, permissions: ATTPermissions,
            configurationPermissions: ATTPermissions = [.readable, .writeable],
            descriptors: [Descriptor] = []
        ) {
            self.configurationPermissions = configurationPermissions
            self.uuid = uuid
            self.properties = properties
            self.value = value
            self.permissions = permissions
            self.descriptors = descriptors
        }
    }

    public var uuid: BluetoothUUID
    public var isPrimary: Bool
    /// The services to include, which the database has placed already.
    public var includes: [GATTService]
    public var characteristics: [Characteristic]

    public init(
        uuid: BluetoothUUID, isPrimary: Bool = true, includes: [GATTService] = [],
        characteristics: [Characteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A service with its assigned handles.
public struct GATTPlacedService: Hashable, Sendable {
    public var service: GATTService
    public var characteristics: [GATTCharacteristic]
    /// The descriptors of each characteristic, in the order of `characteristics`.
    public var descriptors: [[GATTDescriptor]]
}

/// The attributes of a server, by their handles.
///
/// Source: Core Specification, Vol 3, Part G, 3.
public struct GATTDatabase: Hashable, Sendable {
    /// All attributes, sorted by handle.
    public private(set) var attributes = AttributeTable<ATTAttribute>()
    private var nextHandle = 1

    /// Creates a database without attributes.
    public init() {}

    /// Adds a service after the existing ones.
    ///
    /// - Returns: the service with its handles; nil if too few handles are left, and then nothing is added.
    public mutating func add(_ definition: GATTServiceDefinition) -> GATTPlacedService? {
        let before = self
        let first = attributes.count
        let type: BluetoothUUID = definition.isPrimary ? .primaryService : .secondaryService
        place(type, .fixed(GATTServiceDeclaration(uuid: definition.uuid).encoded), .readable)
        for include in definition.includes {
            let short = include.uuid.shortestWidth == 2 ? include.uuid : nil
            let declaration = GATTIncludeDeclaration(
                handle: include.handle, endGroupHandle: include.endHandle, uuid: short)
            place(.includeDeclaration, .fixed(declaration.encoded), .readable)
        }
        var characteristics: [GATTCharacteristic] = []
        var descriptors: [[GATTDescriptor]] = []
        for characteristic in definition.characteristics {
            let (placed, its) = place(characteristic)
            characteristics.append(placed)
            descriptors.append(its)
        }
        guard nextHandle <= 0x1_0000, let last = attributes.last?.handle else {
            self = before
            return nil
        }
        attributes[first].groupEndHandle = last
        return GATTPlacedService(
            service: GATTService(
                uuid: definition.uuid, handle: attributes[first].handle, endHandle: last),
            characteristics: characteristics, descriptors: descriptors)
    }

    /// Replaces the value of an attribute that has a fixed value.
    public mutating func setValue(_ value: [UInt8], of handle: UInt16) {
        guard var attribute = self[handle], case .fixed = attribute.value else { return }
        attribute.value = .fixed(value)
        attributes.insert(attribute)
    }

    /// Removes a service; its handles are not used again.
    public mutating func remove(_ service: GATTService) {
        attributes.removeAll { (service.handle...service.endHandle).contains($0.handle) }
    }

    /// Removes all services; new ones get handles from 1 on.
    public mutating func removeAll() { self = GATTDatabase() }

    /// The attribute with a handle.
    public subscript(handle: UInt16) -> ATTAttribute? { attributes.entry(at: handle) }

    /// Returns the attributes in a range of handles.
    public func attributes(in range: ClosedRange<UInt16>) -> ArraySlice<ATTAttribute> {
        attributes.entries(in: range)
    }

    /// Adds attributes with new handles; attributes without a new handle are left out.
    mutating func insert(
        _ new: AttributeTable<ATTAttribute>, _ handles: [UInt16: UInt16], _ ends: [UInt16: UInt16],
        _ longForms: Set<UInt16>
    ) {
        for var attribute in new {
            guard let handle = handles[attribute.handle] else { continue }
            if attribute.type == .characteristicDeclaration, case .fixed(let octets) = attribute.value,
                var declaration = try? GATTCharacteristicDeclaration(whole: octets)
            {
                declaration.valueHandle = handle + 1
                attribute.value = .fixed(declaration.encoded)
            }
            if longForms.contains(handle), case .fixed(let octets) = attribute.value {
                attribute.value = .fixed(Self.longForm(octets, of: attribute.type))
            }
            attribute.groupEndHandle = ends[attribute.handle] ?? handle
            attribute.handle = handle
            attributes.insert(attribute)
        }
        nextHandle = max(nextHandle, Int(attributes.last?.groupEndHandle ?? 0) + 1)
    }

    /// Returns the value of a declaration with its UUID in 128 bits; other values stay unchanged.
    public static func longForm(_ value: [UInt8], of type: BluetoothUUID) -> [UInt8] {
        switch type {
        case .primaryService, .secondaryService:
            guard var declaration = try? GATTServiceDeclaration(whole: value) else { return value }
            declaration.uuidWidth = 16
            return declaration.encoded
        case .characteristicDeclaration:
            guard var declaration = try? GATTCharacteristicDeclaration(whole: value) else {
                return value
            }
            declaration.uuidWidth = 16
            return declaration.encoded
        default: return value
        }
    }

    @discardableResult
    private mutating func place(
        _ type: BluetoothUUID, _ value: ATTAttribute.Value, _ permissions: ATTPermissions
    ) -> UInt16 {
        let handle = UInt16(clamping: nextHandle)
        nextHandle += 1
        attributes.append(
            ATTAttribute(
                handle: handle, type: type, value: value, permissions: permissions, groupEndHandle: handle))
        return handle
    }

    private mutating func place(
        _ characteristic: GATTServiceDefinition.Characteristic
    ) -> (GATTCharacteristic, [GATTDescriptor]) {
        let first = attributes.count
        let declaration = GATTCharacteristicDeclaration(
            properties: characteristic.properties, valueHandle: UInt16(clamping: nextHandle + 1),
            uuid: characteristic.uuid)
        let handle = place(.characteristicDeclaration, .fixed(declaration.encoded), .readable)
        let valueHandle = place(characteristic.uuid, characteristic.value, characteristic.permissions)
        var descriptors: [GATTDescriptor] = []
        if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
            let cccd = place(
                .clientCharacteristicConfiguration, .clientConfiguration,
                characteristic.configurationPermissions)
            descriptors.append(GATTDescriptor(uuid: .clientCharacteristicConfiguration, handle: cccd))
        }
        for descriptor in characteristic.descriptors {
            let placed = place(descriptor.uuid, descriptor.value, descriptor.permissions)
            descriptors.append(GATTDescriptor(uuid: descriptor.uuid, handle: placed))
        }
        let end = attributes.last?.handle ?? valueHandle
        attributes[first].groupEndHandle = end
        return (
            GATTCharacteristic(
                uuid: characteristic.uuid, properties: characteristic.properties, declarationHandle: handle,
                valueHandle: valueHandle, endHandle: end), descriptors
        )
    }

    /// Returns the value handle of the characteristic that a Client Characteristic Configuration belongs to.
    public func valueHandle(ofConfiguration handle: UInt16) -> UInt16? {
        attributes.last { $0.type == .characteristicDeclaration && $0.handle < handle }
            .flatMap { $0.groupEndHandle >= handle ? $0.handle + 1 : nil }
    }

    /// Returns the handle of a characteristic's Client Characteristic Configuration, by its value's handle.
    public func configurationHandle(ofValue handle: UInt16) -> UInt16? {
        guard handle > 1, let declaration = self[handle - 1],
            declaration.type == .characteristicDeclaration, handle < declaration.groupEndHandle
        else { return nil }
        return attributes(in: handle...declaration.groupEndHandle)
            .first { $0.value == .clientConfiguration }?.handle
    }
}

// Comparing two databases.

extension GATTDatabase {
    /// The Database Hash as clients read it: 16 bytes, least significant first.
    ///
    /// Source: Core Specification, Vol 3, Part G, 7.3.1.
    var hash: [UInt8] {
        let message = attributes.flatMap { $0.hashed ?? [] }
        let code = try? MessageAuthentication.cmac(key: [UInt8](repeating: 0, count: 16), message)
        return code?.reversed() ?? []
    }

    /// Returns the range of handles in which discovery of another database would differ; nil if it would not.
    func changes(to other: GATTDatabase) -> ClosedRange<UInt16>? {
        let own = Set(attributes.map(\.discovered))
        let changed = own.symmetricDifference(other.attributes.map(\.discovered)).map(\.handle)
        guard let first = changed.min(), let last = changed.max() else { return nil }
        return first...last
    }
}

extension ATTAttribute {
    /// The attribute's part of the hashed data; nil if the hash leaves the attribute out.
    fileprivate var hashed: [UInt8]? {
        guard let type = type.assigned16 else { return nil }
        let octets = [handle, type].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        switch type {
        // Declarations and Extended Properties include their values; other descriptors do not.
        case 0x2800...0x2803, 0x2900:
            guard case .fixed(let value) = value else { return octets }
            return octets + value
        case 0x2901...0x2905: return octets
        default: return nil
        }
    }

    /// The attribute without its value, if that may change.
    fileprivate var discovered: ATTAttribute {
        var attribute = self
        if hashed?.count ?? 0 <= 4 { attribute.value = .dynamic }
        return attribute
    }
}
