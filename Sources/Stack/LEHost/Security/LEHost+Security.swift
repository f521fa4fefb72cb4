import BluetoothCore
import Crypto
import Runtime

// Pairing, encryption and bonds, link by link.

/// A host's security state of a link.
struct HostLinkSecurity: Sendable {
    var current = LinkSecurity()
    var pairing: Pairing?
    /// PDUs that came before the random numbers of the pairing; nil if the pairing does not wait for them.
    var waiting: [[UInt8]]?
    /// The bond whose key is being used to encrypt the link.
    var encryptingBy: Bond?
    /// The peer in the bond that encrypts the link.
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

    var isBusy: Bool { pairing != nil || waiting != nil || encryptingBy != nil }

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

extension LEHost {
    /// Maximum number of bonds, so that a device which may pair can't fill the memory with new identities.
    static var bondLimit: Int { 256 }

    /// Secures a link with its bond, or else by pairing.
    mutating func secure(_ id: LinkID) {
        guard let index = place(of: id), !links[index].security.isBusy else { return }
        let link = links[index].link
        guard link.isCentral else {
            // The central starts; a peripheral can only ask for it.
            guard let policy = configuration.security else { return }
            let flags = PairingFeatures.side(.pairingRequest, policy)?.octets[3] ?? 0
            return transmit([SMPCode.securityRequest.rawValue, flags], on: .securityManager, to: id)
        }
        if !links[index].security.current.isEncrypted, encryptByBond(link: index) { return }
        beginPairing(id)
    }

    private mutating func beginPairing(_ id: LinkID) {
        guard let index = place(of: id) else { return }
        guard configuration.security?.isPairable == true else {
            return abandonPairing(id, .ended(.pairingNotSupported))
        }
        guard !isTooSoon(links[index].link.peer) else {
            return abandonPairing(id, .ended(.repeatedAttempts))
        }
        guard !links[index].security.hasTimedOut else { return abandonPairing(id, .timedOut) }
        links[index].security.waiting = []
        effects.append(.draw(id))
    }

    /// Encrypts a link, as the central, with the key of its bond; returns false without a bond.
    mutating func encryptByBond(link index: Int) -> Bool {
        guard let bond = bond(with: links[index].link.peer), let key = bond.asCentral else { return false }
        links[index].security.encryptingBy = bond
        encrypt(links[index].link, with: key)
        return true
    }

    private mutating func encrypt(_ link: Link, with key: LongTermKey) {
        send(
            LEEnableEncryption(
                connectionHandle: link.handle, randomNumber: key.rand, encryptedDiversifier: key.ediv,
                longTermKey: key.key.octets.reversed()), for: .enableEncryption(link.id))
    }

    /// Handles the status of LE Enable Encryption.
    mutating func encryptionStarted(_ id: LinkID, _ status: HCIStatus) {
        guard status != .success else { return }
        tell(.problem(.refused(LEEnableEncryption.opcode, status)))
        encryptionChanged(id, status)
    }

    mutating func encryptionChanged(_ change: HCIEncryptionChange) {
        guard let index = known(change.connectionHandle) else { return }
        let isOff = change.status == .success && change.encryptionEnabled == 0
        encryptionChanged(links[index].link.id, isOff ? .authenticationFailure : change.status)
    }

    /// Handles the end of an attempt to encrypt a link or to refresh its encryption.
    mutating func encryptionChanged(_ id: LinkID, _ status: HCIStatus) {
        guard let index = place(of: id) else { return }
        let bond = links[index].security.encryptingBy
        links[index].security.encryptingBy = nil
        if status == .success {
            let (security, isOfPairing) = links[index].encrypted(by: bond)
            tell(.securityChanged(id, security))
            if isOfPairing {
                step(id) { $0.encrypted(at: $1) }
            } else {
                if let bond { recallClient(id, bond) }
                resume(id)
            }
            announce(id)
            return answerRequest(id)
        }
        if links[index].security.pairing != nil {
            step(id) { pairing, _ in pairing.stop(.encryption(status)) }
            return announce(id)
        }
        // The peer has no key or another one, so the link would lack the protection of the bond.
        links[index].security.endReason = status
        if status == .pinOrKeyMissing { tell(.bondLost(id, links[index].link.peer)) }
        disconnect(id, .authenticationFailure)
    }

    /// Announces a link that the application does not know yet.
    private mutating func announce(_ id: LinkID) {
        guard let index = place(of: id), !links[index].security.isAnnounced else { return }
        links[index].security.isAnnounced = true
        tell(.connected(links[index].link))
        exchangeMTU(on: id)
    }

    /// Gives the controller the key that the central requests.
    mutating func longTermKeyAsked(_ asked: LELongTermKeyRequest) {
        guard let index = known(asked.connectionHandle) else { return }
        let link = links[index].link
        guard let key = links[index].security.key(for: asked, bond(with: link.peer)) else {
            return send(
                LELongTermKeyRequestNegativeReply(connectionHandle: asked.connectionHandle),
                for: .longTermKey(link.id))
        }
        send(
            LELongTermKeyRequestReply(
                connectionHandle: asked.connectionHandle, longTermKey: key.key.octets.reversed()),
            for: .longTermKey(link.id))
    }
}

// PDUs of the Security Manager Protocol.
extension LEHost {
    /// Handles a PDU of the security channel.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.4 and 3.
    mutating func takeSecurity(_ octets: [UInt8], _ id: LinkID) {
        guard let index = place(of: id), let code = octets.first.map(SMPCode.init(rawValue:)) else {
            return tell(.problem(.unknownChannel(id, .securityManager)))
        }
        let link = links[index].link
        if links[index].security.pairing != nil {
            step(id) { $0.receive(octets, at: $1) }
        } else if links[index].security.waiting != nil {
            links[index].security.queue(octets)
        } else if code == .pairingRequest || code == .securityRequest, !links[index].security.hasTimedOut {
            guard configuration.security?.isPairable == true else { return refuse(.pairingNotSupported, id) }
            guard link.isCentral == (code == .securityRequest) else {
                return refuse(.commandNotSupported, id)
            }
            guard !isTooSoon(link.peer) else { return refuse(.repeatedAttempts, id) }
            if link.isCentral {
                links[index].security.requestedSecurity = octets.count > 1 ? octets[1] : 0
                return answerRequest(id)
            }
            beginPairing(id)
            if let index = place(of: id) { links[index].security.queue(octets) }
        }
    }

    /// Answers a Security Request: encrypts with the bond's key, or pairs. Also pairs if that key is weaker
    /// than requested and this host can make a better one.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.4.6.
    private mutating func answerRequest(_ id: LinkID) {
        guard let index = place(of: id), let requested = links[index].security.requestedSecurity,
            !links[index].security.isBusy, let policy = configuration.security
        else { return }
        let peer = links[index].link.peer
        guard links[index].security.current.isEncrypted else { return secure(id) }
        links[index].security.requestedSecurity = nil
        // Only once for each peer, since a second pairing would give the same key. A replay follows its log.
        guard links[index].security.isShort(of: requested, policy), policy.features == nil,
            !upgraded.contains(where: { $0.names(peer) })
        else { return }
        upgraded.append(peer)
        if upgraded.count > Self.bondLimit { upgraded.removeFirst() }
        beginPairing(id)
    }

    private mutating func refuse(_ reason: PairingReason, _ id: LinkID) {
        transmit([SMPCode.pairingFailed.rawValue, reason.rawValue], on: .securityManager, to: id)
    }

    /// Continues a pairing when its random numbers have come.
    mutating func takeRandomness(_ randomness: PairingRandomness?, _ id: LinkID) {
        guard let index = place(of: id), let waiting = links[index].security.waiting,
            var policy = configuration.security, let identityAddress
        else { return }
        links[index].security.waiting = nil
        guard let randomness else {
            refuse(.unspecifiedReason, id)
            return pairingEnded(id, .ended(.unspecifiedReason))
        }
        let link = links[index]
        let isCentral = link.link.isCentral
        policy.identityKey = configuration.privacy?.identityKey ?? policy.identityKey
        policy.outOfBand = outOfBand
        if let known = bond(with: link.link.peer) { policy.raise(to: known.security) }
        if link.security.shortfall == .insufficientAuthentication { policy.needsProtection = true }
        var pairing = Pairing(
            isInitiator: isCentral, policy, randomness, own: link.onAir.own, peer: link.onAir.peer,
            identity: identityAddress)
        pairing.peerIdentity = self.identity(of: link.link.peer)
        pairing.guarded = guarded(from: link.security.bonded)
        var outputs: [Pairing.Output] = []
        if isCentral { outputs = pairing.begin(at: now) } else { pairing.expected = [.pairingRequest] }
        for octets in waiting { outputs += pairing.receive(octets, at: now) }
        links[index].security.pairing = pairing
        for output in outputs { apply(output, id) }
    }

    mutating func answerPairing(_ answer: PairingAnswer, _ id: LinkID) {
        step(id) { $0.answer(answer, at: $1) }
    }

    /// Runs a step of a link's pairing, if there is one, and executes its outputs.
    mutating func step(_ id: LinkID, _ body: (inout Pairing, Instant) -> [Pairing.Output]) {
        guard let index = place(of: id), var pairing = links[index].security.pairing else { return }
        // Another device may have bonded since the last step.
        pairing.guarded = guarded(from: links[index].security.bonded)
        let outputs = body(&pairing, now)
        links[index].security.pairing = pairing
        for output in outputs { apply(output, id) }
    }

    private mutating func apply(_ output: Pairing.Output, _ id: LinkID) {
        switch output {
        case .send(let pdu): transmit(pdu, on: .securityManager, to: id)
        case .ask(let question): tell(.pairingAsks(id, question))
        case .legacy(let isAccepted): tell(.pairingIsLegacy(id, isAccepted: isAccepted))
        case .encrypt(let key):
            guard let index = place(of: id) else { return }
            encrypt(links[index].link, with: key)
        case .finished(.failure(let failure)): pairingEnded(id, failure)
        case .finished(.success(let bond)):
            guard let index = place(of: id) else { return }
            // The peer's out of band data is only for this pairing.
            if links[index].security.pairing?.method == .outOfBand { outOfBand.peer = nil }
            links[index].security.pairing = nil
            links[index].security.requestedSecurity = nil
            attempts.removeAll { $0.peer.names(links[index].link.peer) }
            var bond = bond
            bond?.client = links[index].server.record
            let isKept = bond.map { keep($0) } ?? false
            if isKept { links[index].bonded(by: bonds.last) }
            tell(.paired(id, isKept ? bonds.last : nil))
            resume(id)
            databaseGrew(id)
        }
    }

    /// Returns the devices whose bonds the peer of a link, encrypted by the bond `bonded`, has not proved
    /// with their key. A replay follows its log.
    private func guarded(from bonded: DeviceAddress?) -> [DeviceAddress] {
        guard configuration.security?.features == nil else { return [] }
        return bonds.filter { bond in
            (bond.asCentral != nil || bond.asPeripheral != nil) && bonded?.names(bond.peer) != true
        }.map(\.peer)
    }

    /// Replaces all bonds.
    mutating func setBonds(_ new: [Bond]) {
        bonds = new
        for index in links.indices { links[index].server.hasKey = bond(with: links[index].link.peer) != nil }
    }

    /// Stores a bond in place of an earlier one with the same device, unless the earlier one protects better.
    mutating func keep(_ bond: Bond) -> Bool {
        let known = bonds.first { $0.peer.names(bond.peer) }
        guard known != nil || bonds.count < Self.bondLimit else { return false }
        guard known.map({ bond.security.isWorth($0.security) }) ?? true else { return false }
        bonds.removeAll { $0.peer.names(bond.peer) }
        var bond = bond
        // With another device's key, the two devices would be mistaken for each other.
        if bonds.contains(where: { $0.identityKey == bond.identityKey }) { bond.identityKey = nil }
        bonds.append(bond)
        return true
    }

    /// Ends a failed pairing; the peer's next attempt must wait.
    private mutating func pairingEnded(_ id: LinkID, _ failure: PairingFailure) {
        guard let index = place(of: id) else { return }
        if failure == .timedOut { links[index].security.hasTimedOut = true }
        noteAttempt(links[index].link.peer)
        abandonPairing(id, failure)
    }

    /// Reports that a link was not paired, and fails the operations that waited for it.
    private mutating func abandonPairing(_ id: LinkID, _ failure: PairingFailure) {
        guard let index = place(of: id) else { return }
        let held = links[index].security.endPairing()
        tell(.pairingFailed(id, failure))
        for one in held { tell(.finished(id, one.token, .failure(one.failure))) }
        apply(links[index].channels.giveUp(), to: id)
    }

    /// Repeats the operations and openings that waited for a secure link.
    private mutating func resume(_ id: LinkID) {
        guard let index = place(of: id) else { return }
        for one in links[index].security.takeHeld() { perform(one.operation, one.token, on: id) }
        guard let index = place(of: id) else { return }
        apply(links[index].channels.resume(at: now), to: id)
    }

    /// Removes and returns an operation that has ended.
    mutating func takeOperation(_ token: GATTToken, _ id: LinkID) -> GATTOperation? {
        guard let index = place(of: id) else { return nil }
        return links[index].security.operations.removeValue(forKey: token)
    }

    /// Whether an operation will be repeated on a secure link, and so does not fail yet.
    mutating func isHeld(
        _ token: GATTToken, _ operation: GATTOperation, _ result: Result<GATTOutcome, GATTFailure>,
        _ id: LinkID
    ) -> Bool {
        guard let policy = configuration.security, let index = place(of: id),
            case .failure(.refused(let code, let handle)) = result, links[index].link.isCentral,
            links[index].security.canImprove(after: code, policy)
        else { return false }
        links[index].security.held.append((token, operation, .refused(code, handle: handle)))
        secure(id)
        return true
    }

    // MARK: Repeated attempts

    /// Whether a peer whose pairing failed must wait longer; the wait doubles with each failure.
    ///
    /// A replay follows its log.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.3.6.
    private func isTooSoon(_ peer: DeviceAddress) -> Bool {
        configuration.security?.features == nil
            && attempts.contains { $0.peer.names(peer) && now < $0.until }
    }

    private mutating func noteAttempt(_ peer: DeviceAddress) {
        let before = attempts.first { $0.peer.names(peer) }?.wait ?? .zero
        attempts.removeAll { $0.peer.names(peer) }
        let wait = min(max(before * 2, .seconds(1)), .seconds(64))
        attempts.append((peer, wait, now.advanced(by: wait)))
        if attempts.count > 64 { attempts.removeFirst() }
    }
}
