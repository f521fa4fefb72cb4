import Analysis
import CoreBluetooth
public import Replay
import Runtime

// A replay's result for a test: its failure, and output for continuous integration.
extension ReplayHarness {
    /// Returns the failure message of a test: the frame, the report, and uses of the wall clock.
    ///
    /// Nil if the program did the same as the recorded one.
    ///
    /// - Parameter allowsPartial: whether a log with parts left out is acceptable.
    public func failure(allowsPartial: Bool = false) -> String? {
        if let misses, !misses.isEmpty { return annotation.message }
        switch report.verdict {
        case .same: return nil
        case .partlySame where allowsPartial: return nil
        default: return annotation.message
        }
    }

    /// Outcomes of the program's requests, according to the transcript.
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

    /// The replay as a GitHub workflow command. If it is printed, GitHub shows it at the log.
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

    /// Returns the replay as a JUnit file of one test case.
    ///
    /// - Parameters:
    ///   - name: the name of the test case; nil for the log's.
    ///   - time: the duration of the test.
    ///   - allowsPartial: whether a replay of a part of the log passes.
    public func junit(name: String? = nil, time: Duration = .zero, allowsPartial: Bool = false) -> [UInt8] {
        let result = failure(allowsPartial: allowsPartial).map { _ in JUnitFile.Result.failed(report.word) }
        return JUnitFile([
            .init(name: name ?? log, time: time, result: result ?? .passed, text: annotation.report)
        ]).octets
    }

    /// Returns random bytes for a program that draws its nonces itself.
    ///
    /// They are the recorded phone's nonces in order, as far as the log or ``Options/nonces`` has them, then
    /// bytes that follow from the seed.
    public func nonce(_ count: Int) throws -> [UInt8] {
        try session.adapter.entropy.octets(count, for: .nonce)
    }
}
