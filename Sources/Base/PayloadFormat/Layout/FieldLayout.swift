import WireBytes

/// The byte order of an integer.
public enum OctetOrder: Hashable, Sendable {
    /// Most significant byte first.
    case big
    /// Least significant byte first.
    case little
}

/// One field of a message described by data.
public struct FieldLayout: Hashable, Sendable {
    /// Type and length of the field.
    public enum Shape: Hashable, Sendable {
        /// An integer of 1 to 8 bytes; the signed ones in two's complement.
        case integer(width: Int, signed: Bool, OctetOrder, FieldPresentation)
        /// An unsigned integer of 1 to 8 bytes, cut into bit fields.
        case bits(width: Int, OctetOrder, [BitFieldLayout])
        /// Raw bytes.
        case octets(FieldLength)
        /// UTF-8 text; a zero byte and everything after it are padding.
        case text(FieldLength)
        /// Packed decimal: two decimal digits per byte, the high one in the high bits; 1 to 9 bytes.
        case packedDecimal(width: Int, OctetOrder, FieldPresentation)
        /// One digit of base 100 per byte, each 0 to 99; 1 to 9 bytes.
        case base100(width: Int, OctetOrder, FieldPresentation)
        /// A list whose count is fixed, given by a field, or as many as fill the message.
        case list(FieldLength, [FieldLayout])
    }

    /// Its name, in camel case.
    public var name: String
    /// Type and length of the field.
    public var shape: Shape
    /// The required bytes; nil if any value is valid.
    public var constant: [UInt8]?
    /// Whether it differs between runs.
    public var isVolatile: Bool

    /// Creates a field.
    public init(_ name: String, _ shape: Shape, constant: [UInt8]? = nil, isVolatile: Bool = false) {
        self.name = name
        self.shape = shape
        self.constant = constant
        self.isVolatile = isVolatile
    }

    /// Its length in bytes if fixed; nil if it depends on the message.
    public var fixedWidth: Int? {
        switch shape {
        case .integer(let width, _, _, _), .bits(let width, _, _), .packedDecimal(let width, _, _),
            .base100(let width, _, _):
            return width
        case .octets(.fixed(let count)), .text(.fixed(let count)): return count
        case .list(.fixed(let count), let items):
            var total = 0
            for item in items {
                guard let width = item.fixedWidth else { return nil }
                total += width
            }
            let (product, overflow) = total.multipliedReportingOverflow(by: count)
            return overflow ? nil : product
        case .octets, .text, .list: return nil
        }
    }
}

/// Number of bytes or elements of a field.
public enum FieldLength: Hashable, Sendable {
    /// A fixed number.
    case fixed(Int)
    /// The value of an earlier integer field.
    case field(String)
    /// Everything up to the fields that must follow.
    case rest
}

/// A bit field within an integer.
public struct BitFieldLayout: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Number of bits to its right, from the least significant bit of the integer.
    public var shift: Int
    /// Number of bits.
    public var width: Int
    /// Presentation of its value.
    public var presentation: FieldPresentation

    /// Creates a bit field of `width` bits that starts `shift` bits from the right.
    public init(
        _ name: String, shift: Int, width: Int, _ presentation: FieldPresentation = FieldPresentation()
    ) {
        self.name = name
        self.shift = shift
        self.width = width
        self.presentation = presentation
    }
}

/// Meaning and presentation of an integer.
public struct FieldPresentation: Hashable, Sendable {
    /// Notation of a number.
    public enum Style: Hashable, Sendable {
        case number
        case hex
    }

    /// Notation of a number.
    public var style: Style = .number
    /// Names of single values.
    public var names: [UInt64: String] = [:]
    /// Names of single bits, by their position from the right.
    public var flags: [Int: String] = [:]
    /// Size of one step as mantissa and power of ten; nil for 1.
    public var scale: JSONNumber?
    /// Meaning of the raw value 0, in the unit; nil for 0.
    public var offset: JSONNumber?
    /// The unit of the value.
    public var unit: String?

    /// Creates a plain decimal number.
    public init() {}

    /// Creates a number written in `style`.
    public init(style: Style) { self.style = style }
    /// Creates a set of named values.
    public init(names: [UInt64: String]) { self.names = names }
    /// Creates a set of named bits; single values may have names of their own.
    public init(flags: [Int: String], names: [UInt64: String] = [:]) {
        self.flags = flags
        self.names = names
    }
    /// Creates a number with a unit, in steps of `scale`.
    public init(unit: String?, scale: JSONNumber? = nil) {
        self.unit = unit
        self.scale = scale
    }
}
