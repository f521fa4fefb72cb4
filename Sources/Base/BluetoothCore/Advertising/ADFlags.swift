public import WireBytes

/// How a device lets itself be discovered.
///
/// Source: Supplement to the Core Specification, Part A, 1.3.
@frozen
public struct ADFlags: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var limitedDiscoverable: Self { .init(rawValue: 0x01) }
    @inlinable public static var generalDiscoverable: Self { .init(rawValue: 0x02) }
    @inlinable public static var classicNotSupported: Self { .init(rawValue: 0x04) }
    @inlinable public static var simultaneousController: Self { .init(rawValue: 0x08) }
    @inlinable public static var simultaneousHost: Self { .init(rawValue: 0x10) }

    /// The name of the bit at a position; nil where it has none.
    public static func bitName(_ position: Int) -> StaticString? {
        switch position {
        case 0: "LE Limited Discoverable Mode"
        case 1: "LE General Discoverable Mode"
        case 2: "BR/EDR Not Supported"
        case 3: "Simultaneous LE and BR/EDR (Controller)"
        case 4: "Simultaneous LE and BR/EDR (Host)"
        default: nil
        }
    }
}

/// The Flags AD structure; a device may send more octets than are assigned.
///
/// Source: Supplement to the Core Specification, Part A, 1.3.
@frozen
public struct ADFlagsField: PDUFields, Hashable {
    /// The bits of the first octet.
    public var flags: ADFlags

    @inlinable public init() { flags = [] }

    @inlinable public init(flags: ADFlags) { self.flags = flags }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("Flags", &flags, width: 1, .bits { ADFlags.bitName($0) })
    }
}
