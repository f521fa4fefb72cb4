import WireBytes

/// Reads message types of Protocol Buffers: the types that a document names, and those that stand in a field.
public struct ProtobufDocument {
    /// The named enumerations: each the names of its values.
    private var enumerations: [String: JSONNode] = [:]
    /// The names of the message types.
    private var names: Set<String> = []
    private var takesRefusals = false
    private(set) var types: [String: [ProtobufMember]] = [:]

    /// Creates a reader for a document that names no type.
    public init() {}

    /// Reads named types: an array is a message with these members, an object an enumeration.
    public init(_ node: JSONNode, takesRefusals: Bool = false, _ problems: inout DocumentProblems) {
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
        var read: [(members: [ProtobufMember], nodes: [JSONNode])] = []
        for message in messages {
            guard let nodes = message.node.array(&problems) else { continue }
            let (members, places) = members(nodes, depth: 0, &problems)
            self.types[message.name] = members
            read.append((members, places))
        }
        for message in read { check(message.members, message.nodes, &problems) }
    }

    /// Reads the message type of a field: the member `message` with a name, or `members`.
    mutating func layout(
        _ object: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> ProtobufLayout? {
        reference(&object, required: true, depth: 0, &problems).map { ProtobufLayout($0, types: types) }
    }

    private func reference(
        _ object: inout JSONObjectReader, required: Bool, depth: Int, _ problems: inout DocumentProblems
    ) -> ProtobufReference? {
        if let node = object.member("message", &problems) {
            guard let name = node.string(&problems) else { return nil }
            if names.contains(name) { return .named(name) }
            problems.add(
                node, found: "\"\(name.prefix(40))\"",
                expected: names.isEmpty
                    ? "a message type of the profile's \"protobuf\""
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
    ) -> ([ProtobufMember], [JSONNode]) {
        var members: [ProtobufMember] = []
        var places: [JSONNode] = []
        for node in nodes {
            guard let member = member(node, depth, &problems) else { continue }
            if member.name == ProtobufLayout.unknown || members.contains(where: { $0.name == member.name }) {
                problems.add(
                    node, found: "the name \"\(member.name)\" a second time",
                    expected: "another; \"\(ProtobufLayout.unknown)\" lists the values of other numbers")
            }
            if members.contains(where: { $0.number == member.number && $0.condition == nil }) {
                problems.add(
                    node, found: "the number \(member.number) a second time",
                    expected: "another, or \"if\" in all but the last of the same number")
            }
            members.append(member)
            places.append(node)
        }
        return (members, places)
    }

    private func member(
        _ node: JSONNode, _ depth: Int, _ problems: inout DocumentProblems
    ) -> ProtobufMember? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let number = object.integer("number", 1...0x1FFF_FFFF, required: true, &problems)
        let name = object.name(&problems)
        guard let type = object.string("type", required: true, &problems) else { return nil }
        let kind = kind(type, &object, depth, &problems)
        let isRepeated = object.bool("repeated", &problems) ?? false
        let isPacked = object.bool("packed", &problems)
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
        var member = ProtobufMember(Int(number), name, kind)
        member.isRepeated = isRepeated
        member.isPacked = isPacked ?? (isRepeated && member.isPackable)
        member.isRequired = isRequired
        member.isVolatile = isVolatile
        member.condition = condition
        if member.isPacked && !(isRepeated && member.isPackable) {
            problems.add(node, found: "packed", expected: "it only with a repeated number")
        }
        return member
    }

    private func kind(
        _ type: String, _ object: inout JSONObjectReader, _ depth: Int, _ problems: inout DocumentProblems
    ) -> ProtobufMember.Kind? {
        if let integer = ProtobufMember.VariableInteger(rawValue: type) {
            if integer == .bool { return .varint(.bool, FieldPresentation()) }
            let presentation = presentation(&object, integer.bits, integer.isSigned, &problems)
            if integer == .enumeration, presentation.names.isEmpty, !object.has("enum") {
                problems.add(object.node, found: "no member \"enum\"", expected: "the names of its values")
            }
            return .varint(integer, presentation)
        }
        switch type {
        case "fixed32", "sfixed32", "fixed64", "sfixed64":
            let (width, isSigned) = (type.hasSuffix("32") ? 4 : 8, type.hasPrefix("s"))
            return .fixed(
                width: width, signed: isSigned, presentation(&object, 8 * width, isSigned, &problems))
        case "float", "double":
            let width = type == "float" ? 4 : 8
            let presentation = object.presentation(bits: 8 * width, signed: false, &problems)
            if presentation.scale != nil || presentation.offset != nil || !presentation.flags.isEmpty {
                problems.add(
                    object.node, found: "a scale, offset or flags of \(type)", expected: "enum or unit")
            }
            return .float(width: width, presentation)
        case "string": return .text
        case "bytes": return .octets(reference(&object, required: false, depth: depth, &problems))
        case "message":
            return reference(&object, required: true, depth: depth, &problems).map { .message($0) }
        default:
            let names = ProtobufMember.VariableInteger.allCases.map(\.rawValue).joined(separator: ", ")
            problems.add(
                object.node, found: "the type \"\(type.prefix(40))\"",
                expected: "one of \(names), fixed32, fixed64, sfixed32, sfixed64, float, double, string, "
                    + "bytes, message")
            return nil
        }
    }

    /// Reads the presentation of an integer, whose names may be those of a named enumeration.
    private func presentation(
        _ object: inout JSONObjectReader, _ bits: Int, _ isSigned: Bool, _ problems: inout DocumentProblems
    ) -> FieldPresentation {
        object.presentation(
            bits: bits, signed: isSigned, takesRefusals: takesRefusals, enumerations: enumerations, &problems)
    }

    /// Checks that the conditions of members name integers.
    private func check(
        _ members: [ProtobufMember], _ nodes: [JSONNode], _ problems: inout DocumentProblems
    ) {
        for (member, node) in zip(members, nodes) {
            if case .inline(let inner)? = member.reference {
                check(inner, Array(repeating: node, count: inner.count), &problems)
            }
            guard let field = member.condition?.field else { continue }
            if !isInteger(field.split(separator: ".", omittingEmptySubsequences: false)[...], members) {
                problems.add(
                    node, found: "\"\(field.prefix(40))\"",
                    expected: "the path of an integer in the message, as in \"status.code\"")
            }
        }
    }

    private func isInteger(_ path: ArraySlice<Substring>, _ members: [ProtobufMember]) -> Bool {
        guard path.count <= ProtobufLayout.maximumDepth, let name = path.first,
            let member = members.first(where: { $0.name == name }),
            !member.isRepeated
        else { return false }
        if path.count == 1 {
            switch member.kind {
            case .varint, .fixed: return true
            default: return false
            }
        }
        return member.reference.map {
            isInteger(path.dropFirst(), ProtobufLayout($0, types: types).rootMembers)
        }
            ?? false
    }
}
