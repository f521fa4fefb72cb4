import BluetoothCore
import WireBytes

// Credit-based channels, link by link.

extension LEHost {
    /// Whether a channel is open and accepts an SDU now.
    public func canSend(on channel: ChannelID) -> Bool {
        usable(channel.link).map { links[$0].channels.hasRoom(channel: channel.number) } ?? false
    }

    /// The lowest dynamic SPSM without a listener; nil if all have one.
    public var freeSPSM: UInt16? {
        (0x80...0xFF).first { spsm in !listeners.contains { $0.spsm == spsm } }
    }

    mutating func take(_ request: ChannelRequest) {
        switch request {
        case .open(let spsm, let parameters, let token, let link):
            guard let index = usable(link) else {
                return tell(.channel(.openFailed(link, token, .disconnected)))
            }
            let opening = LinkChannels.Opening(spsm: spsm, parameters: parameters, token: token)
            apply(links[index].channels.open(opening, at: now), to: link)
        case .listen(let listener):
            listeners.removeAll { $0.spsm == listener.spsm }
            if (0x01...0xFF).contains(listener.spsm) { listeners.append(listener) }
        case .stopListening(let spsm): listeners.removeAll { $0.spsm == spsm }
        case .send(let sdu, let channel):
            guard let index = usable(channel.link) else { return tell(.channel(.dropped(channel))) }
            apply(links[index].channels.send(sdu, channel: channel.number), to: channel.link)
        case .consumed(let count, let channel):
            guard let index = place(of: channel.link) else { return }
            apply(links[index].channels.consumed(count, channel: channel.number), to: channel.link)
        case .close(let channel):
            guard let index = place(of: channel.link) else { return }
            apply(links[index].channels.close(channel: channel.number, at: now), to: channel.link)
        }
    }

    mutating func apply(_ outputs: [LinkChannels.Output], to id: LinkID) {
        for output in outputs {
            switch output {
            case .signal(let command): transmit(command, on: .leSignalling, to: id)
            case .event(let event): tell(.channel(event))
            case .refused(let opening, let result):
                guard let index = place(of: id) else { return }
                guard !opening.isRepeated, mayRaise(links[index].security.current, for: result) else {
                    tell(.channel(.openFailed(id, opening.token, .refused(result))))
                    continue
                }
                links[index].channels.hold(opening, .refused(result), at: now)
                secure(id)
            }
        }
    }

    /// Whether a peer that refused a channel may accept it on a more secure link.
    private func mayRaise(_ current: LinkSecurity, for result: L2CAPCreditBasedResult) -> Bool {
        guard let policy = configuration.security else { return false }
        switch result {
        case .insufficientEncryption, .insufficientAuthorization: return !current.isEncrypted
        case .insufficientAuthentication:
            return !current.isEncrypted || !current.isAuthenticated && policy.needsAuthentication
        case .insufficientKeySize: return current.keySize < 16
        default: return false
        }
    }

    /// Handles a complete signalling command about channels.
    mutating func takeChannelSignal(_ command: [UInt8], _ id: LinkID) {
        // Identifier 0 is invalid (Vol 3, Part A, 4).
        guard let index = place(of: id), command[1] != 0 else { return }
        let code = L2CAPSignallingCode(rawValue: command[0])
        let fields = L2CAPSignalFields(command.borrowedOctets)
        guard code == .leCreditBasedConnectionRequest else {
            return apply(links[index].channels.take(code, command[1], fields, at: now), to: id)
        }
        let judgement = judge(fields.psm, links[index])
        apply(links[index].channels.takeRequest(command[1], fields, judgement), to: id)
    }

    /// Returns the receive parameters of a service, or the reason why the peer of a link may not use it.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.1.
    private func judge(_ spsm: UInt16, _ link: HostLink) -> Result<ChannelParameters, L2CAPRefusal> {
        guard let listener = listeners.first(where: { $0.spsm == spsm }) else {
            return .failure(L2CAPRefusal(.spsmNotSupported))
        }
        let security = link.security.current
        if listener.needsEncryption || listener.needsAuthentication, !security.isEncrypted {
            let isBonded = bond(with: link.link.peer) != nil
            return .failure(
                L2CAPRefusal(isBonded ? .insufficientEncryption : .insufficientAuthentication))
        }
        if listener.needsAuthentication, !security.isAuthenticated {
            return .failure(L2CAPRefusal(.insufficientAuthentication))
        }
        if security.isEncrypted, security.keySize < listener.minimumKeySize {
            return .failure(L2CAPRefusal(.insufficientKeySize))
        }
        if let peers = listener.peers, !peers.contains(where: { $0.names(link.link.peer) }) {
            return .failure(L2CAPRefusal(.insufficientAuthorization))
        }
        return .success(listener.parameters)
    }

    /// Handles data on a dynamic channel.
    mutating func takeFrame(_ payload: [UInt8], _ channel: L2CAPChannelID, _ id: LinkID) {
        guard let index = place(of: id) else { return }
        guard let outputs = links[index].channels.receive(payload, on: channel.rawValue, at: now) else {
            return tell(.problem(.unknownChannel(id, channel)))
        }
        apply(outputs, to: id)
    }

    /// Queues one K-frame for each link after its other data, unless one is queued already, so that channels
    /// and other data don't block each other.
    mutating func enqueueFrames() {
        for index in links.indices where !links[index].channels.isEmpty && !links[index].isClosing {
            let (id, handle) = (links[index].link.id, links[index].link.handle)
            guard !data.holdsFrame(handle), let frame = links[index].channels.nextFrame(at: now) else {
                continue
            }
            data.enqueue(
                frame.payload, on: L2CAPChannelID(rawValue: frame.cid), of: handle, isFrame: true)
            apply(links[index].channels.frameTaken(), to: id)
        }
    }
}
