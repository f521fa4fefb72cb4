/// Limits of a model's size. Parts of a log beyond them are left out and reported.
public struct SessionLimits: Hashable, Sendable {
    /// Bytes of PDUs and of advertising data.
    public var octets = 256 << 20
    /// PDUs of all connections.
    public var pdus = 4_000_000
    /// Advertising reports.
    public var reports = 4_000_000
    /// Connection attempts.
    public var connections = 4096
    /// Adapters in a log.
    public var adapters = 64
    /// Packets that the host sent to its controller; only the strict tier needs them.
    public var packets = 0
    /// The number of the last record that is read.
    public var lastFrame = Int.max

    public init() {}
}
