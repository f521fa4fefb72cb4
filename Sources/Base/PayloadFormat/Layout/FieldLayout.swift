import WireBytes

/// The order of the bytes of an integer.
public enum OctetOrder: Hashable, Sendable {
    /// Most significant byte first.
    case big
    /// Least significant byte first.
    case little
}

/// One field of a message that is described by data.
public struct FieldLayout: Hashable, Sendable {
    /// What kind of bytes it takes.
    public enum Shape: Hashable, Sendable {
        /// An integer of 1 to 8 bytes; the signed ones in two's complement.
        case integer(width: Int, signed: Bool, OctetOrder, FieldPresentation)
        /// An unsigned integer of 1 to 8 bytes, cut into bit fields.
        case bits(width: Int, OctetOrder, [BitFieldLayout])
        /// Bytes as they are.
        case octets(FieldLength)
        /// UTF-8 text; a zero byte and what follows it are padding.
        case text(FieldLength)
        /// Two decimal digits a byte, the high one in the high bits; 1 to 9 bytes.
        case packedDecimal(width: Int, OctetOrder, FieldPresentation)
        /// One digit of base 100 a byte, each 0 to 99; 1 to 9 bytes.
        case base100(width: Int, OctetOrder, FieldPresentation)
        /// As many elements as a field says, a fixed number, or as fill the message.
        case list(FieldLength, [FieldLayout])
    }

    /// Its name, in camel case.
    public var name: String
    /// What kind of bytes it takes.
    public var shape: Shape
    /// The bytes that it must hold; nil if every value fits.
    public var constant: [UInt8]?
    /// Whether it differs from one run to the next.
    public var isVolatile: Bool

    /// A field of a described message.
    public init(_ name: String, _ shape: Shape, constant: [UInt8]? = nil, isVolatile: Bool = false) {
        self.name = name
        self.shape = shape
        self.constant = constant
        self.isVolatile = isVolatile
    }

    /// The bytes it always takes; nil if that depends on the message.
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

/// How many bytes or elements a field has.
public enum FieldLength: Hashable, Sendable {
    /// Always as many.
    case fixed(Int)
    /// As an integer field before it says.
    case field(String)
    /// All up to what must follow.
    case rest
}

/// A run of bits within an integer.
public struct BitFieldLayout: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Bits to its right, counted from the least significant bit of the integer.
    public var shift: Int
    /// Bits that it takes.
    public var width: Int
    /// How its value is shown.
    public var presentation: FieldPresentation

    /// A run of `width` bits that starts `shift` bits from the right.
    public init(
        _ name: String, shift: Int, width: Int, _ presentation: FieldPresentation = FieldPresentation()
    ) {
        self.name = name
        self.shift = shift
        self.width = width
        self.presentation = presentation
    }
}

/// What an integer means and how it is shown.
public struct FieldPresentation: Hashable, Sendable {
    /// How a number is written.
    public enum Style: Hashable, Sendable {
        case number
        case hex
    }

    /// How a number is written.
    public var style: Style = .number
    /// Names of single values.
    public var names: [UInt64: String] = [:]
    /// Names of single bits, by their position from the right.
    public var flags: [Int: String] = [:]
    /// What one step stands for: mantissa and power of ten; nil for 1.
    public var scale: JSONNumber?
    /// What the value 0 stands for, in the unit; nil for 0.
    public var offset: JSONNumber?
    /// What the value is counted in.
    public var unit: String?

    /// A plain decimal number.
    public init() {}

    /// A number written in `style`.
    public init(style: Style) { self.style = style }
    /// One of the named values.
    public init(names: [UInt64: String]) { self.names = names }
    /// A set of the named bits; single values may have names of their own.
    public init(flags: [Int: String], names: [UInt64: String] = [:]) {
        self.flags = flags
        self.names = names
    }
    /// A number of a unit, in steps of `scale`.
    public init(unit: String?, scale: JSONNumber? = nil) {
        self.unit = unit
        self.scale = scale
    }
}
