/// Eight bytes of text in one word, tested together: a result is the top bit of each byte.
enum WordText {
    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let top: UInt64 = 0x80 &* each

    /// Returns a word with the same byte eight times.
    @inline(__always)
    static func repeating(_ octet: UInt8) -> UInt64 { UInt64(octet) &* each }

    /// Whether any byte is zero.
    @inline(__always)
    static func hasZero(_ word: UInt64) -> Bool { (word &- each) & ~word & top != 0 }

    /// Returns the bytes from `first` to `last`; all bytes and both bounds must be below 0x80.
    @inline(__always)
    private static func among(_ word: UInt64, _ first: UInt64, _ last: UInt64) -> UInt64 {
        (word &+ (0x80 &- first) &* each) & ~(word &+ (0x7F &- last) &* each) & top
    }

    /// Returns the bytes that are lower-case letters or underscores; all bytes must be below 0x80.
    @inline(__always)
    private static func lettering(_ word: UInt64) -> UInt64 {
        // Only the grave accent lies between the underscore and the letters.
        among(word, 0x5F, 0x7A) & ((word ^ 0x60 &* each) &+ 0x7F &* each)
    }

    /// Returns the bytes that are lower-case letters, digits or underscores; all bytes must be below 0x80.
    @inline(__always)
    private static func identifying(_ word: UInt64) -> UInt64 {
        lettering(word) | among(word, 0x30, 0x39)
    }

    /// Whether all are lower-case letters, digits or underscores.
    @inline(__always)
    static func isIdentifier(_ word: UInt64) -> Bool {
        word & top == 0 && (lettering(word) == top || identifying(word) == top)
    }

    /// Returns the word with capitals in lower case and spaces as underscores; nil if it has other bytes.
    @inline(__always)
    static func identifier(_ word: UInt64) -> UInt64? {
        guard word & top == 0 else { return nil }
        // Nearly all field names need no change.
        if lettering(word) == top { return word }
        // A capital and its lower-case letter differ by 0x20, a space and an underscore by 0x7F.
        let small = word ^ among(word, 0x41, 0x5A) &>> 2
        let result = small ^ (among(word, 0x20, 0x20) &>> 7) &* 0x7F
        return identifying(result) == top ? result : nil
    }

    /// Whether all bytes need no escape: ASCII without control characters, quotes and backslashes.
    @inline(__always)
    static func isPlain(_ word: UInt64) -> Bool {
        // Each subtraction sets the top bit of a byte that is below a space, or equals the character.
        let control = word &- 0x20 &* each
        let quote = (word ^ 0x22 &* each) &- each
        let backslash = (word ^ 0x5C &* each) &- each
        let delete = (word ^ 0x7F &* each) &- each
        return (word | control | quote | backslash | delete) & top == 0
    }
}
