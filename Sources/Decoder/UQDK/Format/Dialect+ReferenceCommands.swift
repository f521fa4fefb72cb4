import PayloadFormat
import WireBytes

extension Dialect {
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
