internal import WireBytes

/// The numbers that the Bluetooth SIG assigns, by name.
///
/// A name is a span of UTF-8 in the program itself: it may be kept for ever, and no look-up allocates. A
/// 16-bit UUID has a name only as what it was assigned for: a member's UUID names a service of that member's
/// and never a characteristic, although members use such numbers for characteristics too.
///
/// Source: Assigned Numbers, sections 2.2, 2.3, 2.6, 3 and 7.
public enum AssignedNumbers {
    static let companies = NameTable(companiesLines)
    static let services = NameTable(servicesLines)
    static let memberServices = NameTable(memberServicesLines)
    static let organizationServices = NameTable(organizationServicesLines)
    static let serviceClasses = NameTable(serviceClassesLines)
    static let characteristics = NameTable(characteristicsLines)
    static let descriptors = NameTable(descriptorsLines)
    static let declarations = NameTable(declarationsLines)
    static let units = NameTable(unitsLines)
    static let appearances = NameTable(appearancesLines)

    /// The company of a company identifier; nil if it is not assigned.
    @_lifetime(immortal)
    public static func company(_ identifier: UInt16) -> RawSpan? { companies.name(identifier) }

    /// The name of a GATT service that the SIG defines; nil for any other UUID.
    @_lifetime(immortal)
    public static func service(_ uuid: UInt16) -> RawSpan? { services.name(uuid) }

    /// The member company that a service UUID belongs to; nil for any other UUID.
    @_lifetime(immortal)
    public static func memberService(_ uuid: UInt16) -> RawSpan? { memberServices.name(uuid) }

    /// The service of another standards organization (such as Aliro or Matter); nil for any other UUID.
    @_lifetime(immortal)
    public static func organizationService(_ uuid: UInt16) -> RawSpan? { organizationServices.name(uuid) }

    /// The name of a BR/EDR protocol, service class or profile; nil for any other UUID.
    @_lifetime(immortal)
    public static func serviceClass(_ uuid: UInt16) -> RawSpan? { serviceClasses.name(uuid) }

    /// The name of a GATT characteristic that the SIG defines; nil for any other UUID.
    @_lifetime(immortal)
    public static func characteristic(_ uuid: UInt16) -> RawSpan? { characteristics.name(uuid) }

    /// The name of a GATT descriptor; nil for any other UUID.
    @_lifetime(immortal)
    public static func descriptor(_ uuid: UInt16) -> RawSpan? { descriptors.name(uuid) }

    /// The name of a declaration's attribute type (0x2800 to 0x2803); nil for any other UUID.
    @_lifetime(immortal)
    public static func declaration(_ uuid: UInt16) -> RawSpan? { declarations.name(uuid) }

    /// The name of a unit; nil for any other UUID.
    @_lifetime(immortal)
    public static func unit(_ uuid: UInt16) -> RawSpan? { units.name(uuid) }

    /// The category of an appearance value, such as "Keyring"; nil if it is not assigned.
    @_lifetime(immortal)
    public static func appearanceCategory(_ value: UInt16) -> RawSpan? {
        appearances.name(value & ~0x3F)
    }

    /// The kind of thing within an appearance's category; nil if the value names the whole category or is
    /// not assigned.
    @_lifetime(immortal)
    public static func appearanceSubcategory(_ value: UInt16) -> RawSpan? {
        value & 0x3F == 0 ? nil : appearances.name(value)
    }

    /// What an attribute or an advertised UUID stands for.
    @frozen
    public enum UUIDUse: Sendable {
        /// A service, in a declaration or in advertising data.
        case service
        /// The value of a characteristic.
        case characteristic
        /// A descriptor.
        case descriptor
        /// The type of a declaration.
        case declaration
    }

    /// The name that a 16-bit UUID has in this use; nil if it has none, so also where it was assigned for
    /// another use.
    @_lifetime(immortal)
    public static func name(of uuid: UInt16, as use: UUIDUse) -> RawSpan? {
        switch use {
        case .service: serviceName(uuid)
        case .characteristic: characteristic(uuid)
        case .descriptor: descriptor(uuid)
        case .declaration: declaration(uuid)
        }
    }

    /// The name of a UUID in this use, as text; nil if it has none.
    ///
    /// Makers use numbers that were assigned to others as services, so only services of the SIG have
    /// a name here.
    public static func text(_ uuid: BluetoothUUID, as use: UUIDUse) -> String? {
        guard let short = uuid.assigned16 else { return nil }
        let known = use == .service ? service(short) : name(of: short, as: use)
        guard let known else { return nil }
        return String(decoding: known.copied(), as: UTF8.self)
    }

    /// The name of a UUID as a service: of the SIG, of another organization, of a member, or of BR/EDR.
    @_lifetime(immortal)
    static func serviceName(_ uuid: UInt16) -> RawSpan? {
        if let name = service(uuid) { return name }
        if let name = organizationService(uuid) { return name }
        if let name = memberService(uuid) { return name }
        return serviceClass(uuid)
    }
}
