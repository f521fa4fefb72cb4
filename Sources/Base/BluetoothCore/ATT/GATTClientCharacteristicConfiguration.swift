public import WireBytes

/// Client Characteristic Configuration descriptor (CCCD): the value updates that one client requests.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.3.
@frozen
public struct GATTClientCharacteristicConfiguration: PDUFields, Hashable {
    /// The requested updates.
    public var configuration: GATTClientConfiguration

    @inlinable
    public init() {
        configuration = []
    }

    @inlinable
    public init(configuration: GATTClientConfiguration) {
        self.configuration = configuration
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code(
            "Client Characteristic Configuration", &configuration, width: 2, GATTClientConfiguration.meaning)
    }
}
