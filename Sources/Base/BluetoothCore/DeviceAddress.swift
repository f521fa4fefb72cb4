public import WireBytes

/// A Bluetooth device address and, if known, its kind.
///
/// Source: Core Specification, Vol 6, Part B, 1.3; the kinds are those of the HCI parameters (Vol 4, Part E).
@frozen
public struct DeviceAddress: Hashable, Sendable {
    /// The kind of an address.
    public enum Kind: UInt8, Hashable, Sendable {
        /// Public device address (also every BR/EDR address).
        case `public` = 0
        /// Random device address: static or private, according to its two most significant bits.
        case random = 1
        /// Public identity address, resolved by the controller from a private one.
        case publicIdentity = 2
        /// Random (static) identity address, resolved by the controller from a private one.
        case randomIdentity = 3
        /// The kind was not recorded.
        case unknown = 0xFF

        /// Creates the kind for an HCI address type; an unresolved private address is random.
        @inlinable
        public init(hciType: UInt8) { self = hciType == 0xFE ? .random : Kind(rawValue: hciType) ?? .unknown }
    }

    /// The 48-bit value; its most significant byte is printed first.
    public var value: UInt64
    /// The kind of address.
    public var kind: Kind

    /// Creates an address from its 48-bit value; higher bits are dropped.
    @inlinable
    public init(_ value: UInt64, _ kind: Kind = .unknown) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    /// Decodes six bytes, least significant first, as in HCI.
    @inlinable
    public init(decoding reader: inout ByteReader, kind: Kind = .unknown) throws(DecodeError) {
        self.init(try reader.u48le(), kind)
    }

    /// Parses `AA:BB:CC:DD:EE:FF`, `AA-BB-…` or twelve hexadecimal digits, in any case; nil for anything
    /// else.
    public init?(_ text: some StringProtocol, kind: Kind = .unknown) {
        guard text.utf8.count == 12 || text.utf8.count == 17, let octets = try? Hex.octets(text),
            octets.count == 6
        else { return nil }
        self.init(octets.reduce(0) { $0 << 8 | UInt64($1) }, kind)
    }

    /// Whether it is a resolvable private address (a random address whose top bits are 01).
    public var isResolvablePrivate: Bool { kind == .random && value >> 46 == 0b01 }
    /// Whether it is a non-resolvable private address (a random address whose top bits are 00).
    public var isNonResolvablePrivate: Bool { kind == .random && value >> 46 == 0b00 }
    /// Whether it permanently identifies its device: a public, static or identity address.
    public var isIdentity: Bool {
        switch kind {
        case .public, .publicIdentity, .randomIdentity: true
        case .random: value >> 46 == 0b11
        case .unknown: false
        }
    }

    /// The same address with a kind that commands accept: public or random.
    public var withPlainKind: DeviceAddress {
        switch kind {
        case .publicIdentity: DeviceAddress(value, .public)
        case .randomIdentity: DeviceAddress(value, .random)
        case .public, .random, .unknown: self
        }
    }

    /// The six bytes, most significant first.
    public var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * $0)) } }
}

extension DeviceAddress: CustomStringConvertible {
    public var description: String {
        octets.map { Hex.text([$0]).uppercased() }.joined(separator: ":")
    }
}

extension TextBuffer {
    /// Appends an address as `AA:BB:CC:DD:EE:FF`.
    @inlinable
    public mutating func put(_ address: DeviceAddress) { colonHex(address.value) }
}
