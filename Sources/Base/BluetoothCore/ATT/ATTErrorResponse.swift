public import WireBytes

/// Says that a request failed, for which attribute and why.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1.
@frozen
public struct ATTErrorResponse: PDUFields, Hashable {
    @inlinable public static var opcode: ATTOpcode { .errorResponse }

    /// The opcode of the request that failed.
    public var request: ATTOpcode
    /// The attribute that caused it; 0 where none did.
    public var handle: UInt16
    /// Why it failed.
    public var error: ATTErrorCode

    @inlinable
    public init() {
        request = ATTOpcode(rawValue: 0)
        handle = 0
        error = ATTErrorCode(rawValue: 0)
    }

    @inlinable
    public init(request: ATTOpcode, handle: UInt16, error: ATTErrorCode) {
        self.request = request
        self.handle = handle
        self.error = error
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("Request Opcode", &request, width: 1, ATTOpcode.meaning)
        try coder.handle("Attribute Handle", &handle)
        try coder.code("Error Code", &error, width: 1, ATTErrorCode.meaning)
    }
}
