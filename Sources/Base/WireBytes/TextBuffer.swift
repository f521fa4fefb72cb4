/// A growing buffer of output bytes, written without intermediate strings.
///
/// Its owner drains it into a descriptor when ``count`` passes a threshold; the buffer itself does no I/O.
@frozen
@safe
public struct TextBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var used: Int
    @usableFromInline var capacity: Int

    /// Creates an empty buffer with room for `capacity` bytes; it grows as needed, by doubling.
    @inlinable
    public init(capacity: Int = 1 << 12) {
        self.capacity = max(capacity, 256)
        // Safe: owned by this buffer alone, and freed when it ends.
        unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: self.capacity)
        used = 0
    }

    // Safe: allocated by this buffer, which can't be copied.
    deinit { unsafe base.deallocate() }

    /// Number of bytes written and not yet cleared.
    @inlinable public var count: Int { used }

    /// The bytes written and not yet cleared.
    @inlinable public var octets: RawSpan {
        @_lifetime(borrow self)
        get {
            // Safe: the first `used` bytes at `base` were written by this buffer, which owns the memory.
            let buffer = unsafe UnsafeRawBufferPointer(start: base, count: used)
            return unsafe _overrideLifetime(buffer.bytes, borrowing: self)
        }
    }

    /// Returns a copy of the bytes after the first `count`.
    public func copied(from count: Int) -> [UInt8] { octets.clamped(count..<used).copied() }

    /// The bytes as text.
    public var text: String {
        // Safe: the first `used` bytes at `base` were written by this buffer, which owns the memory.
        unsafe String(decoding: UnsafeBufferPointer(start: base, count: used), as: UTF8.self)
    }

    /// Removes the bytes and keeps the memory.
    @inlinable public mutating func clear() { used = 0 }

    /// Removes everything after the first `count` bytes.
    @inlinable public mutating func truncate(to count: Int) { used = min(used, max(0, count)) }

    /// Removes the first `count` bytes and moves the others to the front.
    public mutating func dropFirst(_ count: Int) {
        let gone = min(max(0, count), used)
        // Safe: both places are in the buffer, and moving allows that they overlap.
        unsafe base.update(from: base + gone, count: used &- gone)
        used &-= gone
    }

    @inlinable
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity &- used < extra { grow(extra) }
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, used + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        // Safe: `used` bytes are initialized in the old memory and fit in the new.
        unsafe moved.update(from: base, count: used)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    /// Copies bytes to the end.
    ///
    /// Most copies are short, and two overlapping words are faster than a call.
    @inlinable
    @inline(__always)
    mutating func copy(_ source: UnsafeRawPointer, _ count: Int) {
        // Safe: the callers reserved room for `count` bytes and have as many; no word goes past either end.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        if count > 32 {
            unsafe target.copyMemory(from: source, byteCount: count)
        } else if count >= 16 {
            unsafe copyEnds(source, target, count, SIMD16<UInt8>.self)
        } else if count >= 8 {
            unsafe copyEnds(source, target, count, UInt64.self)
        } else if count >= 4 {
            unsafe copyEnds(source, target, count, UInt32.self)
        } else if count >= 2 {
            unsafe copyEnds(source, target, count, UInt16.self)
        } else if count == 1 {
            unsafe target.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
        }
    }

    /// Copies the first and the last word of `count` bytes; `count` is one to two words.
    @inlinable
    @inline(__always)
    func copyEnds<Word: BitwiseCopyable>(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _: Word.Type
    ) {
        let last = count &- MemoryLayout<Word>.size
        // Safe: both words lie within the `count` bytes, as the caller's cases say.
        let first = unsafe source.loadUnaligned(as: Word.self)
        let second = unsafe source.loadUnaligned(fromByteOffset: last, as: Word.self)
        unsafe target.storeBytes(of: first, as: Word.self)
        unsafe target.storeBytes(of: second, toByteOffset: last, as: Word.self)
    }

    /// Appends one byte.
    @inlinable
    public mutating func put(_ octet: UInt8) {
        reserve(1)
        // Safe: room for one byte was reserved.
        unsafe base[used] = octet
        used &+= 1
    }

    /// Appends the bytes of a literal.
    ///
    /// Always inlined: the literal's length is then known at the call, and the copy is a few stores.
    @inlinable
    @inline(__always)
    public mutating func put(_ text: StaticText) {
        let count = text.count
        reserve(count)
        // Safe: a literal in UTF-8 has `count` bytes at its start, and room for them was reserved.
        unsafe copy(UnsafeRawPointer(text.start), count)
        used &+= count
    }

    /// Appends the UTF-8 bytes of a string.
    ///
    /// Disfavoured, since otherwise a literal would be converted to a String first.
    @_disfavoredOverload
    @inlinable
    public mutating func put(_ text: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe put(text.utf8.span.bytes)
    }

    /// Appends bytes as they are.
    @inlinable
    public mutating func put(_ octets: RawSpan) {
        let count = octets.byteCount
        reserve(count)
        // Safe: room for `count` bytes was reserved, and the span has as many.
        unsafe octets.withUnsafeBytes { source in
            if let start = source.baseAddress {
                unsafe copy(start, count)
            }
        }
        used &+= count
    }

    /// Appends bytes as they are.
    @inlinable
    public mutating func put(_ octets: [UInt8]) { put(octets.borrowedOctets) }

    /// Appends a literal with a byte before it and one after it.
    public mutating func put(_ before: UInt8, _ text: StaticText, _ after: UInt8) {
        let count = text.count
        reserve(count &+ 2)
        // Safe: a literal has `count` bytes, and room for them and two more was reserved.
        unsafe base[used] = before
        used &+= 1
        unsafe copy(UnsafeRawPointer(text.start), count)
        unsafe base[used &+ count] = after
        used &+= count &+ 1
    }

    /// Appends a quote that opens the name of a JSON member, and a comma before it, unless an object has just
    /// begun.
    @inlinable
    @inline(__always)
    public mutating func beginJSONMember() {
        reserve(2)
        openJSONName()
    }

    /// Appends the comma and the quote, for which the caller reserved room.
    @inlinable
    @inline(__always)
    mutating func openJSONName() {
        // Safe: the byte before the end, if any, and room for two more was reserved.
        let isFirst = unsafe used == 0 || base[used &- 1] == 0x7B
        unsafe base[used] = 0x2C
        used &+= isFirst ? 0 : 1
        unsafe base[used] = 0x22
        used &+= 1
    }

    /// Appends the name of a JSON member and a colon, with the comma before them.
    ///
    /// Always inlined, like ``put(_:)``.
    @inlinable
    @inline(__always)
    public mutating func jsonMember(_ name: StaticText) {
        reserve(name.count &+ 4)
        append(jsonName: name)
    }

    /// Appends a JSON member whose value is a text that needs no escape.
    @inlinable
    @inline(__always)
    public mutating func jsonMember(_ name: StaticText, plain value: StaticText) {
        let count = value.count
        reserve(name.count &+ count &+ 6)
        append(jsonName: name)
        // Safe: the text has `count` bytes, and room for them and two quotes was reserved.
        unsafe base[used] = 0x22
        used &+= 1
        unsafe copy(UnsafeRawPointer(value.start), count)
        used &+= count
        unsafe base[used] = 0x22
        used &+= 1
    }

    /// Appends a name and a colon; the caller reserved four bytes more than the name has.
    @inlinable
    @inline(__always)
    mutating func append(jsonName name: StaticText) {
        openJSONName()
        // Safe: the name has `count` bytes, and the caller reserved room for them and two more.
        unsafe copy(UnsafeRawPointer(name.start), name.count)
        used &+= name.count
        unsafe UnsafeMutableRawPointer(base + used).storeBytes(
            of: UInt16(littleEndian: 0x3A22), as: UInt16.self)
        used &+= 2
    }

    /// Appends the same byte `count` times, with stores of sixteen; the last one may extend past `count`.
    public mutating func fill(_ octet: UInt8, count: Int) {
        guard count > 0 else { return }
        reserve(count + 16)
        let sixteen = SIMD16(repeating: octet)
        var filled = 0
        // Safe: `filled` is below `count`, and room for sixteen bytes after that was reserved.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        repeat {
            unsafe target.storeBytes(of: sixteen, toByteOffset: filled, as: SIMD16<UInt8>.self)
            filled &+= 16
        } while filled < count
        used &+= count
    }

    /// Appends the first `count` (at most 8) bytes of a word, the least significant first.
    @inlinable
    @inline(__always)
    mutating func put(word: UInt64, count: Int) {
        reserve(8)
        // Safe: room for the whole word was reserved.
        unsafe UnsafeMutableRawPointer(base + used).storeBytes(of: word.littleEndian, as: UInt64.self)
        used &+= count
    }

    /// Appends spaces, at least `gap`, until `column` bytes follow position `start`.
    @inlinable
    @inline(__always)
    public mutating func pad(from start: Int, to column: Int, gap: Int = 1) {
        let count = max(gap, column &- (used &- start))
        guard 0...16 ~= count else { return fill(0x20, count: count) }
        reserve(16)
        let blanks = SIMD16<UInt8>(repeating: 0x20)
        // Safe: room for sixteen bytes was reserved; those after `count` are written over.
        unsafe UnsafeMutableRawPointer(base + used).storeBytes(of: blanks, as: SIMD16<UInt8>.self)
        used &+= count
    }

    /// Appends a literal as an identifier: letters in lower case, brackets left out, everything else as
    /// underscores.
    public mutating func identifier(_ name: StaticText) {
        if identifierInWords(name.octets) { return }
        let count = name.count
        reserve(count)
        // Safe: a literal in UTF-8 has `count` bytes at its start.
        let source = unsafe name.start
        var place = used
        for index in 0..<count {
            // Safe: `index` is below the literal's count, and room for as many bytes was reserved.
            let octet = unsafe source[index]
            switch octet {
            case 0x61...0x7A, 0x30...0x39, 0x5F: unsafe base[place] = octet
            case 0x41...0x5A: unsafe base[place] = octet | 0x20
            case 0x28, 0x29, 0x5B, 0x5D: continue
            default: unsafe base[place] = 0x5F
            }
            place &+= 1
        }
        used = place
    }

    /// Appends a name of letters, digits, underscores and spaces, eight at a time; returns false for others.
    private mutating func identifierInWords(_ name: RawSpan) -> Bool {
        guard let last = name.lastWord else {
            guard let word = WordText.identifier(name.paddedWord) else { return false }
            put(word: word, count: name.byteCount)
            return true
        }
        reserve(name.byteCount)
        // Safe: `index` is at most `last`, eight bytes before the name's end, and there is room for all.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        var index = 0
        while true {
            guard let word = WordText.identifier(name.word(at: index)) else { return false }
            unsafe target.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            if index == last { break }
            index = min(index &+ 8, last)
        }
        used &+= name.byteCount
        return true
    }

    /// Appends an arbitrary name in snake case: `doorsOpen` and `doors-open` become `doors_open`.
    ///
    /// Writes only letters, digits and underscores.
    public mutating func memberName(_ name: String) {
        // Safe: the string's own bytes, which have no padding and are borrowed during the call.
        unsafe memberName(name.utf8.span.bytes)
    }

    private mutating func memberName(_ name: RawSpan) {
        if name.isIdentifier { return put(name) }
        var before = Self.none
        var upper = Self.none
        // An upper-case letter starts a word after a lower-case one, and before one: `statusURLText` has
        // three words.
        for index in 0..<name.byteCount {
            let octet = name.octet(at: index) ?? 0
            let isUpper = (0x41...0x5A).contains(octet)
            if upper != Self.none {
                let isSmall = (0x61...0x7A).contains(octet)
                let follows = (0x61...0x7A).contains(before) || (0x30...0x39).contains(before)
                if follows || isSmall && (0x41...0x5A).contains(before) { put(0x5F) }
                put(upper | 0x20)
                before = upper
                upper = Self.none
            }
            if isUpper {
                upper = octet
                continue
            }
            switch octet {
            case 0x61...0x7A, 0x30...0x39, 0x5F: put(octet)
            default: put(0x5F)
            }
            before = octet
        }
        guard upper != Self.none else { return }
        if (0x61...0x7A).contains(before) || (0x30...0x39).contains(before) { put(0x5F) }
        put(upper | 0x20)
    }

    private static let none: UInt8 = 0
}
