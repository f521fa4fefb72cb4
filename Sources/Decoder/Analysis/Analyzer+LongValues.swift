import BluetoothCore
import CaptureFile
import WireBytes

// Values that are read or written in several PDUs: each is handed on whole, with the frame that makes it so.

extension Analyzer {
    /// A value, or a piece of one that is read piece by piece: a piece that fills its PDU may have more
    /// behind it, and is kept until a shorter one, or an error, ends the value.
    mutating func read(
        _ value: RawSpan, _ handle: UInt16, _ slot: Int, _ bearer: Int, _ server: Side, isCut: Bool
    ) {
        let client = server.other
        let missing = missingOctets(value.byteCount &+ 1)
        let sent = value.byteCount &+ missing
        let fills = sent &+ 1 >= Int(links[slot].bearers[bearer].mtu)
        var offset = 0
        if frame.attPDU.opcode == .readBlobResponse {
            let request = links[slot].bearers[bearer][requestOf: client]
            // A request that another overtook has left its offset to that one.
            guard request.frame == frame.request?.place else { return }
            offset = Int(request.offset)
        }
        if offset == 0 {
            let mayGoOn = fills && !isCut
            // Where the start of the link is missing, so may be the MTU: the value may be whole all the same.
            let isDone = !mayGoOn || links[slot].wasOpenAtStart
            links[slot].bearers[bearer][readBy: client] = LongRead(
                handle: handle, end: sent, octets: mayGoOn ? value.copied() : [], isDone: isDone)
            guard isDone, frame.attPDU.label.map({ annotators.watched.contains($0) }) ?? true else { return }
            return annotate(value, missing: missing, handle, frame.attPDU.label, .readResponse, slot)
        }
        guard var read = links[slot].bearers[bearer][readBy: client] else { return }
        links[slot].bearers[bearer][readBy: client] = nil
        guard read.handle == handle, read.end == offset, offset &+ sent <= LongRead.limit else { return }
        let isKept = !isCut && read.octets.count == offset
        if isKept { read.octets += value.copied() } else { read.octets = [] }
        read.end = offset &+ sent
        read.isDone = !fills || !isKept
        links[slot].bearers[bearer][readBy: client] = read
        if isKept, !fills { deliver(read.octets, handle, frame.attPDU.label, .readResponse, slot) }
    }

    /// Whether an error ends a long read: the value's last piece filled its PDU, so the client asked for what
    /// follows, and nothing does (Core Specification, Vol 3, Part F, 3.4.4.5 and 3.4.4.6).
    ///
    /// The value is whole with it.
    mutating func endLongRead(
        _ pending: PendingRequest, _ slot: Int, _ bearer: Int, _ server: Side
    ) -> Bool {
        let error = frame.attPDU.error
        guard error == ATTErrorCode.invalidOffset.rawValue || error == ATTErrorCode.attributeNotLong.rawValue,
            let read = links[slot].bearers[bearer][readBy: server.other],
            read.handle == pending.handle, read.end == Int(pending.offset)
        else { return false }
        links[slot].bearers[bearer][readBy: server.other] = nil
        if !read.isDone {
            let label = databaseLabel(of: read.handle, server: server, slot)
            deliver(read.octets, read.handle, label, .readResponse, slot)
        }
        return true
    }

    /// Queues a part of a long write. A value with a hole in it is never put together.
    mutating func prepare(
        _ value: RawSpan, _ handle: UInt16, offset: UInt16, _ slot: Int, _ bearer: Int, _ client: Side,
        isCut: Bool
    ) {
        let hasRoom = links[slot].bearers[bearer][preparedBy: client].add(
            value, handle, offset: offset, frame: frame.place, isCut: isCut)
        if !hasRoom { reportFull(.preparedWrites) }
    }

    /// Long writes take place, or are cancelled: the value of each attribute is its parts together.
    mutating func execute(_ writes: Bool, _ slot: Int, _ bearer: Int, _ client: Side) {
        let queue = links[slot].bearers[bearer][preparedBy: client]
        links[slot].bearers[bearer][preparedBy: client] = PreparedWrites()
        guard writes else { return }
        for value in queue.values {
            let label = databaseLabel(of: value.handle, server: client.other, slot)
            deliver(value.octets, value.handle, label, .writeRequest, slot)
        }
    }

    /// Hands on the whole value that this frame's PDU is the last part of, and notes it.
    private mutating func deliver(
        _ octets: [UInt8], _ handle: UInt16, _ label: AttributeLabel?, _ opcode: ATTOpcode,
        _ slot: Int
    ) {
        annotate(octets.borrowedOctets, missing: 0, handle, label, opcode, slot)
        joined.append(JoinedValue(handle: handle, label: label, octets: octets))
        if opcode == .readResponse, label?.part == .value, label?.characteristic?.assigned16 == 0x2A00 {
            let server: Side = frame.direction == .hostToController ? .host : .peer
            noteDeviceName(octets.borrowedOctets, server: server, slot)
        }
    }
}
