public import WireBytes

/// A command that a program gave to the kernel; its parameters follow these fields.
public struct MonitorControlCommand: PDUFields, Equatable {
    /// Ties the records of one socket together.
    public var cookie: UInt32 = 0
    public var opcode = ManagementCommand(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u32("cookie", &cookie, .hex)
        try coder.code("opcode", &opcode, width: 2, .code(ManagementCommand.name(of:)))
    }
}

/// An event that the kernel sent to a program; its parameters follow these fields.
public struct MonitorControlEvent: PDUFields, Equatable {
    /// Ties the records of one socket together.
    public var cookie: UInt32 = 0
    public var event = ManagementEvent(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u32("cookie", &cookie, .hex)
        try coder.code("event", &event, width: 2, .code(ManagementEvent.name(of:)))
    }
}

/// How a management command ended: the start of Command Complete and all of Command Status.
public struct ManagementOutcome: PDUFields, Equatable {
    public var opcode = ManagementCommand(rawValue: 0)
    public var status = ManagementStatus(rawValue: 0)

    @inlinable
    public init() {}

    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.code("opcode", &opcode, width: 2, .code(ManagementCommand.name(of:)))
        try coder.code("status", &status, width: 1, .code(ManagementStatus.name(of:)))
    }
}

extension MonitorTable {
    @inlinable
    static func codeCommand<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        var header = MonitorControlCommand()
        try header.code(&coder)
        if try ManagementTable.code(header.opcode, &coder) { return }
        try codeRest(&coder, header.opcode.carriesKeys)
    }

    @inlinable
    static func codeEvent<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        var header = MonitorControlEvent()
        try header.code(&coder)
        guard header.event.rawValue == 1 || header.event.rawValue == 2 else {
            if try ManagementTable.code(header.event, &coder) { return }
            return try codeRest(&coder, header.event.carriesKeys)
        }
        var outcome = ManagementOutcome()
        try outcome.code(&coder)
        if header.event.rawValue == 1, coder.remaining > 0 {
            // A command that failed may return less than one that did not.
            if outcome.status.rawValue == 0, try ManagementTable.codeReturn(outcome.opcode, &coder) { return }
        }
        try codeRest(&coder, outcome.opcode.carriesKeys)
    }

    /// What is left, without a structure known here; hidden where keys may be in it.
    @inlinable
    static func codeRest<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C, _ carriesKeys: Bool
    ) throws(DecodeError) {
        var rest: [UInt8] = []
        if coder.remaining > 0 { try coder.octets("parameters", &rest, carriesKeys ? .secret : .octets) }
    }
}

extension ManagementCommand {
    /// Whether its parameters, or what is returned for it, hold keys or other secrets of pairing.
    public var carriesKeys: Bool {
        switch rawValue {
        // Load Link Keys, Load Long Term Keys, PIN Code Reply
        case 0x12, 0x13, 0x16: true
        // Out Of Band Data, read and added
        case 0x20, 0x21, 0x3B: true
        // Set Privacy, Load Identity Resolving Keys, Load Blocked Keys
        case 0x2F, 0x30, 0x46: true
        // User Passkey Reply
        case 0x1E: true

        default: false
        }
    }
}

extension ManagementEvent {
    /// Whether its parameters hold keys or other secrets of pairing.
    public var carriesKeys: Bool {
        switch rawValue {
        // New Link Key, New Long Term Key, New Identity Resolving Key, New Signature Resolving Key
        case 0x09, 0x0A, 0x18, 0x19: true
        // Local Out Of Band Extended Data Updated
        case 0x22: true
        default: false
        }
    }
}
