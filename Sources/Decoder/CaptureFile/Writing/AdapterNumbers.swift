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

/// Assigns interface numbers to the adapters in one file.
///
/// An adapter keeps its number if that is below ``most`` and free; otherwise it gets the lowest free one.
struct InterfaceNumbers {
    enum Number: Equatable {
        /// A number that no other adapter has.
        case own(UInt16)
        /// No interface: the monitor channel's index for no adapter.
        case none
        case full
    }

    /// Number of adapters, more than any machine has, that get their own interface.
    static let most = 16

    /// The adapters by their interface numbers.
    private var given: [UInt16?] = Array(repeating: nil, count: most)

    mutating func number(of adapter: UInt16) -> Number {
        if adapter == 0xFFFF { return .none }
        if adapter < Self.most, given[Int(adapter)] == adapter { return .own(adapter) }
        if let known = given.firstIndex(of: adapter) { return .own(UInt16(known)) }
        let isFree = adapter < Self.most && given[Int(adapter)] == nil
        guard let number = isFree ? Int(adapter) : given.firstIndex(of: nil) else { return .full }
        given[number] = adapter
        return .own(UInt16(number))
    }
}
