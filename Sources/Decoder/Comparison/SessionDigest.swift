import Analysis
public import BluetoothCore
public import CaptureFile
public import PayloadFormat

/// One connection by its meaning: the device, the acts on it in their order, and its end.
public struct SessionDigest: Sendable {
    /// The duration of a phase.
    public struct Phase: Sendable {
        public let name: String
        /// In nanoseconds.
        public let duration: Int64
        public let start: CaptureTime
    }

    /// The number of the connection in its log.
    public let connection: Int
    /// The device's identity, or the address that it connected with; nil if the log shows none.
    public internal(set) var device: DeviceAddress?
    /// The device's name; nil if the log does not have it.
    public internal(set) var name: String?
    /// The first frame, and its time.
    public let firstFrame: FramePlace
    public let start: CaptureTime
    /// The last frame.
    public internal(set) var lastFrame = FramePlace()
    /// The acts, each once, in the order of their first occurrence.
    public internal(set) var acts: [Act] = []
    /// Whether there were more acts than are kept.
    public internal(set) var isCut = false
    /// Whether the connection was open when the log began.
    public internal(set) var wasOpenAtStart = false
    /// Whether it was open when the log ended.
    var isOpenAtEnd = false
    /// Whether it ended before a packet of the device came.
    var wasNotEstablished = false
    /// The phases with their times.
    public internal(set) var phases: [Phase] = []
    /// The device's attributes by UUIDs: one line each, sorted.
    public internal(set) var database: [String] = []

    /// The services that were not searched completely for characteristics, as lines of `database`.
    var unsearched: Set<String> = []
    var hasListedServices = false
    /// The value of each side's last Write Request, until it is answered; with true, that of the host.
    var written: [Bool: Act.Octets] = [:]
    /// The longest times without any data, by what was open then.
    private(set) var pauses = Pauses()
    /// The last packet with data, or the beginning.
    private var latest: (place: FramePlace, time: CaptureTime)
    /// Number of each side's requests without a response, of all bearers together; with true, the host's.
    private var openRequests: [Bool: Int] = [:]
    /// The host's last write after which the peer sent no value yet.
    private var openWrite: String?
    /// The host's writes after which the peer sent a value, up to ``limit``.
    private(set) var writesWithValue: Set<String> = []

    /// The longest times without any data of a connection.
    struct Pauses: Sendable {
        /// Those before a request or command of the host while no request was open: the user's, perhaps.
        var beforeHost = Pause()
        /// Those of this kind that follow a write without a value from the peer.
        var afterWrite = Pause()
        var others = Pause()

        var longest: Pause {
            [beforeHost, afterWrite, others].max { $0.duration < $1.duration } ?? others
        }
    }

    /// A time without data on the connection.
    struct Pause: Sendable {
        /// In nanoseconds.
        var duration: Int64 = 0
        /// The last packet before it, and the next one.
        var start = FramePlace(), end = FramePlace()
        var time = CaptureTime(nanoseconds: 0)
        var next = ""
        /// The host's write after which the peer had sent no value.
        var openWrite: String?

        var text: String { "nothing for \(TextDuration.text(duration)), then \(next)" }
    }

    /// Whether there were acts on unidentified attributes.
    var hasUnlabelled = false

    /// Most different acts of a connection that are kept.
    static let limit = 1024

    /// The index of each key in `acts`.
    var places: [Act.Key: Int] = [:]
    /// The keys of its acts without their results.
    private(set) var attempted: Set<Act.Key> = []

    init(connection: Int, firstFrame: FramePlace, start: CaptureTime) {
        self.connection = connection
        self.firstFrame = firstFrame
        self.start = start
        latest = (firstFrame, start)
    }

    /// Records a packet with data, with its ATT PDU.
    mutating func goOn(
        at place: FramePlace, _ time: CaptureTime, _ opcode: ATTOpcode? = nil, isFromHost: Bool,
        _ text: () -> String
    ) {
        let kind = opcode?.kind
        let isRequest = kind == .request || kind == .command
        let isUsers = isFromHost && isRequest && openRequests.values.allSatisfy { $0 == 0 }
        let pause = !isUsers ? \Pauses.others : openWrite == nil ? \.beforeHost : \.afterWrite
        let duration = time.nanoseconds.subtractingReportingOverflow(latest.time.nanoseconds)
        if !duration.overflow, duration.partialValue > max(pauses[keyPath: pause].duration, Self.leastPause) {
            pauses[keyPath: pause] = Pause(
                duration: duration.partialValue, start: latest.place, end: place, time: latest.time,
                next: text(), openWrite: openWrite)
        }
        latest = (place, time)
        switch kind {
        case .request: openRequests[isFromHost, default: 0] += 1
        case .response: openRequests[!isFromHost] = max(0, openRequests[!isFromHost, default: 0] - 1)
        case .notification, .indication:
            guard !isFromHost, let write = openWrite else { return }
            if writesWithValue.count < Self.limit { writesWithValue.insert(write) }
            openWrite = nil
        default: break
        }
        if isFromHost, opcode?.isWrite == true { openWrite = text() }
    }

    /// Shortest pause that is recorded, in nanoseconds.
    static let leastPause: Int64 = 1_000_000_000

    mutating func add(
        _ key: Act.Key, _ place: FramePlace, _ time: CaptureTime, _ values: [Act.Value] = [],
        octets: Act.Octets? = nil, isHousekeeping: Bool = false
    ) {
        if let known = places[key] {
            if let octets { acts[known].note(octets) }
            return acts[known].repeated(values)
        }
        guard acts.count < Self.limit else {
            isCut = true
            return
        }
        places[key] = acts.count
        attempted.insert(key.withoutStatus)
        var act = Act(key: key, place: place, time: time, values: values)
        act.isHousekeeping = isHousekeeping
        if let octets { act.note(octets) }
        acts.append(act)
    }

    /// Whether a line would be in `database` if the device had the attribute.
    func hasLookedFor(_ line: String) -> Bool {
        guard let end = line.firstIndex(of: ",") else { return hasListedServices }
        let service = String(line[..<end])
        return database.contains(service) ? !unsearched.contains(service) : hasListedServices
    }

    func act(_ key: Act.Key) -> Act? { places[key].map { acts[$0] } }
}

/// An incident, without details that differ from one session to the next.
public struct IncidentDigest: Sendable {
    /// The problem's code, or the annotator's own code for it.
    public let code: String
    /// The text for a person.
    public let text: String
    /// The side that caused it; empty if unknown.
    let side: String
    public let place: FramePlace
    /// The connection's number; 0 if absent.
    public let connection: Int
    var time: CaptureTime?
    /// Whether it kept a session from its purpose.
    var isDecisive = false
    /// The device that was not connected to; nil if it is about a connection.
    var sought: DeviceAddress?
    /// The key that equal incidents of two logs share.
    let key: String

    init(_ incident: Incident) {
        // Repetitions of a failure differ in what came before.
        let problem = incident.problem.withoutCauses
        let subject = problem.subject.map { "\($0): " } ?? ""
        self.init(
            code: problem.name ?? problem.code.rawValue, text: subject + problem.sentenceOfHost,
            place: incident.place, connection: incident.connection, side: problem.side?.rawValue ?? "",
            attribute: incident.label.map { AttributeText.name(of: $0) } ?? "")
        sought = problem.attempt?.peer
        isDecisive = incident.isDecisive
    }

    init(
        code: String, text: String, place: FramePlace, connection: Int, side: String = "",
        attribute: String = ""
    ) {
        self.code = code
        (self.text, self.side) = (text, side)
        self.place = place
        self.connection = connection
        key = [code, side, attribute, Self.withoutNumbers(text)].joined(separator: "|")
    }

    /// Returns a sentence without its numbers: frames, handles and times.
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

/// A log by its meaning.
public struct LogDigest: Sendable {
    /// Content that nobody can compare: the recorder left it out, or it can't be read.
    public struct Gap: Hashable, Sendable {
        /// The content, and why it can't be compared, as parts of a sentence.
        let content, reason: String

        public init(_ content: String, because reason: String) {
            (self.content, self.reason) = (content, reason)
        }
    }

    /// Its name.
    public let name: String
    /// The files that it consists of, in their order; empty if unknown.
    var files: [String] = []
    /// Number of secured messages that could not be read.
    var unread = 0
    /// The rest of its content that can't be compared.
    var gaps: [Gap] = []
    /// The time of its first record, from which the others are counted.
    public let start: CaptureTime
    /// Its last frame, with its time.
    var end: (place: FramePlace, time: CaptureTime) = (FramePlace(), CaptureTime(nanoseconds: 0))
    /// Its connections, in their order.
    public let sessions: [SessionDigest]
    /// The failures, on a connection or not, the likely cause first.
    public let failures: [IncidentDigest]
    /// The keys of all incidents, including warnings.
    let incidents: Set<String>
    var hasEvents = true
    /// Whether it contains the complete packets of both sides.
    var hasData = true

    /// The rest of its content that can't be compared, also what nobody can identify in it.
    var everyGap: [Gap] {
        var all = gaps
        if sessions.contains(where: \.hasUnlabelled) {
            let what = "reads, writes and notifications of attributes that only --gatt can name"
            all.append(Gap(what, because: "unnamed"))
        }
        if sessions.contains(where: \.isCut) {
            all.append(
                Gap(
                    "what follows the first \(SessionDigest.limit) steps of a connection", because: "left out"
                ))
        }
        return all
    }

    /// Returns the name of the file that has a frame; of the whole log without a frame.
    func name(of place: FramePlace?) -> String {
        guard let place, files.indices.contains(place.file) else { return name }
        return files[place.file]
    }

    /// Whether acts of a kind would be in it if they were done.
    func canShow(_ kind: Act.Kind) -> Bool { kind.isOfEvents ? hasEvents : hasData }
}
