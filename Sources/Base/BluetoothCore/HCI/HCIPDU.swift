public import WireBytes

/// The parameters of one HCI command, with its return parameters.
public protocol HCICommand: PDUFields, Equatable {
    /// The command's opcode.
    static var opcode: HCIOpcode { get }
    /// The return parameters in the Command Complete event.
    ///
    /// ``HCINoReturn`` if the controller answers with Command Status and a later event.
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
    /// Creates a value with every field at zero except those that `fill` sets.
    @inlinable
    public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }
}

extension HCICommand {
    /// Most commands that read something have no parameters.
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

extension HCICommand {
    /// Returns the Command Complete packet for the command, without the packet type byte.
    ///
    /// `room` is the number of commands that the host may now send.
    ///
    /// Source: Vol 4, Part E, 7.7.14.
    public static func complete(_ returned: ReturnParameters, room: UInt8 = 1) -> [UInt8] {
        let event = HCICommandComplete {
            $0.numHCICommandPackets = room
            $0.commandOpcode = opcode
        }
        return hciEventPacket(.commandComplete, event.encoded + returned.encoded)
    }

    /// Returns the Command Status packet for the command, without the packet type byte.
    ///
    /// Source: Vol 4, Part E, 7.7.15.
    public static func status(_ status: HCIStatus, room: UInt8 = 1) -> [UInt8] {
        HCICommandStatus {
            $0.status = status
            $0.numHCICommandPackets = room
            $0.commandOpcode = opcode
        }.packet
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
