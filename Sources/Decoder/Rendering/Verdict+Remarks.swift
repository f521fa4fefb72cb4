public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

// Remarks that are about no single frame: damaged files, unanswered requests, gaps in the log.

/// Errors in reading captures, which no frame can show.
public struct ReadingDamage: Sendable {
    /// The reasons why files could not be read, or not up to their end.
    public var errors: [CaptureFileError]
    /// Bytes after the damage that were not read.
    public var unreadOctets: Int
    /// Packets that the recorder counted as dropped, but without a record that shows where.
    public var unplacedDrops: Int

    /// Creates a value; without arguments, for undamaged captures.
    public init(_ errors: [CaptureFileError] = [], unreadOctets: Int = 0, unplacedDrops: Int = 0) {
        self.errors = errors
        self.unreadOctets = unreadOctets
        self.unplacedDrops = unplacedDrops
    }

    /// Whether everything was read.
    var isNone: Bool { errors.allSatisfy(\.isRestored) && unreadOctets == 0 && unplacedDrops == 0 }

    /// Creates the value from the errors and the reader's counts.
    public init(_ errors: [CaptureFileError], _ tally: ReaderTally) {
        self.init(errors, unreadOctets: tally.unreadableOctets, unplacedDrops: tally.dropsAfterLast)
    }
}

extension CaptureFileError {
    /// Whether it only reports that a copy had changed the file, which was restored for reading.
    fileprivate var isRestored: Bool { if case .restored = cause { true } else { false } }
}

extension OpenRequest {
    /// The request as a sentence; the same in every output.
    public var sentence: String { Verdict.text(self, namesFile: false) }
}

extension Verdict {
    /// Adds what could not be read.
    ///
    /// - Parameter file: the name of the only file, which the heading already has.
    static func add(
        _ damage: ReadingDamage, _ totals: CaptureStatistics, below file: String? = nil,
        _ lines: inout TextLines
    ) {
        let lost = totals.lostPackets + damage.unplacedDrops
        if lost > 0 {
            let place = totals.lostPackets > 0 ? "" : "; the file does not say where"
            let isGap = damage.errors.contains { $0.isPassed }
            let what =
                isGap
                ? "at least \(lost.counting("packet")) missing where the file is damaged"
                : "the recorder lost \(lost.counting("packet"))"
            lines.add("incomplete: \(what)\(place)", tint: .warning)
        }
        for error in damage.errors.prefix(failureLimit) {
            var named = error
            if named.file == "-" { named.file = "standard input" }
            let word =
                switch error.cause {
                case .unsupportedDatalink, .system, .notACapture, .empty, .emptyReport, .decoderText,
                    .temporary, .unpacksToMore:
                    "not read"
                case .restored: "restored"
                default: "damaged"
                }
            let what = error.file == file ? named.reason : named.description
            var text = "\(word): \(String(escaped: what.utf8))"
            if damage.unreadOctets > 0, damage.errors.count == 1 {
                text += "; \(damage.unreadOctets.counting("byte"))"
                text += damage.unreadOctets == 1 ? " was not read" : " were not read"
            }
            lines.add(text, tint: .warning)
        }
        guard damage.errors.count > failureLimit else { return }
        lines.add("and \((damage.errors.count - failureLimit).counting("more file")) not read whole")
    }

    /// Damage, wrong keys, unanswered requests and gaps of the log, a sentence each, for a page.
    static func caveats(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage
    ) -> [String] {
        let totals = analyzer.shownTotals
        var style = Style(width: .max)
        style.namesCommand = false
        var lines = TextLines(style)
        add(damage, totals, &lines)
        doubts(analyzer.listedLinks, namesFile: files.count > 1, &lines)
        unread(analyzer.listedLinks, unlisted: analyzer.unlistedUnread, &lines)
        remarks(files, analyzer, totals, &lines)
        return lines.lines
    }

    /// Returns content that is missing or unreadable, with the reasons, as in the verdict; secured messages
    /// are left out.
    public static func unread(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer
    ) -> [(content: String, reason: String)] {
        let links = analyzer.listedLinks
        var found = LogGap.gaps(of: files, analyzer, analyzer.totals).map { ($0.text, "missing") }
        if links.contains(where: \.hasUndecodedChannels) {
            found.append((VerdictBody.classicContent, "not decoded"))
        }
        found += VerdictBody.unreadable(links, analyzer.totals).map { ($0, "unreadable") }
        if analyzer.totals.lostPackets > 0 {
            found.append((analyzer.totals.lostPackets.counting("packet"), "lost by the recorder"))
        }
        return found
    }

    /// Adds remarks about unanswered requests and gaps in the log.
    static func remarks(
        _ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics,
        _ lines: inout TextLines
    ) {
        waiting(analyzer, namesFile: files.count > 1, &lines)
        // If nothing failed, the sentence that says so has these words already.
        if totals.firstError != nil, analyzer.totals.acl > 0,
            analyzer.listedLinks.contains(where: \.hasUndecodedChannels)
        {
            lines.add("\(VerdictBody.classicContent) is not decoded")
        }
        let gaps = LogGap.gaps(of: files, analyzer, totals)
        for (index, gap) in gaps.enumerated()
        where !gaps[..<index].contains(where: { $0.advice == gap.advice }) {
            let same = gaps.filter { $0.advice == gap.advice }.map(\.text).joined(separator: "; nor ")
            lines.add(
                "not in this log: \(String(escaped: same.utf8)); next time "
                    + String(escaped: gap.advice.utf8))
        }
    }

    /// Requests without a response that have lines of their own.
    private static let requestLimit = 2

    private static func waiting(
        _ analyzer: borrowing Analyzer, namesFile: Bool, _ lines: inout TextLines
    ) {
        var all = analyzer.listedRequests.map { text($0, namesFile: namesFile) }
        for link in analyzer.listedLinks {
            var unheard = ""
            if let value = link.unsubscribedResponses {
                let label = analyzer.label(of: value.handle, at: .peer, ofConnection: link.number)
                let sent: ATTOpcode = value.isIndicated ? .handleValueIndication : .handleValueNotification
                unheard = "; \(text(sent, value.handle, label, analyzer)) was never enabled"
            }
            for request in link.openRequests {
                var sentence = "connection \(link.number): \(text(request, namesFile: namesFile))"
                if let (asked, server) = request.use, !asked.opcode.isDiscovery,
                    let label = analyzer.label(of: asked.handle, at: server, ofConnection: link.number)
                {
                    sentence += ": \(text(asked.opcode, asked.handle, label, analyzer))"
                }
                all.append(sentence + unheard)
            }
        }
        for text in all.prefix(requestLimit) { lines.add("unanswered: \(text)", tint: .warning) }
        guard all.count > requestLimit else { return }
        lines.add(
            "and \((all.count - requestLimit).counting("more request")) without a response at the log's end")
    }

    /// Returns a sentence about a request that waited for its answer when the log ended.
    static func text(_ request: OpenRequest, namesFile: Bool) -> String {
        let place = request.place.text(from: namesFile ? nil : request.place.file)
        let name = String(escaped: request.name.utf8)
        let waited = request.waited <= 0 ? "" : ", \(TextDuration.text(request.waited)) later"
        if request.isPending {
            return "\(name) of frame \(place) was answered as pending, and still was when the log ended"
                + waited
        }
        switch (request.isConnect, request.isOnAir) {
        case (true, true): return "\(name) of frame \(place): no packet of the connection was heard"
        case (false, true): return "\(name) of frame \(place) had no response that was heard\(waited)"
        case (true, false): return "\(name) of frame \(place) was not established when the log ended\(waited)"
        case (false, false): return "\(name) of frame \(place) had no response when the log ended\(waited)"
        }
    }
}
