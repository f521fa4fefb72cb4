public import BluetoothCore
import PayloadFormat
import WireBytes

/// What a run knows about the protocol before it reads the first record: dialects and keys.
public struct UQDKKnowledge: Sendable {
    /// The dialects, in the order in which they were given.
    public let dialects: [Dialect]
    /// The same, for the links.
    let shared: [SharedDialect]
    /// The keys.
    public let keys: KeyStore
    /// Whether annotations keep the octets of bodies in clear, deciphered ones too: for who acts on messages,
    /// not for who shows them.
    public var keepsBodies = false
    /// Where the octets lie by which values without a label are recognized.
    let probes: [Probe]
    /// The first octet of the only probe; nil where there are several.
    let soleProbe: (offset: Int, octet: UInt8)?

    /// Octets at a place that every first fragment of a dialect has.
    struct Probe: Sendable {
        var dialect: Int
        var offset: Int
        var octets: [UInt8]
    }

    /// The dialects of a run and its keys.
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

    /// What a characteristic of this UUID is for; nil where no dialect has it.
    public func attribute(of uuid: BluetoothUUID) -> UQDKAttribute? {
        for role in UQDKAttribute.Role.allCases {
            let matching = dialects.indices.filter { dialects[$0].gatt.uuid(of: role) == uuid }
            if !matching.isEmpty { return UQDKAttribute(role: role, dialects: matching) }
        }
        return nil
    }

    /// Whether a dialect has this service.
    public func isService(_ uuid: BluetoothUUID) -> Bool {
        dialects.contains { $0.gatt.service == uuid }
    }

    /// What a car says in its manufacturer specific data; nil where it is no car of any dialect.
    ///
    /// `data` is what follows the company identifier.
    public func advertisement(company: UInt16, data: RawSpan) -> UQDKAnnotation? {
        guard dialects.contains(where: { $0.advertising.companyID == company }) else { return nil }
        let octets = data.copied()
        for shared in self.shared where shared.dialect.advertising.companyID == company {
            guard let car = CarAdvertisement(octets, shared.dialect) else { continue }
            return UQDKAnnotation(shared, .content, told: .fields(car.fields))
        }
        return nil
    }
}

extension UQDKKnowledge {
    /// What a car without manufacturer specific data says by its name, which is its own address; nil where it
    /// is no car of any dialect.
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

/// What a characteristic is for, in one or several dialects.
public struct UQDKAttribute: Hashable, Sendable {
    /// What a characteristic is for.
    public enum Role: CaseIterable, Hashable, Sendable {
        /// The phone writes it.
        case command
        /// It notifies.
        case event
        /// It is read.
        case info
    }

    /// What it is for.
    public var role: Role
    /// The numbers of the dialects that have it.
    public var dialects: [Int]

    /// A purpose in the dialects of these numbers.
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

/// What a car advertises.
public struct CarAdvertisement: Hashable, Sendable {
    /// The fields after the company identifier.
    public var fields: [DecodedField]
    /// The car's address, which the central matches.
    public var address: DeviceAddress

    /// Reads the manufacturer specific data after the company identifier; nil where it is another's.
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

    /// The address that a name spells, for cars without manufacturer specific data; nil where it spells none.
    public static func address(fromName name: String, _ dialect: Dialect) -> DeviceAddress? {
        dialect.advertising.nameMayBeAddress ? DeviceAddress(name) : nil
    }

    /// The octets after the company identifier; `values` are those of the layout but for the address.
    public static func encode(
        address: DeviceAddress, _ values: [String: AnnotationValue], _ dialect: Dialect
    ) throws(LayoutError) -> [UInt8] {
        var all = values
        let octets = address.octets
        all["address"] = .octets(dialect.advertising.addressOrder == .big ? octets : octets.reversed())
        return try dialect.advertising.layout.encode(all)
    }
}
