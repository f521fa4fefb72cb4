import BluetoothCore
import Runtime

/// The radio path between two controllers; the air's seed determines the result of each packet.
public struct RadioPath: Hashable, Sendable {
    /// Mean signal strength in both directions, in dBm.
    public var rssi: Int8
    /// Maximum deviation of a packet's strength from the mean, in dB; all values are equally likely.
    public var variation: UInt8 = 0
    /// Number of lost packets among 1000 advertising packets or connection events (up to 999).
    ///
    /// Links repeat lost data in their next event. To separate controllers completely, use
    /// ``VirtualAir/separate(_:_:)``.
    public var lossPerMille: UInt16 = 0

    public init(rssi: Int8) { self.rssi = rssi }
}

extension VirtualAir {
    /// Sets the path between two controllers: nil for each one's own strength, without losses.
    public mutating func setPath(_ path: RadioPath?, between one: ControllerID, and other: ControllerID) {
        paths[Pair(one.rawValue, other.rawValue)] = path
    }

    /// Whether the next packet between two controllers is lost.
    mutating func isLost(from one: Int, to other: Int) -> Bool {
        guard let path = paths[Pair(one, other)], path.lossPerMille > 0 else { return false }
        return random.next(below: 1000) < Int(min(path.lossPerMille, 999))
    }

    /// Returns the strength in dBm at which another controller receives a packet.
    mutating func strength(of sender: Int, at receiver: Int) -> Int8 {
        guard let path = paths[Pair(sender, receiver)] else { return controllers[sender].configuration.rssi }
        guard path.variation > 0 else { return path.rssi }
        let offset = random.next(below: 2 * Int(path.variation) + 1) - Int(path.variation)
        // A report's range is -127 to 20 dBm (Vol 4, Part E, 7.7.65.2).
        return Int8(clamping: max(-127, min(20, Int(path.rssi) + offset)))
    }

    /// Delivers the new effects to the hosts, or schedules them if the host latency is not zero.
    mutating func handOver() {
        for effect in effects {
            let most = controllers[effect.controller.rawValue].configuration.hostLatency
            guard most > .zero else {
                handed.append(effect)
                continue
            }
            let delay = Int64(random.next(below: Int(clamping: most.saturatedNanoseconds) + 1))
            // Packets keep their order.
            let time = max(
                now.advanced(by: .nanoseconds(delay)), controllers[effect.controller.rawValue].lastHanded)
            controllers[effect.controller.rawValue].lastHanded = time
            heap.push(.hand(effect), at: time, from: .controller.numbered(effect.controller.rawValue))
        }
        effects = []
    }
}
