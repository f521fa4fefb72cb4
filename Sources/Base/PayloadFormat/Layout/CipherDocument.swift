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
        guard let node = object.member("cipher", required: true, &problems) else { return nil }
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

    /// Adds the contradictions between the cipher of a field and the values that it may use.
    ///
    /// - Parameters:
    ///   - field: the field's object.
    ///   - names: the names of the values beside it.
    ///   - width: the number of bytes of a value by its path: nil inside if it varies, nil if absent.
    func check(
        _ cipher: FieldCipher, of field: JSONNode, beside names: [String],
        _ problems: inout DocumentProblems, _ width: (String) -> Int??
    ) {
        var node = field.member("cipher") ?? field
        if case .string(let name) = node.value { node = ciphers[name]?.node ?? node }
        var known = [String: Int?](of: names + cipher.names, width)
        for name in earlier { known[name] = .some(nil) }
        cipher.check(known, at: node, &problems)
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
        case .float, .octets, .message, .encrypted, nil: nil
        }
    }
}

extension [DecodedField] {
    /// Returns the bytes of the value at a path, numbers as 8 bytes, the most significant first; nil if it
    /// was not sent.
    func octets(at path: String) -> [UInt8]? {
        var fields = self
        let names = path.pathNames
        for name in names.dropLast() {
            guard case .group(let inner)? = fields.value(String(name)) else { return nil }
            fields = inner
        }
        switch fields.value(String(names[names.count - 1])) {
        case .octets(let octets): return octets
        case .text(let text): return [UInt8](text.utf8)
        case .unsigned(let number), .hex(let number, _), .named(let number, _), .flags(let number, _):
            return FieldLayout.octets(number, 8, .big)
        case .signed(let number): return FieldLayout.octets(UInt64(bitPattern: number), 8, .big)
        case .bool(let value): return FieldLayout.octets(value ? 1 : 0, 8, .big)
        case .decimal, .numbers, .group, .list, nil: return nil
        }
    }
}
