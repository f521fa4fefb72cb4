/// The value of a field, ready for output as text, NDJSON or by any other visitor.
public enum AnnotationValue: Hashable, Sendable {
    /// A whole number, not negative, shown in decimal.
    case unsigned(UInt64)
    /// A whole number, shown in decimal.
    case signed(Int64)
    /// A number with a fixed count of decimal places.
    case decimal(FixedDecimal)
    /// A bit pattern or a code, shown in hexadecimal with this many digits.
    case hex(UInt64, digits: Int)
    /// Bytes, shown in lower-case hexadecimal.
    case octets([UInt8])
    /// Text, possibly from an untrusted source, so it must be escaped for display.
    case text(String)
    /// Yes or no.
    case bool(Bool)
    /// A value of an enumeration, with its name if it has one.
    case named(UInt64, String?)
    /// A set of bits with the names of those that are set; a bit without a name is named by its number.
    case flags(UInt64, [String])
    /// Several numbers, such as those of frames.
    case numbers([UInt64])
    /// Fields that belong together, such as the bit fields of one byte.
    case group([DecodedField])
    /// A list of elements, each a list of fields.
    case list([[DecodedField]])
}

/// A field of a message with its decoded value.
public struct DecodedField: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: AnnotationValue
    /// The unit of the value; nil for a bare number.
    public var unit: String?
    /// Whether it differs between runs (a nonce, a counter, a time, a checksum).
    public var isVolatile: Bool
    /// Range of its bytes in the decoded data.
    public var range: Range<Int>
    /// Whether its numbers may exceed the precision of some JSON readers.
    var isWide: Bool

    /// Creates a field with its value.
    public init(
        _ name: String, _ value: AnnotationValue, unit: String? = nil, isVolatile: Bool = false,
        range: Range<Int> = 0..<0
    ) {
        self.name = name
        self.value = value
        self.unit = unit
        self.isVolatile = isVolatile
        self.range = range
        isWide = range.count >= 7
    }
}

/// An exact number with a fixed count of decimal places.
public struct FixedDecimal: Hashable, Sendable, CustomStringConvertible {
    /// All digits, without the decimal point.
    public let mantissa: Int64
    /// Number of digits after the point: 0 to 18.
    public let places: Int

    /// Creates the number mantissa / 10^places.
    public init(mantissa: Int64, places: Int) {
        self.mantissa = mantissa
        self.places = min(max(places, 0), 18)
    }

    /// The number in decimal, with all its places: `12345.6`.
    public var description: String {
        var digits = Array(String(mantissa.magnitude).utf8)
        while digits.count <= places { digits.insert(0x30, at: 0) }
        if places > 0 { digits.insert(0x2E, at: digits.count - places) }
        return (mantissa < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }
}

/// Receives the fields of an annotation in order, to show them.
public protocol AnnotationVisitor: ~Copyable {
    /// Visits a value without nested fields.
    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?)
    /// Visits a value of seven bytes or more, which as a number may exceed the precision of some JSON
    /// readers.
    mutating func wideValue(_ name: String, _ value: AnnotationValue, unit: String?)
    mutating func frame(_ name: String, _ place: FramePlace)
    /// Visits the frames that carried a message, each as ``FramePlace/bits``.
    mutating func frames(_ name: String, _ places: FrameNumbers)
    mutating func openGroup(_ name: String)
    mutating func closeGroup()
    mutating func openList(_ name: String)
    mutating func openElement()
    mutating func closeElement()
    mutating func closeList()
}

extension AnnotationVisitor where Self: ~Copyable {
    public mutating func wideValue(_ name: String, _ value: AnnotationValue, unit: String?) {
        self.value(name, value, unit: unit)
    }

    public mutating func frame(_ name: String, _ place: FramePlace) {
        value(name, .unsigned(UInt64(place.frame)), unit: nil)
    }

    public mutating func frames(_ name: String, _ places: FrameNumbers) {
        value(name, .numbers(places.map { UInt64(FramePlace(bits: $0).frame) }), unit: nil)
    }
}

extension DecodedField {
    /// Visits the field and its nested fields.
    public func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        switch value {
        case .group(let fields):
            visitor.openGroup(name)
            for field in fields { field.walk(&visitor) }
            visitor.closeGroup()
        case .list(let elements):
            visitor.openList(name)
            for element in elements {
                visitor.openElement()
                for field in element { field.walk(&visitor) }
                visitor.closeElement()
            }
            visitor.closeList()
        default:
            if isWide {
                visitor.wideValue(name, value, unit: unit)
            } else {
                visitor.value(name, value, unit: unit)
            }
        }
    }
}
