public import WireBytes

/// Visits the fields of a PDU in wire order to read, write or show them.
///
/// A PDU declares its fields once, in ``PDUFields/code(_:)``. ``FieldReader`` decodes them, ``FieldWriter``
/// encodes them, and a renderer's coder shows them by name, straight from the bytes. All integers have their
/// least significant byte first, as in HCI, L2CAP, ATT and SMP.
public protocol FieldCoder: ~Copyable, ~Escapable {
    /// Number of bytes left to read; `Int.max` for a writer, which has no end.
    var remaining: Int { get }

    /// Offset of the next field from the start of the span, for errors.
    var offset: Int { get }

    /// Codes an unsigned integer of `width` bytes (1 to 8).
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError)

    /// Codes a two's complement integer of `width` bytes (1 or 2).
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError)

    /// Codes a device address: six bytes, least significant first.
    ///
    /// The address's kind is not a part of the field.
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError)

    /// Codes a UUID of `width` bytes (2, 4 or 16).
    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError)

    /// Codes `count` bytes, or all remaining bytes if `count` is nil.
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError)

    /// Codes `count` elements, or as many as fill the rest if `count` is nil; `element` codes the fields of
    /// one element.
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError)

    /// Codes an element of `width` bytes. Its fields see only these bytes, so the last one may take all that
    /// remain.
    mutating func within(
        _ width: Int, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError)
}

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Visits the fields of a PDU one by one.
    @inlinable
    public mutating func pdu<Fields: PDUFields>(_ type: Fields.Type) throws(DecodeError) {
        var fields = Fields()
        try fields.code(&self)
    }

    @inlinable public var offset: Int { 0 }

    /// Codes a list of elements that the PDU holds: `count` of them, or as many as fill the rest if `count`
    /// is nil.
    @inlinable
    public mutating func list<Element: PDUFields>(
        _ name: StaticText, _ elements: inout [Element], count: Int?
    ) throws(DecodeError) {
        var next = 0
        if isWriting {
            try list(name, count: min(count ?? Int.max, elements.count)) { coder throws(DecodeError) in
                try elements[next].code(&coder)
                next += 1
            }
        } else {
            elements = []
            try list(name, count: count) { coder throws(DecodeError) in
                var element = Element()
                try element.code(&coder)
                elements.append(element)
            }
        }
    }

    /// Whether fields are written, and not read or shown.
    @inlinable public var isWriting: Bool { remaining == Int.max }

    /// Codes an element; a writer has no end to respect.
    @inlinable
    public mutating func within(
        _ width: Int, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError) { try element(&self) }
}

/// A coder that reads: it decodes each field, unless it does more with it.
public protocol ReadingCoder: FieldCoder, ~Copyable, ~Escapable {
    /// Current position in the bytes.
    var reader: ByteReader {
        @_lifetime(copy self) get
        @_lifetime(self: copy newValue) set
    }
}

extension ReadingCoder where Self: ~Copyable & ~Escapable {
    @inlinable public var remaining: Int { reader.remaining }
    @inlinable public var offset: Int { reader.offset }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.signed(width: width)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        value = try P(reading: &reader, count: count ?? reader.remaining)
    }

    /// Codes `count` elements, or as many as fill the rest if `count` is nil.
    ///
    /// - Returns: the number of elements.
    @inlinable
    @discardableResult
    @_lifetime(self: copy self)
    public mutating func elements(
        _ count: Int?, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError) -> Int {
        var seen = 0
        while count.map({ seen < $0 }) ?? (reader.remaining > 0) {
            let before = reader.offset
            try element(&self)
            // An element without bytes would be repeated forever.
            guard reader.offset > before else { throw DecodeError(.invalidLength, at: before) }
            seen &+= 1
        }
        return seen
    }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError) { try elements(count, element) }

    @inlinable
    @_lifetime(self: copy self)
    public mutating func within(
        _ width: Int, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        let whole = reader.wholeSpan
        let end = reader.offset &+ width
        reader = ByteReader(whole.clamped(0..<end), from: reader.offset)
        try element(&self)
        reader = ByteReader(whole, from: end)
    }
}

/// A PDU, or a part of one, that declares its fields once for reading, writing and showing.
public protocol PDUFields: Sendable {
    /// Creates a value with every field at zero.
    init()

    /// Passes every field, in wire order, to `coder`.
    mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError)
}

extension PDUFields {
    /// Decodes the fields at the cursor.
    ///
    /// Bytes after the last field are left in the reader.
    @inlinable
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        self.init()
        var coder = FieldReader(reader.peekRest())
        do throws(DecodeError) {
            try code(&coder)
        } catch {
            throw DecodeError(error.reason, at: error.offset &+ reader.offset)
        }
        try reader.skip(coder.offset)
    }

    /// Decodes fields that fill these bytes exactly.
    public init(whole octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> Self in
            let fields = try Self(decoding: &reader)
            try reader.expectEnd()
            return fields
        }
    }

    /// Decodes the fields from the start of these bytes.
    public init(start octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            try Self(decoding: &reader)
        }
    }

    /// Decodes the fields from the start of `octets`.
    @inlinable
    public init(decoding octets: RawSpan) throws(DecodeError) {
        self.init()
        var coder = FieldReader(octets)
        try code(&coder)
    }

    /// Appends the fields in wire order.
    @inlinable
    public func encode(into writer: inout ByteWriter) {
        var copy = self
        var coder = FieldWriter(writer)
        // A writer has no end and rejects nothing, so the call can't fail.
        try? copy.code(&coder)
        writer = coder.writer
    }

    /// The fields as bytes.
    @inlinable public var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.octets
    }
}

/// The meaning of an integer field's value, which determines how it is shown.
public enum FieldMeaning: Sendable {
    /// A plain number, shown in decimal.
    case number
    /// A bit pattern or code, shown in hexadecimal.
    case hex
    /// An advertising, attribute or other handle, but not of a connection; shown in hexadecimal.
    case handle
    /// The handle of a connection or stream, shown in hexadecimal.
    case link(PDULayout.LinkKind)
    /// A number of steps of this many nanoseconds.
    case steps(nanoseconds: Int64)
    /// A level in dBm.
    case dBm
    /// A code from a set with names.
    case code(ValueSet)
    /// Bits from a set with names.
    case bits(ValueSet)
    /// An HCI status or reason.
    case status
    /// An HCI command opcode.
    case opcode
    /// A company identifier.
    case company
    /// A passkey, or a random number from which keys are made: never shown.
    case secret
}

/// The content of a byte string, which determines how it is shown.
public enum PayloadMeaning: Sendable {
    /// Bytes without a known structure.
    case octets
    /// UTF-8 text that ends at the first zero byte, or else with the field.
    case text
    /// Advertising or scan response data: AD structures.
    case advertising
    /// A key or another secret: never shown.
    case secret
    /// The value of an attribute.
    case attributeValue
}

/// Storage of a byte string in a PDU: an array in the host, a range of the record in the analysis.
public protocol PDUPayload: Sendable {
    /// Reads `count` bytes from the cursor; a range counts from the start of the reader's span.
    init(reading reader: inout ByteReader, count: Int) throws(DecodeError)
    /// Appends the bytes; nothing for a range, which does not own its bytes.
    func append(to writer: inout ByteWriter)
}

extension Array: PDUPayload where Element == UInt8 {
    @inlinable
    public init(reading reader: inout ByteReader, count: Int) throws(DecodeError) {
        self = try reader.take(count).copied()
    }

    @inlinable
    public func append(to writer: inout ByteWriter) { writer.bytes(self) }
}

/// A range of bytes in a record: the payload of a PDU that is analysed in place.
@frozen
public struct BorrowedOctets: PDUPayload, Hashable {
    /// The range in bytes from the start of the decoded span.
    public var range: Range<Int>

    @inlinable
    public init() { range = 0..<0 }

    @inlinable
    public init(reading reader: inout ByteReader, count: Int) throws(DecodeError) {
        let start = reader.offset
        try reader.skip(count)
        range = start..<reader.offset
    }

    @inlinable
    public func append(to writer: inout ByteWriter) {}
}

// Fields by their width on the wire, for properties of the natural types.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Codes an unsigned integer, which by default has as many bytes as its type.
    @inlinable public mutating func number<Value: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticText, _ value: inout Value, width: Int = Value.bitWidth / 8,
        _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = UInt64(value)
        try unsigned(name, &wide, width: width, meaning)
        value = Value(truncatingIfNeeded: wide)
    }

    /// Codes one byte in two's complement.
    @inlinable
    public mutating func i8(
        _ name: StaticText, _ value: inout Int8, _ meaning: FieldMeaning = .number
    ) throws(DecodeError) {
        var wide = Int64(value)
        try signed(name, &wide, width: 1, meaning)
        value = Int8(truncatingIfNeeded: wide)
    }

    /// Codes a value of an open set of codes, `width` bytes wide, as its own type.
    @inlinable
    public mutating func code<Code: RawRepresentable>(
        _ name: StaticText, _ value: inout Code, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) where Code.RawValue: FixedWidthInteger & UnsignedInteger {
        var wide = UInt64(value.rawValue)
        let start = offset
        try unsigned(name, &wide, width: width, meaning)
        guard let code = Code(rawValue: Code.RawValue(truncatingIfNeeded: wide)) else {
            throw DecodeError(.invalidValue, at: start)
        }
        value = code
    }

    /// Codes `count` bytes, or all remaining bytes if `count` is nil.
    @inlinable
    public mutating func octets<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int? = nil, _ meaning: PayloadMeaning = .octets
    ) throws(DecodeError) {
        try payload(name, &value, count: count, meaning)
    }
}

// Fields whose number of bytes or elements is in a field before them.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// Codes a count of `width` bytes (1 to 4), then that many elements.
    @inlinable
    public mutating func counted<Element: PDUFields>(
        _ countName: StaticText, _ name: StaticText, _ elements: inout [Element], width: Int = 1
    ) throws(DecodeError) {
        // Write no more elements than the count can express.
        var count = UInt64(min(elements.count, 1 &<< (8 &* width) &- 1))
        try unsigned(countName, &count, width: width, .number)
        try list(name, &elements, count: Int(count))
    }

    /// Codes a length of `width` bytes (1 to 4), then that many bytes.
    @inlinable
    public mutating func sizedOctets(
        _ lengthName: StaticText, _ name: StaticText, _ value: inout [UInt8], width: Int = 1,
        _ meaning: PayloadMeaning = .octets
    ) throws(DecodeError) {
        var length = UInt64(min(value.count, 1 &<< (8 &* width) &- 1))
        try unsigned(lengthName, &length, width: width, .number)
        try payload(name, &value, count: Int(length), meaning)
    }
}

/// Decodes a PDU's fields from bytes.
@frozen
public struct FieldReader: ReadingCoder, ~Copyable, ~Escapable {
    public var reader: ByteReader

    /// Creates a coder that reads from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan) { reader = ByteReader(octets) }

    /// Creates a coder that reads from the byte at `start` (at most the end).
    ///
    /// Offsets and ranges count from the start of `octets`.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: RawSpan, from start: Int) {
        reader = ByteReader(octets, from: start)
    }
}
