public import CaptureFile
import WireBytes

/// The HCI packets that the host of a connection's central would have seen when a packet was on the air.
public struct HostView: Sendable {
    /// One HCI packet.
    public struct Packet: Sendable {
        public var kind: RecordKind
        public var direction: Direction
        /// Its bytes in ``HostView/octets``, from the HCI header on.
        public var range: Range<Int>
    }

    public private(set) var packets: [Packet] = []
    /// The bytes of all packets.
    public private(set) var octets: [UInt8] = []

    mutating func clear() {
        packets.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
    }

    /// Adds a packet whose header `head` is followed by `data`.
    private mutating func add(_ kind: RecordKind, _ direction: Direction, _ head: [UInt8], _ data: RawSpan) {
        let start = octets.count
        octets += head
        for index in 0..<data.byteCount { octets.append(data.octet(at: index) ?? 0) }
        packets.append(Packet(kind: kind, direction: direction, range: start..<octets.count))
    }

    /// Adds ACL data of a connection.
    mutating func acl(_ handle: UInt16, starts: Bool, fromCentral: Bool, _ data: RawSpan) {
        let boundary: UInt16 = starts ? (fromCentral ? 0 : 2) : 1
        let flags = handle | boundary << 12
        add(
            .acl, fromCentral ? .hostToController : .controllerToHost,
            [
                UInt8(truncatingIfNeeded: flags), UInt8(flags >> 8),
                UInt8(truncatingIfNeeded: data.byteCount),
                UInt8(truncatingIfNeeded: data.byteCount >> 8),
            ], data)
    }

    /// Adds an event; its parameters must fit into 255 bytes.
    mutating func event(_ code: UInt8, _ parameters: ByteWriter) {
        let length = min(parameters.octets.count, 255)
        add(
            .event, .controllerToHost, [code, UInt8(length)],
            parameters.octets.borrowedOctets.clamped(0..<length))
    }

    /// Adds an event in LE Meta.
    mutating func leEvent(_ subevent: UInt8, _ parameters: ByteWriter) {
        var whole = ByteWriter()
        whole.u8(subevent)
        whole.bytes(parameters.octets)
        event(0x3E, whole)
    }

    /// Adds a command.
    mutating func command(_ opcode: UInt16, _ parameters: ByteWriter) {
        add(
            .command, .hostToController,
            [UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8), UInt8(parameters.octets.count)],
            parameters.octets.borrowedOctets)
    }
}
