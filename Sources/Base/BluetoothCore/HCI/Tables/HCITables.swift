public import WireBytes

/// The standard HCI commands.
public enum HCICommandTable {
    /// The two parts of a command: its parameters and its return parameters.
    @frozen
    public enum Part: Sendable {
        /// The parameters that the host sends with the command.
        case parameters
        /// The parameters that the controller returns in Command Complete.
        case returnParameters
    }

    /// Returns the table with a command's row; nil for groups that the specification doesn't define.
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

    /// Returns the parameters or the return parameters of a command; nil if only its name is known.
    public static func layout(_ opcode: HCIOpcode, _ part: Part) -> PDULayout? {
        guard let row = rows(of: opcode)?[opcode.rawValue], let parameters = row.parameters else {
            return nil
        }
        return part == .parameters ? parameters : row.returnParameters ?? .empty
    }

    /// Passes the parameters or the return parameters of a command to `coder`.
    ///
    /// Returns false, without visiting a field, if only the command's name is known. Bytes after the last
    /// field are left in the coder.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: HCIOpcode, _ part: Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        try layout(opcode, part)?.code(&coder) != nil
    }

    /// Returns the reason why the parameters or return parameters of a command don't fit their definition.
    ///
    /// Nil if they fit or only the name is known. Bytes after the last field are not a fault.
    public static func fault(_ opcode: HCIOpcode, _ part: Part, in octets: RawSpan) -> DecodeError? {
        layout(opcode, part)?.fault(in: octets)
    }
}

/// The standard HCI events.
public enum HCIEventTable {
    /// All rows of events and of LE Meta events, in the order of their codes.
    public static var rows: (events: [PDUTable.Row], leEvents: [PDUTable.Row]) {
        (events.rows, leEvents.rows)
    }

    /// Returns the parameters of an event; nil if only its name is known.
    ///
    /// For Command Complete and LE Meta, these are the fields before the return parameters, and before the
    /// subevent's own.
    public static func layout(_ event: HCIEventCode) -> PDULayout? {
        events[UInt16(event.rawValue)]?.parameters
    }

    /// Returns the parameters of an LE Meta event, after its subevent code; nil if only its name is known.
    public static func layoutLE(_ subevent: LESubeventCode) -> PDULayout? {
        leEvents[UInt16(subevent.rawValue)]?.parameters
    }

    /// Passes the parameters of an event to `coder`, including those of the subevent in LE Meta and the
    /// return parameters in Command Complete.
    ///
    /// Returns false if only the event's name is known. A subevent and return parameters without known fields
    /// are passed as bytes. Bytes after the last field are left in the coder.
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
            return try layout(event)?.code(&coder) != nil
        }
        return true
    }

    /// Passes the parameters of an LE Meta event, after its subevent code, to `coder`; returns false if only
    /// its name is known.
    @inlinable
    public static func codeLE<C: FieldCoder & ~Copyable & ~Escapable>(
        _ subevent: LESubeventCode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        try layoutLE(subevent)?.code(&coder) != nil
    }

    /// Returns the reason why the parameters of an event don't fit their definition; nil if they fit or only
    /// the name is known.
    ///
    /// Bytes after the last field are not a fault.
    public static func fault(_ event: HCIEventCode, in octets: RawSpan) -> DecodeError? {
        layout(event)?.fault(in: octets)
    }

    /// Returns the reason why the parameters of an LE Meta event, after its subevent code, don't fit their
    /// definition.
    ///
    /// Nil if they fit or only the name is known. Bytes after the last field are not a fault.
    public static func faultLE(_ subevent: LESubeventCode, in octets: RawSpan) -> DecodeError? {
        layoutLE(subevent)?.fault(in: octets)
    }
}
