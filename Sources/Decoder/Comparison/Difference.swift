import Analysis
public import BluetoothCore
import CaptureFile
public import PayloadFormat

/// A difference between a session and all good ones.
public struct Difference: Sendable {
    /// The kind of a difference.
    public enum Kind: String, Sendable, CaseIterable {
        /// A failure of the bad log only.
        case failure
        /// A device that one of the two logs has no connection with.
        case connection
        /// The device's attributes.
        case database
        /// An action with a result that no good log has.
        case answer
        /// An action in all good logs and not here.
        case missing
        /// An action here and in no good log.
        case added
        case order
        case value
        /// A phase that took much longer.
        case time
    }

    /// The content of one of the two logs.
    public struct Side: Sendable {
        public internal(set) var text: String
        /// The connection's number; 0 if absent.
        public let connection: Int
        /// The frame; nil if no frame can be shown.
        public internal(set) var place: FramePlace?
        /// Nanoseconds from the log's start to that frame; nil if unknown.
        public internal(set) var time: Int64?
        /// The end of what has a duration: its frame, and nanoseconds from the log's start.
        public var end: (place: FramePlace, time: Int64)?
        /// The name of its log; of a log of several files, that of the frame's file.
        public let log: String
        var isFailed = false

        /// Creates a side; without a place or a time if nil.
        init(
            _ text: String, connection: Int, at place: FramePlace?, _ time: CaptureTime?, in log: LogDigest,
            isFailed: Bool = false
        ) {
            self.text = text
            self.connection = connection
            self.place = place
            self.time = time.map { $0.nanoseconds &- log.start.nanoseconds }
            self.log = log.name(of: place)
            self.isFailed = isFailed
        }

        /// Its place: the connection, the frames, and the times since the log's start.
        public var whereabouts: String {
            var words: [String] = []
            if connection > 0 { words.append("connection \(connection)") }
            if let place {
                words.append(
                    end.map { "frames \(place.frame)\u{2013}\($0.place.frame)" } ?? "frame \(place.frame)")
            }
            if let time {
                let start = "+\(TextDuration.text(time))"
                words.append(end.map { "from \(start) to +\(TextDuration.text($0.time))" } ?? "at \(start)")
            }
            return words.joined(separator: ", ")
        }
    }

    public let kind: Kind
    /// The subject in words.
    public let subject: String
    /// A problem's code; nil for other differences.
    public var code: String?
    /// The side that caused a failure; empty for other differences.
    public var side = ""
    /// Whether the good log, without this failure, has another one.
    public var isOfBoth = false
    /// Whether it is known to have kept the bad log's session from its purpose.
    public var isDecisiveFailure = false
    public let good: Side?
    public let bad: Side?
    /// The frame in the bad log that it is sorted by; differences with the same frame stay in the order they
    /// were found.
    let position: Int
    /// Whether it is weak evidence: an application's reads and writes, values without a fixed meaning, times.
    let isWeak: Bool
    /// Whether it makes logs differ even if nothing else does.
    var isDecisive = true
}

/// The bytes that were written, read or notified in one of the logs alone: they may differ for no reason.
public struct OtherValues: Sendable {
    /// The values that every good log has and the bad one lacks, or the reverse.
    public struct Side: Sendable {
        public let values: [Act.Octets]
        /// Whether there are no others.
        public let isWhole: Bool
    }

    /// The action in words.
    public let subject: String
    public let good, bad: Side
    /// The first place of the action in the bad log.
    let place: FramePlace
}

/// The differences between a bad log and good ones.
public struct LogDifferences: Sendable {
    /// The difference that stands first; nil if the logs are alike.
    public let cause: Difference?
    /// Differences before the cause in the bad log, which may have led to it.
    public let before: [Difference]
    /// Differences after the cause, which may follow from it.
    public let following: [Difference]
    /// The devices of the logs, if nothing shows that a good log has a device of the bad one.
    public internal(set) var strangers: Strangers?
    /// The first failure of a good log that the bad one lacks, if it has no failure of its own: the order
    /// may be wrong.
    public internal(set) var goodFailure: Difference.Side?
    /// The pauses of the bad log that were the user's, a sentence each: they make no logs differ.
    public internal(set) var pauses: [String] = []
    /// Values in bytes that differ, though nothing says that they matter: they make no logs differ.
    public internal(set) var values: [OtherValues] = []
    /// The parts that were not compared, a sentence each.
    public var notes: [String] = []
    /// The parts that were compared.
    public internal(set) var extent = Extent()

    /// The connections and acts that were compared.
    public struct Extent: Sendable {
        /// Number of connections of the bad log, and of those that a good log has a counterpart of.
        public internal(set) var connections = 0, compared = 0
        /// Number of different acts on the compared ones, in all logs.
        public internal(set) var acts = 0
        /// The kinds of these acts, in the order of ``Act/Kind``.
        public internal(set) var kinds: [Act.Kind] = []
    }

    /// Devices of logs that have none in common, or may have none.
    public struct Strangers: Sendable {
        /// The addresses in the good logs, and those in the bad one; nil for a device without one.
        public let good, bad: [DeviceAddress?]
        /// Whether devices of both have the same attributes.
        public let areAlike: Bool
        /// Whether they are different devices, apart from the unknown ones.
        public let areOthers: Bool
        /// The connections of the good logs, and of the bad one, whose device is unknown. Empty for several
        /// good logs.
        public let unknownGood, unknownBad: [Int]
        /// Whether all devices of the good logs, and of the bad one, are unknown.
        public let isGoodUnknown, isBadUnknown: Bool
    }

    /// Whether nothing that was compared differs.
    public var areAlike: Bool { cause == nil }
}
