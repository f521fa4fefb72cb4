import BluetoothCore
import CaptureFile
import WireBytes

// Inference of the direction of ACL data in formats without directions (link type 187).

/// The boundary flag with which an adapter's host starts PDUs on LE.
enum HostBoundaryFlag: Sendable {
    /// No PDU has shown it yet.
    case unknown
    /// 0, as specified: a PDU that starts with 2 is from the controller.
    case zeroOnly
    /// 0 or 2, as some hosts do: 2 does not show the direction.
    case zeroOrTwo
}

extension Link {
    /// Infers the direction of ACL data in a file without directions: `.unknown` if nothing shows it, nil for
    /// a fragment that may continue the PDU of either side.
    ///
    /// Only the host starts PDUs with boundary 0, and on LE the controller starts all its PDUs with 2 (Vol 4,
    /// Part E, 5.4.2). So a start shows the direction, unless the host uses 2 as well; then only the kind of
    /// PDU may show it. A continuation belongs to the unfinished PDU, if there is only one or only one has
    /// room for it.
    ///
    /// - Parameter starts: what is known of the host's boundary flag; this packet may update it.
    mutating func direction(
        of data: RawSpan, _ boundary: UInt8, announced: Int, _ starts: inout HostBoundaryFlag
    ) -> Direction? {
        let host = assemblies.host.reassembler.missingCount
        let controller = assemblies.peer.reassembler.missingCount
        switch boundary {
        case 0:
            if starts == .unknown, isLE(start: data) { starts = .zeroOnly }
            return .hostToController
        case 1:
            let fitsHost = host.map { $0 >= announced } ?? false
            let fitsController = controller.map { $0 >= announced } ?? false
            if fitsHost && fitsController { return nil }
            if fitsHost != fitsController { return fitsHost ? .hostToController : .controllerToHost }
            if (host == nil) == (controller == nil) { return .unknown }
            return host != nil ? .hostToController : .controllerToHost
        default:
            let start = boundary == 2 && isLE(start: data) ? direction(ofStart: data, &starts) : .unknown
            // The start may be of either side, and so may the unfinished PDU.
            return start == .unknown && controller != nil ? nil : start
        }
    }

    /// Returns the direction of a start with boundary 2 on LE.
    private mutating func direction(ofStart data: RawSpan, _ starts: inout HostBoundaryFlag) -> Direction {
        if starts == .zeroOnly { return .controllerToHost }
        let sender = sender(of: data)
        let wasUnknown = starts == .unknown
        if wasUnknown, sender.provesZeroOrTwo {
            starts = .zeroOrTwo
            // Without a role, it is unknown which of the two sides sent the pending request.
            if role == .unknown { bearers[0].resetAfterLoss() }
        }
        switch sender.side {
        case .host: return .hostToController
        case .peer: return .controllerToHost
        case nil: return wasUnknown && !sender.provesZeroOrTwo ? .controllerToHost : .unknown
        }
    }

    /// Whether a sniffer's direction of an L2CAP fragment is wrong: no side responds to its own request. The
    /// rest of such a response has the same direction. If instead the request's direction was wrong, this
    /// moves the request to the other side, and returns false.
    mutating func contradicts(
        _ direction: Direction, of data: RawSpan, starts: Bool, lacksSides: Bool
    ) -> Bool {
        guard starts else {
            let isFromHost = direction == .hostToController
            let own = (isFromHost ? assemblies.host : assemblies.peer).reassembler.missingCount
            let other = (isFromHost ? assemblies.peer : assemblies.host).reassembler.missingCount
            return hasWrongDirections && own == nil && other != nil
        }
        guard data.u16le(at: 2) == 4, let code = data.octet(at: 4),
            ATTOpcode(rawValue: code).kind == .response
        else { return false }
        let sender = sender(of: data)
        let recorded: Side = direction == .hostToController ? .host : .peer
        let asked = bearers[0][recorded].request
        // If packets were missed, the response may be to a request of the other side.
        guard sender.provesZeroOrTwo, let side = sender.side, side != recorded,
            lacksSides || !asked.answerMayBeMissing
        else { return false }
        hasWrongDirections = true
        // Peripherals respond to most requests, so a request that one seems to send is the wrong one.
        guard recorded == .peer, role == .central else { return true }
        bearers[0][.host].request = bearers[0][.peer].request
        bearers[0][.peer].request.isOpen = false
        return false
    }

    /// The sender of a PDU that starts with boundary 2, inferred from its content.
    private struct Sender {
        var side: Side?
        /// Whether the PDU proves that the host starts PDUs with boundary 2, too: the host sent it, or it
        /// answers a request of the host with that flag. On the air, where no packet has a boundary flag, a
        /// response with this proof shows its side for certain.
        var provesZeroOrTwo = false
    }

    private func sender(of start: RawSpan) -> Sender {
        guard let channel = start.u16le(at: 2), let code = start.octet(at: 4) else { return Sender() }
        let central: Side? =
            switch role {
            case .central: .host
            case .peripheral: .peer
            case .unknown: nil
            }
        switch channel {
        case 4: return sender(ofATT: ATTOpcode(rawValue: code), start, central)
        case 5:
            // Only the peripheral requests other connection parameters (0x12); the central answers (0x13).
            switch code {
            case 0x12: return Sender(side: central?.other, provesZeroOrTwo: central == .peer)
            case 0x13: return Sender(side: central, provesZeroOrTwo: central == .host)
            default: return Sender()
            }
        case 6: return sender(ofSMP: code, central)
        default: return Sender()
        }
    }

    private func sender(
        ofATT opcode: ATTOpcode, _ start: RawSpan, _ central: Side?
    ) -> Sender {
        switch opcode.kind {
        case .response:
            // The request's opcode is one less than the response's; an Error Response names it.
            let asked = opcode == .errorResponse ? start.octet(at: 5) ?? 0 : opcode.rawValue &- 1
            let (host, peer) = (bearers[0][.host].request, bearers[0][.peer].request)
            let answersHost = host.isOpen && host.opcode.rawValue == asked
            let answersPeer = peer.isOpen && peer.opcode.rawValue == asked
            guard answersHost != answersPeer else { return Sender(side: central?.other) }
            // The request had the same flag, so one of the two is the host's.
            guard central != nil else { return Sender(side: nil, provesZeroOrTwo: true) }
            return Sender(side: answersHost ? .peer : .host, provesZeroOrTwo: true)
        case .confirmation:
            let hostIndicates = bearers[0][.host].indication.isOpen
            let peerIndicates = bearers[0][.peer].indication.isOpen
            guard hostIndicates != peerIndicates, central != nil else { return Sender(side: central) }
            return Sender(side: hostIndicates ? .peer : .host, provesZeroOrTwo: true)
        case .request, .command: return Sender(side: central)
        case .notification, .indication: return Sender(side: central?.other)
        case .unknown: return Sender()
        }
    }

    /// Returns the sender of a pairing PDU (Vol 3, Part H, 2.4 and 3.3): the central is the initiator.
    private func sender(ofSMP code: UInt8, _ central: Side?) -> Sender {
        guard let central else { return Sender() }
        let steps = pairing
        let (initiators, responders) =
            central == .host ? (steps.fromHost, steps.fromPeer) : (steps.fromPeer, steps.fromHost)
        let side: Side
        switch code {
        case 0x01: side = central
        case 0x02, 0x0B: side = central.other
        // In LE legacy pairing both sides send these, the initiator first.
        case 0x03 where initiators?.code != 0x0C && responders?.code != 0x0C,
            0x04, 0x0C, 0x0D:
            side = initiators?.code == code && responders?.code != code ? central.other : central
        default: return Sender()
        }
        return Sender(side: side, provesZeroOrTwo: side == .host)
    }

    /// Whether this is an LE link, as shown by the log or by the channel in a PDU's start.
    func isLE(start: RawSpan) -> Bool {
        switch transport {
        case .le: true
        case .brEDR: false
        case .unknown: start.u16le(at: 2).map { (4...6).contains($0) } ?? false
        }
    }
}
