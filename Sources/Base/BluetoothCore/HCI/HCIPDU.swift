public import WireBytes

/// The parameters of one HCI command, with its return parameters.
public protocol HCICommand: PDUFields, Equatable {
    /// The command's opcode.
    static var opcode: HCIOpcode { get }
    /// The return parameters in the Command Complete event.
    ///
    /// ``HCINoReturn`` if the controller answers with Command Status, and later with another event.
    associatedtype ReturnParameters: PDUFields
}

/// The parameters of one HCI event.
public protocol HCIEvent: PDUFields, Equatable {
    /// The event's code.
    static var eventCode: HCIEventCode { get }
}

/// The parameters of one LE Meta event, after its subevent code.
public protocol LEEvent: PDUFields, Equatable {
    /// The subevent code.
    static var subeventCode: LESubeventCode { get }
}

extension PDUFields {
    /// Creates a value whose fields are zero, except those that `fill` sets.
    @inlinable
    public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }
}

extension HCICommand {
    /// Codes nothing: most commands that read something have no parameters.
    @inlinable
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {}

    /// The command packet: opcode, parameter length and parameters, without the packet type byte.
    ///
    /// Source: Vol 4, Part E, 5.4.1.
    public var packet: [UInt8] {
        let parameters = encoded
        var writer = ByteWriter(capacity: parameters.count + 3)
        writer.u16le(Self.opcode.rawValue)
        writer.u8(UInt8(truncatingIfNeeded: parameters.count))
        writer.bytes(parameters)
        return writer.octets
    }
}

extension HCIEvent {
    /// The event packet: event code, parameter length and parameters, without the packet type byte.
    ///
    /// Source: Vol 4, Part E, 5.4.4.
    public var packet: [UInt8] { hciEventPacket(Self.eventCode, encoded) }
}

extension LEEvent {
    /// The event packet: LE Meta event code, parameter length, subevent code and parameters, without the
    /// packet type byte.
    ///
    /// Source: Vol 4, Part E, 7.7.65.
    public var packet: [UInt8] { hciEventPacket(.leMeta, [Self.subeventCode.rawValue] + encoded) }
}

/// Returns an event packet with these parameters.
func hciEventPacket(_ code: HCIEventCode, _ parameters: [UInt8]) -> [UInt8] {
    [code.rawValue, UInt8(truncatingIfNeeded: parameters.count)] + parameters
}

/// Empty return parameters, of commands that the controller answers with Command Status.
public struct HCINoReturn: PDUFields, Equatable {
    public init() {}
    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {}
}

/// Return parameters with only a status.
public struct HCIStatusReturn: PDUFields, Equatable {
    public var status: HCIStatus = .success

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
    }
}

/// Return parameters with a status and the connection's handle.
public struct HCIConnectionStatusReturn: PDUFields, Equatable {
    public var status: HCIStatus = .success
    public var connectionHandle: UInt16 = 0

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout C
    ) throws(DecodeError) {
        try coder.code("status", &status, width: 1, .status)
        if coder.ends(after: status) { return }
        try coder.number("connection_handle", &connectionHandle)
    }
}

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Whether the return parameters end here, since a controller that refuses a command may return only its
    /// status.
    @inlinable
    public func ends(after status: HCIStatus) -> Bool { status != .success && remaining == 0 }
}

/// Starts establishing a connection as the central, with a set of parameters for each PHY whose bit is set.
///
/// HCI_LE_Extended_Create_Connection_[v2] command. Source: Vol 4, Part E, 7.8.66.
public struct LEExtendedCreateConnectionV2: HCICommand {
    @inlinable public static var opcode: HCIOpcode { HCIOpcode(rawValue: 0x2085) }
    public typealias ReturnParameters = HCINoReturn

    public var advertisingHandle: UInt8 = 0
    public var subevent: UInt8 = 0
    /// The parameters that both versions have.
    public var connection = LEExtendedCreateConnection()

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.number("advertising_handle", &advertisingHandle)
        try coder.number("subevent", &subevent)
        try connection.code(&coder)
    }
}

extension LEPHY {
    /// The set that contains only this PHY.
    public var mask: LEPHYs { (1...3).contains(rawValue) ? LEPHYs(rawValue: 1 << (rawValue - 1)) : [] }
}
