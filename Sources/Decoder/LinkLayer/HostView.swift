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
    /// Fields of the packet that is being added.
    var bytes = ByteWriter()

    /// The bytes of all packets.
    public var octets: [UInt8] { bytes.octets }

    mutating func clear() {
        packets.removeAll(keepingCapacity: true)
        bytes.octets.removeAll(keepingCapacity: true)
    }

    /// Adds a packet that begins at `start` and ends with the last byte.
    private mutating func add(_ kind: RecordKind, _ direction: Direction, from start: Int) {
        packets.append(Packet(kind: kind, direction: direction, range: start..<bytes.count))
    }

    mutating func acl(on handle: UInt16, starts: Bool, fromCentral: Bool, _ data: RawSpan) {
        let boundary: UInt16 = starts ? (fromCentral ? 0 : 2) : 1
        let start = bytes.count
        bytes.u16le(handle | boundary << 12)
        bytes.u16le(UInt16(truncatingIfNeeded: data.byteCount))
        data.append(to: &bytes.octets)
        add(.acl, fromCentral ? .hostToController : .controllerToHost, from: start)
    }

    /// Begins an event; its parameters are added to ``bytes``.
    ///
    /// - Returns: its start, for ``endEvent(from:)``.
    mutating func beginEvent(_ code: UInt8) -> Int {
        bytes.u8(code)
        bytes.u8(0)
        return bytes.count - 2
    }

    /// Begins an event in LE Meta, see ``beginEvent(_:)``.
    mutating func beginLEEvent(_ subevent: UInt8) -> Int {
        let start = beginEvent(0x3E)
        bytes.u8(subevent)
        return start
    }

    /// Ends an event, which has at most 255 bytes of parameters.
    mutating func endEvent(from start: Int) {
        let excess = bytes.count - start - 2 - 255
        if excess > 0 { bytes.octets.removeLast(excess) }
        bytes.octets[start + 1] = UInt8(bytes.count - start - 2)
        add(.event, .controllerToHost, from: start)
    }

    mutating func event(_ code: UInt8, _ parameters: ByteWriter) {
        let start = beginEvent(code)
        bytes.bytes(parameters.octets)
        endEvent(from: start)
    }

    mutating func leEvent(_ subevent: UInt8, _ parameters: ByteWriter) {
        let start = beginLEEvent(subevent)
        bytes.bytes(parameters.octets)
        endEvent(from: start)
    }

    mutating func command(_ opcode: UInt16, _ parameters: ByteWriter) {
        let start = bytes.count
        bytes.u16le(opcode)
        bytes.u8(UInt8(parameters.octets.count))
        bytes.bytes(parameters.octets)
        add(.command, .hostToController, from: start)
    }
}

extension AirFollower {
    /// Returns the last packet as it would be without encryption: its bytes, access address first, with the
    /// opened payload, its length and a check sequence that fits; nil if this program did not open it.
    public func openedOctets(of record: borrowing Record) -> [UInt8]? {
        guard let opened = last.opened, let place = last.connection, last.packet.payload.lowerBound >= 6
        else {
            return nil
        }
        let start = last.packet.payload.lowerBound
        var octets = record.octets.clamped(0..<start - 1).copied()
        octets.append(UInt8(truncatingIfNeeded: opened.count))
        octets += opened
        let first = record.header.radio.headerOffset
        let initial = connections[place].crcInit ?? 0
        let crc = AirPacket.crc(octets.borrowedOctets.dropping(first), initial)
        return octets + [UInt8(crc & 0xFF), UInt8(crc >> 8 & 0xFF), UInt8(crc >> 16 & 0xFF)]
    }
}
