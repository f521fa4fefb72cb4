/// Reads the members of a JSON object one by one; members left over are problems.
///
/// An absent member or one of the wrong kind gives nil. The wrong kind is a problem; absence is one only with
/// `required`.
public struct JSONObjectReader {
    /// The object itself.
    public let node: JSONNode
    private let members: [String: JSONNode]
    private var known: Set<String> = []

    /// Creates a reader for `node`; anything but an object is nil and a problem.
    public init?(_ node: JSONNode, _ problems: inout DocumentProblems) {
        guard case .object(let members) = node.value else {
            problems.kind(node, expected: "an object")
            return nil
        }
        self.node = node
        self.members = Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
    }

    /// Returns the value of a member; nil if absent.
    public mutating func member(
        _ name: String, required: Bool = false, _ problems: inout DocumentProblems
    ) -> JSONNode? {
        known.insert(name)
        if let member = members[name] { return member }
        if required { problems.add(node, found: "no member \"\(name)\"", expected: "one") }
        return nil
    }

    /// Whether the object has a member.
    public func has(_ name: String) -> Bool { members[name] != nil }

    /// Returns a string.
    public mutating func string(
        _ name: String, required: Bool = false, _ problems: inout DocumentProblems
    ) -> String? {
        guard let node = member(name, required: required, &problems) else { return nil }
        return node.string(&problems)
    }

    /// Returns the value of one of the strings in `choices`.
    public mutating func choice<Value>(
        _ name: String, _ choices: KeyValuePairs<String, Value>, required: Bool = false,
        _ problems: inout DocumentProblems
    ) -> Value? {
        guard let node = member(name, required: required, &problems),
            let text = node.string(&problems)
        else { return nil }
        if let found = choices.first(where: { $0.key == text }) { return found.value }
        let names = choices.map { "\"\($0.key)\"" }.joined(separator: ", ")
        problems.add(node, found: "\"\(text)\"", expected: "one of \(names)")
        return nil
    }

    mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, required: Bool = false, _ problems: inout DocumentProblems
    ) -> Choice? {
        guard let node = member(name, required: required, &problems), let text = node.string(&problems)
        else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        problems.add(node, found: "\"\(text.prefix(40))\"", expected: "one of \(names)")
        return nil
    }

    /// Returns a whole number within `range`.
    public mutating func integer(
        _ name: String, _ range: ClosedRange<Int64>, required: Bool = false,
        _ problems: inout DocumentProblems
    ) -> Int64? {
        guard let node = member(name, required: required, &problems) else { return nil }
        return node.integer(range, &problems)
    }

    /// Returns a code up to `limit`: a whole number, or a string such as `"0x0101"`.
    public mutating func code(
        _ name: String, limit: UInt64, required: Bool = false, _ problems: inout DocumentProblems
    ) -> UInt64? {
        guard let node = member(name, required: required, &problems) else { return nil }
        return node.code(limit: limit, &problems)
    }

    /// Returns a Boolean.
    public mutating func bool(_ name: String, _ problems: inout DocumentProblems) -> Bool? {
        guard let node = member(name, &problems) else { return nil }
        if case .bool(let value) = node.value { return value }
        problems.kind(node, expected: "true or false")
        return nil
    }

    /// Returns the bytes of hexadecimal text, of a length within `range`.
    public mutating func octets(
        _ name: String, _ range: ClosedRange<Int>, required: Bool = false,
        _ problems: inout DocumentProblems
    ) -> [UInt8]? {
        guard let node = member(name, required: required, &problems) else { return nil }
        return node.octets(range, &problems)
    }

    /// Returns a UUID of four, eight or 32 digits; anything else is nil and a problem.
    public mutating func uuid<UUID: LosslessStringConvertible>(
        _ name: String, _ problems: inout DocumentProblems
    ) -> UUID? {
        guard let node = member(name, &problems), let text = node.string(&problems) else { return nil }
        if let uuid = UUID(text) { return uuid }
        problems.add(
            node, found: "\"\(text.prefix(40))\"", expected: "a UUID of 16, 32 or 128 bits, in digits")
        return nil
    }

    /// Returns the elements of an array.
    public mutating func array(
        _ name: String, required: Bool = false, _ problems: inout DocumentProblems
    ) -> [JSONNode]? {
        guard let node = member(name, required: required, &problems) else { return nil }
        return node.array(&problems)
    }

    /// Returns a reader for a member that is an object.
    public mutating func object(
        _ name: String, required: Bool = false, _ problems: inout DocumentProblems
    ) -> JSONObjectReader? {
        guard let node = member(name, required: required, &problems) else { return nil }
        return JSONObjectReader(node, &problems)
    }

    /// Reports every unused member except `$schema` and `comment`, which belong to the author.
    public func finish(_ problems: inout DocumentProblems) {
        guard case .object(let all) = node.value else { return }
        for member in all where !known.contains(member.name) {
            if member.name == "$schema" || member.name == "comment" { continue }
            let names = known.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            problems.add(member.node, found: "an unknown member", expected: "one of \(names)")
        }
    }
}

/// A place in a user's file that does not match its schema.
public struct DocumentProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Path of the place: `$.messages[2].name`.
    public let path: String
    /// The line in the file, from 1.
    public let line: Int
    /// The content found.
    public let found: String
    /// The expected content.
    public let expected: String

    /// Creates a problem at a place of the file.
    public init(path: String, line: Int, found: String, expected: String) {
        self.path = path
        self.line = line
        self.found = found
        self.expected = expected
    }

    public var description: String { "line \(line): \(path): \(found); expected \(expected)" }
}

extension [DocumentProblem] {
    /// One-line summary: the first problem and the number of others.
    public var summary: String {
        guard let first else { return "nothing" }
        return count == 1 ? first.description : "\(first) (and \(count - 1) more)"
    }
}

/// The reasons why a document is invalid.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// All problems.
    public let problems: [DocumentProblem]

    /// Creates the error of these problems.
    public init(problems: [DocumentProblem]) { self.problems = problems }

    /// The first problem, and the number of the others.
    public var description: String { problems.summary }
}

/// The problems of one document, collected while it is read, limited to a readable number.
public struct DocumentProblems: Sendable {
    /// The problems found, in the order of the document.
    public private(set) var list: [DocumentProblem] = []
    /// Number of problems beyond the limit.
    public private(set) var dropped = 0

    /// Creates an empty collection.
    public init() {}

    /// Reads a document; nil, with its problems, if it is invalid.
    ///
    /// - Parameter body: reads it from its outermost value.
    public static func read<Document>(
        _ json: [UInt8], _ body: (JSONNode, inout DocumentProblems) -> Document?
    ) -> (document: Document?, problems: [DocumentProblem]) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(json)
        } catch {
            return (nil, [error.problem])
        }
        var problems = DocumentProblems()
        let document = body(root, &problems)
        return (problems.isEmpty ? document : nil, problems.list)
    }

    /// Whether no problem was found.
    public var isEmpty: Bool { list.isEmpty }

    /// Adds a problem at `node`: the content found and the content expected. Adding it again changes nothing.
    public mutating func add(_ node: JSONNode, found: String, expected: String) {
        let problem = DocumentProblem(path: node.path, line: node.line, found: found, expected: expected)
        guard !list.contains(problem) else { return }
        if list.count < 100 {
            list.append(problem)
        } else {
            dropped += 1
        }
    }

    /// Adds the problem that `node` has the wrong kind.
    public mutating func kind(_ node: JSONNode, expected: String) {
        add(node, found: node.kind, expected: expected)
    }
}
