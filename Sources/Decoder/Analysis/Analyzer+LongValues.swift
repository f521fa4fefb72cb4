import BluetoothCore
import CaptureFile
import WireBytes

// Values that are read or written in several PDUs: each is handed on whole, with the frame that makes it so.

extension Analyzer {
    /// A value, or a piece of one that is read piece by piece.
    mutating func read(
        _ value: RawSpan, _ handle: UInt16, _ slot: Int, _ bearer: Int, _ server: Side, isCut: Bool
    ) {
        let missing = missingOctets(value.byteCount &+ 1)
        let outcome = links[slot].bearers[bearer].read(
            value, handle, by: server.other,
            pieceOf: frame.attPDU.opcode == .readBlobResponse ? frame.request?.place : nil,
            missing: missing, isCut: isCut, startSeen: !links[slot].wasOpenAtStart)
        switch outcome {
        case .isPart: break
        case .isWhole:
            guard frame.attPDU.label.map({ annotators.watched.contains($0) }) ?? true else { return }
            annotate(value, missing: missing, handle, frame.attPDU.label, .readResponse, slot)
        case .ends(let octets): deliver(octets, handle, frame.attPDU.label, .readResponse, slot)
        }
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
    mutating func deliver(
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
