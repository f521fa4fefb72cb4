public import WireBytes

/// The records of the kernel's monitor channel.
public enum MonitorTable {
    /// The channel's records, including those without fields.
    ///
    /// Source: the monitor channel of the Linux kernel.
    static let records = PDUTable(
        trusting: """
            #= MonitorOpcode 2: The opcode of a record on the Linux HCI monitor channel.
            # Source: net/bluetooth/hci_mon.h of the Linux kernel.
            00 New Index
            #= MonitorNewIndex: Reports a new controller, with its name, such as `hci0`: eight bytes that
            # need not end with a zero.
            > type:1=controller_type bus:1=bus bd_addr name:8"
            01 Delete Index
            > ?
            02 Command
            > ?
            03 Event
            > ?
            04 ACL Data TX
            > ?
            05 ACL Data RX
            > ?
            06 SCO Data TX
            > ?
            07 SCO Data RX
            > ?
            08 Open Index
            > ?
            09 Close Index
            > ?
            0A Index Info
            #= MonitorIndexInfo: Reports a controller's address and manufacturer when it was opened.
            > bd_addr manufacturer:company
            0B Vendor Diagnostics
            > data:*
            0C System Note
            > note:*"
            0D User Logging
            > priority:1=priority ident_length:1 ident:[ident_length]" message:*"
            0E Control Open
            > cookie:4x format:2=socket_format version:1 revision:2 flags:4|socket_flag ident_length:1
              ident:[ident_length]"
            0F Control Close
            > cookie:4x
            10 Control Command
            > ?
            11 Control Event
            > ?
            12 ISO Data TX
            > ?
            13 ISO Data RX
            > ?
            """)

    /// Passes the fields of one of the channel's own records to `coder`.
    ///
    /// Returns false, without visiting a field, for a record without fields, an HCI packet or an unknown
    /// opcode.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: MonitorOpcode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        switch opcode {
        case .controlCommand: try codeCommand(&coder)
        case .controlEvent: try codeEvent(&coder)
        default:
            return try layout(opcode)?.code(&coder) != nil
        }
        return true
    }

    /// Returns the fields of a record; nil for a record without fields or an HCI packet.
    @usableFromInline static func layout(_ opcode: MonitorOpcode) -> PDULayout? {
        records[opcode.rawValue]?.parameters
    }

    /// Codes a command that a program gave to the kernel.
    @inlinable
    static func codeCommand<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        var (cookie, code): (UInt32, UInt16) = (0, 0)
        // The records of a socket share a cookie.
        try coder.number("cookie", &cookie, .hex)
        try coder.number("opcode", &code, .code(.managementCommands))
        let command = ManagementCommand(rawValue: code)
        if try ManagementTable.code(command, .parameters, &coder) { return }
        try codeRest(&coder, ManagementTable.carriesKeys(command))
    }

    /// Codes an event that the kernel sent to a program: the end of a command, or a notification.
    @inlinable
    static func codeEvent<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        var (cookie, code): (UInt32, UInt16) = (0, 0)
        try coder.number("cookie", &cookie, .hex)
        try coder.number("event", &code, .code(.managementEvents))
        let event = ManagementEvent(rawValue: code)
        guard event == .commandComplete || event == .commandStatus else {
            if try ManagementTable.code(event, &coder) { return }
            return try codeRest(&coder, ManagementTable.carriesKeys(event))
        }
        var (opcode, status): (UInt16, UInt8) = (0, 0)
        try coder.number("opcode", &opcode, .code(.managementCommands))
        try coder.number("status", &status, .code(.managementStatus))
        let command = ManagementCommand(rawValue: opcode)
        // A failed command may return less than a successful command.
        if event == .commandComplete, status == 0, coder.remaining > 0,
            try ManagementTable.code(command, .returnParameters, &coder)
        {
            return
        }
        try codeRest(&coder, ManagementTable.carriesKeys(command))
    }

    /// Codes the remaining bytes, whose structure is unknown; they are secret if they may contain keys.
    @inlinable
    static func codeRest<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C, _ carriesKeys: Bool
    ) throws(DecodeError) {
        var rest: [UInt8] = []
        if coder.remaining > 0 { try coder.octets("parameters", &rest, carriesKeys ? .secret : .octets) }
    }

    /// Returns the reason why one of the channel's own records doesn't fit its definition; nil if it fits or
    /// is unknown.
    ///
    /// Bytes after the last field are not a fault.
    public static func fault(_ opcode: MonitorOpcode, in octets: RawSpan) -> DecodeError? {
        // Nearly all records fit, and are checked without a walk.
        if let code = octets.u16le(at: 4) {
            var (layout, start): (PDULayout?, Int) = (nil, 6)
            switch opcode {
            case .controlCommand:
                layout = ManagementTable.layout(ManagementCommand(rawValue: code), .parameters)
            case .controlEvent where code > 2:
                layout = ManagementTable.layout(ManagementEvent(rawValue: code))
            case .controlEvent where octets.octet(at: 8) == 0:
                let command = ManagementCommand(rawValue: octets.u16le(at: 6) ?? 0)
                (layout, start) = (ManagementTable.layout(command, .returnParameters), 9)
            default: break
            }
            if let layout, layout.fault(in: octets.dropping(start)) == nil { return nil }
        }
        return FieldChecker.fault(in: octets) { checker throws(DecodeError) in _ = try code(opcode, &checker)
        }
    }
}

/// The commands and events of the kernel's management interface.
public enum ManagementTable {
    /// All rows of commands and of events, in the order of their codes.
    public static var rows: (commands: [PDUTable.Row], events: [PDUTable.Row]) {
        (commands.rows, events.rows)
    }

    /// Passes the parameters or return parameters of a command to `coder`; returns false, without visiting a
    /// field, if they are unknown.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ command: ManagementCommand, _ part: HCICommandTable.Part, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        try layout(command, part)?.code(&coder) != nil
    }

    /// Passes the parameters of an event, other than Command Complete and Command Status, to `coder`.
    ///
    /// Returns false, without visiting a field, if they are unknown.
    @inlinable
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ event: ManagementEvent, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        try layout(event)?.code(&coder) != nil
    }

    @usableFromInline
    static func layout(_ command: ManagementCommand, _ part: HCICommandTable.Part) -> PDULayout? {
        part == .parameters
            ? commands[command.rawValue]?.parameters : commands[command.rawValue]?.returnParameters
    }

    @usableFromInline
    static func layout(_ event: ManagementEvent) -> PDULayout? { events[event.rawValue]?.parameters }

    /// Whether the parameters or return parameters of a command contain keys or other secrets of pairing.
    public static func carriesKeys(_ command: ManagementCommand) -> Bool {
        commands[command.rawValue]?.holdsSecret ?? false
    }

    /// Whether the parameters of an event contain keys or other secrets of pairing.
    public static func carriesKeys(_ event: ManagementEvent) -> Bool {
        events[event.rawValue]?.holdsSecret ?? false
    }
}
