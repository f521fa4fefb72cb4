import Analysis
import CaptureFile
import CommandLineKit
import PayloadFormat
import Rendering
import WireBytes

// One frame in full (--frame), and the frames that explain one failure (--failure).

extension Annotate {
    /// Shows the frames selected by `--frame` in full.
    func frame(into sink: inout DescriptorSink) throws(OutputError) -> ExitStatus {
        let options = Output.textOptions(arguments, sink.descriptor)
        var renderer = OneFrame(FrameDetail(usesColor: options.usesColor), width: options.width)
        var pass = pass()
        try pass.run(&renderer, into: &sink)
        try renderer.drain(into: &sink, atLeast: 1)
        if pass.passed == 0, pass.failures.isEmpty {
            let number = arguments.value(.frame) ?? ""
            let others = FrameFilter.words(arguments).map(Shell.quoted).joined(separator: " ")
            let isIn = pass.infos.indices.contains { index in
                filter.frames.contains { $0.areIn(renderer.counts[index], ofFile: index) }
            }
            console.say(
                isIn && !others.isEmpty
                    ? "frame \(number) does not pass \(others)"
                    : "no frame \(number): \(Self.frames(of: pass.infos, renderer.counts))")
            return .usage
        }
        return pass.end(arguments, console)
    }

    /// Largest number of files that a sentence names.
    private static let namedFiles = 5

    /// Returns the number of frames of a log, or of each of several files.
    private static func frames(of files: [CaptureInfo], _ counts: [Int]) -> String {
        guard files.count > 1 else { return "the log has \((counts.first ?? 0).counting("frame"))" }
        let named = zip(files, counts).enumerated().prefix(namedFiles).map { index, file in
            "\(index + 1) is \(file.0.name) with \(file.1.counting("frame"))"
        }
        let more = files.count - named.count
        return "of the files, " + named.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
            + "; --frame FILE:NUMBER is a frame of one of them, such as \(files.count):1"
    }

    /// Shows the failure selected by `--failure`, and the frames that explain it.
    func failure(_ number: Int, into sink: inout DescriptorSink) throws(OutputError) -> ExitStatus {
        let areFiles = arguments.operands.allSatisfy {
            $0 != "-" && SystemCall.status(of: $0)?.isRegular != false
        }
        guard areFiles else {
            console.say("--failure: the input is read twice; give it a file")
            return .usage
        }
        var first = pass()
        var silent = SilentRenderer()
        try first.run(&silent, into: &sink)
        var options = Output.textOptions(arguments, sink.descriptor)
        options.showsAll = true
        options.namesFile = first.infos.count > 1
        options.namesAdapter = first.analyzer.hasSeveralAdapters
        let explanation = Explanation(
            number, first.analyzer, namesFile: options.namesFile, style: options.verdictStyle)
        guard let explanation else {
            let count = Explanation.count(first.analyzer)
            let files = first.infos.count
            let all = files > 1 ? "these \(files) files together" : "this log"
            let entries = "the verdict\(files > 1 ? " on \(all)" : "") has "
            console.say(
                "--failure \(number): "
                    + (count == 0
                        ? "nothing failed in " + (filter.isEmpty ? all : "what passes the filter")
                        : entries + (count == 1 ? "1 entry" : "\(count) entries"))
                    + (files > 1 ? "; for the numbers of one log, give its file" : ""))
            return .usage
        }
        var out = TextBuffer()
        for (index, file) in first.infos.enumerated() where options.namesFile {
            guard explanation.evidence.contains(where: { $0.file == index }) else { continue }
            out.put("file \(index + 1): ")
            out.escaped(file.name)
            out.put(0x0A)
        }
        explanation.put(into: &out)
        try sink.drain(&out)
        var renderer = ExplainingFrames(
            explanation, TextRenderer(options), showsAll: arguments.has(.all))
        var second = pass()
        try second.run(&renderer, into: &sink)
        try renderer.drain(into: &sink, atLeast: 1)
        return second.end(arguments, console)
    }

    private func pass() -> AnalysisPass {
        AnalysisPass(arguments, filter: filter, knowledge, stop: stop)
    }
}

/// Writes the selected frames in full.
private struct OneFrame: FrameRenderer, ~Copyable {
    private var detail: FrameDetail
    /// Number of frames of each file.
    private(set) var counts: [Int] = []
    private let width: Int?
    /// The columns from which on the rest of a field stands below its meaning, and the place of the meaning.
    private static let (wide, meaning) = (80, 42)

    init(_ detail: consuming FrameDetail, width: Int?) {
        self.detail = detail
        self.width = width
    }

    mutating func begin(_ file: CaptureInfo, index: Int) {
        counts.append(0)
        detail.begin(file)
    }

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        detail.noteStart(analyzer)
        let start = detail.out.count
        detail.render(record, analyzer)
        let isWide = width.map { $0 >= Self.wide } ?? false
        Output.fit(&detail.out, from: start, width: width, fieldIndent: isWide ? Self.meaning : 10)
    }

    mutating func passOver(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        detail.noteStart(analyzer)
        counts[Int(record.header.file)] += 1
    }

    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if detail.out.count >= threshold { try sink.drain(&detail.out) }
    }
}

/// Writes the frames of a failure, and frames of its connection shortly before and after them.
private struct ExplainingFrames: FrameRenderer, ~Copyable {
    private let explanation: Explanation
    /// Whether to write all frames of the connection.
    private let showsAll: Bool
    private var renderer: TextRenderer
    private var out = TextBuffer()
    /// The last frames of the connection that were not written, each with the number of those left out before
    /// it.
    private var before: [(lines: [UInt8], time: CaptureTime, leftOut: Int)] = []
    /// The time of the last written frame.
    private var last: CaptureTime?
    /// Number of further frames to write after the failure's last frame.
    private var after = 0

    /// Number of the connection's frames that were left out since the last one of `before`, or the last
    /// written one.
    private var leftOut = 0

    /// Number of the connection's frames to write before and after the failure's frames.
    private static let (mostBefore, mostAfter) = (6, 2)

    /// The time of the failure's last frame so far.
    private var evidenceTime: CaptureTime?

    /// Time after the failure's last frame up to which the connection's end may follow from it, in
    /// nanoseconds.
    private static let nearEnd: Int64 = 5_000_000_000

    init(_ explanation: Explanation, _ renderer: consuming TextRenderer, showsAll: Bool) {
        self.explanation = explanation
        self.showsAll = showsAll
        self.renderer = renderer
        // Frames that are rendered need not be written.
        self.renderer.options.showsPauses = false
    }

    mutating func begin(_ file: CaptureInfo, index: Int) {
        renderer.options.hasTimes = file.hasTimes || index > 0 && renderer.options.hasTimes
        if index == 0 { renderer.header() }
        swap(&out, &renderer.out)
    }

    mutating func fail(_ error: CaptureFileError) {}

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let isEvidence = explanation.evidence.contains(analyzer.frame.place)
        let link = analyzer.frame.link
        let isOfConnection = link >= 0 && analyzer.links[link].number == explanation.connection
        // Folded frames are irrelevant to a failure, unless it is about them.
        guard isEvidence || isOfConnection && (showsAll || analyzer.frame.fold == .none) else {
            // Credits say nothing of a connection.
            if isOfConnection, analyzer.frame.fold != .credit { leftOut += 1 }
            return
        }
        renderer.render(record, analyzer)
        let lines = renderer.out.copied(from: 0)
        renderer.out.clear()
        let endsConnection = isOfConnection && !analyzer.links[link].isOpen
        let time = record.header.time
        guard isEvidence || showsAll || after > 0 || endsConnection else { return keep(lines, time) }
        if isEvidence {
            evidenceTime = time
        } else if endsConnection, !showsAll, after == 0, let passed = passed(until: time),
            passed > Self.nearEnd
        {
            return putEnd(analyzer.frame.place.frame, passed)
        }
        // Before the connection's end, keep only the last frame, which may have requested the end.
        while !isEvidence, before.count > 1 { drop() }
        for frame in before { put(frame.lines, frame.time, leftOut: frame.leftOut) }
        before = []
        put(lines, time, leftOut: leftOut)
        leftOut = 0
        after = isEvidence ? Self.mostAfter : max(0, after - 1)
    }

    private func passed(until time: CaptureTime) -> Int64? {
        evidenceTime.map { time.nanoseconds.subtractingReportingOverflow($0.nanoseconds) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    /// Writes a line about the connection's end, long after the failure, in place of its frames.
    private mutating func putEnd(_ frame: Int, _ passed: Int64) {
        let count = before.reduce(leftOut) { $0 + $1.leftOut + 1 }
        let more = count > 0 ? count.counting("more frame") + "; " : ""
        let line =
            "      \u{2026} \(more)the connection ends with frame \(frame), "
            + "\(TextDuration.text(passed)) later (--all shows all)"
        for part in line.wrapped(to: renderer.options.width ?? .max, indent: 8) { out.put("\(part)\n") }
        (before, leftOut) = ([], 0)
    }

    private mutating func keep(_ lines: [UInt8], _ time: CaptureTime) {
        if before.count >= Self.mostBefore { drop() }
        before.append((lines, time, leftOut))
        leftOut = 0
    }

    /// Writes a frame's lines, below the number of frames that were left out and a long time that passed.
    private mutating func put(_ lines: [UInt8], _ time: CaptureTime, leftOut: Int) {
        let passed = last.map { time.nanoseconds &- $0.nanoseconds } ?? 0
        let isLong = passed >= Self.longPause
        let facts = [
            leftOut > 0 ? "\u{2026} " + leftOut.counting("more frame") : nil,
            isLong ? TextDuration.text(passed) + " later" : nil,
        ].compactMap(\.self)
        if !facts.isEmpty { out.put("      " + facts.joined(separator: ", ") + "\n") }
        last = time
        out.put(lines)
    }

    /// Time between two frames from which on it stands between them, in nanoseconds.
    private static let longPause: Int64 = 1_000_000_000

    private mutating func drop() {
        let dropped = before.removeFirst().leftOut + 1
        if before.isEmpty { leftOut += dropped } else { before[0].leftOut += dropped }
    }

    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if out.count >= threshold { try sink.drain(&out) }
    }
}
