public import Analysis
import BluetoothCore
public import CaptureFile
import UQDK
public import WireBytes

/// Writes frames as text: one line a frame, its protocol's fields below it, neighbours of no interest folded.
public struct TextRenderer: ~Copyable {
    /// What the output looks like.
    public struct Options: Sendable {
        /// Whether every frame gets its line; else advertising and housekeeping are folded.
        public var showsAll = false
        /// Whether escape sequences for colour are written.
        public var usesColor = false
        /// Whether frames are numbered with their file as well.
        public var namesFile = false
        /// Whether frames name their adapter from the first one on; else from where a second one is met.
        public var namesAdapter = false

        public init() {}
    }

    /// What the output looks like.
    public var options: Options
    /// Where the text goes; the caller drains it.
    public var out: TextBuffer
    /// What stands in for `out` while a printer holds it.
    var standIn: TextBuffer? = TextBuffer(capacity: 256)
    var start: CaptureTime?
    private var clock = ElapsedClock()
    /// The adapter that the line under way is to name; all ones for none.
    private var namedAdapter: UInt16 = 0xFFFF
    var run = FoldedRun()
    var hiddenCredits = 0
    /// Whether frames were counted instead of shown.
    public internal(set) var hasFolded = false
    /// The session that was shown last: its connection and where it stood.
    var shownSession: (link: Int, state: UQDKSessionState)?
    var labelTexts = LabelTexts()
    /// Texts of advertising data; a printer has them while it shows fields.
    var keptTexts: KeptTexts? = KeptTexts()

    public init(_ options: Options = Options()) {
        self.options = options
        out = TextBuffer()
    }

    /// Writes the line of what the columns are.
    public mutating func header() {
        let begin = out.count
        out.put("frame")
        out.pad(from: begin, to: Column.time + 2)
        out.put("time s")
        out.pad(from: begin, to: Column.direction)
        out.put("dir")
        out.pad(from: begin, to: Column.peer)
        out.put("peer")
        out.pad(from: begin, to: Column.layer)
        out.put("layer")
        out.pad(from: begin, to: Column.meaning)
        out.put("meaning\n")
    }

    /// Writes what the analyser's last frame means.
    public mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if start == nil { start = analyzer.totals.start ?? record.header.time }
        if !options.showsAll, analyzer.problems.isEmpty, analyzer.frame.fold != .none, !hasComment(record) {
            if analyzer.frame.fold == .credit {
                hiddenCredits &+= 1
                return
            }
            if run.takes(analyzer.frame) { return run.add(analyzer.frame) }
            endRun()
            return run.add(analyzer.frame)
        }
        endRun()
        line(record, analyzer)
    }

    /// Writes what is still folded, and what was left out.
    public mutating func finish() {
        endRun()
        guard hiddenCredits > 0 else { return }
        hasFolded = true
        out.put("not shown: ")
        out.decimal(hiddenCredits)
        out.put(" Number Of Completed Packets events (--all shows them)\n")
    }
}

/// What a part of the output is, for those who read in colour.
enum TextTint {
    case error, warning, folded, annotation

    var sequence: StaticText {
        switch self {
        case .error: "\u{1B}[31m"
        case .warning: "\u{1B}[33m"
        case .folded: "\u{1B}[2m"
        case .annotation: "\u{1B}[36m"
        }
    }
}

extension TextRenderer {
    /// Starts a coloured part, where colours are wanted.
    mutating func tint(_ tint: TextTint) {
        if options.usesColor { out.put(tint.sequence) }
    }

    /// Ends a coloured part.
    mutating func untint() {
        if options.usesColor { out.put("\u{1B}[0m") }
    }
}

/// Where the columns of a line start.
enum Column {
    static let time = 8
    static let direction = 20
    static let peer = 24
    static let layer = 43
    static let meaning = 49
}

extension TextRenderer {
    /// The line of one frame and the lines below it.
    mutating func line(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        columns(record, analyzer)
        joinedLines(analyzer)
        commentLines(record)
        if analyzer.frame.reports > 0 { advertisingLines(record, analyzer) }
        if analyzer.isAnnotated { annotationLines(analyzer) }
        if !analyzer.problems.isEmpty { problemLines(analyzer.problems) }
    }

    // A frame is large: handed over by itself it would be copied, so parts of it are taken where needed.
    private mutating func columns(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let begin = out.count
        if options.namesFile {
            out.decimal(Int(analyzer.frame.header.file) + 1)
            out.put(0x3A)
        }
        out.decimal(UInt64(analyzer.frame.number), width: max(0, 7 - (out.count - begin)))
        out.put(0x20)
        time(analyzer.frame.time)
        out.pad(from: begin, to: Column.direction)
        direction(analyzer.frame.direction, isInferred: analyzer.frame.directionIsInferred)
        out.pad(from: begin, to: Column.peer)
        peer(analyzer)
        out.pad(from: begin, to: Column.layer)
        if options.namesAdapter || analyzer.hasSeveralAdapters {
            namedAdapter = analyzer.frame.header.adapter
        }
        meaning(record, analyzer)
        out.put(0x0A)
    }

    /// Seconds since the first record, with six digits.
    mutating func time(_ time: CaptureTime) {
        clock.put(since: time.nanoseconds &- (start ?? time).nanoseconds, into: &out)
    }

    private mutating func direction(_ direction: Direction, isInferred: Bool) {
        switch direction {
        case .hostToController: out.put("tx")
        case .controllerToHost: out.put("rx")
        case .unknown: out.put("?")
        }
        if isInferred { out.put(0x7E) }
    }

    private mutating func peer(_ analyzer: borrowing Analyzer) {
        let link = analyzer.frame.link
        if link >= 0 {
            if let address = analyzer.links[link].address { return out.put(address) }
            out.put("handle ")
            out.hexNumber(UInt64(analyzer.links[link].handle), digits: 4)
        } else if let address = analyzer.frame.peer {
            out.put(address)
        } else {
            out.put(0x2D)
        }
    }

    /// Inlined, as what is known of its length makes it two stores.
    @inline(__always)
    mutating func layer(_ name: StaticText) {
        let begin = out.count
        out.put(name)
        out.pad(from: begin, to: Column.meaning - Column.layer)
        if namedAdapter != 0xFFFF { nameAdapter() }
    }

    @inline(never)
    private mutating func nameAdapter() {
        out.put("[hci")
        out.decimal(Int(namedAdapter))
        out.put("] ")
        namedAdapter = 0xFFFF
    }
}

/// Frames of no interest, counted instead of shown.
struct FoldedRun {
    var first = 0
    var last = 0
    var count = 0
    var file = 0
    var firstTime = CaptureTime(nanoseconds: 0)
    var lastTime = CaptureTime(nanoseconds: 0)
    var advertising = 0
    var reports = 0
    var housekeeping = 0
    var fragments = 0
    var notes = 0
    /// The addresses that advertised in the run, as far as they fit.
    var addresses: [UInt64] = []
    static let addressLimit = 64

    /// Whether the frame goes on with this run.
    func takes(_ frame: Frame) -> Bool { count == 0 || frame.file == file }

    mutating func add(_ frame: Frame) {
        if count == 0 {
            first = frame.number
            firstTime = frame.time
            file = frame.file
        }
        last = frame.number
        lastTime = frame.time
        count += 1
        switch frame.fold {
        case .advertising:
            advertising += 1
            reports += frame.reports
            if let peer = frame.peer?.value, addresses.last != peer, addresses.count < Self.addressLimit,
                !addresses.contains(peer)
            {
                addresses.append(peer)
            }
        case .fragment: fragments += 1
        case .note: notes += 1
        case .housekeeping, .credit, .none: housekeeping += 1
        }
    }

    mutating func reset() {
        let kept = addresses
        self = FoldedRun()
        addresses = kept
        addresses.removeAll(keepingCapacity: true)
    }
}

extension TextRenderer {
    /// The counted line of a run of folded frames.
    mutating func endRun() {
        guard run.count > 0 else { return }
        hasFolded = true
        tint(.folded)
        let begin = out.count
        if run.count == 1 {
            out.decimal(UInt64(run.first), width: 7)
        } else {
            out.decimal(run.first)
            out.put("\u{2013}")
            out.decimal(run.last)
        }
        // The dash is one column and three octets.
        let extra = run.count == 1 ? 0 : 2
        out.pad(from: begin, to: Column.time + extra)
        time(run.firstTime)
        out.pad(from: begin, to: Column.layer + extra)
        out.put("\u{2026} ")
        var isFirst = true
        part(run.reports, "advertising report", &isFirst)
        if run.reports > 0 {
            out.put(" from ")
            out.decimal(run.addresses.count)
            out.put(run.addresses.count == FoldedRun.addressLimit ? "+ addresses" : " address")
            if run.addresses.count != 1 && run.addresses.count != FoldedRun.addressLimit { out.put("es") }
        }
        part(run.housekeeping, "HCI housekeeping packet", &isFirst)
        part(run.fragments, "fragment", &isFirst)
        part(run.notes, "recorder's note", &isFirst)
        if run.count > 1 {
            out.put(", ")
            TextValues.put(
                duration: run.lastTime.nanoseconds &- run.firstTime.nanoseconds, into: &out)
        }
        untint()
        out.put(0x0A)
        run.reset()
    }

    private mutating func part(_ count: Int, _ what: StaticText, _ isFirst: inout Bool) {
        guard count > 0 else { return }
        if !isFirst { out.put(", ") }
        out.decimal(count)
        out.put(0x20)
        out.put(what)
        if count != 1 { out.put(0x73) }
        isFirst = false
    }
}
