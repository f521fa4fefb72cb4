import CommandLineKit
import Rendering
import Replay
import WireBytes

/// Text output of replays.
enum ReplayText {
    /// Writes one log in full, problems first.
    static func put(_ outcome: ReplayCommand.Outcome, again: String, into out: inout TextBuffer) {
        guard let replay = outcome.replay else { return }
        out.put(text(outcome))
        out.put("  transcript  sha256 ")
        out.put(outcome.digest)
        out.put("\n")
        guard outcome.status != .success else { return }
        switch replay.report.verdict {
        case .diverged, .stuck:
            guard let frame = replay.report.frame else { break }
            // The command, whose line stays whole, would not fit behind other words.
            out.put("  look at   blecap annotate --frame \(frame) \(Shell.quoted(outcome.path))\n")
            if let command = goingOn(again, replay.report) { out.put("  go on     \(command)\n") }
        default: break
        }
        out.put("  again     ")
        out.put(again)
        out.put("\n")
    }

    /// Returns the command that also plays what is behind the first difference; nil if it was played.
    private static func goingOn(_ again: String, _ report: ReplayReport) -> String? {
        let start = "blecap replay "
        guard case .diverged = report.verdict, again.hasPrefix(start), !again.contains(" --continue") else {
            return nil
        }
        return start + "--continue " + again.dropFirst(start.count)
    }

    /// The result of one log's replay.
    static func text(_ outcome: ReplayCommand.Outcome, withDamage: Bool = false) -> String {
        let parts = [
            withDamage ? outcome.damage.map { "damage: \($0.line)\n" } : nil,
            outcome.failure.map { "FAILED: \($0.line)\n" },
            outcome.difference.map { "NOT DETERMINISTIC: \($0)\n" },
            outcome.golden?.text, failed(outcome), outcome.replay?.text, outcome.repetition, outcome.unplayed,
        ]
        return parts.compactMap(\.self).joined()
    }

    private static func failed(_ outcome: ReplayCommand.Outcome) -> String? {
        let failed = outcome.failedRequests
        guard !failed.isEmpty else { return nil }
        return "FAILED OUTCOME: \(failed.count.counting("request"))\n"
            + failed.map { "  failed    \($0.text)\n" }.joined()
    }

    /// Writes several logs, one line each, and the totals.
    static func putSummary(_ outcomes: [ReplayCommand.Outcome], into out: inout TextBuffer) {
        let paths = outcomes.map(\.path.visible)
        let width = paths.map(\.count).max() ?? 0
        var counts: [(word: String, count: Int)] = []
        for (outcome, path) in zip(outcomes, paths) {
            let word = outcome.shownWord
            if let index = counts.firstIndex(where: { $0.word == word }) {
                counts[index].count += 1
            } else {
                counts.append((word, 1))
            }
            out.put(path)
            out.put(String(repeating: " ", count: width - path.count + 2))
            out.put(word)
            if let first = outcome.firstLine {
                out.put("  ")
                out.put(first)
            }
            out.put("\n")
            if let golden = outcome.golden { out.put(golden.sides) }
            for more in [outcome.repetition, outcome.unplayed] { if let more { out.put(more) } }
        }
        out.put("\(outcomes.count.counting("log")): ")
        out.put(counts.map { "\($0.count) \($0.word)" }.joined(separator: ", "))
        out.put("\n")
    }
}

// The lines on a terminal.

extension ReplayText {
    /// The columns before a line's text.
    private static let margin = 12
    /// The beginnings of lines with a command.
    private static let commands = ["  again ", "  look at ", "  go on "]

    /// Wraps the lines for a terminal's width. Commands stay whole, and so do lines with marks below them.
    static func fit(_ out: inout TextBuffer, _ options: TextRenderer.Options) {
        guard let width = options.width else { return }
        let lines = out.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let fitted = zip(lines, lines.dropFirst() + [""]).flatMap { line, next in
            guard !commands.contains(where: line.hasPrefix), !next.contains("^"), !line.contains("^") else {
                return [line]
            }
            let own = line.prefix { $0 == " " }.count
            return line.wrapped(to: width, indent: own > 0 ? max(own + 2, margin) : 2)
        }
        out.clear()
        out.put(fitted.joined(separator: "\n"))
    }
}

extension ReplayCommand.Outcome {
    /// The verdict in a word or two.
    var word: String {
        if failure?.status == .unreplayable { return "not replayable" }
        if failure != nil { return replay == nil ? "unreadable" : "failed" }
        if difference != nil { return "not deterministic" }
        if golden != nil { return "golden differs" }
        if status == .input { return "damaged" }
        if !failedRequests.isEmpty, replay?.misses?.isEmpty ?? true,
            ["same", "partly same"].contains(replay?.report.word)
        {
            return "failed outcome"
        }
        if let misses = replay?.misses { return misses.isEmpty ? "as expected" : "not as expected" }
        return replay?.report.word ?? "unreadable"
    }

    /// The verdict in a word or two for a list: "not compared" where the report of the log alone begins so.
    var shownWord: String {
        let isVerdict = ["same", "partly same", "not replayable"].contains(word)
        return isVerdict && replay?.report.isUncompared == true ? "not compared" : word
    }

    /// The first line of the report, without the verdict's name.
    var firstLine: String? {
        if let failure { return failure.line }
        if let golden { return golden.place }
        if word == "failed outcome", let first = failedRequests.first { return first.text }
        guard let replay else { return nil }
        let lines = replay.report.text.split(separator: "\n")
        if case .notReplayable(let obstacles) = replay.report.verdict { return obstacles.first?.text }
        // The verdict's name is already shown.
        return lines.first.map { String($0.drop { $0.isUppercase || $0 == " " || $0 == ":" || $0 == "#" }) }
    }
}

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
