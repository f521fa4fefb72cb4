import Analysis
import BluetoothCore
import CaptureFile
import CommandLineKit
import Comparison
import Rendering
import WireBytes

/// The command `blecap diff`: shows the differences between a bad log and good ones.
struct Diff {
    private let arguments: ParsedArguments
    private let console: Console
    private let knowledge: AnalysisKnowledge

    init(_ given: ParsedArguments, _ console: Console) throws(Failure) {
        arguments = FoundFiles.added(to: given, console)
        self.console = console
        knowledge = try GivenKnowledge.read(arguments)
    }

    func run() throws(Failure) -> ExitStatus {
        let paths = arguments.operands
        guard paths.count(where: { $0 == "-" }) < 2 else {
            throw Failure(.usage, "-: standard input can be read only once")
        }
        var logs: [LogDigest] = []
        var names: [DeviceAddress: String] = [:]
        for path in paths { logs.append(try digest(path, &names)) }
        let bad = logs.removeLast()
        let found = LogComparison(goods: logs, bad: bad).differences()
        try write(found, names, goods: paths.dropLast(), bad: bad.name)
        return found.areAlike ? .success : .negative
    }

    /// Reads one log; throws if nothing of it can be read. A log that is damaged later is compared up to
    /// there.
    ///
    /// - Parameter names: the names that devices gave, completed by those of the log.
    private func digest(
        _ path: String, _ names: inout [DeviceAddress: String]
    ) throws(Failure) -> LogDigest {
        var pass = AnalysisPass(
            arguments, paths: [path], isOneLog: true,
            filter: try FrameFilter(arguments, profileNames: knowledge.profileNames), knowledge)
        var renderer = DigestRenderer()
        var sink = arguments.environment.outputSink
        try Output.unlessReaderGone { () throws(OutputError) in try pass.run(&renderer, into: &sink) }
        if let failure = pass.failures.first {
            guard !pass.infos.isEmpty, pass.analyzer.totals.records > 0 else { throw failure }
            console.say(failure.line)
        }
        for notice in pass.notices { console.say(notice.line) }
        var ofLinks: [Int: String] = [:]
        for link in pass.analyzer.listedLinks {
            guard let name = Verdict.shownName(of: link, pass.analyzer) else { continue }
            ofLinks[link.number] = name
            for address in [link.identity, link.address].compactMap(\.self) { names[address] = name }
        }
        let failures = Verdict.failures(pass.analyzer.listedLinks, pass.analyzer.totals)
        var gaps = Verdict.unread(pass.infos, pass.analyzer).map { LogDigest.Gap($0, because: $1) }
        if !pass.failures.isEmpty { gaps.append(LogDigest.Gap("the damaged part", because: "unreadable")) }
        return renderer.builder.finish(
            path, pass.analyzer, failures: failures, names: ofLinks, gaps: gaps)
    }

    private func write(
        _ found: LogDifferences, _ names: [DeviceAddress: String], goods: [String], bad: String
    ) throws(Failure) {
        if let path = arguments.value(.html) {
            let page = try DiffPage(found, names, goods: goods, bad: bad).octets()
            let file = try Output.file(path, arguments, madeFrom: arguments.operands)
            try Output.unlessReaderGone { () throws(OutputError) in
                var sink = try DescriptorSink(creatingLater: file)
                try sink.write(page.borrowedOctets)
                try sink.finish()
            }
        }
        try Output.write(arguments, pages: true) { sink, _ throws(OutputError) in
            var out = TextBuffer()
            if arguments.value(.listFormat) == "ndjson" {
                DiffLines.put(found, names, goods: goods, bad: bad, into: &out)
            } else {
                let style = Output.textOptions(arguments, sink.descriptor).verdictStyle
                let text = DiffText(width: style.width, showsAll: arguments.has(.allDifferences))
                text.put(found, names, goods: goods, bad: bad, into: &out)
            }
            try sink.drain(&out)
        }
    }
}

/// Passes each record to the digest builder, and writes nothing.
struct DigestRenderer: FrameRenderer, ~Copyable {
    private(set) var builder = DigestBuilder()

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        builder.take(record, analyzer)
    }
}
