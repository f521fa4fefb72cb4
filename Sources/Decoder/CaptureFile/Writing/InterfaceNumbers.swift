/// The numbers of the interfaces that adapters have in one file.
///
/// An adapter whose number is below ``most`` keeps it where it is free; any other has the lowest that is.
struct InterfaceNumbers {
    /// The number that an adapter has.
    enum Number: Equatable {
        /// One that no other adapter has.
        case own(UInt16)
        /// What the monitor channel has for no adapter has no interface of its own.
        case none
        /// No number is free.
        case full
    }

    /// More adapters than any machine has get no interface of their own.
    static let most = 16

    /// The adapters by the numbers that they have.
    private var given: [UInt16?] = Array(repeating: nil, count: most)

    /// The number of an adapter.
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
