import BluetoothCore
import Crypto
import Runtime

// Pairing and encryption of a link.

struct HostLinkSecurity: Sendable {
    var current = LinkSecurity()
    var pairing: Pairing?
    /// PDUs that came before the random numbers of the pairing; nil if the pairing does not wait for them.
    var waiting: [[UInt8]]?
    /// The bond whose key is being used to encrypt the link.
    var encryptingBy: Bond?
    var bonded: DeviceAddress?
    /// The error with which the server refused although the link is encrypted; one pairing is tried for a
    /// better key.
    var shortfall: ATTErrorCode?
    /// The AuthReq of a Security Request that was not answered yet.
    var requestedSecurity: UInt8?
    /// Whether the application knows the link; with a bond, the link is announced when it is encrypted.
    var isAnnounced = true
    /// Whether a pairing timed out (30 s without an answer); the link must not pair again.
    var hasTimedOut = false
    /// The operations in progress, to repeat those that the server refuses until the link is secure.
    var operations: [GATTToken: GATTOperation] = [:]
    typealias HeldOperation = (token: GATTToken, operation: GATTOperation, failure: GATTFailure)
    /// Operations that wait for a secure link, with their failures.
    var held: [HeldOperation] = []
    /// The reason of the link's end, if the controller doesn't know it.
    var endReason: HCIStatus?

    var isPairing: Bool { pairing != nil || waiting != nil }

    fileprivate var isBusy: Bool { isPairing || encryptingBy != nil }

    /// Returns the key that the central requests: of the pairing, or of the bond with this peer.
    fileprivate mutating func key(for asked: LELongTermKeyRequest, _ bond: Bond?) -> LongTermKey? {
        var key = pairing?.key
        if key == nil || asked.randomNumber != 0 || asked.encryptedDiversifier != 0 {
            encryptingBy = bond
            key = bond?.asPeripheral
        }
        if let key, key.rand == asked.randomNumber, key.ediv == asked.encryptedDiversifier { return key }
        encryptingBy = nil
        return nil
    }

    /// Keeps a PDU until the pairing's random numbers have come.
    fileprivate mutating func queue(_ octets: [UInt8]) {
        if let waiting, waiting.count < Pairing.waitingLimit { self.waiting?.append(octets) }
    }

    /// Whether a Security Request with this AuthReq asks for a better key than that of the link, which this
    /// host can make.
    fileprivate func isShort(of requested: UInt8, _ policy: SecurityPolicy) -> Bool {
        let wantsProtection = requested & 4 != 0 && policy.ioCapability != .noInputNoOutput
        let wantsSecure = requested & 8 != 0 && policy.offersSecureConnections
        // If a device does not offer LE Secure Connections, another legacy key would be no better.
        let isBetterKnown = wantsSecure || current.isSecureConnections
        return wantsProtection && !current.isAuthenticated && isBetterKnown
            || wantsSecure && !current.isSecureConnections
    }

    /// Whether the link can be made secure enough for a server that refused with this code; if it is
    /// encrypted, by one pairing for a better key.
    fileprivate mutating func canImprove(after code: ATTErrorCode, _ policy: SecurityPolicy) -> Bool {
        guard current.isEncrypted else { return code.asksForSecurity }
        let isBetter =
            switch code {
            case .insufficientAuthentication:
                !current.isAuthenticated && policy.ioCapability != .noInputNoOutput
            case .encryptionKeySizeTooShort: current.keySize < 16
            default: false
            }
        // Operations that are refused during that pairing wait for it too.
        guard isBetter, shortfall == nil || isBusy else { return false }
        shortfall = code
        return true
    }

    /// Removes the pairing and the request for it, and returns the operations that waited.
    fileprivate mutating func endPairing() -> [HeldOperation] {
        pairing = nil
        requestedSecurity = nil
        return takeHeld()
    }

    fileprivate mutating func takeHeld() -> [HeldOperation] {
        defer { held = [] }
        return held
    }
}

extension HostLink {
    mutating func secure(_ host: inout HostContext) {
        guard !security.isBusy else { return }
        guard link.isCentral else {
            // The central starts; a peripheral can only ask for it.
            guard let policy = host.configuration.security else { return }
            let flags = PairingFeatures.side(.pairingRequest, policy)?.octets[3] ?? 0
            return transmit([SMPCode.securityRequest.rawValue, flags], on: .securityManager)
        }
        if !security.current.isEncrypted, encryptByBond(&host) { return }
        beginPairing(&host)
    }

    private mutating func beginPairing(_ host: inout HostContext) {
        guard host.configuration.security?.isPairable == true else {
            return abandonPairing(.ended(.pairingNotSupported), &host)
        }
        guard !host.isTooSoon(link.peer) else { return abandonPairing(.ended(.repeatedAttempts), &host) }
        guard !security.hasTimedOut else { return abandonPairing(.timedOut, &host) }
        security.waiting = []
        host.effects.append(.draw(link.id))
    }

    /// Encrypts the link, as the central, with the key of its bond; returns false without a bond.
    mutating func encryptByBond(_ host: inout HostContext) -> Bool {
        guard let bond = host.bond(with: link.peer), let key = bond.asCentral else { return false }
        security.encryptingBy = bond
        encrypt(with: key, &host)
        return true
    }

    private func encrypt(with key: LongTermKey, _ host: inout HostContext) {
        host.send(
            LEEnableEncryption(
                connectionHandle: link.handle, randomNumber: key.rand, encryptedDiversifier: key.ediv,
                longTermKey: key.key.octets.reversed()), for: .enableEncryption(link.id))
    }

    /// Handles the end of an attempt to encrypt the link or to refresh its encryption.
    mutating func encryptionChanged(_ status: HCIStatus, _ host: inout HostContext) {
        let bond = security.encryptingBy
        security.encryptingBy = nil
        if status == .success {
            if encrypted(by: bond, &host) {
                step(&host) { $0.encrypted(at: $1) }
            } else {
                if let bond { recallClient(bond, &host) }
                resume(&host)
            }
            announce(&host)
            return answerRequest(&host)
        }
        if security.pairing != nil {
            step(&host) { pairing, _ in pairing.stop(.encryption(status)) }
            return announce(&host)
        }
        // The peer has no key or another one, so the link would lack the protection of the bond.
        security.endReason = status
        if status == .pinOrKeyMissing { host.tell(.bondLost(link.id, link.peer)) }
        disconnect(.authenticationFailure, &host)
    }

    /// Adopts the security of the key with which the link was encrypted: of its pairing, or of this bond.
    ///
    /// - Returns: whether it is the pairing's key.
    private mutating func encrypted(by bond: Bond?, _ host: inout HostContext) -> Bool {
        let pairing = security.pairing.flatMap { $0.key == nil ? nil : $0 }
        var new = pairing?.bond.security ?? bond?.security ?? security.current
        if pairing == nil { new.isEncrypted = true }
        security.current = new
        server.security = new
        host.tell(.securityChanged(link.id, new))
        return pairing != nil
    }

    /// Announces a link that the application does not know yet.
    private mutating func announce(_ host: inout HostContext) {
        guard !security.isAnnounced else { return }
        security.isAnnounced = true
        host.tell(.connected(link))
        exchangeMTU(&host)
    }

    /// Gives the controller the key that the central requests.
    mutating func longTermKeyAsked(_ asked: LELongTermKeyRequest, _ host: inout HostContext) {
        guard let key = security.key(for: asked, host.bond(with: link.peer)) else {
            return host.send(
                LELongTermKeyRequestNegativeReply(connectionHandle: asked.connectionHandle),
                for: .longTermKey(link.id))
        }
        host.send(
            LELongTermKeyRequestReply(
                connectionHandle: asked.connectionHandle, longTermKey: key.key.octets.reversed()),
            for: .longTermKey(link.id))
    }
}

// PDUs of the Security Manager Protocol.
extension HostLink {
    /// Handles a PDU of the security channel.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.4 and 3.
    mutating func takeSecurity(_ octets: [UInt8], _ host: inout HostContext) {
        guard let code = octets.first.map(SMPCode.init(rawValue:)) else {
            return host.tell(.problem(.unknownChannel(link.id, .securityManager)))
        }
        if security.pairing != nil {
            step(&host) { $0.receive(octets, at: $1) }
        } else if security.waiting != nil {
            security.queue(octets)
        } else if code == .pairingRequest || code == .securityRequest, !security.hasTimedOut {
            guard host.configuration.security?.isPairable == true else {
                return refuse(.pairingNotSupported)
            }
            guard link.isCentral == (code == .securityRequest) else {
                return refuse(.commandNotSupported)
            }
            guard !host.isTooSoon(link.peer) else { return refuse(.repeatedAttempts) }
            if link.isCentral {
                security.requestedSecurity = octets.count > 1 ? octets[1] : 0
                return answerRequest(&host)
            }
            beginPairing(&host)
            security.queue(octets)
        }
    }

    /// Answers a Security Request: encrypts with the bond's key, or pairs. Also pairs if that key is weaker
    /// than requested and this host can make a better one.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.4.6.
    private mutating func answerRequest(_ host: inout HostContext) {
        guard let requested = security.requestedSecurity, !security.isBusy,
            let policy = host.configuration.security
        else { return }
        guard security.current.isEncrypted else { return secure(&host) }
        security.requestedSecurity = nil
        // A replay follows its log.
        guard security.isShort(of: requested, policy), policy.features == nil, host.mayUpgrade(link.peer)
        else { return }
        beginPairing(&host)
    }

    private mutating func refuse(_ reason: PairingReason) {
        transmit([SMPCode.pairingFailed.rawValue, reason.rawValue], on: .securityManager)
    }

    /// Continues a pairing when its random numbers have come.
    mutating func takeRandomness(_ randomness: PairingRandomness?, _ host: inout HostContext) {
        guard let waiting = security.waiting, var policy = host.configuration.security,
            let identity = host.identityAddress
        else { return }
        security.waiting = nil
        guard let randomness else {
            refuse(.unspecifiedReason)
            return pairingEnded(.ended(.unspecifiedReason), &host)
        }
        policy.identityKey = host.configuration.privacy?.identityKey ?? policy.identityKey
        policy.outOfBand = host.outOfBand
        if let known = host.bond(with: link.peer) { policy.raise(to: known.security) }
        if security.shortfall == .insufficientAuthentication { policy.needsProtection = true }
        var pairing = Pairing(
            isInitiator: link.isCentral, policy, randomness, own: onAir.own, peer: onAir.peer,
            identity: identity)
        pairing.peerIdentity = host.resolver.identity(of: link.peer)
        pairing.guarded = host.guarded(from: security.bonded)
        var outputs = link.isCentral ? pairing.begin(at: host.now) : []
        if !link.isCentral { pairing.expected = [.pairingRequest] }
        for octets in waiting { outputs += pairing.receive(octets, at: host.now) }
        security.pairing = pairing
        for output in outputs { apply(output, &host) }
    }

    /// Runs a step of the pairing, if there is one, and executes its outputs.
    mutating func step(_ host: inout HostContext, _ body: (inout Pairing, Instant) -> [Pairing.Output]) {
        guard var pairing = security.pairing else { return }
        // Another device may have bonded since the last step.
        pairing.guarded = host.guarded(from: security.bonded)
        let outputs = body(&pairing, host.now)
        security.pairing = pairing
        for output in outputs { apply(output, &host) }
    }

    private mutating func apply(_ output: Pairing.Output, _ host: inout HostContext) {
        switch output {
        case .send(let pdu): transmit(pdu, on: .securityManager)
        case .ask(let question): host.tell(.pairingAsks(link.id, question))
        case .legacy(let isAccepted): host.tell(.pairingIsLegacy(link.id, isAccepted: isAccepted))
        case .encrypt(let key): encrypt(with: key, &host)
        case .finished(.failure(let failure)): pairingEnded(failure, &host)
        case .finished(.success(let bond)):
            // The peer's out of band data is only for this pairing.
            if security.pairing?.method == .outOfBand { host.outOfBand.peer = nil }
            security.pairing = nil
            security.requestedSecurity = nil
            host.forgetAttempts(link.peer)
            var bond = bond
            bond?.client = server.record
            let kept = bond.flatMap { host.keep($0) ? host.bonds.last : nil }
            if let kept {
                security.bonded = kept.peer
                server.hasKey = true
            }
            host.tell(.paired(link.id, kept))
            resume(&host)
            databaseGrew(&host)
        }
    }

    /// Ends a failed pairing; the peer's next attempt must wait.
    private mutating func pairingEnded(_ failure: PairingFailure, _ host: inout HostContext) {
        if failure == .timedOut { security.hasTimedOut = true }
        host.noteAttempt(link.peer)
        abandonPairing(failure, &host)
    }

    /// Reports that the link was not paired, and fails the operations that waited for it.
    private mutating func abandonPairing(_ failure: PairingFailure, _ host: inout HostContext) {
        let held = security.endPairing()
        host.tell(.pairingFailed(link.id, failure))
        for one in held { host.tell(.finished(link.id, one.token, .failure(one.failure))) }
        apply(channels.giveUp(), &host)
    }

    /// Repeats the operations and openings that waited for a secure link.
    private mutating func resume(_ host: inout HostContext) {
        for one in security.takeHeld() { perform(one.operation, one.token, &host) }
        apply(channels.resume(at: host.now), &host)
    }

    /// Whether an operation will be repeated on a secure link, and so does not fail yet.
    mutating func isHeld(
        _ token: GATTToken, _ operation: GATTOperation, _ result: Result<GATTOutcome, GATTFailure>,
        _ host: inout HostContext
    ) -> Bool {
        guard let policy = host.configuration.security, link.isCentral,
            case .failure(.refused(let code, let handle)) = result,
            security.canImprove(after: code, policy)
        else { return false }
        security.held.append((token, operation, .refused(code, handle: handle)))
        secure(&host)
        return true
    }
}
