import BluetoothCore
import Runtime

/// Compares the tested host with the recorded host, and keeps the results.
struct Judge: Sendable {
    let options: ReplayOptions
    var normalizations = NormalizationCounts()
    var masksUsed: [VolatileMask] = []
    /// Number of steps of the host that matched the log.
    var compared = 0
    /// The divergences in order; the session may go on after them.
    var divergences: [Divergence] = []
    /// Whether a divergence ended the session.
    private(set) var isStopped = false
    /// The frames at which the host deviated as expected.
    var departed: [Int] = []
    /// Devices whose live model took over a link and remembers what the host did there.
    var remembering: Set<DeviceAddress> = []
    var stuck: Stuck?
    /// Time of the last progress of the host or a peer.
    var lastProgress = Instant.zero

    init(_ options: ReplayOptions) { self.options = options }

    /// Whether the session was stopped by a divergence or is stuck, so that nothing more is compared.
    var hasVerdict: Bool { isStopped || stuck != nil }

    mutating func note(_ normalization: Normalization) { normalizations.note(normalization) }

    /// Limit of divergences after which a session may go on.
    private static let mostPassedOver = 64

    /// Adds a divergence; its state has no more than the line of its own link, and the controller adds the
    /// others.
    ///
    /// - Parameter isFinal: whether it ends the session in any case.
    /// - Returns: whether the session continues after it.
    @discardableResult
    mutating func record(_ found: Divergence, isFinal: Bool = false) -> Bool {
        guard !hasVerdict else { return false }
        isStopped = isFinal || !options.continues || divergences.count >= Self.mostPassedOver
        divergences.append(found)
        if !isStopped { lastProgress = found.time }
        return !isStopped
    }

    /// Whether the host's PDU equals a step's PDU, except for masked bytes.
    func same(_ step: HostStep, _ octets: [UInt8]) -> Bool {
        guard let expected = step.octets, expected.count == octets.count else { return false }
        // In the application tier the host chooses between Write Request and Write Command.
        let start = options.tier == .application ? 1 : 0
        if expected[start...] == octets[start...] { return true }
        let masks = masks(of: step)
        guard !masks.isEmpty else { return false }
        for place in start..<expected.count where expected[place] != octets[place] {
            guard masks.contains(where: { $0.range.contains(place) }) else { return false }
        }
        return true
    }

    private func masks(of step: HostStep) -> [VolatileMask] {
        guard !options.masks.isEmpty, step.pdus.count <= 1 else { return [] }
        return options.masks.filter { $0.frame == step.frame }
    }

    mutating func useMasks(of step: HostStep) {
        for mask in masks(of: step) where !masksUsed.contains(mask) { masksUsed.append(mask) }
    }
}
