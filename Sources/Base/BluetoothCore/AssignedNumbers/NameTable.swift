internal import WireBytes

/// Names by 16-bit number, read from text in the program.
///
/// A line of the text has a number in four hexadecimal digits, a space, and names separated by `~`: the name
/// of that number, of the next number, and so on. The text is scanned once; a lookup takes two steps, and
/// neither copies nor allocates.
public struct NameTable: Sendable {
    struct Place {
        var number: UInt16
        /// Index of the text with the name.
        var text: UInt8
        /// Length of the name in bytes.
        var length: UInt8
        /// Offset of the name in the text.
        var start: UInt32
    }

    let texts: [StaticString]
    let places: [Place]
    /// The page in ``pages`` for each upper byte of a number, plus one; 0 if no number with that byte has a
    /// name.
    let pageOfUpper: [UInt8]
    /// Pages of 256 numbers: the index of the number's place, plus one; 0 for a number without a name.
    let pages: [UInt16]

    /// Creates a table of the names in `texts`. The numbers must increase from line to line and from text to
    /// text.
    init(_ texts: StaticString...) {
        self.texts = texts
        var places: [Place] = []
        for (index, text) in texts.enumerated() { Self.scan(text.octets, UInt8(index), &places) }
        self.places = places
        (pageOfUpper, pages) = Self.index(places)
    }

    /// Returns the pages that lead from numbers to places.
    ///
    /// Places after the first 65534, and those of a 256th upper byte, are left out.
    private static func index(_ places: [Place]) -> (pageOfUpper: [UInt8], pages: [UInt16]) {
        var pageOfUpper = [UInt8](repeating: 0, count: 256)
        var pages: [UInt16] = []
        for (index, place) in places.enumerated().prefix(Int(UInt16.max) - 1) {
            let upper = Int(place.number >> 8)
            if pageOfUpper[upper] == 0 {
                guard pages.count < 255 * 256 else { continue }
                pages.append(contentsOf: repeatElement(0, count: 256))
                pageOfUpper[upper] = UInt8(pages.count / 256)
            }
            let entry = (Int(pageOfUpper[upper]) - 1) * 256 + Int(place.number & 0xFF)
            // If a number has two names, the first one is used.
            if pages[entry] == 0 { pages[entry] = UInt16(index + 1) }
        }
        return (pageOfUpper, pages)
    }

    /// Returns the name of `number` in UTF-8; nil if it has none.
    @_lifetime(immortal)
    public func name(_ number: UInt16) -> RawSpan? {
        let page = Int(pageOfUpper[Int(number &>> 8)])
        guard page > 0 else { return nil }
        let entry = Int(pages[(page &- 1) &* 256 &+ Int(number & 0xFF)])
        guard entry > 0 else { return nil }
        let place = places[entry &- 1]
        let start = Int(place.start)
        return texts[Int(place.text)].octets.clamped(start..<start + Int(place.length))
    }

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
                // A name ends at the end of the line, at the end of the text, or at a tilde.
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
