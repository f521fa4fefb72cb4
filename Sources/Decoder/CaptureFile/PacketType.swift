import WireBytes

/// The packet type byte of the UART transport (Core Specification, Vol 4, Part A, 2).
enum PacketType {
    /// Sets kind and lengths from the packet type byte before a packet; returns the number of bytes used.
    ///
    /// A byte that is not a packet type stays in the record's bytes.
    @inline(__always)
    static func apply(_ octets: RawSpan, to header: inout RecordHeader) -> Int {
        guard header.capturedLength > 0, let type = octets.octet(at: 0) else {
            header.kind = .unknown
            return 0
        }
        switch type {
        case 1: (header.kind, header.direction) = (.command, .hostToController)
        case 2: header.kind = .acl
        case 3: header.kind = .sco
        case 4: (header.kind, header.direction) = (.event, .controllerToHost)
        case 5: header.kind = .iso
        default:
            header.kind = .unknown
            header.foreignType = UInt16(type)
            return 0
        }
        header.drop(1)
        return 1
    }

    /// Whether the bytes are an HCI packet of a kind, with the length in its own header.
    static func isWhole(_ kind: RecordKind, _ packet: RawSpan) -> Bool {
        let length: Int?
        switch kind {
        case .command: length = packet.octet(at: 2).map { 3 &+ Int($0) }
        case .event: length = packet.octet(at: 1).map { 2 &+ Int($0) }
        case .acl: length = packet.u16le(at: 2).map { 4 &+ Int($0) }
        case .sco: length = packet.octet(at: 2).map { 3 &+ Int($0) }
        case .iso: length = packet.u16le(at: 2).map { 4 &+ Int($0 & 0x3FFF) }
        case .monitor, .note, .unknown, .air: length = nil
        }
        return length == packet.byteCount
    }
}
