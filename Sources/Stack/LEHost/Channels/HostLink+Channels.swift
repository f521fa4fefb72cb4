import BluetoothCore
import WireBytes

// Credit-based channels of a link.

extension HostLink {
    /// Requests a channel from the peer.
    mutating func open(_ opening: LinkChannels.Opening, _ host: inout HostContext) {
        guard !isClosing else {
            return host.tell(.channel(.openFailed(link.id, opening.token, .disconnected)))
        }
        apply(channels.open(opening, at: host.now), &host)
    }

    mutating func send(_ sdu: [UInt8], on channel: ChannelID, _ host: inout HostContext) {
        guard !isClosing else { return host.tell(.channel(.dropped(channel))) }
        apply(channels.send(sdu, channel: channel.number), &host)
    }

    mutating func apply(_ outputs: [LinkChannels.Output], _ host: inout HostContext) {
        for output in outputs {
            switch output {
            case .signal(let command): transmit(command, on: .leSignalling)
            case .event(let event): host.tell(.channel(event))
            case .refused(let opening, let result):
                guard !opening.isRepeated, mayRaise(security.current, for: result, host) else {
                    host.tell(.channel(.openFailed(link.id, opening.token, .refused(result))))
                    continue
                }
                channels.hold(opening, .refused(result), at: host.now)
                secure(&host)
            }
        }
    }

    /// Whether a peer that refused a channel may accept it on a more secure link.
    private func mayRaise(
        _ current: LinkSecurity, for result: L2CAPCreditBasedResult, _ host: HostContext
    ) -> Bool {
        guard let policy = host.configuration.security else { return false }
        switch result {
        case .insufficientEncryption, .insufficientAuthorization: return !current.isEncrypted
        case .insufficientAuthentication:
            return !current.isEncrypted || !current.isAuthenticated && policy.needsAuthentication
        case .insufficientKeySize: return current.keySize < 16
        default: return false
        }
    }

    /// Handles a complete signalling command about channels.
    mutating func takeChannelSignal(_ command: [UInt8], _ host: inout HostContext) {
        // Identifier 0 is invalid (Vol 3, Part A, 4).
        guard command[1] != 0 else { return }
        let code = L2CAPSignallingCode(rawValue: command[0])
        let fields = L2CAPSignalFields(command.borrowedOctets)
        guard code == .leCreditBasedConnectionRequest else {
            return apply(channels.take(code, command[1], fields, at: host.now), &host)
        }
        apply(channels.takeRequest(command[1], fields, judge(fields.psm, host)), &host)
    }

    /// Returns the receive parameters of a service, or the reason why the peer may not use it.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.1.
    private func judge(_ spsm: UInt16, _ host: HostContext) -> Result<ChannelParameters, L2CAPRefusal> {
        guard let listener = host.listeners.first(where: { $0.spsm == spsm }) else {
            return .failure(L2CAPRefusal(.spsmNotSupported))
        }
        let security = security.current
        if listener.needsEncryption || listener.needsAuthentication, !security.isEncrypted {
            let isBonded = host.bond(with: link.peer) != nil
            return .failure(
                L2CAPRefusal(isBonded ? .insufficientEncryption : .insufficientAuthentication))
        }
        if listener.needsAuthentication, !security.isAuthenticated {
            return .failure(L2CAPRefusal(.insufficientAuthentication))
        }
        if security.isEncrypted, security.keySize < listener.minimumKeySize {
            return .failure(L2CAPRefusal(.insufficientKeySize))
        }
        if let peers = listener.peers, !peers.contains(where: { $0.names(link.peer) }) {
            return .failure(L2CAPRefusal(.insufficientAuthorization))
        }
        return .success(listener.parameters)
    }

    /// Handles data on a dynamic channel.
    mutating func takeFrame(_ payload: [UInt8], _ channel: L2CAPChannelID, _ host: inout HostContext) {
        guard let outputs = channels.receive(payload, on: channel.rawValue, at: host.now) else {
            return host.tell(.problem(.unknownChannel(link.id, channel)))
        }
        apply(outputs, &host)
    }

    /// Queues one K-frame after the link's other data, unless one is queued already, so that channels and
    /// other data don't block each other.
    mutating func enqueueFrame(_ host: inout HostContext) {
        guard !channels.isEmpty, !isClosing, !data.holdsFrame, let frame = channels.nextFrame(at: host.now)
        else { return }
        data.enqueue(frame.payload, on: L2CAPChannelID(rawValue: frame.cid), isFrame: true)
        apply(channels.frameTaken(), &host)
    }
}
