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
        var renderer = OneFrame(FrameDetail(usesColor: options.usesColor))
        var pass = pass()
        try pass.run(&renderer, into: &sink)
        try renderer.drain(into: &sink, atLeast: 1)
        if pass.passed == 0, pass.failures.isEmpty {
            let number = arguments.value(.frame) ?? ""
            let count = pass.analyzer.totals.records
            let others = FrameFilter.words(arguments).map(Shell.quoted).joined(separator: " ")
            console.say(
                others.isEmpty || Int(number).map { $0 > count } == true
                    ? "no frame \(number): the log has \(count.counting("frame"))"
                    : "frame \(number) does not pass \(others)")
            return .usage
        }
        return pass.end(arguments, console)
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
            console.say(
                count == 0
                    ? "--failure \(number): nothing failed in "
                        + (filter.isEmpty ? "this log" : "what passes the filter")
                    : "--failure \(number): the verdict has \(count == 1 ? "1 entry" : "\(count) entries")")
            return .usage
        }
        var out = TextBuffer()
        explanation.put(into: &out)
        try sink.drain(&out)
        var renderer = ExplainingFrames(explanation, TextRenderer(options))
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

    init(_ detail: consuming FrameDetail) { self.detail = detail }

    mutating func begin(_ file: CaptureInfo, index: Int) { detail.begin(file) }

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        detail.render(record, analyzer)
    }

    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if detail.out.count >= threshold { try sink.drain(&detail.out) }
    }
}

/// Writes the frames of a failure, and frames of its connection shortly before and after them.
private struct ExplainingFrames: FrameRenderer, ~Copyable {
    private let explanation: Explanation
    private var renderer: TextRenderer
    private var out = TextBuffer()
    /// The last frames of the connection that were not written.
    private var before: [(lines: [UInt8], time: CaptureTime)] = []
    /// The time of the last written frame.
    private var last: CaptureTime?
    /// Number of further frames to write after the failure's last frame.
    private var after = 0

    /// Number of the connection's frames that were left out since the last written one.
    private var leftOut = 0

    /// Number of the connection's frames to write before and after the failure's frames.
    private static let (mostBefore, mostAfter) = (6, 4)

    init(_ explanation: Explanation, _ renderer: consuming TextRenderer) {
        self.explanation = explanation
        self.renderer = renderer
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
        guard isEvidence || isOfConnection && analyzer.frame.fold == .none else { return }
        renderer.render(record, analyzer)
        let lines = renderer.out.copied(from: 0)
        renderer.out.clear()
        let endsConnection = isOfConnection && !analyzer.links[link].isOpen
        let time = record.header.time
        guard isEvidence || after > 0 || endsConnection else { return keep(lines, time) }
        // Before the connection's end, keep only the last frame, which may have requested the end.
        while !isEvidence, before.count > 1 { drop() }
        for frame in before { put(frame.lines, frame.time) }
        before = []
        put(lines, time)
        after = isEvidence ? Self.mostAfter : max(0, after - 1)
    }

    private mutating func keep(_ lines: [UInt8], _ time: CaptureTime) {
        if before.count >= Self.mostBefore { drop() }
        before.append((lines, time))
    }

    /// Writes a frame's lines, below the number of frames that were left out and a long time that passed.
    private mutating func put(_ lines: [UInt8], _ time: CaptureTime) {
        let passed = last.map { time.nanoseconds &- $0.nanoseconds } ?? 0
        let isLong = passed >= Self.longPause
        let facts = [
            leftOut > 0 ? "\u{2026} " + leftOut.counting("more frame") : nil,
            isLong ? TextDuration.text(passed) + " later" : nil,
        ].compactMap(\.self)
        if !facts.isEmpty { out.put("      " + facts.joined(separator: ", ") + "\n") }
        (leftOut, last) = (0, time)
        out.put(lines)
    }

    /// Time between two frames from which on it stands between them, in nanoseconds.
    private static let longPause: Int64 = 1_000_000_000

    private mutating func drop() {
        before.removeFirst()
        leftOut += 1
    }

    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if out.count >= threshold { try sink.drain(&out) }
    }
}
