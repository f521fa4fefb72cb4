public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
public import WireBytes

/// Collects frames for one self-contained page of HTML: for each its line of NDJSON, its layers and its bytes
/// without keys, packed in blocks that the page unpacks when they are viewed.
public struct PageRenderer: ~Copyable {
    private var json = NDJSONRenderer()
    private var detail = FrameDetail(usesColor: false)
    private var text = TextRenderer()
    private var scratch = TextBuffer()
    /// The lines of NDJSON about files.
    private var heads: [[UInt8]] = []
    private var fragments = PageFragments()
    private(set) var frames = PagePack(name: "frames", rows: 256)
    private(set) var index = PagePack(name: "index", rows: 4096)
    /// The devices of the frames by their addresses, and their indices.
    private var devices: [DeviceAddress] = []
    private var deviceNumbers: [DeviceAddress: Int] = [:]
    private var first: CaptureTime?
    private let limit: Int
    private var omitted = PageOmission()
    /// Sentences about the logs, shown below the verdict.
    public var notes: [String] = []
    /// Whether the verdict's failures include the usual meaning of their codes.
    public var explains = true

    /// - Parameter limit: the approximate size of the page in bytes. From half of it on, folded frames
    ///   (advertising, housekeeping) are left out, and after seven eighths all frames.
    public init(limit: Int = 12_000_000) { self.limit = limit }

    /// Adds a file; with several files, all of them before the first frame.
    public mutating func begin(_ file: CaptureInfo) {
        json.begin(file)
        detail.begin(file)
        takeHead()
    }

    /// Adds the error of a file that could not be read, or not to its end.
    public mutating func problem(_ error: CaptureFileError) {
        json.problem(error)
        takeHead()
    }

    private mutating func takeHead() {
        heads.append(json.out.copied(from: 0))
        json.out.clear()
    }

    /// Adds the analyzer's last frame, which was made from `record`.
    public mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if first == nil { first = analyzer.totals.start ?? record.header.time }
        let isFragment = record.header.kind == .acl
        let mayShow = isFragment && fragments.mayShow(record.octets, record.header)
        let size = frames.size + index.size
        let isFolded = analyzer.frame.fold != .none && analyzer.problems.isEmpty
        guard size < limit / 8 * 7, !isFolded || size < limit / 2 else {
            return omitted.add(analyzer.frame.place, isFolded: isFolded)
        }
        let rssi = frame(record, analyzer, mayShow: mayShow)
        row(record, analyzer, isFolded: isFolded, rssi: rssi)
    }

    // MARK: A frame

    /// Adds everything about the frame; returns the RSSI that it reports.
    private mutating func frame(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, mayShow: Bool
    ) -> Int? {
        let isJoined = Self.isJoined(analyzer)
        detail.out.clear()
        detail.layers(record, analyzer)
        let layers = PageFrame(detail: detail.out.copied(from: 0), isJoined: isJoined)
        detail.out.clear()
        detail.meaning(record, analyzer)
        json.render(record, analyzer)
        // Without the line end.
        json.out.truncate(to: json.out.count - 1)
        let line = json.out.copied(from: 0)
        json.out.clear()
        frames.begin()
        frames.out.put("{\"json\":")
        frames.out.put(line)
        frames.out.put(",\"lines\":")
        layers.put(into: &frames.out)
        frames.out.put(",\"bytes\":")
        let octets = record.octets
        let isPart = record.header.kind == .acl && (isJoined || analyzer.frame.l2cap == nil)
        let shown = layers.shown(of: octets.byteCount, isJoined: false)
        frames.out.jsonHex(octets, shown: isPart && mayShow ? shown.map { _ in true } : shown)
        if isJoined { joined(layers, record, analyzer) }
        if detail.out.count > 0 {
            frames.out.put(",\"meaning\":")
            frames.put(detail.out)
        }
        frames.out.put("}")
        frames.end()
        return record.header.kind == .event ? Self.rssi(line) : nil
    }

    /// Writes the reassembled PDU; its header is in its first frame.
    private mutating func joined(
        _ layers: PageFrame, _ record: borrowing Record, _ analyzer: borrowing Analyzer
    ) {
        guard let pdu = analyzer.frame.l2cap else { return }
        let payload = analyzer.payload(in: record)
        let shown = layers.shown(of: pdu.headerLength + payload.byteCount, isJoined: true)
        frames.out.put(",\"start\":")
        frames.out.decimal(pdu.headerLength)
        frames.out.put(",\"joined\":")
        frames.out.jsonHex(payload, shown: Array(shown.dropFirst(pdu.headerLength)))
    }

    private static func isJoined(_ analyzer: borrowing Analyzer) -> Bool {
        if case .some(let pdu) = analyzer.frame.l2cap, case .assembly = pdu.place { true } else { false }
    }

    /// The first RSSI in a line; within a string, the quotes would be escaped.
    private static func rssi(_ line: [UInt8]) -> Int? {
        var at = 0
        while at + name.count < line.count {
            if line[at] == name[0], (1..<name.count).allSatisfy({ line[at + $0] == name[$0] }) {
                let digits = line[(at + name.count)...].prefix { $0 == 0x2D || 0x30...0x39 ~= $0 }
                return Int(String(decoding: digits, as: UTF8.self))
            }
            at += 1
        }
        return nil
    }

    private static let name = Array(",\"rssi\":".utf8)

    // MARK: Row in the list

    private mutating func row(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, isFolded: Bool, rssi: Int?
    ) {
        let device = device(analyzer)
        index.begin()
        index.out.put("[")
        index.out.decimal(analyzer.frame.number)
        index.out.put(0x2C)
        index.out.decimal(Int(analyzer.frame.header.file))
        index.out.put(0x2C)
        let since = analyzer.frame.time.nanoseconds &- (first ?? analyzer.frame.time).nanoseconds
        index.out.decimal(Int(since / 1000))
        index.out.put(0x2C)
        index.out.decimal(analyzer.frame.link >= 0 ? analyzer.links[analyzer.frame.link].number : 0)
        index.out.put(0x2C)
        index.out.decimal(device)
        index.out.put(0x2C)
        index.out.decimal(Int(analyzer.frame.direction.rawValue))
        index.out.put(isFolded ? ",1," : ",0,")
        if let rssi { index.out.decimal(rssi) } else { index.out.put("null") }
        index.out.put(0x2C)
        text.out.clear()
        text.meaning(record, analyzer)
        index.put(text.out)
        index.out.put(0x2C)
        scratch.clear()
        for (place, annotation) in analyzer.annotations.enumerated() {
            if place > 0 { scratch.put(", ") }
            annotation.put(summary: &scratch)
        }
        index.put(scratch)
        index.out.put(0x2C)
        index.out.jsonString(analyzer.problems.map(\.sentence).joined(separator: "; "))
        index.out.put(0x2C)
        if let request = analyzer.frame.request {
            index.out.decimal(Int(request.latency / 1000))
        } else {
            index.out.put("null")
        }
        index.out.put("]")
        index.end()
    }

    /// The index of the frame's device; -1 for none.
    private mutating func device(_ analyzer: borrowing Analyzer) -> Int {
        let link = analyzer.frame.link
        let address = (link >= 0 ? analyzer.links[link].address : nil) ?? analyzer.frame.peer
        guard let address else { return -1 }
        if let known = deviceNumbers[address] { return known }
        deviceNumbers[address] = devices.count
        devices.append(address)
        return devices.count - 1
    }

    // MARK: The page

    /// Appends the page: the verdict, the report, and the frames.
    public mutating func finish(
        _ infos: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage, _ tally: ReaderTally,
        into out: inout TextBuffer
    ) {
        json.finish(analyzer, tally)
        takeHead()
        var verdict = TextBuffer()
        Verdict.put(infos, analyzer, damage, style: Verdict.Style(explains: explains), into: &verdict)
        var report = TextBuffer()
        Report.put(infos, analyzer, damage, into: &report)
        frames.close()
        index.close()
        let names = infos.map { Verdict.name(of: $0).split(separator: "/").last.map(String.init) ?? "" }
        var page = PageText(title: names.joined(separator: ", "))
        verdict.truncate(to: verdict.count - 1)
        page.verdict = verdict.text
        page.report = report.text
        page.notes = notes
        page.omission = omitted.sentence(shown: frames.total)
        var data = PagePack(name: "about", rows: .max)
        data.begin()
        about(analyzer, &data.out)
        data.end()
        data.close()
        page.put(blocks: data.blocks + index.blocks + frames.blocks, into: &out)
    }

    /// Writes the page's data other than frames: the other lines of NDJSON, and the devices.
    private mutating func about(_ analyzer: borrowing Analyzer, _ out: inout TextBuffer) {
        out.put("{\"lines\":[")
        let lines = heads.flatMap { $0.split(separator: 0x0A) }
        for (place, line) in lines.enumerated() {
            if place > 0 { out.put(0x2C) }
            out.put(Array(line))
        }
        out.put("],\"start\":")
        out.jsonString(String { $0.put(utc: first ?? CaptureTime(nanoseconds: 0), digits: 6) })
        out.put(",\"devices\":[")
        for (place, address) in devices.enumerated() {
            out.put(place > 0 ? ",[" : "[")
            out.jsonString(address)
            out.put(0x2C)
            let name = analyzer.advertisers.advertiser(address)?.name ?? []
            out.jsonString(String(escaped: name))
            out.put("]")
        }
        out.put("],\"rows\":")
        out.decimal(frames.rows)
        out.put("}")
    }
}

/// Frames that don't fit on a page.
struct PageOmission {
    private var folded = 0
    private var others = 0
    private var firstFolded: FramePlace?
    private var firstOther: FramePlace?

    mutating func add(_ place: FramePlace, isFolded: Bool) {
        if isFolded {
            folded += 1
            if firstFolded == nil { firstFolded = place }
        } else {
            others += 1
            if firstOther == nil { firstOther = place }
        }
    }

    /// Describes the omitted frames, and the options to see them; nil if nothing is omitted.
    func sentence(shown: Int) -> String? {
        var parts: [String] = []
        if let firstFolded {
            let what = folded.counting("frame") + " of advertising and housekeeping"
            parts.append("\(what), from frame \(firstFolded.text(from: 0)) on")
        }
        if let firstOther {
            parts.append("\(others.counting("other frame")), from frame \(firstOther.text(from: 0)) on")
        }
        guard !parts.isEmpty else { return nil }
        return "This page has room for \(shown.counting("frame")). Left out: "
            + parts.joined(separator: "; ")
            + ". The verdict and the counts are about all. To see them, write a page of fewer frames: "
            + "--connection, --peer, --frames, --since, --until or --only."
    }
}
