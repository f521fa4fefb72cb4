public import Analysis
public import CaptureFile
import WireBytes

/// The times at which a log's L2CAP PDUs were sent and received, to find those that the other side's log has
/// too.
public struct PacketTimes: Sendable {
    struct Packet: Sendable {
        let digest: Int
        /// Nanoseconds, by the log's own clock.
        let time: Int64
        let isSent: Bool
    }

    private(set) var packets: [Packet] = []

    private static let limit = 100_000

    public init() {}

    /// Adds the analyser's last record.
    public mutating func take(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard let pdu = analyzer.frame.l2cap, !pdu.isCut, analyzer.frame.direction != .unknown else { return }
        let channel = [UInt8(truncatingIfNeeded: pdu.cid), UInt8(pdu.cid >> 8)]
        add(
            channel + analyzer.payload(in: record).copied(), at: analyzer.frame.time.nanoseconds,
            isSent: analyzer.frame.direction == .hostToController)
    }

    mutating func add(_ octets: [UInt8], at time: Int64, isSent: Bool) {
        guard packets.count < Self.limit else { return }
        packets.append(Packet(digest: octets.hashValue, time: time, isSent: isSent))
    }
}

/// The difference between the clocks of two recorders that recorded the two sides of a connection.
///
/// A packet arrives after it was sent. So, without drift, the difference between the clocks is at least the
/// one that a packet of the first log's side shows, and at most the one that a packet of the other side
/// shows. The offset is the middle between the medians of both directions.
public struct ClockMatch: Sendable, Equatable {
    /// Nanoseconds to add to the other log's times.
    public let offset: Int64
    /// Nanoseconds; nine of ten packets, and the times between the medians, are within this of the offset.
    public let uncertainty: Int64
    /// The number of packets that both logs have.
    public let packets: Int

    /// The least number of packets in each direction.
    public static let leastPackets = 4
    /// Most packets with the same bytes that are compared; more frequent ones show no time.
    private static let mostRepeats = 16
    /// Largest distance between the differences that packets show, in nanoseconds.
    private static let window: Int64 = 500_000_000

    /// A packet that one log sent and the other received, by their indexes.
    private struct Pair {
        let first: Int
        let other: Int
        /// Nanoseconds to add to the other log's time to get the first one's.
        let difference: Int64
        let isSentByFirst: Bool
    }

    /// Compares two logs; nil if too few packets are in both, or if they fit at several offsets.
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

    /// Returns all pairs of a packet sent in one log and received in the other, sorted by the difference of
    /// their times.
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

    /// Returns the window with most pairs; nil if a separate one has nearly as many.
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
