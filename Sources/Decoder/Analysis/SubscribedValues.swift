import BluetoothCore

/// The values of one server that the configurations of a link enable.
///
/// Computed again only when the configurations, or the knowledge about the server, changed: a value that
/// nothing enabled must not cost a search through all of them.
struct SubscribedValues: Sendable {
    /// The state that it was computed from.
    struct Source: Equatable, Sendable {
        /// Number of changes to the link's configurations.
        var changes = -1
        /// The generation of the server's database.
        var generation = -1
    }

    let source: Source
    /// Values with the bits of their configurations, sorted by handle.
    private var values: [(handle: UInt16, bits: UInt16)] = []
    /// The last descriptors whose value is unknown, with bit 0 and with bit 1: they may belong to any value
    /// before them.
    private var lastNotifying: UInt16 = 0
    private var lastIndicating: UInt16 = 0

    init(_ source: Source = Source()) { self.source = source }

    /// Adds a configuration and the handle of its value; nil if that is unknown.
    mutating func add(_ configuration: Subscription, _ value: UInt16?) {
        guard let value else {
            if configuration.value & 1 != 0 { lastNotifying = max(lastNotifying, configuration.handle) }
            if configuration.value & 2 != 0 { lastIndicating = max(lastIndicating, configuration.handle) }
            return
        }
        values.append((value, configuration.value))
    }

    /// Sorts the values, once all are there.
    mutating func sort() { values.sort { $0.handle < $1.handle } }

    /// Whether a configuration with this bit, 1 or 2, belongs or may belong to a value.
    func asks(_ handle: UInt16, _ bit: UInt16) -> Bool {
        if (bit == 2 ? lastIndicating : lastNotifying) > handle { return true }
        var index = values.firstIndex(notBelow: handle) { $0.handle }
        while index < values.count, values[index].handle == handle {
            if values[index].bits & bit != 0 { return true }
            index &+= 1
        }
        return false
    }
}
