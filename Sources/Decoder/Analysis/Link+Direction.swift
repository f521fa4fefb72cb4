import BluetoothCore
import CaptureFile
import WireBytes

// The direction of ACL data of formats that keep none (link type 187).

/// Which boundary flags the host of an adapter gives to the starts of its PDUs on LE.
enum HostStarts: Sendable {
    /// Nothing has shown it yet.
    case unseen
    /// 0, as the specification has it: a start with 2 is the controller's.
    case flagged
    /// Also 2, as some hosts do: that flag tells nothing.
    case unflagged
}

extension Link {
    /// The direction of ACL data where the file keeps none; nil for a fragment of which it can't be told to
    /// which PDU it belongs.
    ///
    /// Only the host starts PDUs with boundary 0, and on LE the controller starts all its own with 2 (Vol 4,
    /// Part E, 5.4.2), so a start tells, unless the host is one that sends with 2 as well: then what the PDU
    /// is tells, or nothing. A continuation goes with the PDU that is under way, where only one is or only
    /// one has room for it.
    ///
    /// - Parameter starts: what is known of the host, and what this shows of it.
    mutating func direction(
        of data: RawSpan, _ boundary: UInt8, _ announced: Int, _ starts: inout HostStarts
    ) -> Direction? {
        let host = assemblies.fromHost.reassembler.missingCount
        let controller = assemblies.fromController.reassembler.missingCount
        switch boundary {
        case 0:
            if starts == .unseen, isLE(start: data) { starts = .flagged }
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
            // A start whose side is not known, while another is under way that may be of either side.
            return start == .unknown && controller != nil ? nil : start
        }
    }

    /// The direction of a start with boundary 2 on LE.
    private mutating func direction(ofStart data: RawSpan, _ starts: inout HostStarts) -> Direction {
        if starts == .flagged { return .controllerToHost }
        let sender = sender(of: data)
        let wasUnseen = starts == .unseen
        if wasUnseen, sender.provesUnflagged {
            starts = .unflagged
            // Without a role it can't be told which of the two sides asked.
            if role == .unknown { bearers[0].lose() }
        }
        switch sender.side {
        case .host: return .hostToController
        case .peer: return .controllerToHost
        case nil: return wasUnseen && !sender.provesUnflagged ? .controllerToHost : .unknown
        }
    }

    /// Which side sent a PDU by what it is, and whether that shows that the host sends with boundary 2 too.
    private struct Sender {
        var side: Side?
        var provesUnflagged = false
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
            // Only the peripheral asks for other connection parameters.
            switch code {
            case 0x12: return Sender(side: central?.other, provesUnflagged: central == .peer)
            case 0x13: return Sender(side: central, provesUnflagged: central == .host)
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
            // The request of a response has the opcode before its own; an Error Response names it.
            let asked = opcode == .errorResponse ? start.octet(at: 5) ?? 0 : opcode.rawValue &- 1
            let (host, peer) = (bearers[0].fromHost, bearers[0].fromPeer)
            let answersHost = host.isOpen && host.opcode.rawValue == asked
            let answersPeer = peer.isOpen && peer.opcode.rawValue == asked
            guard answersHost != answersPeer else { return Sender(side: central?.other) }
            // The request had the same flag, so one of the two is the host's.
            guard central != nil else { return Sender(side: nil, provesUnflagged: true) }
            return Sender(side: answersHost ? .peer : .host, provesUnflagged: true)
        case .confirmation:
            let isHosts = bearers[0].indicationFromHost.isOpen
            let isPeers = bearers[0].indicationFromPeer.isOpen
            guard isHosts != isPeers, central != nil else { return Sender(side: central) }
            return Sender(side: isHosts ? .peer : .host, provesUnflagged: true)
        case .request, .command: return Sender(side: central)
        case .notification, .indication: return Sender(side: central?.other)
        case .unknown: return Sender()
        }
    }

    /// Who sends which PDU of a pairing (Vol 3, Part H, 2.4 and 3.3): the central is the initiator.
    private func sender(ofSMP code: UInt8, _ central: Side?) -> Sender {
        guard let central else { return Sender() }
        let steps = pairing
        let (initiators, responders) =
            central == .host ? (steps.fromHost, steps.fromPeer) : (steps.fromPeer, steps.fromHost)
        let side: Side
        switch code {
        case 0x01: side = central
        case 0x02, 0x0B: side = central.other
        // In LE legacy pairing both send these, the initiator first.
        case 0x03 where initiators?.code != 0x0C && responders?.code != 0x0C,
            0x04, 0x0C, 0x0D:
            side = initiators?.code == code && responders?.code != code ? central.other : central
        default: return Sender()
        }
        return Sender(side: side, provesUnflagged: side == .host)
    }

    /// Whether it is one of LE, as the log tells or the channel of a PDU's start.
    func isLE(start: RawSpan) -> Bool {
        switch transport {
        case .le: true
        case .brEDR: false
        case .unknown: start.u16le(at: 2).map { (4...6).contains($0) } ?? false
        }
    }
}
