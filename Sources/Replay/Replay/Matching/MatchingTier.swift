/// The part of the host's behavior that is compared with the log.
public enum MatchingTier: String, CaseIterable, Sendable {
    /// The host's ATT, L2CAP and SMP PDUs, after normalization. For logs of any recorder.
    case semantic
    /// Also every packet from the host to its controller. For logs that this stack made.
    case strict
    /// The values that the application writes, except for fields of a protocol that differ between runs.
    /// Reads, subscriptions and the kind of write (with or without response) may differ.
    case application
}
