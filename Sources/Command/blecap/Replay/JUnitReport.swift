import CommandLineKit
import Replay

/// The logs of a batch as a JUnit report for continuous integration, one test case per log.
enum JUnitReport {
    static func octets(_ outcomes: [ReplayCommand.Outcome]) -> [UInt8] {
        JUnitFile(
            outcomes.map { outcome in
                .init(
                    name: outcome.path, time: outcome.time, result: result(outcome),
                    text: ReplayText.text(outcome, withDamage: true))
            }
        ).octets
    }

    private static func result(_ outcome: ReplayCommand.Outcome) -> JUnitFile.Result {
        if outcome.isSkipped { return .skipped(outcome.word) }
        return outcome.status == .success ? .passed : .failed(outcome.word)
    }
}

/// Failing logs as GitHub workflow commands, which GitHub shows at the file.
enum GitHubAnnotations {
    static func areWanted(_ arguments: ParsedArguments) -> Bool {
        arguments.has(.github) || arguments.environment.variables["GITHUB_ACTIONS"] == "true"
    }

    /// One line for each failing log.
    static func text(_ outcomes: [ReplayCommand.Outcome]) -> String {
        outcomes.filter { $0.status != .success }.map { outcome in
            let isVerdict = outcome.failure == nil && outcome.golden == nil
            return WorkflowAnnotation(
                file: outcome.path, word: outcome.word,
                frame: isVerdict ? outcome.replay?.report.frame : nil,
                report: ReplayText.text(outcome, withDamage: true)
            ).line
        }
        .joined()
    }
}
