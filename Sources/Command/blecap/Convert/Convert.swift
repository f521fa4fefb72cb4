import Analysis
import CaptureFile
import CommandLineKit
import WireBytes

/// `blecap convert`: writes captures in another format, and counts what that format can't hold.
struct Convert {
    let console: Console
    let inputs: [String]
    let target: String
    let filter: FrameFilter
    /// The name of the format asked for; nil where the target's suffix tells.
    let wanted: String?

    init(_ arguments: ParsedArguments, _ console: Console) throws(Failure) {
        self.console = console
        inputs = Array(arguments.operands.dropLast())
        target = arguments.operands.last ?? "-"
        filter = try FrameFilter(arguments, profileNames: [])
        wanted = arguments.value(.containerFormat)
        if inputs.count(where: { $0 == "-" }) > 1 {
            throw Failure(.usage, "standard input can be read only once")
        }
        _ = try format(monitor: false)
    }

    /// Runs to the end and gives the exit status.
    func run() throws(Failure) -> ExitStatus {
        var set = try open()
        let infos = (0..<set.fileCount).map { set.info(ofFile: $0) }
        let format = try format(monitor: infos.contains { Self.isMonitor($0) })
        try refuseInputAsOutput()
        var failures: [Failure] = []
        do throws(CaptureFileError) {
            var writer = try CaptureWriter(
                path: target, format: format, overwrite: true,
                nanoseconds: infos.contains { $0.timeDigits == 9 }, comments: infos.flatMap(\.comments))
            let filtered = try copy(&set, into: &writer, &failures)
            try writer.flush()
            report(set, writer, filtered)
        } catch {
            if case .system(_, let code) = error.cause, code == 32 { return .success }
            let place = target == "-" ? "standard output" : target
            if case .system(let call, let code) = error.cause {
                throw Failure(
                    .environment, "\(place): can't \(call): \(SystemCall.message(code))",
                    advice: "what stands in it ends with a whole record")
            }
            throw Failure(error)
        }
        for failure in failures { console.say(failure.line) }
        return failures.first?.status ?? .success
    }

    private func open() throws(Failure) -> CaptureSet {
        do throws(CaptureFileError) { return try CaptureSet(paths: inputs) } catch { throw Failure(error) }
    }

    /// The format to write; formats with two forms take that of the monitor channel where the input is one.
    private func format(monitor: Bool) throws(Failure) -> CaptureWriter.Format {
        switch wanted {
        case "pcapng": return monitor ? .pcapngMonitor : .pcapng
        case let name?: if let format = CaptureWriter.Format(rawValue: name) { return format }
        case nil: if let format = CaptureWriter.Format.named(by: target, monitor: monitor) { return format }
        }
        throw Failure(
            .usage, "\(target): the suffix names no format",
            advice: "use .btsnoop, .pcap, .pcapng or .pklg, or say --format")
    }

    private static func isMonitor(_ info: CaptureInfo) -> Bool {
        info.datalink == 2001 && info.format == .btsnoop || info.datalink == 254 && info.format != .btsnoop
    }

    /// Opening the output empties it, so it must be none of the inputs.
    private func refuseInputAsOutput() throws(Failure) {
        guard target != "-", let file = SystemCall.status(of: target), file.isRegular else { return }
        for input in inputs where SystemCall.status(of: input)?.isSameFile(as: file) == true {
            throw Failure(
                .usage, "\(target): input and output are one file", advice: "choose another output")
        }
    }

    /// Copies the records that pass the filter; how many did not.
    private func copy(
        _ set: inout CaptureSet, into writer: inout CaptureWriter, _ failures: inout [Failure]
    ) throws(CaptureFileError) -> Int {
        var analyzer = Analyzer()
        var selector = FrameSelector(filter)
        var meter = ProgressMeter(inputs)
        defer { meter.end() }
        let passesAll = filter.isEmpty
        let logs = set.logOfFile
        var filtered = 0
        var number = 0
        while true {
            // An error of the input ends it; one of the output ends the command.
            var problem: CaptureFileError?
            let isMore = try step(&set, &problem) { record throws(CaptureFileError) in
                if !passesAll {
                    analyzer.analyze(record, file: logs[Int(record.header.file)])
                    guard selector.passes(record, analyzer) else {
                        filtered += 1
                        return
                    }
                }
                try writer.write(record)
            }
            if let problem { failures.append(Failure(problem)) }
            if !isMore { break }
            number &+= 1
            if number & 0xFFF == 0 { meter.update(set.offset) }
        }
        for error in set.errors.dropFirst(failures.count) { failures.append(Failure(error)) }
        return filtered
    }

    private func step(
        _ set: inout CaptureSet, _ problem: inout CaptureFileError?,
        _ body: (borrowing Record) throws(CaptureFileError) -> Void
    ) throws(CaptureFileError) -> Bool {
        let record: Record?
        do throws(CaptureFileError) { record = try set.next() } catch {
            problem = error
            return false
        }
        guard let record else { return false }
        try body(record)
        return true
    }

    /// Says on standard error what was written and what was not.
    private func report(_ set: borrowing CaptureSet, _ writer: borrowing CaptureWriter, _ filtered: Int) {
        let place = target == "-" ? "standard output" : target
        console.say("\(writer.records) records into \(place) (\(writer.format.rawValue))")
        var left: [(Int, String)] = writer.loss.sentences.map { ($0.count, $0.what) }
        if !left.isEmpty {
            let list = left.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            console.say("not held by \(writer.format.rawValue): \(list)")
        }
        left = [
            (filtered, "did not pass the filter"), (set.duplicateRecords, "stood in two files"),
            (set.tally.skippedRecords, "are of other link types"),
        ].filter { $0.0 > 0 }
        if !left.isEmpty {
            console.say("left out: " + left.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
        }
    }
}
