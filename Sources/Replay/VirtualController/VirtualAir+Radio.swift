import BluetoothCore
import Runtime

/// How two controllers hear each other; the air's seed decides what becomes of each packet.
public struct RadioPath: Hashable, Sendable {
    /// The mean strength with which each hears the other, in dBm.
    public var rssi: Int8
    /// How far a packet's strength may be from the mean, in dB, each value as likely as the other.
    public var variation: UInt8 = 0
    /// Of 1000 advertising packets and connection events, how many are lost (up to 999).
    ///
    /// What a link lost is sent again in its next event. Controllers that never hear each other are apart:
    /// ``VirtualAir/separate(_:_:)``.
    public var lossPerMille: UInt16 = 0

    public init(rssi: Int8) { self.rssi = rssi }
}

extension VirtualAir {
    /// Sets how two controllers hear each other: nil for the strength of each alone, without losses.
    public mutating func setPath(_ path: RadioPath?, between one: ControllerID, and other: ControllerID) {
        paths[Pair(one.rawValue, other.rawValue)] = path
    }

    /// Whether the next packet between two controllers is lost.
    mutating func isLost(from one: Int, to other: Int) -> Bool {
        guard let path = paths[Pair(one, other)], path.lossPerMille > 0 else { return false }
        return random.next(below: 1000) < Int(min(path.lossPerMille, 999))
    }

    /// The strength in dBm with which a packet of one controller reaches another.
    mutating func strength(of sender: Int, at receiver: Int) -> Int8 {
        guard let path = paths[Pair(sender, receiver)] else { return controllers[sender].configuration.rssi }
        guard path.variation > 0 else { return path.rssi }
        let offset = random.next(below: 2 * Int(path.variation) + 1) - Int(path.variation)
        // -127 to 20 dBm is what a report can say (Vol 4, Part E, 7.7.65.2).
        return Int8(clamping: max(-127, min(20, Int(path.rssi) + offset)))
    }

    /// Hands over what has come about, and lets it wait where the way to the host takes its time.
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
