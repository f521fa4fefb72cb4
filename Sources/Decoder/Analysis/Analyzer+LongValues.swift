import BluetoothCore
import CaptureFile
import WireBytes

// Values that are read or written in several PDUs. Each is passed on complete, with the frame that completes
// it.

extension Analyzer {
    /// Handles a value that was read, or a part of one.
    mutating func read(
        _ value: RawSpan, _ handle: UInt16, slot: Int, bearer: Int, _ server: Side, isCut: Bool
    ) {
        let missing = missingOctets(value.byteCount &+ 1)
        let outcome = links[slot].bearers[bearer].read(
            value, handle, by: server.other,
            pieceOf: frame.attPDU.opcode == .readBlobResponse ? frame.request?.place : nil,
            missing: missing, isCut: isCut, startSeen: !links[slot].wasOpenAtStart)
        switch outcome {
        case .isPart: break
        case .isWhole:
            guard frame.attPDU.label.map({ annotators.explain($0) }) ?? true else { return }
            annotate(value, missing: missing, handle, frame.attPDU.label, .readResponse, slot: slot)
        case .ends(let octets): deliver(octets, handle, frame.attPDU.label, .readResponse, slot: slot)
        }
    }

    /// Queues a part of a long write. A value with a gap in it is never joined.
    mutating func prepare(
        _ value: RawSpan, _ handle: UInt16, offset: UInt16, slot: Int, bearer: Int, _ client: Side,
        isCut: Bool
    ) {
        let hasRoom = links[slot].bearers[bearer][preparedBy: client].add(
            value, handle, offset: offset, frame: frame.place, isCut: isCut)
        if !hasRoom { reportFull(.preparedWrites) }
    }

    /// Executes or cancels long writes: the value of each attribute is joined from its parts.
    mutating func execute(_ writes: Bool, slot: Int, bearer: Int, _ client: Side) {
        let queue = links[slot].bearers[bearer][preparedBy: client]
        links[slot].bearers[bearer][preparedBy: client] = PreparedWrites()
        guard writes else { return }
        for value in queue.values {
            let label = databaseLabel(of: value.handle, server: client.other, slot: slot)
            deliver(value.octets, value.handle, label, .writeRequest, slot: slot)
        }
    }

    /// Passes on, and records, the complete value whose last part is this frame's PDU.
    mutating func deliver(
        _ octets: [UInt8], _ handle: UInt16, _ label: AttributeLabel?, _ opcode: ATTOpcode,
        slot: Int
    ) {
        annotate(octets.borrowedOctets, missing: 0, handle, label, opcode, slot: slot)
        joined.append(JoinedValue(handle: handle, label: label, octets: octets))
        if opcode == .readResponse, label?.part == .value, label?.characteristic?.assigned16 == 0x2A00 {
            let server: Side = frame.direction == .hostToController ? .host : .peer
            noteDeviceName(octets.borrowedOctets, server: server, slot: slot)
        }
    }
}
