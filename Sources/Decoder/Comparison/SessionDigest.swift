import Analysis
public import BluetoothCore
public import CaptureFile
public import PayloadFormat

/// One connection by meaning: with whom it was, what was done on it in what order, and how it ended.
public struct SessionDigest: Sendable {
    /// How long a phase took.
    public struct Phase: Sendable {
        public let name: String
        /// In nanoseconds.
        public let duration: Int64
        public let start: CaptureTime
    }

    /// The number of the connection in its log.
    public let connection: Int
    /// The device's identity, or the address it was met with; nil where the log tells none.
    public internal(set) var device: DeviceAddress?
    /// The first frame, and when that was.
    public let firstFrame: FramePlace
    public let start: CaptureTime
    /// The last frame.
    public internal(set) var lastFrame = FramePlace()
    /// The things done, each once, in the order in which they were met first.
    public internal(set) var acts: [Act] = []
    /// Whether there were more things done than are kept.
    public internal(set) var isCut = false
    /// Whether the connection was open when the log began.
    public internal(set) var wasOpenAtStart = false
    /// The phases with their times.
    public internal(set) var phases: [Phase] = []
    /// The device's attributes by UUIDs: one line each, sorted.
    public internal(set) var database: [String] = []

    /// The services that were not searched for characteristics, or not to their ends: lines of `database`.
    var unsearched: Set<String> = []
    /// Whether all services of the device were listed.
    var hasListedServices = false
    /// The longest time without any data, and what ended it.
    private(set) var pause = Pause()
    /// The end of the latest packet with data, or the beginning.
    private var latest: CaptureTime

    /// A time without data on the connection.
    struct Pause: Sendable {
        /// In nanoseconds.
        var duration: Int64 = 0
        var end = CaptureTime(nanoseconds: 0)
        /// What came next.
        var next = ""
    }

    /// Whether things were done with attributes of which it is not known what they are.
    var hasUnlabelled = false

    /// The most different things of a connection that are kept.
    static let limit = 1024

    /// Where each key stands in `acts`.
    var places: [Act.Key: Int] = [:]

    init(connection: Int, firstFrame: FramePlace, start: CaptureTime) {
        self.connection = connection
        self.firstFrame = firstFrame
        self.start = start
        latest = start
    }

    /// Notes that a packet came.
    mutating func goOn(at time: CaptureTime, _ text: () -> String) {
        let duration = time.nanoseconds.subtractingReportingOverflow(latest.nanoseconds)
        if !duration.overflow, duration.partialValue > max(pause.duration, Self.leastPause) {
            pause = Pause(duration: duration.partialValue, end: time, next: text())
        }
        latest = time
    }

    /// Nanoseconds; shorter pauses are left out.
    static let leastPause: Int64 = 1_000_000_000

    /// Takes up something done.
    mutating func add(
        _ key: Act.Key, _ place: FramePlace, _ time: CaptureTime, _ values: [Act.Value] = [],
        isHousekeeping: Bool = false
    ) {
        if let known = places[key] { return acts[known].repeated(values) }
        guard acts.count < Self.limit else {
            isCut = true
            return
        }
        places[key] = acts.count
        var act = Act(key: key, place: place, time: time, values: values)
        act.isHousekeeping = isHousekeeping
        acts.append(act)
    }

    /// Whether a line would be in `database` if the device had the attribute.
    func hasLookedFor(_ line: String) -> Bool {
        guard let end = line.firstIndex(of: ",") else { return hasListedServices }
        let service = String(line[..<end])
        return database.contains(service) ? !unsearched.contains(service) : hasListedServices
    }

    /// The act with this key; nil where it was not done.
    func act(_ key: Act.Key) -> Act? { places[key].map { acts[$0] } }
}

/// Something that went wrong, without what differs from one session to the next.
public struct IncidentDigest: Sendable {
    /// The problem's code, or the annotator's own code for it.
    public let code: String
    /// What it says to a person.
    public let text: String
    public let place: FramePlace
    /// The connection's number; 0 for none.
    public let connection: Int
    /// When that was; nil where it is not known.
    var time: CaptureTime?
    /// The device that was not connected to; nil where it is about a connection.
    var sought: DeviceAddress?
    /// What equal incidents of two logs have in common.
    let key: String

    init(_ incident: Incident) {
        let problem = incident.problem
        self.init(
            code: problem.name ?? problem.code.rawValue,
            text: (problem.subject.map { "\($0): " } ?? "") + problem.sentence, place: incident.place,
            connection: incident.connection, side: problem.side?.rawValue ?? "",
            attribute: incident.label.map { AttributeText.name(of: $0) } ?? "")
        sought = problem.attempt?.peer
    }

    init(
        code: String, text: String, place: FramePlace, connection: Int, side: String = "",
        attribute: String = ""
    ) {
        self.code = code
        self.text = text
        self.place = place
        self.connection = connection
        key = [code, side, attribute, Self.withoutNumbers(text)].joined(separator: "|")
    }

    /// A sentence without its numbers: frames, handles and times.
    static func withoutNumbers(_ text: String) -> String {
        var out = ""
        var isInNumber = false
        for scalar in text.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let goesOn = isInNumber && (scalar == "." || scalar == "x" || scalar.properties.isASCIIHexDigit)
            if !isDigit, !goesOn { out.unicodeScalars.append(scalar) }
            if isDigit, !isInNumber { out += "#" }
            isInNumber = isDigit || goesOn
        }
        return out
    }
}

/// A log by meaning.
public struct LogDigest: Sendable {
    /// The name of its file.
    public let name: String
    /// Secured messages that could not be read.
    var unread = 0
    /// The time of its first record, from which the others are counted.
    public let start: CaptureTime
    /// Its connections, in their order.
    public let sessions: [SessionDigest]
    /// What failed on all of them and on none, the likely cause first.
    public let failures: [IncidentDigest]
    /// What equal incidents of other logs have in common with those of this one, with its warnings.
    let incidents: Set<String>
    /// Whether HCI events are in it.
    var hasEvents = true
    /// Whether what both sides said is in it, whole.
    var hasData = true

    /// Whether things of a kind would be in it if they were done.
    func canShow(_ kind: Act.Kind) -> Bool { kind.isOfEvents ? hasEvents : hasData }
}
