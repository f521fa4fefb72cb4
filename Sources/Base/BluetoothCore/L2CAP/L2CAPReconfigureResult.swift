/// Whether other limits of credit based channels are accepted.
///
/// Source: Core Specification, Vol 3, Part A, 4.28.
@frozen
public struct L2CAPReconfigureResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var successful: Self { .init(rawValue: 0x0000) }
    @inlinable public static var mtuReduced: Self { .init(rawValue: 0x0001) }
    @inlinable public static var mpsReduced: Self { .init(rawValue: 0x0002) }
    @inlinable public static var invalidDestinationCID: Self { .init(rawValue: 0x0003) }
    @inlinable public static var unacceptableParameters: Self { .init(rawValue: 0x0004) }

    /// What it says; nil where it is reserved.
    public var name: StaticString? {
        switch rawValue {
        case 0x0000: "Reconfiguration successful"
        case 0x0001: "Reconfiguration failed - reduction in size of MTU not allowed"
        case 0x0002:
            "Reconfiguration failed - reduction in size of MPS not allowed for several channels at once"
        case 0x0003: "Reconfiguration failed - one or more Destination CIDs invalid"
        case 0x0004: "Reconfiguration failed - other unacceptable parameters"
        default: nil
        }
    }

    /// Shows the field by name.
    @inlinable public static var meaning: FieldMeaning {
        .code { L2CAPReconfigureResult(rawValue: UInt16(truncatingIfNeeded: $0)).name }
    }
}
