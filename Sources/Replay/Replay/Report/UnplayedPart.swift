import BluetoothCore
import WireBytes

/// The part of a recorded connection that was never reached.
public struct UnplayedPart: Hashable, Sendable {
    /// The connection's number in the model.
    public var connection: Int
    public var peer: DeviceAddress
    /// The frames of PDUs that were neither received from the host nor sent to it, in order.
    public var frames: [Int]

    /// One line for the report, with adjacent frames as ranges.
    public var text: String {
        "connection \(connection) to \(peer), \(frames.count.counting("PDU")): frames "
            + Self.ranges(frames).joined(separator: ", ")
    }
}

extension UnplayedPart {
    /// Returns frame numbers in order, with ranges for adjacent ones.
    static func ranges(_ frames: [Int]) -> [String] {
        var parts: [String] = []
        var place = 0
        while place < frames.count {
            var end = place
            while end + 1 < frames.count, frames[end + 1] == frames[end] + 1 { end += 1 }
            parts.append(end > place ? "\(frames[place])-\(frames[end])" : "\(frames[place])")
            place = end + 1
        }
        return parts
    }
}

extension [UnplayedPart] {
    init(_ controller: FakeController) {
        self = controller.model.connections.enumerated().compactMap { place, connection in
            guard FakeController.isPlayable(connection) else { return nil }
            var frames = connection.pdus.map(\.frame)
            if let link = controller.links.first(where: { $0.place == place }) {
                frames = link.unplayedFrames
            }
            return frames.isEmpty
                ? nil
                : UnplayedPart(connection: connection.number, peer: connection.peer, frames: frames)
        }
    }
}

extension FakeLink {
    /// The frames of the steps, with their responses, that the host did not perform, and of the peer's PDUs
    /// that were not sent.
    fileprivate var unplayedFrames: [Int] {
        var places: Set<Int> = []
        for step in script.steps where step.isRequired {
            guard !isConsumed[step.index] || isSkipped.contains(step.index) else { continue }
            places.formUnion(step.pdus)
            places.formUnion(step.pdus.compactMap { script.response(to: $0) })
        }
        if !isLive {
            for event in script.events.dropFirst(nextEvent) {
                if case .pdu(let place) = event.kind { places.insert(place) }
            }
        }
        return places.sorted().map { connection.pdus[$0].frame }
    }
}
