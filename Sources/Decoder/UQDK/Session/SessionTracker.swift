import Crypto
import PayloadFormat
import WireBytes

/// Follows the authentication and session of one link, as far as the log and the keys allow.
struct SessionTracker: Sendable {
    private struct Session: Sendable {
        var cipher: SessionCipher?
        var reason: Verification.Reason
        var start: Int64
        var lifetime: Int64?
        /// End of its lifetime; the maximum if no lifetime is known.
        var expiry: Int64 {
            guard let lifetime else { return .max }
            let (end, isPast) = start.addingReportingOverflow(lifetime &* 1_000_000_000)
            return isPast ? .max : end
        }
    }

    private struct Counters: Sendable {
        private var phone: UInt64?
        private var car: UInt64?

        subscript(sender: Sender) -> UInt64? {
            get { sender == .phone ? phone : car }
            set { if sender == .phone { phone = newValue } else { car = newValue } }
        }
    }

    /// Whether the link's start is in the log.
    let startSeen: Bool
    private let shared: SharedDialect
    private let keys: KeyStore
    private var standing: Session? { didSet { expiry = standing?.expiry } }
    /// End of the current session; nil without a session. Stored separately because every frame reads it.
    private var expiry: Int64?
    private var isEnded = false
    /// Whether a side has opened a message of the other one in the last session: both have the same key.
    private var sessionHasWorked = false
    private var begun: HandshakeBodies?
    /// Whether a request to finish it has followed.
    private var isBegunUsed = false
    private var challenge: HandshakeBodies?
    private var finishing: HandshakeBodies?
    private var isNonceUsed = false
    /// The highest auth counters that the car accepted, by key.
    var accepted = AcceptedCounters()
    /// Counters of a session whose start is not in the log.
    private var unknownHighest = Counters()
    private var highest = Counters()

    init(_ shared: SharedDialect, _ keys: KeyStore, startSeen: Bool) {
        self.shared = shared
        self.keys = keys
        self.startSeen = startSeen
    }

    func state(at time: Int64) -> UQDKSessionState {
        if let expiry { return time >= expiry ? .expired : .established }
        if isEnded { return .ended }
        if challenge != nil || begun != nil { return .authenticating }
        return startSeen ? .none : .unknown
    }

    private func isExpired(_ time: Int64) -> Bool { expiry.map { time >= $0 } ?? false }

    // MARK: Secured messages

    /// Opens a secured message, whose payload is the note's content; only a valid one advances the counters.
    ///
    /// The content becomes the body: in clear, or opaque if it can't be read.
    mutating func open(
        _ message: UQDKLink.Whole, _ note: inout MessageFacts, _ problems: inout [AnnotationProblem]
    ) {
        note.content.isOpaque = true
        let payload = note.content.place
        guard let format = shared.securing,
            let places = SecuredPlaces(note.content.octets.borrowedOctets.clamped(payload), format)
        else {
            note.tag = .wrong
            problems.append(
                AnnotationProblem(.body, "a secured payload shorter than its counter and tag"))
            return
        }
        note.counter = places.counter
        if isExpired(message.time) {
            problems.append(
                AnnotationProblem(.sessionExpired, "the session's lifetime has ended"))
        }
        if expiry == nil, startSeen || isEnded {
            problems.append(
                AnnotationProblem(.sessionNone, "a secured message without a session"))
        }
        let body = places.body.lowerBound + payload.lowerBound..<places.body.upperBound + payload.lowerBound
        let verification = verify(message, body, format, &note)
        note.tag = verification
        if verification == .wrong {
            problems.append(
                AnnotationProblem(ofSession(.tagWrong), "the tag does not match the message"))
            return
        }
        // A car that could not open a request answers in clear.
        if verification == .verified || message.kind == .response { sessionHasWorked = true }
        if message.isSound { count(places.counter, message.sender, format, &problems) }
    }

    /// Returns a problem of a session's key with the meaning that it has if the key had worked.
    func ofSession(_ kind: AnnotationProblem.Kind) -> AnnotationProblem.Kind {
        sessionHasWorked ? kind.meaning(AnnotationProblem.Kind.sessionWorked) : kind
    }

    /// Returns whether the tag is right.
    ///
    /// With the right cipher, or one that only authenticates, the content becomes the body in clear.
    private func verify(
        _ message: UQDKLink.Whole, _ body: Range<Int>, _ format: SecuringFacts,
        _ note: inout MessageFacts
    ) -> Verification {
        let payload = note.content.place
        note.content.place = body
        guard expiry != nil, let standing else {
            return .notCheckable(startSeen ? .noSession : .startMissing)
        }
        guard let cipher = standing.cipher else {
            note.content.isOpaque = format.algorithm == .aesCCM
            return .notCheckable(standing.reason)
        }
        let octets = note.content.octets
        guard let securing = shared.dialect.securing,
            let parts = SecuredPayload(Array(octets[payload]), securing)
        else { return .wrong }
        do throws(UQDKEncodeError) {
            let header = Array(octets.prefix(shared.headerWidth))
            guard let clear = try cipher.open(parts, from: message.sender, header: header, id: message.id)
            else { return .wrong }
            note.content.octets = clear
            note.content.place = 0..<clear.count
            note.content.isOpaque = false
            return .verified
        } catch {
            return .notCheckable(.valueMissing)
        }
    }

    private mutating func count(
        _ counter: UInt64, _ sender: Sender, _ format: SecuringFacts,
        _ problems: inout [AnnotationProblem]
    ) {
        let before = expiry == nil ? unknownHighest[sender] : highest[sender]
        let isTooLow = before.map { counter <= $0 } ?? (counter < format.firstCounter)
        if isTooLow {
            let last = before.map { "not above \($0)" } ?? "below the first, \(format.firstCounter)"
            problems.append(
                AnnotationProblem(.counterReplayed, "counter \(counter), \(last)"))
            return
        }
        if counter == format.lastCounter {
            problems.append(
                AnnotationProblem(
                    .counterUsedUp, "counter \(counter) is the largest: the session ends"))
            standing = nil
            isEnded = true
        } else if expiry == nil {
            unknownHighest[sender] = counter
        } else {
            highest[sender] = counter
        }
    }

    // MARK: Authentication

    /// Learns from a valid message whose body is known, and notes whether its proof is right.
    ///
    /// `answersClear`: the message answers a request that was sent in clear. Even during a session the car
    /// answers such a request by asking for authentication, and the session continues.
    mutating func learn(
        _ message: UQDKLink.Whole, command: Int, _ note: inout MessageFacts, answersClear: Bool,
        _ problems: inout [AnnotationProblem]
    ) {
        let purpose = shared.purpose(command: command)
        let meaning = note.status.flatMap { shared.meaning(ofStatus: $0) }
        if meaning == .authenticationRequired, shared.isSecured(command: command), !answersClear {
            if standing != nil || !startSeen { isEnded = true }
            standing = nil
        }
        if purpose == .ordinary { return }
        let isSuccess = note.status == nil || meaning == .success
        let before = problems.count
        switch (purpose, message.kind) {
        case (.activate, .request):
            var bodies = HandshakeBodies(shared)
            bodies.add(note, command: command)
            note.proof = activate(bodies)
        case (.authBegin, .request):
            var bodies = HandshakeBodies(shared)
            bodies.add(note, command: command)
            begun = bodies
            // If its response is missing, the nonces of the previous authentication must not be used for this
            // one.
            challenge = nil
            isNonceUsed = false
            isBegunUsed = false
        case (.authBegin, .response) where isSuccess:
            var bodies = begun ?? HandshakeBodies(shared)
            bodies.add(note, command: command)
            challenge = bodies
            isNonceUsed = false
            note.proof = check(.vehicleProof, shared.dialect.proofs.vehicle, bodies)
        case (.authFinish, .request):
            // If the response is missing, the begin request still names the key.
            var bodies = challenge ?? begun ?? HandshakeBodies(shared)
            bodies.add(note, command: command)
            note.proof = finish(bodies, &problems)
        case (.authFinish, .response) where isSuccess:
            var answer = HandshakeBodies(shared)
            answer.add(note, command: command)
            establish(answer, message.time)
        case (.authFinish, .response) where meaning == .badProof:
            guard let index = problems.firstIndex(where: { $0.kind == .status }) else { break }
            if finishing?.hasZeroProof == true {
                problems[index] = AnnotationProblem(
                    .proofZero, problems[index].message + ": the proof of its request is all zeros")
            } else if keyHasWorked(finishing) {
                problems[index].kind = problems[index].kind.meaning(AnnotationProblem.Kind.keyWorked)
            }
        default: break
        }
        if let proof = note.proof, proof.verification == .wrong {
            // The car checks the proof before the counter.
            problems.insert(
                AnnotationProblem(
                    kind(ofWrong: proof.field), "\(proof.field.rawValue) does not match the key"), at: before)
        }
    }

    /// Returns the kind of problem of a wrong proof, with what the log shows of its key.
    private func kind(ofWrong field: ProofNote.Field) -> AnnotationProblem.Kind {
        let kind = AnnotationProblem.Kind.proofWrong
        switch field {
        case .proof: return kind
        case .phoneProof where finishing?.hasZeroProof == true:
            return kind.meaning(AnnotationProblem.Kind.noProof)
        case .phoneProof, .vehicleProof:
            let bodies = field == .phoneProof ? finishing : challenge
            return keyHasWorked(bodies) ? kind.meaning(AnnotationProblem.Kind.keyWorked) : kind
        }
    }

    /// Whether the car has accepted a proof of the same key.
    private func keyHasWorked(_ bodies: HandshakeBodies?) -> Bool {
        bodies?[.keyID].map { accepted[$0] != nil } ?? false
    }

    private func activate(_ bodies: HandshakeBodies) -> ProofNote? {
        guard let key = bodies[.keyID].flatMap({ keys.key($0) }) else {
            let isThere = bodies.latest(.proof) != nil
            return isThere ? ProofNote(field: .proof, verification: .notCheckable(.noKey)) : nil
        }
        guard let code = key.pairingCode else {
            return ProofNote(field: .proof, verification: .notCheckable(.noPairingCode))
        }
        return check(.proof, shared.dialect.proofs.activation, bodies, pairingCode: code)
    }

    private mutating func finish(
        _ bodies: HandshakeBodies, _ problems: inout [AnnotationProblem]
    ) -> ProofNote? {
        finishing = bodies
        isBegunUsed = true
        if challenge != nil {
            if isNonceUsed {
                problems.append(
                    AnnotationProblem(.nonceReused, "the vehicle's nonce is good for one attempt"))
            }
            isNonceUsed = true
        }
        let keyID = bodies[.keyID] ?? []
        if let before = accepted[keyID], let counter = bodies.latestNumber(.authCounter),
            counter <= before.counter
        {
            var text = TextBuffer(capacity: 128)
            text.put("auth counter ")
            text.decimal(counter)
            text.put(", not above ")
            text.decimal(before.counter)
            if before.isEarlier { text.put(", which the car accepted on an earlier connection") }
            problems.append(AnnotationProblem(.authCounterReplayed, "\(text.text)"))
        }
        return check(.phoneProof, shared.dialect.proofs.phone, bodies)
    }

    private mutating func establish(_ answer: HandshakeBodies, _ time: Int64) {
        guard let bodies = finishing else { return }
        if let octets = bodies[.authCounter] {
            accepted.take(
                octets.reduce(0) { $0 << 8 | UInt64($1) }, ofKey: bodies[.keyID] ?? [])
        }
        var session = Session(reason: .keyUnfit, start: time, lifetime: nil)
        session.lifetime = answer.latestNumber(.lifetime).flatMap { Int64(exactly: $0) }.map {
            min($0, 1 << 32)
        }
        let keyID = bodies[.keyID]
        if let key = keyID.flatMap({ keys.key($0) }) {
            session.cipher = try? SessionCipher(shared, digitalKey: key.key, bodies.variables)
        } else {
            session.reason = keyID == nil ? .keyIDMissing : .noKey
        }
        if session.cipher == nil, keyID != nil {
            // A key alone would not be enough to open it.
            if bodies.lack(shared.challengeNeeds.session) { session.reason = .nonceMissing }
        }
        standing = session
        sessionHasWorked = false
        highest = Counters()
        isEnded = false
        finishing = nil
        // An authentication that began before this response arrived continues.
        if isBegunUsed { begun = nil }
        // The challenge is kept: answering it again would reuse its nonce.
    }

    /// Compares the proof in the latest body with the one that the formula yields.
    private func check(
        _ field: ProofNote.Field, _ formula: borrowing Formula, _ bodies: HandshakeBodies,
        pairingCode: [UInt8]? = nil
    ) -> ProofNote? {
        guard formula.algorithm != .none, let found = bodies.latest(field.layoutField) else { return nil }
        guard let keyID = bodies[.keyID] else {
            return ProofNote(field: field, verification: .notCheckable(.keyIDMissing))
        }
        guard let key = keys.key(keyID) else {
            let lacksNonce = field == .phoneProof && bodies.lack(shared.challengeNeeds.phone)
            return ProofNote(field: field, verification: .notCheckable(lacksNonce ? .nonceMissing : .noKey))
        }
        var variables = bodies.variables
        if let pairingCode { variables[FormulaVariable.pairingCode] = pairingCode }
        guard let right = try? formula.value(key: key.key, variables) else {
            let lacksNonce = field == .phoneProof && bodies.lack(shared.challengeNeeds.phone)
            return ProofNote(
                field: field, verification: .notCheckable(lacksNonce ? .nonceMissing : .keyUnfit))
        }
        return ProofNote(
            field: field, verification: ConstantTime.equal(right, Array(found)) ? .verified : .wrong)
    }
}

extension ProofNote.Field {
    fileprivate var layoutField: SessionField {
        switch self {
        case .proof: .proof
        case .vehicleProof: .vehicleProof
        case .phoneProof: .phoneProof
        }
    }
}
