public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
public import WireBytes

/// Collects frames for one self-contained HTML page: for each frame its NDJSON line, its layers, and its
/// bytes without keys, packed in blocks that the page unpacks when they are viewed.
public struct PageRenderer: ~Copyable {
    private var json = NDJSONRenderer()
    private var detail = FrameDetail(usesColor: false, isForPage: true)
    private var text = TextRenderer()
    private var scratch = TextBuffer()
    /// The NDJSON lines about files.
    private var heads: [[UInt8]] = []
    private var fragments = PageFragments()
    private(set) var frames = PagePack(name: "frames", rows: 256)
    private(set) var index = PagePack(name: "index", rows: 4096)
    /// The devices of the frames, and the index of each.
    private var devices: [PageDevice] = []
    private var deviceNumbers: [PageDevice: Int] = [:]
    private var kinds: [PageFrameKind: Int] = [:]
    /// The number of each message, by its kind and name.
    private var messages: [[String]: Int] = [:]
    private var first: CaptureTime?
    private var searched = SearchText()
    private var brief = PageBrief()
    private var occurrences = PageOccurrences()
    private var parameters = PageParameters()
    private var pairings = PagePairings()
    private var voices = PageVoices()
    /// Number of packets with data on each connection: what the controller says is no packet.
    private var packets: [Int: Int] = [:]
    private let limit: Int
    private var plan: PagePlan?
    private var omitted = PageOmission()
    /// Sentences about the logs, shown below the verdict.
    public var notes: [String] = []
    /// Whether the verdict's failures include the usual meaning of their codes.
    public var explains = true

    /// Limit of the unanswered requests that the page names beside its headline.
    private static let waitingLimit = 3

    /// Approximate limit of a page's bytes.
    public static let limit = 12_000_000

    /// - Parameters:
    ///   - limit: the approximate limit of the page's bytes.
    ///   - plan: the frames that fit. Nil if the log can be read only once: then folded frames (advertising,
    ///     housekeeping) are omitted once half of the room is used, and all frames once seven eighths are.
    public init(limit: Int = PageRenderer.limit, plan: PagePlan? = nil) {
        self.limit = limit
        self.plan = plan
    }

    /// Adds a file; called for all files before the first frame.
    public mutating func begin(_ file: CaptureInfo) {
        json.begin(Self.withoutFolder(file))
        detail.begin(Self.withoutFolder(file))
        takeHead()
    }

    /// Adds the error of a file that could not be read, or not up to its end.
    public mutating func problem(_ error: CaptureFileError) {
        var error = error
        error.file = Self.withoutFolder(error.file)
        json.problem(error)
        takeHead()
    }

    private mutating func takeHead() {
        heads.append(json.out.copied(from: 0))
        json.out.clear()
    }

    /// Adds the analyzer's last frame, which was made from `record`.
    public mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        first = analyzer.totals.start ?? record.header.time
        occurrences.take(analyzer)
        parameters.take(analyzer)
        pairings.take(analyzer)
        countPackets(record, analyzer)
        let isVendor = analyzer.frame.acl?.isVendor == true
        let mayShow =
            record.header.kind == .acl
            && fragments.mayShow(record.octets, record.header, isVendor: isVendor)
        let isFolded = PagePlan.isFolded(analyzer)
        guard hasRoom(analyzer, isFolded: isFolded) else {
            let bin = plan?.bin(of: analyzer.frame.time.nanoseconds)
            return omitted.add(analyzer.frame.place, isFolded: isFolded, bin: bin)
        }
        frame(record, analyzer, mayShow: mayShow)
        row(record, analyzer, isFolded: isFolded)
    }

    private mutating func countPackets(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        voices.take(record, analyzer)
        let isPacket =
            switch record.header.kind {
            case .acl, .iso: true
            case .air: analyzer.frame.l2cap != nil
            default: false
            }
        if isPacket, let connection = analyzer.linkNumber { packets[connection, default: 0] += 1 }
    }

    private mutating func hasRoom(_ analyzer: borrowing Analyzer, isFolded: Bool) -> Bool {
        let size = frames.size + index.size
        guard let claim = plan?.claim(analyzer, used: Double(size) / Double(limit)) else {
            return size < limit / 8 * 7 && (!isFolded || size < limit / 2)
        }
        return claim.share == .evidence || claim.hasRoom && size < limit
    }

    /// A page does not reveal the folders of the person who sends it.
    private static func withoutFolder(_ name: String) -> String {
        name.split(separator: "/").last.map(String.init) ?? name
    }

    private static func withoutFolder(_ file: CaptureInfo) -> CaptureInfo {
        var file = file
        file.name = withoutFolder(file.name)
        return file
    }

    // MARK: A frame

    /// Adds all that is known about the frame.
    private mutating func frame(_ record: borrowing Record, _ analyzer: borrowing Analyzer, mayShow: Bool) {
        let isFragment = record.header.kind == .acl
        let isJoined =
            if case .some(let pdu) = analyzer.frame.l2cap, case .assembly = pdu.place { true } else { false }
        detail.read(record, analyzer)
        json.render(record, analyzer)
        frames.begin()
        frames.out.put(0x7B)
        frames.out.member("json")
        frames.put(line: json.out)
        json.out.clear()
        frames.out.member("lines")
        detail.document.put(json: &frames.out)
        frames.out.member("bytes")
        let octets = record.octets
        let isPart = isFragment && (isJoined || analyzer.frame.l2cap == nil)
        detail.document.put(jsonHex: octets, showsAll: isPart && mayShow, into: &frames.out)
        if isJoined, let pdu = analyzer.frame.l2cap {
            // The PDU's header is in its first frame.
            frames.out.member("start", pdu.headerLength)
            frames.out.member("joined")
            detail.document.put(
                jsonHex: analyzer.payload(in: record), from: pdu.headerLength, isJoined: true,
                into: &frames.out)
        }
        detail.document.put(jsonMeaning: &frames.out)
        frames.out.endObject()
        frames.end()
    }

    // MARK: Row in the list

    private mutating func row(_ record: borrowing Record, _ analyzer: borrowing Analyzer, isFolded: Bool) {
        let device = device(analyzer)
        index.begin()
        index.out.put("[")
        index.out.cell(analyzer.frame.number)
        index.out.cell(analyzer.frame.header.file)
        let since = analyzer.frame.time.nanoseconds &- (first ?? analyzer.frame.time).nanoseconds
        index.out.cell(since / 1000)
        index.out.cell(analyzer.linkNumber ?? 0)
        index.out.cell(device)
        index.out.cell(analyzer.frame.direction.rawValue)
        index.out.cell(isFolded ? 1 : 0)
        // On BR/EDR it is the distance from a range that only the controller knows (Vol 4, Part E, 7.5.4).
        let link = analyzer.frame.link
        let isClassic = link >= 0 && analyzer.links[link].transport == .brEDR
        index.out.cell(isClassic ? nil : detail.document.rssi)
        text.out.clear()
        text.meaning(record, analyzer)
        index.cell(text.out)
        searched.read(text.out)
        let layer = layer(analyzer)
        scratch.clear()
        analyzer.annotations.put(summaries: &scratch)
        index.cell(scratch)
        index.out.cell(problems(analyzer))
        index.out.cell(analyzer.frame.request.map { $0.latency / 1000 })
        index.out.cell(record.octets.byteCount)
        text.out.clear()
        text.fields(of: record, analyzer)
        index.cell(text.out)
        index.out.cell(Self.weight(of: analyzer.problems))
        brief.read(record, analyzer, detail.document)
        index.cell(brief.text)
        index.cell(brief.value)
        index.out.cell(layer)
        index.out.cell(analyzer.annotations.contains(where: \.isPart) ? 1 : 0)
        index.cell(brief.handle)
        index.cell(brief.attribute)
        let kind = PageFrameKind(record, analyzer)
        index.out.cell(kinds.number(of: kind))
        index.out.cell(searched.operations)
        index.out.cell(Self.cause(of: analyzer))
        index.cell(brief.carrier)
        index.out.cell(kind.message.isEmpty ? nil : messages.number(of: kind.message))
        index.out.put("]")
        index.end()
    }

    /// Returns the layer by which the page filters: a protocol above ATT, or that of the frame's line, which
    /// ``text`` holds.
    private func layer(_ analyzer: borrowing Analyzer) -> String {
        if let annotation = analyzer.annotations.first { return annotation.layer }
        if analyzer.frame.header.kind == .sco { return "SCO" }
        let column = text.out.octets.clamped(0..<Columns.layerWidth).copied()
        return String(decoding: column.prefix { $0 != 0x20 }, as: UTF8.self)
    }

    /// Returns the frame's problems with marks for the sides, each of its own connection.
    private func problems(_ analyzer: borrowing Analyzer) -> String {
        let own = analyzer.linkNumber ?? 0
        let texts = analyzer.problems.filter { $0.reportedAt == nil }.map { problem in
            PageHeadline.Names(marking: problem.connection == 0 ? own : problem.connection)
                .text(problem.lineParts)
        }
        return texts.joined(separator: "; ")
    }

    /// Returns the weight of a frame's problems: 2 for a failure, 1 for a warning, 0 for neither.
    private static func weight(of problems: [Problem]) -> Int {
        let worst = problems.filter { $0.reportedAt == nil }.map(\.severity).max() ?? .note
        return worst >= .error ? 2 : worst > .note ? 1 : 0
    }

    /// Returns the status that an event reports, or the reason of a connection's end; 0 for success.
    private static func cause(of analyzer: borrowing Analyzer) -> Int {
        for change in analyzer.changes where change.connection == analyzer.linkNumber {
            if case .ended(let reason?, _, _) = change.kind { return Int(reason) }
        }
        return Int(analyzer.frame.status ?? 0)
    }

    /// Returns the index of the frame's device; -1 without a device.
    private mutating func device(_ analyzer: borrowing Analyzer) -> Int {
        let link = analyzer.frame.link
        let device: PageDevice
        // An anonymous advertiser has the address 0.
        if let address = (link >= 0 ? analyzer.links[link].address : nil) ?? analyzer.frame.peer,
            address.value != 0
        {
            // Events may leave out the kind of an address, or have that of its identity.
            device = .address(DeviceAddress(address.value))
        } else if link >= 0 {
            device = .handle(analyzer.links[link].handle)
        } else {
            return -1
        }
        let number = deviceNumbers.number(of: device)
        if number == devices.count { devices.append(device) }
        return number
    }

    // MARK: The page

    /// Appends the page: the verdict, the report, and the frames.
    public mutating func finish(
        _ infos: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage, _ tally: ReaderTally,
        into out: inout TextBuffer
    ) {
        let infos = infos.map { Self.withoutFolder($0) }
        var damage = damage
        for place in damage.errors.indices {
            damage.errors[place].file = Self.withoutFolder(damage.errors[place].file)
        }
        json.finish(analyzer, tally)
        takeHead()
        var verdict = TextBuffer()
        var style = Verdict.Style(explains: explains)
        style.namesCommand = false
        Verdict.put(infos, analyzer, damage, style: style, into: &verdict)
        var report = TextBuffer()
        style.explains = false
        Report.put(infos, analyzer, damage, style: style, into: &report)
        frames.close()
        index.close()
        let headline = PageHeadline(
            analyzer, damage, occurrences, explains: explains, namesFile: infos.count > 1)
        var page = PageText(
            title: infos.map { Verdict.name(of: $0) }.joined(separator: ", "),
            facts: Verdict.facts(infos, analyzer),
            headline: headline)
        verdict.truncate(to: verdict.count - 1)
        page.verdict = verdict.text
        page.report = report.text
        page.notes = notes + Verdict.caveats(infos, analyzer, damage)
        page.omission = omitted.sentence(shown: frames.total)
        var data = PagePack(name: "about", rows: .max)
        data.begin()
        about(analyzer, headline, &data.out)
        data.end()
        data.close()
        page.put(blocks: data.blocks + index.blocks + frames.blocks, into: &out)
    }

    /// Writes the page's data other than frames: the remaining NDJSON lines, the devices, for each connection
    /// the names of both sides, its end, whether the peer asked for the MTU and discovered, whether the log
    /// shows it only until its last packet, whether it was lost, when the peer was last heard and whether
    /// that was an acknowledgement, the end without its reason, the method of the pairing, the number of
    /// packets, how long the scan lasted without its stops, and which packets its file has; then the
    /// parameters, the pairings, the voice, the incidents, and the frames of unanswered requests.
    private mutating func about(
        _ analyzer: borrowing Analyzer, _ headline: PageHeadline, _ out: inout TextBuffer
    ) {
        out.put(0x7B)
        out.array("lines", of: heads.flatMap { $0.split(separator: 0x0A) }) { $0.put(Array($1)) }
        out.member("start", String { $0.put(utc: first ?? CaptureTime(nanoseconds: 0), digits: 6) })
        out.rows("devices", of: devices) { put($1, analyzer, into: &$0) }
        out.member("heard", analyzer.selection == nil ? analyzer.heardAdvertisers.count : 0)
        let start = first ?? CaptureTime(nanoseconds: 0)
        out.rows("sides", of: analyzer.listedLinks) { out, link in
            let names = PageHeadline.Names(link, analyzer)
            out.cell(link.number)
            let summary = ConnectionSummary(link: link, namesFile: false)
            for name in [names.host, names.peer, names.text(summary.ending)] { out.cell(name) }
            let (mtu, discovery) = (link.phases.mtuWasAskedByPeer, link.peerDiscovers)
            for isTrue in [mtu, discovery, summary.endIsUnknown, summary.isLost] {
                out.cell(isTrue ? 1 : 0)
            }
            let sign = link.lastSign
            out.cell(sign.map { ($0.time.nanoseconds &- start.nanoseconds) / 1000 })
            out.cell(sign?.isAcknowledgement == true ? 1 : 0)
            out.cell(names.text(summary.endAndReason.text))
            out.cell(summary.pairingMethod)
            out.cell(packets[link.number] ?? 0)
            out.cell(summary.scanned.map { $0 / 1000 })
            out.cell(Int(Self.shown(of: link, analyzer).rawValue))
        }
        parameters.put(since: start, into: &out)
        pairings.put(since: start, into: &out)
        voices.put(since: start, into: &out)
        headline.putIncidents(into: &out)
        occurrences.putEarlier(into: &out)
        occurrences.putUnanswered(into: &out)
        waiting(analyzer, &out)
        for (name, bins) in [("gaps" as StaticText, omitted.bins), ("missing", omitted.otherBins)] {
            out.array(name, of: bins) { $0.decimal($1) }
        }
        out.member("operations")
        Operation.put(into: &out)
        out.member("rows", frames.rows)
        out.endObject()
    }
}

extension PageRenderer {
    /// The packets that a connection's file has: those of both sides, if it does not tell them apart.
    private static func shown(of link: Link, _ analyzer: borrowing Analyzer) -> ShownPackets {
        let both: ShownPackets = [.fromHost, .fromController]
        let shown = analyzer.shownPackets(inFile: link.file) ?? []
        return link.isOnAir || shown.isDisjoint(with: both) ? shown.union(both) : shown
    }

    /// Appends the frames of the first requests that had no answer when the log ended.
    private func waiting(_ analyzer: borrowing Analyzer, _ out: inout TextBuffer) {
        let all = analyzer.listedRequests + analyzer.listedLinks.flatMap(\.openRequests)
        out.array("waiting", of: all.prefix(Self.waitingLimit)) { $0.jsonString($1.place.text(from: 0)) }
    }

    /// Appends a device's address, or its connection's handle, and its name and reports.
    private func put(_ device: PageDevice, _ analyzer: borrowing Analyzer, into out: inout TextBuffer) {
        switch device {
        case .address(let address):
            out.cell(address)
            let advertiser =
                analyzer.advertisers.advertiser(DeviceAddress(address.value, .random))
                ?? analyzer.advertisers.advertiser(address)
            out.cell(String(escaped: advertiser?.name ?? []))
            // Of selected frames, only the counts of the whole log are known.
            if let advertiser, analyzer.selection == nil { put(advertiser, into: &out) }
        case .handle(let handle):
            out.cell("handle \(String(hex: UInt64(handle), digits: 4))")
            out.cell("")
        }
    }

    /// Appends the reports of a device: their number, the strongest signal, the first and the last time in
    /// microseconds, and a service.
    private func put(_ advertiser: AdvertiserTable.Advertiser, into out: inout TextBuffer) {
        let start = (first ?? advertiser.first).nanoseconds
        for number in [
            advertiser.reports, Int(advertiser.strongestRSSI),
            Int((advertiser.first.nanoseconds &- start) / 1000),
            Int((advertiser.last.nanoseconds &- start) / 1000),
        ] { out.cell(number) }
        out.cell(advertiser.service.map { Verdict.text($0, .service) } ?? "")
    }
}

extension Dictionary where Value == Int {
    /// Returns a key's number, counted from 0 in the order of the first uses.
    fileprivate mutating func number(of key: Key) -> Int {
        if let known = self[key] { return known }
        self[key] = count
        return count - 1
    }
}

/// The device of a lane: its address, or a connection's handle if the address is unknown.
enum PageDevice: Hashable {
    case address(DeviceAddress)
    case handle(UInt16)
}
