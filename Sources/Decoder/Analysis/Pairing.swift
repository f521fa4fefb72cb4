import BluetoothCore
import CaptureFile
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

    /// The result of a PDU.
    struct Outcome {
        /// The other side's PDU that this one answers.
        var request: RequestReference?
        var problem: Problem?
        /// Whether the PDU begins a pairing.
        var begins = false
        /// The peer's identity address, and the key that resolves its private addresses, most significant
        /// byte first.
        var identity: (address: DeviceAddress, irk: [UInt8]?)?
    }

    /// Longest wait for the next PDU of a pairing, in nanoseconds: 30 seconds. The Security Manager Timer
    /// restarts with every PDU of a pairing (Core Specification, Vol 3, Part H, 3.4).
    static let timeout: Int64 = 30_000_000_000

    /// Whether pairing timed out, or was unfinished when the link or the log ended.
    private(set) var wasUnfinished = false
    /// The last PDU of each side.
    private(set) var fromHost: Step?
    private(set) var fromPeer: Step?
    private var isRunning = false
    /// The PDU that came last, and whether the host sent it.
    private var last: Step?
    private var lastIsHosts = false
    /// The identity resolving key that the peer distributed, kept until its identity address follows.
    private var peerIRK: [UInt8]?

    /// Handles a PDU.
    ///
    /// - Parameter isFollowed: for a PDU that begins a pairing: whether the log shows all of the pairing, and
    ///   encryption is to follow.
    mutating func receive(
        _ pdu: RawSpan, isCut: Bool, from sender: Side?, at frame: FramePlace, _ time: CaptureTime,
        isFollowed: Bool
    ) -> Outcome {
        var outcome = Outcome()
        guard let code = pdu.octet(at: 0) else {
            if !isCut { outcome.problem = Problem(.smp(.malformed(at: 0))) }
            return outcome
        }
        let fault = SMPTable.fault(in: pdu)
        if !isCut, let fault { outcome.problem = Problem(.smp(.malformed(at: fault.offset))) }
        let step = Step(code: code, frame: frame, time: time)
        if let sender { outcome.request = join(step, sender) }
        if fault == nil { follow(pdu, step, sender, isFollowed: isFollowed, &outcome) }
        // Pairing has succeeded once keys are distributed, or the link is encrypted.
        if (0x06...0x0A).contains(code) { isRunning = false }
        if isRunning, code != 0x0B, let sender { (last, lastIsHosts) = (step, sender == .host) }
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
        return RequestReference(
            place: other.frame, latency: step.time.nanoseconds &- other.time.nanoseconds)
    }

    private mutating func follow(
        _ pdu: RawSpan, _ step: Step, _ sender: Side?, isFollowed: Bool, _ outcome: inout Outcome
    ) {
        switch SMPCode(rawValue: step.code) {
        case .pairingRequest:
            self = Pairing(fromHost: fromHost, fromPeer: fromPeer, isRunning: isFollowed)
            outcome.begins = true
        case .pairingFailed:
            isRunning = false
            let problem = SMPProblem.failed(SMPTable.reason(ofFailure: pdu) ?? 0)
            outcome.problem = Problem(.smp(problem), by: sender == .peer ? .peer : .host)
        case .identityInformation where sender == .peer:
            peerIRK = pdu.clamped(SMPTable.identityKey).copied().reversed()
        case .identityAddressInformation where sender == .peer:
            guard let address = SMPTable.identityAddress(in: pdu) else { return }
            outcome.identity = (address, peerIRK)
            peerIRK = nil
        default: break
        }
    }

    /// Whether the last pairing went far enough for encryption with its key.
    var isComplete: Bool {
        guard let fromHost, let fromPeer else { return false }
        let failed = SMPCode.pairingFailed.rawValue
        return fromHost.code != failed && fromPeer.code != failed
    }

    /// Stops waiting for PDUs: pairing has succeeded or failed, or PDUs were lost.
    mutating func stop() { isRunning = false }

    /// The time at which pairing times out, in nanoseconds; the largest number without a pairing under way.
    var deadline: Int64 { isRunning ? last?.time.after(Self.timeout) ?? .max : .max }

    /// Returns the problem of a pairing that timed out; only once.
    mutating func overdue(at now: CaptureTime) -> Problem? {
        now.nanoseconds > deadline ? end(at: now) { .unanswered($0) } : nil
    }

    /// Returns the problem of a pairing that was unfinished when the link ended.
    mutating func close(at now: CaptureTime) -> Problem? {
        overdue(at: now) ?? end(at: now) { .unfinished($0) }
    }

    private mutating func end(at now: CaptureTime, _ problem: (PairingWait) -> SMPProblem) -> Problem? {
        guard isRunning, let last else { return nil }
        (isRunning, wasUnfinished) = (false, true)
        let wait = PairingWait(name: name(of: last), place: last.frame, waited: now.since(last.time))
        return Problem(.smp(problem(wait)), by: lastIsHosts ? .peer : .host)
    }

    /// Returns the last PDU of a pairing that was unfinished when the log ended.
    mutating func open(at end: Int64) -> OpenRequest? {
        guard isRunning, let last else { return nil }
        wasUnfinished = true
        return OpenRequest(place: last.frame, name: name(of: last), waited: end &- last.time.nanoseconds)
    }

    private func name(of step: Step) -> String {
        let name = SMPCode(rawValue: step.code).name.map { "\($0)" } ?? "SMP code \(step.code)"
        return lastIsHosts ? name : "the peer's " + name
    }
}
