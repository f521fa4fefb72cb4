import WireBytes

/// Texts of bytes that repeat, like an advertiser's data: kept by those
/// bytes, so that the next time they are copied.
///
/// Its room is bounded, whatever comes: bytes have two places to be at, where the later drive out the
/// earlier, and when the room for texts is full, all are forgotten. It begins with few places and little
/// room: to fill what a crowd of advertisers needs would take longer than many a log does.
struct KeptTexts: ~Copyable {
    /// Where a text and the bytes that it was made of lie in the store, the bytes first.
    private struct Place {
        var fingerprint: UInt64 = 0
        var start: UInt32 = 0
        var keyLength: UInt16 = 0
        var textLength: UInt16 = 0
    }

    private var places = [Place](repeating: Place(), count: Self.fewestPlaces)
    private var store = TextBuffer(capacity: 1 << 10)
    /// Texts that were kept since all were forgotten.
    private var keptCount = 0

    private static let fewestPlaces = 1 << 5
    private static let mostPlaces = 1 << 13

    /// Bytes of all texts and their keys.
    private static let room = 1 << 20
    /// Bytes of the longest key and of the longest text that are kept.
    private static let longestKey = 256
    private static let longestText = 4096

    /// Appends the text that was kept for `key`; false if no text was kept.
    func put(_ key: RawSpan, into out: inout TextBuffer) -> Bool {
        let fingerprint = key.fingerprint
        let first = index(fingerprint)
        return put(key, fingerprint, places[first], into: &out)
            || put(key, fingerprint, places[first ^ 1], into: &out)
    }

    @inline(__always)
    private func put(
        _ key: RawSpan, _ fingerprint: UInt64, _ place: Place, into out: inout TextBuffer
    ) -> Bool {
        guard place.fingerprint == fingerprint, place.textLength > 0 else { return false }
        let middle = Int(place.start) &+ Int(place.keyLength)
        guard store.octets.clamped(Int(place.start)..<middle).elementsEqual(key) else { return false }
        out.put(store.octets.clamped(middle..<middle &+ Int(place.textLength)))
        return true
    }

    /// The first of the two places of bytes; the other one is its neighbour.
    private func index(_ fingerprint: UInt64) -> Int {
        Int(truncatingIfNeeded: fingerprint) & (places.count &- 1)
    }

    /// Keeps what `out` has after its first `start` bytes as the text for `key`.
    mutating func keep(_ key: RawSpan, _ out: borrowing TextBuffer, from start: Int) {
        let text = out.octets.dropping(start)
        guard key.byteCount <= Self.longestKey, 1...Self.longestText ~= text.byteCount else { return }
        if store.count &+ key.byteCount &+ text.byteCount > Self.room {
            store.clear()
            for index in places.indices { places[index] = Place() }
            keptCount = 0
        }
        keptCount &+= 1
        if keptCount > places.count / 4, places.count < Self.mostPlaces { grow() }
        let fingerprint = key.fingerprint
        let index = index(fingerprint)
        if places[index].textLength > 0 { places[index ^ 1] = places[index] }
        places[index] = Place(
            fingerprint: fingerprint, start: UInt32(store.count), keyLength: UInt16(key.byteCount),
            textLength: UInt16(text.byteCount))
        store.put(key)
        store.put(text)
    }

    /// Makes four places of each. Those that were neighbours get a pair each, or share one: none is lost.
    @inline(never)
    private mutating func grow() {
        let before = places
        places = [Place](repeating: Place(), count: 4 * before.count)
        for place in before where place.textLength > 0 {
            let first = index(place.fingerprint)
            places[places[first].textLength == 0 ? first : first ^ 1] = place
        }
    }
}
