import Analysis
import CaptureFile
import WireBytes

@testable import Rendering

/// A few records made of octets, and what each output makes of them.
struct Shown {
    private var records: [(header: RecordHeader, octets: [UInt8])] = []
    /// The time of the next record, in nanoseconds.
    var now: Int64 = 1_700_000_000_000_000_000
    /// The index of the next record's file.
    var file: UInt16 = 0
    /// Packets that the recorder has lost before the next record.
    var drops: UInt32 = 0
    /// The files that are named, where there are several.
    var names: [String] = []
    /// Whether the files are parts of one log.
    var isOneLog = false

    @discardableResult
    mutating func add(
        _ kind: RecordKind, _ direction: Direction, _ hex: String, original: Int? = nil, adapter: UInt16 = 0
    ) -> Int {
        let octets = Self.octets(hex)
        now += 1_000_000
        let header = RecordHeader(
            number: records.count { $0.header.file == file } + 1, fileOffset: 0,
            time: CaptureTime(nanoseconds: now), adapter: adapter,
            kind: kind, direction: direction, originalLength: original ?? octets.count,
            capturedLength: octets.count, cumulativeDrops: drops, file: file)
        records.append((header, octets))
        return header.number
    }

    /// How many records there are.
    var count: Int { records.count }

    mutating func event(_ hex: String) { add(.event, .controllerToHost, hex) }

    /// A connection by handle 0x0040 that the host made.
    mutating func connect() {
        event("3E 13 01 00 4000 00 00 665544332211 1800 0000 F401 00")
    }

    /// An ATT PDU on it.
    mutating func att(_ direction: Direction, _ hex: String, original: Int? = nil) {
        let pdu = Self.octets(hex)
        let length = original ?? pdu.count
        let flags: UInt8 = direction == .hostToController ? 0x00 : 0x20
        let head = [0x40, flags, UInt8(length + 4), 0, UInt8(length), 0, 4, 0]
        add(.acl, direction, Hex.text(head + pdu), original: length + 8)
    }

    /// An advertising report with these data.
    mutating func advertise(_ data: String) {
        let data = Self.octets(data)
        let head: [UInt8] = [0x3E, UInt8(data.count + 12), 2, 1, 0, 0]
        let address = Self.octets("665544332211")
        event(Hex.text(head + address + [UInt8(data.count)] + data + [0xC8]))
    }

    /// The lines of text of all records, unfolded; without the columns before the layer.
    func text(all: Bool = true) -> [String] {
        lines(all: all).map { String($0.dropFirst(Columns.wide.layer)) }
    }

    /// The lines of text of the records from the one with this number on.
    func lines(
        all: Bool = true, from first: Int = 1, _ change: (inout TextRenderer.Options) -> Void = { _ in }
    ) -> [String] {
        var options = TextRenderer.Options()
        options.showsAll = all
        options.namesFile = names.count > 1
        change(&options)
        var renderer = TextRenderer(options)
        var analyzer = Analyzer()
        for (header, octets) in records {
            let record = Record(header, octets.borrowedOctets)
            analyzer.analyze(record, file: isOneLog ? 0 : Int(header.file))
            if header.number >= first { renderer.render(record, analyzer) }
        }
        renderer.finish()
        let text = String(decoding: renderer.out.octets.copied(), as: UTF8.self)
        return text.split(separator: "\n").map { String($0) }
    }

    /// Hands over each record with what it means.
    func each(_ body: (borrowing Record, borrowing Analyzer) -> Void) {
        var analyzer = Analyzer()
        for (header, octets) in records {
            let record = Record(header, octets.borrowedOctets)
            analyzer.analyze(record, file: isOneLog ? 0 : Int(header.file))
            body(record, analyzer)
        }
    }

    /// The lines of the verdict, wide enough for all; where frames are chosen about those.
    func verdict(
        _ knowledge: AnalysisKnowledge = AnalysisKnowledge(), choosing chosen: ClosedRange<Int>? = nil,
        without leftOut: Int = 0, style: Verdict.Style = Verdict.Style(width: 10_000)
    ) -> [String] {
        var analyzer = Analyzer(knowledge)
        if chosen != nil { analyzer.beginSelection() }
        for (header, octets) in records {
            analyzer.analyze(Record(header, octets.borrowedOctets), file: isOneLog ? 0 : Int(header.file))
            let isChosen = chosen?.contains(header.number) == true && header.number != leftOut
            if isChosen { analyzer.select() } else { analyzer.passOver() }
        }
        analyzer.finish()
        var out = TextBuffer(capacity: 4096)
        let files = names.count > 1 ? names : ["made"]
        Verdict.put(
            files.map { CaptureInfo(name: $0, format: .btsnoop) }, analyzer,
            style: style, into: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The log's line among several, and what the exit status is made of.
    func line() -> (line: LogLine, counts: Verdict.Counts) {
        var analyzer = Analyzer()
        for (header, octets) in records {
            analyzer.analyze(Record(header, octets.borrowedOctets), file: Int(header.file))
        }
        analyzer.finish()
        let files = [CaptureInfo(name: "made", format: .btsnoop)]
        return (LogLine(files, analyzer, ReadingDamage()), Verdict.Counts(analyzer))
    }

    /// The lines of the report, wide enough for all.
    func report() -> [String] {
        var analyzer = Analyzer()
        for (header, octets) in records {
            analyzer.analyze(Record(header, octets.borrowedOctets), file: Int(header.file))
        }
        analyzer.finish()
        var out = TextBuffer(capacity: 4096)
        Report.put(
            [CaptureInfo(name: "made", format: .btsnoop)], analyzer, style: Verdict.Style(width: 10_000),
            into: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What the verdict says of each failure, without its number, and without the first lines' mark.
    func failures(_ knowledge: AnalysisKnowledge = AnalysisKnowledge()) -> [String] {
        verdict(knowledge).compactMap { line in
            let words = line.drop { $0 == " " }
            guard words.first == "\u{2717}" else { return nil }
            return String(words.dropFirst(2).drop { $0.isNumber }.drop { $0 == " " })
        }
    }

    /// The lines of NDJSON about connections.
    func connections() throws -> [JSONValue] {
        try values(toEnd: true).filter { $0["kind"]?.text == "connection" }
    }

    /// The NDJSON of all records, and whether each is what the schema says; to the end with the lines after
    /// the frames.
    func values(toEnd: Bool = false) throws -> [JSONValue] {
        let schema = try NDJSONRendererTests.schema()
        var renderer = NDJSONRenderer()
        for name in names.isEmpty ? ["made"] : names {
            renderer.begin(CaptureInfo(name: name, format: .btsnoop))
        }
        renderer.out.clear()
        var analyzer = Analyzer()
        for (header, octets) in records {
            let record = Record(header, octets.borrowedOctets)
            analyzer.analyze(record, file: isOneLog ? 0 : Int(header.file))
            renderer.render(record, analyzer)
        }
        if toEnd {
            analyzer.finish()
            renderer.finish(analyzer, ReaderTally())
        }
        return try String(decoding: renderer.out.octets.copied(), as: UTF8.self).split(separator: "\n").map {
            let value = try JSONValue($0.utf8)
            let problems = schema.problems(of: value)
            if !problems.isEmpty { throw NotOfSchema(problems: problems, line: String($0)) }
            return value
        }
    }

    struct NotOfSchema: Error {
        var problems: [String]
        var line: String
    }

    static func octets(_ hex: String) -> [UInt8] {
        (try? Hex.octets(hex.filter { $0 != " " })) ?? []
    }
}
