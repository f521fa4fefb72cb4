import WireBytes

/// What a field holds, ready to be shown: by the text lines, by NDJSON, by anything that walks over it.
public enum AnnotationValue: Hashable, Sendable {
    /// A whole number from 0, shown in decimal.
    case unsigned(UInt64)
    /// A whole number, shown in decimal.
    case signed(Int64)
    /// A number with a fixed count of decimal places.
    case decimal(FixedDecimal)
    /// A bit pattern or a code, shown in hexadecimal with this many digits.
    case hex(UInt64, digits: Int)
    /// Bytes, shown in lower-case hexadecimal.
    case octets([UInt8])
    /// Text, perhaps of a stranger: whoever shows it escapes it.
    case text(String)
    /// Yes or no.
    case bool(Bool)
    /// One of an enumeration, with its name if it has one.
    case named(UInt64, String?)
    /// A set of bits with the names of those that are set; a set bit without a name is named by its number.
    case flags(UInt64, [String])
    /// Several numbers, such as those of frames.
    case numbers([UInt64])
    /// Fields that belong together, such as the bit fields of one byte.
    case group([DecodedField])
    /// Elements of fields each.
    case list([[DecodedField]])
}

/// A field with its value, as a message gave it.
public struct DecodedField: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: AnnotationValue
    /// What the value is counted in; nil for a bare number.
    public var unit: String?
    /// Whether it differs from one run to the next (a nonce, a counter, a time, a checksum).
    public var isVolatile: Bool
    /// Where its bytes stood, counted from the start of what was decoded.
    public var range: Range<Int>

    /// A field with its value.
    public init(
        _ name: String, _ value: AnnotationValue, unit: String? = nil, isVolatile: Bool = false,
        range: Range<Int> = 0..<0
    ) {
        self.name = name
        self.value = value
        self.unit = unit
        self.isVolatile = isVolatile
        self.range = range
    }
}

/// A number with a fixed count of decimal places, exact.
public struct FixedDecimal: Hashable, Sendable, CustomStringConvertible {
    /// All digits, without the point.
    public let mantissa: Int64
    /// Digits after the point: 0 to 18.
    public let places: Int

    /// The number mantissa / 10^places.
    public init(mantissa: Int64, places: Int) {
        self.mantissa = mantissa
        self.places = min(max(places, 0), 18)
    }

    /// In decimal, with all its places: `12345.6`.
    public var description: String {
        var digits = Array(String(mantissa.magnitude).utf8)
        while digits.count <= places { digits.insert(0x30, at: 0) }
        if places > 0 { digits.insert(0x2E, at: digits.count - places) }
        return (mantissa < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }
}

/// What walks over the fields of an annotation in order, to show them.
public protocol AnnotationVisitor: ~Copyable {
    /// A value that has no fields in it.
    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?)
    /// A value of seven bytes or more: as a number it may have more digits than some readers keep.
    mutating func wideValue(_ name: String, _ value: AnnotationValue, unit: String?)
    /// A frame that the annotation names.
    mutating func frame(_ name: String, _ place: FramePlace)
    /// The frames in which a message came; each name as ``FramePlace/bits`` has it.
    mutating func frames(_ name: String, _ places: FrameNumbers)
    /// The start of fields that belong together.
    mutating func openGroup(_ name: String)
    /// The end of them.
    mutating func closeGroup()
    /// The start of a list.
    mutating func openList(_ name: String)
    /// The start of one element of a list.
    mutating func openElement()
    /// The end of one.
    mutating func closeElement()
    /// The end of the list.
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
    /// Shows the field and what is in it.
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
            if range.count >= 7 {
                visitor.wideValue(name, value, unit: unit)
            } else {
                visitor.value(name, value, unit: unit)
            }
        }
    }
}
