import BluetoothCore
import PayloadFormat
import WireBytes

// Usual meanings of failures, and remedies to try.

extension Problem {
    /// The usual meaning of the problem and a remedy to try, as half a sentence; nil without a row. What was
    /// overcome needs no remedy.
    public var hint: StaticText? {
        guard let hint = meaningAndRemedy else { return nil }
        guard isOvercome, hint.count > 8, hint[0..<8] == "usually " else { return hint }
        let end = (0..<hint.count).first { hint.octets.octet(at: $0) == 0x3A }
        return end.map { hint[0..<$0] } ?? hint
    }

    private var meaningAndRemedy: StaticText? {
        if let hint = timedOut?.hint { return hint }
        if acknowledgement?.covers(related.first) == true {
            return "so its controller got the request: usually the firmware hung, or waits for a person"
        }
        if case .annotated(let problem) = kind, let hint = problem.hint { return hint }
        if case .att(.error(_, _, _, let breach?)) = kind { return breach.hint }
        if keysHadWorked, use?.server != .host {
            if asksForSecurity { return Self.moreSecurity }
            if case .hci(.abnormalDisconnection(.connectionTerminatedDueToMICFailure, _, _)) = kind {
                return "the keys had worked until then: usually a fault in one side's controller"
            }
        }
        if case .hci(.pairingDeclined) = kind {
            return "usually somebody declined or did not confirm in time: pair again, accept on both sides"
        }
        if case .smp(let problem) = kind, let hint = problem.hint { return hint }
        if case .hci(let problem) = kind, case .transport? = problem.attempt?.mistake {
            return "ask for it over LE: an Android app has to pass TRANSPORT_LE"
        }
        if code == .abnormalDisconnection, let hint = hintOfLink { return hint }
        // Hints about ATT errors are for a person who tests a device, not for a host that is the server.
        if let (layer, number) = row.cause?.number, layer != .att || use?.server != .host {
            for hint in Self.hints where hint.layer == layer && hint.codes ~= number {
                if [nil, code].contains(hint.only) { return hint.text }
            }
        }
        return Self.kinds.first { $0.code == code }?.text
    }

    private static let moreSecurity: StaticText =
        "the link is encrypted already: usually the device wants a pairing with a passkey or a comparison"

    /// The meaning of a link's loss by its parameters, or by the strength of the peer's last packet, if a
    /// sniffer measured it.
    private var hintOfLink: StaticText? {
        guard case .hci(.abnormalDisconnection(let reason, let conditions?, _)) = kind,
            [0x08, 0x22, 0x28, 0x3E].contains(reason.rawValue)
        else { return nil }
        if conditions.dropped != nil {
            return "it had restarted, or dropped the connection, while the other side still waited for it"
        }
        if reason == .connectionTimeout, conditions.hasShortTimeout {
            // Two seconds, in units of 10 ms.
            return conditions.inForce.timeout < 200
                ? "its supervision timeout ends it when a few packets are lost: ask for several seconds"
                : "a few lost packets end it: ask for less latency, or a longer supervision timeout"
        }
        guard let signal = conditions.signal else { return nil }
        if signal <= Self.weakSignal { return "the signal was weak: try closer" }
        guard signal >= Self.strongSignal, reason.rawValue == 0x08 else { return nil }
        return "usually switched off or crashed, since its signal was strong: look at what it was sent before"
    }

    /// Strengths in dBm: receivers lose packets from about -85 dBm on, and have more than -70 dBm in the same
    /// room.
    private static let weakSignal: Int8 = -85
    private static let strongSignal: Int8 = -70

    private typealias Hint = (layer: Code.Layer, codes: ClosedRange<UInt8>, text: StaticText, only: Code?)

    private static let hints: [Hint] = [
        row(.hci, 0x04, "usually switched off or out of range: try again"),
        row(.hci, 0x05, "usually a wrong code, or different keys: remove the bond on both sides, pair again"),
        row(.hci, 0x06, "usually one side has forgotten the bond: remove it on both sides, pair again"),
        row(.hci, 0x08, "it answered, then fell silent: try closer", only: .connectionFailed),
        row(.hci, 0x08, "usually out of range, switched off or crashed: look at what it was sent before"),
        row(.hci, 0x09, "the controller has as many connections as it can: end one first"),
        row(.hci, 0x0C, "usually the same was already running, or the controller was in another state"),
        row(.hci, 0x13, "usually the other side hung up on purpose: look at what it got, or did not get"),
        row(.hci, 0x14, "the other side ran out of memory or connections: restart it"),
        row(.hci, 0x15, "the other side was switched off"),
        row(.hci, 0x18, "the other side does not pair: usually it has to be put into pairing mode first"),
        row(.hci, 0x22, "a Link Layer procedure had no answer: usually firmware that hung, or a weak link"),
        row(.hci, 0x28, "usually the link was too weak for the change to arrive in time"),
        row(.hci, 0x3B, "usually one side does not accept the interval that the other wants"),
        row(.hci, 0x3D, "usually the sides have different keys: remove the bond on both sides, pair again"),
        row(.hci, 0x3E, "usually out of range, or busy just then: try again"),
        row(.att, 0x01, "usually handles remembered from older firmware: discover again without a cache"),
        row(.att, 0x02, "the device does not let this value be read"),
        row(.att, 0x03, "the device does not let this value be written"),
        row(.att, 0x05, "usually the device wants to be paired: pair, or remove an old bond and pair again"),
        row(.att, 0x06, "the device does not support this request"),
        row(.att, 0x07, "usually a long read or write that started past the end of the value"),
        row(.att, 0x08, "the device requires authorization: usually a step in its app first"),
        row(.att, 0x0C, "the device wants a longer encryption key than the one in use"),
        row(.att, 0x0D, "usually too long or too short for this value: compare it with a write that works"),
        row(.att, 0x0E, "the device could not do it and gives no reason: look at what it was sent before"),
        row(.att, 0x0F, "usually the device wants encryption: pair, or remove an old bond and pair again"),
        row(.att, 0x11, "the device has no room left: restart it, or ask for less at once"),
        row(.att, 0x13, "the device does not allow this value: compare it with a write that works"),
        (.att, 0x80...0x9F, "a code that this service defines: see its specification, or ask its maker", nil),
        row(.att, 0xFC, "the device refused the value: compare it with a write that works"),
        row(.att, 0xFD, "usually its notifications or indications have to be enabled first"),
        row(.att, 0xFE, "usually an earlier procedure was still running: wait for its end"),
        row(.att, 0xFF, "the value is outside the allowed range"),
        row(.smp, 0x01, "usually no passkey was typed, or somebody cancelled"),
        row(.smp, 0x03, "the two sides want different security: usually one can't show or type a code"),
        row(.smp, 0x04, "usually a wrong passkey: pair again with the one that the device shows"),
        row(.smp, 0x05, "the other side does not pair: usually it has to be put into pairing mode first"),
        row(.smp, 0x08, "usually somebody declined there, or that side gave up"),
        row(.smp, 0x09, "too many tries: wait a while, then pair again"),
        row(.smp, 0x0C, "usually the numbers differed, or somebody declined"),
    ]

    private static func row(
        _ layer: Code.Layer, _ code: UInt8, _ text: StaticText, only: Code? = nil
    ) -> Hint { (layer, code...code, text, only) }

    /// Meanings of problems whose status, if they have one, has no row.
    private static let kinds: [(code: Code, text: StaticText)] = [
        (.attTimeout, "usually the other side hung, or waits for a person: look at the request"),
        (.notEnabled, "the value's CCCD (2902) has to be written first"),
        (.askedAgain, "it has to stop where an answer leads nowhere: usually a fault in the attribute table"),
        (.commandUnanswered, "usually the controller or its driver hung: restart the adapter"),
        (.hardwareError, "the controller's own fault: restart the adapter"),
        (.buffersHeld, "usually it can't deliver them, since the other side takes no data any more"),
        (.pairingUnanswered, "usually a person did not confirm in time there, or that side hung"),
        (.pairingUnfinished, "usually a person did not confirm in time there, or that side hung"),
        (.signalUnanswered, "usually the other side does not know this request, or hung"),
    ]
}

extension Problem.Status {
    /// The code and its layer; nil for codes that never have hints.
    fileprivate var number: (layer: Problem.Code.Layer, code: UInt8)? {
        switch self {
        case .hci(let status): (.hci, status.rawValue)
        case .att(let error): (.att, error.rawValue)
        case .smp(let reason): (.smp, reason)
        case .l2cap, .named: nil
        }
    }
}
