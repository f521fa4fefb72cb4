public import WireBytes

/// The outcome of a command or an event, or why a connection ended: a controller's error code.
///
/// Source: Vol 1, Part F, 1.3.
@frozen
public struct HCIStatus: RawRepresentable, Hashable, Sendable, Error {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name of the error code; nil where none is assigned.
    public var name: StaticText? { Self.names.name(UInt64(rawValue)) }

    private static let names: ValueSet = "error_code"
}

extension HCIStatus: CustomStringConvertible {
    public var description: String {
        name.map { $0.description } ?? "0x" + String(rawValue, radix: 16)
    }
}
