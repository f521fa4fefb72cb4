/// What of the host is compared with the log.
public enum MatchingTier: String, CaseIterable, Sendable {
    /// What the peer sees: ATT, L2CAP and SMP, after the normalizations. For logs of any recorder.
    case semantic
    /// Every packet that the host sends to its controller, too. For logs that this stack made.
    case strict
    /// What the application says to its peer: the values that it writes, without those fields of a protocol
    /// that differ from run to run. How it reads, subscribes and writes (with a response or without) may
    /// differ.
    case application
}
