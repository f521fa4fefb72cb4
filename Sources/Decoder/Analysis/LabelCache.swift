/// The most recently used labels of peers' attributes, some for each link, since values come in series. Kept
/// apart from the links: access to an array in a link would copy the link.
struct LabelCache: Sendable {
    struct Key: Equatable, Sendable {
        var handle: UInt16 = 0
        var peer = -1
        var link = 0
        /// The generation of the peer's database.
        var generation = -1
    }

    struct Entry: Sendable {
        fileprivate var key = Key()
        fileprivate(set) var label: AttributeLabel?
        /// The bits by which configurations were found to enable the value, and the number of changes to the
        /// link's configurations by then.
        private var enablingBits: UInt16 = 0
        private var enabledAt = -1

        fileprivate init() {}

        fileprivate init(_ label: AttributeLabel?, of key: Key) {
            self.label = label
            self.key = key
        }

        /// Whether a bit is known to enable the value.
        func isEnabled(by bit: UInt16, at changes: Int) -> Bool {
            enablingBits & bit != 0 && enabledAt == changes
        }

        mutating func noteEnabled(by bit: UInt16, at changes: Int) {
            enablingBits = (enabledAt == changes ? enablingBits : 0) | bit
            enabledAt = changes
        }
    }

    /// Number of labels remembered for each link, selected by the low bits of their handles; a power of two.
    private static let perLink = 64

    private var entries: [Entry] = []

    /// Makes room for the labels of another link.
    mutating func addSlot() { entries += [Entry](repeating: Entry(), count: Self.perLink) }

    subscript(place: Int) -> Entry {
        @inline(__always) _read { yield entries[place] }
        @inline(__always) _modify { yield &entries[place] }
    }

    @inline(__always)
    private static func place(of handle: UInt16, slot: Int) -> Int {
        perLink &* slot &+ Int(handle) & (perLink &- 1)
    }

    /// Returns the index of a label; nil if the cache does not have it, or no longer has it.
    @inline(__always)
    func place(of key: Key, slot: Int) -> Int? {
        let place = Self.place(of: key.handle, slot: slot)
        // Field by field, since comparing whole entries would copy them.
        guard entries[place].key.handle == key.handle, entries[place].key.peer == key.peer,
            entries[place].key.link == key.link, entries[place].key.generation == key.generation
        else { return nil }
        return place
    }

    mutating func remember(_ label: AttributeLabel?, of key: Key, slot: Int) {
        entries[Self.place(of: key.handle, slot: slot)] = Entry(label, of: key)
    }
}
