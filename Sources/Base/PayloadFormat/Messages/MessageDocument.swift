/// Reads message types of Protocol Buffers or CBOR: those that a document names, and those of a field.
public struct MessageDocument {
    private let notation: MessageLayout.Notation
    /// The named enumerations: each the names of its values.
    private var enumerations: [String: JSONNode] = [:]
    private var names: Set<String> = []
    private var takesRefusals = false
    /// The ciphers that members may have; nil if they take none.
    private let ciphers: CipherDocument?
    private(set) var types: [String: [MessageMember]] = [:]

    /// Creates a reader for a document that names no type.
    public init(_ notation: MessageLayout.Notation = .protobuf, _ ciphers: CipherDocument? = nil) {
        self.notation = notation
        self.ciphers = ciphers
    }

    /// Reads named types: an array is a message with these members, an object an enumeration.
    public init(
        _ node: JSONNode, as notation: MessageLayout.Notation = .protobuf, takesRefusals: Bool = false,
        ciphers: CipherDocument? = nil, _ problems: inout DocumentProblems
    ) {
        self.init(notation, ciphers)
        self.takesRefusals = takesRefusals
        guard case .object(let types) = node.value else {
            problems.kind(node, expected: "an object of message types and enumerations")
            return
        }
        // Types may use each other in any order.
        var messages: [(name: String, node: JSONNode)] = []
        for type in types {
            guard type.name != "comment" else { continue }
            switch type.node.value {
            case .array:
                names.insert(type.name)
                messages.append((type.name, type.node))
            case .object:
                enumerations[type.name] = type.node
                _ = type.node.names(limit: .max, takesRefusals: takesRefusals, &problems)
            default: problems.kind(type.node, expected: "an array of members, or an object of names")
            }
        }
        var read: [(members: [MessageMember], nodes: [JSONNode])] = []
        for message in messages {
            guard let nodes = message.node.array(&problems) else { continue }
            let (members, places) = members(nodes, depth: 0, &problems)
            self.types[message.name] = members
            read.append((members, places))
        }
        for message in read { check(message.members, message.nodes, &problems) }
    }

    /// Reads the message type of a field: the member `message` with a name, or `members`.
    func layout(
        _ object: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> MessageLayout? {
        reference(&object, required: true, depth: 0, &problems).map {
            MessageLayout($0, as: notation, types: types)
        }
    }

    private func reference(
        _ object: inout JSONObjectReader, required: Bool, depth: Int, _ problems: inout DocumentProblems
    ) -> MessageReference? {
        if let node = object.member("message", &problems) {
            guard let name = node.string(&problems) else { return nil }
            if names.contains(name) { return .named(name) }
            problems.add(
                node, found: "\"\(name.prefix(40))\"",
                expected: names.isEmpty
                    ? "a message type of the profile's \"\(notation)\""
                    : "one of " + names.sorted().joined(separator: ", "))
            return nil
        }
        guard object.has("members") || required else { return nil }
        guard depth < 4 else {
            problems.add(object.node, found: "a fifth level of members", expected: "a named message type")
            return nil
        }
        guard let nodes = object.array("members", required: true, &problems) else { return nil }
        let (members, places) = members(nodes, depth: depth + 1, &problems)
        if depth == 0 { check(members, places, &problems) }
        return .inline(members)
    }

    private func members(
        _ nodes: [JSONNode], depth: Int, _ problems: inout DocumentProblems
    ) -> ([MessageMember], [JSONNode]) {
        var members: [MessageMember] = []
        var places: [JSONNode] = []
        for node in nodes {
            guard let member = member(node, depth: depth, &problems) else { continue }
            if member.name == MessageLayout.unknown || members.contains(where: { $0.name == member.name }) {
                problems.add(
                    node, found: "the name \"\(member.name)\" a second time",
                    expected: "another; \"\(MessageLayout.unknown)\" lists the values of other \(keys)")
            }
            let isTaken = members.contains {
                $0.number == member.number && $0.key == member.key && $0.condition == nil
            }
            if isTaken {
                problems.add(
                    node, found: "the \(keys.dropLast()) \(member.key ?? "\(member.number)") a second time",
                    expected: "another, or \"if\" in all but the last of the same \(keys.dropLast())")
            }
            members.append(member)
            places.append(node)
        }
        return (members, places)
    }

    private func member(
        _ node: JSONNode, depth: Int, _ problems: inout DocumentProblems
    ) -> MessageMember? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let (number, key) = key(&object, &problems)
        // A key that is a valid name needs no other.
        let name =
            object.has("name") || key == nil
            ? object.name(&problems) : key.flatMap { node.name($0, &problems) }
        guard let type = object.string("type", required: true, &problems) else { return nil }
        let kind = kind(type, &object, depth: depth, &problems)
        let isRepeated = object.bool("repeated", &problems) ?? false
        let isKeyed = notation == .cbor && object.bool("keyed", &problems) ?? false
        let isPacked = notation == .protobuf ? object.bool("packed", &problems) : false
        let isRequired = object.bool("required", &problems) ?? false
        let isVolatile = object.bool("volatile", &problems) ?? false
        var condition: FieldCondition?
        if var reader = object.object("if", &problems) {
            let field = reader.string("field", required: true, &problems)
            let read = reader.condition(field ?? "", &problems)
            reader.finish(&problems)
            if field != nil { condition = read }
        }
        object.finish(&problems)
        guard let number, let name, let kind else { return nil }
        var member = MessageMember(number: number, name, kind)
        member.key = key
        member.isKeyed = isKeyed
        member.isRepeated = isRepeated
        member.isPacked = isPacked ?? (isRepeated && member.isPackable)
        member.isRequired = isRequired
        member.isVolatile = isVolatile
        member.condition = condition
        if case .encrypted = kind, isRepeated {
            problems.add(node, found: "encrypted and repeated", expected: "one of them")
        }
        if isKeyed && isRepeated {
            problems.add(node, found: "keyed and repeated", expected: "one of them")
        }
        if member.isPacked && !(isRepeated && member.isPackable) {
            problems.add(node, found: "packed", expected: "it only with a repeated number")
        }
        return member
    }

    /// The word for what members are known by.
    private var keys: String { notation == .cbor ? "keys" : "numbers" }

    /// Reads the number or the text that a member is known by.
    private func key(
        _ object: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> (number: Int?, text: String?) {
        if notation == .protobuf {
            return (object.integer("number", 1...0x1FFF_FFFF, required: true, &problems).map { Int($0) }, nil)
        }
        guard let node = object.member("key", required: true, &problems) else { return (nil, nil) }
        if case .string(let text) = node.value { return (0, text) }
        return (node.integer(Int64(Int32.min)...Int64(Int32.max), &problems).map { Int($0) }, nil)
    }

    private func kind(
        _ type: String, _ object: inout JSONObjectReader, depth: Int, _ problems: inout DocumentProblems
    ) -> MessageMember.Kind? {
        guard notation.types.contains(type) else {
            problems.add(
                object.node, found: "the type \"\(type.prefix(40))\"",
                expected: "one of \(notation.types.joined(separator: ", "))")
            return nil
        }
        if let integer = MessageMember.VariableInteger(rawValue: type) {
            if integer == .bool { return .varint(.bool, FieldPresentation()) }
            let presentation = presentation(
                &object, bits: integer.bits, isSigned: integer.isSigned, &problems)
            if integer == .enumeration, presentation.names.isEmpty, !object.has("enum") {
                problems.add(object.node, found: "no member \"enum\"", expected: "the names of its values")
            }
            return .varint(integer, presentation)
        }
        switch type {
        case "fixed32", "sfixed32", "fixed64", "sfixed64":
            let (width, isSigned) = (type.hasSuffix("32") ? 4 : 8, type.hasPrefix("s"))
            return .fixed(
                width: width, signed: isSigned,
                presentation(&object, bits: 8 * width, isSigned: isSigned, &problems))
        case "float", "double":
            let width = type == "float" ? 4 : 8
            let presentation = object.presentation(bits: 8 * width, signed: false, &problems)
            presentation.checkFloat(type, at: object.node, &problems)
            return .float(width: width, presentation)
        case "string": return .text
        case "bytes":
            let reference = reference(&object, required: false, depth: depth, &problems)
            guard let ciphers, object.has("cipher") else { return .octets(reference) }
            return .encrypted(ciphers.ciphers(&object, &problems), reference)
        default: return reference(&object, required: true, depth: depth, &problems).map { .message($0) }
        }
    }

    /// Reads the presentation of an integer, whose names may be those of a named enumeration.
    private func presentation(
        _ object: inout JSONObjectReader, bits: Int, isSigned: Bool, _ problems: inout DocumentProblems
    ) -> FieldPresentation {
        object.presentation(
            bits: bits, signed: isSigned, takesRefusals: takesRefusals, enumerations: enumerations, &problems)
    }

    /// Checks that the conditions of members name integers, and their ciphers values.
    private func check(
        _ members: [MessageMember], _ nodes: [JSONNode], _ problems: inout DocumentProblems
    ) {
        let layout = MessageLayout(.inline(members), as: notation, types: types)
        for (member, node) in zip(members, nodes) {
            if case .inline(let inner)? = member.reference {
                check(inner, Array(repeating: node, count: inner.count), &problems)
            }
            if case .encrypted(let used, let reference) = member.kind {
                ciphers?.check(used, of: node, beside: members.map(\.name), &problems) {
                    layout.width(at: $0.pathNames)
                }
                if used.contains(where: { !$0.encrypts }), let reference {
                    problems.reserve(layout.members(reference).map(\.name), at: node)
                }
            }
            guard let field = member.condition?.field else { continue }
            switch layout.member(at: field.pathNames)?.kind {
            case .varint, .fixed: break
            default:
                problems.add(
                    node, found: "\"\(field.prefix(40))\"",
                    expected: "the path of an integer in the message, as in \"status.code\"")
            }
        }
    }
}

extension MessageLayout.Notation {
    fileprivate var types: [String] {
        switch self {
        case .protobuf:
            MessageMember.VariableInteger.allCases.map(\.rawValue) + [
                "fixed32", "fixed64", "sfixed32", "sfixed64", "float", "double", "string", "bytes", "message",
            ]
        case .cbor:
            ["uint32", "uint64", "int32", "int64", "bool", "enum", "double", "string", "bytes", "message"]
        }
    }
}
