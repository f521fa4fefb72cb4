/// The values of one server that the configurations of a link switched on.
///
/// Worked out when these or what is known about the server changed: a value that nothing asked for must not
/// cost a search through all of them.
struct SubscribedValues: Sendable {
    /// What it was worked out from.
    struct Source: Equatable, Sendable {
        /// How often the link's configurations had changed.
        var changes = -1
        /// The server's database as it was.
        var generation = -1
    }

    let source: Source
    /// Values with the bits of their configurations, in the order of their handles.
    private var values: [(handle: UInt16, bits: UInt16)] = []
    /// The last descriptors of which it is not known what they configure, with bit 0 and with bit 1: they may
    /// be any value's before them.
    private var lastNotifying: UInt16 = 0
    private var lastIndicating: UInt16 = 0

    init(_ source: Source = Source()) { self.source = source }

    /// Takes a configuration and the handle of its value; nil where that is not known.
    mutating func add(_ configuration: Subscription, _ value: UInt16?) {
        guard let value else {
            if configuration.value & 1 != 0 { lastNotifying = max(lastNotifying, configuration.handle) }
            if configuration.value & 2 != 0 { lastIndicating = max(lastIndicating, configuration.handle) }
            return
        }
        values.append((value, configuration.value))
    }

    /// Puts the values in order, once all are there.
    mutating func sort() { values.sort { $0.handle < $1.handle } }

    /// Whether a configuration with this bit, 1 or 2, is a value's or may be.
    func asks(_ handle: UInt16, _ bit: UInt16) -> Bool {
        if (bit == 2 ? lastIndicating : lastNotifying) > handle { return true }
        var index = AttributeDatabase.firstIndex(in: values, notBelow: handle) { $0.handle }
        while index < values.count, values[index].handle == handle {
            if values[index].bits & bit != 0 { return true }
            index &+= 1
        }
        return false
    }
}
