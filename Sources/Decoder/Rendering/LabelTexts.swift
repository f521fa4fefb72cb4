import Analysis
import WireBytes

/// Texts of attributes' labels, kept because values of the same attributes repeat.
///
/// Its room is bounded: of the attributes that share a place the last one has it, and when the room for
/// texts is full, all are forgotten; as they are when the places, few at first, become more.
struct LabelTexts: ~Copyable {
    private struct Kept {
        var label: AttributeLabel?
        /// The index of the file in which it was shown: a label of another file names that.
        var file: UInt16 = 0
        /// Where the text lies in the store.
        var start = 0
        var count = 0
    }

    private var kept = [Kept](repeating: Kept(), count: Self.fewestPlaces)
    private var store = TextBuffer(capacity: 1 << 10)
    /// Texts that were kept since all were forgotten.
    private var keptCount = 0

    private static let fewestPlaces = 1 << 5
    /// For the attributes that a crowd of peripherals uses at a time.
    private static let mostPlaces = 1 << 11
    private static let room = 1 << 19

    /// Where the label of an attribute is looked for, among as many places as there ever are.
    func place(link: Int, handle: UInt16) -> Int {
        // Links' attributes have the same handles, so each link begins elsewhere; the step is odd.
        link &* 37 &+ Int(handle)
    }

    /// Appends the text of a label that was kept at this place; false if another was, or none.
    func put(_ label: AttributeLabel, in file: UInt16, at place: Int, into out: inout TextBuffer) -> Bool {
        let place = place & (kept.count &- 1)
        guard kept[place].label == label, kept[place].file == file else { return false }
        let start = kept[place].start
        out.put(store.octets.clamped(start..<start &+ kept[place].count))
        return true
    }

    /// Keeps what `out` has after its first `start` bytes as the label's text.
    mutating func keep(
        _ label: AttributeLabel, in file: UInt16, at place: Int, _ out: borrowing TextBuffer, from start: Int
    ) {
        let text = out.octets.dropping(start)
        if store.count &+ text.byteCount > Self.room {
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
