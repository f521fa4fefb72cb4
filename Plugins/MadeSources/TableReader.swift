/// A mistake in the text of a row.
struct RowError: Error {
    var row: String
    var reason: String
}

/// A field of a row, with those in its brackets.
struct RowField {
    var name: String
    /// Its type in the text, such as `2*625us`; empty for a name with a fixed type.
    var type: String
    /// The fields of a list's element.
    var element: [RowField] = []
}

/// A row that asks for a type.
struct TypedRow {
    enum Kind { case command, event, leEvent, attribute, record }

    var kind: Kind
    var code: Int
    var section: String
    var name: String
    /// Name of the type.
    var type: String
    /// Values of fields other than 0, and names of the types of lists' elements.
    var options: [String: String]
    /// Names of the properties if they don't follow from those of the fields.
    var properties: [String]
    var summary: String
    var parameters: [RowField] = []
    var returnParameters: [RowField]?
}

/// Reads the rows of a source file's tables.
struct TableReader {
    private(set) var rows: [TypedRow] = []
    private(set) var codes: [CodeType] = []
    private var groups: [String: [RowField]] = [:]

    init(_ source: String) throws {
        var kind = TypedRow.Kind.command
        var lines: [String] = []
        var isTable = false
        var path: [Substring] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = line.firstMatch(of: /^(?:public enum|extension) (\w+)/)?.1 {
                path = [name]
            } else if let name = line.firstMatch(of: /static let (\w+) = PDUTable\(/)?.1 {
                path = path.prefix(1) + [name]
                kind =
                    switch name {
                    case "events": .event
                    case "leEvents": .leEvent
                    case "pdus": .attribute
                    case "records": .record
                    default: .command
                    }
                groups = [:]
            } else if line.contains("\"\"\"") {
                isTable.toggle()
                if !isTable {
                    let margin = line.prefix { $0 == " " }.count
                    try read(lines.map { String($0.dropFirst(margin)) }, kind, path.joined(separator: "."))
                    lines = []
                }
            } else if isTable {
                lines.append(String(line))
            }
        }
    }

    private mutating func read(_ lines: [String], _ kind: TypedRow.Kind, _ table: String) throws {
        var header: (code: Int, section: String, name: String)?
        // The type of the table's codes, or of the values in the next set.
        var type: CodeType?
        var place = 0
        while place < lines.count {
            var line = lines[place]
            place += 1
            let isType = line.hasPrefix("#=")
            while place < lines.count, lines[place].hasPrefix(isType ? "# " : " ") {
                line += " " + lines[place].drop { $0 == "#" || $0 == " " }
                place += 1
            }
            if let found = line.wholeMatch(of: /([0-9A-F]+) (?:([0-9.]+) )?(.*)/) {
                guard let code = Int(found.1, radix: 16) else { continue }
                header = (code, String(found.2 ?? ""), String(found.3))
                type?.rows.append((code, String(found.3)))
            } else if isType, header == nil, let found = line.wholeMatch(of: /#= ([\w ]+): (.*)/) {
                type = CodeType(
                    found.1.split(separator: " ").map(String.init), String(found.2), table: table)
            } else if header == nil, type != nil, let set = line.wholeMatch(of: /(\w+): (.*)/) {
                type?.add(set: set.2)
                type?.table = ""
                type?.set = String(set.1)
                codes += [type].compactMap(\.self)
                type = nil
            } else if isType, let header, let found = line.wholeMatch(of: /#= (\w+)(.*?): (.*)/) {
                let words = found.2.split(separator: " ").map(String.init)
                let pairs = words.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
                let options = pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
                rows.append(
                    TypedRow(
                        kind: kind, code: header.code, section: header.section, name: header.name,
                        type: String(found.1), options: Dictionary(uniqueKeysWithValues: options),
                        properties: pairs.filter { $0.count == 1 }.map { $0[0] }, summary: String(found.3)))
            } else if line.hasPrefix("@") {
                let name = line.dropFirst().prefix { $0 != " " }
                groups[String(name)] = try fields(line.dropFirst(name.count + 1), String(name))
            } else if let header, rows.last?.code == header.code, rows.last?.kind == kind {
                let found = try fields(line.dropFirst(), header.name)
                if line.hasPrefix(">") { rows[rows.count - 1].parameters = found }
                if line.hasPrefix("<") { rows[rows.count - 1].returnParameters = found }
            }
        }
        codes += [type].compactMap(\.self)
    }

    private func fields(_ text: Substring, _ row: String) throws -> [RowField] {
        var found: [RowField] = []
        var rest = text.drop { $0 == " " }
        while !rest.isEmpty {
            if rest.first == "@" {
                let name = String(rest.dropFirst().prefix { $0 != " " && $0 != ")" })
                guard let group = groups[name] else { throw RowError(row: row, reason: "group \(name)") }
                found += group
                rest = rest.dropFirst(name.count + 1)
            } else {
                var (isName, isQuoted) = (true, false)
                let word = rest.prefix { character in
                    if character == ":", !isQuoted { isName = false }
                    if character == "\"", isName { isQuoted.toggle() }
                    return isQuoted || character != " " && character != "("
                }
                rest = rest.dropFirst(word.count)
                let parts = word.split(separator: ":", maxSplits: 1)
                var field = RowField(
                    name: String((parts.first ?? "").replacing("\"", with: "")),
                    type: parts.count > 1 ? String(parts[1]) : "")
                if rest.first == "(" {
                    guard let end = Self.end(rest) else { throw RowError(row: row, reason: "a bracket") }
                    field.element = try fields(rest[rest.index(after: rest.startIndex)..<end], row)
                    rest = rest[rest.index(after: end)...]
                }
                found.append(field)
            }
            rest = rest.drop { $0 == " " }
        }
        return found
    }

    /// Index of the bracket that closes the first one.
    private static func end(_ text: Substring) -> Substring.Index? {
        var depth = 0
        return text.indices.first { index in
            depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
            return depth == 0
        }
    }
}
