/// Validates values against the part of JSON Schema (2020-12) that this project's schemas use.
///
/// A keyword it doesn't know is an error, so that no rule of a schema can go unchecked.
final class JSONSchema {
    private let root: JSONValue
    private var patterns: [String: Regex<AnyRegexOutput>] = [:]

    private static let annotations: Set<String> = [
        "$schema", "$id", "$defs", "title", "description", "$comment", "examples",
    ]

    init(_ root: JSONValue) { self.root = root }

    /// What is wrong with the value, each with the place in it; empty where nothing is.
    func problems(of value: JSONValue) -> [String] { check(value, root, "$") }

    private func check(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        if case .bool(let allowed) = schema { return allowed ? [] : ["\(path): not allowed here"] }
        guard case .object(let rules) = schema else { return ["\(path): the schema is no object"] }
        return rules.flatMap { rule in apply(rule.name, rule.value, value, schema, path) }
    }

    private func apply(
        _ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ schema: JSONValue, _ path: String
    ) -> [String] {
        switch keyword {
        case "$ref": return reference(rule.text ?? "", value, path)
        case "type": return type(rule, value, path)
        case "const": return value == rule ? [] : ["\(path): \(value) is not \(rule)"]
        case "enum":
            return (rule.elements ?? []).contains(value) ? [] : ["\(path): \(value) is not allowed"]
        case "pattern": return pattern(rule.text ?? "", value, path)
        case "minimum", "maximum": return bound(keyword, rule, value, path)
        case "minItems":
            guard let elements = value.elements, let least = rule.integer, elements.count < least else {
                return []
            }
            return ["\(path): fewer than \(least) elements"]
        case "items":
            return (value.elements ?? []).enumerated().flatMap { check($1, rule, "\(path)[\($0)]") }
        case "required":
            guard case .object = value else { return [] }
            return (rule.elements ?? []).compactMap { $0.text }.filter { value[$0] == nil }.map {
                "\(path): '\($0)' is missing"
            }
        case "properties": return properties(rule, value, path)
        case "additionalProperties": return additional(rule, value, schema, path)
        case "oneOf", "anyOf": return alternatives(keyword, rule, value, path)
        case _ where Self.annotations.contains(keyword): return []
        default: return ["\(path): the schema's keyword '\(keyword)' is not known to the validator"]
        }
    }

    private func reference(_ name: String, _ value: JSONValue, _ path: String) -> [String] {
        let prefix = "#/$defs/"
        guard name.hasPrefix(prefix), let schema = root["$defs"]?[String(name.dropFirst(prefix.count))] else {
            return ["\(path): no definition \(name)"]
        }
        return check(value, schema, path)
    }

    private func type(_ rule: JSONValue, _ value: JSONValue, _ path: String) -> [String] {
        let names = rule.elements?.compactMap(\.text) ?? [rule.text ?? ""]
        return names.contains { Self.matches(value, $0) } ? [] : ["\(path): \(value) is no \(names)"]
    }

    private static func matches(_ value: JSONValue, _ type: String) -> Bool {
        switch value {
        case .object: type == "object"
        case .array: type == "array"
        case .string: type == "string"
        case .number(let text):
            type == "number" || type == "integer" && !text.contains { ".eE".contains($0) }
        case .bool: type == "boolean"
        case .null: type == "null"
        }
    }

    private func pattern(_ pattern: String, _ value: JSONValue, _ path: String) -> [String] {
        guard case .string(let text) = value else { return [] }
        let known = patterns[pattern]
        guard let regex = known ?? (try? Regex(pattern)) else { return ["\(path): no pattern \(pattern)"] }
        patterns[pattern] = regex
        return text.firstMatch(of: regex) != nil ? [] : ["\(path): '\(text)' does not match \(pattern)"]
    }

    private func bound(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ path: String) -> [String] {
        guard case .number(let text) = value, case .number(let limit) = rule, let number = Double(text),
            let edge = Double(limit)
        else { return [] }
        let holds = keyword == "minimum" ? number >= edge : number <= edge
        return holds ? [] : ["\(path): \(text) breaks the \(keyword) \(limit)"]
    }

    private func properties(_ rule: JSONValue, _ value: JSONValue, _ path: String) -> [String] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { member in
            rule[member.name].map { check(member.value, $0, "\(path).\(member.name)") } ?? []
        }
    }

    private func additional(
        _ rule: JSONValue, _ value: JSONValue, _ schema: JSONValue, _ path: String
    ) -> [String] {
        guard case .object(let members) = value else { return [] }
        return members.filter { schema["properties"]?[$0.name] == nil }.flatMap {
            check($0.value, rule, "\(path).\($0.name)")
        }
    }

    private func alternatives(
        _ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ path: String
    ) -> [String] {
        let results = (rule.elements ?? []).map { check(value, $0, path) }
        let good = results.filter(\.isEmpty).count
        if good == 1 || (good > 1 && keyword == "anyOf") { return [] }
        if good > 1 { return ["\(path): more than one alternative holds"] }
        // The alternative with the fewest complaints is the one that was meant.
        return results.min { $0.count < $1.count } ?? ["\(path): no alternative"]
    }
}
