import CommandLineKit

/// The user's tags of logs, for grouping: from `--tag key=value`, or from folders with such names.
struct LogTags: Sendable {
    private let given: [(key: String, value: String)]

    /// Creates tags from folders only.
    init() { given = [] }

    init(_ arguments: ParsedArguments) throws(Failure) {
        var given: [(key: String, value: String)] = []
        for text in arguments.values(.tag) {
            guard let tag = Self.tag(text[...]) else {
                throw Failure(.usage, "--tag \(text): give it as key=value", advice: nil)
            }
            given.append(tag)
        }
        self.given = given
    }

    /// The tags of a log at a path: those given, and those of the folders it is in.
    func of(_ path: String) -> [(key: String, value: String)] {
        var tags = given
        for folder in path.split(separator: "/").dropLast() {
            guard let tag = Self.tag(folder), !tags.contains(where: { $0.key == tag.key }) else { continue }
            tags.append(tag)
        }
        return tags.sorted { $0.key < $1.key }
    }

    private static func tag(_ text: Substring) -> (key: String, value: String)? {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}
