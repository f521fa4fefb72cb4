import Crypto
import WireBytes

/// Follows the authentication and the session of one link, as far as the log and the keys allow.
struct SessionTracker: Sendable {
    private struct Session: Sendable {
        var cipher: SessionCipher?
        /// Why there is no cipher.
        var reason: Verification.Reason
        var start: Int64
        var lifetime: Int64?
        /// The end of its lifetime; the end of time where none is known.
        var expiry: Int64 {
            guard let lifetime else { return .max }
            let (end, isPast) = start.addingReportingOverflow(lifetime &* 1_000_000_000)
            return isPast ? .max : end
        }
    }

    /// The highest counter of each direction.
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
    /// When the session that stands ends: apart from it, since every frame asks; nil where none stands.
    private var expiry: Int64?
    private var isEnded = false
    /// The fields of the authentication that runs.
    private var begun: FormulaVariables?
    private var challenge: FormulaVariables?
    private var finishing: FormulaVariables?
    private var isNonceUsed = false
    private var acceptedCounter: UInt64?
    /// Counters of a session whose start is not in the log.
    private var unknownHighest = Counters()
    /// Counters of the session that stands.
    private var highest = Counters()

    init(_ shared: SharedDialect, _ keys: KeyStore, startSeen: Bool) {
        self.shared = shared
        self.keys = keys
        self.startSeen = startSeen
    }

    /// Where the session stands.
    func state(at time: Int64) -> UQDKSessionState {
        if let expiry { return time >= expiry ? .expired : .established }
        if isEnded { return .ended }
        if challenge != nil || begun != nil { return .authenticating }
        return startSeen ? .none : .unknown
    }

    private func isExpired(_ time: Int64) -> Bool { expiry.map { time >= $0 } ?? false }

    // MARK: Secured messages

    /// Opens a secured message, whose payload is the note's content; only a sound one moves the counters.
    ///
    /// The content becomes the body: in clear, or opaque where it can't be read.
    mutating func open(
        _ message: UQDKLink.Whole, _ note: inout MessageNote, _ annotation: inout UQDKAnnotation
    ) {
        note.content.isOpaque = true
        let payload = note.content.place
        guard let format = shared.dialect.securing,
            let places = SecuredPlaces(note.content.octets.borrowedOctets.clamped(payload), format)
        else {
            note.tag = .wrong
            annotation.problems.append(
                AnnotationProblem("uqdk.body", "a secured payload shorter than its counter and tag"))
            return
        }
        note.counter = places.counter
        if isExpired(message.time) {
            annotation.problems.append(
                AnnotationProblem("uqdk.session.expired", "the session's lifetime has ended"))
        }
        if expiry == nil, startSeen || isEnded {
            annotation.problems.append(
                AnnotationProblem("uqdk.session.none", "a secured message while no session stands"))
        }
        let body = places.body.lowerBound + payload.lowerBound..<places.body.upperBound + payload.lowerBound
        let verification = verify(message, body, format, &note)
        note.tag = verification
        if verification == .wrong {
            annotation.problems.append(
                AnnotationProblem("uqdk.tag.wrong", "the tag is not that of the message"))
            return
        }
        if message.isSound { count(places.counter, message.sender, format, &annotation) }
    }

    /// Whether the tag is right; with a cipher that is right, or that only authenticates, the content becomes
    /// the body in clear.
    private func verify(
        _ message: UQDKLink.Whole, _ body: Range<Int>, _ format: borrowing SecuringFormat,
        _ note: inout MessageNote
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
        guard let parts = SecuredPayload(Array(octets[payload]), format) else { return .wrong }
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
        _ counter: UInt64, _ sender: Sender, _ format: borrowing SecuringFormat,
        _ annotation: inout UQDKAnnotation
    ) {
        let before = expiry == nil ? unknownHighest[sender] : highest[sender]
        let isTooLow = before.map { counter <= $0 } ?? (counter < format.firstCounter)
        if isTooLow {
            let last = before.map { "after \($0)" } ?? "below the first, \(format.firstCounter)"
            annotation.problems.append(
                AnnotationProblem("uqdk.counter.replayed", "counter \(counter) \(last)"))
            return
        }
        if counter == format.lastCounter {
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.counter.used-up", "counter \(counter) is the largest: the session ends"))
            standing = nil
            isEnded = true
        } else if expiry == nil {
            unknownHighest[sender] = counter
        } else {
            highest[sender] = counter
        }
    }

    // MARK: Authentication

    /// Learns from a sound message whose body is known, and notes whether its proof is right.
    ///
    /// `answersClear` says that the message answers a request that was sent in clear: a car whose session
    /// stands asks such a request for authentication too, and the session stands on.
    mutating func learn(
        _ message: UQDKLink.Whole, _ command: CommandFacts, _ note: inout MessageNote, answersClear: Bool,
        _ annotation: inout UQDKAnnotation
    ) {
        let meaning = note.status.flatMap { shared.meaning(ofStatus: $0) }
        if meaning == .authenticationRequired, command.isSecured, !answersClear {
            if standing != nil || !startSeen { isEnded = true }
            standing = nil
        }
        if command.purpose == .ordinary { return }
        let isSuccess = note.status == nil || meaning == .success
        let body = Body(fields: note.body, octets: note.content.octets[note.content.place])
        switch (command.purpose, message.kind) {
        case (.activate, .request): note.proof = activate(body)
        case (.authBegin, .request):
            var variables = FormulaVariables()
            variables.add(body.fields, of: body.octets)
            begun = variables
        case (.authBegin, .response) where isSuccess:
            var variables = begun ?? FormulaVariables()
            variables.add(body.fields, of: body.octets)
            challenge = variables
            isNonceUsed = false
            note.proof = check(.vehicleProof, shared.dialect.proofs.vehicle, variables, body)
        case (.authFinish, .request): note.proof = finish(body, &annotation)
        case (.authFinish, .response) where isSuccess: establish(body, message.time)
        default: break
        }
        if let proof = note.proof, proof.verification == .wrong {
            annotation.problems.append(
                AnnotationProblem("uqdk.proof.wrong", "\(proof.field.rawValue) is not that of the key"))
        }
    }

    /// The body of a message of the authentication.
    private struct Body {
        let fields: [DecodedField]
        let octets: ArraySlice<UInt8>

        func has(_ field: String) -> Bool { fields.contains { $0.name == field } }
    }

    private func activate(_ body: Body) -> ProofNote? {
        var variables = FormulaVariables()
        variables.add(body.fields, of: body.octets)
        guard let key = variables[FormulaVariable.keyID].flatMap({ keys.key($0) }) else {
            return body.has("proof") ? ProofNote(field: .proof, verification: .notCheckable(.noKey)) : nil
        }
        guard let code = key.pairingCode else {
            return ProofNote(field: .proof, verification: .notCheckable(.noPairingCode))
        }
        variables[FormulaVariable.pairingCode] = code
        return check(.proof, shared.dialect.proofs.activation, variables, body)
    }

    private mutating func finish(_ body: Body, _ annotation: inout UQDKAnnotation) -> ProofNote? {
        var variables = challenge ?? FormulaVariables()
        variables.add(body.fields, of: body.octets)
        finishing = variables
        if challenge != nil {
            if isNonceUsed {
                annotation.problems.append(
                    AnnotationProblem("uqdk.nonce.reused", "the vehicle's nonce is good for one attempt"))
            }
            isNonceUsed = true
        }
        if let counter = body.fields.number("authCounter"), let acceptedCounter, counter <= acceptedCounter {
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.counter.auth-replayed", "auth counter \(counter) after \(acceptedCounter)"))
        }
        return check(.phoneProof, shared.dialect.proofs.phone, variables, body)
    }

    private mutating func establish(_ body: Body, _ time: Int64) {
        guard let variables = finishing else { return }
        if let octets = variables["authCounter"] {
            acceptedCounter = max(acceptedCounter ?? 0, octets.reduce(0) { $0 << 8 | UInt64($1) })
        }
        var session = Session(reason: .keyUnfit, start: time, lifetime: nil)
        session.lifetime = body.fields.number("lifetime").flatMap { Int64(exactly: $0) }.map {
            min($0, 1 << 32)
        }
        let keyID = variables[FormulaVariable.keyID]
        if let key = keyID.flatMap({ keys.key($0) }) {
            session.cipher = try? SessionCipher(shared, digitalKey: key.key, variables)
        } else {
            session.reason = keyID == nil ? .keyIDMissing : .noKey
        }
        standing = session
        highest = Counters()
        isEnded = false
        finishing = nil
        challenge = nil
        begun = nil
    }

    /// Whether a proof in a body is the one that the formula gives.
    private func check(
        _ field: ProofNote.Field, _ formula: Formula, _ variables: FormulaVariables, _ body: Body
    ) -> ProofNote? {
        guard formula.algorithm != .none, let found = variables[field.rawValue], body.has(field.rawValue)
        else { return nil }
        guard let keyID = variables[FormulaVariable.keyID] else {
            return ProofNote(field: field, verification: .notCheckable(.keyIDMissing))
        }
        guard let key = keys.key(keyID) else {
            return ProofNote(field: field, verification: .notCheckable(.noKey))
        }
        guard let right = try? formula.value(key: key.key, variables) else {
            return ProofNote(field: field, verification: .notCheckable(.keyUnfit))
        }
        return ProofNote(
            field: field, verification: ConstantTime.equal(right, found) ? .verified : .wrong)
    }
}
