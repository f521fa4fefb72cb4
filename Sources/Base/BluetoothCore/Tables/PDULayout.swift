public import WireBytes

/// The fields of a PDU in wire order, as a row of a ``PDUTable`` declares them.
public final class PDULayout: Sendable {
    /// What a connection handle stands for.
    @frozen
    public enum LinkKind: Sendable {
        /// An ACL connection, of BR/EDR or LE.
        case acl
        /// A synchronous connection, which belongs to an ACL connection.
        case sco
        /// A connected isochronous stream, which belongs to an ACL connection.
        case cis
        /// A broadcast isochronous stream, which belongs to no connection.
        case bis
        /// One of these.
        case any
    }

    /// How many bytes or elements a field has.
    @frozen
    @usableFromInline enum Count: Sendable {
        case fixed(Int)
        /// As many as fill the PDU.
        case rest
        /// The value of an earlier field, by its register.
        case value(of: Int)
        /// The number of bits set in an earlier field, by its register.
        case bits(of: Int)
    }

    @frozen
    @usableFromInline enum Shape: Sendable {
        case unsigned(width: Int, FieldMeaning)
        case signed(width: Int, FieldMeaning)
        case address
        case uuid(width: Int)
        case octets(Count, PayloadMeaning)
        case list(Count, Range<Int>)
        /// Fields that are there only where the value in a register is one of a mask's bits; as with a list,
        /// by their places among all fields.
        case when(register: Int, UInt64, Range<Int>)
    }

    @frozen
    @usableFromInline struct Field: Sendable {
        @usableFromInline var name: StaticText
        @usableFromInline var shape: Shape
        /// Where the value is kept for a later count; 0 to 7, or -1 where nobody asks for it.
        @usableFromInline var register: Int
    }

    /// Where a connection handle stands.
    @frozen
    public struct Handle: Sendable {
        /// Bytes from the start of the PDU.
        public var offset: Int
        /// What it is the handle of.
        public var kind: LinkKind
    }

    /// The fields of the PDU, then those of its lists and conditions.
    @usableFromInline let fields: [Field]
    /// Those of the PDU itself.
    @usableFromInline let top: Range<Int>
    /// Whether the PDU may end after a status other than success.
    @usableFromInline let endsAfterFailure: Bool
    /// Bytes of all fields; nil where they depend on the values.
    public let size: Int?
    /// The first connection handle, where nothing of variable length stands before it.
    public let handle: Handle?
    /// Whether handles of connections stand in a list.
    public let listsHandles: Bool
    /// Where the BR/EDR address of the other device stands, or the first one of a list.
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

    /// Values that later fields count by.
    @usableFromInline typealias Registers = SIMD8<UInt64>

    /// Hands every field, in wire order, to `coder`. Bytes after the last field are left in the coder.
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
            case .octets(let count, let meaning):
                var octets = BorrowedOctets()
                try coder.payload(name, &octets, count: Self.number(count, registers), meaning)
            case .list(let count, let element):
                // A copy, since the closure can't hold on to the caller's.
                var inner = registers
                try coder.list(name, count: Self.number(count, registers)) {
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

    /// The number that a count comes to; nil for all that is left.
    @inlinable
    static func number(_ count: Count, _ registers: Registers) -> Int? {
        switch count {
        case .fixed(let number): number
        case .rest: nil
        case .value(let register): Int(clamping: registers[register])
        case .bits(let register): registers[register].nonzeroBitCount
        }
    }
}
