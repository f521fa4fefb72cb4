import WireBytes

/// Writes messages of Protocol Buffers, each value in the order of the given fields.
struct ProtobufWriter {
    private let layout: ProtobufLayout

    init(_ layout: ProtobufLayout) { self.layout = layout }

    func message(
        _ fields: [DecodedField], as reference: ProtobufReference, path: String, depth: Int = 0
    ) throws(LayoutError) -> [UInt8] {
        guard depth < ProtobufLayout.maximumDepth else { throw .unfit(path) }
        let members = layout.members(reference)
        for member in members where member.isRequired && !fields.contains(where: { $0.name == member.name }) {
            throw .missing("\(path).\(member.name)")
        }
        // Of a member that was sent twice the last value counts: the others come first.
        var octets: [UInt8] = []
        for field in fields where field.name == ProtobufLayout.unknown {
            octets += try unknown(field.value, "\(path).\(field.name)")
        }
        for field in fields where field.name != ProtobufLayout.unknown {
            let name = "\(path).\(field.name)"
            guard let member = members.first(where: { $0.name == field.name }) else { throw .unfit(name) }
            octets += try self.field(field.value, member, name, depth)
        }
        return octets
    }

    private func field(
        _ value: AnnotationValue, _ member: ProtobufMember, _ path: String, _ depth: Int
    ) throws(LayoutError) -> [UInt8] {
        guard member.isRepeated else {
            let (wire, octets) = try self.value(value, member, path, depth)
            return Self.tagged(member.number, wire, octets)
        }
        guard case .list(let elements) = value else { throw .unfit(path) }
        var all: [UInt8] = []
        for element in elements {
            var value = AnnotationValue.group(element)
            if let only = element.first, element.count == 1, only.name == member.name, !member.isMessage {
                value = only.value
            }
            let (wire, octets) = try self.value(value, member, path, depth)
            all += member.isPacked ? octets : Self.tagged(member.number, wire, octets)
        }
        return member.isPacked && !elements.isEmpty ? Self.tagged(member.number, .octets, all) : all
    }

    private func value(
        _ value: AnnotationValue, _ member: ProtobufMember, _ path: String, _ depth: Int
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
            guard let raw = presentation.raw(value), FieldLayout.fits(raw, width, signed && !isNamed) else {
                throw .unfit(path)
            }
            return (width == 4 ? .fixed32 : .fixed64, FieldLayout.octets(raw, width, .little))
        case (.float(let width, let presentation), _):
            guard let raw = presentation.float(value, width: width) else { throw .unfit(path) }
            return (width == 4 ? .fixed32 : .fixed64, FieldLayout.octets(raw, width, .little))
        case (.text, .text(let text)): return (.octets, Array(text.utf8))
        case (.octets, .octets(let octets)): return (.octets, octets)
        case (.octets(let reference?), .group(let fields)), (.message(let reference), .group(let fields)):
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
            case ("varint", .unsigned(let raw)?, _): all += Self.tagged(number, .varint, Self.varint(raw))
            case ("32-bit", .unsigned(let raw)?, _):
                all += Self.tagged(number, .fixed32, FieldLayout.octets(raw, 4, .little))
            case ("64-bit", .unsigned(let raw)?, _):
                all += Self.tagged(number, .fixed64, FieldLayout.octets(raw, 8, .little))
            case ("bytes", _, .octets(let octets)?): all += Self.tagged(number, .octets, octets)
            case ("group", _, .octets(let octets)?):
                all += Self.tagged(number, .group, octets) + Self.tagged(number, .groupEnd, [])
            default: throw .unfit(path)
            }
        }
        return all
    }

    private static func tagged(_ number: Int, _ wire: ProtobufWire, _ octets: [UInt8]) -> [UInt8] {
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

extension [DecodedField] {
    /// Returns the value of a field.
    fileprivate func value(_ name: String) -> AnnotationValue? { first { $0.name == name }?.value }
}
