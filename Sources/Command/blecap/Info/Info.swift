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
        inputs = try NamedInputs(given.operands, given.environment)
        arguments = FoundFiles.added(to: given, in: inputs, console)
        self.console = console
        logKnowledge = try LogKnowledge(given, found: arguments)
        knowledge = logKnowledge.ofAll
        tags = try LogTags(arguments)
        let isNDJSON = arguments.value(.listFormat) == "ndjson"
        if isNDJSON, arguments.has(.summary) {
            throw Failure(.usage, "--summary and --format ndjson exclude each other", advice: "leave out one")
        }
        if !isNDJSON, arguments.has(.tag) {
            throw Failure(.usage, "--tag works only with --format ndjson", advice: "add that")
        }
        filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
    }

    func run() throws(Failure) -> ExitStatus {
        if let notice = inputs.notice { console.say(notice) }
        try LearnedKeys.check(arguments)
        let several = SeveralLogs(
            arguments, console, filter: filter, logKnowledge, tags: tags, stop: nil)
        if let status = try several.run() { return status }
        let isNDJSON = arguments.value(.listFormat) == "ndjson"
        let status = try Output.write(arguments, pages: true) { sink, isPaged throws(OutputError) in
            var pass = AnalysisPass(arguments, filter: filter, knowledge)
            var silent = SilentRenderer()
            try pass.run(&silent, into: &sink)
            var out = TextBuffer()
            if isNDJSON {
                out.put(pass.ndjson(tags))
            } else if !pass.infos.isEmpty {
                let options = Output.textOptions(arguments, sink.descriptor)
                let style = options.verdictStyle
                if arguments.has(.summary) {
                    Verdict.put(pass.infos, pass.analyzer, pass.damage, style: style, into: &out)
                } else {
                    Report.put(pass.infos, pass.analyzer, pass.damage, style: style, into: &out)
                    AccountText.put(pass, width: options.width, into: &out)
                    Output.fit(&out, width: options.width)
                }
            } else {
                sink.discard()
            }
            try sink.drain(&out)
            // What follows may say that the file is there.
            try sink.finish()
            return pass.end(arguments, console, hasVerdict: !isPaged && !isNDJSON)
        }
        return status ?? LearnedKeys.reportNotSaved(arguments, console)
    }
}

extension AnalysisKnowledge {
    /// The names of the profiles, as given to `--only`.
    var profileNames: [String] { profiles.names }
}

/// The user's tags of logs, for grouping: from `--tag key=value`, or from folders with such names.
struct LogTags: Sendable {
    private let given: [(key: String, value: String)]

    /// Creates tags from folders only.
    init() { given = [] }

    init(_ arguments: ParsedArguments) throws(Failure) {
        var given: [(key: String, value: String)] = []
        for text in arguments.values(.tag) {
            guard let tag = Self.tag(text[...]) else {
                throw Failure(.usage, "--tag \(text): give it as key=value", advice: nil)
            }
            given.append(tag)
        }
        self.given = given
    }

    /// The tags of a log at a path: those given, and those of the folders it is in.
    func of(_ path: String) -> [(key: String, value: String)] {
        var tags = given
        for folder in path.split(separator: "/").dropLast() {
            guard let tag = Self.tag(folder), !tags.contains(where: { $0.key == tag.key }) else { continue }
            tags.append(tag)
        }
        return tags.sorted { $0.key < $1.key }
    }

    private static func tag(_ text: Substring) -> (key: String, value: String)? {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}
