public import BluetoothCore
import PayloadFormat
import WireBytes

/// Knowledge about the protocol before the first record is read: dialects and keys.
public struct UQDKKnowledge: Sendable {
    /// The dialects, in the order given.
    public let dialects: [Dialect]
    /// The same dialects in the form that links share.
    let shared: [SharedDialect]
    /// The keys.
    public let keys: KeyStore
    /// Whether annotations keep the bytes of bodies in clear, including decrypted ones.
    ///
    /// For callers that act on messages, not for those that only show them.
    public var keepsBodies = false
    /// Byte patterns that identify values on handles without a known UUID.
    let probes: [Probe]
    /// The first byte of the only probe; nil if there are several.
    let soleProbe: (offset: Int, octet: UInt8)?

    /// Bytes at a fixed offset that every first fragment of a dialect has.
    struct Probe: Sendable {
        var dialect: Int
        var offset: Int
        var octets: [UInt8]
    }

    /// Creates the knowledge of a run from its dialects and keys.
    public init(dialects: [Dialect] = [.reference1], keys: KeyStore = KeyStore()) {
        self.dialects = dialects
        shared = dialects.map(SharedDialect.init)
        self.keys = keys
        let probes = dialects.enumerated().compactMap { (index, dialect) -> Probe? in
            let header = dialect.message.header
            guard let offset = header.offset(of: .magic), let field = header.field(.magic),
                let constant = field.constant, field.bits % 8 == 0
            else { return nil }
            let octets = header.octets(of: .magic, constant)
            return Probe(
                dialect: index, offset: (dialect.fragments?.format.header.width ?? 0) + offset, octets: octets
            )
        }
        self.probes = probes
        soleProbe = probes.count == 1 ? probes[0].octets.first.map { (probes[0].offset, $0) } : nil
    }

    /// Returns the role of the characteristic with this UUID; nil if no dialect has it.
    public func attribute(of uuid: BluetoothUUID) -> UQDKAttribute? {
        for role in UQDKAttribute.Role.allCases {
            let matching = dialects.indices.filter { dialects[$0].gatt.uuid(of: role) == uuid }
            if !matching.isEmpty { return UQDKAttribute(role: role, dialects: matching) }
        }
        return nil
    }

    /// Decodes the manufacturer specific data that a car advertises; nil if no dialect matches.
    ///
    /// `data` follows the company identifier.
    public func advertisement(company: UInt16, data: RawSpan) -> UQDKAnnotation? {
        guard dialects.contains(where: { $0.advertising.companyID == company }) else { return nil }
        let octets = data.copied()
        for shared in self.shared where shared.dialect.advertising.companyID == company {
            guard let car = CarAdvertisement(octets, shared.dialect) else { continue }
            return UQDKAnnotation(shared, .content, told: .fields(car.fields))
        }
        return nil
    }

    /// Decodes the name of a car that advertises its own address as its name, without manufacturer specific
    /// data.
    ///
    /// Nil if no dialect matches.
    public func advertisement(name: String, of advertiser: DeviceAddress) -> UQDKAnnotation? {
        for shared in self.shared {
            guard let address = CarAdvertisement.address(fromName: name, shared.dialect),
                address.value == advertiser.value
            else { continue }
            let field = DecodedField("address", .text(address.description))
            return UQDKAnnotation(shared, .content, told: .fields([field]))
        }
        return nil
    }
}

/// The role of a characteristic, in one or several dialects.
public struct UQDKAttribute: Hashable, Sendable {
    /// The role of a characteristic.
    public enum Role: CaseIterable, Hashable, Sendable {
        /// The phone writes it.
        case command
        /// It notifies.
        case event
        /// It is read.
        case info
    }

    /// The role.
    public var role: Role
    /// Indices of the dialects that have the characteristic.
    public var dialects: [Int]

    /// Creates a role in the dialects with these indices.
    public init(role: Role, dialects: [Int]) {
        self.role = role
        self.dialects = dialects
    }
}

extension DialectGATT {
    func uuid(of role: UQDKAttribute.Role) -> BluetoothUUID? {
        switch role {
        case .command: command
        case .event: event
        case .info: info
        }
    }
}

/// The content of a car's advertising.
public struct CarAdvertisement: Hashable, Sendable {
    /// The fields after the company identifier.
    public var fields: [DecodedField]
    /// The car's address, which the central compares with the one it looks for.
    public var address: DeviceAddress

    /// Decodes the manufacturer specific data after the company identifier; nil if it has another format.
    public init?(_ data: [UInt8], _ dialect: Dialect) {
        let decoded = dialect.advertising.layout.decode(data)
        guard decoded.misfit == nil,
            let index = decoded.fields.firstIndex(where: { $0.name == "address" }),
            case .octets(let octets) = decoded.fields[index].value, octets.count == 6
        else { return nil }
        let ordered = dialect.advertising.addressOrder == .big ? octets : octets.reversed()
        address = DeviceAddress(ordered.reduce(0) { $0 << 8 | UInt64($1) })
        fields = decoded.fields
        fields[index].value = .text(address.description)
    }

    /// Returns the address spelled by the name of a car without manufacturer specific data; nil if it spells
    /// none.
    public static func address(fromName name: String, _ dialect: Dialect) -> DeviceAddress? {
        dialect.advertising.nameMayBeAddress ? DeviceAddress(name) : nil
    }
}
