import CaptureFile
import CommandLineKit
import Replay
import WireBytes

// The option `--sweep` of `replay`: replays a session with one fault at a time.

extension ReplayCommand {
    /// The single run selected by `--sweep-only`; nil for all.
    static func onlyRun(_ arguments: ParsedArguments) throws(Failure) -> SweepCase? {
        guard let text = arguments.value(.sweepOnly) else { return nil }
        if let only = SweepCase(text) { return only }
        let names = SweepFault.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
            .usage, "--sweep-only takes FAULT:PDU[:CONNECTION[:FRAMES]], not '\(text)'",
            advice: "the faults are \(names)")
    }

    /// Sweeps the logs one after the other.
    func sweepAll() throws(Failure) -> ExitStatus {
        var part = Sweep.Part(only: try Self.onlyRun(arguments))
        part.limit = try arguments.number(.limit, least: 1) ?? .max
        part.shard = try Self.shard(arguments)
        var isWrong = false
        for path in arguments.operands {
            let log = try read(path)
            var line = ProgressMeter([], arguments.environment)
            let swept = Sweep(log.model, options: log.options, part: part) { count, run in
                line.update("\(count.counting("run")), at \(run)")
            }
            line.end()
            // Another shard may have the only runs.
            guard !swept.runs.isEmpty || part.shard.of > 1 else {
                throw Failure(.unreplayable, "\(path): it has no PDU at which the fault could be")
            }
            var out = TextBuffer()
            out.put(swept.text { again(path, ["--sweep-only", "\($0)"]) })
            try write(&out)
            isWrong = isWrong || !swept.failures.isEmpty
        }
        return isWrong ? .negative : .success
    }

    /// Parses the shard: `2/4` is the second of four parts.
    private static func shard(_ arguments: ParsedArguments) throws(Failure) -> (number: Int, of: Int) {
        guard let text = arguments.value(.shard) else { return (0, 1) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count
        else {
            throw Failure(
                .usage, "--shard takes I/N, such as 2/4 for the second of four parts, not '\(text)'")
        }
        return (number - 1, count)
    }
}
