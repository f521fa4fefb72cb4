import Analysis
import CaptureFile
import CommandLineKit
import Rendering
import WireBytes

/// The command `blecap report`: writes one self-contained page about captures.
struct ReportCommand {
    private let arguments: ParsedArguments
    private let console: Console
    private let filter: FrameFilter
    private let knowledge: AnalysisKnowledge
    private let inputs: NamedInputs
    private let clocks: LogClocks

    init(_ given: ParsedArguments, _ console: Console) throws(Failure) {
        try Self.refusePages(given)
        inputs = try NamedInputs(given.operands, given.environment)
        arguments = FoundFiles.added(to: given, in: inputs, console)
        self.console = console
        knowledge = try GivenKnowledge.read(arguments)
        filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
        clocks = try LogClocks(arguments, knowledge)
    }

    /// Refuses a page among the logs: usually the option before its name was forgotten.
    private static func refusePages(_ given: ParsedArguments) throws(Failure) {
        for path in given.operands where path.hasSuffix(".html") {
            let isMissing = SystemCall.status(of: path) == nil
            guard !isMissing || given.operands.count > 1 && !given.has(.output) else { continue }
            let logs = given.operands.filter { $0 != path }
            let words =
                ["blecap", "report", "-o", path] + (isMissing ? [] : ["--force"])
                + GivenKnowledge.words(given) + FrameFilter.words(given) + logs
            throw Failure(
                .input, "\(path): " + (isMissing ? "no such log" : "a page, not a log"),
                advice: logs.isEmpty || given.has(.output)
                    ? "name the log itself"
                    : "to write the page there: " + words.map(Shell.quoted).joined(separator: " "))
        }
    }

    /// The frames to show of a log that may not fit the page; nil if it fits, or can be read only once.
    private func plan(like pass: borrowing AnalysisPass) -> PagePlan? {
        guard let octets = pass.fileOctets, octets > PageRenderer.limit / 16 else { return nil }
        var first = AnalysisPass(arguments, filter: filter, knowledge)
        first.offsets = clocks.offsets
        var planner = PagePlanner()
        var nothing = arguments.environment.outputSink
        // The pass that shows the frames reports what can't be read.
        try? first.run(&planner, into: &nothing)
        planner.plan.finish(first.analyzer, limit: PageRenderer.limit)
        return planner.plan
    }

    /// Runs to the end and gives the exit status.
    func run() throws(Failure) -> ExitStatus {
        if let notice = inputs.notice { console.say(notice) }
        try Output.refuseTerminal(arguments.value(.output) ?? "-", arguments.environment, what: "a page")
        let status = try Output.write(arguments) { sink, _ throws(OutputError) in
            var pass = AnalysisPass(arguments, filter: filter, knowledge)
            pass.offsets = clocks.offsets
            var renderer = PageRenderer(plan: plan(like: pass))
            renderer.notes = clocks.notes
            renderer.explains = !arguments.has(.terse)
            try pass.run(&renderer, into: &sink)
            if pass.infos.isEmpty {
                sink.discard()
            } else {
                var out = TextBuffer()
                renderer.finish(pass.infos, pass.analyzer, pass.damage, pass.tally, into: &out)
                try sink.drain(&out)
            }
            // What follows may say that the page is there.
            try sink.finish()
            return pass.end(arguments, console)
        }
        return status ?? .success
    }
}

/// Takes note of the frames for a ``PagePlan``, and writes nothing.
private struct PagePlanner: FrameRenderer, ~Copyable {
    var plan = PagePlan()

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) { plan.take(analyzer) }
}
