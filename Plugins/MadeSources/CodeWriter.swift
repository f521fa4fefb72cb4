/// A Swift type of the codes, values or bits that a table or a set names.
struct CodeType {
    var name: String
    /// Number of bytes of a value.
    var width: Int
    /// Whether its values are sets of the named bits.
    var isBits: Bool
    /// Sentences that document it.
    var summary: String
    /// The table with the names; empty if a set has them.
    var table: String
    /// The set with the names.
    var set = ""
    /// Whether the functions of the table that pass on the fields of its PDUs are made too.
    var hasFields: Bool
    var rows: [(code: Int, name: String)] = []

    init(_ words: [String], _ summary: String, table: String) {
        name = words[0]
        width = words.dropFirst().first.flatMap { Int($0) } ?? 1
        isBits = words.contains("bits")
        self.summary = summary
        hasFields = words.contains("fields")
        self.table = table
    }

    /// Adds the names of a set, which are separated by semicolons; for its ranges there are no names.
    mutating func add(set text: Substring) {
        var next = 0
        for item in text.split(separator: ";") {
            let item = item.drop { $0 == " " }
            guard let found = item.wholeMatch(of: /(?:([0-9A-F]+)(?:-([0-9A-F]+))?=)?(.*)/) else { continue }
            let first = found.1.flatMap { Int($0, radix: 16) } ?? next
            next = (found.2.flatMap { Int($0, radix: 16) } ?? first) + 1
            if found.2 == nil { rows.append((first, String(found.3))) }
        }
    }

    /// The type in Swift.
    var text: String {
        let integer = "UInt\(width * 8)"
        var seen: Set<String> = []
        let named = rows.map { ($0.code, Self.property($0.name)) }.filter { seen.insert($0.1).inserted }
        let members = named.map { code, name in
            let value = isBits ? 1 << UInt64(code) : UInt64(code)
            return "@inlinable public static var \(name): Self { Self(rawValue: \(value)) }"
        }
        let name = """
            \(table.isEmpty ? "private static let names: ValueSet = \"\(set)\"" : "")
            /// The name in the specification; nil if none is assigned.
            public var name: StaticText? {
            \(table.isEmpty ? "Self.names.name(UInt64(rawValue))" : "\(table).name(of: UInt16(rawValue))")
            }
            """
        return """

            /// \(summary.replacing(" Source: ", with: "\n///\n/// Source: "))
            @frozen
            public struct \(self.name): \(isBits ? "OptionSet" : "RawRepresentable"), Hashable, Sendable {
            public var rawValue: \(integer)
            @inlinable public init(rawValue: \(integer)) { self.rawValue = rawValue }
            \(isBits ? "" : name)
            \(members.joined(separator: "\n"))
            }
            \(hasFields ? functions : "")

            """
    }

    /// The functions of a table whose rows hold the fields after the code.
    private var functions: String {
        """

        extension \(table.prefix { $0 != "." }) {
        /// All rows, in the order of the codes.
        public static var rows: [PDUTable.Row] { \(table).rows }

        /// Returns the parameters of a PDU; nil if only its name is known.
        public static func layout(_ code: \(name)) -> PDULayout? {
        \(table)[UInt16(code.rawValue)]?.parameters
        }

        /// Passes the parameters of a PDU to `coder`. Parameters without known fields are one field.
        ///
        /// - Returns: whether the fields are known.
        @inlinable
        @discardableResult
        public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
            _ code: \(name), _ coder: inout C
        ) throws(DecodeError) -> Bool {
        try PDULayout.code(layout(code), &coder)
        }
        }
        """
    }

    /// The property with a name of the specification: `PIN or Key Missing` is `pinOrKeyMissing`.
    private static func property(_ name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return "" }
        // Of the capitals that begin the name, the last one begins a word if a small letter follows.
        let capitals = first.prefix { !$0.isLowercase }.count
        let small = capitals == first.count || capitals == 1 ? capitals : capitals - 1
        return first.prefix(small).lowercased() + first.dropFirst(small)
            + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
