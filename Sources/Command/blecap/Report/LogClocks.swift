import Analysis
import CaptureFile
import CommandLineKit
import Comparison
import WireBytes

/// The clocks of several logs: the time offset of each file, and its source.
struct LogClocks {
    /// Nanoseconds to add to the times of files, by their paths.
    private(set) var offsets: [String: Int64] = [:]
    /// A sentence about each log other than the first, and about files moved by `--offset`.
    private(set) var notes: [String] = []

    private let arguments: ParsedArguments
    private var paths: [String] { arguments.operands }
    private let knowledge: AnalysisKnowledge

    /// Parses `--offset`, and reads the remaining logs to find packets that occur in two of them.
    init(_ arguments: ParsedArguments, _ knowledge: AnalysisKnowledge) throws(Failure) {
        self.arguments = arguments
        self.knowledge = knowledge
        for text in arguments.values(.offset) { try take(text) }
        guard !arguments.has(.oneLog) else { return }
        let groups = CaptureSet.logs(named: paths)
        let logs = Dictionary(grouping: paths.indices) { groups[$0] }.sorted { $0.key < $1.key }.map(\.value)
        guard logs.count > 1 else { return }
        let first = times(logs[0])
        for log in logs.dropFirst() where !log.contains(where: { offsets[paths[$0]] != nil }) {
            match(log, first)
        }
    }

    private mutating func take(_ text: String) throws(Failure) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let isBack = parts.last?.hasPrefix("-") == true
        let digits = parts.last.map { isBack || $0.hasPrefix("+") ? $0.dropFirst() : $0[...] } ?? ""
        guard parts.count == 2, let number = Int(parts[0]),
            case .afterStart(let magnitude) = FilterTime("+\(digits)")
        else {
            throw Failure(.usage, "--offset \(text): give it as FILE:SECONDS, such as 2:+1.25")
        }
        guard paths.count > 1, paths.indices.contains(number - 1) else {
            let count = paths.count.counting("file")
            throw Failure(.usage, "--offset \(text): there is \(count), and --offset moves one of several")
        }
        let time = isBack ? -magnitude : magnitude
        offsets[paths[number - 1]] = time
        notes.append("\(name([number - 1])): times moved by \(Self.seconds(time)) (--offset).")
    }

    private mutating func match(_ log: [Int], _ first: PacketTimes) {
        guard let match = ClockMatch(first, times(log)) else {
            notes.append(
                "\(name(log)): clocks not matched; too few packets that one log has sent and the other has "
                    + "received. Its times are as recorded; --offset \(log[0] + 1):SECONDS moves them.")
            return
        }
        let offset = match.offset &+ (offsets[paths[0]] ?? 0)
        for index in log { offsets[paths[index]] = offset }
        notes.append(
            "\(name(log)): times moved by \(Self.seconds(offset)) to the clock of file 1, within "
                + "\u{B1} \(TextDuration.text(match.uncertainty + 99_999)), from "
                + "\(match.packets.counting("packet")) that both logs have.")
    }

    private func name(_ log: [Int]) -> String {
        "\(log.count > 1 ? "Files" : "File") \(log.map { "\($0 + 1)" }.joined(separator: ", "))"
    }

    /// The times at which the packets of a log were sent and received; empty for standard input, which is
    /// read only once.
    private func times(_ log: [Int]) -> PacketTimes {
        let files = log.map { paths[$0] }
        guard !files.contains("-") else { return PacketTimes() }
        var pass = AnalysisPass(arguments, paths: files, isOneLog: true, filter: FrameFilter(), knowledge)
        var renderer = ClockRenderer()
        var none = arguments.environment.outputSink
        // The renderer writes nothing; unreadable data is reported by the pass that shows the frames.
        try? pass.run(&renderer, into: &none)
        return renderer.times
    }

    /// Seconds with a sign and six decimals.
    private static func seconds(_ nanoseconds: Int64) -> String {
        let micros = (nanoseconds.magnitude &+ 500) / 1000
        var out = TextBuffer(capacity: 32)
        out.put(nanoseconds < 0 ? "-" : "+")
        out.decimal(micros / 1_000_000)
        out.put(".")
        out.decimal(micros % 1_000_000, digits: 6)
        return out.text + " s"
    }
}

/// Collects the packet times of each record, and writes nothing.
private struct ClockRenderer: FrameRenderer, ~Copyable {
    private(set) var times = PacketTimes()

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        times.take(record, analyzer)
    }
}
