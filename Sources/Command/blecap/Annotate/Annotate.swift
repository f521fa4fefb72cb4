import Analysis
import CaptureFile
import CommandLineKit
import MonitorCapture
import PayloadFormat
import Rendering
import WireBytes

/// The formats that `blecap annotate` writes, in the order of its help.
enum AnnotateFormat: String, CaseIterable {
    case text, ndjson, pcapng, markdown, sarif
}

/// The command `blecap annotate`: decodes captures and explains each frame.
struct Annotate {
    let arguments: ParsedArguments
    let console: Console
    let filter: FrameFilter
    /// The knowledge for all logs together, as one timeline.
    let knowledge: AnalysisKnowledge
    private let logKnowledge: LogKnowledge
    /// Readable once pipes are to be ended; nil if only files are read.
    private(set) var stop: Int32?

    private let inputs: NamedInputs
    /// The number of the failure to explain, if requested.
    private let failureNumber: Int?

    init(_ given: ParsedArguments, _ console: Console) throws(Failure) {
        inputs = try NamedInputs(given.operands, given.environment)
        arguments = FoundFiles.added(to: given, in: inputs, console)
        self.console = console
        logKnowledge = try LogKnowledge(given, found: arguments)
        knowledge = logKnowledge.ofAll
        filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
        failureNumber = try arguments.number(.failure, least: 1)
        for option in [OptionRow.frame, .failure] where arguments.has(option) && !isText {
            throw Failure(.usage, "--\(option.long) works only with text", advice: "leave out --format")
        }
        for option in [OptionRow.summary, .time] where arguments.has(option) {
            // The others are text, or the verdict alone.
            guard format == .ndjson || format == .pcapng else { continue }
            throw Failure(
                .usage, "--\(option.long) and --format \(format.rawValue) exclude each other",
                advice: option.long == OptionRow.summary.long
                    ? "'blecap info --format ndjson' writes the verdict in JSON" : "its times are UTC")
        }
    }

    /// Seconds that the program at the other end of a pipe has after a signal.
    private static let grace: UInt32 = 1

    /// Runs to the end and returns the exit status. A signal ends pipes, and the input so far is judged; if
    /// there are only files, it ends the program.
    func run() throws(Failure) -> ExitStatus {
        guard arguments.operands.contains(where: isPipe) else { return try write() }
        let signals = try StopSignals(arguments.environment, firstAfter: Self.grace)
        var stoppable = self
        stoppable.stop = signals.descriptor
        defer { extendLifetime(signals) }
        return try stoppable.write()
    }

    /// Whether a path is not a regular file: usually standard input.
    private func isPipe(_ path: String) -> Bool {
        arguments.environment.status(ofInput: path).map { !$0.isRegular } ?? false
    }

    private func write() throws(Failure) -> ExitStatus {
        if let notice = inputs.notice { console.say(notice) }
        try LearnedKeys.check(arguments)
        if format == .pcapng { return try pcapng() }
        if arguments.has(.keepKeys) {
            throw Failure(
                .usage, "--keep-keys is for --format pcapng", advice: "other formats never show keys")
        }
        let several = SeveralLogs(arguments, console, filter: filter, logKnowledge, stop: stop)
        if format == .markdown || format == .sarif { return try findings(several) }
        if isText, let status = try several.run() { return status }
        let status = try Output.write(arguments, pages: isText) { sink, isPaged throws(OutputError) in
            try write(into: &sink, isPaged: isPaged)
        }
        return status ?? LearnedKeys.reportNotSaved(arguments, console)
    }

    var format: AnnotateFormat { arguments.value(.format).flatMap(AnnotateFormat.init) ?? .text }

    private var isText: Bool { format == .text }

    private func write(
        into sink: inout DescriptorSink, isPaged: Bool
    ) throws(OutputError) -> ExitStatus {
        if !isText { return try ndjson(into: &sink) }
        if arguments.has(.frame) { return try frame(into: &sink) }
        if let failureNumber { return try failure(failureNumber, into: &sink) }
        guard arguments.has(.summary) else { return try text(into: &sink, isPaged: isPaged) }
        return try summary(into: &sink, isPaged: isPaged)
    }

    /// Writes only the verdict.
    private func summary(
        into sink: inout DescriptorSink, isPaged: Bool
    ) throws(OutputError) -> ExitStatus {
        var pass = AnalysisPass(arguments, filter: filter, knowledge, stop: stop)
        var silent = SilentRenderer()
        try pass.run(&silent, into: &sink)
        var out = TextBuffer()
        if pass.infos.isEmpty {
            sink.discard()
        } else {
            let style = Output.textOptions(arguments, sink.descriptor).verdictStyle
            Verdict.put(pass.infos, pass.analyzer, pass.damage, style: style, into: &out)
        }
        try sink.drain(&out)
        return pass.end(arguments, console, hasVerdict: !isPaged)
    }

    private func ndjson(into sink: inout DescriptorSink) throws(OutputError) -> ExitStatus {
        var renderer = NDJSONRenderer()
        var pass = AnalysisPass(arguments, filter: filter, knowledge, stop: stop)
        try pass.run(&renderer, into: &sink)
        if pass.infos.isEmpty { sink.discard() }
        renderer.finish(pass.analyzer, pass.tally)
        try renderer.drain(into: &sink, atLeast: 1)
        return pass.end(arguments, console)
    }

    private func text(
        into sink: inout DescriptorSink, isPaged: Bool
    ) throws(OutputError) -> ExitStatus {
        let isTerminal = !arguments.has(.output) && arguments.environment.output.isTerminal
        var renderer = TextRenderer(Output.textOptions(arguments, sink.descriptor))
        // What a search finds is never folded.
        if !filter.searches.isEmpty { renderer.options.showsAll = true }
        let isFirst = verdictComesFirst
        if isFirst, let status = try verdict(&renderer, &sink) { return status }
        var pass = AnalysisPass(arguments, filter: filter, knowledge, stop: stop)
        try pass.run(&renderer, into: &sink)
        renderer.finish()
        if !pass.infos.isEmpty {
            renderer.out.put(0x0A)
            // On a terminal without a pager the first verdict has scrolled away.
            if !isFirst || isTerminal && !isPaged && sink.written + renderer.out.count > Self.screen {
                renderer.verdict(pass.infos, pass.analyzer, pass.damage)
            }
            if !filter.isEmpty {
                renderer.out.put(Report.passing(pass.passed, of: pass.analyzer.totals.records) + "\n")
            }
            AccountText.put(pass, width: renderer.options.width, into: &renderer.out)
            let options = renderer.options
            let width = options.namesPeer ? nil : options.verdictStyle.width
            advice(pass, hasFolded: renderer.hasFolded, width: width, &renderer.out)
        } else {
            sink.discard()
        }
        try renderer.drain(into: &sink, atLeast: 1)
        return pass.end(arguments, console, hasVerdict: !isPaged)
    }

    /// Whether to read the input first for the verdict, which is only known after the last record. All inputs
    /// must be regular files.
    ///
    /// Long files are not read twice, because that takes time, unless the output is a terminal.
    private var verdictComesFirst: Bool {
        var size = 0
        for path in arguments.operands {
            guard path != "-" else { return false }
            // Skip a missing file.
            guard let status = SystemCall.status(of: path) else { continue }
            guard status.isRegular else { return false }
            size &+= status.size
        }
        return size <= Self.shortFile || !arguments.has(.output) && arguments.environment.output.isTerminal
    }

    /// Bytes of text that exceed any screen.
    private static let screen = 8 << 10

    /// Bytes of input that can be read twice without a noticeable delay.
    private static let shortFile = 32 << 20

    /// Writes the verdict alone; returns the exit status if there is nothing to add, because no frame passes
    /// the filter.
    private func verdict(
        _ renderer: inout TextRenderer, _ sink: inout DescriptorSink
    ) throws(OutputError) -> ExitStatus? {
        var pass = AnalysisPass(arguments, filter: filter, knowledge)
        var silent = SilentRenderer()
        try pass.run(&silent, into: &sink)
        renderer.options.namesAdapter = pass.analyzer.hasSeveralAdapters
        guard !pass.infos.isEmpty else { return nil }
        guard pass.passed > 0 || filter.isEmpty || pass.analyzer.totals.records == 0 else {
            renderer.out.put(Report.passing(pass.passed, of: pass.analyzer.totals.records) + "\n")
            try renderer.drain(into: &sink, atLeast: 1)
            return pass.end(arguments, console)
        }
        renderer.verdict(pass.infos, pass.analyzer, pass.damage)
        guard pass.analyzer.totals.records == 0 else { return nil }
        AccountText.put(pass, width: renderer.options.width, into: &renderer.out)
        try renderer.drain(into: &sink, atLeast: 1)
        return pass.end(arguments, console)
    }
}

// The verdict without frames: Markdown for a person, SARIF for a service.

extension Annotate {
    /// Writes the findings of all logs, each judged separately.
    func findings(_ several: SeveralLogs) throws(Failure) -> ExitStatus {
        let logs = several.judged()
        let findings = logs.map(\.findings)
        try Output.write(arguments) { sink, _ throws(OutputError) in
            var out = TextBuffer()
            if format == .sarif {
                SARIFLog.put(findings, version: CommandTable.blecap.version, into: &out)
            } else {
                let frames = logs.count == 1 ? try lines(of: findings[0].evidence, sink.descriptor) : []
                MarkdownSummary.put(findings, frames: frames.borrowedOctets, into: &out)
            }
            try sink.drain(&out)
        }
        return several.end(logs)
    }

    /// The lines of some frames; empty if the input can't be read again.
    private func lines(of places: Set<FramePlace>, _ descriptor: Int32) throws(OutputError) -> [UInt8] {
        guard !places.isEmpty, arguments.operands.allSatisfy({ SystemCall.status(of: $0)?.isRegular == true })
        else { return [] }
        var options = Output.textOptions(arguments, descriptor)
        options.showsAll = true
        options.usesColor = false
        var renderer = ChosenFrames(places, TextRenderer(options))
        var pass = AnalysisPass(arguments, filter: filter, knowledge, showsProgress: false)
        var none = arguments.environment.outputSink
        try pass.run(&renderer, into: &none)
        return renderer.renderer.out.copied(from: 0)
    }
}

/// Keeps the lines of chosen frames, and writes nothing.
private struct ChosenFrames: FrameRenderer, ~Copyable {
    private let places: Set<FramePlace>
    private(set) var renderer: TextRenderer

    init(_ places: Set<FramePlace>, _ renderer: consuming TextRenderer) {
        self.places = places
        self.renderer = renderer
    }

    mutating func begin(_ file: CaptureInfo, index: Int) {
        if index > 0 { renderer.options.namesFile = true }
    }

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if places.contains(analyzer.frame.place) { renderer.render(record, analyzer) }
    }
}

// Annotated pcapng: the capture writer does its own output, in whole packets.

extension Annotate {
    /// Writes the packets, each with its annotation as the packet's comment.
    func pcapng() throws(Failure) -> ExitStatus {
        let path = arguments.value(.output) ?? "-"
        try Output.refuseTerminal(path, arguments.environment)
        let file = try Output.file(path, arguments, madeFrom: arguments.operands)
        var none = arguments.environment.outputSink
        do throws(OutputError) {
            var renderer = AnnotatedPcapng(
                file, isFiltered: !filter.isEmpty, keepsKeys: arguments.has(.keepKeys))
            var pass = AnalysisPass(
                arguments, filter: filter, knowledge, stop: stop)
            try pass.run(&renderer, into: &none)
            try renderer.finish()
            for (count, what) in renderer.loss.sentences {
                console.say("not held by pcapng: \(count) \(what)")
            }
            if let blanker = renderer.blanker, blanker.blanked + blanker.leftOut > 0 {
                let left = blanker.leftOut
                console.say(
                    "\(blanker.blanked.counting("record")) with keys blanked"
                        + (left > 0 ? ", \(left.counting("vendor diagnostic")) left out" : "")
                        + "; --keep-keys keeps them")
            }
            if renderer.hasMixedAdapters {
                console.say(Convert.mixture(ofSeveralLogs: renderer.isOfSeveralLogs))
            }
            // Requests without an answer at the end can't be in a packet's comment, so they are reported
            // here, for the selected frames, as in the text's verdict.
            for request in pass.analyzer.listedRequests { console.say(request.sentence) }
            for link in pass.analyzer.listedLinks {
                for request in link.openRequests {
                    console.say("connection \(link.number): \(request.sentence)")
                }
            }
            return pass.end(arguments, console)
        } catch {
            if let failure = error.failure { throw failure }
            return LearnedKeys.reportNotSaved(arguments, console)
        }
    }
}
