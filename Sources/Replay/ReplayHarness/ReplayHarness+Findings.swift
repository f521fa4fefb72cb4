import Analysis
import CoreBluetooth
public import Replay
import Runtime

// What a test makes of a replay: its failure, and what it leaves for continuous integration.
extension ReplayHarness {
    /// What a test fails with: the frame, the report, and what of the run was on the wall clock. Nil where
    /// the program did the same as the recorded one.
    ///
    /// - Parameter allowsPartial: whether a log of which something was left out is good enough.
    public func failure(allowsPartial: Bool = false) -> String? {
        if let misses, !misses.isEmpty { return annotation.message }
        switch report.verdict {
        case .same: return nil
        case .partlySame where allowsPartial: return nil
        default: return annotation.message
        }
    }

    /// How the requests of the program ended, as what passed shows.
    public var requests: [RequestOutcome] {
        let model = session.recording.model
        let transcript = session.recording.transcript
        let spoken = [RequestOutcome](transcript, model, options.knowledge.uqdk)
        return spoken
            + [RequestOutcome](
                transcript, attributesOf: model, besides: Set(spoken.map(\.connection)))
    }

    /// Unmet expectations; nil without an expectation.
    public var misses: [String]? { expectation?.misses(report, requests) }

    /// The replay as a command of GitHub's workflows: printed, it is shown at the log.
    public var annotation: WorkflowAnnotation {
        var text = report.text
        for what in usedWallTime { text += "  wall time \(what)\n" }
        guard let misses else {
            return WorkflowAnnotation(file: log, word: report.word, frame: report.frame, report: text)
        }
        return WorkflowAnnotation(
            file: log, word: misses.isEmpty ? "as expected" : "not as expected", frame: report.frame,
            report: LogExpectation.text(text, misses))
    }

    /// The replay as a file of one test case.
    ///
    /// - Parameters:
    ///   - name: of the test case; nil for the log's.
    ///   - time: how long it took.
    public func junit(name: String? = nil, time: Duration = .zero, allowsPartial: Bool = false) -> [UInt8] {
        let result = failure(allowsPartial: allowsPartial).map { _ in JUnitFile.Result.failed(report.word) }
        return JUnitFile([
            .init(name: name ?? log, time: time, result: result ?? .passed, text: annotation.report)
        ]).octets
    }

    /// Random bytes for a program that draws its nonces itself: those that the log's phone drew, in their
    /// order, as far as the log or ``Options/nonces`` has them; else bytes that follow from the seed.
    public func nonce(_ count: Int) throws -> [UInt8] {
        try session.adapter.entropy.octets(count, for: .nonce)
    }
}
