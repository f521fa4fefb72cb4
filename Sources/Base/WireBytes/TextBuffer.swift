/// A growing buffer of output octets: text is written into it octet by octet, with no String in between.
///
/// Its owner drains it into a descriptor when ``count`` passes a threshold; the buffer itself does no I/O.
@frozen
@safe
public struct TextBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var used: Int
    @usableFromInline var capacity: Int

    /// An empty buffer with room for `capacity` octets; it grows as needed.
    @inlinable
    public init(capacity: Int = 1 << 16) {
        self.capacity = max(capacity, 256)
        // Safe: owned by this buffer alone, and freed when it ends.
        unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: self.capacity)
        used = 0
    }

    // Safe: allocated by this buffer, which can't be copied.
    deinit { unsafe base.deallocate() }

    /// Octets written and not yet cleared.
    @inlinable public var count: Int { used }

    /// The octets written and not yet cleared.
    @inlinable public var octets: RawSpan {
        @_lifetime(borrow self)
        get {
            // Safe: the first `used` octets at `base` were written by this buffer, which owns the memory.
            let buffer = unsafe UnsafeRawBufferPointer(start: base, count: used)
            return unsafe _overrideLifetime(buffer.bytes, borrowing: self)
        }
    }

    /// A copy of the octets written after the first `count`.
    public func copied(from count: Int) -> [UInt8] { octets.clamped(count..<used).copied() }

    /// Forgets the octets and keeps the room.
    @inlinable public mutating func clear() { used = 0 }

    /// Forgets what was written after the first `count` octets.
    @inlinable public mutating func truncate(to count: Int) { used = min(used, max(0, count)) }

    /// Forgets the first `count` octets and moves up the others.
    public mutating func dropFirst(_ count: Int) {
        let gone = min(max(0, count), used)
        // Safe: both places are in the buffer, and moving allows that they overlap.
        unsafe base.update(from: base + gone, count: used &- gone)
        used &-= gone
    }

    @inlinable
    mutating func reserve(_ extra: Int) {
        if capacity &- used < extra { grow(extra) }
    }

    @usableFromInline
    mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, used + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        // Safe: `used` octets are initialized in the old memory and fit in the new.
        unsafe moved.update(from: base, count: used)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    /// Copies octets to the end; most are few, and cost less by two overlapping words than by a call.
    @inlinable
    @inline(__always)
    mutating func copy(_ source: UnsafeRawPointer, _ count: Int) {
        // Safe: the callers reserved room for `count` octets and have as many; no word goes past either end.
        let target = unsafe UnsafeMutableRawPointer(base + used)
        switch count {
        case 0...3:
            for index in 0..<count {
                let octet = unsafe source.load(fromByteOffset: index, as: UInt8.self)
                unsafe target.storeBytes(of: octet, toByteOffset: index, as: UInt8.self)
            }
        case 4...7: unsafe copyEnds(source, target, count, UInt32.self)
        case 8...16: unsafe copyEnds(source, target, count, UInt64.self)
        case 17...32:
            unsafe copyEnds(source, target, 16, UInt64.self)
            unsafe copyEnds(source + (count &- 16), target + (count &- 16), 16, UInt64.self)
        default: unsafe target.copyMemory(from: source, byteCount: count)
        }
    }

    /// Copies the first and the last word of `count` octets, which are one word at least and two at most.
    @inlinable
    @inline(__always)
    func copyEnds<Word: FixedWidthInteger & BitwiseCopyable>(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int, _: Word.Type
    ) {
        let last = count &- MemoryLayout<Word>.size
        // Safe: both words lie within the `count` octets, as the caller's cases say.
        let first = unsafe source.loadUnaligned(as: Word.self)
        let second = unsafe source.loadUnaligned(fromByteOffset: last, as: Word.self)
        unsafe target.storeBytes(of: first, as: Word.self)
        unsafe target.storeBytes(of: second, toByteOffset: last, as: Word.self)
    }

    /// Appends one octet.
    @inlinable
    public mutating func put(_ octet: UInt8) {
        reserve(1)
        // Safe: room for one octet was reserved.
        unsafe base[used] = octet
        used &+= 1
    }

    /// Appends the octets of a literal.
    @inlinable
    public mutating func put(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        reserve(count)
        // Safe: a literal in UTF-8 has `count` octets at its start, and room for them was reserved.
        unsafe copy(UnsafeRawPointer(text.utf8Start), count)
        used &+= count
    }

    /// Appends the UTF-8 octets of a string.
    ///
    /// Disfavoured, since a literal would otherwise be made a String before it is written.
    @_disfavoredOverload
    @inlinable
    public mutating func put(_ text: String) {
        // Safe: the string's own octets, which have no padding and are borrowed during the call.
        unsafe put(text.utf8.span.bytes)
    }

    /// Appends octets as they are.
    @inlinable
    public mutating func put(_ octets: RawSpan) {
        let count = octets.byteCount
        reserve(count)
        // Safe: room for `count` octets was reserved, and the span has as many.
        unsafe octets.withUnsafeBytes { source in
            if let start = source.baseAddress {
                unsafe copy(start, count)
            }
        }
        used &+= count
    }

    /// Appends octets as they are.
    @inlinable
    public mutating func put(_ octets: [UInt8]) { put(octets.borrowedOctets) }

    /// Appends `count` times the same octet.
    @inlinable
    public mutating func fill(_ octet: UInt8, count: Int) {
        guard count > 0 else { return }
        reserve(count)
        // Safe: room for `count` octets was reserved.
        unsafe (base + used).update(repeating: octet, count: count)
        used &+= count
    }

    /// Appends spaces until `column` octets stand after the octet numbered `start`; at least `gap` of them.
    @inlinable
    public mutating func pad(from start: Int, to column: Int, gap: Int = 1) {
        fill(0x20, count: max(gap, column &- (used &- start)))
    }
}
