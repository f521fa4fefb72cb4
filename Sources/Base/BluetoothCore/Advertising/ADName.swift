public import WireBytes

/// The device's or the broadcast's name, or the first part of it.
///
/// Source: Supplement to the Core Specification, Part A, 1.2.
@frozen
public struct ADName<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// UTF-8.
    public var name: Payload

    @inlinable
    public init() {
        name = Payload()
    }

    @inlinable
    public init(name: Payload) {
        self.name = name
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Name", &name, .text)
    }
}

/// A URI; its first character stands for the scheme (0x16 for http, 0x17 for https).
///
/// Source: Supplement to the Core Specification, Part A, 1.18.
@frozen
public struct ADURI<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// UTF-8.
    public var uri: Payload

    @inlinable
    public init() {
        uri = Payload()
    }

    @inlinable
    public init(uri: Payload) {
        self.uri = uri
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("URI", &uri, .text)
    }
}
