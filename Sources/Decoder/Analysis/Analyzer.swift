import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

/// Turns records into meaning, one pass, one record at a time.
///
/// After ``analyze(_:file:)`` its ``frame`` and ``problems`` say what the record means; they and the octets
/// of an assembled PDU are valid until the next call. Memory grows with live connections and bounded tables,
/// never with the length of the capture.
public struct Analyzer: ~Copyable {
    /// What the last record means.
    public internal(set) var frame = Frame(header: Analyzer.noHeader, file: 0)
    /// What is wrong with the last record.
    public internal(set) var problems: [Problem] = []
    /// The connections: open ones, and the slots of ended ones until they are used again.
    public internal(set) var links: [Link] = []
    /// What was counted over all records.
    public internal(set) var totals = CaptureStatistics()
    /// The ended connections, oldest first, as far as ``finishedLimit`` goes.
    public internal(set) var finished: [Link] = []
    /// How many ended connections were not kept, because the list was full.
    public internal(set) var unlistedLinks = 0
    /// How many of them have secured messages that could not be read.
    public internal(set) var unlistedUnread = 0
    /// The devices that advertised.
    public internal(set) var advertisers = AdvertiserTable()
    /// What the frames that were chosen add up to; nil where none are to be (``beginSelection()``).
    public internal(set) var selection: FrameSelection?
    /// How often the host asked for a connection.
    public internal(set) var attemptCount = 0
    /// The longest wait for a device of the filter accept list that led to nothing.
    public internal(set) var acceptListAttempt: ConnectAttempt?
    /// What adapters had not done when the log ended: connections that were asked for, commands.
    public internal(set) var openRequests: [OpenRequest] = []
    /// What failed, in case it succeeds later.
    var setbacks: [Setback] = []
    /// For how long the adapter scanned that did so longest, in nanoseconds; known at the end.
    public internal(set) var scanTime: Int64 = 0
    /// The advertising reports of the last frame, where frames are chosen.
    var reported: [AdvertiserReport] = []

    /// What protocols above ATT make of the last record's values, by kind; empty where none has a part in it.
    public internal(set) var annotations: [Annotation] = []
    /// The protocols above ATT.
    var annotators: AnnotatorSet

    /// How many ended connections are kept for the summary.
    public static let finishedLimit = 256

    var handles = HandleTable()
    var peers = PeerTable()
    var adapters = AdapterTable()
    /// The payload of a PDU that was put together, valid until the next record.
    var assembled: [UInt8] = []
    /// The attributes whose whole values are known with the last frame, the end of a long read or of long
    /// writes; of these in the order in which their first parts were prepared.
    public internal(set) var joined: [JoinedValue] = []
    /// The handles that the request asked for which the last frame answers, where that is a Read Multiple
    /// (Variable) response; empty where its request is not known.
    public internal(set) var askedHandles: [UInt16] = []
    /// The frames whose fragments it was put together from.
    public internal(set) var assembledFrames: [FramePlace] = []
    var linkCount = 0
    /// The slot of a link that ended with the last record, or got a late packet by it: it is settled when the
    /// next one comes.
    var endedSlot: Int?
    /// The slots of the links that ended last: packets of theirs may still come.
    var endedSlots: [Int] = []
    var freeSlots: [Int] = []
    var transactions = 0
    /// Advertisements whose data go on in a later report.
    var unfinishedAdvertising = AdvertisingAssembly()
    /// The reports of the last frame whose data are parts of an advertisement's; of no meaning unless the
    /// frame says that there are some (``Frame/isPartOfAdvertising``).
    public internal(set) var advertisingParts: [AdvertisingPart] = []
    /// How far each file has come, but for the file that is read now: that one's is ``current``.
    private var progress: [FileProgress] = []
    private var currentFile = 0
    private var current = FileProgress()
    /// The connections that ended last, until packets on their handles stop.
    var endedHandles = EndedHandles()
    var fullTables = FullTables()
    /// What of the octets that came since may be kept, and was not counted (``hold(_:)``).
    var uncountedRoom = 0
    /// How many links are followed.
    var openCount = 0
    /// How often that was worked out which costs more than one record's share.
    var upkeep = Upkeep()

    static let noHeader = RecordHeader(
        number: 0, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
        direction: .unknown, originalLength: 0, capturedLength: 0)

    /// The labels looked up last.
    var labels = LabelCache()

    /// Never set. A value that may hold any type is passed by its address, and so is what holds it: without
    /// this every borrow of the analyser by a function of another file copies all of its fields.
    private let passedByAddress: (any Sendable)? = nil

    /// An analysis that starts with this knowledge.
    public init(_ knowledge: AnalysisKnowledge = AnalysisKnowledge()) {
        annotators = AnnotatorSet(knowledge)
        peers = PeerTable(knowledge.allGATT)
    }

    /// Analyses one record of the file with this index; files are numbered from 0.
    public mutating func analyze(_ record: borrowing Record, file: Int = 0) {
        frame.begin(record.header, file: file)
        if !problems.isEmpty { problems.removeAll(keepingCapacity: true) }
        if !reported.isEmpty { reported.removeAll(keepingCapacity: true) }
        if !annotations.isEmpty { annotations.removeAll(keepingCapacity: true) }
        if !joined.isEmpty { joined.removeAll(keepingCapacity: true) }
        if !askedHandles.isEmpty { askedHandles = [] }
        if endedSlot != nil { settleEnded() }
        checkRecord(file)
        switch record.header.kind {
        case .command: analyzeCommand(record.octets)
        case .event: analyzeEvent(record.octets)
        case .acl: analyzeACL(record.octets)
        case .sco, .iso: analyzeData(record.octets)
        case .monitor: analyzeMonitor(record.octets)
        case .note: frame.fold = .note
        case .unknown: report(.record(record.octets.byteCount == 0 ? .empty : .unknownPacketType))
        }
        if peers.wasFull || adapters.wasFull { checkTables() }
        count()
    }

    /// The L2CAP payload of the last frame: in the record where one packet held it, else put together.
    @_lifetime(borrow self, copy record)
    public func payload(in record: borrowing Record) -> RawSpan {
        guard let pdu = frame.l2cap else { return record.octets.clamped(0..<0) }
        switch pdu.place {
        case .record(let offset):
            let start = offset &+ pdu.headerLength
            return record.octets.clamped(start..<start &+ pdu.captured)
        case .assembly: return assembled.borrowedOctets.dropping(pdu.headerLength)
        }
    }

    /// Adds a problem to the frame, and to its link's and the whole capture's counts.
    ///
    /// Never inlined: it is rare, and what it needs would be got ready on the way of every record.
    @inline(never)
    mutating func report(_ kind: Problem.Kind, by side: Problem.Party? = nil) {
        problems.append(Problem(kind, by: side))
    }

    @inline(__always)
    private mutating func checkRecord(_ file: Int) {
        let time = frame.header.time.nanoseconds
        if file != currentFile { setProgress(file) }
        let before = current
        current.time = time
        current.shown.note(frame.header)
        if let last = before.time {
            // Records of several queues may swap within some milliseconds; more is a clock that was set.
            // Times centuries apart do not fit: the longest gap that does stands for theirs.
            let (gap, isTooLong) = time.subtractingReportingOverflow(last)
            let ahead = isTooLong ? (time < last ? -Int64.max : Int64.max) : gap
            if ahead < -100_000_000 {
                report(.record(.clockBackwards(0 &- ahead)))
            } else if ahead > Self.longestGap {
                report(.record(.clockJump(ahead)))
                forgetDeadlines(file)
            }
        }
        if time > before.deadline { checkDeadlines(file, after: before.time ?? time) }
        if frame.header.capturedLength < frame.header.originalLength {
            report(.record(.cut(kept: frame.header.capturedLength, of: frame.header.originalLength)))
        }
        if !frame.header.faults.isEmpty { reportFaults() }
        if frame.header.cumulativeDrops > before.drops {
            let gap = frame.header.faults.contains(.behindDamage) ? 1 : 0
            let dropped = Int(frame.header.cumulativeDrops &- before.drops) &- gap
            if dropped > 0 { report(.record(.drops(dropped))) }
            current.drops = frame.header.cumulativeDrops
            loseAll(file)
        }
    }

    /// What the record's header in the file says and can't be.
    @inline(never)
    private mutating func reportFaults() {
        let faults = frame.header.faults
        if faults.contains(.behindDamage) { report(.record(.behindDamage)) }
        if faults.contains(.originalLength) {
            report(.record(.impossibleOriginalLength(held: frame.header.capturedLength)))
        }
        if faults.contains(.timeFraction) { report(.record(.impossibleTimeFraction)) }
    }

    /// Takes up the progress of a file, and puts by that of the one before.
    @inline(never)
    private mutating func setProgress(_ file: Int) {
        while progress.count <= max(file, currentFile) { progress.append(FileProgress()) }
        progress[currentFile] = current
        current = progress[file]
        currentFile = file
    }

    /// What the file of the current frame is known to hold.
    var shown: ShownPackets { current.shown }

    /// How far a file has come.
    func progress(ofFile file: Int) -> FileProgress? {
        if file == currentFile { return current }
        return progress.indices.contains(file) ? progress[file] : nil
    }

    /// Sets the earliest deadline of a file's requests.
    mutating func set(deadline: Int64, ofFile file: Int) {
        if file == currentFile {
            current.deadline = deadline
        } else if progress.indices.contains(file) {
            progress[file].deadline = deadline
        }
    }

    /// A gap between two records that no log of one session has: a day.
    static let longestGap: Int64 = 86_400 * 1_000_000_000

    @inline(__always)
    private mutating func count() {
        totals.count(frame)
        // Credits are the controller's, and no sign of life of the peer.
        if frame.link >= 0, frame.fold != .credit {
            links[frame.link].count(frame, totals.records)
        }
        if !problems.isEmpty { countProblems() }
    }

    @inline(never)
    private mutating func countProblems() {
        let number = frame.link < 0 ? 0 : links[frame.link].number
        let speaks = speaksProtocol(frame.link)
        totals.order = totals.records
        for index in problems.indices {
            problems[index].file = frame.place.file
            // One that was reported for a connection was counted there.
            let isCounted = problems[index].connection != 0
            if problems[index].connection == number { problems[index].connection = 0 }
            totals.count(problems[index], at: frame, link: number, speaksProtocol: speaks)
            if frame.link >= 0, !isCounted { count(problems[index], on: frame.link) }
            let connection = problems[index].connection
            remember(problems[index], connection: connection == 0 ? number : connection)
        }
    }

    /// What failed on a connection succeeded there later.
    mutating func overcome(on connection: Int, where isSame: (Incident) -> Bool) {
        totals.overcome(on: connection, where: isSame)
        selection?.totals.overcome(on: connection, where: isSame)
    }

    /// Counts a problem of a link.
    private mutating func count(_ problem: Problem, on slot: Int) {
        links[slot].counts.problems &+= 1
        if links[slot].firstProblem == nil, problem.severity >= .error {
            links[slot].firstProblem = (frame.number, problem.code)
        }
    }

    /// Adds a problem of a link that may be another than the frame's, or ends with this frame.
    ///
    /// - Parameter place: where it stands among the frame's problems, of one that explains others.
    mutating func report(
        _ kind: Problem.Kind, by side: Problem.Party? = nil, on slot: Int, before place: Int? = nil
    ) {
        report(Problem(kind, by: side), on: slot)
        if let place, let cause = problems.popLast() { problems.insert(cause, at: place) }
    }

    /// See ``report(_:by:on:)``.
    mutating func report(_ problem: Problem, on slot: Int) {
        var problem = problem
        problem.connection = links[slot].number
        count(problem, on: slot)
        problems.append(problem)
    }
}

/// How often an analysis worked out what costs more than one record's share: no input may ask for it with
/// each record.
struct Upkeep: Sendable {
    /// Links from which packets that were lost took what was under way.
    var losses = 0
    /// Searches for the value that answers come by.
    var unheardValues = 0
    /// Tables of the values that configurations switched on.
    var askedValues = 0
}

extension Analyzer {
    /// What the file with this index is known to hold; nil of one that was not read.
    public func shownPackets(inFile file: Int) -> ShownPackets? { progress(ofFile: file)?.shown }
}
