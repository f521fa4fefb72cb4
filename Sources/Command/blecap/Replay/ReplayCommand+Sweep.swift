import CaptureFile
import CommandLineKit
import Replay
import WireBytes

// `blecap replay --sweep`: a session with one fault at a time.

extension ReplayCommand {
    /// The one run that is asked for; nil for all.
    static func onlyRun(_ arguments: ParsedArguments) throws(Failure) -> SweepCase? {
        guard let text = arguments.value(.sweepOnly) else { return nil }
        if let only = SweepCase(text) { return only }
        let names = SweepFault.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
            .usage, "--sweep-only takes FAULT:PDU[:CONNECTION[:FRAMES]], not '\(text)'",
            advice: "the faults are \(names)")
    }

    /// Sweeps the logs, one after the other.
    func sweepAll() throws(Failure) -> ExitStatus {
        let only = try Self.onlyRun(arguments)
        var isWrong = false
        for path in arguments.operands {
            let log = try read(path)
            let swept = Sweep(log.model, options: log.options, only: only)
            guard !swept.runs.isEmpty else {
                throw Failure(.unreplayable, "\(path): it has no PDU at which the fault could be")
            }
            var out = TextBuffer()
            out.put(swept.text { "blecap replay --sweep-only \($0) \(Shell.quoted(path))" })
            try write(&out)
            isWrong = isWrong || !swept.failures.isEmpty
        }
        return isWrong ? .negative : .success
    }
}
