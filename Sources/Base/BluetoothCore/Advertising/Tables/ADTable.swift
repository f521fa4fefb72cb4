public import WireBytes

/// The AD structures of advertising and scan response data.
enum ADTable {
    /// Rows by AD type, with the fields after it.
    ///
    /// A code above FF is a second form of a type, which has another number of bytes.
    ///
    /// Source: Supplement to the Core Specification, Part A; Assigned Numbers, 2.3; Device ID Profile, 5.
    static let structures = PDUTable(
        trusting: """
            01 1.3 Flags
            > Flags:1|ad_flags
            02 1.1 Incomplete List of 16-bit Service or Service Class UUIDs
            > UUIDs:[/2](UUID:uuid2)
            03 1.1 Complete List of 16-bit Service or Service Class UUIDs
            > UUIDs:[/2](UUID:uuid2)
            04 1.1 Incomplete List of 32-bit Service or Service Class UUIDs
            > UUIDs:[/4](UUID:uuid4)
            05 1.1 Complete List of 32-bit Service or Service Class UUIDs
            > UUIDs:[/4](UUID:uuid4)
            06 1.1 Incomplete List of 128-bit Service or Service Class UUIDs
            > UUIDs:[/16](UUID:uuid16)
            07 1.1 Complete List of 128-bit Service or Service Class UUIDs
            > UUIDs:[/16](UUID:uuid16)
            08 1.2 Shortened Local Name
            > Name:*"
            09 1.2 Complete Local Name
            > Name:*"
            0A 1.5 Tx Power Level
            > "Tx Power Level":dBm
            0D 1.6 Class of Device
            > "Class of Device":3x
            0E 1.6 Simple Pairing Hash C-192
            > Value:16!
            0F 1.6 Simple Pairing Randomizer R-192
            > Value:16!
            10 1.8 Security Manager TK Value
            > Key:*!
            11 1.7 Security Manager Out of Band Flags
            > Flags:1|ad_security_manager_flags
            12 1.9 Peripheral Connection Interval Range
            > "Interval Min":2*1.25ms "Interval Max":2*1.25ms
            14 1.10 List of 16-bit Service Solicitation UUIDs
            > UUIDs:[/2](UUID:uuid2)
            15 1.10 List of 128-bit Service Solicitation UUIDs
            > UUIDs:[/16](UUID:uuid16)
            16 1.11 Service Data - 16-bit UUID
            > "Service UUID":uuid2 Data:*
            17 1.13 Public Target Address
            > "Target Addresses":[/6]("Target Address":addr)
            18 1.14 Random Target Address
            > "Target Addresses":[/6]("Target Address":addr)
            19 1.12 Appearance
            > Appearance:2x
            1A 1.15 Advertising Interval
            > "Advertising Interval":2*625us
            1B 1.16 LE Bluetooth Device Address
            > "Device Address":addr "Address Type":1=ad_address_type
            1C 1.17 LE Role
            > "LE Role":1=ad_role
            1D 1.6 Simple Pairing Hash C-256
            > Value:16!
            1E 1.6 Simple Pairing Randomizer R-256
            > Value:16!
            1F 1.10 List of 32-bit Service Solicitation UUIDs
            > UUIDs:[/4](UUID:uuid4)
            20 1.11 Service Data - 32-bit UUID
            > "Service UUID":uuid4 Data:*
            21 1.11 Service Data - 128-bit UUID
            > "Service UUID":uuid16 Data:*
            22 1.6 LE Secure Connections Confirmation Value
            > Value:16!
            23 1.6 LE Secure Connections Random Value
            > Value:16!
            24 1.18 URI
            > URI:*"
            25 Indoor Positioning
            > Data:*
            26 Transport Discovery Data
            > Data:*
            27 1.19 LE Supported Features
            > "LE Supported Features":*
            28 1.20 Channel Map Update Indication
            > "Channel Map":5b Instant:2
            29 PB-ADV
            > Data:*
            2A Mesh Message
            > Data:*
            2B Mesh Beacon
            > Data:*
            2C BIGInfo
            > Data:*
            2D Broadcast_Code
            > Key:*!
            2E Resolvable Set Identifier
            > Data:*
            2F 1.15 Advertising Interval - long
            > "Advertising Interval":3*625us
            30 1.2 Broadcast_Name
            > Name:*"
            31 1.23 Encrypted Advertising Data
            > Randomizer:5b "Encrypted Payload":*-4 MIC:4b
            32 Periodic Advertising Response Timing Information
            > Data:*
            34 Electronic Shelf Label
            > Data:*
            3D 3D Information Data
            > Data:*
            FF 1.4 Manufacturer Specific Data
            > "Company Identifier":company Data:*
            110 Device ID
            > "Vendor ID Source":2=ad_vendor_id_source "Vendor ID":2x "Product ID":2x Version:2x
            204 Advertising Interval - long
            > "Advertising Interval":4*625us
            """)

    /// The fields of an unassigned type.
    private static let unknown = PDUTable(trusting: "00 Unknown\n> Data:*").rows[0].parameters ?? .empty

    /// Returns the fields of a structure with `count` bytes of data.
    static func layout(_ type: ADType, count: Int) -> PDULayout {
        let code: UInt16 =
            switch (type.rawValue, count) {
            case (0x10, 8): 0x110
            case (0x1A, 3): 0x2F
            case (0x1A, 4...), (0x2F, 4...): 0x204
            default: UInt16(type.rawValue)
            }
        return structures[code]?.parameters ?? unknown
    }

    /// The valid lengths of a type's structures.
    struct Form {
        /// Minimum number of bytes of data.
        var least = 0
        /// Number that divides the number of bytes.
        var step = 1
        /// Whether there is only one field, for which the type's name suffices.
        var isOneField = true
    }

    /// The forms by type, computed once because every structure of a log needs them.
    static let forms = InlineArray<256, Form> { code in
        let type = ADType(rawValue: UInt8(code))
        guard let layout = structures[UInt16(code)]?.parameters else { return Form() }
        var form = layout.form
        if type == .deviceIDOrTK { form.isOneField = false }
        return form
    }
}

extension ADType {
    /// Passes the fields of an AD structure of this type to `coder`, which is positioned after the type and
    /// ends with the structure.
    ///
    /// Unassigned types, and types whose structure another specification defines, are one field.
    public func walk<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try ADTable.layout(self, count: coder.remaining).code(&coder)
    }

    /// Whether a structure of this type may have this many bytes of data.
    public func mayHold(_ count: Int) -> Bool {
        let form = ADTable.forms[Int(rawValue)]
        return count >= form.least && (form.step == 1 || count % form.step == 0)
    }

    /// Whether the structure has only one field, for which the type's name suffices.
    public var holdsOneField: Bool { ADTable.forms[Int(rawValue)].isOneField }
}

extension PDULayout {
    /// The valid lengths of a PDU that fills its structure.
    fileprivate var form: ADTable.Form {
        var form = ADTable.Form(isOneField: top.count == 1)
        for field in fields[top] {
            switch field.shape {
            case .list(.widths(.fixed(let width)), _): form.step = width
            default: form.least += field.shape.width ?? 0
            }
        }
        return form
    }
}
