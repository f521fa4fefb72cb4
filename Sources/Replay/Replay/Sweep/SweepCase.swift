/// One run of a sweep: a fault, its place, and the part of the log that is played.
///
/// As text: `lost:57` for the first connection, `lost:57:2` for the second, and `lost:31:2:205-215,254-263`
/// for the second with only the PDUs of these frames.
public struct SweepCase: Hashable, Sendable, LosslessStringConvertible {
    public var fault: SweepFault
    /// Index of the faulty Attribute Protocol PDU, from 0, counting both directions.
    public var place: Int
    /// The connection's number in the model; nil for the first playable one.
    public var connection: Int?
    /// The frames whose PDUs are played; empty for all.
    public var frames: [ClosedRange<Int>]

    public init(
        _ fault: SweepFault, at place: Int, connection: Int? = nil, frames: [ClosedRange<Int>] = []
    ) {
        self.fault = fault
        self.place = place
        self.connection = connection
        self.frames = frames
    }

    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(parts.count), let fault = SweepFault(rawValue: parts[0]),
            let place = Int(parts[1]), place >= 0
        else { return nil }
        self.init(fault, at: place)
        guard parts.count > 2 else { return }
        guard let number = Int(parts[2]), number > 0 else { return nil }
        connection = number
        guard parts.count > 3 else { return }
        for part in parts[3].split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                first > 0, first <= last
            else { return nil }
            frames.append(first...last)
        }
    }

    public var description: String {
        var text = "\(fault.rawValue):\(place)"
        if connection != nil || !frames.isEmpty { text += ":\(connection ?? 1)" }
        guard !frames.isEmpty else { return text }
        let ranges = frames.map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        return text + ":" + ranges.joined(separator: ",")
    }
}
