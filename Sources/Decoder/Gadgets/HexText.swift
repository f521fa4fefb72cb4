public import WireBytes

/// Bytes that a person types in hexadecimal, before they are written to a device.
public enum HexText {
    /// The meaning of an odd number of digits.
    public enum OddDigit: Hashable, Sendable {
        /// An error: nothing is written.
        case isAnError
        /// The first digit is a byte of its own: `123` is `01 23`.
        case leads
    }

    /// Returns the bytes of `text`, in upper or lower case; spaces, colons and hyphens are skipped.
    public static func octets(
        _ text: String, oddDigit: OddDigit = .isAnError
    ) throws(Hex.Problem) -> [UInt8] {
        guard oddDigit == .leads else { return try Hex.octets(text) }
        let digits = text.utf8.count { Hex.value(ofDigit: $0) != nil }
        guard digits % 2 == 1 else { return try Hex.octets(text) }
        do throws(Hex.Problem) {
            return try Hex.octets("0" + text)
        } catch {
            // The place is in the user's text, which has one digit less.
            if case .notADigit(let place) = error { throw .notADigit(at: max(0, place - 1)) }
            throw error
        }
    }
}
