/// Eight bytes of text in one word, looked at all together: the top bit of each byte says what is so of it.
enum WordText {
    private static let each: UInt64 = 0x0101_0101_0101_0101
    private static let top: UInt64 = 0x80 &* each

    /// A word of eight times the same byte.
    @inline(__always)
    static func repeating(_ octet: UInt8) -> UInt64 { UInt64(octet) &* each }

    /// Whether any byte is zero.
    @inline(__always)
    static func hasZero(_ word: UInt64) -> Bool { (word &- each) & ~word & top != 0 }

    /// The bytes that are `first` or more and `last` or less; all bytes and both bounds are below 0x80.
    @inline(__always)
    private static func among(_ word: UInt64, _ first: UInt64, _ last: UInt64) -> UInt64 {
        (word &+ (0x80 &- first) &* each) & ~(word &+ (0x7F &- last) &* each) & top
    }

    /// The bytes that are small letters or underscores; all bytes are below 0x80.
    @inline(__always)
    private static func lettering(_ word: UInt64) -> UInt64 {
        // Between the underscore and the letters stands the grave accent alone.
        among(word, 0x5F, 0x7A) & ((word ^ 0x60 &* each) &+ 0x7F &* each)
    }

    /// The bytes that are small letters, digits or underscores; all bytes are below 0x80.
    @inline(__always)
    private static func identifying(_ word: UInt64) -> UInt64 {
        lettering(word) | among(word, 0x30, 0x39)
    }

    /// Whether all are small letters, digits or underscores.
    @inline(__always)
    static func isIdentifier(_ word: UInt64) -> Bool {
        word & top == 0 && (lettering(word) == top || identifying(word) == top)
    }

    /// The word with capitals made small and spaces made underscores; nil if other bytes are in it.
    @inline(__always)
    static func identifier(_ word: UInt64) -> UInt64? {
        guard word & top == 0 else { return nil }
        // Nearly all names of fields are what they become.
        if lettering(word) == top { return word }
        // A capital and its small letter differ by 0x20, a space and an underscore by 0x7F.
        let small = word ^ among(word, 0x41, 0x5A) &>> 2
        let result = small ^ (among(word, 0x20, 0x20) &>> 7) &* 0x7F
        return identifying(result) == top ? result : nil
    }

    /// Whether each stands for itself in an escaped string: no control character, quote or backslash, and
    /// ASCII.
    @inline(__always)
    static func isPlain(_ word: UInt64) -> Bool {
        // Each difference borrows into the top bit of a byte that is below a space, or is the character.
        let control = word &- 0x20 &* each
        let quote = (word ^ 0x22 &* each) &- each
        let backslash = (word ^ 0x5C &* each) &- each
        let delete = (word ^ 0x7F &* each) &- each
        return (word | control | quote | backslash | delete) & top == 0
    }
}
