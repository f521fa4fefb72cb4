import CommandLineKit
import Replay
import WireBytes

/// Failing logs as GitHub's workflow commands, which its pages show at the file.
enum GitHubAnnotations {
    /// Lines of a report that a page shows.
    private static let most = 8

    static func areWanted(_ arguments: ParsedArguments) -> Bool {
        arguments.has(.github) || SystemCall.environment("GITHUB_ACTIONS") == "true"
    }

    /// A line for each log that fails.
    static func text(_ outcomes: [ReplayCommand.Outcome]) -> String {
        outcomes.filter { $0.status != .success }.map { outcome in
            let title = "blecap replay: \(outcome.word)"
            let frame = outcome.frame.map { "frame \($0): " } ?? ""
            let lines = ReplayText.text(outcome, withDamage: true).split(separator: "\n").prefix(most)
            let message = frame + lines.joined(separator: "\n")
            return "::error file=\(property(outcome.path)),title=\(property(title))::\(escaped(message))\n"
        }
        .joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

extension ReplayCommand.Outcome {
    /// The frame of the log at which it fails; nil where it is none alone.
    fileprivate var frame: Int? {
        guard failure == nil, golden == nil, let verdict = replay?.report.verdict else { return nil }
        let frames: [Int?] =
            switch verdict {
            case .diverged(let divergence):
                [divergence.told?.frame, divergence.expected?.frame, divergence.nearest?.frame]
                    + divergence.before.reversed().map(\.frame)
            case .stuck(let stuck): [stuck.expected?.frame] + stuck.before.reversed().map(\.frame)
            case .partlySame(let obstacles), .notReplayable(let obstacles): obstacles.map(\.frame)
            case .same, .unfinished: []
            }
        return frames.compactMap(\.self).first { $0 > 0 }
    }
}
