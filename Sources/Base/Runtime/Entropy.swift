import Synchronization

/// Purpose of random bytes.
///
/// Each purpose has its own stream, so that an extra draw for one purpose does not change the others.
@frozen
public struct EntropyPurpose: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// A nonce of an application's protocol.
    public static let nonce = EntropyPurpose(rawValue: "nonce")
    /// A private key.
    public static let privateKey = EntropyPurpose(rawValue: "private key")
    /// A random device address.
    public static let address = EntropyPurpose(rawValue: "address")
    /// A key that resolves private addresses.
    public static let identityKey = EntropyPurpose(rawValue: "identity key")
    /// A random number used in pairing.
    public static let pairing = EntropyPurpose(rawValue: "pairing")
    /// The timing and choices of a virtual radio.
    public static let air = EntropyPurpose(rawValue: "air")
}

/// Reason why no random bytes are available.
public enum EntropyError: Error, Hashable, Sendable {
    /// A recording holds fewer bytes for this purpose than requested.
    case exhausted(EntropyPurpose)
    /// System error, as errno.
    case system(Int32)
}

/// A source of random bytes: a seed, a recording, or the system's generator.
public protocol Entropy: Sendable {
    /// Returns the next `count` bytes for `purpose`.
    func octets(_ count: Int, for purpose: EntropyPurpose) throws(EntropyError) -> [UInt8]
}

/// Random bytes derived from a seed.
///
/// They are not secret: use them for tests and replays, never for keys.
public final class SeededEntropy: Entropy {
    /// The seed of all streams.
    public let seed: UInt64
    private let streams = Mutex<[EntropyPurpose: SplitMix]>([:])

    public init(seed: UInt64) { self.seed = seed }

    public func octets(_ count: Int, for purpose: EntropyPurpose) throws(EntropyError) -> [UInt8] {
        streams.withLock { streams in
            var stream = streams[purpose] ?? SplitMix(state: seed ^ Self.fingerprint(purpose))
            defer { streams[purpose] = stream }
            return (0..<max(0, count)).map { _ in UInt8(truncatingIfNeeded: stream.next() >> 24) }
        }
    }

    // FNV-1a, because Swift's own hashes differ from run to run.
    private static func fingerprint(_ purpose: EntropyPurpose) -> UInt64 {
        purpose.rawValue.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Random bytes from a recording in their recorded order, then from another source.
public final class RecordedEntropy: Entropy {
    private let recorded: Mutex<[EntropyPurpose: [[UInt8]]]>
    private let fallback: (any Entropy)?

    /// Creates the source from recorded draws.
    ///
    /// - Parameters:
    ///   - recorded: the draws of each purpose in order.
    ///   - fallback: the source of further bytes; nil makes further draws an error.
    public init(_ recorded: [EntropyPurpose: [[UInt8]]], fallback: (any Entropy)? = nil) {
        self.recorded = Mutex(recorded.mapValues { $0.reversed() })
        self.fallback = fallback
    }

    /// Replaces the remaining draws for a purpose.
    public func replace(_ draws: [[UInt8]], for purpose: EntropyPurpose) {
        recorded.withLock { $0[purpose] = draws.reversed() }
    }

    /// Returns the next recorded draw if it has the requested length.
    ///
    /// A draw of another length isn't part of the recording: it comes from the fallback, and the recorded one
    /// stays.
    public func octets(_ count: Int, for purpose: EntropyPurpose) throws(EntropyError) -> [UInt8] {
        let draw = recorded.withLock { recorded -> [UInt8]? in
            guard recorded[purpose]?.last?.count == count else { return nil }
            return recorded[purpose]?.removeLast()
        }
        if let draw { return draw }
        guard let fallback else { throw .exhausted(purpose) }
        return try fallback.octets(count, for: purpose)
    }

    /// Number of unused recorded draws by purpose, sorted by name.
    public var unused: [(EntropyPurpose, Int)] {
        recorded.withLock { recorded in
            recorded.map { ($0.key, $0.value.count) }.filter { $0.1 > 0 }
                .sorted { $0.0.rawValue < $1.0.rawValue }
        }
    }
}

/// SplitMix64, by Steele, Lea and Flood: a small generator that passes the usual tests.
public struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
    /// The state.
    public var state: UInt64

    public init(state: UInt64) { self.state = state }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `bound` − 1; 0 if `bound` is less than two.
    public mutating func next(below bound: Int) -> Int {
        bound < 2 ? 0 : Int(next() % UInt64(bound))
    }
}

extension EntropyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exhausted(let purpose): "the recording has no more random bytes for: \(purpose.rawValue)"
        case .system(let code): "the system gave no random bytes (error \(code))"
        }
    }
}
