/// The empty defaults of a delegate's methods that may be left out: those below a comment with "left out".
struct DelegateType {
    private let name: String
    private var methods: [String] = []

    /// Returns nil for a file without such a comment.
    init?(_ source: String) {
        guard let found = source.firstMatch(of: /public protocol (\w+): NSObjectProtocol \{/)
        else { return nil }
        name = String(found.1)
        let body = source[found.range.upperBound...].prefix { $0 != "}" }
        guard let mark = body.firstMatch(of: /\/\/ [^\n]* left out[^\n]*\n/) else { return nil }
        let written = Self.methods(source[body.endIndex...])
        methods = Self.methods(body[mark.range.upperBound...]).filter { !written.contains($0) }
    }

    /// The declarations in a text, without line breaks.
    private static func methods(_ text: Substring) -> [String] {
        text.split(separator: "func ").dropFirst().map { rest in
            var depth = 0
            let end = rest.firstIndex { character in
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                return depth == 0 && character == ")"
            }
            let words = rest[...(end ?? rest.startIndex)].split { $0 == " " || $0 == "\n" }
            return words.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
        }
    }

    var text: String {
        let defaults = methods.map { "public func \($0) {}" }
        return "\nextension \(name) {\n\(defaults.joined(separator: "\n"))\n}\n"
    }
}
