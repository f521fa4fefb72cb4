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
        /// Bytes written as hexadecimal digits in ASCII; the length counts the digits.
        case hexText(FieldLength)
        /// A whole number written in decimal digits in ASCII, perhaps after a sign; the length counts both.
        case decimalText(FieldLength, FieldPresentation)
        /// Packed decimal: two decimal digits per byte, the high one in the high bits; 1 to 9 bytes.
        case packedDecimal(width: Int, OctetOrder, FieldPresentation)
        /// One digit of base 100 per byte, each 0 to 99; 1 to 9 bytes.
        case base100(width: Int, OctetOrder, FieldPresentation)
        /// A list whose count is fixed, given by a field, or as many as fill the message.
        case list(FieldLength, [FieldLayout])
        /// A decimal floating-point number of IEEE 11073-20601: SFLOAT of 2 bytes or FLOAT of 4.
        case medicalFloat(width: Int, OctetOrder, FieldPresentation)
        /// A binary floating-point number of IEEE 754, of 4 or 8 bytes.
        case float(width: Int, OctetOrder, FieldPresentation)
        /// Fields that belong together, in a number of bytes of their own unless they take what they need.
        case group(FieldLength?, [FieldLayout])
        /// Fields that follow from the value of an earlier integer.
        case choice(of: String, FieldLength?, [UInt64: [FieldLayout]], otherwise: [FieldLayout]?)
        /// A message of Protocol Buffers or CBOR.
        case message(FieldLength, MessageLayout)
        /// Bytes that a cipher opens, or in clear with a tag, and the fields in them.
        indirect case encrypted(FieldLength, FieldCipher, [FieldLayout])
    }

    /// Its name, in camel case.
    public var name: String
    /// Type and length of the field.
    public var shape: Shape
    /// The required bytes; nil if any value is valid.
    public var constant: [UInt8]?
    /// Whether it differs between runs.
    public var isVolatile: Bool
    /// The condition under which the field is there; nil for always.
    public var condition: FieldCondition?
    /// Whether a message may end before it.
    public var isOptional = false
    /// The texts that single bytes of a text stand for.
    public var expansions: [UInt8: String] = [:]

    /// Creates a field.
    public init(_ name: String, _ shape: Shape, constant: [UInt8]? = nil, isVolatile: Bool = false) {
        self.name = name
        self.shape = shape
        self.constant = constant
        self.isVolatile = isVolatile
    }

    /// Whether few other bytes fit it: a constant, a message that has members that it must have, or what a
    /// key of the description opens to one of the known cases.
    public var isDistinctive: Bool {
        switch shape {
        case .message(_, let layout): layout.rootMembers.contains(where: \.isRequired)
        case .encrypted(_, let cipher, let fields):
            cipher.hasOwnKey && fields.contains { $0.isDistinctive || $0.hasOnlyKnownCases }
        default: constant != nil
        }
    }

    private var hasOnlyKnownCases: Bool { if case .choice(_, _, _, nil) = shape { true } else { false } }

    /// Its length in bytes if fixed; nil if it depends on the message.
    public var fixedWidth: Int? { condition != nil || isOptional ? nil : width }

    /// Its length in bytes wherever it is there; nil if it depends on the message.
    var width: Int? {
        switch shape {
        case .integer(let width, _, _, _), .bits(let width, _, _), .packedDecimal(let width, _, _),
            .base100(let width, _, _), .medicalFloat(let width, _, _), .float(let width, _, _):
            return width
        case .group(.fixed(let count)?, _), .choice(_, .fixed(let count)?, _, _): return count
        case .group(nil, let fields): return Layout.fixedWidth(fields[...])
        case .octets(.fixed(let count)), .text(.fixed(let count)), .hexText(.fixed(let count)),
            .decimalText(.fixed(let count), _), .message(.fixed(let count), _),
            .encrypted(.fixed(let count), _, _):
            return count
        case .list(.fixed(let count), let items):
            guard let total = Layout.fixedWidth(items[...]) else { return nil }
            let (product, overflow) = total.multipliedReportingOverflow(by: count)
            return overflow ? nil : product
        case .octets, .text, .hexText, .decimalText, .list, .group, .choice, .message, .encrypted: return nil
        }
    }

    /// Whether it takes all remaining bytes.
    var isOpenEnded: Bool {
        switch shape {
        case .octets(.rest), .text(.rest), .hexText(.rest), .decimalText(.rest, _), .list(.rest, _),
            .group(.rest?, _), .choice(_, .rest?, _, _), .message(.rest, _), .encrypted(.rest, _, _):
            true
        default: false
        }
    }

    /// Whether it takes all bytes up to the fields after it, or fields in it take all bytes that are left.
    var takesRest: Bool {
        switch shape {
        case .group(nil, let fields): fields.contains(where: \.takesRest)
        case .choice(_, nil, let cases, let otherwise):
            cases.values.contains { $0.contains(where: \.takesRest) }
                || otherwise?.contains(where: \.takesRest) == true
        default: isOpenEnded
        }
    }
}

/// A condition on an integer field before a field, in the same message.
public struct FieldCondition: Hashable, Sendable {
    /// The name of the integer.
    public var field: String
    /// Its bits that count.
    public var mask: UInt64
    /// The values of these bits under which the condition holds.
    public var values: Set<UInt64>
    /// Whether the condition holds for all other values instead.
    public var isInverted = false

    /// Creates the condition that a field has one of these values.
    public init(_ field: String, mask: UInt64 = .max, values: Set<UInt64>) {
        self.field = field
        self.mask = mask
        self.values = values
    }

    /// Whether it holds for a value of the field.
    public func holds(_ value: UInt64) -> Bool { values.contains(value & mask) != isInverted }

    /// Whether it holds among the integers so far; not if its field is missing.
    func holds(in integers: [String: UInt64]) -> Bool { integers[field].map(holds) ?? false }
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
    /// Whether it is a number in two's complement.
    public var isSigned = false
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
    /// The values that mean the refusal of a request.
    public var refusals: Set<UInt64> = []
    /// The name of all other values; nil if they have none.
    public var otherName: String?
    /// Whether all other values mean the refusal of a request.
    public var refusesOthers = false
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
