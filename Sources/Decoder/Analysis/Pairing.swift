public import BluetoothCore
import CaptureFile
import Crypto
import PayloadFormat
import WireBytes

/// The state of pairing on one link, as shown by the PDUs of the Security Manager.
struct Pairing: Sendable {
    /// A PDU that the other side may answer.
    struct Step: Sendable {
        let code: UInt8
        let frame: FramePlace
        let time: CaptureTime
    }

    struct Outcome {
        /// The other side's PDU that this one answers.
        var request: RequestReference?
        var problem: Problem?
        var begins = false
        /// The peer's identity address, and the key that resolves its private addresses, most significant
        /// byte first.
        var identity: (address: DeviceAddress, irk: [UInt8]?)?
    }

    /// Longest wait for the next PDU of a pairing, in nanoseconds: 30 seconds. The Security Manager Timer
    /// restarts with every PDU of a pairing (Core Specification, Vol 3, Part H, 3.4).
    static let timeout: Int64 = 30_000_000_000

    /// Whether pairing timed out, or was unfinished when the link or the log ended, or when encryption began.
    private(set) var wasUnfinished = false
    /// Time at which the exchange that fixes the pairing's key was last known complete (LTK or STK); nil
    /// before.
    private var keyTime: CaptureTime?
    fileprivate var hasKey: Bool { keyTime != nil }
    /// Limit of the time from ``keyTime`` to encryption, in nanoseconds: within it, lost packets can't have
    /// distributed another key, which would need encryption first.
    private static let longestKeyGap: Int64 = 1_000_000_000
    /// Whether public keys were exchanged, as only LE Secure Connections does.
    private var usesPublicKeys = false
    /// The side that sent a PDU which does not belong to the pairing under way.
    private var misplacedSender: Side?
    /// The side that last sent a PDU that nobody can accept: malformed, with an invalid value, or unknown.
    private var faultySender: Side?
    /// Encryption that began before there was a key, and the side that asked for it.
    private var begun: (frame: FramePlace, by: Side, isEarly: Bool)?
    /// The last PDU of each side.
    private(set) var fromHost: Step?
    private(set) var fromPeer: Step?
    private var isRunning = false
    /// Whether it counts as a problem if the pairing under way never ends: the log shows it from the start,
    /// and encryption is to follow.
    private var mustEnd = false
    /// The side that asked for the pairing under way; nil without one, or if no encryption is to follow it.
    private var initiator: Side?
    /// The side that asked for encryption with an EDIV and Rand that the pairing's key does not have.
    private var wrongIdentifierSender: Side?
    /// The features that both sides announced for the pairing under way.
    private var request: PairingFeatures.Side?
    private var response: PairingFeatures.Side?
    /// Whether the log lacks no PDU since the last one, as far as it shows.
    private var isWhole = false
    /// The PDU that came last, and whether the host sent it.
    private var last: Step?
    private var lastIsFromHost = false
    private var values = PairingValues()
    /// The identity resolving key that the peer distributed, kept until its identity address follows.
    private var peerIRK: [UInt8]?

    /// Handles a PDU.
    ///
    /// - Parameters:
    ///   - isShown: for a PDU that begins a pairing: whether the log shows the pairing from the start.
    ///   - encrypts: for such a PDU: whether encryption is to follow.
    mutating func receive(
        _ pdu: RawSpan, isCut: Bool, from sender: Side?, at frame: FramePlace, _ time: CaptureTime,
        isShown: Bool, encrypts: Bool
    ) -> Outcome {
        var outcome = Outcome()
        guard let code = pdu.octet(at: 0) else {
            if !isCut { outcome.problem = Problem(.smp(.malformed(at: 0))) }
            isWhole = false
            return outcome
        }
        let fault = SMPTable.fault(in: pdu)
        if !isCut, let fault { outcome.problem = Problem(.smp(.malformed(at: fault.offset))) }
        let exchangesFeatures = [.pairingRequest, .pairingResponse].contains(SMPCode(rawValue: code))
        if exchangesFeatures, fault == nil, let invalid = PairingFeatures.Side(pdu.copied())?.fault {
            outcome.problem = Problem(.smp(.invalidFeatures(invalid)), by: sender.map(Problem.Party.init))
        }
        let step = Step(code: code, frame: frame, time: time)
        // The order matters: the first two need the PDUs before this one, `follow` starts a new state at a
        // Pairing Request, and the rest belongs to that state.
        if outcome.problem == nil, fault == nil { outcome.problem = problemOfOrder(of: code, sender) }
        if let sender { outcome.request = join(step, sender) }
        isWhole = true
        if fault == nil {
            follow(pdu, step, sender, mustEnd: isShown && encrypts, encrypts: encrypts, &outcome)
        }
        let isKnown = (SMPCode.pairingRequest.rawValue...SMPCode.pairingKeypressNotification.rawValue) ~= code
        let isInvalid = fault != nil || !isKnown || outcome.problem?.code == .malformedSMP
        if !isCut, isInvalid, let sender { faultySender = sender }
        noteKey(code, sender, time)
        if fault == nil, let sender { values.note(pdu, step, sender) }
        if outcome.problem == nil { outcome.problem = problemOfEarlyEncryption(provedBy: code) }
        // A PDU that makes the key shows that the pairing went on while packets were lost.
        if initiator != nil, !hasKey, !wasUnfinished, Self.makesKey(code) { isRunning = mustEnd }
        // Pairing has succeeded once keys are distributed, or the link is encrypted.
        if (0x06...0x0A).contains(code) { isRunning = false }
        if isRunning, code != 0x0B, let sender { (last, lastIsFromHost) = (step, sender == .host) }
        return outcome
    }

    /// Matches a PDU with the other side's last one, if it answers that PDU: a response, a failure, or the
    /// responder's half of an exchange.
    private mutating func join(_ step: Step, _ sender: Side) -> RequestReference? {
        // A new pairing starts over.
        if step.code == 0x0B { (fromHost, fromPeer) = (nil, nil) }
        defer { if sender == .host { fromHost = step } else { fromPeer = step } }
        guard let other = sender == .host ? fromPeer : fromHost else { return nil }
        let answers =
            switch step.code {
            case 0x01: other.code == 0x0B
            case 0x02: other.code == 0x01
            case 0x03, 0x04, 0x0C, 0x0D: other.code == step.code
            case 0x05: other.code != 0x05
            default: false
            }
        guard answers else { return nil }
        return RequestReference(place: other.frame, latency: step.time.nanoseconds &- other.time.nanoseconds)
    }

    private mutating func follow(
        _ pdu: RawSpan, _ step: Step, _ sender: Side?, mustEnd: Bool, encrypts: Bool,
        _ outcome: inout Outcome
    ) {
        switch SMPCode(rawValue: step.code) {
        case .pairingRequest:
            self = Pairing(fromHost: fromHost, fromPeer: fromPeer, isRunning: mustEnd, mustEnd: mustEnd)
            initiator = encrypts ? sender : nil
            request = PairingFeatures.Side(pdu.copied())
            outcome.begins = true
        case .pairingFailed:
            isRunning = false
            initiator = nil
            let reason = SMPTable.reason(ofFailure: pdu) ?? 0
            let by: Side = sender == .peer ? .peer : .host
            let found = values.finding(reason, by: by, usesPasskey: usesPasskey)
            values = PairingValues()
            let finding = found.map { found in
                PairingFinding(
                    kind: found.kind, pdu: PairingPDU(found.step, isFromPeer: found.sender == .peer))
            }
            let problem = SMPProblem.failed(reason, usesPasskey: usesPasskey, finding)
            let faulty = faultySender == by ? nil : faultySender
            faultySender = nil
            outcome.problem = Problem(
                .smp(problem), by: Problem.Party(found?.blamed ?? misplacedSender ?? faulty ?? by))
        case .pairingResponse: response = PairingFeatures.Side(pdu.copied())
        case .identityInformation where sender == .peer:
            peerIRK = pdu.clamped(SMPTable.identityKey).copied().reversed()
        case .identityAddressInformation where sender == .peer:
            guard let address = SMPTable.identityAddress(in: pdu) else { return }
            outcome.identity = (address, peerIRK)
            peerIRK = nil
        default: break
        }
    }

    /// The features of the last pairing; nil if the log lacks those of a side.
    fileprivate var features: PairingFeatures? {
        guard let request, let response else { return nil }
        return PairingFeatures(request: request, response: response)
    }

    /// Whether the pairing's values depend on a passkey; nil if the log does not show it.
    private var usesPasskey: Bool? {
        guard let features else { return nil }
        return switch features.method {
        case .passkey: true
        case .justWorks, .numericComparison, .outOfBand: false
        }
    }

    /// Whether the last pairing may have succeeded: both sides sent PDUs, and neither of them a failure.
    var mayHaveSucceeded: Bool { fromHost != nil && fromPeer != nil && !hasFailed }

    /// Whether a side ended the last pairing.
    fileprivate var hasFailed: Bool {
        [fromHost, fromPeer].contains { $0?.code == SMPCode.pairingFailed.rawValue }
    }

    /// Whether a PDU with this code answers a Pairing Request or contributes to the key.
    private static func makesKey(_ code: UInt8) -> Bool {
        [0x02, 0x03, 0x04, 0x0C, 0x0D, 0x0E].contains(code)
    }

    /// Records the progress towards the pairing's key. The code alone shows it, even if the recorder cut the
    /// rest of the PDU.
    private mutating func noteKey(_ code: UInt8, _ sender: Side?, _ time: CaptureTime) {
        switch SMPCode(rawValue: code) {
        case .pairingPublicKey: usesPublicKeys = true
        // The responder's half comes last (Core Specification, Vol 3, Part H, 2.3.5.5 and 2.3.5.6.5).
        case .pairingRandom where sender != initiator && !usesPublicKeys: keyTime = time
        case .pairingDHKeyCheck where sender != initiator: keyTime = time
        default: break
        }
    }

    /// The last PDU of a pairing without a result.
    var stopped: FramePlace? { wasUnfinished ? newest?.step.frame : nil }

    /// The last PDU of both sides.
    private var newest: (step: Step, isFromHost: Bool)? {
        guard let fromHost else { return fromPeer.map { ($0, false) } }
        guard let fromPeer, fromHost.time < fromPeer.time else { return (fromHost, true) }
        return (fromPeer, false)
    }

    /// Notes that a side asks for encryption with the key of this EDIV and Rand; returns its problem if the
    /// pairing under way has no key yet (Core Specification, Vol 3, Part H, 2.1 and 2.4.4.1), or if its key
    /// has another EDIV and Rand. Returns nil if the log has PDUs of one side only: the others may be
    /// missing.
    mutating func beginEncryption(
        by side: Side, with key: LTKIdentifier?, at frame: FramePlace, _ now: CaptureTime
    ) -> Problem? {
        wrongIdentifierSender = nil
        guard initiator != nil, fromHost != nil, fromPeer != nil else { return nil }
        if let keyTime {
            let isOnlyKey = isWhole || now.since(keyTime) <= Self.longestKeyGap
            guard isOnlyKey, let key, !key.isZero else { return nil }
            wrongIdentifierSender = side
            return Problem(.smp(.wrongKeyIdentifier(key)), by: Problem.Party(side))
        }
        guard begun == nil else { return nil }
        // If PDUs may be missing, only one that follows shows that the pairing had no key.
        begun = (frame, side, isEarly: isWhole)
        guard isWhole, let (last, isFromHost) = newest else { return nil }
        wasUnfinished = true
        let wait = PairingWait(pdu: PairingPDU(last, isFromPeer: !isFromHost), waited: now.since(last.time))
        return Problem(.smp(.encryptedEarly(wait, .asked)), by: Problem.Party(side))
    }

    /// Returns the problem of a PDU that does not belong to the pairing under way: legacy pairing has no
    /// public keys, and LE Secure Connections begins with them (Core Specification, Vol 3, Part H, 2.3.5.5
    /// and 2.3.5.6). Only the first such PDU of a pairing is one.
    private mutating func problemOfOrder(of code: UInt8, _ sender: Side?) -> Problem? {
        guard initiator != nil, isWhole, !hasKey, misplacedSender == nil, let features, let sender else {
            return nil
        }
        let isMisplaced =
            features.isSecure
            ? newest?.step.code == 0x02 && [0x03, 0x04, 0x0D].contains(code)
            : code == 0x0C || code == 0x0D
        guard isMisplaced, let name = SMPCode(rawValue: code).name else { return nil }
        misplacedSender = sender
        return Problem(.smp(.misplaced(name, isSecure: features.isSecure)), by: Problem.Party(sender))
    }

    /// Returns the problem of encryption that was asked for too early, if only this PDU proves it: it still
    /// contributes to the key.
    private mutating func problemOfEarlyEncryption(provedBy code: UInt8) -> Problem? {
        guard let asked = begun, !asked.isEarly, [0x03, 0x04, 0x0C, 0x0D].contains(code) else { return nil }
        begun?.isEarly = true
        wasUnfinished = true
        let name = SMPCode(rawValue: code).name.map { "\($0)" } ?? ""
        let wait = PairingWait(pdu: PairingPDU(name: name, isFromPeer: false, place: asked.frame), waited: 0)
        return Problem(.smp(.encryptedEarly(wait, .shownLater)), by: Problem.Party(asked.by))
    }

    /// Notes that a side accepts encryption; returns its problem if the other one asked for it without a key.
    mutating func acceptEncryption(by side: Side) -> Problem? {
        guard let asked = begun, asked.isEarly, asked.by != side else { return nil }
        begun = nil
        initiator = nil
        let wait = PairingWait(pdu: PairingPDU(name: "", isFromPeer: false, place: asked.frame), waited: 0)
        return Problem(.smp(.encryptedEarly(wait, .accepted)), by: Problem.Party(side))
    }

    /// Stops the pairing, and returns the problem of an encryption that failed.
    mutating func refuse(_ encryption: HCIStatus, at now: CaptureTime) -> Problem {
        let whole = isWhole
        stop()
        guard encryption.rawValue == 0x06, let wrongIdentifierSender else {
            return Problem(.hci(.encryptionFailed(encryption)))
        }
        // The refusal brings no other key, so a retry is with the same one.
        isWhole = whole
        keyTime = now
        return Problem(.smp(.wrongKeyIdentifierRefused(encryption)), by: Problem.Party(wrongIdentifierSender))
    }

    /// Notes that the link is encrypted: with the key of the pairing, if that has one.
    mutating func encrypted() {
        if hasKey { wasUnfinished = false }
        (isRunning, initiator, begun) = (false, nil, nil)
    }

    /// Stops waiting for PDUs: pairing has succeeded or failed, or PDUs were lost.
    mutating func stop() { (isRunning, isWhole, values) = (false, false, PairingValues()) }

    /// The time at which pairing times out, in nanoseconds; the largest number without a pairing under way.
    var deadline: Int64 { isRunning ? last?.time.after(Self.timeout) ?? .max : .max }

    /// Returns the problem of a pairing that timed out; only once.
    mutating func overdue(at now: CaptureTime) -> Problem? {
        now.nanoseconds > deadline ? end(at: now) { .unanswered($0) } : nil
    }

    /// Returns the problem of a pairing that was unfinished when the link ended: of the side that ended the
    /// link without waiting, if one did, else of the side that was to send the next PDU.
    mutating func close(at now: CaptureTime, by ender: Problem.Party?) -> Problem? {
        overdue(at: now) ?? end(at: now, by: ender == .link ? nil : ender) { .unfinished($0) }
    }

    private mutating func end(
        at now: CaptureTime, by ender: Problem.Party? = nil, _ problem: (PairingWait) -> SMPProblem
    ) -> Problem? {
        guard isRunning, let last else { return nil }
        (isRunning, wasUnfinished) = (false, true)
        let pdu = PairingPDU(last, isFromPeer: !lastIsFromHost)
        let wait = PairingWait(pdu: pdu, waited: now.since(last.time), ender: ender)
        // A side that waited long gave up.
        let isHasty = wait.waited < OpenRequest.shortestWait
        return Problem(.smp(problem(wait)), by: (isHasty ? ender : nil) ?? (lastIsFromHost ? .peer : .host))
    }

    /// Returns the last PDU of a pairing that was unfinished when the log ended.
    mutating func open(at end: Int64, isOnAir: Bool) -> OpenRequest? {
        guard isRunning, let last else { return nil }
        wasUnfinished = true
        let pdu = PairingPDU(last, isFromPeer: !lastIsFromHost)
        return OpenRequest(
            place: pdu.place, name: pdu.named.text(from: pdu.place.file, isOnAir: isOnAir),
            waited: end &- last.time.nanoseconds)
    }
}

extension Link {
    /// Whether a side ended the last pairing.
    public var pairingHasFailed: Bool { pairing.hasFailed }
    /// The features of the last pairing; nil without one, or if the log lacks those of a side.
    public var pairingFeatures: PairingFeatures? { pairing.features }
    /// Whether the last pairing has made a key, as far as its PDUs were heard.
    public var pairingHasKey: Bool { pairing.hasKey }
}

extension PairingPDU {
    fileprivate init(_ step: Pairing.Step, isFromPeer: Bool) {
        self.init(
            name: SMPCode(rawValue: step.code).name.map { "\($0)" } ?? "SMP code \(step.code)",
            isFromPeer: isFromPeer, place: step.frame)
    }
}

/// The public values of a pairing with LE Secure Connections, from which a failure may be explained.
private struct PairingValues: Sendable {
    struct Value: Sendable {
        var step: Pairing.Step
        var sender: Side
        /// The PDU without its code, the least significant byte of each number first.
        var octets: [UInt8]

        /// Returns a number of it, most significant byte first.
        func number(_ range: Range<Int>) -> [UInt8] { octets[range].reversed() }

        /// Whether it is a point on the curve, or would be one in reverse byte order.
        func isPoint(isReversed: Bool = false) -> Bool {
            let (x, y) = (number(0..<P256.length), number(P256.length..<2 * P256.length))
            guard isReversed else { return (try? P256.isPoint(x: x, y: y)) == true }
            return (try? P256.isPoint(x: x.reversed(), y: y.reversed())) == true
        }
    }

    /// The public keys, the initiator's first.
    private var keys: [Value] = []
    /// The last confirm value, and the random number of its sender that follows it.
    private var confirm: Value?
    private var random: Value?

    mutating func note(_ pdu: RawSpan, _ step: Pairing.Step, _ sender: Side) {
        let value = Value(step: step, sender: sender, octets: pdu.dropping(1).copied())
        switch SMPCode(rawValue: step.code) {
        case .pairingPublicKey:
            keys = keys.count == 1 && keys[0].sender != sender ? keys + [value] : [value]
            (confirm, random) = (nil, nil)
        case .pairingConfirm: (confirm, random) = (value, nil)
        case .pairingRandom where sender == confirm?.sender: random = value
        default: break
        }
    }

    /// Returns what the values show about a failure that a side reported; nil if nothing can be computed.
    func finding(
        _ reason: UInt8, by reporter: Side, usesPasskey: Bool?
    ) -> (kind: PairingFinding.Kind, step: Pairing.Step, sender: Side, blamed: Side)? {
        // If no key is a point in either order, the log itself holds other numbers than were sent.
        let isAnyValid = keys.contains { $0.isPoint() }
        for key in keys where !key.isPoint() && (isAnyValid || key.isPoint(isReversed: true)) {
            let isReversed = key.isPoint(isReversed: true)
            return (.invalidKey(isReversed: isReversed), key.step, key.sender, key.sender)
        }
        // Without a passkey only the responder commits to a random number (Vol 3, Part H, 2.3.5.6.2).
        guard usesPasskey == false, keys.count == 2, let confirm, confirm.sender == keys[1].sender,
            let random,
            let computed = try? PairingFunctions.f4(
                u: keys[1].number(0..<P256.length), v: keys[0].number(0..<P256.length),
                random: random.number(0..<16), z: 0)
        else { return nil }
        if computed != confirm.number(0..<16) {
            return (.wrongConfirm, confirm.step, confirm.sender, confirm.sender)
        }
        guard reason == 0x04, reporter != confirm.sender else { return nil }
        return (.refusedConfirm, confirm.step, confirm.sender, reporter)
    }
}

/// EDIV and Rand, by which a peripheral finds a legacy LTK (Core Specification, Vol 3, Part H, 2.4.2.3).
public struct LTKIdentifier: Hashable, Sendable {
    public var random: UInt64
    public var diversifier: UInt16

    /// Reads Rand and EDIV at this offset, in bytes; nil if the packet is cut there.
    init?(_ octets: RawSpan, at offset: Int) {
        var reader = ByteReader(octets.dropping(offset))
        guard let random = try? reader.u64le(), let diversifier = try? reader.u16le() else { return nil }
        (self.random, self.diversifier) = (random, diversifier)
    }

    /// Whether Rand and EDIV are zero, as for a key of LE Secure Connections.
    var isZero: Bool { random == 0 && diversifier == 0 }
}
