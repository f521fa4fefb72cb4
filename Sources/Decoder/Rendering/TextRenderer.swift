public import Analysis
import BluetoothCore
public import CaptureFile
public import WireBytes

/// Writes frames as text: a line for each frame, details below it, and unimportant neighbors folded.
public struct TextRenderer: ~Copyable {
    /// Options for the appearance of the output.
    public struct Options: Sendable {
        /// Whether every frame has a line; otherwise advertising and housekeeping are folded.
        public var showsAll = false
        /// Whether escape sequences for color are written.
        public var usesColor = false
        /// Whether frame numbers include their file.
        public var namesFile = false
        /// Whether frames always name their adapter; otherwise only after a second adapter appears.
        public var namesAdapter = false
        /// Maximum columns of a line; nil for whole lines.
        public var width: Int? { didSet { isCompact = width != nil } }
        /// Whether UUIDs of 128 bits are shortened, and values come before the labels of their attributes.
        var isCompact = false
        /// Whether lines have the peer's address; otherwise they have the connection's number.
        public var namesPeer = true
        /// Whether labels of attributes name their source.
        public var showsSources = true
        /// Whether a line says how much time passed since the last frame, if that is long.
        public var showsPauses = true
        /// Whether a response names its request, and a notification the write before it.
        var showsRequests = true
        /// Whether the frame is shown on the page, which has the frame's line and problems in other places.
        var isForPage = false
        /// The time shown for a frame.
        public var time = TimeStyle.relative
        /// Whether the files have times.
        public var hasTimes = true

        /// Whether the verdict's failures include the usual meaning of their codes.
        public var explains = false

        public init() {}

        /// The style of a verdict above lines with these options.
        public var verdictStyle: Verdict.Style {
            Verdict.Style(width: width ?? 100, usesColor: usesColor, explains: explains)
        }
    }

    /// The time shown for a frame.
    public enum TimeStyle: String, CaseIterable, Sendable {
        /// Seconds since the first record.
        case relative
        /// The time of day, UTC.
        case clock
        /// Seconds since the previously shown frame.
        case delta
    }

    /// The output options.
    public var options: Options
    /// Output buffer; the caller drains it.
    public var out: TextBuffer
    /// The replacement for `out` while a field printer holds it.
    var standIn: TextBuffer? = TextBuffer(capacity: 256)
    var start: CaptureTime?
    /// The time of the last frame shown.
    private var shownTime: CaptureTime?
    /// Start of the current line.
    var lineStart = 0
    /// Indices of the frame's annotations whose fields are shown with their bytes already.
    var placedAnnotations: Set<Int> = []
    /// The part of the current line that stays when the line is cut, such as a failure's status.
    var keptWhenCut: Range<Int>?
    /// The end of the PDU's name in the current line.
    var nameEnd: Int?
    /// Start of the fields that were printed first; nil without any.
    var fieldsStart: Int?
    /// The first place with bytes that no field shows; nil without any so far.
    var octetsStart: Int?
    /// Start of each column of a line.
    let columns: Columns
    private var clock = ElapsedClock()
    /// The adapter that the current line names; 0xFFFF for none.
    private var namedAdapter: UInt16 = 0xFFFF
    var run = FoldedRun()
    var hiddenCredits = 0
    /// Number of hidden packets on the air that are empty or retransmissions.
    var hiddenSilence = 0
    /// Whether any frame was counted instead of shown.
    public internal(set) var hasFolded = false
    /// The last session state shown, with its connection.
    var shownSession: (link: Int, state: String)?
    var labelTexts = LabelTexts()
    /// Cache of the texts of advertising data; a field printer holds it while it prints fields.
    var keptTexts: KeptTexts? = KeptTexts()

    public init(_ options: Options = Options()) {
        let isSlim = options.width.map { $0 < Columns.slimWidth } ?? false
        self.init(options, columns: options.namesPeer ? .wide : isSlim ? .slim : .narrow)
    }

    init(_ options: Options, columns: Columns) {
        self.options = options
        self.columns = columns
        out = TextBuffer()
    }

    /// Writes the column headings.
    public mutating func header() {
        let begin = out.count
        out.put("frame")
        out.pad(from: begin, to: columns.time + 2)
        out.put(options.time == .clock ? "time UTC" : options.time == .delta ? "after s" : "time s")
        out.pad(from: begin, to: columns.direction)
        out.put("dir")
        out.pad(from: begin, to: columns.peer)
        out.put(options.namesPeer ? "peer" : "conn")
        out.pad(from: begin, to: columns.layer)
        out.put("layer")
        guard (options.width ?? .max) >= columns.meaning + 7 else { return out.put(0x0A) }
        out.pad(from: begin, to: columns.meaning)
        out.put("meaning\n")
    }

    /// Writes the verdict.
    public mutating func verdict(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage = ReadingDamage()
    ) {
        Verdict.put(files, analyzer, damage, style: options.verdictStyle, into: &out)
    }

    /// Writes the analyzer's last frame, or counts it if it is folded.
    public mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        lineStart = out.count
        let start = analyzer.totals.start ?? record.header.time
        if start != self.start {
            // Log messages before the first HCI record have times of another clock.
            if self.start != nil { endRun() }
            self.start = start
            lineStart = out.count
        }
        if !options.showsAll, analyzer.problems.isEmpty, !hasComment(record),
            analyzer.frame.fold != .none || Self.saysNothing(record, analyzer)
        {
            if analyzer.frame.fold == .credit {
                hiddenCredits &+= 1
                return
            }
            if analyzer.frame.fold == .silent {
                hiddenSilence &+= 1
                return
            }
            if run.takes(analyzer.frame) { return run.add(analyzer.frame) }
            endRun()
            return run.add(analyzer.frame)
        }
        endRun()
        pause(before: record.header.time)
        line(record, analyzer)
    }

    /// Nanoseconds between two shown frames from which on a line says how long nothing was shown.
    private static let longPause: Int64 = 5_000_000_000

    /// Writes how much time has passed since the last frame, if that is long.
    private mutating func pause(before time: CaptureTime) {
        guard options.hasTimes, options.showsPauses, !options.isForPage, options.time != .delta, let shownTime
        else { return }
        let passed = time.nanoseconds &- shownTime.nanoseconds
        guard passed >= Self.longPause else { return }
        tint(.folded)
        out.fill(0x20, count: columns.folded)
        put(duration: passed, after: "")
        out.put(" later")
        untint()
        endLine()
    }

    /// Writes the counts of folded and hidden frames that are still due.
    public mutating func finish() {
        lineStart = out.count
        endRun()
        hidden(hiddenCredits, "Number Of Completed Packets events")
        hidden(hiddenSilence, "empty packets and retransmissions")
    }

    private mutating func hidden(_ count: Int, _ what: StaticText) {
        guard count > 0 else { return }
        hasFolded = true
        let line = "not shown: \(count) \(what) (--all shows them)"
        for part in line.wrapped(to: options.width ?? .max, indent: 2) { out.put("\(part)\n") }
    }
}

extension TextRenderer {
    /// Starts a colored part, if colors are on.
    mutating func tint(_ tint: TextTint) {
        if options.usesColor { out.put(tint.sequence) }
    }

    mutating func untint() {
        if options.usesColor { out.put(TextTint.end) }
    }
}

/// Start of each column of a line.
struct Columns {
    let time = 8
    let direction = 20
    let peer = 24
    let layer: Int
    let meaning: Int
    /// Start of the counts of folded frames, and of the lines below a frame.
    let folded: Int
    let below: Int

    init(layer: Int, meaning: Int, folded: Int? = nil, below: Int? = nil) {
        (self.layer, self.meaning) = (layer, meaning)
        (self.folded, self.below) = (folded ?? layer, below ?? layer)
    }

    /// Start of what belongs to a line below a frame.
    var belowMeaning: Int { below + meaning - layer }

    static let layerWidth = 6
    /// Columns with the peer's address.
    static let wide = Columns(layer: 43, meaning: 49)
    /// Columns with only the connection's number.
    static let narrow = Columns(layer: 29, meaning: 35)
    /// Columns for lines of less than ``slimWidth`` columns.
    static let slim = Columns(layer: 29, meaning: 35, folded: 20, below: 8)
    static let slimWidth = 90
    /// The width below which long lines are wrapped: cut ones would show too little of a frame.
    static let shortWidth = 72
    /// Columns of the lines below the layers of a frame that is shown in full.
    static let detail = Columns(layer: 2, meaning: 4)
}

extension TextRenderer {
    /// Ends the current line, and cuts it if it is too long.
    mutating func endLine() {
        if let width = options.width, isTooLong { cut(to: width) }
        out.put(0x0A)
        lineStart = out.count
    }

    /// Whether the current line has more bytes than the width allows.
    var isTooLong: Bool { out.count &- lineStart > options.width ?? .max }

    /// Cuts the current line if it has more columns than the width.
    private mutating func cut(to width: Int) {
        if width >= Columns.shortWidth || !continueBelow(width) { shortenName(to: width) }
        guard let end = out.octets.dropping(lineStart).lastColumn(of: width) else { return }
        out.truncate(to: lineStart &+ end)
        out.put("\u{2026}")
        untint()
    }
}

extension TextRenderer {
    /// Columns of a PDU's name that are never cut, and the longest name kept whole without ``keptWhenCut``.
    private static let (leastName, wholeName) = (8, 16)

    /// Cuts the end of the PDU's name if the keptWhenCut text would not fit after it.
    private mutating func shortenName(to width: Int) {
        let decides = keptWhenCut != nil
        if keptWhenCut == nil, width < Columns.slimWidth, let fieldsStart, fieldsStart > lineStart,
            !out.copied(from: fieldsStart).drop(while: { $0 == 0x20 }).starts(with: "status=0x00".utf8)
        {
            // Where the name has most of the line, its first field would be lost.
            keptWhenCut = fieldsStart..<min(out.count, fieldsStart + TextFieldPrinter.statusLength)
        }
        guard let keptWhenCut, keptWhenCut.upperBound <= out.count else { return }
        let end = nameEnd ?? keptWhenCut.lowerBound
        let isLast = keptWhenCut.upperBound == out.count
        let excess = keptWhenCut.upperBound - lineStart - (isLast ? width : width - 1)
        let nameStart = lineStart + columns.meaning
        let isShort = !decides && end - nameStart <= Self.wholeName
        let start = nameStart + (isShort ? Self.wholeName : Self.leastName)
        guard excess > 0, end > start else { return }
        let rest = out.copied(from: end)
        out.truncate(to: max(start, end - excess - 1))
        out.put("\u{2026}")
        out.put(rest)
    }

    /// Writes the line of one frame and the lines below it.
    mutating func line(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        columns(record, analyzer)
        joinedLines(analyzer)
        commentLines(record)
        if analyzer.frame.reports > 0 { advertisingLines(record, analyzer) }
        if !analyzer.annotations.isEmpty { annotationLines(analyzer.annotations, analyzer) }
        if !analyzer.problems.isEmpty { problemLines(analyzer.problems) }
    }

    /// Writes what is known of a frame shown in full, beyond its own bytes.
    mutating func meaning(below record: borrowing Record, _ analyzer: borrowing Analyzer) {
        joinedLines(analyzer)
        if analyzer.frame.reports > 0 { advertisingLines(record, analyzer) }
        if !analyzer.annotations.isEmpty, !options.isForPage || sayMore(analyzer.annotations) {
            out.put("protocol above ATT\n")
            annotationLines(analyzer.annotations, analyzer)
        }
        if !options.isForPage, !analyzer.problems.isEmpty {
            out.put("problems\n")
            problemLines(analyzer.problems)
        }
    }

    // `Frame` is large: functions get the fields that they need, since passing the frame would copy it.
    private mutating func columns(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let begin = out.count
        (keptWhenCut, nameEnd, fieldsStart) = (nil, nil, nil)
        if options.namesFile {
            out.decimal(Int(analyzer.frame.header.file) + 1)
            out.put(0x3A)
        }
        out.decimal(UInt64(analyzer.frame.number), width: max(0, 7 - (out.count - begin)))
        out.put(0x20)
        frameTime(analyzer.frame.time)
        out.pad(from: begin, to: columns.direction)
        direction(analyzer.frame.direction, isInferred: analyzer.frame.directionIsInferred)
        out.pad(from: begin, to: columns.peer)
        if options.namesPeer { peer(analyzer) } else { connection(analyzer) }
        out.pad(from: begin, to: columns.layer)
        if options.namesAdapter || analyzer.hasSeveralAdapters {
            namedAdapter = analyzer.frame.header.adapter
        }
        meaning(record, analyzer)
        endLine()
    }

    /// Writes the time in the selected style; seconds have six digits.
    mutating func frameTime(_ time: CaptureTime) {
        guard options.hasTimes else { return }
        switch options.time {
        case .relative: clock.put(since: time.nanoseconds &- (start ?? time).nanoseconds, into: &out)
        case .delta: clock.put(since: time.nanoseconds &- (shownTime ?? time).nanoseconds, into: &out)
        case .clock: out.put(timeOfDay: time, digits: 3)
        }
        shownTime = time
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
            // The column has room for an address.
            out.put(analyzer.links[link].handleText(onAir: "access"))
        } else if let address = analyzer.frame.peer {
            out.put(address)
        } else {
            out.put(0x2D)
        }
    }

    private mutating func connection(_ analyzer: borrowing Analyzer) {
        if analyzer.frame.link >= 0 { out.decimal(analyzer.links[analyzer.frame.link].number) }
    }

    /// Inlined, since with a known length it takes two stores.
    @inline(__always)
    mutating func layer(_ name: StaticText) {
        let begin = out.count
        out.put(name)
        out.pad(from: begin, to: Columns.layerWidth)
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

/// A run of unimportant frames, which are counted instead of shown.
struct FoldedRun {
    /// The numbers of its first and last frame.
    var first = 0
    var last = 0
    var count = 0
    var file = 0
    var firstTime = CaptureTime(nanoseconds: 0)
    var lastTime = CaptureTime(nanoseconds: 0)
    var advertising = 0
    var reports = 0
    var housekeeping = 0
    var noise = 0
    var fragments = 0
    var notes = 0
    /// The addresses that advertised during the run, up to ``addressLimit``.
    var addresses: [UInt64] = []
    static let addressLimit = 64

    /// Whether the frame can join this run.
    ///
    /// On the air, advertising and fragments never share a run: a connection's last packet would vanish.
    func takes(_ frame: Frame) -> Bool {
        guard count > 0 else { return true }
        let mixesAdvertisingAndFragments =
            frame.header.kind == .air
            && (frame.fold == .fragment && advertising > 0 || frame.fold == .advertising && fragments > 0)
        return frame.file == file && !mixesAdvertisingAndFragments
    }

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
        case .noise: noise += 1
        case .housekeeping, .credit, .silent, .none: housekeeping += 1
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
    /// Writes the line with the counts of the folded frames.
    mutating func endRun() {
        guard run.count > 0 else { return }
        hasFolded = true
        pause(before: run.firstTime)
        tint(.folded)
        let begin = out.count
        if run.count == 1 {
            out.decimal(UInt64(run.first), width: 7)
        } else {
            out.decimal(run.first)
            out.put("\u{2013}")
            out.decimal(run.last)
        }
        // The dash takes one column, but three bytes.
        let extra = run.count == 1 ? 0 : 2
        out.pad(from: begin, to: columns.time + extra)
        frameTime(run.firstTime)
        shownTime = run.lastTime
        out.pad(from: begin, to: columns.folded + extra)
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
        part(run.noise, "wrong CRC", &isFirst)
        part(run.fragments, "fragment", &isFirst)
        part(run.notes, "log message", &isFirst)
        put(duration: run.lastTime.nanoseconds &- run.firstTime.nanoseconds, after: ", ")
        untint()
        endLine()
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
