/// Reads maps of CBOR: known members by name, all others in diagnostic notation.
struct CBORMessageReader: MessageReader {
    private let layout: MessageLayout
    /// The message that is read.
    private var octets: ArraySlice<UInt8> = []
    var origin: Int
    let keys: FieldKeys?
    /// The number of messages in bytes around this one.
    private var depth = 0
    var seen = SeenValues()

    init(_ layout: MessageLayout, origin: Int, _ keys: FieldKeys?) {
        self.layout = layout
        self.origin = origin
        self.keys = keys
    }

    /// Reads a whole message: one map.
    mutating func read(
        _ octets: ArraySlice<UInt8>, as reference: MessageReference, path: String, depth: Int
    ) throws(Misfit) -> [DecodedField] {
        (self.octets, self.depth) = (octets, depth)
        try check(depth: depth, path, at: octets.startIndex)
        let items: [CBORItem]
        do throws(CBORError) {
            items = try CBORItem.items(
                in: octets, depth: MessageLayout.maximumDepth, count: MessageLayout.maximumCount)
        } catch {
            throw misfit(error.check, path, at: error.index, error.expected, error.found)
        }
        guard case .map(let entries)? = items.first?.value else {
            throw misfit(
                "type", path, at: octets.startIndex, "a map", items.first.map(Self.shown) ?? "nothing")
        }
        if let second = items.dropFirst().first {
            throw misfit(
                "trailing", path, at: second.range.lowerBound, "the end of \(path)", Self.shown(second))
        }
        return try fields(entries, as: reference, path, at: octets.startIndex)
    }

    private mutating func fields(
        _ entries: [CBOREntry], as reference: MessageReference, _ path: String, at start: Int
    ) throws(Misfit) -> [DecodedField] {
        let members = layout.members(reference)
        var decoded: [DecodedField] = []
        var unknown: [[DecodedField]] = []
        // The order of a map means nothing: members with a condition come after those that it may name.
        let isConditional = { (entry: CBOREntry) in
            members.contains { $0.condition != nil && $0.isKnown(by: entry.key) }
        }
        for entry in entries.filter({ !isConditional($0) }) + entries.filter(isConditional) {
            let member = seen.member(of: members, in: path) { $0.isKnown(by: entry.key) }
            guard let member, !decoded.contains(where: { $0.name == member.name }),
                let value = try value(entry.value, of: member, "\(path).\(member.name)")
            else {
                let range = entry.key.range.lowerBound..<entry.value.range.upperBound
                unknown.append([
                    DecodedField("key", .text(entry.key.diagnostic)),
                    DecodedField("value", .text(entry.value.diagnostic)),
                    DecodedField("bytes", .octets(Array(octets[range]))),
                ])
                continue
            }
            decoded.append(member.field(value, place(entry.value)))
        }
        return try finished(members, decoded, unknown, of: octets, path, depth: depth, at: start)
    }

    /// Returns the meaning of a member's value; nil if it does not have the member's type.
    private mutating func value(
        _ item: CBORItem, of member: MessageMember, _ path: String
    ) throws(Misfit) -> AnnotationValue? {
        var elements: [[DecodedField]] = []
        switch item.value {
        case .array(let items) where member.isRepeated:
            for item in items {
                guard let value = try single(item, member, "\(path)[\(elements.count)]") else { return nil }
                elements.append(member.element(value, place(item)))
            }
        case .map(let entries) where member.isKeyed:
            for entry in entries {
                guard case .text(let key) = entry.key.value,
                    let value = try single(entry.value, member, "\(path)[\(elements.count)]")
                else { return nil }
                let field = DecodedField(MessageMember.entryKey, .text(key), range: place(entry.key))
                elements.append([field] + member.element(value, place(entry.value)))
            }
        default: return member.isRepeated || member.isKeyed ? nil : try single(item, member, path)
        }
        return .list(elements)
    }

    private mutating func single(
        _ item: CBORItem, _ member: MessageMember, _ path: String
    ) throws(Misfit) -> AnnotationValue? {
        switch (member.kind, item.value) {
        case (.varint(.bool, _), .simple(20)): return .bool(false)
        case (.varint(.bool, _), .simple(21)): return .bool(true)
        case (.varint(.bool, _), _): return nil
        case (.varint(let type, let presentation), .unsigned(let number)):
            guard let raw = type.wire(number, isNamed: false), !type.isSigned || number <= UInt64(Int64.max)
            else { return nil }
            seen.note(raw, presentation, path)
            return type.shown(raw, presentation)
        case (.varint(let type, let presentation), .negative(let number)):
            guard type.isSigned, number <= UInt64(Int64.max),
                let raw = type.wire(~number, isNamed: false)
            else { return nil }
            seen.note(type.pattern(raw), presentation, path)
            return type.shown(raw, presentation)
        case (.float(_, let presentation), .float(let number)):
            return presentation.float(number.bitPattern, width: 8)
        case (.text, .text(let text)): return .text(text)
        case (.octets(nil), .octets(let octets)), (.encrypted, .octets(let octets)): return .octets(octets)
        case (.octets(let reference?), .octets(let octets)):
            let place = place(item)
            let content = self.octets[place.lowerBound + origin..<place.upperBound + origin]
            return held(content, reference, path, depth: depth).map { .group($0) } ?? .octets(octets)
        case (.message(let reference), .map(let entries)):
            return .group(try fields(entries, as: reference, path, at: item.range.lowerBound))
        default: return nil
        }
    }

    mutating func held(
        _ octets: ArraySlice<UInt8>, _ reference: MessageReference, _ path: String, depth: Int
    ) -> [DecodedField]? {
        var reader = self
        guard let fields = try? reader.read(octets, as: reference, path: path, depth: depth + 1),
            fields.areKnown
        else { return nil }
        take(reader)
        return fields
    }

    mutating func take(_ other: Self) { seen = other.seen }

    /// The place of an item; of bytes in one part, that of their content.
    private func place(_ item: CBORItem) -> Range<Int> {
        var start = item.range.lowerBound
        if case .octets(let content) = item.value, octets[start] != CBORItem.octetParts {
            start = item.range.upperBound - content.count
        }
        return start - origin..<item.range.upperBound - origin
    }

    private static func shown(_ item: CBORItem) -> String { String(item.diagnostic.prefix(64)) }
}

/// Makes maps of CBOR, the entries in the order of the given fields.
struct CBORMessageWriter {
    let layout: MessageLayout

    func octets(_ fields: [DecodedField], path: String) throws(LayoutError) -> [UInt8] {
        try message(fields, as: layout.root, path: path).octets
    }

    private func message(
        _ fields: [DecodedField], as reference: MessageReference, path: String, depth: Int = 0
    ) throws(LayoutError) -> CBORItem {
        guard depth < MessageLayout.maximumDepth else { throw .unfit(path) }
        let members = layout.members(reference)
        if let member = members.missing(in: fields) { throw .missing("\(path).\(member.name)") }
        var entries: [CBOREntry] = []
        for field in fields {
            let name = "\(path).\(field.name)"
            if field.name == MessageLayout.unknown {
                entries += try unknown(field.value, name)
                continue
            }
            guard let member = members.first(where: { $0.name == field.name }) else { throw .unfit(name) }
            var written = field.value
            if case .encrypted(let ciphers, _) = member.kind {
                written = try field.written(by: ciphers, in: fields, path: name)
            }
            entries.append(CBOREntry(member.keyItem, try value(written, member, name, depth: depth)))
        }
        return CBORItem(.map(entries))
    }

    private func value(
        _ value: AnnotationValue, _ member: MessageMember, _ path: String, depth: Int
    ) throws(LayoutError) -> CBORItem {
        guard member.isRepeated || member.isKeyed else {
            return try single(value, member, path, depth: depth)
        }
        guard case .list(let elements) = value else { throw .unfit(path) }
        var items: [CBORItem] = []
        var entries: [CBOREntry] = []
        for element in elements {
            if !member.isKeyed {
                items.append(try single(member.value(of: element), member, path, depth: depth))
            } else if let key = element.first, key.name == MessageMember.entryKey,
                case .text(let text) = key.value
            {
                let inner = member.value(of: Array(element.dropFirst()))
                entries.append(
                    CBOREntry(CBORItem(.text(text)), try single(inner, member, path, depth: depth)))
            } else {
                throw .unfit(path)
            }
        }
        return CBORItem(member.isKeyed ? .map(entries) : .array(items))
    }

    private func single(
        _ value: AnnotationValue, _ member: MessageMember, _ path: String, depth: Int
    ) throws(LayoutError) -> CBORItem {
        // A named value of a signed number is named by its bits.
        let isNamed = if case .named = value { true } else { false }
        switch (member.kind, value) {
        case (.varint(.bool, _), .bool(let isTrue)): return CBORItem(.simple(isTrue ? 21 : 20))
        case (.varint(let type, let presentation), _):
            guard let bits = presentation.raw(value), let raw = type.wire(bits, isNamed: isNamed) else {
                throw .unfit(path)
            }
            return CBORItem(type.isSigned && raw > UInt64(Int64.max) ? .negative(~raw) : .unsigned(raw))
        case (.float(_, let presentation), _):
            guard let raw = presentation.float(value, width: 8) else { throw .unfit(path) }
            return CBORItem(.float(Double(bitPattern: raw)))
        case (.text, .text(let text)): return CBORItem(.text(text))
        case (.octets, .octets(let octets)), (.encrypted, .octets(let octets)):
            return CBORItem(.octets(octets))
        case (.octets(let reference?), .group(let fields)),
            (.encrypted(_, let reference?), .group(let fields)):
            return CBORItem(.octets(try message(fields, as: reference, path: path, depth: depth + 1).octets))
        case (.message(let reference), .group(let fields)):
            return try message(fields, as: reference, path: path, depth: depth + 1)
        default: throw .unfit(path)
        }
    }

    /// Makes the entries that no member describes, by their bytes.
    private func unknown(_ value: AnnotationValue, _ path: String) throws(LayoutError) -> [CBOREntry] {
        guard case .list(let elements) = value else { throw .unfit(path) }
        var entries: [CBOREntry] = []
        for fields in elements {
            guard case .octets(let octets)? = fields.value("bytes"),
                let items = try? CBORItem.items(
                    in: octets[...], depth: MessageLayout.maximumDepth, count: MessageLayout.maximumCount),
                items.count == 2
            else { throw .unfit(path) }
            entries.append(CBOREntry(items[0], items[1]))
        }
        return entries
    }
}

extension MessageMember {
    /// The name of the key in an element of a map whose keys are not known.
    static let entryKey = "key"

    fileprivate var keyItem: CBORItem {
        if let key { return CBORItem(.text(key)) }
        return CBORItem(number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number)))
    }

    fileprivate func isKnown(by item: CBORItem) -> Bool { item.value == keyItem.value }
}
