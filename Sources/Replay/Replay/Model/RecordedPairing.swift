public import BluetoothCore
public import LEHost
import Runtime

/// A pairing that can be played with a live peer, which has the recorded peer's features.
struct RecordedPairing: Sendable {
    /// The frames of the first and the last PDU.
    let frames: ClosedRange<Int>
    /// The Pairing Request, and the Pairing Response; the response is empty if the pairing failed before it.
    let request: [UInt8]
    let response: [UInt8]
    /// The negotiated features; nil without a response.
    let features: PairingFeatures?
    /// Whether the pairing led to an encrypted link.
    let isSuccessful: Bool
    /// The Pairing Failed PDU; nil if the pairing succeeded or the link ended first.
    let failure: RecordedPDU?
    /// The PDUs of the peer, without keypress notifications.
    let sent: [RecordedPDU]
    /// The host's PDUs.
    private let own: [RecordedPDU]
    /// The keys that the host still had to send where the log ends.
    let unrecorded: [SMPCode]
    private let isCentral: Bool
    /// Whether the link ended during the pairing, and not by the host.
    let isLeftByPeer: Bool

    /// Returns nil without a pairing, or if the pairing can't be played.
    ///
    /// That is the case if the link paired repeatedly or used out-of-band data, if the log lacks a PDU of the
    /// pairing, or if it failed for a reason that this project's host can't reproduce.
    init?(_ connection: RecordedConnection) {
        let pdus = connection.pdus.filter { $0.channel == .securityManager }
        let initiator: RecordedPDU.Side = connection.isCentral ? .host : .peer
        guard let first = pdus.firstIndex(where: { $0.code == .pairingRequest && $0.side == initiator }),
            pdus[..<first].allSatisfy({ $0.code == .securityRequest })
        else { return nil }
        let end = pdus[first...].firstIndex { $0.code == .pairingFailed } ?? pdus.count - 1
        let all = pdus[first...end]
        // Only PDUs that crossed Pairing Failed may follow it.
        let isOnce = pdus[(first + 1)...].allSatisfy { $0.code != .pairingRequest }
        let hasEnded = pdus[(end + 1)...].allSatisfy {
            $0.side != pdus[end].side && $0.code != .pairingFailed
        }
        guard isOnce, hasEnded, all.allSatisfy({ !$0.isCut }) else { return nil }
        failure = pdus[end].code == .pairingFailed ? pdus[end] : nil
        let answer = all.first { $0.code == .pairingResponse && $0.side != initiator }
        request = pdus[first].octets
        guard request.count == 7 else { return nil }
        response = answer?.octets ?? []
        features = PairingFeatures(request: request, response: response)
        guard features?.method != .outOfBand, answer == nil || features != nil else { return nil }
        isSuccessful = connection.encryption != nil
        if let encryption = connection.encryption {
            guard features != nil, failure == nil, encryption.done != nil, encryption.status == .success,
                encryption.frame > pdus[first].frame
            else { return nil }
        }
        var unrecorded: [SMPCode] = []
        if let features {
            guard Self.frameOfSkippedCheck(connection) == nil else { return nil }
            let isLast = connection.pdus.last.map { $0.frame <= pdus[end].frame } ?? true
            for isInitiator in [true, false] {
                let side = isInitiator == connection.isCentral ? RecordedPDU.Side.host : .peer
                let codes = all.filter { $0.side == side }.map(\.code).filter(Self.isCounted)
                let due = features.codes(ofInitiator: isInitiator)
                // An incomplete list does not show whether the recorder lost PDUs or they were never sent.
                let isListComplete = connection.encryption != nil && !isLast
                guard isListComplete ? codes == due : due.starts(with: codes) else { return nil }
                if side == .host { unrecorded = Array(due.dropFirst(codes.count)) }
            }
        }
        frames = pdus[first].frame...pdus[end].frame
        sent = all.filter {
            $0.side == .peer && $0.code != .securityRequest && $0.code != .pairingKeypressNotification
        }
        own = all.filter { $0.side == .host }
        self.unrecorded = unrecorded
        isCentral = connection.isCentral
        isLeftByPeer = failure == nil && !isSuccessful && connection.end?.request == nil
        guard !isSuccessful else { return }
        // If the log ends before the link does, more PDUs may have followed.
        guard connection.end != nil, failure?.octets.count ?? 2 == 2 else { return nil }
        if failure?.side == .host, !hostFailsAgain { return nil }
        // The recorded host disconnected when a PDU of its own was due. This project's host would send that
        // PDU at once, unless it must ask its user first.
        if failure == nil, connection.end?.request != nil, pdus[end].side == .peer,
            features?.method == .justWorks
        {
            return nil
        }
    }

    /// The frame with which a link was encrypted although one side had not sent its DHKey Check, which
    /// LE Secure Connections require first (Vol 3, Part H, 2.3.5.6.5); nil without such a frame.
    static func frameOfSkippedCheck(_ connection: RecordedConnection) -> Int? {
        guard let encryption = connection.encryption else { return nil }
        let pdus = connection.pdus.filter { $0.channel == .securityManager && $0.frame < encryption.frame }
        // After a failed pairing, the link may be encrypted with an older key.
        guard !pdus.contains(where: { $0.code == .pairingFailed }) else { return nil }
        let hasKeys = pdus.contains { $0.code == .pairingPublicKey && $0.side == .host }
        let checks = pdus.filter { $0.code == .pairingDHKeyCheck }
        return hasKeys && Set(checks.map(\.side)).count < 2 ? encryption.frame : nil
    }

    private static func isCounted(_ code: SMPCode) -> Bool {
        code != .securityRequest && code != .pairingKeypressNotification && code != .pairingFailed
    }

    /// Whether the replay can reproduce the host's Pairing Failed: its user refused, or the peer's value was
    /// wrong.
    private var hostFailsAgain: Bool {
        guard let features else { return false }
        let hasSent = { (code: SMPCode) in own.contains { $0.code == code } }
        switch reason {
        case .passkeyEntryFailed: return hostEnters && !hasSent(.pairingConfirm)
        case .numericComparisonFailed:
            return features.method == .numericComparison && !hasSent(.pairingDHKeyCheck)
        case .confirmValueFailed:
            // Without a passkey, the responder of LE Secure Connections checks no confirm value.
            let isChecked = !features.isSecure || isCentral || needsPasskey
            return isChecked && sent.last?.code == .pairingRandom
        case .dhKeyCheckFailed: return sent.last?.code == .pairingDHKeyCheck
        default: return false
        }
    }

    private var reason: PairingReason? { failure.map { PairingReason(rawValue: $0.octets[1]) } }

    private var needsPasskey: Bool { if case .passkey = features?.method { true } else { false } }

    /// Whether the host's user enters a passkey.
    private var hostEnters: Bool {
        guard case .passkey(let initiatorShows, let responderShows) = features?.method else { return false }
        return !(isCentral ? initiatorShows : responderShows)
    }

    /// Whether the host rejected the value in this PDU of the peer.
    func isRefused(_ pdu: RecordedPDU) -> Bool {
        failure?.side == .host && pdu.frame == sent.last?.frame
            && (reason == .dhKeyCheckFailed || reason == .confirmValueFailed)
    }

    /// Returns the recorded user's answer; nil if the pairing ended before it.
    ///
    /// - Parameter good: the answer that accepts the pairing.
    func answer(to question: PairingQuestion, _ good: PairingAnswer) -> PairingAnswer? {
        guard !isSuccessful else { return good }
        let refusal = question == .enter ? PairingReason.passkeyEntryFailed : .numericComparisonFailed
        if failure?.side == .host, reason == refusal { return .no }
        let next = question == .enter ? SMPCode.pairingConfirm : .pairingDHKeyCheck
        return own.contains { $0.code == next } ? good : nil
    }

    /// Whether the pairing needs a person: a side shows a number that the other enters, or the user refuses.
    var needsPerson: Bool { needsPasskey || failure?.side == .host }
    var hostPolicy: SecurityPolicy { policy(isCentral ? request : response, own) }
    var peerPolicy: SecurityPolicy { policy(isCentral ? response : request, sent) }
    /// The host's random values in the log, in the order in which they are drawn.
    var hostDraws: [[UInt8]] { draws(own) }
    var peerDraws: [[UInt8]] { draws(sent) }

    /// Whether a Pairing Request or Response of the host leads to the same kind of pairing as in the log.
    func isRepeated(by said: [UInt8]) -> Bool {
        // Without a response, the features are unknown.
        guard let features else { return true }
        let isRequest = said.first == SMPCode.pairingRequest.rawValue
        let new = PairingFeatures(
            request: isRequest ? said : request, response: isRequest ? response : said)
        guard let new else { return false }
        // Later PDUs show the keys that a host distributes, and those that it asks for as the central. Only
        // the keys that a Pairing Response asks for are checked here.
        return new.method == features.method && new.isSecure == features.isSecure
            && new.keySize == features.keySize && new.bonds == features.bonds
            && (isRequest || new.asksForSameKeys(as: features))
    }

    private func policy(_ said: [UInt8], _ pdus: [RecordedPDU]) -> SecurityPolicy {
        var policy = SecurityPolicy()
        if !said.isEmpty { policy.features = Array(said.dropFirst()) }
        policy.minimumKeySize = 7
        policy.acceptsDebugKey = true
        policy.acceptsLegacyPairing = true
        if let key = pdus.first(where: { $0.code == .identityInformation }) {
            policy.setIdentityKey(key.value)
        } else if !isSuccessful {
            // The key is never sent; but with it the host offers one, as the recorded device did.
            policy.setIdentityKey([UInt8](repeating: 0, count: 16))
        }
        return policy
    }

    /// Returns the nonces and, for legacy pairing, the keys, if the log has all of their inputs; see
    /// ``PairingRandomness``.
    private func draws(_ pdus: [RecordedPDU]) -> [[UInt8]] {
        let nonces = pdus.filter { $0.code == .pairingRandom && $0.value.count == 16 }.map(\.value)
        guard let key = pdus.first(where: { $0.code == .encryptionInformation })?.value,
            let name = pdus.first(where: { $0.code == .centralIdentification })?.octets.dropFirst(),
            key.count == 16, name.count == 10
        else { return nonces }
        let passkey = [UInt8](repeating: 0, count: 8)
        return nonces + [key + name.prefix(2).reversed() + name.suffix(8).reversed() + passkey]
    }
}

extension RecordedPDU {
    var code: SMPCode { SMPCode(rawValue: octets.first ?? 0) }

    /// Whether the PDU is the peer's first one of a pairing that is played.
    func begins(_ pairing: RecordedPairing?) -> Bool {
        side == .peer && frame == pairing?.frames.lowerBound
    }

    /// The PDU's single value, most significant byte first.
    fileprivate var value: [UInt8] { octets.dropFirst().reversed() }
}

/// The recorded host's knowledge of a device before it connects.
public struct RecordedPast: Sendable {
    /// The device, with the address used for the connection.
    public var peer: DeviceAddress
    /// The bond that encrypts the link; nil if the log shows none.
    public var bond: Bond?
    /// The security policy with which the host pairs; nil if it does not pair on this connection.
    public var policy: SecurityPolicy?
    /// The random values for pairing (``EntropyPurpose/pairing``).
    public var draws: [[UInt8]]
    /// The device's attributes, if the log uses them without discovery; otherwise empty, so that the replay
    /// discovers them as the log does.
    public var cache: AttributeCache

    init(_ connection: RecordedConnection) {
        peer = connection.peer
        bond = connection.bond
        policy = connection.pairing?.hostPolicy
        draws = connection.pairing?.hostDraws ?? []
        cache = connection.discovers ? AttributeCache() : connection.database.cache
    }
}

extension RecordedConnection {
    /// Whether the log shows the discovery of the attributes; for a peripheral host they are its own.
    fileprivate var discovers: Bool {
        !isCentral
            || pdus.contains { pdu in
                guard pdu.side == .host, pdu.channel == .attribute, pdu.opcode.isDiscovery else {
                    return false
                }
                return pdu.att(ATTReadByTypeRequest.self).map { Normalization.isDeclaration($0.type) } ?? true
            }
    }
}

extension PeerDatabase {
    /// The attributes in the form in which a host that discovered them earlier keeps them.
    fileprivate var cache: AttributeCache {
        var services: [GATTService] = []
        var others: [GATTService] = []
        var includes: [UInt16: [GATTInclude]] = [:]
        var characteristics: [UInt16: [GATTCharacteristic]] = [:]
        var descriptors: [UInt16: [GATTDescriptor]] = [:]
        for service in attributes {
            guard let uuid = service.declaredService, service.handle <= service.groupEnd else { continue }
            let range = service.handle...service.groupEnd
            let found = GATTService(uuid: uuid, handle: range.lowerBound, endHandle: range.upperBound)
            if service.type == .primaryService { services.append(found) } else { others.append(found) }
            var inner: [GATTCharacteristic] = []
            for one in attributes(in: range) {
                if let include = one.include { includes[service.handle, default: []].append(include) }
                if let next = one.discoveredCharacteristic(endHandle: range.upperBound) {
                    if !inner.isEmpty { inner[inner.count - 1].endHandle = one.handle - 1 }
                    inner.append(next)
                } else if one.declaration == nil, let last = inner.last, one.handle > last.valueHandle {
                    descriptors[last.valueHandle, default: []].append(
                        GATTDescriptor(uuid: one.type, handle: one.handle))
                }
            }
            characteristics[service.handle] = inner
        }
        return AttributeCache(
            services: services, others: others, includes: includes, characteristics: characteristics,
            descriptors: descriptors)
    }
}

extension PeerDatabase.Attribute {
    fileprivate var include: GATTInclude? {
        guard type == .includeDeclaration,
            let fields = try? declaration.map(GATTIncludeDeclaration.init(whole:)),
            let uuid = fields.uuid
        else { return nil }
        return GATTInclude(
            declarationHandle: handle,
            service: GATTService(uuid: uuid, handle: fields.handle, endHandle: fields.endGroupHandle))
    }

    fileprivate func discoveredCharacteristic(endHandle: UInt16) -> GATTCharacteristic? {
        guard type == .characteristicDeclaration,
            let fields = try? declaration.map(GATTCharacteristicDeclaration.init(whole:))
        else { return nil }
        return GATTCharacteristic(
            uuid: fields.uuid, properties: fields.properties, declarationHandle: handle,
            valueHandle: fields.valueHandle, endHandle: endHandle)
    }
}
