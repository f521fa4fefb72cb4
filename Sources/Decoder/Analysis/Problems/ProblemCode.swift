import BluetoothCore
public import PayloadFormat
import WireBytes

extension Problem {
    /// A kind of problem: its name in NDJSON, and everything that does not depend on the facts.
    ///
    /// The rows are in the files of their layers. Reports list them by layer, in the order of the rows.
    public struct Code: Hashable, Sendable {
        /// The layers, in the order of reports.
        enum Layer: Int, Sendable { case record, hci, l2cap, att, smp, annotated, analysis }

        /// The name in NDJSON.
        public let rawValue: String
        /// The usual weight of its problems.
        public let severity: Severity
        /// The traits of all its problems.
        public let traits: Traits
        /// The code's place in reports.
        let order: Int

        /// - Parameter line: the code's place among those of its layer.
        init(
            _ layer: Layer, _ rawValue: String, _ severity: Severity = .warning, _ traits: Traits = [],
            line: Int = #line
        ) {
            self.rawValue = rawValue
            self.severity = severity
            self.traits = traits
            order = layer.rawValue << 16 + line
        }

        public static func == (left: Self, right: Self) -> Bool { left.order == right.order }

        public func hash(into hasher: inout Hasher) { hasher.combine(order) }
    }

    /// Properties that only some problems have.
    public struct Traits: OptionSet, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Bytes violate the specification.
        public static let malformed = Self(rawValue: 1)
        /// After a failure of this kind, a session could not do its job. Not decisive: a refused request,
        /// since clients often try what is forbidden, and an unconfirmed indication, after which connections
        /// go on for hours.
        public static let decisive = Self(rawValue: 2)
        /// The problem is itself the end of a connection: an unintended or premature one.
        public static let endsConnection = Self(rawValue: 4)
        /// The problem concerns an attribute, whose label is kept.
        public static let labelled = Self(rawValue: 8)
        /// Packets are missing from the log.
        public static let losesPackets = Self(rawValue: 16)
        /// A PDU can't be reassembled.
        public static let losesFragments = Self(rawValue: 32)
        /// The analysis lacks room to follow everything.
        public static let losesTrack = Self(rawValue: 64)
        /// A request got no response, or none in time.
        public static let unanswered = Self(rawValue: 128)
        /// The end of the connection cut an exchange off.
        static let endsWithLink = Self(rawValue: 256)
        /// A request or a pairing timed out.
        static let overdue = Self(rawValue: 512)
        /// A connection could not be secured.
        static let insecurity = Self(rawValue: 1024)
        /// The problem may only repeat that a connection could not be secured: a failed procedure that
        /// includes pairing, or a disconnection for that reason.
        static let mayFollowInsecurity = Self(rawValue: 2048)
        /// Advertising can't start.
        static let keepsFromAdvertising = Self(rawValue: 4096)
    }

    enum Status: Sendable {
        case hci(HCIStatus)
        case att(ATTErrorCode)
        case smp(UInt8)
        case l2cap(UInt16)
        /// A status of a protocol above ATT, by name.
        case named(String)
    }

    /// The procedure under way when a problem occurs.
    public enum Phase: Sendable {
        case named(String)
        /// The last phase that the connection reached.
        case reached
        /// The purpose of an ATT request.
        case request(ATTOpcode)
    }

    /// The description of one problem, which its facts determine: code, weight, side and sentence.
    struct Row: Sendable {
        let code: Code
        /// The weight, unless the problem was overcome or raised to a failure.
        let severity: Severity
        /// The side that caused it, or that did not answer; nil if the facts don't show it.
        let side: Party?
        let traits: Traits
        let status: Status?
        let cause: Status?
        let phase: Phase
        let frame: FramePlace?
        /// The kind of setback that a later success may overcome.
        let setback: Setback.Kind?
        /// Returns the text for a person.
        let sentence: @Sendable () -> Sentence

        /// - Parameters:
        ///   - status: the status in its signature, which its hint explains.
        ///   - cause: the code that its hint explains, if it is not `status`.
        init(
            _ code: Code, _ phase: Phase, severity: Severity? = nil, side: Party? = nil, traits: Traits = [],
            status: Status? = nil, cause: Status? = nil, frame: FramePlace? = nil,
            setback: Setback.Kind? = nil, sentence: @escaping @Sendable () -> Sentence
        ) {
            self.code = code
            self.severity = severity ?? code.severity
            self.side = side
            self.traits = traits.union(code.traits)
            self.status = status
            self.cause = cause ?? status
            self.phase = phase
            self.frame = frame
            self.setback = setback
            self.sentence = sentence
        }
    }
}

extension Problem.Code {
    public static let tableFull = Self(.analysis, "table-full", .warning, .losesTrack)
}

extension Sentence.StringInterpolation {
    mutating func appendInterpolation(_ side: Side) {
        appendInterpolation(side == .host ? Sentence.Part.host : Sentence.Part.peer)
    }
}

extension Problem {
    /// The text with the words of an HCI log, wherever it was recorded.
    public var sentenceOfHost: String { parts.text(from: file, isOnAir: false) }

    /// The text for a person, without the connection; the same in every output. Frames of other files have
    /// their file's number before them, counted from 1.
    public var sentence: String { text(parts) }

    /// The pieces of that text.
    public var parts: Sentence { row.sentence() }

    /// The sentence, after the number of its connection if that is not the frame's own.
    public var line: String { text(lineParts) }

    /// The pieces of that line.
    public var lineParts: Sentence {
        guard connection > 0 else { return parts }
        let place: Sentence = reportedElsewhere.map { ", frame \($0)" } ?? ""
        return "connection \(connection)" + place + ": \(parts)"
    }

    /// The earlier frame that it belongs to, if the sentence does not name that: the last packet of a
    /// connection that fell silent.
    public var reportedElsewhere: FramePlace? { related.isEmpty ? reportedAt : nil }

    /// Returns a sentence about the problem as text, in the words for the recorder of its frame.
    ///
    /// - Parameter namesFile: whether frames of the problem's own file have the file's number too.
    public func text(_ sentence: Sentence, namesFile: Bool = false) -> String {
        sentence.text(from: namesFile ? nil : file, isOnAir: isOnAir)
    }

    /// The known facts about the lost connection, the missing answer or the refused key, in the words of
    /// every output; nil for other problems.
    public var circumstances: String? { known.map { text($0) } }

    /// The pieces of that text.
    public var known: Sentence? {
        switch kind {
        case .hci(.abnormalDisconnection(_, let conditions?, _)):
            let text = conditions.text
            return text.isEmpty ? nil : text
        case .annotated(let problem):
            return problem.circumstances.map { "\($0)" } ?? acknowledged
        default: return acknowledged
        }
    }

    private var acknowledged: Sentence? { acknowledgement?.text(of: related.first) }
}

extension Problem.Party {
    /// Returns its name in every output for a person, with the meaning of that name.
    ///
    /// - Parameter isOnAir: whether a sniffer recorded both sides: they are called by their roles then.
    public func words(isOnAir: Bool) -> (name: String, meaning: String) {
        let sides = Sentence.sides(isOnAir: isOnAir)
        return switch self {
        case .host:
            (sides.host, "the side " + (isOnAir ? "that asked for the connection" : "whose log this is"))
        case .peer:
            (sides.peer, isOnAir ? "the side that advertised" : "the other side of the connection")
        case .controller: ("controller", "the Bluetooth chip of the side whose log this is")
        case .link: ("link", "the radio link between both: neither side alone")
        }
    }
}
