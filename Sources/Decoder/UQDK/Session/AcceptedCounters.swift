/// The highest auth counters that a car took, by the id of their key.
///
/// They belong to the car and the key, not to a link: a counter that was taken once is taken on no later
/// connection either.
public struct AcceptedCounters: Hashable, Sendable {
    /// How many keys are kept: the oldest gives its place up.
    static let limit = 8

    struct Entry: Hashable, Sendable {
        let keyID: [UInt8]
        var counter: UInt64
        /// Whether an earlier connection taught it.
        var isEarlier = false
    }

    private var entries: [Entry] = []

    /// None was taken.
    public init() {}

    /// Whether none was taken.
    public var isEmpty: Bool { entries.isEmpty }

    /// The same, as a later connection knows them.
    public var earlier: Self {
        var all = self
        for index in all.entries.indices { all.entries[index].isEarlier = true }
        return all
    }

    subscript(keyID: ArraySlice<UInt8>) -> Entry? { entries.first { $0.keyID.elementsEqual(keyID) } }

    /// The car took this counter of a key; of one whose id is not known nothing is kept, since what came
    /// with another such may be another key's.
    mutating func take(_ counter: UInt64, ofKey keyID: ArraySlice<UInt8>) {
        guard !keyID.isEmpty else { return }
        if let index = entries.firstIndex(where: { $0.keyID.elementsEqual(keyID) }) {
            guard counter > entries[index].counter else { return }
            entries[index] = Entry(keyID: entries[index].keyID, counter: counter)
            return
        }
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(Entry(keyID: Array(keyID), counter: counter))
    }
}
