/// The words of a search, as docs/screens.md describes them. The page's search reads the same words,
/// and finds names of devices and frame numbers.
public struct FrameSearch: Equatable, Sendable {
    /// One word. A frame must match one of its readings, or no reading if the word is excluded.
    struct Word: Equatable, Sendable {
        var isExcluded = false
        var readings: [Reading] = []
    }

    /// A way to read a word; all texts are in lower case.
    enum Reading: Equatable, Sendable {
        /// Part of the text.
        case text([UInt8])
        /// The start of a word or number in the text.
        case start([UInt8])
        /// A number written as `0x…`.
        case number(UInt64)
        /// Consecutive bytes in hexadecimal; nil stands for any digit.
        case digits([UInt8?])
        /// The name of the packet.
        case operation([Operation.Form])
        /// The sender: the host, or else the controller.
        case sent(byHost: Bool)
    }

    /// The reason why a search can't be understood, with advice.
    public struct Problem: Error, Equatable, Sendable {
        public var what: String
        public var advice: String?
    }

    /// The words that stand for operations, such as `write`.
    public static var operationWords: [String] { Operation.all.flatMap(\.words) }

    let words: [Word]

    public init(_ text: String) throws(Problem) {
        var words: [Word] = []
        var parts = try Self.parts(text)[...]
        while let (part, isQuoted) = parts.first {
            let octets = parts.prefix { !$0.isQuoted && Self.isOctet($0.text) }.flatMap(\.text)
            if octets.count > 2, octets.contains(where: { $0 != Self.wildcard }) {
                let digits = octets.map { $0 == Self.wildcard ? nil : $0 | 0x20 }
                words.append(Word(readings: [.digits(digits)]))
                parts.removeFirst(octets.count / 2)
            } else {
                words.append(try Self.word(part, isQuoted))
                parts.removeFirst()
            }
        }
        guard !words.isEmpty else {
            throw Problem(what: "no word to find", advice: "write it as 'write FFF2' or 'a5??01'")
        }
        self.words = words
    }

    /// Splits text at spaces outside of quotes.
    private static func parts(_ text: String) throws(Problem) -> [(text: [UInt8], isQuoted: Bool)] {
        var parts: [(text: [UInt8], isQuoted: Bool)] = []
        var part: [UInt8] = []
        var (isOpen, isQuoted) = (false, false)
        for octet in Array(text.utf8) + [0x20] {
            if octet == UInt8(ascii: "\"") {
                isOpen.toggle()
                isQuoted = true
            } else if octet == 0x20, !isOpen {
                if !part.isEmpty { parts.append((part, isQuoted)) }
                (part, isQuoted) = ([], false)
            } else {
                part.append(octet)
            }
        }
        if isOpen { throw Problem(what: "the quote is not closed", advice: nil) }
        return parts
    }

    /// Whether a word is one byte; consecutive ones are searched for as consecutive bytes.
    private static func isOctet(_ text: [UInt8]) -> Bool {
        text.count == 2 && text.allSatisfy { isDigit($0 | 0x20) || $0 == wildcard }
    }

    private static func word(_ given: [UInt8], _ isQuoted: Bool) throws(Problem) -> Word {
        var word = Word()
        var given = given
        if given.first == UInt8(ascii: "-"), given.count > 1 {
            word.isExcluded = true
            given.removeFirst()
        }
        let text = given.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        if isQuoted {
            word.readings = [.text(text)] + octets(of: given)
        } else if let operation = Operation.all.first(where: { $0.words.contains { Array($0.utf8) == text } })
        {
            word.readings = [.operation(operation.forms)]
        } else if text == Array("tx".utf8) || text == Array("rx".utf8) {
            word.readings = [.sent(byHost: text[0] == UInt8(ascii: "t"))]
        } else {
            word.readings = try hexadecimal(text) ?? [.text(text)] + octets(of: given)
        }
        return word
    }

    /// Returns the readings of a text as bytes of a value; empty for texts that are too short.
    private static func octets(of text: [UInt8]) -> [Reading] {
        guard text.count >= 3 else { return [] }
        return [.digits(text.flatMap { [digit($0 >> 4), digit($0 & 15)] })]
    }

    private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 0x30 : 0x57) }

    /// The character that stands for any hexadecimal digit.
    private static let wildcard = UInt8(ascii: "?")

    /// Returns the readings of a number, a UUID or bytes; nil for other words.
    private static func hexadecimal(_ word: [UInt8]) throws(Problem) -> [Reading]? {
        let isNumber = word.starts(with: "0x".utf8)
        let text = isNumber ? Array(word.dropFirst(2)) : word
        guard text.contains(where: isDigit) || isNumber || text.allSatisfy({ $0 == wildcard }) else {
            return nil
        }
        if text.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "-") }), let uuid = uuid(text) { return uuid }
        let name = String(decoding: word, as: UTF8.self)
        guard text.allSatisfy({ isDigit($0) || $0 == wildcard || $0 == UInt8(ascii: "*") }) else {
            guard isNumber else { return nil }
            throw Problem(what: "'\(name)' is not a number", advice: "write it as 0x0012")
        }
        if text.contains(UInt8(ascii: "*")) {
            throw Problem(what: "'*' in '\(name)' is not a wildcard", advice: "write ?? for each byte")
        }
        guard text.contains(where: isDigit) else {
            throw Problem(what: "'\(name)' has no digit", advice: "write it as a5??01")
        }
        let hasWildcard = text.contains(wildcard)
        var readings: [Reading] = []
        if isNumber || text.count == 4, !hasWildcard, let number = UInt64(hexadecimal: text) {
            readings.append(.number(number))
        }
        if text.count.isMultiple(of: 2), !isNumber || text.count > 4 {
            readings.append(.digits(text.map { $0 == wildcard ? nil : $0 }))
        }
        if !isNumber, !hasWildcard {
            readings.append(text.count.isMultiple(of: 2) ? .start(text) : .text(text))
        }
        if readings.isEmpty {
            throw Problem(
                what: "'\(name)' has \(text.count) digits", advice: "a byte has two: write it as a5??01")
        }
        return readings
    }

    private static func isDigit(_ octet: UInt8) -> Bool { 0x30...0x39 ~= octet || 0x61...0x66 ~= octet }

    /// Returns the readings of a 128-bit UUID, with or without dashes; nil for other words.
    private static func uuid(_ text: [UInt8]) -> [Reading]? {
        let digits = text.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32 else { return nil }
        let base = Array("00001000800000805f9b34fb".utf8)
        if digits.starts(with: "0000".utf8), digits.dropFirst(8).elementsEqual(base) {
            return [.start(Array(digits[4..<8])), .digits(digits)]
        }
        var dashed: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { dashed.append(UInt8(ascii: "-")) }
            dashed.append(digit)
        }
        return [.start(dashed), .digits(digits)]
    }
}

extension UInt64 {
    /// Reads one to sixteen hexadecimal digits; nil for other texts.
    fileprivate init?(hexadecimal digits: [UInt8]) {
        guard digits.count <= 16 else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
