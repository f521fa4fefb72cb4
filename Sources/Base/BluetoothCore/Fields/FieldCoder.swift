public import WireBytes

/// What walks over the fields of a PDU in wire order: it reads them, writes them or shows them.
///
/// A PDU declares its fields once, in ``PDUFields/code(_:)``; ``FieldReader`` fills them from bytes,
/// ``FieldWriter`` appends them as bytes, and a renderer's coder shows them by name straight from the
/// bytes. All integers are least significant byte first, as in HCI, L2CAP, ATT and SMP.
public protocol FieldCoder: ~Copyable, ~Escapable {
    /// Bytes that are left to read; a writer, which has no end, answers `Int.max`.
    var remaining: Int { get }

    /// Bytes from the start of the span to the next field, for errors.
    var offset: Int { get }

    /// An unsigned integer of `width` bytes (1 to 8), with what its value means.
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError)

    /// A two's complement integer of `width` bytes (1 or 2), with what its value means.
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError)

    /// A device address: six bytes, least significant first. Its kind is not on the wire here.
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError)

    /// A UUID of `width` bytes (2, 4 or 16).
    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError)

    /// `count` bytes, or all that are left where `count` is nil.
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError)

    /// `count` elements, or as many as fill what is left where `count` is nil; `element` hands over the
    /// fields of one.
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError)

    /// Hands over an element of `width` bytes, which sees only these, so that a field of it may take all that
    /// is left.
    mutating func within(
        _ width: Int, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError)
}

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// The fields of a PDU, one by one.
    @inlinable
    public mutating func pdu<Fields: PDUFields>(_ type: Fields.Type) throws(DecodeError) {
        var fields = Fields()
        try fields.code(&self)
    }

    @inlinable public var offset: Int { 0 }

    /// The elements of a PDU's own list: `count` of them, or as many as fill what is left if it is nil.
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

    /// Whether fields are written from the PDU; else they are read, or shown from bytes.
    @inlinable public var isWriting: Bool { remaining == Int.max }

    /// A coder that writes has no end to keep to.
    @inlinable
    public mutating func within(
        _ width: Int, _ element: (inout Self) throws(DecodeError) -> Void
    ) throws(DecodeError) { try element(&self) }
}

/// A coder that reads: what all readers have in common.
public protocol ReadingCoder: FieldCoder, ~Copyable, ~Escapable {
    /// Where it is in the bytes.
    var reader: ByteReader {
        @_lifetime(copy self) get
        @_lifetime(self: copy newValue) set
    }
}

extension ReadingCoder where Self: ~Copyable & ~Escapable {
    @inlinable public var remaining: Int { reader.remaining }
    @inlinable public var offset: Int { reader.offset }

    /// Hands over `count` elements, or as many as fill what is left where `count` is nil.
    /// - Returns: How many there were.
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
            // An element without bytes would never use up what is left.
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
    /// Every field at its zero value.
    init()

    /// Hands every field, in wire order, to `coder`.
    mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError)
}

extension PDUFields {
    /// Reads the fields from the cursor. Bytes after the last field are left in the reader.
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

    /// Reads the fields from the start of `octets`.
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
        // A writer has no end and refuses nothing, so no field can fail.
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

/// What the value of an integer field means, for whoever shows it.
public enum FieldMeaning: Sendable {
    /// A plain number, shown in decimal.
    case number
    /// A bit pattern or code, shown in hexadecimal.
    case hex
    /// An advertising, attribute or other handle, shown in hexadecimal.
    case handle
    /// The handle of a connection or stream, shown in hexadecimal.
    case link(PDULayout.LinkKind)
    /// A number of steps of this many nanoseconds each.
    case steps(nanoseconds: Int64)
    /// A level in dBm.
    case dBm
    /// One of a set of codes that have names.
    case code(ValueSet)
    /// A set of bits that have names.
    case bits(ValueSet)
    /// An HCI status or reason.
    case status
    /// An HCI command opcode.
    case opcode
    /// A company identifier.
    case company
    /// A passkey, or a random number of which keys are made: it is never shown.
    case secret
}

/// What a byte string field holds, for whoever shows it.
public enum PayloadMeaning: Sendable {
    /// Bytes without a structure known here.
    case octets
    /// UTF-8 text that ends at the first zero byte or at the field's end.
    case text
    /// Advertising or scan response data: AD structures.
    case advertising
    /// A key or another secret: it is never shown.
    case secret
    /// The value of an attribute.
    case attributeValue
}

/// What can hold a PDU's byte string: an owned array in the host, a range into the record while analysing.
public protocol PDUPayload: Sendable {
    /// An empty payload.
    init()
    /// Takes `count` bytes from the cursor; the range is in bytes from the start of the reader's span.
    init(reading reader: inout ByteReader, count: Int) throws(DecodeError)
    /// Appends the bytes; a range, which owns none, appends nothing.
    func append(to writer: inout ByteWriter)
    /// Bytes held.
    var count: Int { get }
}

extension Array: PDUPayload where Element == UInt8 {
    @inlinable
    public init(reading reader: inout ByteReader, count: Int) throws(DecodeError) {
        self = try reader.take(count).copied()
    }

    @inlinable
    public func append(to writer: inout ByteWriter) { writer.bytes(self) }
}

/// Bytes of a record by their place in it: the payload of a PDU that is analysed where it lies.
@frozen
public struct BorrowedOctets: PDUPayload, Hashable {
    /// Bytes from the start of the decoded span.
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

    @inlinable public var count: Int { range.count }
}
