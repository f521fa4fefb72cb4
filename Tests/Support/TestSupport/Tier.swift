import Foundation
public import Testing

/// The tests that run: with BLECAP_TIER=quick only those without one of the traits below, else all.
public enum Tier {
    /// Whether only quick tests run.
    public static let isQuick = ProcessInfo.processInfo.environment["BLECAP_TIER"] == "quick"

    /// Called before a test starts a process: a quick one may not.
    public static func startsProcess(_ name: String) {
        if isQuick { Issue.record("a quick test starts \(name)") }
    }
}

/// Both the mark and the condition of a test that is not quick.
extension Trait where Self == ConditionTrait {
    /// Starts a process.
    public static var process: Self { .enabled(if: !Tier.isQuick, "not quick: starts a process") }

    /// Asks a program of others: tshark, Bumble.
    public static var judge: Self { .enabled(if: !Tier.isQuick, "not quick: asks an outside judge") }

    /// Reads the captures of strangers, where they are.
    public static var corpus: Self {
        let isThere = Corpus.folder != nil
        return .enabled(
            if: isThere && !Tier.isQuick,
            isThere
                ? "not quick: reads the captures of strangers"
                : "there are no captures of strangers at ../shared/corpus or BLECAP_CORPUS")
    }

    /// Waits in real time, and not only for a moment.
    public static var realTime: Self { .enabled(if: !Tier.isQuick, "not quick: waits in real time") }
}
