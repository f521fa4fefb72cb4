import CommandLineKit

/// What a user says of logs, so that they can be grouped: by `--tag key=value`, or by folders that are named
/// so.
struct LogTags: Sendable {
    private let given: [(key: String, value: String)]

    /// No tags but those of folders.
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

    /// The tags of a log, by its path: those that are given, and those of the folders it is in.
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
