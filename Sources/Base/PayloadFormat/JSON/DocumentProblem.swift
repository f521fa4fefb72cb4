/// A place in a file of the user that does not say what its schema asks for.
public struct DocumentProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: `$.messages[2].name`.
    public let path: String
    /// The line in the file, from 1.
    public let line: Int
    /// What stands there.
    public let found: String
    /// What should.
    public let expected: String

    /// A problem at a place of the file.
    public init(path: String, line: Int, found: String, expected: String) {
        self.path = path
        self.line = line
        self.found = found
        self.expected = expected
    }

    public var description: String { "line \(line): \(path): \(found); expected \(expected)" }
}

extension [DocumentProblem] {
    /// One line about them: the first, and how many more there are.
    public var summary: String {
        guard let first else { return "nothing" }
        return count == 1 ? first.description : "\(first) (and \(count - 1) more)"
    }
}

/// The problems of one document, collected while it is read, and no more than a person would look at.
public struct DocumentProblems: Sendable {
    /// What was found, in the order of the document.
    public private(set) var list: [DocumentProblem] = []
    /// Problems beyond the limit, which were only counted.
    public private(set) var dropped = 0

    /// An empty collection.
    public init() {}

    /// Whether nothing was found.
    public var isEmpty: Bool { list.isEmpty }

    /// Notes what stands at `node` and what should.
    public mutating func add(_ node: JSONNode, found: String, expected: String) {
        if list.count < 100 {
            list.append(
                DocumentProblem(path: node.path, line: node.line, found: found, expected: expected))
        } else {
            dropped += 1
        }
    }

    /// Notes that `node` is of another kind than expected.
    public mutating func kind(_ node: JSONNode, expected: String) {
        add(node, found: node.kind, expected: expected)
    }
}
