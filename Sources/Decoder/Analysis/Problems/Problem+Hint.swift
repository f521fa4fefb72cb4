import BluetoothCore
import PayloadFormat
public import WireBytes

// Usual meanings of failures, and remedies to try.

extension Problem {
    /// The usual meaning of it and a remedy to try, as half a sentence; nil for problems without a row.
    public var hint: StaticText? {
        if case .annotated(let problem) = kind, let hint = problem.hint { return hint }
        if let (layer, number) = row.cause?.number,
            let hint = Self.hints.first(where: { $0.layer == layer && $0.codes.contains(number) })
        {
            return hint.text
        }
        return Self.kinds.first { $0.code == code }?.text
    }

    private static let hints: [(layer: Code.Layer, codes: ClosedRange<UInt8>, text: StaticText)] = [
        (.hci, 0x04...0x04, "usually switched off or out of range: try again, closer"),
        (
            .hci, 0x05...0x05,
            "usually a wrong code, or different keys: remove the bond on both sides, pair again"
        ),
        (.hci, 0x06...0x06, "usually one side has forgotten the bond: remove it on both sides, pair again"),
        (.hci, 0x08...0x08, "usually out of range, switched off or crashed: try closer, or a longer timeout"),
        (.hci, 0x09...0x09, "the controller has as many connections as it can: end one first"),
        (.hci, 0x0C...0x0C, "usually the same was already running, or the controller was in another state"),
        (
            .hci, 0x13...0x13,
            "usually the other side's own decision: look at what it was sent last, or did not get"
        ),
        (.hci, 0x14...0x14, "the other side ran out of memory or connections: restart it"),
        (.hci, 0x15...0x15, "the other side was switched off"),
        (
            .hci, 0x22...0x22,
            "usually the other side's firmware hung: restart it, look at the procedure before"
        ),
        (.hci, 0x28...0x28, "usually the link was too weak to bring the change in time: try closer"),
        (.hci, 0x3B...0x3B, "usually one side does not accept the interval that the other wants"),
        (
            .hci, 0x3D...0x3D,
            "usually the two sides have different keys: remove the bond on both sides, pair again"
        ),
        (.hci, 0x3E...0x3E, "usually out of range, or busy just then: try again, closer"),
        (.att, 0x01...0x01, "usually handles remembered from older firmware: discover again without a cache"),
        (.att, 0x02...0x02, "the device does not let this value be read"),
        (.att, 0x03...0x03, "the device does not let this value be written"),
        (
            .att, 0x05...0x05,
            "usually the device wants to be paired: pair, or remove an old bond and pair again"
        ),
        (.att, 0x06...0x06, "the device does not support this request"),
        (.att, 0x07...0x07, "usually a long read or write that began behind the value's end"),
        (.att, 0x08...0x08, "the device wants a permission of its own: usually a step in its app first"),
        (.att, 0x0C...0x0C, "the device wants a longer encryption key than the one in use"),
        (
            .att, 0x0D...0x0D,
            "usually too long or too short for this value: compare it with a write that works"
        ),
        (
            .att, 0x0E...0x0E,
            "the device could not do it and gives no reason: look at what it was sent before"
        ),
        (
            .att, 0x0F...0x0F,
            "usually the device wants encryption: pair, or remove an old bond and pair again"
        ),
        (.att, 0x11...0x11, "the device has no room left: restart it, or ask for less at once"),
        (.att, 0x13...0x13, "the device does not allow this value: compare it with a write that works"),
        (.att, 0x80...0x9F, "a code of the device's own: only its maker says what it means"),
        (.att, 0xFC...0xFC, "the device refused the value: compare it with a write that works"),
        (.att, 0xFD...0xFD, "usually its notifications or indications have to be enabled first"),
        (.att, 0xFE...0xFE, "usually an earlier procedure was still running: wait for its end"),
        (.att, 0xFF...0xFF, "the value is outside of what the device allows"),
        (.smp, 0x01...0x01, "usually no passkey was typed, or somebody cancelled"),
        (.smp, 0x03...0x03, "the two sides want different security: usually one can't show or type a code"),
        (.smp, 0x04...0x04, "usually a wrong passkey: pair again with the one that the device shows"),
        (.smp, 0x05...0x05, "the other side does not pair: usually it has to be put into pairing mode first"),
        (.smp, 0x08...0x08, "usually somebody declined, or the other side gave up"),
        (.smp, 0x09...0x09, "too many tries: wait a while, then pair again"),
        (.smp, 0x0C...0x0C, "usually the numbers differed, or somebody declined"),
    ]

    /// Meanings of problems whose status, if they have one, has no row.
    private static let kinds: [(code: Code, text: StaticText)] = [
        (.attTimeout, "usually the other side hung, or waits for a person: look at the request"),
        (.notEnabled, "the host has to write to the value's configuration descriptor (2902) first"),
        (.askedAgain, "usually a fault in the device's table of attributes"),
        (.commandUnanswered, "usually the controller or its driver hung: restart the adapter"),
        (.hardwareError, "the controller's own fault: restart the adapter"),
        (.buffersHeld, "usually the other side no longer takes data: look at what it did last"),
        (.pairingUnanswered, "usually a person did not confirm in time, or the other side hung"),
        (.pairingUnfinished, "usually a person did not confirm in time, or the other side hung"),
        (.signalUnanswered, "usually the other side does not know this request, or hung"),
    ]
}

extension Problem.Status {
    /// The code with its layer; nil for codes that have no hints.
    fileprivate var number: (layer: Problem.Code.Layer, code: UInt8)? {
        switch self {
        case .hci(let status): (.hci, status.rawValue)
        case .att(let error): (.att, error.rawValue)
        case .smp(let reason): (.smp, reason)
        case .l2cap, .named: nil
        }
    }

    /// The text in a signature.
    var text: String {
        var out = TextBuffer(capacity: 16)
        switch self {
        case .hci(let status): out.hexNumber(UInt64(status.rawValue), digits: 2)
        case .att(let error): out.hexNumber(UInt64(error.rawValue), digits: 2)
        case .smp(let reason): out.hexNumber(UInt64(reason), digits: 2)
        case .l2cap(let result): out.hexNumber(UInt64(result), digits: 4)
        case .named(let name): return name
        }
        return out.text
    }
}
