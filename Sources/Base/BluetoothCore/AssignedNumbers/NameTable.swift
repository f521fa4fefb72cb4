internal import WireBytes

/// Names by 16-bit number, read from text that the program carries.
///
/// A line of the text is a number in four hexadecimal digits, a space, and names with `~` between them: the
/// first name is that number's, the next one the next number's, and so on. The text is scanned once; a
/// look-up is a binary search, copies nothing and allocates nothing.
public struct NameTable: Sendable {
    /// Where the name of one number lies.
    struct Place {
        /// The number.
        var number: UInt16
        /// Which text it is in.
        var text: UInt8
        /// The name's octets.
        var length: UInt8
        /// Octets from the start of the text to the name.
        var start: UInt32
    }

    let texts: [StaticString]
    let places: [Place]

    /// A table of the names in `texts`, whose numbers rise from line to line and from text to text.
    init(_ texts: StaticString...) {
        self.texts = texts
        var places: [Place] = []
        for (index, text) in texts.enumerated() { Self.scan(text.octets, UInt8(index), &places) }
        self.places = places
    }

    /// How many numbers have a name.
    public var count: Int { places.count }

    /// The name of `number` in UTF-8; nil where it has none.
    @_lifetime(immortal)
    public func name(_ number: UInt16) -> RawSpan? {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].number == number else { return nil }
        let place = places[low]
        let start = Int(place.start)
        return texts[Int(place.text)].octets.clamped(start..<start + Int(place.length))
    }

    /// Adds the places of the names in one text.
    static func scan(_ octets: RawSpan, _ text: UInt8, _ places: inout [Place]) {
        let count = octets.byteCount
        var index = 0
        while index + 5 < count {
            var number: UInt16 = 0
            for digit in index..<index + 4 {
                number = number &<< 4 | UInt16(octets.octet(at: digit).flatMap(Hex.value(ofDigit:)) ?? 0)
            }
            index += 5
            var start = index
            while true {
                let octet = octets.octet(at: index)
                // A line's end, the end of the text, or a tilde closes a name.
                if octet == nil || octet == 0x0A || octet == 0x7E {
                    places.append(
                        Place(
                            number: number, text: text, length: UInt8(clamping: index - start),
                            start: UInt32(start)))
                    index += 1
                    if octet != 0x7E { break }
                    number &+= 1
                    start = index
                } else {
                    index += 1
                }
            }
        }
    }
}
