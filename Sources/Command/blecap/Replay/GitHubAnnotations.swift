import CommandLineKit
import Replay

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
