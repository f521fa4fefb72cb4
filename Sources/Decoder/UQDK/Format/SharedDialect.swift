import WireBytes

/// A dialect that every link of a run shares: what refers to it copies one reference, not a tree of fields.
final class SharedDialect: Hashable, Sendable {
    let dialect: Dialect

    /// Whether a message is cut into fragments.
    let isFragmented: Bool

    init(_ dialect: Dialect) {
        self.dialect = dialect
        isFragmented = dialect.fragments != nil
    }

    static func == (left: SharedDialect, right: SharedDialect) -> Bool {
        left === right || left.dialect == right.dialect
    }

    // What is asked of every value and message stands here, where the dialect is borrowed: asked of what a
    // link holds, each question would copy all of it.

    /// Reads a fragment; nil where the value is none.
    func fragment(_ value: [UInt8]) -> Fragment? {
        guard isFragmented, let format = dialect.fragments?.format else { return nil }
        return Fragment(value, format)
    }

    /// Looks at the octets of a whole message.
    func decode(_ octets: [UInt8], from sender: Sender, id: UInt64) -> MessageDecoding {
        MessageDecoding(octets, dialect, from: sender, id: id)
    }

    /// The command of a code.
    func command(_ code: UInt64) -> DialectCommand? { dialect.command(code) }

    func hash(into hasher: inout Hasher) { hasher.combine(dialect) }
}
