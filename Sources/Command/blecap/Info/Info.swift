import Analysis
import CaptureFile
import CommandLineKit
import Profiles
import Rendering
import WireBytes

/// The command `blecap info`: summarizes captures without their frames.
struct Info {
    let arguments: ParsedArguments
    let console: Console
    let filter: FrameFilter
    /// The knowledge for all logs together, as one timeline.
    let knowledge: AnalysisKnowledge
    private let logKnowledge: LogKnowledge

    private let inputs: NamedInputs
    private let tags: LogTags

    init(_ given: ParsedArguments, _ console: Console) throws(Failure) {
        inputs = try NamedInputs(given.operands)
        var arguments = given
        arguments.operands = inputs.paths
        arguments = FoundFiles.added(to: arguments, console)
        self.arguments = arguments
        self.console = console
        logKnowledge = try LogKnowledge(given, found: arguments)
        knowledge = logKnowledge.ofAll
        tags = try LogTags(arguments)
        filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
    }

    func run() throws(Failure) -> ExitStatus {
        if let notice = inputs.notice { console.say(notice) }
        try LearnedKeys.check(arguments)
        let several = SeveralLogs(
            arguments, console, filter: filter, logKnowledge, tags: tags, stop: nil)
        if let status = try several.run() { return status }
        let pager = Output.pager(arguments)
        defer { pager?.finish() }
        var sink = try Output.open(arguments, inputs: arguments.operands, pager)
        do throws(OutputError) {
            var pass = AnalysisPass(
                arguments, filter: filter, knowledge)
            var silent = SilentRenderer()
            try pass.run(&silent, into: &sink)
            var out = TextBuffer()
            if arguments.value(.listFormat) == "ndjson" {
                out.put(pass.ndjson(tags))
            } else if !pass.infos.isEmpty {
                let style = Output.textOptions(arguments, sink.descriptor).verdictStyle
                if arguments.has(.summary) {
                    Verdict.put(pass.infos, pass.analyzer, pass.damage, style: style, into: &out)
                } else {
                    Report.put(pass.infos, pass.analyzer, pass.damage, style: style, into: &out)
                    AccountText.put(pass, into: &out)
                }
            } else {
                sink.discard()
            }
            try sink.drain(&out)
            try sink.finish()
            return pass.end(arguments, console)
        } catch {
            if let failure = error.failure { throw failure }
            if let notice = LearnedKeys.notSaved(arguments) { console.say(notice) }
            return .success
        }
    }
}

extension AnalysisKnowledge {
    /// The names of the profiles, as given to `--only`.
    var profileNames: [String] { profiles.names }
}
