/// Text in the program's constant memory: a literal or part of one.
///
/// Copying it copies no bytes.
///
/// Unlike `StaticString` it can be part of a longer literal, so that a table written as one text can return
/// the names in it.
@frozen
@safe
public struct StaticText: ExpressibleByStringLiteral, @unchecked Sendable {
    // Safe to share: constant memory, never written or freed.
    @usableFromInline let start: UnsafePointer<UInt8>
    /// Length in bytes of UTF-8.
    public let count: Int

    @inlinable
    @inline(__always)
    public init(stringLiteral literal: StaticString) {
        // Safe: a string literal lies in the program's constant memory.
        unsafe start = literal.utf8Start
        count = literal.utf8CodeUnitCount
    }

    /// Creates a text from a whole literal.
    @inlinable
    public init(_ literal: StaticString) { self.init(stringLiteral: literal) }

    /// Creates a text from bytes at an address.
    ///
    /// The caller guarantees that they stay there unchanged for as long as the text and its parts are used.
    @inlinable
    @unsafe
    public init(unsafeStart start: UnsafePointer<UInt8>, count: Int) {
        // Safe: the caller's promise, above.
        unsafe self.start = start
        self.count = count
    }

    /// The UTF-8 bytes.
    @inlinable public var octets: RawSpan {
        @_lifetime(immortal)
        get {
            // Safe: `count` bytes at `start` that stay for as long as the program runs.
            let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
            return unsafe _overrideLifetime(buffer.bytes, copying: ())
        }
    }

    /// The bytes of `range`, clamped to the text.
    @inlinable
    public subscript(range: Range<Int>) -> StaticText {
        let low = min(max(range.lowerBound, 0), count)
        let high = min(max(range.upperBound, low), count)
        // Safe: both bounds were clamped to the text.
        return unsafe StaticText(unsafeStart: start + low, count: high &- low)
    }
}

extension StaticText: Hashable {
    public static func == (one: StaticText, other: StaticText) -> Bool {
        guard one.count == other.count else { return false }
        let (left, right) = (one.octets, other.octets)
        for index in 0..<one.count where left.octet(at: index) != right.octet(at: index) { return false }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        // Safe: `count` bytes at `start`, as promised when the text was made.
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension StaticText: CustomStringConvertible {
    public var description: String {
        // Safe: `count` bytes at `start`, as promised when the text was made.
        unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

extension StaticString {
    /// The literal's UTF-8 bytes, which live as long as the program.
    @inlinable public var octets: RawSpan {
        @_lifetime(immortal)
        get {
            guard hasPointerRepresentation else { return RawSpan() }
            // Safe: a literal of more than one scalar lies in the program's constant memory, which is never
            // given back.
            let buffer = unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
            return unsafe _overrideLifetime(buffer.bytes, copying: ())
        }
    }
}
