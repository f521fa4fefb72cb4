public import WireBytes

/// Data that a company defines.
///
/// Source: Supplement to the Core Specification, Part A, 1.4.
@frozen
public struct ADManufacturerData<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The company identifier.
    public var company: UInt16
    /// What the company says.
    public var data: Payload

    @inlinable
    public init() {
        company = 0
        data = Payload()
    }

    @inlinable
    public init(company: UInt16, data: Payload) {
        self.company = company
        self.data = data
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Company Identifier", &company, .company)
        try coder.octets("Data", &data)
    }
}
