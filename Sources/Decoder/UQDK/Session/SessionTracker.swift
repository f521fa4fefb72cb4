import Crypto
import WireBytes

/// Follows the authentication and the session of one link, as far as the log and the keys allow.
struct SessionTracker: Sendable {
    /// What opening a secured message gave.
    struct Opened {
        var counter: UInt64?
        var verification: Verification
        var body: [UInt8]?
        var opaque: [UInt8]
        var problems: [AnnotationProblem] = []
    }

    private struct Session: Sendable {
        var cipher: SessionCipher?
        /// Why there is no cipher.
        var reason: String
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
    private var proof: ProofNote?
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

    /// The proof of the message just learned.
    mutating func takeProof() -> ProofNote? {
        defer { proof = nil }
        return proof
    }

    private func isExpired(_ time: Int64) -> Bool { expiry.map { time >= $0 } ?? false }

    // MARK: Secured messages

    /// Opens a secured message; only a sound one moves the counters.
    mutating func open(
        _ message: Message, _ header: [UInt8], _ id: UInt64, _ sender: Sender, _ time: Int64,
        _ isSound: Bool
    ) -> Opened {
        guard let format = shared.dialect.securing, let parts = SecuredPayload(message.payload, format) else {
            return Opened(
                verification: .wrong, opaque: message.payload,
                problems: [
                    AnnotationProblem("uqdk.body", "a secured payload shorter than its counter and tag")
                ])
        }
        var opened = Opened(
            counter: parts.counter, verification: .notCheckable(""), body: nil, opaque: parts.body)
        if isExpired(time) {
            opened.problems.append(
                AnnotationProblem("uqdk.session.expired", "the session's lifetime has ended"))
        }
        if standing == nil, startSeen || isEnded {
            opened.problems.append(
                AnnotationProblem("uqdk.session.none", "a secured message while no session stands"))
        }
        verify(parts, message, header, id, sender, &opened)
        if opened.verification == .wrong {
            opened.problems.append(
                AnnotationProblem("uqdk.tag.wrong", "the tag is not that of the message"))
            return opened
        }
        if isSound { count(parts.counter, sender, format, &opened) }
        return opened
    }

    private func verify(
        _ parts: SecuredPayload, _ message: Message, _ header: [UInt8], _ id: UInt64, _ sender: Sender,
        _ opened: inout Opened
    ) {
        guard let standing else {
            opened.verification = .notCheckable(
                startSeen ? "no session stands" : "the session's start is not in the log")
            return
        }
        guard let cipher = standing.cipher else {
            opened.verification = .notCheckable(standing.reason)
            if shared.dialect.securing?.algorithm != .aesCCM { opened.body = parts.body }
            return
        }
        do throws(UQDKEncodeError) {
            opened.body = try cipher.open(parts, from: sender, header: header, id: id)
            opened.verification = opened.body == nil ? .wrong : .verified
        } catch {
            opened.verification = .notCheckable("the dialect's formulas need a value that is not known")
        }
    }

    private mutating func count(
        _ counter: UInt64, _ sender: Sender, _ format: SecuringFormat, _ opened: inout Opened
    ) {
        let before = expiry == nil ? unknownHighest[sender] : highest[sender]
        let isTooLow = before.map { counter <= $0 } ?? (counter < format.firstCounter)
        if isTooLow {
            let last = before.map { "after \($0)" } ?? "below the first, \(format.firstCounter)"
            opened.problems.append(
                AnnotationProblem("uqdk.counter.replayed", "counter \(counter) \(last)"))
            return
        }
        if counter == format.lastCounter {
            opened.problems.append(
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

    /// Learns from a sound message whose body is known.
    ///
    /// `answersClear` says that the message answers a request that was sent in clear: a car whose session
    /// stands asks such a request for authentication too, and the session stands on.
    mutating func learn(
        _ message: Message, _ command: DialectCommand, _ note: MessageNote, _ body: [UInt8], _ time: Int64,
        answersClear: Bool, _ annotation: inout UQDKAnnotation
    ) {
        let isSuccess = note.status.map { shared.dialect.status.meaning($0) == .success } ?? true
        if let status = note.status, shared.dialect.status.meaning(status) == .authenticationRequired,
            command.isSecured, !answersClear
        {
            if standing != nil || !startSeen { isEnded = true }
            standing = nil
        }
        let fields = message.kind == .response ? body.dropFirst(shared.dialect.status.width) : body[...]
        var problems: [AnnotationProblem] = []
        switch (command.purpose, message.kind) {
        case (.activate, .request): activate(note, fields, &problems)
        case (.authBegin, .request):
            var variables = FormulaVariables()
            variables.add(note.body, of: fields)
            begun = variables
        case (.authBegin, .response) where isSuccess:
            var variables = begun ?? FormulaVariables()
            variables.add(note.body, of: fields)
            challenge = variables
            isNonceUsed = false
            proof = check("vehicleProof", shared.dialect.proofs.vehicle, variables, note)
        case (.authFinish, .request): finish(note, fields, &problems)
        case (.authFinish, .response) where isSuccess: establish(note, time)
        default: break
        }
        if case .wrong? = proof?.verification {
            problems.append(
                AnnotationProblem("uqdk.proof.wrong", "\(proof?.field ?? "the proof") is not that of the key")
            )
        }
        if !problems.isEmpty { annotation.problems += problems }
    }

    private mutating func activate(
        _ note: MessageNote, _ fields: ArraySlice<UInt8>, _ problems: inout [AnnotationProblem]
    ) {
        var variables = FormulaVariables()
        variables.add(note.body, of: fields)
        guard let key = variables["keyId"].flatMap({ keys.key($0) }) else {
            proof =
                note.body.contains { $0.name == "proof" }
                ? ProofNote(field: "proof", verification: .notCheckable("no key for this key id")) : nil
            return
        }
        guard let code = key.pairingCode else {
            proof = ProofNote(
                field: "proof", verification: .notCheckable("no pairing code for this key id"))
            return
        }
        variables[FormulaVariable.pairingCode] = code
        proof = check("proof", shared.dialect.proofs.activation, variables, note)
    }

    private mutating func finish(
        _ note: MessageNote, _ fields: ArraySlice<UInt8>, _ problems: inout [AnnotationProblem]
    ) {
        var variables = challenge ?? FormulaVariables()
        variables.add(note.body, of: fields)
        finishing = variables
        proof = check("phoneProof", shared.dialect.proofs.phone, variables, note)
        if challenge != nil {
            if isNonceUsed {
                problems.append(
                    AnnotationProblem("uqdk.nonce.reused", "the vehicle's nonce is good for one attempt"))
            }
            isNonceUsed = true
        }
        if let counter = Self.number(note, "authCounter"), let acceptedCounter, counter <= acceptedCounter {
            problems.append(
                AnnotationProblem(
                    "uqdk.counter.auth-replayed", "auth counter \(counter) after \(acceptedCounter)"))
        }
    }

    private mutating func establish(_ note: MessageNote, _ time: Int64) {
        guard let variables = finishing else { return }
        if let octets = variables["authCounter"] {
            acceptedCounter = max(acceptedCounter ?? 0, octets.reduce(0) { $0 << 8 | UInt64($1) })
        }
        var session = Session(reason: "", start: time, lifetime: nil)
        session.lifetime = Self.number(note, "lifetime").flatMap { Int64(exactly: $0) }.map {
            min($0, 1 << 32)
        }
        if let key = variables["keyId"].flatMap({ keys.key($0) }) {
            session.cipher = try? SessionCipher(shared, digitalKey: key.key, variables)
            session.reason = "the key does not fit the dialect, or a nonce is not in the log"
        } else {
            session.reason =
                variables["keyId"] == nil ? "the key id is not in the log" : "no key for this key id"
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
        _ field: String, _ formula: Formula, _ variables: FormulaVariables, _ note: MessageNote
    ) -> ProofNote? {
        guard formula.algorithm != .none, let found = variables[field],
            note.body.contains(where: { $0.name == field })
        else { return nil }
        guard let keyID = variables["keyId"] else {
            return ProofNote(field: field, verification: .notCheckable("the key id is not in the log"))
        }
        guard let key = keys.key(keyID) else {
            return ProofNote(field: field, verification: .notCheckable("no key for this key id"))
        }
        guard let right = try? formula.value(key: key.key, variables) else {
            return ProofNote(
                field: field,
                verification: .notCheckable("the key does not fit the dialect, or a nonce is not in the log"))
        }
        return ProofNote(
            field: field, verification: ConstantTime.equal(right, found) ? .verified : .wrong)
    }

    private static func number(_ note: MessageNote, _ name: String) -> UInt64? {
        guard let field = note.body.first(where: { $0.name == name }) else { return nil }
        switch field.value {
        case .unsigned(let value), .hex(let value, _), .named(let value, _), .flags(let value, _):
            return value
        case .signed(let value): return UInt64(exactly: value)
        default: return nil
        }
    }
}
