import Analysis
import WireBytes

/// Cache of the texts of attributes' labels, because values of the same attributes repeat.
///
/// Its size is limited: attributes with the same place evict each other, and everything is discarded when the
/// store is full or the number of places, small at first, grows.
struct LabelTexts: ~Copyable {
    private struct Kept {
        var label: AttributeLabel?
        /// The index of the file whose frames show this text; the text for other files adds a file's name.
        var file: UInt16 = 0
        /// Start of the text in the store.
        var start = 0
        var count = 0
    }

    private var kept = [Kept](repeating: Kept(), count: Self.fewestPlaces)
    private var store = TextBuffer(capacity: 1 << 10)
    /// Number of texts kept since everything was last discarded.
    private var keptCount = 0

    private static let fewestPlaces = 1 << 5
    /// Enough for the attributes that many peripherals use at the same time.
    private static let mostPlaces = 1 << 11
    /// Limit of the texts together, in bytes.
    private static let storeLimit = 1 << 19

    /// Returns the place of an attribute's label. It may exceed the number of places, since only its low bits
    /// are used.
    func place(link: Int, handle: UInt16) -> Int {
        // Attributes of different links have the same handles, so each link starts elsewhere. The step is
        // odd, so that the low bits differ as well.
        link &* 37 &+ Int(handle)
    }

    /// Appends the text kept for the label at this place; returns false if it has no text or another label's.
    func put(_ label: AttributeLabel, in file: UInt16, at place: Int, into out: inout TextBuffer) -> Bool {
        let place = place & (kept.count &- 1)
        guard kept[place].label == label, kept[place].file == file else { return false }
        let start = kept[place].start
        out.put(store.octets.clamped(start..<start &+ kept[place].count))
        return true
    }

    /// Keeps the bytes of `out` from `start` on as the label's text.
    mutating func keep(
        _ label: AttributeLabel, in file: UInt16, at place: Int, _ out: borrowing TextBuffer, from start: Int
    ) {
        let text = out.octets.dropping(start)
        if store.count &+ text.byteCount > Self.storeLimit {
            forget(places: kept.count)
        } else if keptCount > kept.count / 2, kept.count < Self.mostPlaces {
            forget(places: 4 * kept.count)
        }
        keptCount &+= 1
        kept[place & (kept.count &- 1)] = Kept(
            label: label, file: file, start: store.count, count: text.byteCount)
        store.put(text)
    }

    @inline(never)
    private mutating func forget(places count: Int) {
        store.clear()
        kept = [Kept](repeating: Kept(), count: count)
        keptCount = 0
    }
}
