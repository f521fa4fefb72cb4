import WireBytes

/// Cache of texts about bytes that repeat, such as an advertiser's data; the bytes are the key.
///
/// Its size is limited for any input: each key has two possible places, in which later keys evict earlier
/// ones, and a full store is emptied. It starts small, since initializing enough for many advertisers would
/// take longer than processing most logs.
struct KeptTexts: ~Copyable {
    /// Place of a key in the store; the text follows the key.
    private struct Place {
        var fingerprint: UInt64 = 0
        var start: UInt32 = 0
        var keyLength: UInt16 = 0
        var textLength: UInt16 = 0
    }

    private var places = [Place](repeating: Place(), count: Self.fewestPlaces)
    private var store = TextBuffer(capacity: 1 << 10)
    /// Number of texts kept since the store was last emptied.
    private var keptCount = 0

    private static let fewestPlaces = 1 << 5
    private static let mostPlaces = 1 << 13

    /// Limit of the texts and keys together, in bytes.
    private static let storeLimit = 1 << 20
    /// Limits of a key's and a text's length, in bytes.
    private static let longestKey = 256
    private static let longestText = 4096

    /// Appends the text kept for `key`; returns false if there is no such text.
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

    /// Returns the first of a key's two places; the second is its neighbor.
    private func index(_ fingerprint: UInt64) -> Int {
        Int(truncatingIfNeeded: fingerprint) & (places.count &- 1)
    }

    /// Keeps the bytes of `out` from `start` on as the text for `key`.
    mutating func keep(_ key: RawSpan, _ out: borrowing TextBuffer, from start: Int) {
        let text = out.octets.dropping(start)
        guard key.byteCount <= Self.longestKey, 1...Self.longestText ~= text.byteCount else { return }
        if store.count &+ key.byteCount &+ text.byteCount > Self.storeLimit {
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

    /// Quadruples the number of places. All texts still fit: a pair of places becomes four pairs, which get
    /// only the texts of that pair.
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
