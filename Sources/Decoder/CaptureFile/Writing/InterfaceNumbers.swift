/// Assigns interface numbers to the adapters in one file.
///
/// An adapter keeps its number if that is below ``most`` and free; otherwise it gets the lowest free one.
struct InterfaceNumbers {
    /// The interface number of an adapter.
    enum Number: Equatable {
        /// A number that no other adapter has.
        case own(UInt16)
        /// No interface: the monitor channel's index for no adapter.
        case none
        /// No number is free.
        case full
    }

    /// Number of adapters, more than any machine has, that get their own interface.
    static let most = 16

    /// The adapters by their interface numbers.
    private var given: [UInt16?] = Array(repeating: nil, count: most)

    /// The interface number of an adapter.
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
