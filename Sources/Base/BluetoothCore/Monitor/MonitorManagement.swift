public import WireBytes

/// A command that a program gave to the kernel.
public struct MonitorControlCommand: PDUFields, Equatable {
    public var cookie: UInt32 = 0
    public var opcode = ManagementCommand(rawValue: 0)
    public var parameters: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u32("cookie", &cookie, .hex)
        try coder.code("opcode", &opcode, width: 2, .code(ManagementCommand.name(of:)))
        try coder.octets("parameters", &parameters, opcode.carriesKeys ? .secret : .octets)
    }
}

/// An event that the kernel sent to a program.
public struct MonitorControlEvent: PDUFields, Equatable {
    public var cookie: UInt32 = 0
    public var event = ManagementEvent(rawValue: 0)
    /// The command that a Command Complete or Command Status is about.
    public var opcode = ManagementCommand(rawValue: 0)
    public var status = ManagementStatus(rawValue: 0)
    public var address = DeviceAddress(0)
    /// 0 BR/EDR, 1 LE public, 2 LE random.
    public var addressType: UInt8 = 0
    public var reason: UInt8 = 0
    public var rssi: Int8 = 0
    public var flags: UInt32 = 0
    public var data: [UInt8] = []
    public var parameters: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.u32("cookie", &cookie, .hex)
        try coder.code("event", &event, width: 2, .code(ManagementEvent.name(of:)))
        switch event.rawValue {
        case 0x01, 0x02:
            try coder.code("opcode", &opcode, width: 2, .code(ManagementCommand.name(of:)))
            try coder.code("status", &status, width: 1, .code(ManagementStatus.name(of:)))
            try coder.octets("parameters", &parameters, opcode.carriesKeys ? .secret : .octets)
        case 0x0B, 0x12:
            try codePeer(&coder)
            if event.rawValue == 0x12 { try coder.i8("rssi", &rssi, .dBm) }
            try coder.u32("flags", &flags, .hex)
            try coder.sizedOctets("eir_data_length", "eir_data", &data, width: 2, .advertising)
        case 0x0C:
            try codePeer(&coder)
            try coder.u8("reason", &reason, .code(MonitorNames.disconnectReason))
        case 0x0D, 0x11:
            try codePeer(&coder)
            try coder.code("status", &status, width: 1, .code(ManagementStatus.name(of:)))
        default: try coder.octets("parameters", &parameters, event.carriesKeys ? .secret : .octets)
        }
    }

    mutating func codePeer<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.address("address", &address)
        try coder.u8("address_type", &addressType, .code(MonitorNames.addressType))
        address.kind = addressType == 2 ? .random : .public
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
