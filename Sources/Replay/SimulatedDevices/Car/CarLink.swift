import BluetoothCore
import PayloadFormat
import Runtime
import UQDK

/// Names a phone's link to a car.
struct CarLinkID: Hashable, Comparable, Sendable {
    var rawValue: UInt64

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a car keeps for one link.
struct CarLink: Sendable {
    let peer: DeviceAddress
    var reassembler: Reassembler
    /// The commands that the first fragments of open messages told, by the messages' ids.
    var commands: [UInt64: UInt64] = [:]
    /// The fields of an authentication that has begun: good for one attempt to finish it.
    var begun: FormulaVariables?
    var session: CarSession?
    /// Whether another car answers in its place.
    var isImpostor = false
    /// Whether the phone hears notifications: events are for no one else.
    var isSubscribed = false
    /// Whether the phone tried a pairing code, and whether it activated a key.
    var hasUsedCode = false
    var hasActivated = false
    var lastEventID: UInt64?

    init(_ peer: DeviceAddress, _ dialect: Dialect) {
        self.peer = peer
        reassembler = Reassembler(limits: dialect.reassemblyLimits)
    }
}

/// An authenticated session.
struct CarSession: Sendable {
    let cipher: SessionCipher?
    let keyID: [UInt8]
    let end: Instant
    /// The counter of the next message to the phone.
    var next: UInt64
    /// The highest counter of the phone's.
    var highest: UInt64?
}

/// What a car wants done.
enum CarOutput: Sendable {
    /// A whole message for a phone.
    case send([UInt8], id: UInt64, to: CarLinkID)
    /// Something for the log.
    case note(CarEvent)
}
