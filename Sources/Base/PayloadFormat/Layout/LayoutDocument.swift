import WireBytes

/// Reads field descriptions from JSON: the field language that profiles and dialects share.
public struct LayoutDocument {
    /// The byte order of fields that don't state one.
    public var order: OctetOrder
    /// Whether the names of values may say that a value means the refusal of a request.
    public var takesRefusals = false
    /// The ciphers that fields may have; nil if they take none.
    public var ciphers: CipherDocument?
    /// Lists of fields that fields may name in place of their own; they name no others.
    public var lists: [String: JSONNode] = [:]
    /// The named types of Protocol Buffers, which fields may use.
    public var protobuf = MessageDocument()
    /// The named types of CBOR, which fields may use.
    public var cbor = MessageDocument(.cbor)
    /// Names of earlier integer fields, which a length may use.
    private var integers: Set<String> = []

    /// Creates a reader with a default byte order.
    public init(order: OctetOrder) { self.order = order }

    /// The names of the byte orders in files.
    public static let orders: KeyValuePairs<String, OctetOrder> = ["big": .big, "little": .little]

    /// Reads an array of fields; invalid ones are reported and left out.
    public mutating func fields(_ nodes: [JSONNode], _ problems: inout DocumentProblems) -> [FieldLayout] {
        fields(nodes, depth: 0, &problems)
    }

    private mutating func fields(
        _ nodes: [JSONNode], depth: Int, _ problems: inout DocumentProblems
    ) -> [FieldLayout] {
        var fields: [FieldLayout] = []
        var names: Set<String> = []
        var encrypted: [(node: JSONNode, cipher: FieldCipher)] = []
        for node in nodes {
            guard let field = field(node, depth: depth, &problems) else { continue }
            if case .encrypted(_, let cipher, _) = field.shape { encrypted.append((node, cipher)) }
            // Two names that become the same member of an output object are duplicates.
            var member = TextBuffer(capacity: 256)
            member.memberName(field.name)
            if !names.insert(String(decoding: member.copied(from: 0), as: UTF8.self)).inserted {
                problems.add(node, found: "the name \"\(field.name)\" a second time", expected: "another")
            }
            fields.append(field)
        }
        for (node, cipher) in encrypted {
            ciphers?.check([cipher], of: node, beside: fields.map(\.name), &problems) { fields.width(at: $0) }
        }
        // A field that may be missing gets what is left if the one before it is missing.
        if let last = fields.firstIndex(where: \.takesRest), let node = nodes.first {
            let following = fields[(last + 1)...].filter { $0.condition == nil && !$0.isOptional }
            if !fields[last].isOpenEnded && !following.isEmpty || Layout.fixedWidth(following[...]) == nil {
                problems.add(
                    node,
                    found: "\"\(following[0].name)\" after \"\(fields[last].name)\", which takes the rest",
                    expected: "only fields of fixed length after a field that takes the rest, "
                        + "and no field after a group that ends with one")
            }
        }
        return fields
    }

    private mutating func field(
        _ node: JSONNode, depth: Int, _ problems: inout DocumentProblems
    ) -> FieldLayout? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let name = object.name(&problems)
        guard let type = object.string("type", required: true, &problems) else {
            return nil
        }
        let order = object.choice("endian", Self.orders, &problems) ?? self.order
        let shape = shape(type, order, &object, depth: depth, &problems)
        let isVolatile = object.bool("volatile", &problems) ?? false
        let condition = object.object("if", &problems).flatMap { self.condition($0, &problems) }
        let isOptional = object.bool("optional", &problems) ?? false
        guard let name, let shape else {
            object.finish(&problems)
            return nil
        }
        var field = FieldLayout(name, shape, isVolatile: isVolatile)
        field.condition = condition
        field.isOptional = isOptional
        if case .text = shape, object.has("enum") {
            for (code, text, _) in object.names("enum", limit: 0xFF, &problems).codes {
                field.expansions[UInt8(truncatingIfNeeded: code)] = text
            }
        }
        field.constant = constant(for: field, &object, &problems)
        if let constant = field.constant {
            switch shape {
            case .octets(.rest): field.shape = .octets(.fixed(constant.count))
            case .text(.rest): field.shape = .text(.fixed(constant.count))
            default: break
            }
        }
        object.finish(&problems)
        switch shape {
        case .integer(_, false, _, _), .bits: integers.insert(name)
        default: break
        }
        return field
    }

    private mutating func shape(
        _ type: String, _ order: OctetOrder, _ object: inout JSONObjectReader, depth: Int,
        _ problems: inout DocumentProblems
    ) -> FieldLayout.Shape? {
        if let width = Self.integerWidth(type) {
            if type.hasPrefix("u"), let parts = object.array("bits", &problems) {
                return .bits(width: width, order, bits(parts, width: width, &problems))
            }
            let signed = type.hasPrefix("i")
            let presentation = object.presentation(
                bits: 8 * width, signed: signed, takesRefusals: takesRefusals, &problems)
            return .integer(width: width, signed: signed, order, presentation)
        }
        switch type {
        case "bytes": return .octets(length("length", &object, &problems))
        case "utf8": return .text(length("length", &object, &problems))
        case "hex-text": return .hexText(length("length", &object, &problems))
        case "decimal-text":
            let length = length("length", &object, &problems)
            return .decimalText(length, object.presentation(bits: 63, signed: false, &problems))
        case "bcd", "base100":
            let width = Int(object.integer("length", 1...9, required: true, &problems) ?? 1)
            let presentation = object.presentation(bits: 63, signed: false, &problems)
            return type == "bcd"
                ? .packedDecimal(width: width, order, presentation)
                : .base100(width: width, order, presentation)
        case "sfloat", "float", "f32", "f64":
            let width = ["sfloat": 2, "float": 4, "f32": 4][type] ?? 8
            let presentation = object.presentation(bits: 8 * width, signed: false, &problems)
            presentation.checkFloat(type, at: object.node, &problems)
            return type.hasPrefix("f") && type != "float"
                ? .float(width: width, order, presentation) : .medicalFloat(width: width, order, presentation)
        case "array":
            let count = length("count", &object, &problems)
            return inner("items", &object, depth: depth, &problems).map { .list(count, $0) }
        case "group":
            let count = object.has("length") ? length("length", &object, &problems) : nil
            return inner("fields", &object, depth: depth, &problems).map { .group(count, $0) }
        case "switch": return choice(&object, depth: depth, &problems)
        case "protobuf", "cbor":
            let length = length("length", &object, &problems)
            let types = type == "cbor" ? cbor : protobuf
            return types.layout(&object, &problems).map { .message(length, $0) }
        case "encrypted" where ciphers != nil, "authenticated" where ciphers != nil:
            let length = length("length", &object, &problems)
            let cipher = ciphers?.cipher(&object, &problems)
            let fields = inner("fields", &object, depth: depth, &problems)
            guard let cipher, let fields else { return nil }
            cipher.check(type: type, fields, at: object.node, &problems)
            return .encrypted(length, cipher, fields)
        default:
            let names =
                "u8 … u64, i8 … i64, bytes, utf8, hex-text, decimal-text, bcd, base100, sfloat, float, "
                + "f32, f64, array, group, switch, protobuf, cbor"
                + (ciphers == nil ? "" : ", encrypted, authenticated")
            problems.add(object.node, found: "the type \"\(type)\"", expected: "one of \(names)")
            return nil
        }
    }

    /// Reads the fields of an array, group or case.
    private mutating func inner(
        _ name: String, _ object: inout JSONObjectReader, depth: Int, _ problems: inout DocumentProblems
    ) -> [FieldLayout]? {
        var node = object.member(name, required: true, &problems)
        let outside = lists
        defer { lists = outside }
        if case .string(let list)? = node?.value, !lists.isEmpty {
            if let named = lists[list] {
                node = named
                lists = [:]
            } else {
                problems.add(
                    object.node, found: "\"\(list.prefix(40))\"", expected: "the name of a list in \"fields\""
                )
                return nil
            }
        }
        let nodes = node?.array(&problems) ?? []
        guard depth < 4 else {
            problems.add(object.node, found: "a fifth level of fields", expected: "four at most")
            return nil
        }
        let fields = scoped(nodes, depth: depth, &problems)
        guard !fields.isEmpty else {
            problems.add(object.node, found: "\"\(name)\" without fields", expected: "one field or more")
            return nil
        }
        return fields
    }

    /// Reads fields whose integers only they themselves can name.
    private mutating func scoped(
        _ nodes: [JSONNode], depth: Int, _ problems: inout DocumentProblems
    ) -> [FieldLayout] {
        let outside = integers
        defer { integers = outside }
        return fields(nodes, depth: depth + 1, &problems)
    }

    private mutating func choice(
        _ object: inout JSONObjectReader, depth: Int, _ problems: inout DocumentProblems
    ) -> FieldLayout.Shape? {
        let source = earlier("on", &object, &problems)
        let count = object.has("length") ? length("length", &object, &problems) : nil
        var cases: [UInt64: [FieldLayout]] = [:]
        if let node = object.member("cases", required: true, &problems) {
            if case .object(let members) = node.value, !members.isEmpty {
                for member in members {
                    guard let code = JSONNode.code(member.name), cases[code] == nil else {
                        problems.add(
                            member.node, found: "the key \"\(member.name.prefix(40))\"",
                            expected: "a number or 0x…, once")
                        continue
                    }
                    // A case without fields is one without parameters.
                    guard depth < 4, let nodes = member.node.array(&problems) else { continue }
                    cases[code] = scoped(nodes, depth: depth, &problems)
                }
            } else {
                problems.kind(node, expected: "an object of arrays of fields, not empty")
            }
        }
        let otherwise = object.has("default") ? object.array("default", &problems) : nil
        let fallback = depth < 4 ? otherwise.map { scoped($0, depth: depth, &problems) } : nil
        guard depth < 4 else {
            problems.add(object.node, found: "a fifth level of fields", expected: "four at most")
            return nil
        }
        return source.map { .choice(of: $0, count, cases, otherwise: fallback) }
    }

    /// Reads a condition: a field with a bit, or with values.
    private func condition(_ object: JSONObjectReader, _ problems: inout DocumentProblems) -> FieldCondition?
    {
        var object = object
        let field = earlier("field", &object, &problems)
        let condition = object.condition(field ?? "", &problems)
        object.finish(&problems)
        return field == nil ? nil : condition
    }

    /// Reads the name of an integer field before this one.
    private func earlier(
        _ name: String, _ object: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> String? {
        guard let node = object.member(name, required: true, &problems), let field = node.string(&problems)
        else { return nil }
        if !integers.contains(field) {
            problems.add(
                node, found: "\"\(field.prefix(40))\"",
                expected: "the name of an unsigned field before this one")
        }
        return field
    }

    private static func integerWidth(_ type: String) -> Int? {
        guard type.hasPrefix("u") || type.hasPrefix("i"), let bits = Int(type.dropFirst()),
            (8...64).contains(bits), bits % 8 == 0, type.utf8.count == (bits == 8 ? 2 : 3)
        else { return nil }
        return bits / 8
    }

    /// Reads a length or count: a number, the name of an earlier integer field, or absent for the rest.
    private func length(
        _ name: String, _ object: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> FieldLength {
        guard let node = object.member(name, &problems) else { return .rest }
        if case .string(let field) = node.value {
            if !integers.contains(field) {
                problems.add(
                    node, found: "\"\(field)\"", expected: "the name of an unsigned field before this one")
            }
            return .field(field)
        }
        return .fixed(Int(node.integer(1...4096, &problems) ?? 1))
    }

    private func bits(
        _ nodes: [JSONNode], width: Int, _ problems: inout DocumentProblems
    ) -> [BitFieldLayout] {
        var parts: [BitFieldLayout] = []
        var covered: UInt64 = 0
        for node in nodes {
            guard var object = JSONObjectReader(node, &problems) else { continue }
            let name = object.name(&problems)
            let shift = object.integer("at", 0...Int64(8 * width - 1), required: true, &problems)
            let count = object.integer("width", 1...Int64(8 * width), &problems) ?? 1
            let isSigned = object.bool("signed", &problems) ?? false
            let presentation = object.presentation(
                bits: Int(count), signed: isSigned, takesRefusals: takesRefusals, &problems)
            object.finish(&problems)
            guard let name, let shift else { continue }
            var part = BitFieldLayout(name, shift: Int(shift), width: Int(count), presentation)
            part.isSigned = isSigned
            let mask = part.mask << UInt64(shift)
            if shift + count > Int64(8 * width) || covered & mask != 0
                || parts.contains(where: { $0.name == name })
            {
                problems.add(
                    node, found: "bits that overlap others or the end, or a name used before",
                    expected: "bits and a name of their own")
                continue
            }
            covered |= mask
            parts.append(part)
        }
        return parts
    }

    private func constant(
        for field: FieldLayout, _ object: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> [UInt8]? {
        guard let node = object.member("equals", &problems) else { return nil }
        switch field.shape {
        case .integer(let width, let signed, let order, _):
            if signed {
                let limit = Int64.max >> Int64(64 - 8 * width)
                guard let value = node.integer((-1 - limit)...limit, &problems) else { return nil }
                return FieldLayout.octets(UInt64(bitPattern: value), width: width, order)
            }
            let limit = UInt64.max >> UInt64(64 - 8 * width)
            guard let value = node.code(limit: limit, &problems) else { return nil }
            return FieldLayout.octets(value, width: width, order)
        case .octets(let length):
            guard case .fixed(let count) = length else { return node.octets(1...512, &problems) }
            return node.octets(count...count, &problems)
        case .text(let length):
            guard let text = node.string(&problems) else { return nil }
            if case .fixed(let count) = length, text.utf8.count != count {
                problems.add(node, found: "\(text.utf8.count) bytes", expected: "\(count) bytes")
            }
            return Array(text.utf8)
        default:
            problems.add(node, found: "a constant", expected: "none: this type takes none")
            return nil
        }
    }
}

extension FieldPresentation {
    /// Adds what numbers of a floating-point type can't have.
    func checkFloat(_ type: String, at node: JSONNode, _ problems: inout DocumentProblems) {
        if scale == nil, offset == nil, flags.isEmpty { return }
        problems.add(
            node, found: "a scale, offset or flags of \(type)", expected: "enum or unit")
    }
}

extension JSONObjectReader {
    /// Reads the member `name`: at most 40 letters, digits, hyphens and underscores.
    public mutating func name(_ problems: inout DocumentProblems) -> String? {
        guard let node = member("name", required: true, &problems), let name = node.string(&problems) else {
            return nil
        }
        return node.name(name, &problems)
    }

    /// Reads the members of a condition on `field`: a bit, or values and perhaps a mask.
    mutating func condition(_ field: String, _ problems: inout DocumentProblems) -> FieldCondition {
        var condition = FieldCondition(field, values: [])
        let bit = integer("bit", 0...63, &problems)
        if has("mask") {
            condition.mask = code("mask", limit: .max, &problems) ?? .max
        } else if let bit {
            condition.mask = 1 << UInt64(bit)
        }
        if has("not") { condition.isInverted = true }
        if let node = member(condition.isInverted ? "not" : "is", &problems) {
            let nodes: [JSONNode] = if case .array(let all) = node.value { all } else { [node] }
            condition.values = Set(nodes.compactMap { $0.code(limit: .max, &problems) })
            if let bit { condition.values = Set(condition.values.map { $0 == 0 ? 0 : 1 << UInt64(bit) }) }
        } else if bit != nil {
            condition.values = [condition.mask]
        }
        if condition.values.isEmpty || bit != nil && condition.mask != 1 << UInt64(bit ?? 0) {
            problems.add(
                node, found: "no condition",
                expected: "a field with a bit, or with \"is\" or \"not\" and perhaps a mask")
        }
        return condition
    }

    /// Reads the members `display`, `enum`, `flags`, `scale`, `offset` and `unit`.
    mutating func presentation(
        bits: Int, signed: Bool, takesRefusals: Bool = false,
        enumerations: [String: JSONNode] = [:], _ problems: inout DocumentProblems
    ) -> FieldPresentation {
        var presentation = FieldPresentation()
        presentation.style =
            choice("display", ["number": .number, "hex": .hex], &problems) ?? .number
        presentation.unit = string("unit", &problems)
        presentation.scale = decimal("scale", &problems)
        presentation.offset = decimal("offset", &problems)
        let limit = bits >= 64 ? UInt64.max : 1 << UInt64(bits) - 1
        let named = names(
            "enum", limit: limit, takesRefusals: takesRefusals, enumerations: enumerations, &problems)
        for (code, name, isRefusal) in named.codes {
            presentation.names[code] = name
            if isRefusal { presentation.refusals.insert(code) }
        }
        presentation.otherName = named.other?.name
        presentation.refusesOthers = named.other?.isRefusal ?? false
        for (bit, name, _) in names("flags", limit: UInt64(bits - 1), &problems).codes {
            presentation.flags[Int(bit)] = name
        }
        let kinds = [
            !presentation.flags.isEmpty, presentation.scale != nil || presentation.offset != nil,
            presentation.style == .hex,
        ]
        if kinds.count(where: { $0 }) > 1 {
            problems.add(node, found: "flags, a scale and hex together", expected: "one of them")
        }
        if named.other != nil, kinds.contains(true) || presentation.unit != nil {
            problems.add(
                node, found: "a default name beside flags, a scale, a unit or hex",
                expected: "it with names of values alone")
        }
        if signed && (kinds[0] || kinds[2]) {
            problems.add(node, found: "flags or hex of a signed field", expected: "an unsigned one")
        }
        return presentation
    }

    private mutating func decimal(_ name: String, _ problems: inout DocumentProblems) -> JSONNumber? {
        guard let node = member(name, &problems) else { return nil }
        if case .number(let number) = node.value, number.mantissa.magnitude <= 1_000_000_000_000_000,
            (-18...9).contains(number.exponent), name == "offset" || number.mantissa != 0
        {
            return number
        }
        problems.add(
            node, found: node.kind == "a number" ? "another number" : node.kind,
            expected: "a number of at most 15 digits and 18 places, no scale of 0")
        return nil
    }

    fileprivate mutating func names(
        _ name: String, limit: UInt64, takesRefusals: Bool = false,
        enumerations: [String: JSONNode] = [:], _ problems: inout DocumentProblems
    ) -> ValueNames {
        guard var node = member(name, &problems) else { return ValueNames() }
        if case .string(let name) = node.value, let enumeration = enumerations[name] { node = enumeration }
        return node.names(limit: limit, takesRefusals: takesRefusals, &problems)
    }
}

extension JSONNode {
    /// Returns a name that this is, or stands for, if it is valid.
    public func name(_ name: String, _ problems: inout DocumentProblems) -> String? {
        let allowed = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x5F || $0 == 0x2D
        }
        if allowed && (1...40).contains(name.utf8.count) { return name }
        problems.add(self, found: "\"\(name.prefix(40))\"", expected: "1 to 40 letters, digits, - and _")
        return nil
    }
}
