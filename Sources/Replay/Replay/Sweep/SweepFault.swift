import BluetoothCore
import LEHost
import Runtime
import SimulatedDevices
import Synchronization

/// A fault between the stack and its peer.
public enum SweepFault: String, CaseIterable, Hashable, Sendable {
    /// A PDU of the Attribute Protocol never arrives.
    case lost
    /// The PDU arrives two seconds late.
    case late
    /// The PDU arrives twice.
    case doubled
    /// The last byte of the PDU is changed.
    case damaged
    /// A request is refused, with Unlikely Error.
    case refused
    /// The link is lost, and the PDU with it.
    case hangUp = "hang-up"
    /// From this PDU on the controller returns no buffers until the link ends.
    case noCredits = "no-credits"
    /// The controller fails and is set up again.
    case reset
    /// A secured message of a car has a wrong tag, and a checksum that matches it. The place of this fault
    /// and of the following ones counts the car's messages.
    case forgedTag = "forged-tag"
    /// A secured message of a car is repeated after the car's next message.
    case messageAgain = "message-again"
    /// A car authenticates with another key.
    case otherKey = "other-key"
    /// A whole message of a car is delayed by two seconds.
    case messageLate = "message-late"

    /// The way in which the car's messages are tampered with; nil for a fault of a PDU.
    var tampering: CarTampering.Kind? {
        switch self {
        case .forgedTag: .forged
        case .messageAgain: .again
        case .otherKey: .impostor
        case .messageLate: .late
        case .lost, .late, .doubled, .damaged, .refused, .hangUp, .noCredits, .reset: nil
        }
    }
}

/// A transport with a fault at one PDU of its first link.
final class SweepTransport: HCITransport {
    private struct State {
        var receive: (@Sendable (HCIPacket) -> Void)?
        var left: Int
        var link: UInt16?
        var wasApplied = false
        var isStarving = false
    }

    private let adapter: FakeAdapter
    private let time: VirtualTime
    private let fault: SweepFault
    private let state: Mutex<State>

    /// - Parameter place: index of the PDU with the fault among those of the first link in both directions,
    ///   from 0.
    init(_ adapter: FakeAdapter, _ time: VirtualTime, _ fault: SweepFault, at place: Int) {
        self.adapter = adapter
        self.time = time
        self.fault = fault
        state = Mutex(State(left: place))
    }

    /// Whether the fault was applied, because there was a PDU at its place.
    var wasApplied: Bool { state.withLock(\.wasApplied) }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        state.withLock { $0.receive = receive }
        try adapter.open { [weak self] in self?.fromPeer($0) }
    }

    func close() { adapter.close() }

    func send(_ packet: HCIPacket) throws(HCITransportError) {
        guard let pdu = takesPlace(packet) else { return try adapter.send(packet) }
        switch fault {
        case .lost: credit(packet)
        case .late:
            credit(packet)
            later(.seconds(2)) { try? $0.adapter.send(packet) }
        case .doubled:
            try adapter.send(packet)
            try adapter.send(packet)
        case .damaged: try adapter.send(Self.damaged(packet))
        case .refused:
            guard ATTOpcode(rawValue: pdu[0]).kind == .request, let handle = packet.aclHandle else {
                return try adapter.send(packet)
            }
            credit(packet)
            let refusal = [0x01, pdu[0], 0, 0, 0x0E]
            later(.milliseconds(30)) { $0.receive(.fromPeer(refusal, on: handle)) }
        case .hangUp:
            credit(packet)
            adapter.endLinks(HCIStatus.connectionTimeout)
        case .noCredits:
            state.withLock { $0.isStarving = true }
            try adapter.send(packet)
        case .reset: fail()
        case .forgedTag, .messageAgain, .otherKey, .messageLate: try adapter.send(packet)
        }
    }

    private func fromPeer(_ packet: HCIPacket) {
        if isWithheld(packet) { return }
        guard takesPlace(packet) != nil else { return receive(packet) }
        switch fault {
        case .lost: break
        case .late: later(.seconds(2)) { $0.receive(packet) }
        case .doubled:
            receive(packet)
            receive(packet)
        case .damaged: receive(Self.damaged(packet))
        case .hangUp: adapter.endLinks(.connectionTimeout)
        case .noCredits:
            state.withLock { $0.isStarving = true }
            receive(packet)
        case .reset: fail()
        case .refused, .forgedTag, .messageAgain, .otherKey, .messageLate: receive(packet)
        }
    }

    /// Returns the packet's PDU, if it is the one that gets the fault.
    private func takesPlace(_ packet: HCIPacket) -> [UInt8]? {
        guard let pdu = packet.attributePDU, let handle = packet.aclHandle else { return nil }
        return state.withLock { state in
            if state.link == nil { state.link = handle }
            guard state.link == handle, !state.wasApplied else { return nil }
            state.left -= 1
            guard state.left < 0 else { return nil }
            state.wasApplied = true
            return pdu
        }
    }

    /// Whether the event returns buffers that `noCredits` withholds.
    private func isWithheld(_ packet: HCIPacket) -> Bool {
        guard packet.type == .event, let code = packet.octets.first else { return false }
        return state.withLock { state in
            if code == HCIEventCode.disconnectionComplete.rawValue { state.isStarving = false }
            return state.isStarving && code == HCIEventCode.numberOfCompletedPackets.rawValue
        }
    }

    private func receive(_ packet: HCIPacket) { state.withLock(\.receive)?(packet) }

    private func later(_ delay: Duration, _ body: @escaping @Sendable (SweepTransport) -> Void) {
        _ = time.schedule(at: time.now.advanced(by: delay), from: .recording) { [self] in body(self) }
    }

    /// Sends a Hardware Error event, after which the host sets the controller up again.
    private func fail() {
        later(.zero) { transport in
            transport.receive(HCIPacket(.event, [HCIEventCode.hardwareError.rawValue, 1, 0x42]))
        }
    }

    /// Returns the buffer of a packet that did not reach the controller.
    private func credit(_ packet: HCIPacket) {
        guard let handle = packet.aclHandle else { return }
        later(.zero) { transport in
            transport.receive(
                HCIPacket(
                    .event,
                    [
                        HCIEventCode.numberOfCompletedPackets.rawValue, 5, 1,
                        UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8), 1, 0,
                    ]))
        }
    }

    private static func damaged(_ packet: HCIPacket) -> HCIPacket {
        var octets = packet.octets
        octets[octets.count - 1] ^= 0x40
        return HCIPacket(packet.type, octets)
    }
}

extension HCIPacket {
    fileprivate var aclHandle: UInt16? {
        guard type == .acl, octets.count >= 4 else { return nil }
        return UInt16(octets[0]) | UInt16(octets[1] & 0x0F) << 8
    }

    /// The Attribute Protocol PDU that begins in the packet; nil for other packets.
    fileprivate var attributePDU: [UInt8]? {
        guard type == .acl, octets.count > 8, octets[1] & 0x30 != 0x10, octets[6] == 4, octets[7] == 0 else {
            return nil
        }
        return Array(octets[8...])
    }

    fileprivate static func fromPeer(_ pdu: [UInt8], on handle: UInt16) -> HCIPacket {
        let header = HCIACLHeader(handle: handle, boundary: 2, dataLength: UInt16(clamping: pdu.count + 4))
        return HCIPacket(.acl, header.encoded + [UInt8(clamping: pdu.count), 0, 4, 0] + pdu)
    }
}
