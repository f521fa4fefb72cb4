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
