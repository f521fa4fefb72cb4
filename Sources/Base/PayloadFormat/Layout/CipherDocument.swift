/// The ciphers that a document names, and the values of earlier messages that ciphers may use.
public struct CipherDocument {
    /// The named ciphers; nil inside for a wrong one.
    private var ciphers: [String: (node: JSONNode, cipher: FieldCipher?)] = [:]
    /// The names of the values that messages remember, as terms use them.
    private let earlier: [String]

    /// Reads an object of named ciphers.
    ///
    /// - Parameter remembered: the names of the values that messages remember for later ones.
    public init(_ node: JSONNode?, remembered: Set<String>, _ problems: inout DocumentProblems) {
        earlier = remembered.map { FormulaVariables.earlierPrefix + $0 }
        guard let node else { return }
        guard case .object(let members) = node.value, !members.isEmpty else {
            problems.kind(node, expected: "an object of ciphers, not empty")
            return
        }
        for member in members where member.name != "comment" {
            ciphers[member.name] = (
                member.node, FieldCipher(JSONObjectReader(member.node, &problems), &problems)
            )
        }
    }

    /// Reads the member `cipher` of a field: a cipher, or the name of one; nil if it is missing or wrong.
    func cipher(_ object: inout JSONObjectReader, _ problems: inout DocumentProblems) -> FieldCipher? {
        object.member("cipher", required: true, &problems).flatMap { cipher($0, &problems) }
    }

    /// Reads the member `cipher` of a message's member, which may be a list of ciphers; empty if it is wrong.
    func ciphers(_ object: inout JSONObjectReader, _ problems: inout DocumentProblems) -> [FieldCipher] {
        guard let node = object.member("cipher", required: true, &problems) else { return [] }
        let read = node.elements.compactMap { cipher($0, &problems) }
        if node.elements.isEmpty || read.dropLast().contains(where: { $0.tag == nil }) {
            problems.add(
                node, found: node.elements.isEmpty ? "no cipher" : "a cipher after one without a tag",
                expected: "ciphers that differ by their tags")
        }
        return read
    }

    private func cipher(_ node: JSONNode, _ problems: inout DocumentProblems) -> FieldCipher? {
        if case .string(let name) = node.value, !ciphers.isEmpty {
            guard let named = ciphers[name] else {
                let names = ciphers.keys.sorted().joined(separator: ", ")
                problems.add(node, found: "\"\(name.prefix(40))\"", expected: "one of \(names)")
                return nil
            }
            return named.cipher
        }
        return FieldCipher(JSONObjectReader(node, &problems), &problems)
    }

    /// Adds the contradictions between the ciphers of a field and the values that they may use.
    ///
    /// - Parameters:
    ///   - field: the field's object.
    ///   - names: the names of the values beside it.
    ///   - width: the number of bytes of a value by its path: nil inside if it varies, nil if absent.
    func check(
        _ used: [FieldCipher], of field: JSONNode, beside names: [String],
        _ problems: inout DocumentProblems, _ width: (String) -> Int??
    ) {
        for (cipher, element) in zip(used, (field.member("cipher") ?? field).elements) {
            var node = element
            if case .string(let name) = node.value { node = ciphers[name]?.node ?? node }
            var known = [String: Int?](of: names + cipher.names, width)
            for name in earlier { known[name] = .some(nil) }
            cipher.check(known, at: node, &problems)
        }
    }
}

extension DocumentProblems {
    /// Adds a problem if a field of authenticated bytes has the reserved name.
    mutating func reserve(_ names: [String], at node: JSONNode) {
        let taken = [DecodedField].authenticity
        guard names.contains(taken) else { return }
        add(node, found: "the name \"\(taken)\"", expected: "another; it says whether the tag is right")
    }
}

extension [String: Int?] {
    /// The lengths of the values that are known among `names`, in bytes; nil inside for one that varies.
    public init(of names: [String], _ width: (String) -> Int??) {
        self.init()
        for name in names {
            if let width = width(name) { self[name] = .some(width) }
        }
    }
}

extension JSONNode {
    /// Returns the value of a member of an object; nil if absent.
    public func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.node
    }

    /// The elements of an array; any other value alone.
    fileprivate var elements: [JSONNode] { if case .array(let nodes) = value { nodes } else { [self] } }
}

extension String {
    /// The names in a path of values: `header.kind`.
    var pathNames: ArraySlice<Substring> { split(separator: ".", omittingEmptySubsequences: false)[...] }
}

extension [FieldLayout] {
    /// Returns the number of bytes that a term takes of a value, by the name of a field, or by its path in a
    /// message that a field is: nil inside if it varies, nil if absent.
    public func width(at path: String) -> Int?? {
        let names = path.pathNames
        guard let field = first(where: { $0.name == names[0] }) else { return nil }
        if names.count == 1 { return .some(field.width) }
        guard case .message(_, let layout) = field.shape else { return nil }
        return layout.width(at: names.dropFirst())
    }
}

extension MessageLayout {
    /// Returns the member at a path; nil if it is absent or in a list.
    func member(at path: ArraySlice<Substring>) -> MessageMember? {
        guard path.count <= Self.maximumDepth, let name = path.first,
            let member = rootMembers.first(where: { $0.name == name }), !member.isRepeated, !member.isKeyed
        else { return nil }
        if path.count == 1 { return member }
        return member.reference.flatMap {
            MessageLayout($0, as: notation, types: types).member(at: path.dropFirst())
        }
    }

    /// Returns the number of bytes that a term takes of the value at a path: nil inside if it varies, nil if
    /// absent or without such bytes.
    func width(at path: ArraySlice<Substring>) -> Int?? {
        switch member(at: path)?.kind {
        case .varint(_, let presentation), .fixed(_, _, let presentation):
            presentation.scale == nil && presentation.offset == nil ? .some(8) : nil
        case .text, .octets(nil): .some(nil)
        // The place of what is in opened bytes is not known.
        case .octets, .message, .encrypted: isInClear(path) ? .some(nil) : nil
        case .float, nil: nil
        }
    }

    private func isInClear(_ path: ArraySlice<Substring>) -> Bool {
        (1..<path.count).allSatisfy { count in
            if case .encrypted = member(at: path.prefix(count))?.kind { false } else { true }
        }
    }
}

extension [DecodedField] {
    /// Returns the value at a path; nil if it was not sent.
    func value(at path: String) -> DecodedField? {
        var fields = self
        let names = path.pathNames
        for name in names.dropLast() {
            guard case .group(let inner)? = fields.value(String(name)) else { return nil }
            fields = inner
        }
        return fields.first { $0.name == names[names.count - 1] }
    }

    /// Returns the bytes of the value at a path, numbers as 8 bytes, the most significant first, and a
    /// message as it is on the wire; nil if it was not sent.
    ///
    /// - Parameters:
    ///   - message: bytes that hold the fields.
    ///   - origin: the index in them from which the fields' places count.
    func octets(at path: String, of message: ArraySlice<UInt8>, origin: Int) -> [UInt8]? {
        let field = value(at: path)
        switch field?.value {
        case .octets(let octets): return octets
        case .text(let text): return [UInt8](text.utf8)
        case .unsigned(let number), .hex(let number, _), .named(let number, _), .flags(let number, _):
            return FieldLayout.octets(number, width: 8, .big)
        case .signed(let number): return FieldLayout.octets(UInt64(bitPattern: number), width: 8, .big)
        case .bool(let value): return FieldLayout.octets(value ? 1 : 0, width: 8, .big)
        case .group:
            guard let range = field?.range else { return nil }
            let (start, end) = (origin + range.lowerBound, origin + range.upperBound)
            guard message.startIndex <= start, start <= end, end <= message.endIndex else { return nil }
            return [UInt8](message[start..<end])
        case .decimal, .numbers, .list, nil: return nil
        }
    }
}
