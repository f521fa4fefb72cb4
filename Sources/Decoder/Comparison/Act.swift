public import CaptureFile
public import PayloadFormat

/// Something that was done on a connection, by meaning: which handle, frame and time it had differs from one
/// session to the next and is no part of it.
public struct Act: Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Sendable, CaseIterable {
        case mtu, discovery, pairing, encryption, parameters, signalling, subscription, message
        case read, write, notification
        case disconnection

        /// Whether the controller's events tell of it, and not what the two devices said.
        var isOfEvents: Bool { self == .encryption || self == .disconnection || self == .parameters }

        /// Whether it is done with an attribute, by whose label it is known.
        var needsLabel: Bool {
            switch self {
            case .read, .write, .notification, .subscription: true
            default: false
            }
        }

        /// Whether each host does it at its own time, or knows from before what it tells.
        var isOfHosts: Bool { self == .mtu || self == .discovery }

        /// Whether it comes as it goes along, so that its order says nothing: what an application reads and
        /// writes, and what the controllers agree on.
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
        /// Whether it is expected to be the same in each session; of others that is learned from good ones.
        var isSteady = false
        /// Whether one good session is enough to learn it from, though it may differ for no reason.
        var isLength = false
    }

    /// What is compared: two acts with the same key are the same thing done.
    struct Key: Hashable, Sendable {
        var kind: Kind
        /// What was done, in words: by labels, names of messages and sides.
        var what: String
        /// What came of it; empty where it went well, or where nothing says what came of it.
        var status: String
    }

    let key: Key
    /// What kind of thing it is.
    public var kind: Kind { key.kind }
    /// What was done, with what came of it.
    public var text: String { key.status.isEmpty ? key.what : "\(key.what): \(key.status)" }
    /// Where it was met first.
    public let place: FramePlace
    /// When that was.
    public let time: CaptureTime
    /// How often it was met.
    public internal(set) var count = 1
    /// Its values that are not volatile, as they were met first.
    public internal(set) var values: [Value] = []
    /// The values that changed within the session: they say nothing.
    var changing: Set<String> = []
    /// Whether operating systems do it by themselves, each as it likes.
    var isHousekeeping = false

    /// Whether it is done on purpose at its place in the order: answers and events come when they come.
    var hasOrder: Bool {
        !kind.isInPassing && !kind.isOfHosts && !isHousekeeping
            && !key.what.hasSuffix(" response") && !key.what.hasSuffix(" event")
    }

    /// Takes up that it was met again.
    mutating func repeated(_ again: [Value]) {
        count &+= 1
        for value in again where !values.contains(value) { changing.insert(value.name) }
    }
}
