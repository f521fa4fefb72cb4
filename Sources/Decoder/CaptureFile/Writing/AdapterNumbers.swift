/// Assigns numbers to the adapters of several logs that are written to one file.
///
/// An adapter keeps its number unless an adapter of another log has it already; then it gets the lowest free
/// one.
public struct AdapterNumbers: Sendable {
    private struct Known: Sendable {
        var log: Int
        var adapter: UInt16
        var number: UInt16
    }

    private var known: [Known] = []
    private var last = 0

    /// Adapters beyond this number, more than any set of logs has, keep their numbers.
    static let most = 256
    /// The monitor channel's index for no adapter.
    private static let none: UInt16 = 0xFFFF

    public init() {}

    /// The log of the adapter with this number; nil if absent.
    public func log(ofNumber number: UInt16) -> Int? { known.first { $0.number == number }?.log }

    /// The number of a log's adapter.
    public mutating func number(of adapter: UInt16, log: Int) -> UInt16 {
        if adapter == Self.none { return adapter }
        if last < known.count, known[last].adapter == adapter, known[last].log == log {
            return known[last].number
        }
        if let found = known.firstIndex(where: { $0.adapter == adapter && $0.log == log }) {
            last = found
            return known[found].number
        }
        guard known.count < Self.most else { return adapter }
        var number = adapter
        if known.contains(where: { $0.number == number }) {
            number = 0
            while known.contains(where: { $0.number == number }) { number += 1 }
        }
        last = known.count
        known.append(Known(log: log, adapter: adapter, number: number))
        return number
    }
}
