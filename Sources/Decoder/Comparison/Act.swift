public import CaptureFile
public import PayloadFormat
import WireBytes

/// An action on a connection, by its meaning. Its handle, frame and time differ from one session to the next
/// and are not part of the meaning.
public struct Act: Sendable {
    /// The kind of an action.
    public enum Kind: String, Sendable, CaseIterable {
        case mtu, discovery, pairing, encryption, parameters, signalling, subscription, message
        case read, write, notification
        case disconnection

        /// Whether the controller's events show it, and not the PDUs of the two devices.
        var isOfEvents: Bool { self == .encryption || self == .disconnection || self == .parameters }

        /// Whether it concerns an attribute, which is identified by its label.
        var needsLabel: Bool {
            switch self {
            case .read, .write, .notification, .subscription: true
            default: false
            }
        }

        /// Whether each host does it at its own time, or knows the result from before.
        var isOfHosts: Bool { self == .mtu || self == .discovery }

        /// Whether its order has no meaning: an application's reads and writes, and agreements of the
        /// controllers.
        var isInPassing: Bool {
            switch self {
            case .read, .write, .notification, .parameters, .signalling: true
            default: false
            }
        }
    }

    /// A value that is not known to be volatile.
    public struct Value: Hashable, Sendable {
        public let name: String
        public let text: String
        /// Whether it is expected to be the same in each session; for other values, that is learned from good
        /// sessions.
        var isSteady = false
        /// Whether one good session is enough to learn it from, though it may differ for no reason.
        var isLength = false
    }

    /// A value in bytes, with the place where it occurred first: of a write, the request.
    public struct Octets: Sendable {
        let bytes: [UInt8]
        public let place: FramePlace

        /// Bytes of a value that are shown.
        private static let shown = 20

        /// The value as hexadecimal text: its first bytes, and the number of all if there are more.
        public var text: String {
            guard bytes.count > Self.shown else { return hex }
            return String(hex.prefix(2 * Self.shown)) + "\u{2026} (\(bytes.count) bytes)"
        }

        /// The whole value as hexadecimal text.
        public var hex: String {
            var out = TextBuffer(capacity: 64)
            out.hexOctets(bytes.borrowedOctets)
            return out.text
        }
    }

    /// The part that is compared: two acts with the same key are the same action.
    struct Key: Hashable, Sendable {
        var kind: Kind
        /// The action in words: labels, names of messages, and sides.
        var what: String
        /// The result; empty if it succeeded, or if nothing shows the result.
        var status: String

        var withoutStatus: Key { Key(kind: kind, what: what, status: "") }
    }

    let key: Key
    /// The kind of action.
    public var kind: Kind { key.kind }
    /// The action, with its result.
    public var text: String { key.status.isEmpty ? key.what : "\(key.what): \(key.status)" }
    /// The place where it occurred first.
    public let place: FramePlace
    /// The time when it occurred first.
    public let time: CaptureTime
    /// The number of its occurrences.
    public internal(set) var count = 1
    /// Its values that are not volatile, from its first occurrence.
    public internal(set) var values: [Value] = []
    /// The values that changed within the session: they have no meaning.
    var changing: Set<String> = []
    /// The first different byte values that it read, wrote or notified.
    private(set) var octets: [Octets] = []
    /// A hash of all its other values in their order; nil if it had none.
    private(set) var rest: Int?
    /// Whether it had any value.
    var hasOctets: Bool { !octets.isEmpty || rest != nil }
    /// Whether `octets` lacks some of its values.
    var hasMoreOctets: Bool { rest != nil }
    /// Whether operating systems do it by themselves, each in its own way.
    var isHousekeeping = false

    /// Whether its place in the order is intended, which is not so for answers and events.
    var hasOrder: Bool {
        !kind.isInPassing && !kind.isOfHosts && !isHousekeeping
            && !key.what.hasSuffix(" response") && !key.what.hasSuffix(" event")
    }

    /// Most different byte values of an act that are kept, and of how many bytes each.
    static let mostOctets = 8
    static let longestOctets = 64

    /// Records a value in bytes.
    mutating func note(_ value: Octets) {
        guard !value.bytes.isEmpty, !has(value) else { return }
        if octets.count < Self.mostOctets, value.bytes.count <= Self.longestOctets {
            octets.append(value)
        } else {
            rest = (rest ?? 0) &* 31 &+ value.bytes.hashValue
        }
    }

    /// Whether a value is among those that were kept.
    func has(_ value: Octets) -> Bool { octets.contains { $0.bytes == value.bytes } }

    /// Whether another act had the same values in the same order, those that were not kept included.
    func hasSameOctets(as other: Act) -> Bool {
        rest == other.rest && octets.map(\.bytes) == other.octets.map(\.bytes)
    }

    /// The action with its result, and with its value if it had one alone.
    var textWithValue: String {
        octets.count == 1 && !hasMoreOctets ? "\(text): \(octets[0].text)" : text
    }

    /// Records another occurrence.
    mutating func repeated(_ again: [Value]) {
        count &+= 1
        for value in again where !values.contains(value) { changing.insert(value.name) }
    }
}
