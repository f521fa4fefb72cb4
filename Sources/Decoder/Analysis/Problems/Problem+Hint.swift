import BluetoothCore
import PayloadFormat
public import WireBytes

// Usual meanings of the most frequent codes, and remedies to try.

extension Problem {
    /// The usual meaning of its code and a remedy to try, as half a sentence; nil for codes without a row.
    public var hint: StaticText? {
        guard let code = errorCode else { return nil }
        return Self.hints.first { $0.layer == code.layer && $0.code == code.code }?.text
    }

    private enum Layer { case hci, att, smp }

    /// The code of the specification that it is about, with its layer.
    private var errorCode: (layer: Layer, code: UInt8)? {
        switch kind {
        case .hci(.connectionFailed(let status, _)), .hci(.abnormalDisconnection(let status, _)),
            .hci(.endedByPeer(let status, _)), .hci(.endedAfterWrite(let status, _)),
            .hci(.encryptionFailed(let status)),
            .hci(.procedureFailed(let status, _, _)), .att(.noResponse(_, let status?)):
            (.hci, status.rawValue)
        case .att(.error(let error, _)): (.att, error.rawValue)
        case .smp(.failed(let reason)): (.smp, reason)
        default: nil
        }
    }

    private static let hints: [(layer: Layer, code: UInt8, text: StaticText)] = [
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
