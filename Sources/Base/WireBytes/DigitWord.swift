/// Eight digits as the bytes of one word, the first digit in the least significant byte.
///
/// They are computed together, each step in all lanes of the word.
enum DigitWord {
    /// Upper bound, exclusive, of numbers with eight decimal digits.
    static let limit: UInt64 = 100_000_000
    /// The character `0` in each byte.
    static let zeros: UInt64 = 0x3030_3030_3030_3030
    /// The distance from the character after `9` to the first letter.
    static let lowerCase: UInt64 = 0x27
    static let upperCase: UInt64 = 0x07

    /// A space in each byte, and its difference to the character `0`.
    static let blanks: UInt64 = 0x2020_2020_2020_2020
    static let fromBlankToZero: UInt64 = 0x1010_1010_1010_1010

    /// Returns the four decimal digits of a number below 10000, as values.
    @inline(__always)
    static func fourDigits(_ value: UInt64) -> UInt64 {
        let hundreds = (value &* 10_486) &>> 20
        let pairs = hundreds | (value &- hundreds &* 100) &<< 16
        let tens = (pairs &* 103) &>> 10 & 0x000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }

    /// Returns the eight decimal digits of a number below ``limit``, as values.
    @inline(__always)
    static func digits(_ value: UInt64) -> UInt64 {
        // Halves of four digits, then pairs, then digits. Quotients are products with the reciprocal, which
        // is exact enough for the range: 10486 / 2^20 for hundredths below 10000, 103 / 2^10 for tenths
        // below 100.
        let upper = value / 10_000
        let halves = upper | (value &- upper &* 10_000) &<< 32
        let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }

    /// Returns the eight decimal digits of a number below ``limit``, as characters.
    @inline(__always)
    static func text(_ value: UInt64) -> UInt64 { digits(value) | zeros }

    /// Returns the eight hexadecimal digits of a number as characters.
    ///
    /// `letters` is ``lowerCase`` or ``upperCase``.
    @inline(__always)
    static func hex(_ value: UInt32, _ letters: UInt64) -> UInt64 {
        // Spread the bytes to lanes of 16 bits, most significant first, then the halves of each to bytes.
        var lanes = UInt64(value.byteSwapped)
        lanes = (lanes | lanes &<< 16) & 0x0000_FFFF_0000_FFFF
        lanes = (lanes | lanes &<< 8) & 0x00FF_00FF_00FF_00FF
        let halves = (lanes &>> 4 | lanes &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
        // Adding six carries values above nine into the next four bits.
        let areLetters = (halves &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        return halves &+ zeros &+ areLetters &* letters
    }

    /// Returns the two lower-case hexadecimal digits of each of eight bytes.
    @inline(__always)
    static func hex(_ octets: SIMD8<UInt8>) -> SIMD8<UInt16> {
        let lanes = SIMD8<UInt16>(truncatingIfNeeded: octets)
        let halves = (lanes &>> 4 | lanes &<< 8) & 0x0F0F
        let areLetters = (halves &+ 0x0606) &>> 4 & 0x0101
        return halves &+ 0x3030 &+ areLetters &* 0x27
    }

    /// Returns the two lower-case hexadecimal digits of a byte, the first in the lower half.
    @inline(__always)
    static func hex(_ octet: UInt8) -> UInt16 {
        let lane = UInt16(octet)
        let halves = (lane &>> 4 | lane &<< 8) & 0x0F0F
        let areLetters = (halves &+ 0x0606) &>> 4 & 0x0101
        return halves &+ 0x3030 &+ areLetters &* 0x27
    }
}
