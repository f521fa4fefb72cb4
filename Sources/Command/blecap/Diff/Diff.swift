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
    /// The options of the command that shows a frame of the bad log.
    private let words: [String]
    private let console: Console
    private let knowledge: AnalysisKnowledge
    private let goods: [Good]
    private let bad: String

    /// A good log.
    private struct Good {
        /// Its files: more than one only for a log in a folder.
        var paths: [String]
        /// Whether a folder was named instead of the log.
        var isFound = false
    }

    init(_ given: ParsedArguments, _ console: Console) throws(Failure) {
        try Failure.checkInputs(given.operands)
        bad = given.operands.last ?? ""
        if SystemCall.status(of: bad)?.isFolder == true {
            throw Failure(
                .input, "\(bad): the bad log is a folder",
                advice: "name one log last; folders of good logs come before it")
        }
        goods = try Self.goods(given.operands.dropLast(), bad: bad, given.environment, console)
        var named = given
        named.operands = goods.flatMap(\.paths) + [bad]
        words = GivenKnowledge.words(given) + FrameFilter.words(given)
        arguments = FoundFiles.added(to: named, console)
        self.console = console
        knowledge = try GivenKnowledge.read(arguments)
    }

    /// Returns the good logs: a folder stands for all logs in it and below, except the bad one.
    private static func goods(
        _ operands: ArraySlice<String>, bad: String, _ environment: CommandEnvironment, _ console: Console
    ) throws(Failure) -> [Good] {
        let own = SystemCall.status(of: bad)
        var goods: [Good] = []
        for operand in operands {
            guard operand != "-", SystemCall.status(of: operand)?.isFolder == true else {
                goods.append(Good(paths: [operand]))
                continue
            }
            let inputs = try NamedInputs([operand], environment)
            if let notice = inputs.notice { console.say(notice) }
            let paths = inputs.paths.filter { path in
                own.map { SystemCall.status(of: path)?.isSameFile(as: $0) == true } != true
            }
            let numbers = CaptureSet.logs(named: paths)
            let logs = Dictionary(grouping: paths.indices) { numbers[$0] }.sorted { $0.key < $1.key }
            guard !logs.isEmpty else {
                throw Failure(.input, "\(operand): no log in this folder besides the bad one")
            }
            goods += logs.map { Good(paths: $0.value.map { paths[$0] }, isFound: true) }
        }
        return goods
    }

    func run() throws(Failure) -> ExitStatus {
        var logs: [LogDigest] = []
        var names: [DeviceAddress: String] = [:]
        var unread: [Failure] = []
        var nothing: Failure?
        var leftOut = 0
        for good in goods {
            do throws(Failure) {
                let (log, empty) = try digest(good.paths, &names)
                if empty == nil { logs.append(log) } else { leftOut += 1 }
                nothing = nothing ?? empty
            } catch {
                guard good.isFound else { throw error }
                unread.append(error)
            }
        }
        // One of them is the command's own failure if no log is left.
        let failure = logs.isEmpty ? unread.popLast() : nil
        for one in unread { console.say(one.line) }
        if logs.isEmpty {
            if let failure { throw failure }
            throw Failure(.usage, "nothing to compare: \(nothing?.what ?? "")", advice: nothing?.advice)
        }
        let (bad, empty) = try digest([bad], &names)
        if let own = SystemCall.status(of: self.bad),
            goods.flatMap(\.paths).contains(where: { SystemCall.status(of: $0)?.isSameFile(as: own) == true })
        {
            console.say("\(bad.name): this log is given as good and as bad")
        }
        if let empty {
            let failure = Failure(.usage, "\(bad.name): \(empty.what)", advice: empty.advice)
            // A device may be missing on a bad night, but a number is always that of a connection.
            if arguments.has(.connection) { throw failure }
            console.say(failure.line)
        }
        if leftOut > 0, let nothing {
            console.say("\(leftOut.counting("good log")) left out: \(nothing.what)")
        }
        let found = LogComparison(goods: logs, bad: bad).differences()
        try write(found, names, goods: logs.map(\.name), bad: bad.name)
        return found.areAlike ? .success : .negative
    }

    /// Reads one log, or its connections that the options choose; throws if nothing of it can be read. A log
    /// that is damaged later is compared up to there.
    ///
    /// - Parameter names: the names that devices gave, completed by those of the log.
    /// - Returns: the log, and the notice that nothing in it was chosen.
    private func digest(
        _ paths: [String], _ names: inout [DeviceAddress: String]
    ) throws(Failure) -> (log: LogDigest, nothing: Failure?) {
        var pass = AnalysisPass(
            arguments, paths: paths, isOneLog: true,
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
        let totals = pass.analyzer.shownTotals
        let failures = Verdict.failures(pass.analyzer, totals)
        var gaps = Verdict.unread(pass.infos, pass.analyzer).map { LogDigest.Gap($0, because: $1) }
        if !pass.failures.isEmpty { gaps.append(LogDigest.Gap("the damaged part", because: "unreadable")) }
        let log = renderer.builder.finish(
            LogLine.name(of: paths), files: paths, pass.analyzer, failures: failures, names: ofLinks,
            gaps: gaps)
        return (log, pass.nothing)
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
                let text = DiffText(
                    width: style.width, showsAll: arguments.has(.allDifferences), words: words)
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
