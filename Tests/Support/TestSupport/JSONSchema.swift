import PayloadFormat

/// Judges a JSON value by a JSON Schema (draft 2020-12): the keywords that the project's schemas use.
///
/// A keyword that is not known here is a violation of its own, so that no schema rests on one unread.
public struct JSONSchema {
    private let root: JSONNode

    /// The schema that a text spells.
    public init(_ octets: [UInt8]) throws { root = try JSONParser.parse(octets) }

    /// What of `value` breaks the schema, with its place; empty for a value that is valid.
    public func violations(_ value: JSONNode) throws -> [String] { try violations(value, root) }

    private static let silent: Set<String> = [
        "$schema", "$id", "$defs", "title", "description", "$comment", "comment", "examples",
    ]

    private func violations(_ value: JSONNode, _ schema: JSONNode) throws -> [String] {
        if case .bool(let may) = schema.value { return may ? [] : ["\(value.path): nothing may stand here"] }
        guard case .object(let keywords) = schema.value else { return ["\(schema.path): no schema"] }
        var found: [String] = []
        for keyword in keywords where !Self.silent.contains(keyword.name) {
            found += try check(value, keyword.name, keyword.node, keywords)
        }
        return found
    }

    private func check(
        _ value: JSONNode, _ keyword: String, _ rule: JSONNode, _ all: [JSONMember]
    ) throws -> [String] {
        let violation = ["\(value.path): breaks \(keyword)"]
        switch keyword {
        case "$ref": return try violations(value, try definition(rule.text))
        case "type": return rule.strings.contains { value.isOf(type: $0) } ? [] : violation
        case "enum": return rule.elements.contains { $0.equals(value) } ? [] : violation
        case "const": return rule.equals(value) ? [] : violation
        case "anyOf": return try rule.elements.contains { try violations(value, $0).isEmpty } ? [] : violation
        case "oneOf":
            return try rule.elements.count { try violations(value, $0).isEmpty } == 1 ? [] : violation
        case "allOf": return try rule.elements.flatMap { try violations(value, $0) }
        case "not": return try violations(value, rule).isEmpty ? violation : []
        case "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
            "minProperties":
            return try checkObject(value, keyword, rule, all, violation)
        case "items", "minItems", "maxItems", "uniqueItems":
            return try checkArray(value, keyword, rule, violation)
        case "pattern":
            guard case .string(let text) = value.value else { return [] }
            return try Regex(rule.text).firstMatch(in: text) == nil ? violation : []
        case "minLength", "maxLength":
            guard case .string(let text) = value.value, let limit = rule.whole else { return [] }
            let count = Int64(text.unicodeScalars.count)
            return keyword == "minLength"
                ? (count < limit ? violation : []) : (count > limit ? violation : [])
        case "minimum", "maximum":
            guard case .number(let number) = value.value, let limit = rule.whole else { return [] }
            guard let whole = number.integer else { return [] }
            return keyword == "minimum" ? (whole < limit ? violation : []) : (whole > limit ? violation : [])
        default: return ["\(rule.path): the keyword \(keyword) is not known to this checker"]
        }
    }

    private func checkObject(
        _ value: JSONNode, _ keyword: String, _ rule: JSONNode, _ all: [JSONMember], _ violation: [String]
    ) throws -> [String] {
        guard case .object(let members) = value.value else { return [] }
        switch keyword {
        case "properties":
            return try members.flatMap { member in
                try rule.member(member.name).map { try violations(member.node, $0) } ?? []
            }
        case "patternProperties":
            guard case .object(let patterns) = rule.value else { return [] }
            return try patterns.flatMap { pattern in
                try members.filter { try Regex(pattern.name).firstMatch(in: $0.name) != nil }
                    .flatMap { try violations($0.node, pattern.node) }
            }
        case "required":
            return rule.strings.filter { name in !members.contains { $0.name == name } }
                .map { "\(value.path): lacks \($0)" }
        case "minProperties": return Int64(members.count) < rule.whole ?? 0 ? violation : []
        case "propertyNames":
            return try members.flatMap {
                try violations(
                    JSONNode(value: .string($0.name), path: $0.node.path, line: $0.node.line), rule)
            }
        default:
            let named = all.first { $0.name == "properties" }?.node
            let patterns = all.first { $0.name == "patternProperties" }?.node
            return try members.filter { member in
                if named?.member(member.name) != nil { return false }
                guard case .object(let patterns)? = patterns?.value else { return true }
                return try patterns.allSatisfy { try Regex($0.name).firstMatch(in: member.name) == nil }
            }.flatMap { try violations($0.node, rule) }
        }
    }

    private func checkArray(
        _ value: JSONNode, _ keyword: String, _ rule: JSONNode, _ violation: [String]
    ) throws -> [String] {
        guard case .array(let elements) = value.value else { return [] }
        switch keyword {
        case "items": return try elements.flatMap { try violations($0, rule) }
        case "minItems": return Int64(elements.count) < rule.whole ?? 0 ? violation : []
        case "maxItems": return Int64(elements.count) > rule.whole ?? .max ? violation : []
        default:
            for (index, element) in elements.enumerated()
            where elements[..<index].contains(where: { $0.equals(element) }) {
                return violation
            }
            return []
        }
    }

    private func definition(_ reference: String) throws -> JSONNode {
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        guard reference.hasPrefix("#/$defs/"), let node = root.member("$defs")?.member(name) else {
            throw UnknownDefinition(reference: reference)
        }
        return node
    }

    /// A reference to a definition that the schema does not have.
    public struct UnknownDefinition: Error {
        /// The reference.
        public let reference: String
    }
}

extension JSONNode {
    /// The elements of an array; none for anything else.
    public var elements: [JSONNode] {
        guard case .array(let elements) = value else { return [] }
        return elements
    }

    fileprivate var text: String {
        guard case .string(let text) = value else { return "" }
        return text
    }

    fileprivate var strings: [String] {
        if case .string(let text) = value { return [text] }
        return elements.map(\.text)
    }

    fileprivate var whole: Int64? {
        guard case .number(let number) = value else { return nil }
        return number.integer
    }

    fileprivate func isOf(type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let number)): number.integer != nil
        default: false
        }
    }

    fileprivate func equals(_ other: JSONNode) -> Bool {
        switch (value, other.value) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.number(let left), .number(let right)):
            left == right || (left.integer != nil && left.integer == right.integer)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.equals($1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { member in other.member(member.name)?.equals(member.node) == true }
        default: false
        }
    }
}
