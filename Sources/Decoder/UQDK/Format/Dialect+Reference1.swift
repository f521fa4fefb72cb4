import BluetoothCore
import PayloadFormat

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

    static let referenceCommands: [DialectCommand] = [
        command(
            0x0001, "ACTIVATE", [octets("keyId", 8), octets("proof", 8, isVolatile: true)],
            [integer("slot", 1)], for: .activate),
        command(
            0x0101, "AUTH_BEGIN",
            [octets("keyId", 8), octets("phoneNonce", 16, isVolatile: true)],
            [
                octets("vehicleNonce", 16, isVolatile: true),
                octets("vehicleProof", 8, isVolatile: true),
            ], for: .authBegin),
        command(
            0x0102, "AUTH_FINISH",
            [integer("authCounter", 4, isVolatile: true), octets("phoneProof", 8, isVolatile: true)],
            [integer("lifetime", 2, FieldPresentation(unit: "s"))], for: .authFinish),
        command(0x0201, "DOOR_LOCK", [integer("doors", 1, doors)]),
        command(0x0202, "DOOR_UNLOCK", [integer("doors", 1, doors)]),
        command(0x0203, "TRUNK_OPEN", []),
        command(
            0x0204, "FIND_VEHICLE",
            [
                integer("duration", 1, FieldPresentation(unit: "s")),
                integer("mode", 1, FieldPresentation(flags: [0: "horn", 1: "lights"])),
            ]),
        command(0x0205, "ENGINE_START", [integer("duration", 1, FieldPresentation(unit: "min"))]),
        command(0x0206, "ENGINE_STOP", []),
        command(
            0x0207, "WINDOW_SET",
            [integer("windows", 1, doors), integer("open", 1, FieldPresentation(unit: "%"))]),
        command(0x0301, "STATUS_QUERY", [], vehicleState),
        event(0x0401, "STATUS_EVENT", vehicleState),
        event(
            0x0402, "PROXIMITY_EVENT",
            [
                integer(
                    "zone", 1, FieldPresentation(names: [0: "far", 1: "approach", 2: "unlock", 3: "inside"])),
                integer("rssi", 1, FieldPresentation(unit: "dBm"), signed: true, isVolatile: true),
            ]),
        event(
            0x0403, "FAULT_EVENT",
            [integer("code", 2, FieldPresentation(style: .hex)), integer("severity", 1)]),
    ]

    private static let doors = FieldPresentation(
        flags: [0: "frontLeft", 1: "frontRight", 2: "rearLeft", 3: "rearRight", 4: "trunk"],
        names: [0xFF: "all"])

    private static let vehicleState = [
        integer("doorsLocked", 1, doors), integer("doorsOpen", 1, doors),
        integer("engine", 1, FieldPresentation(names: [0: "off", 1: "on"])),
        integer("battery", 1, FieldPresentation(unit: "%")),
        integer("range", 2, FieldPresentation(unit: "km")),
        integer(
            "odometer", 4,
            FieldPresentation(unit: "km", scale: JSONNumber(mantissa: 1, exponent: -1))),
    ]

    private static func command(
        _ code: UInt64, _ name: String, _ request: [FieldLayout], _ response: [FieldLayout] = [],
        for purpose: CommandPurpose = .ordinary
    ) -> DialectCommand {
        DialectCommand(
            code: code, name: name, purpose: purpose, isEvent: false, isSecured: purpose == .ordinary,
            request: Layout(request), response: Layout(response))
    }

    private static func event(_ code: UInt64, _ name: String, _ body: [FieldLayout]) -> DialectCommand {
        DialectCommand(
            code: code, name: name, purpose: .ordinary, isEvent: true, isSecured: true,
            request: Layout(body), response: Layout())
    }
}
