/// The labels of peers' attributes that were looked up last, some a link, since values come in rows. Apart
/// from the links, since a look into an element's own array would copy the element.
struct LabelCache: Sendable {
    /// What a label was looked up in.
    struct Key: Equatable, Sendable {
        var handle: UInt16 = 0
        var peer = -1
        var link = 0
        /// The peer's database as it was.
        var generation = -1
    }

    struct Entry: Sendable {
        fileprivate var key = Key()
        fileprivate(set) var label: AttributeLabel?
        /// The bits of the configuration with which its value was found to be asked for, while the link's
        /// configurations had changed this often.
        private var askedBits: UInt16 = 0
        private var askedAt = -1

        fileprivate init() {}

        fileprivate init(_ label: AttributeLabel?, of key: Key) {
            self.label = label
            self.key = key
        }

        /// Whether its value is known to be asked for with a bit.
        func isAsked(_ bit: UInt16, _ changes: Int) -> Bool { askedBits & bit != 0 && askedAt == changes }

        mutating func noteAsked(_ bit: UInt16, _ changes: Int) {
            askedBits = (askedAt == changes ? askedBits : 0) | bit
            askedAt = changes
        }
    }

    /// How many are remembered of each link, by the low bits of their handle: a power of two.
    private static let perLink = 64

    private var entries: [Entry] = []

    /// Makes room for the labels of one more link.
    mutating func addSlot() { entries += [Entry](repeating: Entry(), count: Self.perLink) }

    subscript(place: Int) -> Entry {
        @inline(__always) _read { yield entries[place] }
        @inline(__always) _modify { yield &entries[place] }
    }

    @inline(__always)
    private static func place(of handle: UInt16, _ slot: Int) -> Int {
        perLink &* slot &+ Int(handle) & (perLink &- 1)
    }

    /// Where a label is remembered; nil where it is not, or not any more.
    @inline(__always)
    func place(of key: Key, _ slot: Int) -> Int? {
        let place = Self.place(of: key.handle, slot)
        // Field by field, since the whole entry would be copied for it.
        guard entries[place].key.handle == key.handle, entries[place].key.peer == key.peer,
            entries[place].key.link == key.link, entries[place].key.generation == key.generation
        else { return nil }
        return place
    }

    mutating func remember(_ label: AttributeLabel?, of key: Key, _ slot: Int) {
        entries[Self.place(of: key.handle, slot)] = Entry(label, of: key)
    }
}
