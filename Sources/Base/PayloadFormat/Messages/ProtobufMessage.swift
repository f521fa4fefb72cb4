import WireBytes

/// Reads messages of Protocol Buffers: known members by name, all others by number.
struct ProtobufReader: MessageReader {
    private struct Item {
        var number: Int
        var wire: ProtobufWire
        /// The number of a varint, or of a value of 4 or 8 bytes.
        var value: UInt64 = 0
        /// The value's bytes, without the length of bytes.
        var octets: ArraySlice<UInt8>
    }

    private struct Fields {
        var decoded: [DecodedField] = []
        /// The wire value of each field; of a repeated one, the first.
        var items: [Item] = []
        var unknown: [Item] = []
    }

    private let layout: MessageLayout
    var origin: Int
    let keys: FieldKeys?
    /// Number of values so far.
    private var count = 0
    /// Number of values so far that no member describes.
    private var unknownCount = 0
    var seen = SeenValues()

    init(_ layout: MessageLayout, origin: Int, _ keys: FieldKeys?) {
        self.layout = layout
        self.origin = origin
        self.keys = keys
    }

    mutating func read(
        _ octets: ArraySlice<UInt8>, as reference: MessageReference, path: String, depth: Int
    ) throws(Misfit) -> [DecodedField] {
        try check(depth: depth, path, at: octets.startIndex)
        let members = layout.members(reference)
        var fields = Fields()
        var rest = octets
        while !rest.isEmpty {
            let item = try item(&rest, path, depth: depth)
            let member = seen.member(of: members, in: path) { $0.number == item.number }
            guard let member, try take(item, as: member, path, depth: depth, &fields) else {
                fields.unknown.append(item)
                unknownCount += 1
                continue
            }
        }
        return try finished(
            members, fields.decoded, fields.unknown.map(Self.unknown), of: octets, path, depth: depth,
            at: octets.startIndex)
    }

    /// Adds a value to the fields of its message; false if it does not have the member's type.
    private mutating func take(
        _ item: Item, as member: MessageMember, _ path: String, depth: Int, _ fields: inout Fields
    ) throws(Misfit) -> Bool {
        let known = fields.decoded.firstIndex { $0.name == member.name }
        var path = "\(path).\(member.name)"
        let range = item.octets.startIndex - origin..<item.octets.endIndex - origin
        guard member.isRepeated else {
            guard let value = try value(item, member, path, depth: depth) else { return false }
            let field = member.field(value, range)
            guard let known else {
                fields.decoded.append(field)
                fields.items.append(item)
                return true
            }
            // The last value counts.
            fields.unknown.append(fields.items[known])
            unknownCount += 1
            fields.decoded[known] = field
            fields.items[known] = item
            return true
        }
        var elements: [[DecodedField]] = []
        if let known, case .list(let earlier) = fields.decoded[known].value { elements = earlier }
        path += "[\(elements.count)]"
        var added: [[DecodedField]]
        if member.isPackable, item.wire == .octets {
            guard let packed = try packed(item, member, path, depth: depth) else { return false }
            added = packed
        } else {
            guard let value = try value(item, member, path, depth: depth) else { return false }
            added = [member.element(value, range)]
        }
        guard let known else {
            fields.decoded.append(member.field(.list(added), range))
            fields.items.append(item)
            return true
        }
        // The list grows in its place: it has no second owner.
        fields.decoded[known].value = .bool(false)
        elements += added
        fields.decoded[known].value = .list(elements)
        return true
    }

    /// Returns the numbers that share one wire value; nil if one does not have the member's type.
    private mutating func packed(
        _ item: Item, _ member: MessageMember, _ path: String, depth: Int
    ) throws(Misfit) -> [[DecodedField]]? {
        var elements: [[DecodedField]] = []
        var rest = item.octets
        while !rest.isEmpty {
            let one: Item
            switch member.kind {
            case .fixed(8, _, _), .float(8, _): one = try fixed(&rest, width: 8, number: item.number, path)
            case .fixed, .float: one = try fixed(&rest, width: 4, number: item.number, path)
            default:
                let start = rest
                let number = try varint(&rest, path)
                one = Item(
                    number: item.number, wire: .varint, value: number,
                    octets: start[..<rest.startIndex])
            }
            try add(path, at: one.octets.startIndex)
            guard let value = try value(one, member, path, depth: depth) else { return nil }
            let range = one.octets.startIndex - origin..<one.octets.endIndex - origin
            elements.append([member.field(value, range)])
        }
        return elements
    }

    /// Returns the meaning of a value; nil if it does not have the member's type.
    private mutating func value(
        _ item: Item, _ member: MessageMember, _ path: String, depth: Int
    ) throws(Misfit) -> AnnotationValue? {
        switch (member.kind, item.wire) {
        case (.varint(let type, let presentation), .varint):
            guard let value = type.shown(item.value, presentation) else { return nil }
            seen.note(type.pattern(item.value), presentation, path)
            return value
        case (.fixed(4, let signed, let presentation), .fixed32),
            (.fixed(8, let signed, let presentation), .fixed64):
            seen.note(item.value, presentation, path)
            let bits = item.wire == .fixed32 ? 32 : 64
            if !signed { return presentation.shown(item.value, bits: bits) }
            let value =
                bits == 32 ? Int64(Int32(truncatingIfNeeded: item.value)) : Int64(bitPattern: item.value)
            return presentation.shown(value, bits: bits)
        case (.float(4, let presentation), .fixed32): return presentation.float(item.value, width: 4)
        case (.float(8, let presentation), .fixed64): return presentation.float(item.value, width: 8)
        case (.text, .octets):
            guard let text = String(validating: item.octets, as: UTF8.self) else {
                throw misfit(
                    "text", path, at: item.octets.startIndex, "UTF-8", Hex.text(item.octets.prefix(64)))
            }
            return .text(text)
        case (.octets(nil), .octets), (.encrypted, .octets): return .octets(Array(item.octets))
        case (.octets(let reference?), .octets):
            return held(item.octets, reference, path, depth: depth).map { .group($0) }
                ?? .octets(Array(item.octets))
        case (.message(let reference), .octets):
            return .group(try read(item.octets, as: reference, path: path, depth: depth + 1))
        default: return nil
        }
    }

    mutating func held(
        _ octets: ArraySlice<UInt8>, _ reference: MessageReference, _ path: String, depth: Int
    ) -> [DecodedField]? {
        var attempt = self
        let fields = try? attempt.read(octets, as: reference, path: path, depth: depth + 1)
        // A failed attempt counts too.
        count = attempt.count
        guard let fields, attempt.unknownCount == unknownCount, fields.haveNames else { return nil }
        self = attempt
        return fields
    }

    mutating func take(_ other: Self) {
        (count, unknownCount, seen) = (other.count, other.unknownCount, other.seen)
    }

    private static func unknown(_ item: Item) -> [DecodedField] {
        var value = DecodedField("bytes", .octets(Array(item.octets)))
        switch item.wire {
        case .octets, .group, .groupEnd: break
        case .varint, .fixed32, .fixed64:
            value = DecodedField("value", .unsigned(item.value))
            value.isWide = true
        }
        return [
            DecodedField("number", .unsigned(UInt64(item.number))),
            DecodedField("wire", .text(item.wire.name)),
            value,
        ]
    }

    // MARK: Wire

    private mutating func add(_ path: String, at place: Int) throws(Misfit) {
        count += 1
        guard count <= MessageLayout.maximumCount else {
            throw misfit("count", path, at: place, "\(MessageLayout.maximumCount) values at most", "one more")
        }
    }

    private mutating func item(
        _ rest: inout ArraySlice<UInt8>, _ path: String, depth: Int
    ) throws(Misfit) -> Item {
        let start = rest.startIndex
        try add(path, at: start)
        let tag = try varint(&rest, path)
        guard let wire = ProtobufWire(rawValue: tag & 7), wire != .groupEnd,
            (1...0x1FFF_FFFF).contains(tag >> 3)
        else {
            throw misfit(
                "wire", path, at: start, "a number and a wire type", Hex.text(ProtobufWriter.varint(tag)))
        }
        let number = Int(tag >> 3)
        switch wire {
        case .varint:
            let before = rest
            let value = try varint(&rest, path)
            return Item(number: number, wire: wire, value: value, octets: before[..<rest.startIndex])
        case .fixed32: return try fixed(&rest, width: 4, number: number, path)
        case .fixed64: return try fixed(&rest, width: 8, number: number, path)
        case .octets:
            let place = rest.startIndex
            let says = try varint(&rest, path)
            guard let length = Int(exactly: says), length <= rest.count else {
                throw misfit("length", path, at: place, "\(says) bytes", "\(rest.count) left")
            }
            let octets = rest.prefix(length)
            rest = rest.dropFirst(length)
            return Item(number: number, wire: wire, octets: octets)
        case .group, .groupEnd:
            let before = rest
            let end = try skipGroup(&rest, number: number, path, depth: depth + 1)
            return Item(number: number, wire: wire, octets: before[..<end])
        }
    }

    /// Skips the values of a group, a form that is no longer used; returns the start of its end.
    private mutating func skipGroup(
        _ rest: inout ArraySlice<UInt8>, number: Int, _ path: String, depth: Int
    ) throws(Misfit) -> Int {
        try check(depth: depth, path, at: rest.startIndex)
        while true {
            var ahead = rest
            if try varint(&ahead, path) == UInt64(number) << 3 | ProtobufWire.groupEnd.rawValue {
                defer { rest = ahead }
                return rest.startIndex
            }
            _ = try item(&rest, path, depth: depth)
        }
    }

    private func fixed(
        _ rest: inout ArraySlice<UInt8>, width: Int, number: Int, _ path: String
    ) throws(Misfit) -> Item {
        guard rest.count >= width else {
            throw misfit("length", path, at: rest.startIndex, "\(width) bytes", "\(rest.count) left")
        }
        let octets = rest.prefix(width)
        rest = rest.dropFirst(width)
        return Item(
            number: number, wire: width == 4 ? .fixed32 : .fixed64,
            value: LayoutReader.integer(octets, .little), octets: octets)
    }

    /// Takes an integer of at most 10 bytes, 7 bits in each, the least significant first.
    private func varint(_ rest: inout ArraySlice<UInt8>, _ path: String) throws(Misfit) -> UInt64 {
        var value: UInt64 = 0
        for (index, octet) in rest.prefix(10).enumerated() {
            value |= UInt64(octet & 0x7F) << UInt64(7 * index)
            guard octet < 0x80 else { continue }
            // The tenth byte has room for one bit.
            if index == 9, octet > 1 { break }
            rest = rest.dropFirst(index + 1)
            return value
        }
        throw misfit(
            "varint", path, at: rest.startIndex, "an integer of 10 bytes at most", Hex.text(rest.prefix(10)))
    }
}

/// Writes messages of Protocol Buffers, each value in the order of the given fields.
struct ProtobufWriter {
    private let layout: MessageLayout

    init(_ layout: MessageLayout) { self.layout = layout }

    func message(
        _ fields: [DecodedField], as reference: MessageReference, path: String, depth: Int = 0
    ) throws(LayoutError) -> [UInt8] {
        guard depth < MessageLayout.maximumDepth else { throw .unfit(path) }
        let members = layout.members(reference)
        if let member = members.missing(in: fields) { throw .missing("\(path).\(member.name)") }
        // Of a member that was sent twice the last value counts: the others come first.
        var octets: [UInt8] = []
        for field in fields where field.name == MessageLayout.unknown {
            octets += try unknown(field.value, "\(path).\(field.name)")
        }
        for field in fields where field.name != MessageLayout.unknown {
            let name = "\(path).\(field.name)"
            guard let member = members.first(where: { $0.name == field.name }) else { throw .unfit(name) }
            var value = field.value
            if case .encrypted(let ciphers, _) = member.kind {
                value = try field.written(by: ciphers, in: fields, path: name)
            }
            octets += try self.field(value, member, name, depth: depth)
        }
        return octets
    }

    private func field(
        _ value: AnnotationValue, _ member: MessageMember, _ path: String, depth: Int
    ) throws(LayoutError) -> [UInt8] {
        guard member.isRepeated else {
            let (wire, octets) = try self.value(value, member, path, depth: depth)
            return Self.tagged(number: member.number, wire, octets)
        }
        guard case .list(let elements) = value else { throw .unfit(path) }
        var all: [UInt8] = []
        for element in elements {
            let (wire, octets) = try self.value(member.value(of: element), member, path, depth: depth)
            all += member.isPacked ? octets : Self.tagged(number: member.number, wire, octets)
        }
        return member.isPacked && !elements.isEmpty ? Self.tagged(number: member.number, .octets, all) : all
    }

    private func value(
        _ value: AnnotationValue, _ member: MessageMember, _ path: String, depth: Int
    ) throws(LayoutError) -> (ProtobufWire, [UInt8]) {
        // A named value of a signed number is named by its bits.
        let isNamed = if case .named = value { true } else { false }
        switch (member.kind, value) {
        case (.varint(let type, let presentation), _):
            guard let raw = presentation.raw(value), let wire = type.wire(raw, isNamed: isNamed) else {
                throw .unfit(path)
            }
            return (.varint, Self.varint(wire))
        case (.fixed(let width, let signed, let presentation), _):
            guard let raw = presentation.raw(value),
                FieldLayout.fits(raw, width: width, signed: signed && !isNamed)
            else {
                throw .unfit(path)
            }
            return (width == 4 ? .fixed32 : .fixed64, FieldLayout.octets(raw, width: width, .little))
        case (.float(let width, let presentation), _):
            guard let raw = presentation.float(value, width: width) else { throw .unfit(path) }
            return (width == 4 ? .fixed32 : .fixed64, FieldLayout.octets(raw, width: width, .little))
        case (.text, .text(let text)): return (.octets, Array(text.utf8))
        case (.octets, .octets(let octets)), (.encrypted, .octets(let octets)): return (.octets, octets)
        case (.octets(let reference?), .group(let fields)), (.message(let reference), .group(let fields)),
            (.encrypted(_, let reference?), .group(let fields)):
            return (.octets, try message(fields, as: reference, path: path, depth: depth + 1))
        default: throw .unfit(path)
        }
    }

    /// Writes the values that no member describes.
    private func unknown(_ value: AnnotationValue, _ path: String) throws(LayoutError) -> [UInt8] {
        guard case .list(let elements) = value else { throw .unfit(path) }
        var all: [UInt8] = []
        for fields in elements {
            guard case .unsigned(let tag)? = fields.value("number"), let number = Int(exactly: tag),
                (1...0x1FFF_FFFF).contains(number), case .text(let wire)? = fields.value("wire")
            else { throw .unfit(path) }
            switch (wire, fields.value("value"), fields.value("bytes")) {
            case ("varint", .unsigned(let raw)?, _):
                all += Self.tagged(number: number, .varint, Self.varint(raw))
            case ("32-bit", .unsigned(let raw)?, _):
                all += Self.tagged(number: number, .fixed32, FieldLayout.octets(raw, width: 4, .little))
            case ("64-bit", .unsigned(let raw)?, _):
                all += Self.tagged(number: number, .fixed64, FieldLayout.octets(raw, width: 8, .little))
            case ("bytes", _, .octets(let octets)?): all += Self.tagged(number: number, .octets, octets)
            case ("group", _, .octets(let octets)?):
                all +=
                    Self.tagged(number: number, .group, octets) + Self.tagged(number: number, .groupEnd, [])
            default: throw .unfit(path)
            }
        }
        return all
    }

    private static func tagged(number: Int, _ wire: ProtobufWire, _ octets: [UInt8]) -> [UInt8] {
        let tag = varint(UInt64(number) << 3 | wire.rawValue)
        return tag + (wire == .octets ? varint(UInt64(octets.count)) : []) + octets
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var octets: [UInt8] = []
        while rest > 0x7F {
            octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(truncatingIfNeeded: rest)]
    }
}

/// The form of a value on the wire: the low three bits of its tag.
enum ProtobufWire: UInt64 {
    case varint = 0
    case fixed64 = 1
    case octets = 2
    case group = 3
    case groupEnd = 4
    case fixed32 = 5

    var name: String {
        switch self {
        case .varint: "varint"
        case .fixed64: "64-bit"
        case .octets: "bytes"
        case .group, .groupEnd: "group"
        case .fixed32: "32-bit"
        }
    }
}
