import BluetoothCore
import PayloadFormat
import WireBytes

/// A problem of pairing.
public enum SMPProblem: LayerProblem {
    /// The fields end too early or contradict each other at this offset in the PDU, in bytes.
    case malformed(at: Int)
    /// A Pairing Request or Response has an invalid value; the text names it.
    case invalidFeatures(String)
    /// One side ended pairing, with this reason code. `usesPasskey` is nil if the log does not show it, the
    /// finding is nil if nothing can be computed from the pairing's values.
    case failed(UInt8, usesPasskey: Bool?, PairingFinding?)
    /// The pairing timed out.
    case unanswered(PairingWait)
    /// The connection ended before pairing was finished.
    case unfinished(PairingWait)
    /// Encryption began before the pairing under way had made a key.
    case encryptedEarly(PairingWait, EarlyEncryption)
    /// A PDU of this name does not belong to the pairing under way, which is one of LE Secure Connections or
    /// a legacy pairing.
    case misplaced(StaticText, isSecure: Bool)
    /// Encryption was asked for with the EDIV and Rand of an earlier key, after a pairing that has made a
    /// key.
    case wrongKeyIdentifier(LTKIdentifier)
    /// Encryption was refused after a side had asked for it with the EDIV and Rand of an earlier key.
    case wrongKeyIdentifierRefused(HCIStatus)

    /// The steps of an encryption that began too early.
    public enum EarlyEncryption: Sendable {
        /// Asked for after the pairing's last PDU.
        case asked
        /// Asked for at a frame before a PDU that makes the key.
        case shownLater
        /// Accepted, after it was asked for at a frame.
        case accepted
    }

    func row(by side: Problem.Party?) -> Problem.Row {
        switch self {
        case .malformed(let offset):
            Problem.Row(.malformedSMP, .named("pairing")) { "malformed SMP PDU at +\(offset)" }
        case .invalidFeatures(let fault):
            Problem.Row(.malformedSMP, .named("pairing")) {
                "invalid value: \(fault)"
            }
        case .failed(let reason, _, let finding):
            Problem.Row(.pairingFailed, .named("pairing"), status: .smp(reason), setback: .pairing) {
                "pairing failed: "
                    + "\(ProblemText.named(ValueSet.smpFailureReason.name(UInt64(reason)), reason))"
                    + (finding?.text ?? "")
            }
        case .unanswered(let last):
            Problem.Row(
                .pairingUnanswered, .named("pairing"), traits: .overdue, frame: last.pdu.place,
                setback: .pairing
            ) {
                "pairing stopped: \(last.pdu.text) had no answer \(ProblemText.timeAllowed)"
            }
        case .unfinished(let last):
            Problem.Row(
                .pairingUnfinished, .named("pairing"), traits: .endsWithLink, frame: last.pdu.place,
                setback: .pairing
            ) {
                let (pdu, waited) = (last.pdu.text, TextDuration.text(last.waited))
                guard let ender = last.ender else {
                    return "pairing was not finished: \(pdu) was its last PDU, \(waited) before the "
                        + "connection ended"
                }
                return "pairing was not finished: \(ender == .host ? Side.host : .peer) ended the "
                    + "connection \(waited) after \(pdu)"
            }
        case .encryptedEarly(let last, let step):
            Problem.Row(
                .encryptedEarly, .named("encryption"), traits: .insecurity, frame: last.pdu.place,
                sentence: { Self.text(of: step, last) })
        case .misplaced(let name, let isSecure):
            Problem.Row(.misplacedPairingPDU, .named("pairing")) {
                isSecure
                    ? "\(name) without public keys, with which LE Secure Connections begins"
                    : "\(name) in a legacy pairing, which has none"
            }
        case .wrongKeyIdentifier(let name):
            Problem.Row(.wrongKeyIdentifier, .named("encryption")) {
                "encryption asked for with Rand \(ProblemText.hex(name.random)) and EDIV "
                    + "\(ProblemText.hex(name.diversifier)): both must be zero for the key that this pairing "
                    + "made"
            }
        case .wrongKeyIdentifierRefused(let status):
            Problem.Row(
                .encryptionFailed, .named("encryption"), traits: .mayFollowInsecurity, status: .hci(status),
                setback: .encryption
            ) { "encryption failed: \(HCIProblem.text(status))" }
        }
    }

    /// A hint that the reason code alone does not give.
    var hint: StaticText? {
        switch self {
        case .failed(_, _, .some): "a fault in that side's cryptography, often the order of bytes"
        case .failed(0x04, usesPasskey: false, _):
            "no passkey is in use: usually one side computes the values wrongly"
        case .unfinished(let last) where last.ender != nil && last.waited < OpenRequest.shortestWait:
            "this side did not wait for it: look at what made its program end the connection"
        case .wrongKeyIdentifierRefused:
            "it was asked for with a Rand or EDIV, and the pairing's key has none"
        default: nil
        }
    }

    private static func text(of step: EarlyEncryption, _ last: PairingWait) -> Sentence {
        switch step {
        case .asked:
            "encryption asked for in the middle of pairing: its last PDU was \(last.pdu.text), "
                + "after which there is no key yet"
        case .shownLater:
            "\(last.pdu.named) after encryption was asked for at frame "
                + "\(last.pdu.place): pairing had no key then"
        case .accepted:
            "encryption accepted in the middle of pairing, although there is no key (asked for at frame "
                + "\(last.pdu.place))"
        }
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.failed(let reason, _, _), .failed(let before, _, _)): reason == before
        case (.wrongKeyIdentifierRefused(let status), .wrongKeyIdentifierRefused(let before)):
            status == before
        default: true
        }
    }
}

extension Problem.Code {
    public static let malformedSMP = Self(.smp, "malformed-smp", .warning, .malformed)
    public static let pairingFailed = Self(.smp, "pairing-failed", .error, [.decisive, .insecurity])
    public static let pairingUnanswered = Self(.smp, "pairing-unanswered", .unanswered, .decisive)
    public static let pairingUnfinished = Self(.smp, "pairing-unfinished", .error, .decisive)
    public static let encryptedEarly = Self(.smp, "encryption-before-key", .error)
    public static let misplacedPairingPDU = Self(.smp, "pairing-pdu-misplaced", .error, .decisive)
    public static let wrongKeyIdentifier = Self(.smp, "encryption-names-key")
}

/// A fact about a failed pairing that its public values prove.
public struct PairingFinding: Sendable {
    public enum Kind: Sendable {
        /// A public key is not a point on the curve. Whether it is one in reverse byte order.
        case invalidKey(isReversed: Bool)
        /// A confirm value does not follow from the public keys and the random number sent after it.
        case wrongConfirm
        /// A confirm value that the other side refused follows from them.
        case refusedConfirm
    }

    public var kind: Kind
    var pdu: PairingPDU

    fileprivate var text: Sentence {
        let value = pdu.text
        return switch kind {
        case .invalidKey(let isReversed):
            ": \(value) is not a point on the curve P-256"
                + (isReversed ? ", but would be one in reverse byte order" : "")
        case .wrongConfirm: ": \(value) does not follow from the public keys and its Pairing Random"
        case .refusedConfirm: ", although \(value) follows from the public keys and its Pairing Random"
        }
    }
}

struct PairingPDU: Sendable {
    var name: String
    var isFromPeer: Bool
    var place: FramePlace

    /// The name, with the sender if that is the peer.
    var named: Sentence {
        isFromPeer ? "\(Side.peer)'s \(name)" : "\(name)"
    }

    fileprivate var text: Sentence {
        "\(named) of frame \(place)"
    }
}

/// The last PDU of an unfinished pairing.
public struct PairingWait: Sendable {
    var pdu: PairingPDU
    /// Nanoseconds since that PDU.
    public var waited: Int64
    /// The side that ended the connection, if that ended the pairing.
    var ender: Problem.Party?
}
