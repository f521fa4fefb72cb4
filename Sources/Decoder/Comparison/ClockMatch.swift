public import Analysis
import BluetoothCore
public import CaptureFile
import WireBytes

/// When a log's L2CAP PDUs were sent and received, to find those that the log of the other side has too.
public struct PacketTimes: Sendable {
    struct Packet: Sendable {
        let digest: Int
        /// Nanoseconds, by the log's own clock.
        let time: Int64
        let isSent: Bool
    }

    private(set) var packets: [Packet] = []

    /// The most packets that are kept.
    private static let limit = 100_000

    public init() {}

    /// Takes up the analyser's last record.
    public mutating func take(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard let pdu = analyzer.frame.l2cap, !pdu.isCut, analyzer.frame.direction != .unknown else { return }
        let channel = [UInt8(truncatingIfNeeded: pdu.cid), UInt8(pdu.cid >> 8)]
        add(
            channel + analyzer.payload(in: record).copied(), at: analyzer.frame.time.nanoseconds,
            isSent: analyzer.frame.direction == .hostToController)
    }

    /// Adds a packet with these bytes.
    mutating func add(_ octets: [UInt8], at time: Int64, isSent: Bool) {
        guard packets.count < Self.limit else { return }
        packets.append(Packet(digest: octets.hashValue, time: time, isSent: isSent))
    }
}

/// How far the clocks of two recorders are apart that recorded the two sides of a connection.
///
/// A packet arrives after it was sent. So, without drift, the difference between the clocks is at least the
/// one that a packet of the first log's side shows, and at most the one that a packet of the other's shows.
/// The middle between the medians of both directions is taken.
public struct ClockMatch: Sendable, Equatable {
    /// Nanoseconds to add to the other log's times.
    public let offset: Int64
    /// Nanoseconds; nine of ten packets, and what lies between the medians, are within this of the offset.
    public let uncertainty: Int64
    /// How many packets both logs have.
    public let packets: Int

    /// Packets that each direction has to have at least.
    public static let leastPackets = 4
    /// With how many packets of the same bytes one is compared; what comes more often tells no time.
    private static let mostRepeats = 16
    /// How far apart the differences that packets show may be, in nanoseconds.
    private static let window: Int64 = 500_000_000

    /// A packet that one log has sent and the other received, by their places.
    private struct Pair {
        let first: Int
        let other: Int
        /// What has to be added to the other log's time to get the first one's.
        let difference: Int64
        let isSentByFirst: Bool
    }

    /// Nil if too few packets are in both logs, or if they fit at several places.
    public init?(_ first: PacketTimes, _ other: PacketTimes) {
        let pairs = Self.pairs(first.packets, other.packets)
        guard let chosen = Self.densest(pairs) else { return nil }
        let middle = pairs[(chosen.lowerBound + chosen.upperBound) / 2].difference
        var (seen, seenOther): (Set<Int>, Set<Int>) = ([], [])
        let nearest = pairs[chosen].sorted {
            ($0.difference - middle).magnitude < ($1.difference - middle).magnitude
        }
        let matched = nearest.filter { pair in
            guard !seen.contains(pair.first), !seenOther.contains(pair.other) else { return false }
            seen.insert(pair.first)
            seenOther.insert(pair.other)
            return true
        }
        let sent = matched.filter(\.isSentByFirst).map(\.difference).sorted()
        let received = matched.filter { !$0.isSentByFirst }.map(\.difference).sorted()
        guard min(sent.count, received.count) >= Self.leastPackets else { return nil }
        let (low, high) = (sent[sent.count / 2], received[received.count / 2])
        let offset = low + (high - low) / 2
        let distances = matched.map { Int64(($0.difference - offset).magnitude) }.sorted()
        self.offset = offset
        uncertainty = max(distances[distances.count * 9 / 10], (high - low) / 2)
        packets = matched.count
    }

    /// All pairs of a packet sent in one log and received in the other, by the difference of their times.
    private static func pairs(_ first: [PacketTimes.Packet], _ other: [PacketTimes.Packet]) -> [Pair] {
        let places = Dictionary(grouping: other.indices) { other[$0].digest }
        let counts = first.reduce(into: [:]) { $0[$1.digest, default: 0] += 1 }
        var pairs: [Pair] = []
        for (index, packet) in first.enumerated() {
            guard let known = places[packet.digest],
                max(known.count, counts[packet.digest] ?? 0) <= mostRepeats
            else { continue }
            for place in known where other[place].isSent != packet.isSent {
                let difference = packet.time.subtractingReportingOverflow(other[place].time)
                guard !difference.overflow else { continue }
                pairs.append(
                    Pair(
                        first: index, other: place, difference: difference.partialValue,
                        isSentByFirst: packet.isSent))
            }
        }
        return pairs.sorted { ($0.difference, $0.first) < ($1.difference, $1.first) }
    }

    /// The window that holds most pairs; nil if one apart from it holds nearly as many.
    private static func densest(_ pairs: [Pair]) -> Range<Int>? {
        var best = 0..<0
        var ends: [Int] = []
        var end = 0
        for start in pairs.indices {
            while end < pairs.count, pairs[end].difference &- pairs[start].difference <= window { end += 1 }
            ends.append(end)
            if end - start > best.count { best = start..<end }
        }
        guard !best.isEmpty else { return nil }
        let rival =
            pairs.indices.filter { ends[$0] <= best.lowerBound || $0 >= best.upperBound }
            .map { ends[$0] - $0 }.max() ?? 0
        return rival * 4 <= best.count * 3 ? best : nil
    }
}
