public import PayloadFormat

/// Something in which a session differs from all good ones.
public struct Difference: Sendable {
    /// What it is about.
    public enum Kind: String, Sendable, CaseIterable {
        /// A failure of the bad log alone.
        case failure
        /// A device that one of the two has no connection with.
        case connection
        /// The device's attributes.
        case database
        /// Something came of it that came of it in no good log.
        case answer
        /// Something done in all good logs and not here.
        case missing
        /// Something done here and in no good log.
        case added
        case order
        case value
        /// A phase that took much longer.
        case time
    }

    /// What one of the two logs has.
    public struct Side: Sendable {
        public let text: String
        /// The connection's number; 0 for none.
        public let connection: Int
        /// The frame; nil without one to show.
        public let place: FramePlace?
        /// Nanoseconds from the log's start to that frame; nil where none is known.
        public let time: Int64?
    }

    public let kind: Kind
    /// What it is about, in words.
    public let subject: String
    /// A problem's code; nil of other differences.
    public var code: String?
    public let good: Side?
    public let bad: Side?
    /// Where it stands in the bad log: a frame; differences with the same stand in the order they were found.
    let position: Int
    /// Whether it says little: what an application reads and writes, values of no fixed meaning, times.
    let isWeak: Bool
    /// Whether it makes logs differ where nothing else does.
    var isDecisive = true
}

/// How a bad log differs from good ones.
public struct LogDifferences: Sendable {
    /// The one that is most likely the cause; nil where the logs are alike.
    public let cause: Difference?
    /// Those that stand before it in the bad log and may have led to it.
    public let before: [Difference]
    /// Those behind it, which may follow from it.
    public let following: [Difference]
    /// What was not compared, a sentence each.
    public var notes: [String] = []

    /// Whether nothing that was compared differs.
    public var areAlike: Bool { cause == nil }
}
