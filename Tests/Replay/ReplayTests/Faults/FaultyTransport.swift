import BluetoothCore
import LEHost
import Runtime
import Synchronization
import Testing

@testable import Replay

/// A fault of the stack under test, switched in between it and the recording: what passes there is what the
/// stack would do, or would believe, if it had the fault.
struct StackFault: Sendable, CustomTestStringConvertible {
    /// Which way the packets that it is about go.
    enum Way: Sendable { case toPeer, fromPeer }

    /// What becomes of a packet with a PDU of the Attribute Protocol.
    enum Fate: Sendable {
        case passed
        /// Others take its place; each after a while.
        case replaced([(pdu: [UInt8], after: Duration)])
        /// It goes on, and this comes back at once.
        case answered([UInt8], passedAfter: Duration)
    }

    var name: String
    var way: Way
    /// Of the PDUs with one of these opcodes.
    var opcodes: [ATTOpcode]
    /// What becomes of one; nil where the fault can't be in it.
    var apply: @Sendable ([UInt8]) -> Fate?

    var testDescription: String { name }

    static let all: [StackFault] = [
        .init(name: "a notification is lost", way: .fromPeer, opcodes: values) { _ in .replaced([]) },
        .init(name: "a notification is given twice", way: .fromPeer, opcodes: values) {
            .replaced([($0, .zero), ($0, .zero)])
        },
        .init(name: "a notification is given 2 s late", way: .fromPeer, opcodes: values) {
            .replaced([($0, .seconds(2))])
        },
        .init(name: "a byte of a notification is wrong", way: .fromPeer, opcodes: values, apply: flipped),
        .init(name: "the last byte of a notification is lost", way: .fromPeer, opcodes: values, apply: cut),
        .init(name: "a notification goes to another characteristic", way: .fromPeer, opcodes: values) {
            .replaced([([$0[0], $0[1] ^ 1] + $0[2...], .zero)])
        },
        .init(
            name: "a byte of a value that is read is wrong", way: .fromPeer, opcodes: reads, apply: flipped),
        .init(
            name: "the last byte of a value that is read is lost", way: .fromPeer, opcodes: reads, apply: cut),
        .init(name: "a read fails that did not", way: .fromPeer, opcodes: [.readResponse]) { _ in
            .replaced([([0x01, 0x0A, 1, 0, 0x0E], .zero)])
        },
        .init(name: "a write fails that did not", way: .fromPeer, opcodes: [.writeResponse]) { _ in
            .replaced([([0x01, 0x12, 1, 0, 0x0E], .zero)])
        },
        .init(name: "the response to a write is lost", way: .fromPeer, opcodes: [.writeResponse]) { _ in
            .replaced([])
        },
        .init(name: "the response to a read is lost", way: .fromPeer, opcodes: [.readResponse]) { _ in
            .replaced([])
        },
        .init(name: "the refusal of a write is swallowed", way: .fromPeer, opcodes: [.errorResponse]) {
            $0.count == 5 && $0[1] == 0x12 ? .replaced([([0x13], .zero)]) : nil
        },
        .init(name: "the refusal of a read is swallowed", way: .fromPeer, opcodes: [.errorResponse]) {
            $0.count == 5 && $0[1] == 0x0A ? .replaced([([0x0B], .zero)]) : nil
        },
        .init(name: "another error is told", way: .fromPeer, opcodes: [.errorResponse]) {
            guard $0.count == 5, $0[1] == 0x0A || $0[1] == 0x12, $0[4] != 0x0E else { return nil }
            return .replaced([(Array($0[..<4]) + [0x0E], .zero)])
        },
        .init(name: "a response is taken for given", way: .toPeer, opcodes: [.writeRequest]) { _ in
            .answered([0x13], passedAfter: .seconds(2))
        },
        .init(name: "a write is lost", way: .toPeer, opcodes: writes) { _ in .replaced([]) },
        .init(name: "a write is sent twice", way: .toPeer, opcodes: [.writeCommand]) {
            .replaced([($0, .zero), ($0, .zero)])
        },
        .init(name: "a byte of a write is wrong", way: .toPeer, opcodes: writes, apply: flipped),
        .init(name: "the last byte of a write is lost", way: .toPeer, opcodes: writes, apply: cut),
        .init(name: "a write goes to another handle", way: .toPeer, opcodes: writes) {
            .replaced([([$0[0], $0[1] ^ 1] + $0[2...], .zero)])
        },
        .init(name: "a write is of the other kind", way: .toPeer, opcodes: [.writeCommand]) {
            .replaced([([0x12] + $0[1...], .zero)])
        },
        .init(name: "a read goes to another handle", way: .toPeer, opcodes: [.readRequest]) {
            .replaced([([$0[0], $0[1] ^ 1] + $0[2...], .zero)])
        },
        .init(name: "a long value is not read on", way: .toPeer, opcodes: [.readBlobRequest]) { _ in
            .answered([0x0D], passedAfter: .seconds(3600))
        },
        .init(name: "an indication is not confirmed", way: .toPeer, opcodes: [.handleValueConfirmation]) {
            _ in
            .replaced([])
        },
        .init(name: "an indication is confirmed twice", way: .toPeer, opcodes: [.handleValueConfirmation]) {
            .replaced([($0, .zero), ($0, .zero)])
        },
    ]

    private static let values: [ATTOpcode] = [.handleValueNotification, .handleValueIndication]
    private static let reads: [ATTOpcode] = [.readResponse, .readBlobResponse]
    private static let writes: [ATTOpcode] = [.writeRequest, .writeCommand]

    @Sendable private static func flipped(_ pdu: [UInt8]) -> Fate? {
        let least = pdu[0] == 0x0B || pdu[0] == 0x0D ? 1 : 3
        guard pdu.count > least else { return nil }
        return .replaced([(Array(pdu.dropLast()) + [(pdu.last ?? 0) ^ 0x40], .zero)])
    }

    @Sendable private static func cut(_ pdu: [UInt8]) -> Fate? {
        let least = pdu[0] == 0x0B || pdu[0] == 0x0D ? 1 : 3
        return pdu.count > least ? .replaced([(Array(pdu.dropLast()), .zero)]) : nil
    }
}

/// A transport with a fault in one PDU.
final class FaultyTransport: HCITransport {
    /// Where the fault was.
    struct Applied {
        /// The attribute that it was about.
        var handle: UInt16
        /// The frame of the PDU, or the last before it where the host sends what is not of the log.
        var frame: Int
    }

    private struct State {
        var receive: (@Sendable (HCIPacket) -> Void)?
        var left: Int
        /// The attribute of the host's last request on each link.
        var asked: [UInt8: UInt16] = [:]
        var applied: Applied?
    }

    private let adapter: FakeAdapter
    private let time: VirtualTime
    private let fault: StackFault
    private let state: Mutex<State>

    /// - Parameter place: which of the PDUs that the fault can be in has it, from 0.
    init(_ adapter: FakeAdapter, _ time: VirtualTime, _ fault: StackFault, at place: Int) {
        self.adapter = adapter
        self.time = time
        self.fault = fault
        state = Mutex(State(left: place))
    }

    /// Where the fault was; nil where no PDU had it.
    var applied: Applied? { state.withLock(\.applied) }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        state.withLock { $0.receive = receive }
        try adapter.open { [weak self] in self?.fromPeer($0) }
    }

    func close() { adapter.close() }

    func send(_ packet: HCIPacket) throws(HCITransportError) {
        noteRequest(packet)
        guard fault.way == .toPeer, let pdu = Self.pdu(packet), let fate = fate(pdu, packet) else {
            return try adapter.send(packet)
        }
        switch fate {
        case .passed: try adapter.send(packet)
        case .replaced(let others):
            if others.count != 1 { credit(packet, others.count - 1) }
            for other in others { later(other.after, toPeer: Self.packet(other.pdu, like: packet)) }
        case .answered(let answer, let delay):
            later(.zero, fromPeer: Self.packet(answer, like: packet, from: true))
            later(delay, toPeer: packet)
        }
    }

    private func fromPeer(_ packet: HCIPacket) {
        guard fault.way == .fromPeer, let pdu = Self.pdu(packet),
            case .replaced(let others)? = fate(pdu, packet)
        else {
            return receive(packet)
        }
        for other in others {
            let packet = Self.packet(other.pdu, like: packet, from: true)
            if other.after == .zero { receive(packet) } else { later(other.after, fromPeer: packet) }
        }
    }

    private func fate(_ pdu: [UInt8], _ packet: HCIPacket) -> StackFault.Fate? {
        guard fault.opcodes.contains(ATTOpcode(rawValue: pdu[0])), let fate = fault.apply(pdu) else {
            return nil
        }
        let isMeant = state.withLock { state in
            state.left -= 1
            return state.left == -1
        }
        guard isMeant else { return nil }
        let frame = adapter.transcript.pdus.last { $0.frame > 0 }?.frame ?? 0
        state.withLock { state in
            let isAnswer = ATTOpcode(rawValue: pdu[0]).kind == .response
            let asked = state.asked[packet.octets[0]] ?? 0
            let handle = isAnswer || pdu.count < 3 ? asked : UInt16(pdu[1]) | UInt16(pdu[2]) << 8
            state.applied = Applied(handle: handle, frame: frame)
        }
        return fate
    }

    private func noteRequest(_ packet: HCIPacket) {
        guard let pdu = Self.pdu(packet), pdu.count >= 3, ATTOpcode(rawValue: pdu[0]).kind == .request else {
            return
        }
        state.withLock { $0.asked[packet.octets[0]] = UInt16(pdu[1]) | UInt16(pdu[2]) << 8 }
    }

    private func receive(_ packet: HCIPacket) { state.withLock(\.receive)?(packet) }

    private func later(_ delay: Duration, fromPeer packet: HCIPacket) {
        _ = time.schedule(at: time.now.advanced(by: delay), from: .recording) { [self] in receive(packet) }
    }

    private func later(_ delay: Duration, toPeer packet: HCIPacket) {
        _ = time.schedule(at: time.now.advanced(by: delay), from: .recording) { [self] in
            try? adapter.send(packet)
        }
    }

    /// Gives back the buffer of a packet that never came to the controller.
    private func credit(_ packet: HCIPacket, _ more: Int) {
        guard more < 0 else { return }
        let octets = packet.octets
        later(.zero, fromPeer: HCIPacket(.event, [0x13, 5, 1, octets[0], octets[1] & 0x0F, 1, 0]))
    }

    /// The PDU of the Attribute Protocol in a packet that holds it whole.
    private static func pdu(_ packet: HCIPacket) -> [UInt8]? {
        let octets = packet.octets
        guard packet.type == .acl, octets.count > 8, octets[1] & 0x30 != 0x10, octets[6...7] == [4, 0],
            Int(octets[4]) | Int(octets[5]) << 8 == octets.count - 8
        else { return nil }
        return Array(octets[8...])
    }

    private static func packet(_ pdu: [UInt8], like packet: HCIPacket, from isFromPeer: Bool = false)
        -> HCIPacket
    {
        let handle = UInt16(packet.octets[0]) | UInt16(packet.octets[1] & 0x0F) << 8
        let header = HCIACLHeader(
            handle: handle, boundary: isFromPeer ? 2 : 0, dataLength: UInt16(pdu.count + 4))
        return HCIPacket(
            .acl, header.encoded + [UInt8(truncatingIfNeeded: pdu.count), UInt8(pdu.count >> 8), 4, 0] + pdu)
    }
}
