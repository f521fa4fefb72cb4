import WireBytes

/// A line of text, read from the left.
struct DumpLine {
    private let octets: [UInt8]
    private(set) var place = 0

    /// A line without its end and terminals' control sequences.
    init(_ octets: some Collection<UInt8>) { self.octets = Self.plain(Array(octets)) }

    private static func plain(_ octets: [UInt8]) -> [UInt8] {
        guard octets.contains(where: { $0 == 0x1B || $0 == 0x0D || $0 == 0x0A }) else { return octets }
        var plain: [UInt8] = []
        plain.reserveCapacity(octets.count)
        var place = 0
        while place < octets.count {
            let octet = octets[place]
            place += 1
            if octet == 0x1B {
                guard place < octets.count, octets[place] == UInt8(ascii: "[") else { continue }
                place += 1
                while place < octets.count, !(0x40...0x7E).contains(octets[place]) { place += 1 }
                place += 1
            } else if octet != 0x0D, octet != 0x0A {
                plain.append(octet)
            }
        }
        return plain
    }

    func next(_ ahead: Int = 0) -> UInt8? {
        place + ahead < octets.count ? octets[place + ahead] : nil
    }

    mutating func skipSpaces() {
        while next() == 0x20 || next() == 0x09 { place += 1 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    mutating func take(_ text: [UInt8]) -> Bool {
        guard octets.count - place >= text.count, octets[place..<place + text.count].elementsEqual(text)
        else { return false }
        place += text.count
        return true
    }

    /// Moves behind a text that begins somewhere in the rest of the line; returns false if it is not there.
    mutating func find(_ text: [UInt8]) -> Bool {
        guard let first = text.first, octets.count - place >= text.count else { return false }
        for begin in place...octets.count - text.count where octets[begin] == first {
            if octets[begin..<begin + text.count].elementsEqual(text) {
                place = begin + text.count
                return true
            }
        }
        return false
    }

    /// Moves back to a place that ``place`` returned.
    mutating func back(to place: Int) { self.place = place }

    /// Takes a decimal number of as many digits; nil if there are fewer or more.
    mutating func number(_ digits: ClosedRange<Int>) -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let octet = next(count), (0x30...0x39).contains(octet), count <= digits.upperBound {
            value = value &* 10 &+ Int64(octet &- 0x30)
            count += 1
        }
        guard digits.contains(count) else { return nil }
        place += count
        return value
    }

    /// Takes one byte in hexadecimal; nil if two digits don't follow.
    mutating func octet() -> UInt8? {
        guard let high = next().flatMap(Hex.value(ofDigit:)), let low = next(1).flatMap(Hex.value(ofDigit:))
        else { return nil }
        place += 2
        return high &<< 4 | low
    }

    /// Takes the bytes of a packet: an offset (`0010:`) may precede them, commas may separate them, and their
    /// text may follow.
    ///
    /// - Parameter mustBeApart: whether spaces must separate the bytes.
    mutating func hex(mustBeApart: Bool) -> [UInt8] {
        skipSpaces()
        let hasOffset = takeOffset()
        skipSpaces()
        var bytes: [UInt8] = []
        let areApart = mustBeApart || isSeparator(next(2))
        var end = place
        while let byte = octet(), !areApart || isSeparator(next()) {
            bytes.append(byte)
            end = place
            if hasOffset, bytes.count == 16 { break }
            guard areApart else { continue }
            _ = take(",")
            var spaces = 0
            while spaces < 3, take(" ") { spaces += 1 }
            if spaces == 3 { break }
        }
        place = end
        return bytes
    }

    private func isSeparator(_ octet: UInt8?) -> Bool {
        octet == nil || octet == 0x20 || octet == UInt8(ascii: ",")
    }

    /// Moves behind the prefix of Segger's terminal (`00> `).
    mutating func skipTerminal() {
        let begin = place
        if number(2...2) == nil || !take(Array("> ".utf8)) { place = begin }
    }

    private mutating func takeOffset() -> Bool {
        let begin = place
        var digits = 0
        while digits < 8, next().flatMap(Hex.value(ofDigit:)) != nil {
            place += 1
            digits += 1
        }
        if digits >= 4, take(":") { return true }
        place = begin
        return false
    }
}
