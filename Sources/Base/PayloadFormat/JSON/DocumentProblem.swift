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

/// The problems of one document, collected while it is read, limited to a readable number.
public struct DocumentProblems: Sendable {
    /// The problems found, in the order of the document.
    public private(set) var list: [DocumentProblem] = []
    /// Number of problems beyond the limit.
    public private(set) var dropped = 0

    /// Creates an empty collection.
    public init() {}

    /// Whether no problem was found.
    public var isEmpty: Bool { list.isEmpty }

    /// Adds a problem at `node`: the content found and the content expected.
    public mutating func add(_ node: JSONNode, found: String, expected: String) {
        if list.count < 100 {
            list.append(
                DocumentProblem(path: node.path, line: node.line, found: found, expected: expected))
        } else {
            dropped += 1
        }
    }

    /// Adds the problem that `node` has the wrong kind.
    public mutating func kind(_ node: JSONNode, expected: String) {
        add(node, found: node.kind, expected: expected)
    }
}
