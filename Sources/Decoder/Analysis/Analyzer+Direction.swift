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

extension Analyzer {
    /// The direction of ACL data where the file keeps none; false for a fragment of which it can't be told to
    /// which PDU it belongs.
    ///
    /// Only the host starts PDUs with boundary 0, and on LE the controller starts all its own with 2 (Vol 4,
    /// Part E, 5.4.2), so a start tells, unless the host is one that sends with 2 as well: then what the PDU
    /// is tells, or nothing. A continuation goes with the PDU that is under way, where only one is or only
    /// one has room for it.
    mutating func inferDirection(
        _ boundary: UInt8, _ data: RawSpan, _ announced: Int, _ slot: Int
    ) -> Bool {
        let host = links[slot].assemblies.fromHost.reassembler.missingCount
        let controller = links[slot].assemblies.fromController.reassembler.missingCount
        switch boundary {
        case 0:
            frame.direction = .hostToController
            if isLE(slot, data) { noteFlaggedStart() }
        case 1:
            let fitsHost = host.map { $0 >= announced } ?? false
            let fitsController = controller.map { $0 >= announced } ?? false
            if fitsHost && fitsController { return false }
            if fitsHost != fitsController {
                frame.direction = fitsHost ? .hostToController : .controllerToHost
            } else if (host == nil) != (controller == nil) {
                frame.direction = host != nil ? .hostToController : .controllerToHost
            }
        case 2 where isLE(slot, data):
            inferStart(data, slot)
            if frame.direction == .unknown, controller != nil { return false }
        default:
            // A start whose side is not known, while another is under way that may be of either side.
            if controller != nil { return false }
        }
        frame.directionIsInferred = frame.direction != .unknown
        return true
    }

    private mutating func noteFlaggedStart() {
        let place = adapters.place(frame.file, frame.header.adapter)
        guard adapters[place].hostStarts == .unseen else { return }
        adapters[place].hostStarts = .flagged
        // What was taken for the host's until now, by its role, was the peer's.
        for slot in handles.slots(frame.file, frame.header.adapter) where links[slot].transport == .le {
            links[slot].takeHostsForPeers()
        }
    }

    /// The direction of a start with boundary 2 on LE.
    private mutating func inferStart(_ data: RawSpan, _ slot: Int) {
        let place = adapters.place(frame.file, frame.header.adapter)
        let starts = adapters[place].hostStarts
        if starts == .flagged {
            frame.direction = .controllerToHost
            return
        }
        let sender = sender(of: data, slot)
        if starts == .unseen, sender.provesUnflagged {
            adapters[place].hostStarts = .unflagged
            // Without a role it can't be told which of the two sides asked.
            if links[slot].role == .unknown { links[slot].bearers[0].lose() }
        }
        switch sender.side {
        case .host: frame.direction = .hostToController
        case .peer: frame.direction = .controllerToHost
        case nil: if starts == .unseen, !sender.provesUnflagged { frame.direction = .controllerToHost }
        }
    }

    /// Which side sent a PDU by what it is, and whether that shows that the host sends with boundary 2 too.
    private struct Sender {
        var side: Side?
        var provesUnflagged = false
    }

    private func sender(of start: RawSpan, _ slot: Int) -> Sender {
        guard let channel = start.u16le(at: 2), let code = start.octet(at: 4) else { return Sender() }
        let central: Side? =
            switch links[slot].role {
            case .central: .host
            case .peripheral: .peer
            case .unknown: nil
            }
        switch channel {
        case 4: return sender(ofATT: ATTOpcode(rawValue: code), start, central, slot)
        case 5:
            // Only the peripheral asks for other connection parameters.
            switch code {
            case 0x12: return Sender(side: central?.other, provesUnflagged: central == .peer)
            case 0x13: return Sender(side: central, provesUnflagged: central == .host)
            default: return Sender()
            }
        case 6: return sender(ofSMP: code, central, slot)
        default: return Sender()
        }
    }

    private func sender(
        ofATT opcode: ATTOpcode, _ start: RawSpan, _ central: Side?, _ slot: Int
    ) -> Sender {
        switch opcode.kind {
        case .response:
            // The request of a response has the opcode before its own; an Error Response names it.
            let asked = opcode == .errorResponse ? start.octet(at: 5) ?? 0 : opcode.rawValue &- 1
            let (host, peer) = (links[slot].bearers[0].fromHost, links[slot].bearers[0].fromPeer)
            let answersHost = host.isOpen && host.opcode.rawValue == asked
            let answersPeer = peer.isOpen && peer.opcode.rawValue == asked
            guard answersHost != answersPeer else { return Sender(side: central?.other) }
            // The request had the same flag, so one of the two is the host's.
            guard central != nil else { return Sender(side: nil, provesUnflagged: true) }
            return Sender(side: answersHost ? .peer : .host, provesUnflagged: true)
        case .confirmation:
            let isHosts = links[slot].bearers[0].indicationFromHost.isOpen
            let isPeers = links[slot].bearers[0].indicationFromPeer.isOpen
            guard isHosts != isPeers, central != nil else { return Sender(side: central) }
            return Sender(side: isHosts ? .peer : .host, provesUnflagged: true)
        case .request, .command: return Sender(side: central)
        case .notification, .indication: return Sender(side: central?.other)
        case .unknown: return Sender()
        }
    }

    /// Who sends which PDU of a pairing (Vol 3, Part H, 2.4 and 3.3): the central is the initiator.
    private func sender(ofSMP code: UInt8, _ central: Side?, _ slot: Int) -> Sender {
        guard let central else { return Sender() }
        let steps = links[slot].pairing
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

    /// Whether a link is one of LE, as the log tells or the channel of a PDU's start.
    private func isLE(_ slot: Int, _ start: RawSpan) -> Bool {
        switch links[slot].transport {
        case .le: true
        case .brEDR: false
        case .unknown: start.u16le(at: 2).map { (4...6).contains($0) } ?? false
        }
    }
}
