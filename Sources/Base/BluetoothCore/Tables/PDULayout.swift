public import WireBytes

/// The fields of a PDU in wire order, as a row of a ``PDUTable`` declares them.
public final class PDULayout: Sendable {
    /// The kind of link that a connection handle belongs to.
    @frozen
    public enum LinkKind: Sendable {
        /// An ACL connection, of BR/EDR or LE.
        case acl
        /// A synchronous connection, which belongs to an ACL connection.
        case sco
        /// A connected isochronous stream, which belongs to an ACL connection.
        case cis
        /// A broadcast isochronous stream, which does not belong to a connection.
        case bis
        /// Any of these.
        case any
    }

    /// The number of bytes or elements of a field.
    @frozen
    @usableFromInline enum Count: Sendable {
        case fixed(Int)
        /// As many as fill the PDU.
        case rest
        /// All bytes of the PDU except this many at its end.
        case restBut(Int)
        /// The value of an earlier field, by its register.
        case value(of: Int)
        /// The number of bits set in an earlier field, by its register.
        case bits(of: Int)
        /// The value of an earlier field, by its register, or fewer if the PDU ends before.
        case atMost(of: Int)
        /// As many elements of equal width as fill the PDU.
        case widths(Width)
    }

    /// The width of each element of a list, in bytes.
    @frozen
    @usableFromInline enum Width: Sendable {
        case fixed(Int)
        /// The value of the field before the list, by its register.
        case value(of: Int)
        /// The first number if the field before the list, by its register, is 1; the second if it is 2.
        case choice(of: Int, Int, Int)
    }

    @frozen
    @usableFromInline enum Shape: Sendable {
        case unsigned(width: Int, FieldMeaning)
        case signed(width: Int, FieldMeaning)
        case address
        case uuid(width: Int)
        /// A UUID at the end of a PDU or element, of 2 or 16 bytes, depending on how many remain.
        case attributeType
        case octets(Count, PayloadMeaning)
        case list(Count, Range<Int>)
        /// Fields that exist only if the register's value is one of the bits in the mask.
        ///
        /// As with a list, they are a range among all fields.
        case when(register: Int, UInt64, Range<Int>)
    }

    @frozen
    @usableFromInline struct Field: Sendable {
        @usableFromInline var name: StaticText
        @usableFromInline var shape: Shape
        /// The register that keeps the value for a later count, 0 to 7; -1 if no count needs it.
        @usableFromInline var register: Int
    }

    /// The position of a connection handle.
    @frozen
    public struct Handle: Sendable {
        /// Offset from the start of the PDU in bytes.
        public var offset: Int
        /// The kind of link that the handle belongs to.
        public var kind: LinkKind
    }

    /// The fields of the PDU, followed by those of its lists and conditions.
    @usableFromInline let fields: [Field]
    /// The range of the PDU's own fields.
    @usableFromInline let top: Range<Int>
    /// Whether the PDU may end after a status other than success.
    @usableFromInline let endsAfterFailure: Bool
    /// Length of all fields in bytes; nil if it depends on values.
    public let size: Int?
    /// The first connection handle, if it has a fixed position.
    public let handle: Handle?
    /// Whether a list contains connection handles.
    public let listsHandles: Bool
    /// The position of the peer's BR/EDR address, or of the first address in a list.
    public let address: Int?
    /// Whether the first field is a status.
    public let startsWithStatus: Bool
    /// Whether one of the fields is secret.
    public let holdsSecret: Bool

    init(
        fields: [Field], top: Range<Int>, endsAfterFailure: Bool, size: Int?, handle: Handle?,
        listsHandles: Bool, address: Int?, holdsSecret: Bool
    ) {
        self.fields = fields
        self.top = top
        self.endsAfterFailure = endsAfterFailure
        self.size = size
        self.handle = handle
        self.listsHandles = listsHandles
        self.address = address
        startsWithStatus = top.first.map { fields[$0].name == "status" } ?? false
        self.holdsSecret = holdsSecret
    }

    /// Values that later fields use as counts.
    @usableFromInline typealias Registers = SIMD8<UInt64>

    /// Passes every field, in wire order, to `coder`.
    ///
    /// Bytes after the last field are left in the coder.
    @inlinable
    public func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        var registers = Registers()
        guard endsAfterFailure, case .unsigned(let width, let meaning) = fields[top.lowerBound].shape else {
            return try code(top, &coder, &registers)
        }
        var status: UInt64 = 0
        try coder.unsigned(fields[top.lowerBound].name, &status, width: width, meaning)
        if status != 0, coder.remaining == 0 { return }
        try code(top.dropFirst(), &coder, &registers)
    }

    /// Passes the fields of a PDU with a layout to `coder`; without a layout, all remaining bytes as one
    /// field.
    ///
    /// - Returns: whether there is a layout.
    @inlinable
    static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ layout: PDULayout?, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        guard let layout else {
            var rest = BorrowedOctets()
            try coder.octets("Parameters", &rest)
            return false
        }
        try layout.code(&coder)
        return true
    }

    @inlinable
    func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ part: Range<Int>, _ coder: inout C, _ registers: inout Registers
    ) throws(DecodeError) {
        for index in part {
            let field = fields[index]
            let name = field.name
            switch field.shape {
            case .unsigned(let width, let meaning):
                var value: UInt64 = 0
                try coder.unsigned(name, &value, width: width, meaning)
                if field.register >= 0 { registers[field.register] = value }
            case .signed(let width, let meaning):
                var value: Int64 = 0
                try coder.signed(name, &value, width: width, meaning)
            case .address:
                var address = DeviceAddress(0)
                try coder.address(name, &address)
            case .uuid(let width):
                var uuid = BluetoothUUID(0 as UInt16)
                try coder.uuid(name, &uuid, width: width)
            case .attributeType:
                var uuid = BluetoothUUID(0 as UInt16)
                try coder.uuid(name, &uuid, width: coder.remaining <= 2 ? 2 : 16)
            case .octets(let count, let meaning):
                var octets = BorrowedOctets()
                let number = Self.number(count, registers, left: coder.remaining)
                try coder.payload(name, &octets, count: number, meaning)
            case .list(.widths(let width), let element):
                try code(element, name, width, &coder, registers)
            case .list(let count, let element):
                // Copied, since the closure can't capture an inout parameter.
                var inner = registers
                try coder.list(name, count: Self.number(count, registers, left: 0)) {
                    (coder: inout C) throws(DecodeError) in
                    try code(element, &coder, &inner)
                }
            case .when(let register, let values, let fields):
                let value = registers[register]
                guard value < 64, values &>> value & 1 == 1 else { continue }
                try code(fields, &coder, &registers)
            }
        }
    }

    /// Passes a list whose elements have equal widths.
    ///
    /// Bytes after the last complete element are an error.
    @inlinable
    func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ element: Range<Int>, _ name: StaticText, _ width: Width, _ coder: inout C,
        _ registers: Registers
    ) throws(DecodeError) {
        let width = try Self.number(width, registers, at: coder.offset, atLeast: leastWidth(of: element))
        if !coder.isWriting {
            let over = coder.remaining % width
            guard over == 0 else {
                throw DecodeError(
                    .truncated(need: width, have: over), at: coder.offset &+ coder.remaining &- over)
            }
        }
        var inner = registers
        try coder.list(name, count: nil) { (coder: inout C) throws(DecodeError) in
            try coder.within(width) { (coder: inout C) throws(DecodeError) in
                try code(element, &coder, &inner)
            }
        }
    }

    /// Returns the minimum length of an element's fields in bytes.
    @usableFromInline func leastWidth(of element: Range<Int>) -> Int {
        fields[element].reduce(0) { $0 &+ ($1.shape.width ?? 0) }
    }

    /// Returns the number that a count stands for if `left` bytes remain; nil for all remaining bytes.
    @inlinable
    static func number(_ count: Count, _ registers: Registers, left: Int) -> Int? {
        switch count {
        case .fixed(let number): number
        case .rest, .widths: nil
        case .restBut(let number): max(0, left &- number)
        case .value(let register): Int(clamping: registers[register])
        case .bits(let register): registers[register].nonzeroBitCount
        case .atMost(let register): min(Int(clamping: registers[register]), left)
        }
    }

    /// Returns the width of a list's elements. The list begins at `offset`, after the field that holds the
    /// width.
    @inlinable
    static func number(
        _ width: Width, _ registers: Registers, at offset: Int, atLeast least: Int
    ) throws(DecodeError) -> Int {
        switch width {
        case .fixed(let number): return number
        case .value(let register):
            let number = Int(clamping: registers[register])
            guard number >= max(least, 1) else { throw DecodeError(.invalidLength, at: offset &- 1) }
            return number
        case .choice(let register, let first, let second):
            guard (1...2).contains(registers[register]) else {
                throw DecodeError(.invalidValue, at: offset &- 1)
            }
            return registers[register] == 1 ? first : second
        }
    }
}

extension PDULayout.Shape {
    /// Length of the field in bytes; nil if it depends on values or the PDU's length.
    var width: Int? {
        switch self {
        case .unsigned(let width, _), .signed(let width, _), .uuid(let width): width
        case .address: 6
        case .octets(.fixed(let count), _): count
        case .attributeType, .octets, .list, .when: nil
        }
    }
}

extension PDULayout {
    /// Returns the position of the field with a name; nil if there is no such field, or if its position
    /// depends on values.
    func place(of name: StaticText) -> Int? {
        var place = 0
        for field in fields[top] {
            if field.name == name { return place }
            guard let width = field.shape.width else { return nil }
            place += width
        }
        return nil
    }

    /// A length in bytes that suffices for the fields, whatever their values; nil if no length does.
    var sufficientSize: Int? {
        var size = 0
        for field in fields[top] {
            switch field.shape {
            case .attributeType: size += 16
            case .octets(.rest, _), .octets(.restBut, _): break
            default:
                guard let width = field.shape.width else { return nil }
                size += width
            }
        }
        return size
    }

    /// Returns the start and the width of a list of elements of equal width; the PDU may be cut.
    ///
    /// Nil without such a list, or if the width is impossible.
    func elements(in octets: RawSpan) -> (start: Int, width: Int)? {
        var registers = Registers()
        var start = 0
        for field in fields[top] {
            if case .list(.widths(let width), let element) = field.shape {
                let least = leastWidth(of: element)
                let width = try? Self.number(width, registers, at: start, atLeast: least)
                return width.map { (start, $0) }
            }
            guard let width = field.shape.width else { return nil }
            if field.register >= 0 { registers[field.register] = UInt64(octets.octet(at: start) ?? 0) }
            start += width
        }
        return nil
    }
}
