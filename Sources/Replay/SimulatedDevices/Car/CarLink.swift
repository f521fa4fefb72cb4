import BluetoothCore
import PayloadFormat
import Runtime
import UQDK

/// The identifier of a phone's link to a car.
struct CarLinkID: Hashable, Comparable, Sendable {
    var rawValue: UInt64

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A car's state for one link.
struct CarLink: Sendable {
    let peer: DeviceAddress
    var reassembler: Reassembler
    /// The commands from the first fragments of open messages, by message id.
    var commands: [UInt64: UInt64] = [:]
    /// The fields of a started authentication, valid for one attempt to finish it.
    var begun: FormulaVariables?
    var session: CarSession?
    /// Whether an impostor answers instead of the car.
    var isImpostor = false
    /// Whether the phone has subscribed to notifications, without which it gets no events.
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

struct CarSession: Sendable {
    let cipher: SessionCipher?
    let keyID: [UInt8]
    let end: Instant
    /// The counter of the next message to the phone.
    var next: UInt64
    /// The highest counter from the phone.
    var highest: UInt64?
}

enum CarOutput: Sendable {
    /// Sends a complete message to a phone.
    case send([UInt8], id: UInt64, to: CarLinkID)
    /// Adds an event to the log.
    case note(CarEvent)
}
