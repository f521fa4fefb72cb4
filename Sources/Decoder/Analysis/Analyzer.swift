import BluetoothCore
public import CaptureFile
public import LinkLayer
import PayloadFormat
import WireBytes

/// Analyses records in a single pass, one record at a time.
///
/// After ``analyze(_:file:)``, ``frame`` and ``problems`` describe the record; they and the bytes of a
/// reassembled PDU are valid until the next call. Memory grows with live connections and bounded tables,
/// never with the length of the capture.
public struct Analyzer: ~Copyable {
    /// The analysis of the last record.
    public internal(set) var frame = Frame(header: Analyzer.noHeader, file: 0)
    /// The problems of the last record.
    public internal(set) var problems: [Problem] = []
    /// The connections: open ones, and ended ones until their slots are used again.
    public internal(set) var links: [Link] = []
    /// Counts over all records.
    public internal(set) var totals = CaptureStatistics()
    /// The ended connections, oldest first, and after ``finish()`` also those that were still open; at most
    /// ``finishedLimit``, of which those with failures are kept longest.
    public internal(set) var finished: [Link] = []
    /// Number of ended connections that were not kept because the list was full.
    public internal(set) var unlistedLinks = 0
    /// Whether all ended connections, also those that are not selected, are in ``everyLink``.
    public internal(set) var isEveryLinkKept = true
    /// Number of the connections not kept that have secured messages that could not be read.
    public internal(set) var unlistedUnread = 0
    /// The devices that advertised.
    public internal(set) var advertisers = AdvertiserTable()
    /// Totals of the selected frames; nil if no frames are selected (``beginSelection()``).
    public internal(set) var selection: FrameSelection?
    /// Totals of the selected frames, or of all if none are selected.
    public var shownTotals: CaptureStatistics { selection?.totals ?? totals }
    /// Number of connections that the host requested.
    public internal(set) var attemptCount = 0
    /// The longest unsuccessful attempt to connect to a device of the filter accept list.
    public internal(set) var acceptListAttempt: ConnectAttempt?
    /// Number of such attempts.
    public internal(set) var acceptListAttempts = 0
    /// Requests to adapters that were unfinished when the log ended: connections and commands.
    public internal(set) var openRequests: [OpenRequest] = []
    /// Failures that a later success may overcome.
    var setbacks: [Setback] = []
    /// Total scan time of the adapter that scanned most, in nanoseconds; known at the end.
    public internal(set) var longestTotalScanTime: Int64 = 0
    /// The advertising reports of the last frame, if frames are selected.
    var reported: [AdvertiserReport] = []

    /// The changes of connections that the last record reports or shows.
    public internal(set) var changes: [LinkChange] = []
    /// Annotations of the last record's values by protocols above ATT, by kind; empty if no protocol is
    /// involved.
    public internal(set) var annotations: [Annotation] = []
    /// The connections in a capture from the air, and the link layer of the last frame.
    public internal(set) var air = AirFollower()
    /// The protocols above ATT.
    var annotators: AnnotatorSet

    /// Most ended connections kept for the summary.
    public static let finishedLimit = 256

    var handles = HandleTable()
    var peers = PeerTable()
    var adapters = AdapterTable()
    /// The most recently used labels.
    var labels = LabelCache()
    /// The payload of a reassembled PDU, valid until the next record.
    var assembled: [UInt8] = []
    /// The values that the last frame completed, in long reads or long writes; those of writes are in the
    /// order of their first parts.
    public internal(set) var joined: [JoinedValue] = []
    /// The requested handles, if the last frame is a Read Multiple (Variable) response; empty if the log
    /// lacks the request.
    public internal(set) var askedHandles: [UInt16] = []
    /// The frames of the fragments of the reassembled PDU.
    public internal(set) var assembledFrames: [FramePlace] = []
    var linkCount = 0
    /// The slot of the link that the last record ended, or of an ended link that it belongs to; kept until
    /// the next record.
    var endedSlot: Int?
    /// The slots of the last links to end, which may still receive late packets.
    var endedSlots: [Int] = []
    var freeSlots: [Int] = []
    var transactions = 0
    /// Advertisements whose data continues in a later report.
    var unfinishedAdvertising = AdvertisingAssembly()
    /// The last frame's reports that hold only a part of an advertisement's data; valid only if
    /// ``Frame/isPartOfAdvertising`` is set.
    public internal(set) var advertisingParts: [AdvertisingPart] = []
    /// Progress of every file except the current one (``current``).
    private var progress: [FileProgress] = []
    private var currentFile = 0
    private var current = FileProgress()
    /// The last connections to end, until packets with their handles stop.
    var endedHandles = EndedHandles()
    var fullTables = FullTables()
    /// Bytes received since the last memory check (``countReceived(_:)``).
    var octetsSinceCount = 0
    /// Number of links that are followed.
    var openCount = 0
    /// Counts how often expensive work was done.
    var upkeep = Upkeep()

    static let noHeader = RecordHeader(
        number: 0, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
        direction: .unknown, originalLength: 0, capturedLength: 0)

    /// Never set, and only there for speed: Swift passes a type that contains an existential by address.
    /// Without this field, each call of a function in another file copies the whole analyser.
    private let passedByAddress: (any Sendable)? = nil

    /// Creates an analysis that starts with this knowledge.
    public init(_ knowledge: AnalysisKnowledge = AnalysisKnowledge()) {
        air = AirFollower(keys: knowledge.linkKeys)
        annotators = AnnotatorSet(knowledge)
        peers = PeerTable(knowledge.allGATT)
    }

    /// Analyses one record of the file with this index; files are numbered from 0.
    public mutating func analyze(_ record: borrowing Record, file: Int = 0) {
        frame.begin(record.header, file: file, recordNumber: totals.records &+ 1)
        if !problems.isEmpty { problems.removeAll(keepingCapacity: true) }
        if !reported.isEmpty { reported.removeAll(keepingCapacity: true) }
        if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
        if !annotations.isEmpty { annotations.removeAll(keepingCapacity: true) }
        if !joined.isEmpty { joined.removeAll(keepingCapacity: true) }
        if !askedHandles.isEmpty { askedHandles = [] }
        if endedSlot != nil { settleEnded() }
        checkRecord(of: file)
        switch record.header.kind {
        case .command: analyzeCommand(record.octets)
        case .event: analyzeEvent(record.octets)
        case .acl: analyzeACL(record.octets)
        case .sco, .iso: analyzeData(record.octets)
        case .monitor: analyzeMonitor(record.octets)
        case .note: frame.fold = .note
        case .air: analyzeAir(record)
        case .unknown: report(.record(record.octets.byteCount == 0 ? .empty : .unknownPacketType))
        }
        if peers.hasFullTable || adapters.wasFull { checkTables() }
        count()
    }

    /// The number of the last frame's connection; nil without one.
    public var linkNumber: Int? { frame.link >= 0 ? link.number : nil }

    /// The frame's connection; only for a frame that has one.
    ///
    /// It borrows the whole analyser. A call that also needs another part of it, such as `&problems`, uses
    /// `links[frame.link]` instead.
    var link: Link {
        @inline(__always) _read { yield links[frame.link] }
        @inline(__always) _modify { yield &links[frame.link] }
    }

    /// The bearer of the frame's ATT PDU; only for a frame that has one.
    var bearer: ATTBearer {
        @inline(__always) _read { yield link.bearers[frame.bearer] }
        @inline(__always) _modify { yield &link.bearers[frame.bearer] }
    }

    /// Adds a change of the frame's connection.
    mutating func note(_ change: LinkChange.Kind) {
        changes.append(LinkChange(connection: linkNumber, kind: change))
    }

    /// Returns the L2CAP payload of the last frame: in the record if one packet held it, else reassembled.
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

    /// Adds a problem to the frame; ``countProblems()`` counts it after the analysis of the record.
    ///
    /// A problem of another connection, or of one that ends with this frame, goes to
    /// ``report(_:by:on:before:)``, which counts it on that connection at once.
    ///
    /// Never inlined: problems are rare, and inlined code would prepare for them at each record.
    @inline(never)
    mutating func report(_ kind: Problem.Kind, by side: Problem.Party? = nil) {
        problems.append(Problem(kind, by: side))
    }

    @inline(__always)
    private mutating func checkRecord(of file: Int) {
        let time = frame.header.time.nanoseconds
        if file != currentFile { setProgress(of: file) }
        let before = current
        current.time = time
        current.shown.note(frame.header)
        if let last = before.time {
            // Records of several queues may swap within some milliseconds; a larger step means that the clock
            // was set. The difference of times centuries apart overflows: the longest gap that fits replaces
            // it.
            let (gap, isTooLong) = time.subtractingReportingOverflow(last)
            let ahead = isTooLong ? (time < last ? -Int64.max : Int64.max) : gap
            if ahead < -100_000_000 {
                report(.record(.clockBackwards(0 &- ahead)))
            } else if ahead > Self.longestSilence {
                if ahead > Self.longestGap { report(.record(.clockJump(ahead))) }
                if ahead > Self.longestGap || frame.header.kind == .air { forgetDeadlines(of: file) }
            }
        }
        if time > before.deadline { checkDeadlines(of: file, after: before.time ?? time) }
        if frame.header.capturedLength < frame.header.originalLength {
            report(.record(.cut(kept: frame.header.capturedLength, of: frame.header.originalLength)))
        }
        if !frame.header.faults.isEmpty { reportFaults() }
        if frame.header.cumulativeDrops > before.drops {
            let gap = frame.header.faults.contains(.behindDamage) ? 1 : 0
            let dropped = Int(frame.header.cumulativeDrops &- before.drops) &- gap
            if dropped > 0 { report(.record(.drops(dropped))) }
            current.drops = frame.header.cumulativeDrops
            recorderLostPackets(in: file)
        }
    }

    /// Reports impossible values in the record's header.
    @inline(never)
    private mutating func reportFaults() {
        let faults = frame.header.faults
        if faults.contains(.behindDamage) { report(.record(.behindDamage)) }
        if faults.contains(.originalLength) {
            report(.record(.impossibleOriginalLength(held: frame.header.capturedLength)))
        }
        if faults.contains(.timeFraction) { report(.record(.impossibleTimeFraction)) }
    }

    /// Switches to the progress of a file, and saves that of the previous one.
    @inline(never)
    private mutating func setProgress(of file: Int) {
        while progress.count <= max(file, currentFile) { progress.append(FileProgress()) }
        progress[currentFile] = current
        current = progress[file]
        currentFile = file
    }

    /// Records that the current file, a capture from the air, shows the events of its connections.
    mutating func noteAirEvents() { current.shown.insert(.events) }

    /// The packets that the current frame's file is known to contain.
    var shown: ShownPackets { current.shown }

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

    /// Longest gap between two records of one session, in nanoseconds: a day.
    static let longestGap: Int64 = 86_400 * 1_000_000_000

    /// Longest time without a packet in a capture from the air, in nanoseconds; no connection survives more,
    /// and clocks of sniffers wrap.
    static let longestSilence: Int64 = 60 * 1_000_000_000

    @inline(__always)
    private mutating func count() {
        totals.count(frame)
        // Credits come from the controller, and are not a sign of life of the peer.
        if frame.link >= 0, frame.fold != .credit {
            link.count(frame)
        }
        if !problems.isEmpty { countProblems() }
    }

    @inline(never)
    private mutating func countProblems() {
        let number = frame.link < 0 ? 0 : link.number
        let speaks = speaksProtocol(slot: frame.link)
        for index in problems.indices {
            problems[index].file = frame.place.file
            problems[index].isOnAir = isOnAir(connection: problems[index].connection)
            problems[index].answered = frame.request?.place
            // Set by `report(_:on:)`, which has counted the problem on its connection.
            let isCountedOnLink = problems[index].connection != 0
            if problems[index].connection == number { problems[index].connection = 0 }
            if frame.link >= 0, problems[index].connection == 0 {
                problems[index].device = device(of: problems[index], slot: frame.link)
                problems[index].keysHadWorked = link.keysHaveWorked
            }
            totals.count(problems[index], at: frame, link: number, speaksProtocol: speaks)
            if frame.link >= 0, !isCountedOnLink { count(problems[index], on: frame.link) }
            let connection = problems[index].connection
            remember(problems[index], connection: connection == 0 ? number : connection)
        }
    }

    /// Whether a connection was heard on the air; without one, whether the frame was.
    private func isOnAir(connection: Int) -> Bool {
        let link = connection == 0 ? nil : links.first { $0.number == connection }
        return link.map(\.isOnAir) ?? (frame.header.kind == .air)
    }

    /// Marks failures on a connection as overcome by a later success.
    ///
    /// - Parameters:
    ///   - other: the connection of the success, if that matters.
    ///   - encrypts: whether the success is that the link is encrypted.
    mutating func markOvercome(
        on connection: Int, by other: Int? = nil, encrypts: Bool = false, where isSame: (Incident) -> Bool
    ) {
        updateTotals { $0.markOvercome(on: connection, by: other, encrypts: encrypts, where: isSame) }
    }

    /// Makes a problem of a connection a failure, since it ended the connection: one of this frame or of an
    /// earlier one.
    ///
    /// - Parameter request: the request that the problem is about, if there may be several.
    mutating func raise(_ code: Problem.Code, on connection: Int, about request: FramePlace? = nil) {
        for index in problems.indices
        where problems[index].code == code && problems[index].connection == connection
            && request.map(problems[index].related.contains) ?? true
        {
            problems[index].wasRaisedToFailure = true
        }
        updateTotals { $0.raise(code, on: connection, about: request) }
    }

    private mutating func count(_ problem: Problem, on slot: Int) {
        links[slot].counts.problems &+= 1
        if links[slot].firstProblem == nil, problem.severity >= .error {
            links[slot].firstProblem = (problem.reportedAt?.frame ?? frame.number, problem.code)
        }
    }

    /// Adds a problem of a link that may not be the frame's, or that ends with this frame.
    ///
    /// - Parameter place: the position among the frame's problems, for a cause that precedes its effects.
    mutating func report(
        _ kind: Problem.Kind, by side: Problem.Party? = nil, on slot: Int, before place: Int? = nil
    ) {
        report(Problem(kind, by: side), on: slot)
        if let place, let cause = problems.popLast() { problems.insert(cause, at: place) }
    }

    /// Adds a problem of a link, see ``report(_:by:on:before:)``.
    ///
    /// - Parameter isOverdue: whether the frame only shows that the time of a request has run out.
    mutating func report(_ problem: Problem, on slot: Int, isOverdue: Bool = false) {
        var problem = problem
        problem.connection = links[slot].number
        problem.device = device(of: problem, slot: slot)
        if links[slot].endIsInferred {
            problem.reportedAt = links[slot].lastFrame
        } else if isOverdue {
            problem.reportedAt = problem.related.first
        }
        if problem.isUnanswered, problem.side == .peer {
            let adapter = adapters.indexAdding(file: links[slot].file, adapter: links[slot].adapter)
            problem.acknowledgement = links[slot].acknowledgement(at: frame.time, by: adapters[adapter])
        }
        count(problem, on: slot)
        problems.append(problem)
    }

    /// Returns the device of a link, if the problem is the link's end.
    func device(of problem: Problem, slot: Int) -> DeviceAddress? {
        problem.endsConnection ? knownPeer(slot: slot)?.address : nil
    }
}

/// Counts how often an analysis did expensive work: no input may cause it with each record.
struct Upkeep: Sendable {
    /// Number of links whose unfinished data was dropped after packets were lost.
    var losses = 0
    /// Number of searches for response characteristics without a subscription.
    var unsubscribedSearches = 0
    /// Number of times that the values enabled by configurations were computed.
    var enabledValues = 0
}

extension Analyzer {
    /// Returns the packets that the file with this index is known to contain; nil if it was not read.
    public func shownPackets(inFile file: Int) -> ShownPackets? { progress(ofFile: file)?.shown }
}
