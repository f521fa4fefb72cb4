/// The codes of an error type with Apple's names, from the comments of its file: `//= number name: text`.
///
/// A row without a number holds all other codes.
struct ErrorType {
    private let name: String
    private var rows: [(number: String, name: String, text: String)] = []

    /// Returns nil for a file without such rows.
    init?(_ source: String) {
        guard let found = source.firstMatch(of: /public struct (\w+)/) else { return nil }
        name = String(found.1)
        for row in source.matches(of: /\/\/= (\w+) (\w+): ([^\n]+)/) {
            rows.append((String(row.1), String(row.2), String(row.3)))
        }
        if rows.isEmpty { return nil }
    }

    /// The codes, the properties of the error with their names, and what is the same for each error.
    var text: String {
        let other = rows.first { $0.number == "others" }
        let named = rows.filter { $0.number != "others" }
        let statics = named.map { "public static var \($0.name): Code { .\($0.name) }" }
        let texts = rows.map { "case .\($0.name): \"\($0.text)\"" }
        return """

            extension \(name) {
            \(other.map { open(named, $0.name) } ?? closed(named))
            \(statics.joined(separator: "\n"))

            private var text: String {
            switch code {
            \(texts.joined(separator: "\n"))
            }
            }

            public static var errorDomain: String { \(name)Domain }
            /// The details given when the error was created.
            public var userInfo: [String: Any] { details.userInfo }
            public var errorCode: Int { code.rawValue }
            public var errorUserInfo: [String: Any] {
                [NSLocalizedDescriptionKey: text].merging(userInfo) { $1 }
            }
            public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String ?? text }
            /// Domain, code and text, formatted like an `NSError`.
            public var description: String {
                "Error Domain=\\(Self.errorDomain) Code=\\(errorCode) \\"\\(errorDescription ?? "")\\""
            }
            public static func == (left: Self, right: Self) -> Bool { left.details == right.details }
            public func hash(into hasher: inout Hasher) { hasher.combine(code) }
            }

            extension \(name).Code {
            /// Whether an error has this code: `catch \(name).invalidHandle`.
            public static func ~= (code: Self, error: any Error) -> Bool { (error as? \(name))?.code == code }
            }

            """
    }

    private typealias Rows = [(number: String, name: String, text: String)]

    private func closed(_ rows: Rows) -> String {
        let cases = rows.map { "case \($0.name) = \($0.number)" }
        return "public enum Code: Int, Hashable, Sendable {\n\(cases.joined(separator: "\n"))\n}"
    }

    /// An enumeration whose last case holds the numbers without a name.
    private func open(_ rows: Rows, _ other: String) -> String {
        """
        /// An error code.
        public enum Code: RawRepresentable, Hashable, Sendable {
        \(rows.map { "case \($0.name)" }.joined(separator: "\n"))
        /// A code without a name, usually of an application (0x80 to 0x9F) or a profile (0xE0 to 0xFF).
        ///
        /// Apple's type holds these too, without a case.
        case \(other)(Int)

        /// Creates the code of a number; never fails.
        public init?(rawValue: Int) {
        switch rawValue {
        \(rows.map { "case \($0.number): self = .\($0.name)" }.joined(separator: "\n"))
        default: self = .\(other)(rawValue)
        }
        }

        public var rawValue: Int {
        switch self {
        \(rows.map { "case .\($0.name): \($0.number)" }.joined(separator: "\n"))
        case .\(other)(let code): code
        }
        }

        public static func == (left: Code, right: Code) -> Bool { left.rawValue == right.rawValue }
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
        }
        """
    }
}
