import CommandLineKit
import Replay

/// A verdict that `--allow` counts as success.
enum AllowedVerdict: String, CaseIterable, Sendable {
    /// Only a part of the log could be replayed, and that part is the same.
    case partial
    case notReplayable = "not-replayable"

    /// The verdicts named by the options.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> Set<AllowedVerdict> {
        var allowed: Set<AllowedVerdict> = arguments.has(.allowPartial) ? [.partial] : []
        let words = arguments.values(.allow).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        for word in words {
            guard let verdict = AllowedVerdict(rawValue: String(word)) else {
                throw Failure(
                    .usage, "--allow: '\(word)' is not a verdict that can be allowed",
                    advice: "there are \(allCases.map(\.rawValue).joined(separator: ", "))")
            }
            allowed.insert(verdict)
        }
        return allowed
    }
}

extension ReplayCommand.Outcome {
    /// The exit status for this log alone.
    var status: ExitStatus {
        if isNotReplayable, allowed.contains(.notReplayable) { return damage == nil ? .success : .input }
        if let failure { return failure.status }
        guard let replay, difference == nil, golden == nil, (replay.misses ?? []).isEmpty,
            failedRequests.isEmpty
        else { return .negative }
        switch replay.report.verdict {
        case .same: return damage == nil ? .success : .input
        case .partlySame:
            return damage != nil ? .input : allowed.contains(.partial) ? .success : .unreplayable
        case .diverged, .stuck, .unfinished: return .negative
        case .notReplayable: return .unreplayable
        }
    }

    /// The failed requests that make the log fail.
    var failedRequests: [RequestOutcome] { failsOnOutcome ? replay?.failures ?? [] : [] }

    /// Whether nothing of the log could be replayed, and there is no other failure.
    private var isNotReplayable: Bool {
        if let failure { return failure.status == .unreplayable }
        guard let replay, difference == nil, golden == nil, (replay.misses ?? []).isEmpty,
            case .notReplayable = replay.report.verdict
        else { return false }
        return true
    }

    /// Whether continuous integration counts it as skipped.
    var isSkipped: Bool { status == .unreplayable || status == .success && isNotReplayable }
}
