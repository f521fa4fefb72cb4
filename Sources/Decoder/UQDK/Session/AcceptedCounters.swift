/// The highest auth counters that a car accepted, by key id.
///
/// They belong to the car and the key, not to a link: the car rejects a used counter on later connections
/// too.
public struct AcceptedCounters: Hashable, Sendable {
    /// Maximum number of keys; the oldest is evicted.
    static let limit = 8

    struct Entry: Hashable, Sendable {
        let keyID: [UInt8]
        var counter: UInt64
        /// Whether the counter was accepted on an earlier connection.
        var isEarlier = false
    }

    private var entries: [Entry] = []

    /// Creates an empty record.
    public init() {}

    /// Whether no counter was accepted.
    public var isEmpty: Bool { entries.isEmpty }

    /// The same counters, marked as accepted on an earlier connection.
    public var earlier: Self {
        var all = self
        for index in all.entries.indices { all.entries[index].isEarlier = true }
        return all
    }

    subscript(keyID: ArraySlice<UInt8>) -> Entry? { entries.first { $0.keyID.elementsEqual(keyID) } }

    /// Records a counter that the car accepted for a key.
    ///
    /// Nothing is kept for an unknown key id: the next one without an id may be another key's.
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
