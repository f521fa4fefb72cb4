public import WireBytes

/// Reports a failed request, with its attribute and the reason.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1.
public struct ATTErrorResponse: ATTPDU {
    public static let opcode = ATTOpcode.errorResponse

    /// The opcode of the request that failed.
    public var request = ATTOpcode(rawValue: 0)
    /// The attribute that caused the error; 0 if none did.
    public var handle: UInt16 = 0
    /// The reason.
    public var error = ATTErrorCode(rawValue: 0)

    public init() {}

    public init(request: ATTOpcode, handle: UInt16, error: ATTErrorCode) {
        self.request = request
        self.handle = handle
        self.error = error
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.code("Request Opcode", &request, width: 1, ATTOpcode.meaning)
        try coder.handle("Attribute Handle", &handle)
        try coder.code("Error Code", &error, width: 1, ATTErrorCode.meaning)
    }
}
