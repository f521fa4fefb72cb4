import BluetoothCore
import PayloadFormat
import WireBytes

extension Dialect {
    /// UQDK reference format 1: the project's own format, described in `docs`.
    public static let reference1 = Dialect(
        name: "UQDK reference format 1",
        gatt: DialectGATT(
            service: uuid(1), command: uuid(2), event: uuid(3), info: uuid(4),
            infoLayout: Layout([
                integer("version", 1), integer("maxMessageSize", 2), octets("vehicleId", 8),
            ])),
        advertising: DialectAdvertising(
            companyID: 0xFFFF,
            layout: Layout([
                FieldLayout("magic", .octets(.fixed(2)), constant: magic),
                integer(
                    "flags", 1,
                    FieldPresentation(flags: [0: "pairingWindowOpen", 1: "locked", 2: "slotsTaken"])),
                octets("address", 6),
            ]),
            addressOrder: .big, nameMayBeAddress: true),
        fragments: DialectFragments(
            format: FragmentFormat(
                header: HeaderFormat(
                    [
                        HeaderField(.messageID, bits: 8), HeaderField(.last, bits: 1),
                        HeaderField(.index, bits: 7),
                    ], order: .big)),
            requestIDs: 0x00...0x7F, eventIDs: 0x80...0xFF),
        message: MessageFormat(
            header: HeaderFormat(
                [
                    HeaderField(.magic, bits: 16, constant: 0x5551),
                    HeaderField(.version, bits: 8, constant: 1), HeaderField(.kind, bits: 8),
                    HeaderField(.command, bits: 16), HeaderField(.flags, bits: 8),
                    HeaderField(.length, bits: 16),
                ], order: .big),
            lengthMeaning: .payload, requestKind: 1, responseKind: 2, eventKind: 3, securedFlag: 1),
        checksum: ChecksumPlacement(checksum: .crc16CCITTFalse, order: .big, skipsFirst: 0),
        commands: referenceCommands,
        status: StatusFormat(width: 1, order: .big, names: referenceStatuses),
        proofs: referenceProofs,
        securing: SecuringFormat(
            algorithm: .aesCCM, parts: [.counter, .body, .tag], counterWidth: 4, counterOrder: .big,
            firstCounter: 1, tagLength: 8,
            nonce: [
                .variable(FormulaVariable.direction, nil), .variable("vehicleNonce", 0..<8),
                .variable(FormulaVariable.counter, nil),
            ],
            additionalData: [
                .variable(FormulaVariable.messageID, nil), .variable(FormulaVariable.messageHeader, nil),
            ],
            phoneDirection: [0], carDirection: [1]),
        limits: DialectLimits())

    private static let magic: [UInt8] = [0x55, 0x51]

    /// "UQDK", a number, "DIGITALKEY".
    private static func uuid(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x5551_444B_0000_4449 | number << 16, low: 0x4749_5441_4C4B_4559)
    }

    private static let referenceStatuses: [UInt64: String] = Dictionary(
        uniqueKeysWithValues: StatusName.allCases.enumerated().map {
            (UInt64($0.offset), $0.element.rawValue)
        })

    private static let referenceProofs = DialectProofs(
        activation: Formula(
            .aesCMAC, [label("UQDK-ACT"), .variable(FormulaVariable.pairingCode, nil)], length: 8),
        vehicle: Formula(
            .aesCMAC,
            [
                label("UQDK-V1"), .variable("keyId", nil), .variable("phoneNonce", nil),
                .variable("vehicleNonce", nil),
            ], length: 8),
        phone: Formula(
            .aesCMAC,
            [
                label("UQDK-P1"), .variable("keyId", nil), .variable("vehicleNonce", nil),
                .variable("phoneNonce", nil), .variable("authCounter", nil),
            ], length: 8),
        sessionKey: Formula(
            .aesCMAC,
            [label("UQDK-S1"), .variable("phoneNonce", nil), .variable("vehicleNonce", nil)], length: 16))

    private static func label(_ text: String) -> FormulaTerm { .octets(Array(text.utf8)) }

    static func integer(
        _ name: String, _ width: Int, _ presentation: FieldPresentation = FieldPresentation(),
        signed: Bool = false, isVolatile: Bool = false
    ) -> FieldLayout {
        FieldLayout(
            name, .integer(width: width, signed: signed, .big, presentation), isVolatile: isVolatile)
    }

    static func octets(_ name: String, _ count: Int, isVolatile: Bool = false) -> FieldLayout {
        FieldLayout(name, .octets(.fixed(count)), isVolatile: isVolatile)
    }
}
