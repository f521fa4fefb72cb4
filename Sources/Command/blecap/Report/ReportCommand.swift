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
        inputs = try NamedInputs(given.operands)
        var arguments = given
        arguments.operands = inputs.paths
        arguments = FoundFiles.added(to: arguments, console)
        self.arguments = arguments
        self.console = console
        knowledge = try GivenKnowledge.read(arguments)
        filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
        clocks = try LogClocks(arguments, knowledge)
    }

    func run() throws(Failure) -> ExitStatus {
        if let notice = inputs.notice { console.say(notice) }
        if (arguments.value(.output) ?? "-") == "-", arguments.environment.output.isTerminal {
            throw Failure(.usage, "a page can't be shown in a terminal", advice: "give -o report.html")
        }
        var sink = try Output.open(arguments, inputs: arguments.operands)
        do throws(OutputError) {
            var pass = AnalysisPass(
                arguments, filter: filter, knowledge,
                judged: filter.isEmpty ? nil : filter)
            pass.offsets = clocks.offsets
            var renderer = PageRenderer()
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
            try sink.finish()
            return pass.end(arguments, console)
        } catch {
            if let failure = error.failure { throw failure }
            return .success
        }
    }
}
