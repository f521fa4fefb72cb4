import Analysis
import CaptureFile
import CommandLineKit
import LinkLayer
import Rendering
import WireBytes

/// One pass over the input files: every record is analyzed, and those that pass the filter are rendered.
struct AnalysisPass: ~Copyable {
    /// Bytes of output written at once.
    static let chunk = 1 << 16

    /// The files, in the order given.
    let paths: [String]
    var analyzer: Analyzer
    /// The metadata of the files that could be opened.
    var infos: [CaptureInfo] = []
    /// Counts of the bytes of all files, by their use.
    var tally = ReaderTally()
    /// Bytes of the files on the disk; nil if one is not a regular file.
    let fileOctets: Int?
    /// Bytes of the refused files, which were not read.
    var refusedOctets = 0
    /// Records left out because another file had returned them.
    var duplicates = 0
    /// Left-out records that hold more bytes than the copy that was used.
    var longerDuplicates = 0
    /// Notices about skipped unsupported data; the rest is complete without it.
    var notices: [Failure] = []
    private let arguments: ParsedArguments
    /// Whether all files are parts of one log.
    private let isOneLog: Bool
    /// The descriptor of standard input.
    private let input: Int32
    /// Readable once pipes are to be ended; nil if they are read to their end.
    private let stop: Int32?
    /// Nanoseconds to add to the times of files, by their paths.
    var offsets: [String: Int64] = [:]
    /// Count of the malformed records.
    var flagged = FlaggedCount()
    /// The reasons why files could not be read, or not to their end.
    var failures: [Failure] = []
    /// The same reasons, as reported by the reader.
    private var errors: [CaptureFileError] = []
    /// Number of records that pass the filter.
    private(set) var passed = 0
    /// Reading errors that belong to no frame.
    var damage: ReadingDamage { ReadingDamage(errors, tally) }
    private var selector: FrameSelector
    /// Whether the analyzer counts the frames that pass separately, for the verdict and the exit status.
    private let isFiltered: Bool
    /// The last property, because the size of its clock's time depends on the system, and so would the offset
    /// of any property after it.
    private var meter: ProgressMeter

    /// - Parameters:
    ///   - paths: the files; nil for the operands.
    ///   - isOneLog: whether all files are parts of one log, regardless of names and records; nil for the
    ///     option's value.
    ///   - stop: a descriptor that is readable once pipes are to be ended; nil for none.
    ///   - showsProgress: whether to show the progress on a terminal.
    init(
        _ arguments: ParsedArguments, paths: [String]? = nil, isOneLog: Bool? = nil, filter: FrameFilter,
        _ knowledge: AnalysisKnowledge, stop: Int32? = nil, showsProgress: Bool = true
    ) {
        let paths = paths ?? arguments.operands
        self.arguments = arguments
        self.isOneLog = isOneLog ?? arguments.has(.oneLog)
        self.stop = stop
        input = arguments.environment.input.descriptor
        self.paths = paths
        isFiltered = !filter.isEmpty
        let sizes = paths.map { Self.size(of: $0) }
        fileOctets = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        analyzer = Analyzer(knowledge)
        if isFiltered { analyzer.beginSelection() }
        var filter = filter
        filter.peers = filter.peers.resolved(in: paths, asOneLog: self.isOneLog, knowledge)
        selector = FrameSelector(filter)
        meter = ProgressMeter(showsProgress ? paths : nil, arguments.environment)
    }

    /// Bytes of a file, 0 if it is missing; nil if it is not a regular file.
    private static func size(of path: String) -> Int? {
        guard path != "-" else { return nil }
        guard let status = SystemCall.status(of: path) else { return 0 }
        return status.isRegular ? status.size : nil
    }

    /// Reads all files to their end, or to their damage, as one timeline.
    mutating func run<R: FrameRenderer & ~Copyable>(
        _ renderer: inout R, into sink: inout DescriptorSink
    ) throws(OutputError) {
        defer { meter.end() }
        if let set = open(&renderer) { try read(set, &renderer, &sink) }
        analyzer.finish()
        notices += Failure.displaced(analyzer)
    }

    /// Opens the files, or those that can be read.
    private mutating func open<R: FrameRenderer & ~Copyable>(_ renderer: inout R) -> CaptureSet? {
        var left = paths
        while !left.isEmpty {
            do throws(CaptureFileError) {
                return try CaptureSet(paths: left, asOneLog: isOneLog, stop: stop, input: input)
            } catch {
                fail(error, &renderer)
                // Standard input can't be read again; the other files can.
                guard !left.contains("-"), let bad = left.firstIndex(where: { error.isAbout($0) }) else {
                    return nil
                }
                refusedOctets += Self.size(of: left.remove(at: bad)) ?? 0
            }
        }
        return nil
    }

    private mutating func fail<R: FrameRenderer & ~Copyable>(
        _ error: CaptureFileError, _ renderer: inout R
    ) {
        renderer.fail(error)
        failures.append(Failure(error, arguments))
        errors.append(error)
    }

    private mutating func read<R: FrameRenderer & ~Copyable>(
        _ set: consuming CaptureSet, _ renderer: inout R, _ sink: inout DescriptorSink
    ) throws(OutputError) {
        for (path, offset) in offsets {
            for index in 0..<set.fileCount {
                let name = set.info(ofFile: index).name
                // A capture in an archive has the archive's name before its own.
                if name == path || name.hasPrefix(path + ":") { set.move(file: index, by: offset) }
            }
        }
        for index in 0..<set.fileCount {
            infos.append(set.info(ofFile: index))
            renderer.begin(infos[index], index: index)
        }
        let canWait = paths.contains { SystemCall.status(of: $0)?.isRegular != true }
        var more = true
        while more {
            // Write what is ready before waiting for more.
            if canWait, set.isWaiting { try renderer.pause(into: &sink) }
            // The error that ends the set is among its errors.
            more = (try? step(&set, &renderer)) ?? false
            try renderer.drain(into: &sink, atLeast: Self.chunk)
            if analyzer.totals.records & 0xFFF == 0 { meter.update(set.offset) }
        }
        for error in set.errors { fail(error, &renderer) }
        tally = set.tally
        duplicates = set.duplicateRecords
        longerDuplicates = set.longerDuplicates
        notices = set.passedOver.map { Failure($0) }
        if set.mayRepeat { notices.append(Failure(repeating: set)) }
        if set.mayBeOneLog { notices.append(Failure(apart: set)) }
    }

    /// Analyzes the next record and renders it if it passes; returns false after the last.
    @inline(__always)
    private mutating func step<R: FrameRenderer & ~Copyable>(
        _ set: inout CaptureSet, _ renderer: inout R
    ) throws(CaptureFileError) -> Bool {
        guard try set.advance() else { return false }
        let log = set.log
        take(set.record(), of: log, &renderer)
        return true
    }

    @inline(__always)
    private mutating func take<R: FrameRenderer & ~Copyable>(
        _ record: borrowing Record, of log: Int, _ renderer: inout R
    ) {
        analyzer.analyze(record, file: log)
        if !analyzer.problems.isEmpty { flagged.count(record.header, analyzer.problems) }
        let passes = selector.passes(record, analyzer)
        if isFiltered { select(passes) }
        if passes {
            passed &+= 1
            renderer.render(record, analyzer)
        } else {
            renderer.passOver(record, analyzer)
        }
    }

    /// Lets the analyzer count its last frame separately if it passes.
    @inline(never)
    private mutating func select(_ passes: Bool) {
        if passes { analyzer.select() } else { analyzer.passOver() }
    }

    /// The lines of NDJSON about the log.
    func ndjson(_ tags: LogTags) -> [UInt8] {
        var renderer = NDJSONRenderer()
        var line = LogLine(infos, analyzer, damage)
        line.tags = tags.of(paths.first ?? "")
        renderer.log(infos, analyzer, tally, line, damage.errors)
        return renderer.out.copied(from: 0)
    }

    /// The results that determine the exit status.
    struct Marks: Sendable {
        /// The reasons why files could not be read, or not to their end.
        var unreadable: [Failure] = []
        /// The entries of the verdicts.
        var counts = Verdict.Counts()
        var records = 0
        var malformed = 0
        var skipped = 0
        var hasSkipped = false
        /// The keys that pairings on the air revealed.
        var learned: [LinkKeys.Learned] = []

        static func += (left: inout Marks, right: Marks) {
            left.unreadable += right.unreadable
            left.counts += right.counts
            left.records += right.records
            left.malformed += right.malformed
            left.skipped += right.skipped
            if right.hasSkipped { left.hasSkipped = true }
            left.learned += right.learned.filter { !left.learned.contains($0) }
        }
    }

    var marks: Marks {
        Marks(
            unreadable: failures, counts: Verdict.Counts(analyzer),
            records: analyzer.totals.records, malformed: flagged.records, skipped: tally.skippedRecords,
            hasSkipped: tally.skippedRecords + tally.unreadableOctets > 0,
            learned: analyzer.air.keys.learned)
    }

    /// The notice that no record passes the filter; nil if some do.
    var nothing: Failure? { Failure(passed: passed, arguments, analyzer, layers: selector.layers) }

    /// Reports problems of reading, and returns the exit status.
    ///
    /// - Parameter hasVerdict: whether the verdict, which names damage, was written without a pager.
    func end(_ arguments: ParsedArguments, _ console: Console, hasVerdict: Bool = false) -> ExitStatus {
        if let nothing { console.say(nothing.line) }
        for notice in notices { console.say(notice.line) }
        let isSeen = hasVerdict && failures.count <= Verdict.mostDamaged && Output.isSeenOnce(arguments)
        return marks.end(arguments, console, shown: isSeen ? failuresInVerdict : [])
    }

    /// The failures of which the verdict says everything.
    private var failuresInVerdict: [Failure] {
        var shown: [Failure] = []
        for (failure, error) in zip(failures, errors) where !error.needsAdvice {
            // What is wrong with a file that could not be opened is more than damage.
            for info in infos where error.isAbout(info.name) {
                shown.append(failure)
                break
            }
        }
        return shown
    }
}

extension AnalysisPass.Marks {
    /// Reports unreadable files, and violations of --strict and --fail-on; returns the exit status.
    ///
    /// - Parameter shown: the failures that are in the output, on the same terminal.
    func end(_ arguments: ParsedArguments, _ console: Console, shown: [Failure] = []) -> ExitStatus {
        do throws(Failure) {
            if let notice = try LearnedKeys.save(learned, arguments) { console.say(notice) }
        } catch {
            return console.report(error)
        }
        var said: Set<String> = []
        for failure in unreadable where !shown.contains(failure) {
            var failure = failure
            // The same advice about several files is given once.
            if let advice = failure.advice, !said.insert(advice).inserted { failure.advice = nil }
            console.say(failure.line)
        }
        if let failure = unreadable.first { return failure.status }
        var status = ExitStatus.success
        if arguments.has(.strict), malformed > 0 || hasSkipped {
            console.say(
                "--strict: \(malformed.counting("malformed frame")), " + skipped.counting("skipped record"))
            status = .negative
        }
        if let least = arguments.value(.failOn), records == 0 {
            console.say("--fail-on \(least): there is no record, so nothing was judged")
        }
        let others = arguments.value(.failOn) == "warning" ? counts.othersInWords() : ""
        if let least = arguments.value(.failOn), counts.failures > 0 || !others.isEmpty {
            console.say(
                "--fail-on \(least): \(counts.failures.counting("failure"))"
                    + (others.isEmpty ? "" : ", \(others)"))
            status = .negative
        }
        return status
    }
}

/// Count of malformed records.
struct FlaggedCount {
    var records = 0
    var octets = 0

    mutating func count(_ header: RecordHeader, _ problems: [Problem]) {
        guard problems.contains(where: { $0.traits.contains(.malformed) }) else { return }
        records &+= 1
        octets &+= header.capturedLength
    }
}

/// Writes the account of the input's bytes.
enum AccountText {
    /// Appends one line; the parts add up to the bytes of the files, or to their unpacked bytes.
    ///
    /// - Parameter width: the columns of the terminal; nil for a whole line.
    static func put(_ pass: borrowing AnalysisPass, width: Int?, into out: inout TextBuffer) {
        let start = out.count
        defer { Output.fit(&out, from: start, width: width) }
        let tally = pass.tally
        let headers = tally.fileHeaderOctets + tally.recordHeaderOctets + tally.paddingOctets
        let total = tally.totalOctets + pass.refusedOctets
        let isUnpacked = pass.fileOctets.map { $0 != total } ?? false
        let input =
            isUnpacked
            ? "unpacked from \(pass.fileOctets ?? 0) (only the logs in it are counted)" : "read"
        let skipped = tally.skippedOctets + tally.unreadableOctets + pass.refusedOctets
        out.put("\(total) bytes \(input) = \(tally.recordOctets - pass.flagged.octets) decoded + ")
        out.put("\(pass.flagged.octets) flagged + \(headers) of the file format + \(skipped) skipped\n")
        guard pass.duplicates > 0 else { return }
        let too = pass.duplicates == 1 ? "has it too" : "has them too"
        out.put("\(pass.duplicates.counting("record")) left out: another file \(too)\n")
        guard pass.longerDuplicates > 0 else { return }
        out.put("\(pass.longerDuplicates) of them held more bytes than the copy that was used\n")
    }
}
