internal import WireBytes

/// The numbers that the Bluetooth SIG assigns, by name.
///
/// A name is a span of UTF-8 in the program itself, so it may be kept forever and no lookup allocates. A
/// 16-bit UUID has a name only in its assigned use: a member's UUID is the name of a service and never of a
/// characteristic, although members also use such numbers for characteristics.
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
    static let appearances = NameTable(appearancesLines)

    /// Returns the company with a company identifier; nil if not assigned.
    @_lifetime(immortal)
    public static func company(_ identifier: UInt16) -> RawSpan? { companies.name(identifier) }

    /// Returns the name of a GATT service that the SIG defines; nil for any other UUID.
    @_lifetime(immortal)
    public static func service(_ uuid: UInt16) -> RawSpan? { services.name(uuid) }

    /// Returns the member company that owns a service UUID; nil for any other UUID.
    @_lifetime(immortal)
    public static func memberService(_ uuid: UInt16) -> RawSpan? { memberServices.name(uuid) }

    /// Returns the service of another standards organization (such as Aliro or Matter); nil for any other
    /// UUID.
    @_lifetime(immortal)
    public static func organizationService(_ uuid: UInt16) -> RawSpan? { organizationServices.name(uuid) }

    /// Returns the name of a BR/EDR protocol, service class or profile; nil for any other UUID.
    @_lifetime(immortal)
    public static func serviceClass(_ uuid: UInt16) -> RawSpan? { serviceClasses.name(uuid) }

    /// Returns the name of a GATT characteristic that the SIG defines; nil for any other UUID.
    @_lifetime(immortal)
    public static func characteristic(_ uuid: UInt16) -> RawSpan? { characteristics.name(uuid) }

    /// Returns the name of a GATT descriptor; nil for any other UUID.
    @_lifetime(immortal)
    public static func descriptor(_ uuid: UInt16) -> RawSpan? { descriptors.name(uuid) }

    /// Returns the name of a declaration's attribute type (0x2800 to 0x2803); nil for any other UUID.
    @_lifetime(immortal)
    public static func declaration(_ uuid: UInt16) -> RawSpan? { declarations.name(uuid) }

    /// Returns the category of an appearance value, such as "Keyring"; nil if not assigned.
    @_lifetime(immortal)
    public static func appearanceCategory(_ value: UInt16) -> RawSpan? {
        appearances.name(value & ~0x3F)
    }

    /// Returns the subcategory of an appearance value.
    ///
    /// Nil if the value names the whole category or is not assigned.
    @_lifetime(immortal)
    public static func appearanceSubcategory(_ value: UInt16) -> RawSpan? {
        value & 0x3F == 0 ? nil : appearances.name(value)
    }

    /// The use of a UUID in an attribute or in advertising data.
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
        /// A use for which no numbers are assigned.
        case unassigned

        /// Returns the use as a characteristic of a service.
        ///
        /// A vendor whose service has a number for attribute types (0x2700 to 0x2FFF) numbers its
        /// characteristics in the same way, so the assigned names are not theirs.
        public static func characteristic(in service: BluetoothUUID?) -> UUIDUse {
            let isForeign = service?.assigned16.map { (0x2700...0x2FFF).contains($0) } ?? false
            return isForeign ? .unassigned : .characteristic
        }
    }

    /// Returns the name of a 16-bit UUID in this use; nil if it has none or was assigned for another use.
    @_lifetime(immortal)
    public static func name(of uuid: UInt16, as use: UUIDUse) -> RawSpan? {
        switch use {
        case .service: serviceName(uuid)
        case .characteristic: characteristic(uuid)
        case .descriptor: descriptor(uuid)
        case .declaration: declaration(uuid)
        case .unassigned: nil
        }
    }

    /// Returns the name of a UUID in this use, as text; nil if it has none.
    ///
    /// Of services, only those of the SIG have a name here: manufacturers use numbers that are assigned to
    /// others.
    public static func text(_ uuid: BluetoothUUID, as use: UUIDUse) -> String? {
        guard let short = uuid.assigned16 else { return nil }
        let known = use == .service ? service(short) : name(of: short, as: use)
        guard let known else { return nil }
        return String(decoding: known.copied(), as: UTF8.self)
    }

    /// Returns the name of a UUID as a service: of the SIG, of another organization, of a member, or of
    /// BR/EDR.
    @_lifetime(immortal)
    static func serviceName(_ uuid: UInt16) -> RawSpan? {
        if let name = service(uuid) { return name }
        if let name = organizationService(uuid) { return name }
        if let name = memberService(uuid) { return name }
        return serviceClass(uuid)
    }
}
