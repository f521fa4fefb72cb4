public import WireBytes

/// Octets that a person types in hexadecimal, before they are written to a device.
public enum HexText {
    /// What an odd number of digits means.
    public enum OddDigit: Hashable, Sendable {
        /// An error: nothing is written.
        case isAnError
        /// The first digit is an octet of its own: `123` is `01 23`.
        case leads
    }

    /// The octets of `text`, in any case; spaces, colons and hyphens are skipped.
    public static func octets(
        _ text: String, oddDigit: OddDigit = .isAnError
    ) throws(Hex.Problem) -> [UInt8] {
        guard oddDigit == .leads else { return try Hex.octets(text) }
        let digits = text.utf8.count { Hex.value(ofDigit: $0) != nil }
        guard digits % 2 == 1 else { return try Hex.octets(text) }
        do throws(Hex.Problem) {
            return try Hex.octets("0" + text)
        } catch {
            // The place is that in the user's text, not in the one with a digit more.
            if case .notADigit(let place) = error { throw .notADigit(at: max(0, place - 1)) }
            throw error
        }
    }
}
