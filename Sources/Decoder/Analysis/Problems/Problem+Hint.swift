import BluetoothCore
import PayloadFormat
public import WireBytes

// Usual meanings of the most frequent status codes, and remedies to try.

extension Problem {
    /// The usual meaning of the problem's status code and a remedy to try, as half a sentence; nil without a
    /// row.
    public var hint: StaticText? {
        guard let number = row.cause?.number else { return nil }
        return Self.hints.first { $0.layer == number.layer && $0.code == number.code }?.text
    }

    private static let hints: [(layer: Code.Layer, code: UInt8, text: StaticText)] = [
        (.hci, 0x05, "usually a wrong code, or different keys: remove the bond on both sides, pair again"),
        (.hci, 0x06, "usually one side has forgotten the bond: remove it on both sides, pair again"),
        (.hci, 0x08, "usually out of range, switched off or crashed: try closer, or a longer timeout"),
        (.hci, 0x13, "usually the other side's own decision: look at what it was sent last, or did not get"),
        (.hci, 0x22, "usually the other side's firmware hung: restart it, look at the procedure before"),
        (.hci, 0x3D, "usually the two sides have different keys: remove the bond on both sides, pair again"),
        (.hci, 0x3E, "usually out of range, or busy just then: try again, closer"),
        (.att, 0x05, "usually the device wants to be paired: pair, or remove an old bond and pair again"),
        (.att, 0x0F, "usually the device wants encryption: pair, or remove an old bond and pair again"),
        (.smp, 0x04, "usually a wrong passkey: pair again with the one that the device shows"),
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
