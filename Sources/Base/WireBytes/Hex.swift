/// Bytes as hexadecimal text and back.
public enum Hex {
    /// Reason why text is not hexadecimal bytes.
    public enum Problem: Error, Equatable, Sendable {
        /// The character at this offset (in characters) is neither a digit nor a separator.
        case notADigit(at: Int)
        /// The text ends after the first digit of a byte.
        case oddDigitCount
    }

    /// Returns `octets` as lower-case hexadecimal text without separators.
    public static func text(_ octets: some Sequence<UInt8>) -> String {
        var text = ""
        for octet in octets {
            text.unicodeScalars.append(digit(octet &>> 4))
            text.unicodeScalars.append(digit(octet & 15))
        }
        return text
    }

    /// Parses hexadecimal text in any case; spaces, colons and hyphens between bytes are skipped.
    public static func octets(_ text: some StringProtocol) throws(Problem) -> [UInt8] {
        var octets: [UInt8] = []
        var high: UInt8?
        for (index, character) in text.utf8.enumerated() {
            if isSeparator(character) && high == nil { continue }
            guard let value = value(ofDigit: character) else { throw .notADigit(at: index) }
            if let first = high {
                octets.append(first &<< 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { throw .oddDigitCount }
        return octets
    }

    /// Returns the value 0 to 15 of an ASCII hexadecimal digit; nil for anything else.
    @inlinable
    public static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character &- 0x30
        case 0x41...0x46: character &- 0x41 &+ 10
        case 0x61...0x66: character &- 0x61 &+ 10
        default: nil
        }
    }

    static func isSeparator(_ character: UInt8) -> Bool {
        character == 0x20 || character == 0x3A || character == 0x2D || character == 0x0A || character == 0x09
    }

    static func digit(_ value: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? 0x30 &+ value : 0x61 &+ value &- 10)
    }
}

extension Hex.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notADigit(let offset): "character \(offset + 1) is not a hexadecimal digit"
        case .oddDigitCount: "the last byte has only one digit"
        }
    }
}
