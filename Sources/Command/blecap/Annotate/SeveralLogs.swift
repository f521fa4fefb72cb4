import Analysis
import CaptureFile
import CommandLineKit
import Dispatch
import Rendering
import Synchronization
import WireBytes

/// Judges several logs separately, in parallel: one line for each, and the number of logs per cause.
struct SeveralLogs {
    private let arguments: ParsedArguments
    private let console: Console
    private let paths: [String]
    private let filter: FrameFilter
    private let knowledge: LogKnowledge
    private let tags: LogTags
    /// Readable once pipes are to be ended; nil for never.
    private let stop: Int32?

    init(
        _ arguments: ParsedArguments, _ console: Console, filter: FrameFilter,
        _ knowledge: LogKnowledge, tags: LogTags = LogTags(), stop: Int32?
    ) {
        self.tags = tags
        self.arguments = arguments
        self.console = console
        paths = arguments.operands
        self.filter = filter
        self.knowledge = knowledge
        self.stop = stop
    }

    /// Whether the options require one sequence of all files' frames, because they refer to its numbers.
    private var isOneTimeline: Bool {
        [OptionRow.oneTimeline, .oneLog, .connection, .frames, .frame, .failure].contains {
            arguments.has($0)
        }
    }

    /// Judges the logs and writes their lines; returns nil if there is only one, if none can be read, or if
    /// one timeline is required.
    func run() throws(Failure) -> ExitStatus? {
        guard !isOneTimeline, let logs = judge(), logs.contains(where: { $0.line.verdict != .unreadable })
        else { return nil }
        try Output.write(arguments, pages: true) { sink, _ throws(OutputError) in
            // The reader of a pipe or file wants whole lines, whatever COLUMNS says.
            let isSeen = arguments.environment.output.isTerminal && !arguments.has(.output)
            var out = TextBuffer()
            put(logs, width: isSeen ? Output.textOptions(arguments, sink.descriptor).width : nil, into: &out)
            try sink.drain(&out)
        }
        return end(logs)
    }

    /// Every log, judged separately; all as one if there is only one, or if one timeline is required.
    func judged() -> [Judged] {
        if !isOneTimeline, let logs = judge() { return logs }
        return [judge(paths, Beginnings([], arguments.environment), isOneLog: arguments.has(.oneLog))]
    }

    /// Reports problems of reading, and returns the exit status.
    func end(_ logs: [Judged]) -> ExitStatus {
        var marks = AnalysisPass.Marks()
        let empty = logs.compactMap(\.nothing)
        var nothing = empty.count == logs.count ? empty.first : nil
        // What one log has is no advice about several.
        if logs.count > 1 { nothing?.advice = nil }
        if let nothing { console.say(nothing.line) }
        for log in logs {
            for notice in log.notices { console.say(notice.line) }
            marks += log.marks
        }
        return marks.end(arguments, console)
    }

    /// Appends a line for each log, and the totals.
    ///
    /// - Parameter width: the maximum columns of a line; nil for whole lines.
    private func put(_ logs: [Judged], width: Int?, into out: inout TextBuffer) {
        for log in logs { out.put(log.ndjson) }
        guard logs.allSatisfy(\.ndjson.isEmpty) else { return }
        let folder = Self.commonFolder(paths)
        let names = logs.map { log in
            LogLine.name(of: log.paths.map { $0 == "-" ? $0 : String($0.dropFirst(folder)) })
        }
        let lines = zip(names, logs.map(\.line)).map { (name: $0, line: $1) }
        let layout = LogLine.Layout(lines, width: width)
        for (name, line) in lines { layout.put(name, line, into: &out) }
        let files = paths.count == logs.count ? "" : " in \(paths.count.counting("file"))"
        out.put("\n\(logs.count.counting("log"))\(files): \(LogLine.verdicts(logs.map(\.line)))\n")
        for (cause, count) in LogLine.causes(logs.map(\.line)) {
            out.put("  \(count) \u{D7} ")
            out.escaped(cause)
            out.put(0x0A)
        }
    }

    /// Number of characters in the path of the folder common to all files.
    private static func commonFolder(_ paths: [String]) -> Int {
        let folders = paths.map { $0[..<($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)] }
        guard var common = folders.first else { return 0 }
        for folder in folders {
            while !folder.hasPrefix(common) {
                let slash = common.dropLast().lastIndex(of: "/")
                common = common[..<(slash.map(common.index(after:)) ?? common.startIndex)]
            }
        }
        return common.count
    }

    /// The result of one log.
    struct Judged: Sendable {
        var paths: [String]
        var line: LogLine
        /// Its lines of NDJSON, if requested.
        var ndjson: [UInt8] = []
        var findings: LogFindings
        var marks: AnalysisPass.Marks
        var notices: [Failure]
        /// The notice that nothing in it passes the filter; nil if something does.
        var nothing: Failure?
        /// The files whose first records it also contains, by their index among all files.
        var repeated: Set<Int>
    }

    /// Judges the logs, each a list of files; returns nil if all files are parts of one.
    private func judge() -> [Judged]? {
        let groups = CaptureSet.logs(named: paths)
        var logs = Dictionary(grouping: paths.indices) { groups[$0] }
            .sorted { $0.key < $1.key }.map { $0.value.map { paths[$0] } }
        guard logs.count > 1 else { return nil }
        let beginnings = Beginnings(paths, arguments.environment)
        var judged = judge(logs, beginnings)
        let joined = Self.joined(judged, paths)
        guard !joined.isEmpty else { return judged }
        let isIn = { (paths: [String], log: [String]) in paths.allSatisfy { log.contains($0) } }
        logs = logs.filter { log in !joined.contains { isIn(log, $0) } }
        guard logs.count + joined.count > 1 else { return nil }
        judged.removeAll { old in joined.contains { isIn(old.paths, $0) } }
        judged += judge(joined, beginnings)
        let places = Dictionary(paths.enumerated().map { ($1, $0) }) { first, _ in first }
        return judged.sorted { (places[$0.paths[0]] ?? 0) < (places[$1.paths[0]] ?? 0) }
    }

    private func judge(_ logs: [[String]], _ beginnings: Beginnings) -> [Judged] {
        let work = Mutex(Work(logs.count, arguments.environment))
        DispatchQueue.concurrentPerform(iterations: logs.count) { index in
            let one = judge(logs[index], beginnings)
            work.withLock { $0.take(one, index) }
        }
        return work.withLock { $0.end() }
    }

    /// The results so far, by the place of their logs.
    private struct Work: ~Copyable {
        private var judged: [Judged?]
        private var done = 0
        private var meter: ProgressMeter

        init(_ count: Int, _ environment: CommandEnvironment) {
            judged = Array(repeating: nil, count: count)
            meter = ProgressMeter([], environment)
        }

        mutating func take(_ one: Judged, _ index: Int) {
            judged[index] = one
            done += 1
            meter.update("\(done) of \(judged.count) logs")
        }

        mutating func end() -> [Judged] {
            meter.end()
            return judged.compactMap(\.self)
        }
    }

    private func judge(_ paths: [String], _ beginnings: Beginnings, isOneLog: Bool = false) -> Judged {
        var known = knowledge.ofAll
        var unread: [Failure] = []
        do throws(Failure) { known = try knowledge.of(paths) } catch { unread = [error] }
        var pass = AnalysisPass(
            arguments, paths: paths, isOneLog: isOneLog, filter: filter, known, stop: stop,
            showsProgress: false)
        var finder = BeginningFinder(beginnings)
        var none = arguments.environment.outputSink
        // The finder writes nothing.
        try? pass.run(&finder, into: &none)
        let isNDJSON = arguments.command == "info" && arguments.value(.listFormat) == "ndjson"
        return Judged(
            paths: paths, line: LogLine(pass.infos, pass.analyzer, pass.damage),
            ndjson: isNDJSON ? pass.ndjson(tags) : [],
            findings: LogFindings(
                pass.infos, of: paths, pass.analyzer, pass.damage, explains: !arguments.has(.terse)),
            marks: pass.marks,
            notices: unread + pass.notices,
            nothing: pass.nothing, repeated: finder.found)
    }

    /// The logs to join because one contains the beginning of another, each with all its files.
    private static func joined(_ judged: [Judged], _ all: [String]) -> [[String]] {
        var candidates: Set<String> = []
        for log in judged {
            let others = log.repeated.map { all[$0] }.filter { !log.paths.contains($0) }
            guard !others.isEmpty else { continue }
            candidates.formUnion(log.paths)
            for other in others {
                candidates.formUnion(judged.first { $0.paths.contains(other) }?.paths ?? [])
            }
        }
        let paths = all.filter { candidates.contains($0) }
        guard paths.count > 1, var set = try? CaptureSet(paths: paths) else { return [] }
        // Damage ends a file, and is reported with the file's verdict.
        while (try? set.advance()) == true {}
        var logs: [Int: [String]] = [:]
        for index in 0..<set.fileCount {
            let name = set.info(ofFile: index).name
            guard let path = paths.first(where: { name == $0 || name.hasPrefix($0 + ":") }) else { continue }
            if logs[set.logOfFile[index]]?.contains(path) != true {
                logs[set.logOfFile[index], default: []].append(path)
            }
        }
        let known = Set(judged.map { Set($0.paths) })
        return logs.sorted { $0.key < $1.key }.map(\.value).filter {
            $0.count > 1 && !known.contains(Set($0))
        }
    }
}

/// Times of the first two records of each file, by the time of the first.
struct Beginnings: Sendable {
    private(set) var files: [CaptureTime: [(file: Int, second: CaptureTime)]] = [:]

    init(_ paths: [String], _ environment: CommandEnvironment) {
        var meter = ProgressMeter([], environment)
        defer { meter.end() }
        for (index, path) in paths.enumerated() where SystemCall.status(of: path)?.isRegular == true {
            meter.update("\(index) of \(paths.count.counting("file")) opened")
            guard var set = try? CaptureSet(paths: [path]), (try? set.advance()) == true else { continue }
            let first = set.record().header.time
            guard (try? set.advance()) == true else { continue }
            files[first, default: []].append((index, set.record().header.time))
        }
    }
}

/// Finds the beginnings of other files in a log, and writes nothing.
struct BeginningFinder: FrameRenderer, ~Copyable {
    private let beginnings: Beginnings
    /// The files whose first record may have been found, each with the time of its second.
    private var begun: [(file: Int, second: CaptureTime)] = []
    private(set) var found: Set<Int> = []

    init(_ beginnings: Beginnings) { self.beginnings = beginnings }

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let time = record.header.time
        if !begun.isEmpty {
            for file in begun where file.second == time { found.insert(file.file) }
            begun.removeAll { $0.second <= time }
        }
        if let files = beginnings.files[time] { begun += files.filter { !found.contains($0.file) } }
    }

    mutating func passOver(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        render(record, analyzer)
    }
}
