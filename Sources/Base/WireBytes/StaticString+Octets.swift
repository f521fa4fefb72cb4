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
