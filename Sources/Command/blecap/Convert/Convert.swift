import Analysis
import CaptureFile
import CommandLineKit
import LinkLayer
import MonitorCapture
import WireBytes

/// The command `blecap convert`: writes captures in another format, and counts data that the format can't
/// hold.
struct Convert {
    let arguments: ParsedArguments
    let console: Console
    let inputs: [String]
    let target: String
    let filter: FrameFilter
    /// Whether all inputs are parts of one log.
    let isOneLog: Bool
    /// Knowledge for recognizing the filter's layers.
    let knowledge: AnalysisKnowledge
    /// The name of the requested format; nil to use the target's suffix.
    let wanted: String?

    init(_ arguments: ParsedArguments, _ console: Console) throws(Failure) {
        self.arguments = arguments
        self.console = console
        inputs = Array(arguments.operands.dropLast())
        target = arguments.operands.last ?? "-"
        knowledge = try GivenKnowledge.read(arguments)
        filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
        isOneLog = arguments.has(.oneLog)
        wanted = arguments.value(.containerFormat)
        try Failure.checkInputs(inputs)
        _ = try format(holding: .hci)
    }

    func run() throws(Failure) -> ExitStatus {
        try Output.refuseTerminal(target, arguments.environment)
        var set = try Failure.reporting { () throws(CaptureFileError) in
            try CaptureSet(paths: inputs, asOneLog: isOneLog, input: arguments.environment.input.descriptor)
        }
        let infos = (0..<set.fileCount).map { set.info(ofFile: $0) }
        let format = try format(holding: CaptureContent(of: infos))
        let file = try Output.file(target, arguments, madeFrom: inputs)
        var failures: [Failure] = []
        var unfinished: UnfinishedFile?
        do throws(CaptureFileError) {
            let output = try CaptureFileError.from { () throws(OutputError) in try UnfinishedFile(file) }
            unfinished = output
            var writer = try CaptureWriter(
                output, named: target, format: format, nanoseconds: infos.contains { $0.timeDigits == 9 },
                comments: infos.flatMap(\.comments))
            let copied = try copy(&set, into: &writer, &failures)
            let tally = set.tally
            writer.countUnheld(
                comments: tally.laterComments, descriptions: tally.descriptions, drops: tally.dropsAfterLast)
            try writer.flush()
            try CaptureFileError.from { () throws(OutputError) in try output.publish() }
            report(set, writer, copied)
        } catch {
            if case .system(_, let code) = error.cause, code == 32 { return .success }
            let place = target == "-" ? "standard output" : target
            if case .system(let call, let code) = error.cause {
                if call == "create", let failure = OutputError(error).failure { throw failure }
                try? unfinished?.publish()
                throw Failure(
                    .environment, "\(place): can't \(call): \(SystemMessage.text(code))",
                    advice: "it ends with a whole record")
            }
            throw Failure(error)
        }
        for failure in failures { console.say(failure.line) }
        return failures.first?.status ?? .success
    }

    /// The format to write, in the form for the input's content if it has several.
    private func format(holding content: CaptureContent) throws(Failure) -> CaptureWriter.Format {
        switch wanted {
        case "pcapng": return CaptureWriter.Format.pcapng.holding(content)
        case "pcap" where content == .air: return .pcapAir
        case let name?: if let format = CaptureWriter.Format(rawValue: name) { return format }
        case nil:
            if let format = CaptureWriter.Format.named(by: target, holding: content) { return format }
        }
        throw Failure(
            .usage, "\(target): unknown suffix",
            advice: "use .btsnoop, .pcap, .pcapng or .pklg, or give --format")
    }

    /// Counts of the copied records, besides those of the writer.
    private struct Copied {
        /// Records that did not pass the filter.
        var filtered = 0
        /// Records whose direction was inferred by the analysis because the file lacks it.
        var inferred = 0
        /// The numbers of the adapters in the output.
        var adapters = AdapterNumbers()
        /// Packets from the air that no HCI packet stands for.
        var linkLayerOnly = 0
        /// Notices about the filter and its matches.
        var notices: [Failure] = []
        /// The adapter numbers of the packets written.
        var written: Set<UInt16> = []
        /// Blanks keys; nil if they are kept.
        var blanker: KeyBlanker?

        mutating func write(
            _ record: borrowing Record, into writer: inout CaptureWriter
        ) throws(CaptureFileError) {
            note(record.header)
            if blanker == nil { return try writer.write(record) }
            try blanker?.pass(record) { (kept) throws(CaptureFileError) in try writer.write(kept) }
        }

        private mutating func note(_ header: RecordHeader) {
            guard header.kind != .monitor, header.kind != .note, header.adapter != 0xFFFF else { return }
            written.insert(header.adapter)
        }

        /// Number of logs that these adapters belong to.
        var logCount: Int { Set(written.compactMap { adapters.log(ofNumber: $0) }).count }
    }

    /// Copies the records that pass the filter.
    private func copy(
        _ set: inout CaptureSet, into writer: inout CaptureWriter, _ failures: inout [Failure]
    ) throws(CaptureFileError) -> Copied {
        let lacksDirection = (0..<set.fileCount).contains { !set.info(ofFile: $0).hasDirection }
        var analyzer = Analyzer(knowledge)
        var filter = filter
        filter.peers = filter.peers.resolved(in: inputs, asOneLog: isOneLog, knowledge)
        var selector = FrameSelector(filter)
        var queue = PacketQueue()
        var meter = ProgressMeter(inputs, arguments.environment)
        defer { meter.end() }
        let isFromAir = (0..<set.fileCount).contains { set.info(ofFile: $0).content == .air }
        let isAnalyzed = !filter.isEmpty || lacksDirection || isFromAir
        var copied = Copied()
        if arguments.has(.noKeys) { copied.blanker = KeyBlanker() }
        var number = 0
        var missed: UInt32 = 0
        while true {
            // An input error ends the input; an output error ends the command.
            var problem: CaptureFileError?
            let isMore = try step(&set, &problem) { record, log throws(CaptureFileError) in
                guard isAnalyzed else {
                    let numbered = Self.renumbered(record, log, &copied.adapters)
                    return try copied.write(numbered, into: &writer)
                }
                analyzer.analyze(record, file: log)
                let isInferred = analyzer.frame.directionIsInferred
                let numbered = Self.renumbered(record, log, &copied.adapters)
                let directed = isInferred ? numbered.with(analyzer.frame.direction) : copy numbered
                let passes = selector.passes(record, analyzer)
                if isInferred { copied.inferred += 1 }
                let asAir = writer.format.holdsAir
                let isWhole = try AirCopy.forEach(of: directed, analyzer, asAir: asAir, missed: &missed) {
                    record throws(CaptureFileError) in
                    try queue.take(record, comment: RawSpan(), isChosen: passes, analyzer) {
                        record, _ throws(CaptureFileError) in
                        try copied.write(record, into: &writer)
                    }
                }
                if !isWhole, passes { copied.linkLayerOnly += 1 }
            }
            if let problem { failures.append(Failure(problem)) }
            if !isMore { break }
            number &+= 1
            if number & 0xFFF == 0 { meter.update(set.offset) }
        }
        try queue.finish { record, _ throws(CaptureFileError) in
            try copied.write(record, into: &writer)
        }
        copied.filtered = queue.leftOut
        let passed = number - queue.leftOut
        if let nothing = Failure(passed: passed, arguments, analyzer, layers: selector.layers) {
            copied.notices.append(nothing)
        }
        copied.notices += Failure.displaced(analyzer)
        for error in set.errors.dropFirst(failures.count) { failures.append(Failure(error)) }
        return copied
    }

    private func step(
        _ set: inout CaptureSet, _ problem: inout CaptureFileError?,
        _ body: (borrowing Record, Int) throws(CaptureFileError) -> Void
    ) throws(CaptureFileError) -> Bool {
        do throws(CaptureFileError) { guard try set.advance() else { return false } } catch {
            problem = error
            return false
        }
        let log = set.log
        let record = set.record()
        try body(record, log)
        return true
    }

    /// The record with its log's index, and its adapter's number among all logs.
    @_lifetime(copy record)
    private static func renumbered(
        _ record: borrowing Record, _ log: Int, _ adapters: inout AdapterNumbers
    ) -> Record {
        let number = adapters.number(of: record.header.adapter, log: log)
        return record.with(adapter: number, file: UInt16(truncatingIfNeeded: log))
    }

    /// The warning about packets of more adapters than pcapng has interfaces for.
    static func mixture(ofSeveralLogs isSeveral: Bool) -> String {
        "warning: pcapng holds \(CaptureWriter.mostAdapters) adapters; packets of the others are written as "
            + "those of the first, so connections mix; "
            + (isSeveral ? "write fewer logs together" : "keep one with --adapter N")
    }

    /// Reports on standard error the records written and left out.
    private func report(_ set: borrowing CaptureSet, _ writer: borrowing CaptureWriter, _ copied: Copied) {
        let place = target == "-" ? "standard output" : target
        console.say("\(writer.records.counting("record")) into \(place) (\(writer.format.name))")
        var left: [(Int, String)] = writer.loss.sentences.map { ($0.count, $0.what) }
        if copied.linkLayerOnly > 0 {
            left.append((copied.linkLayerOnly, "packets of the link layer that have no HCI packet"))
        }
        if !left.isEmpty {
            let list = left.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            console.say("not held by \(writer.format.name): \(list)")
        }
        if copied.written.count > 1, !writer.format.holdsAdapters {
            let name = writer.format.rawValue
            console.say(
                copied.logCount > 1
                    ? "warning: \(copied.written.count) adapters of \(copied.logCount) recorders are "
                        + "one in \(name), so their connections mix; write .pcapng, or each log alone"
                    : "warning: \(copied.written.count) adapters are one in \(name), so their "
                        + "connections mix; write .pcapng, or keep one with --adapter N")
        } else if writer.hasMixedAdapters {
            console.say(Self.mixture(ofSeveralLogs: copied.logCount > 1))
        }
        if copied.inferred > 0 {
            let directions = copied.inferred.counting("direction")
            console.say("not held by the input: \(directions) (inferred, and marked as inferred)")
        }
        left = [
            (copied.filtered, "did not pass the filter"), (set.duplicateRecords, "were in two files"),
            (set.tally.skippedRecords, "of other link types or USB devices"),
            (set.tally.skippedBlocks, "without a packet"),
        ].filter { $0.0 > 0 }
        if !left.isEmpty {
            console.say("left out: " + left.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
        }
        if let blanker = copied.blanker {
            let blanked = "\(blanker.blanked.counting("record")) with keys blanked"
            console.say("\(blanked), \(blanker.leftOut.counting("vendor diagnostic")) left out")
        }
        if set.longerDuplicates > 0 {
            let count = set.longerDuplicates
            console.say("\(count) of the records in two files were longer than the copy that was kept")
        }
        for notice in copied.notices { console.say(notice.line) }
        if set.mayBeOneLog { console.say(Failure(apart: set).line) }
        for error in set.passedOver { console.say(Failure(error).line) }
        if set.mayRepeat { console.say(Failure(repeating: set).line) }
    }
}

extension CaptureContent {
    /// The content that decides the form of a format for files of several contents: packets from the air and
    /// records of the monitor channel have no other.
    init(of files: [CaptureInfo]) {
        let contents = files.map(\.content)
        self = contents.contains(.air) ? .air : contents.contains(.monitor) ? .monitor : .hci
    }
}

/// The forms in which a packet from the air is copied.
enum AirCopy {
    /// Passes on the records to write for the record that was analysed last: itself, or of a packet from the
    /// air its opened form, or the HCI packets of the central's host.
    ///
    /// - Parameter missed: the packets so far that the sniffer may have missed on connections, which an HCI
    ///   log counts as dropped, so that no answer among them counts as missing.
    /// - Returns: whether there was any.
    static func forEach(
        of record: borrowing Record, _ analyzer: borrowing Analyzer, asAir: Bool, missed: inout UInt32,
        _ body: (borrowing Record) throws(CaptureFileError) -> Void
    ) throws(CaptureFileError) -> Bool {
        guard record.header.kind == .air else {
            try body(record)
            return true
        }
        var header = record.header
        if asAir {
            guard let opened = analyzer.air.openedOctets(of: record) else {
                try body(record)
                return true
            }
            header.radio.flags.formUnion([.decrypted, .crcChecked, .crcValid])
            header.capturedLength = opened.count
            header.originalLength = opened.count
            try body(Record(header, opened.borrowedOctets))
            return true
        }
        let account = analyzer.air.last
        if account.mayHaveMissed, account.connection != nil {
            missed &+= UInt32(clamping: max(account.missedEvents, 1))
        }
        header.cumulativeDrops &+= missed
        let view = analyzer.air.view
        for packet in view.packets {
            header.kind = packet.kind
            header.direction = packet.direction
            header.capturedLength = packet.range.count
            header.originalLength = packet.range.count
            try body(Record(header, view.octets.borrowedOctets.clamped(packet.range)))
        }
        return !view.packets.isEmpty
    }
}
