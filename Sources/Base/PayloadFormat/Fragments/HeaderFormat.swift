import WireBytes

/// Purpose of a field in a fragment's or a message's header.
public enum HeaderRole: Int, CaseIterable, Hashable, Sendable {
    /// The id that joins fragments to a message and a response to its request.
    case messageID
    /// The number of a fragment within its message.
    case index
    /// 1 on the last fragment.
    case last
    /// 1 on every fragment but the last.
    case more
    /// The number of fragments of the message.
    case count
    /// Bytes that every message has at this place.
    case magic
    /// The version of the format.
    case version
    /// Request, response or event.
    case kind
    /// The code of the command.
    case command
    /// A set of bits, one of which marks a secured payload.
    case flags
    /// A length in bytes.
    case length
    /// Bits that must have a fixed value.
    case reserved
}

/// A field of a header: a run of bits.
public struct HeaderField: Hashable, Sendable {
    /// Its purpose.
    public var role: HeaderRole
    /// Its width in bits: 1 to 64.
    public var bits: Int
    /// The value that it must have; nil if it varies.
    public var constant: UInt64?

    /// Creates a field of `bits` bits.
    public init(_ role: HeaderRole, bits: Int, constant: UInt64? = nil) {
        self.role = role
        self.bits = bits
        self.constant = constant
    }
}

/// The fields of a header in order, packed from the most significant bit of the first byte.
///
/// Fields of whole bytes that start at a byte boundary follow `order`; others lie within one byte.
public struct HeaderFormat: Hashable, Sendable {
    /// The fields, in byte order and from the most significant bit within a byte.
    public var fields: [HeaderField] {
        didSet {
            width = Self.width(fields)
            index()
        }
    }
    /// Length of the header in bytes.
    public private(set) var width: Int
    /// The byte order of fields of several bytes.
    public var order: OctetOrder { didSet { index() } }
    /// Position of each field, computed once since every fragment and message is read with it.
    private var places: [Place] = []
    /// The fields with a required value: index, position and value.
    private var constants: [(field: Int, place: Place, value: UInt64)] = []
    /// Index of the field for each role, the last if there are several; -1 if absent.
    private var slots: [12 of Int16] = .init(repeating: -1)
    /// Extraction of each role's field from an eight-byte word.
    @usableFromInline var cuts: [Cut] = []
    /// Required bits of the first eight bytes and their values.
    ///
    /// `start` is 0, or `Int.max` if one word can't express all of ``constants``.
    @usableFromInline var constantWord: (bits: UInt64, value: UInt64, start: Int) = (0, 0, .max)

    fileprivate struct Place: Sendable {
        /// First byte of the field.
        var start: Int
        /// Number of whole bytes; 0 for bits within one byte.
        var octets: Int
        /// Number of bits to its right within the byte.
        var shift: UInt64
        /// Mask of the field's width, at the right.
        var mask: UInt64
        /// Minimum length of a header that holds the whole field.
        var end: Int
    }

    /// Extraction of a field from eight header bytes, read as one number in the header's order.
    @usableFromInline struct Cut: Sendable {
        /// Start of the eight bytes, never negative; they may extend past the header.
        ///
        /// `Int.max` if the field can't be extracted this way.
        @usableFromInline private(set) var start = Int.max
        /// Mask of the field's width, at the right: 1 to 64 bits.
        @usableFromInline private(set) var mask: UInt64 = 0
        /// Number of bits to its right in the word.
        @usableFromInline private(set) var shift: UInt8 = 0
        /// Whether the header has the field.
        @usableFromInline private(set) var isThere = false

        @usableFromInline init() {}

        fileprivate init(_ place: Place, bits: Int, _ order: OctetOrder) {
            isThere = true
            let width = max(1, place.octets)
            let start = max(0, place.end - 8)
            guard bits > 0, place.start >= start, width <= 8, start < 1 << 16 else { return }
            let behind = order == .big ? start + 8 - place.start - width : place.start - start
            guard (0...8 - width).contains(behind) else { return }
            let isWhole = place.octets > 0
            mask = HeaderFormat.mask(isWhole ? 8 * width : min(bits, 8 - Int(place.shift)))
            shift = UInt8(8 * behind) + (isWhole ? 0 : UInt8(place.shift))
            self.start = start
        }
    }

    /// Creates a header of these fields.
    public init(_ fields: [HeaderField], order: OctetOrder) {
        self.fields = fields
        self.order = order
        width = Self.width(fields)
        index()
    }

    private mutating func index() {
        places = Self.places(fields)
        constants = fields.indices.compactMap { field in
            fields[field].constant.map { (field, places[field], $0) }
        }
        slots = .init(repeating: -1)
        cuts = [Cut](repeating: Cut(), count: HeaderRole.allCases.count)
        for place in fields.indices {
            let role = fields[place].role.rawValue
            slots[role] = Int16(clamping: place)
            cuts[role] = Cut(places[place], bits: fields[place].bits, order)
        }
        indexConstants()
    }

    private mutating func indexConstants() {
        constantWord = (0, 0, .max)
        var (bits, value): (UInt64, UInt64) = (0, 0)
        for constant in constants {
            let cut = Cut(constant.place, bits: fields[constant.field].bits, order)
            let mask = cut.mask &<< UInt64(cut.shift)
            // A constant that can't match, or shares bits with another, is checked by itself.
            guard cut.start == 0, constant.value & ~cut.mask == 0, bits & mask == 0 else { return }
            bits |= mask
            value |= constant.value &<< UInt64(cut.shift)
        }
        constantWord = (bits, value, 0)
    }

    private static func places(_ fields: [HeaderField]) -> [Place] {
        var bit = 0
        return fields.map { field in
            defer { bit += field.bits }
            let isWhole = bit >= 0 && bit % 8 == 0 && field.bits > 0 && field.bits % 8 == 0
            return Place(
                start: bit / 8, octets: isWhole ? field.bits / 8 : 0,
                shift: UInt64(max(0, 8 - bit % 8 - field.bits)), mask: mask(field.bits),
                end: (bit + field.bits + 7) / 8)
        }
    }

    private static func width(_ fields: [HeaderField]) -> Int { fields.reduce(0) { $0 + $1.bits } / 8 }

    /// Returns the field of a role; the first if there are several.
    public func field(_ role: HeaderRole) -> HeaderField? { fields.first { $0.role == role } }

    /// Returns the byte offset of a role's field; nil if it is absent or does not start at a byte boundary.
    public func offset(of role: HeaderRole) -> Int? {
        var bits = 0
        for field in fields {
            if field.role == role { return bits % 8 == 0 ? bits / 8 : nil }
            bits += field.bits
        }
        return nil
    }

    /// Returns the values of the fields that `octets` contain completely.
    public func readPrefix(_ octets: ArraySlice<UInt8>) -> HeaderValues { readPrefix(octets.borrowedOctets) }

    /// Returns the values of the fields that `octets` contain completely.
    public func readPrefix(_ octets: RawSpan) -> HeaderValues {
        var values = HeaderValues()
        for index in places.indices {
            guard let value = value(at: places[index], octets) else { break }
            values[fields[index].role] = value
        }
        values.wrong = wrongFields(in: octets)
        return values
    }

    /// Returns the value of a role's field; nil if the header has none, or `octets` do not contain all of it.
    @inlinable @inline(__always)
    public func value(of role: HeaderRole, in octets: RawSpan) -> UInt64? {
        let cut = cuts[role.rawValue]
        guard let word = word(octets, at: cut.start) else { return cut.isThere ? singly(role, octets) : nil }
        return word &>> UInt64(cut.shift) & cut.mask
    }

    /// Reads a role's field byte by byte, if its eight bytes are not all there or it is wider.
    @usableFromInline
    func singly(_ role: HeaderRole, _ octets: RawSpan) -> UInt64? {
        let slot = slots[role.rawValue]
        return slot < 0 ? nil : value(at: places[Int(slot)], octets)
    }

    /// Returns the eight bytes from `start` as a number in the header's order; nil if they are not all there.
    ///
    /// `start` is not negative.
    @inlinable @inline(__always)
    func word(_ octets: RawSpan, at start: Int) -> UInt64? {
        guard start <= octets.byteCount &- 8 else { return nil }
        let word = octets.word(at: start)
        return order == .big ? word.byteSwapped : word
    }

    /// Returns the fields that `octets` contain completely but with another value than their constant.
    public func wrongFields(in octets: RawSpan) -> [HeaderField] {
        var wrong: [HeaderField] = []
        for constant in constants {
            if let value = value(at: constant.place, octets), value != constant.value {
                wrong.append(fields[constant.field])
            }
        }
        return wrong
    }

    /// Whether ``wrongFields(in:)`` is not empty; fast, because it is read for every fragment and message.
    @inlinable @inline(__always)
    public func hasWrongFields(in octets: RawSpan) -> Bool {
        guard let word = word(octets, at: constantWord.start) else { return hasWrongFieldsSingly(octets) }
        return word & constantWord.bits != constantWord.value
    }

    @usableFromInline
    func hasWrongFieldsSingly(_ octets: RawSpan) -> Bool {
        for constant in constants {
            if let value = value(at: constant.place, octets), value != constant.value { return true }
        }
        return false
    }

    @inline(__always)
    private func value(at place: Place, _ octets: RawSpan) -> UInt64? {
        guard place.end <= octets.byteCount else { return nil }
        if place.octets < 2 {
            return UInt64(octets.octet(at: place.start) ?? 0) &>> place.shift & place.mask
        }
        var value: UInt64 = 0
        var at = order == .big ? place.start : place.end &- 1
        let step = order == .big ? 1 : -1
        for _ in 0..<place.octets {
            value = value &<< 8 | UInt64(octets.octet(at: at) ?? 0)
            at &+= step
        }
        return value
    }

    /// Encodes a header with these values.
    ///
    /// Constants need no value; fields without a value are 0.
    public func write(_ values: HeaderValues) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: width)
        var bit = 0
        for field in fields {
            let value = (field.constant ?? values[field.role] ?? 0) & Self.mask(field.bits)
            if bit % 8 == 0 && field.bits % 8 == 0 {
                let count = field.bits / 8
                for index in 0..<count {
                    let place = order == .little ? index : count - 1 - index
                    octets[bit / 8 + place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
                }
            } else {
                let shift = max(0, 8 - bit % 8 - field.bits)
                octets[bit / 8] |= UInt8(truncatingIfNeeded: value << UInt64(shift))
            }
            bit += field.bits
        }
        return octets
    }

    /// Encodes the value of one role, as the header would carry it.
    public func octets(of role: HeaderRole, _ value: UInt64) -> [UInt8] {
        let count = ((field(role)?.bits ?? 8) + 7) / 8
        let little = value.littleOctets(count)
        return order == .little ? little : little.reversed()
    }

    /// Returns a mask of `bits` bits, at the right.
    public static func mask(_ bits: Int) -> UInt64 { bits >= 64 ? .max : 1 << UInt64(bits) - 1 }

    // Members derived from the fields need no comparison.

    public static func == (left: Self, right: Self) -> Bool {
        left.fields == right.fields && left.order == right.order
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fields)
        hasher.combine(order)
    }
}

/// The values of a header's fields.
public struct HeaderValues: Sendable {
    @usableFromInline var values: [12 of UInt64] = .init(repeating: 0)
    /// One bit for each role that has a value.
    @usableFromInline var present: UInt16 = 0
    /// Fields whose value differs from their constant.
    public fileprivate(set) var wrong: [HeaderField] = []

    /// Creates values without any field.
    public init() {}

    /// The value of a role's field; nil if the header has none.
    @inlinable
    public subscript(role: HeaderRole) -> UInt64? {
        @inline(__always) get { present & 1 &<< UInt16(role.rawValue) == 0 ? nil : values[role.rawValue] }
        @inline(__always) set {
            let bit: UInt16 = 1 &<< UInt16(role.rawValue)
            present = newValue == nil ? present & ~bit : present | bit
            values[role.rawValue] = newValue ?? 0
        }
    }
}
