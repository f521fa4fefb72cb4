public import WireBytes

/// The standard HCI commands.
public enum HCICommandTable {
    /// Which side's parameters to walk over.
    @frozen
    public enum Part: Sendable {
        /// What the host sends with the command.
        case parameters
        /// What the controller returns in Command Complete.
        case returnParameters
    }

    /// The table that a command's row is in; nil for groups that the specification doesn't define.
    static func rows(of opcode: HCIOpcode) -> PDUTable? {
        switch opcode.ogf {
        case 0, 1: linkControl
        case 2: linkPolicy
        case 3: baseband
        case 4: informational
        case 5: status
        case 6: testing
        case 8: le
        default: nil
        }
    }

    /// All rows, in the order of the opcodes.
    public static var rows: [PDUTable.Row] {
        [linkControl, linkPolicy, baseband, informational, status, testing, le].flatMap(\.rows)
    }

    /// The parameters of a command, or what is returned for it; nil if only its name is known.
    public static func layout(_ opcode: HCIOpcode, _ part: Part) -> PDULayout? {
        guard let row = rows(of: opcode)?[opcode.rawValue], let parameters = row.parameters else {
            return nil
        }
        return part == .parameters ? parameters : row.returnParameters ?? .empty
    }

    /// Hands the fields of a command, or of what is returned for it, to `coder`; false if only its name is
    /// known and no field was touched. Bytes after the last field are left in the coder.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        guard let layout = layout(opcode, part) else { return false }
        try layout.code(&coder)
        return true
    }

    /// Why the parameters of a command, or what is returned for it, don't fit their definition; nil if
    /// they fit or only the name is known. Bytes after the last field are no fault.
    public static func fault(_ opcode: HCIOpcode, _ part: Part, in octets: RawSpan) -> DecodeError? {
        layout(opcode, part)?.fault(in: octets)
    }
}

/// The standard HCI events.
public enum HCIEventTable {
    /// All rows of events, and of those in LE Meta, in the order of their codes.
    public static var rows: (events: [PDUTable.Row], leEvents: [PDUTable.Row]) {
        (events.rows, leEvents.rows)
    }

    /// The parameters of an event; nil if only its name is known. Of Command Complete and LE Meta these
    /// are the fields before the return parameters and the subevent's own.
    public static func layout(_ event: HCIEventCode) -> PDULayout? {
        events[UInt16(event.rawValue)]?.parameters
    }

    /// The parameters of an LE Meta event, after its subevent code; nil if only its name is known.
    public static func layoutLE(_ subevent: LESubeventCode) -> PDULayout? {
        leEvents[UInt16(subevent.rawValue)]?.parameters
    }

    /// Hands the parameters of an event to `coder`, with the subevent of LE Meta and the return parameters
    /// of Command Complete; false if only the event's name is known. A subevent and return parameters of
    /// which no field is known are handed over as bytes. Bytes after the last field are left in the coder.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ event: HCIEventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch event {
        case .leMeta:
            var subevent = LESubeventCode(rawValue: 0)
            try coder.code("subevent_code", &subevent, width: 1, .code(.leEvents))
            if try codeLE(subevent, &coder) { return true }
            var rest: [UInt8] = []
            try coder.octets("parameters", &rest)
        case .commandComplete:
            var complete = HCICommandComplete()
            try complete.code(&coder)
            if try HCICommandTable.code(complete.commandOpcode, .returnParameters, &coder) { return true }
            var rest: [UInt8] = []
            if coder.remaining > 0 { try coder.octets("return_parameters", &rest) }
        default:
            guard let layout = layout(event) else { return false }
            try layout.code(&coder)
        }
        return true
    }

    /// Hands the parameters of an LE Meta event, after its subevent code, to `coder`; false if only its
    /// name is known.
    @inlinable
    public static func codeLE<C: FieldCoder & ~Copyable & ~Escapable>(
        _ subevent: LESubeventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        guard let layout = layoutLE(subevent) else { return false }
        try layout.code(&coder)
        return true
    }

    /// Why the parameters of an event don't fit their definition; nil if they fit or only the name is
    /// known. Bytes after the last field are no fault.
    public static func fault(_ event: HCIEventCode, in octets: RawSpan) -> DecodeError? {
        layout(event)?.fault(in: octets)
    }

    /// Why the parameters of an LE Meta event, after its subevent code, don't fit their definition; nil if
    /// they fit or only the name is known. Bytes after the last field are no fault.
    public static func faultLE(_ subevent: LESubeventCode, in octets: RawSpan) -> DecodeError? {
        layoutLE(subevent)?.fault(in: octets)
    }
}
