extension CommandTable {
    /// The program's name and version, as `--version` prints it.
    public var versionText: String { "\(program) \(version)\n" }

    /// The help of one command, or of the program if `command` is nil.
    public func helpText(_ command: String?) -> String {
        guard let row = command.flatMap({ self.command($0) }) else { return programHelp }
        var text = "Usage: \(program) \(row.name) [OPTION]... \(row.operands)\n\n"
        text += Columns.wrapped(row.summary, indent: 0) + "\n"
        for detail in row.details { text += "\n" + Columns.wrapped(detail, indent: 0) + "\n" }
        for (heading, rows) in groups(of: row.name) {
            text += "\n\(heading):\n"
            for option in rows { text += Columns.entry(option.spelling, option.fullHelp) }
        }
        text += Columns.entry("-h, --help", "Shows this help.")
        if !row.examples.isEmpty {
            text += "\nExamples:\n"
            for example in row.examples { text += "  \(example)\n" }
        }
        return text
    }

    private var programHelp: String {
        var text = Columns.wrapped("\(program): \(summary)", indent: 0) + "\n\n"
        text += "Usage: \(program) COMMAND [OPTION]... [FILE]...\n\nCommands:\n"
        for row in commands { text += Columns.entry(row.name, row.summary, column: 18) }
        text += Columns.entry("help [COMMAND]", "Shows the help of a command, or this list.", column: 18)
        text += "\n'\(program) COMMAND --help' lists a command's options; '\(program) --version' says which"
        text += "\nversion this is.\n\nExit status:\n"
        for (status, meaning) in statuses {
            text += Columns.entry("\(status.rawValue)", meaning, column: 6)
        }
        return text
    }

    /// The options of a command under their headings, both in the table's order.
    func groups(of command: String) -> [(String, [OptionRow])] {
        let rows = options(of: command)
        var headings: [String] = []
        for row in rows where !headings.contains(row.group) { headings.append(row.group) }
        return headings.map { heading in (heading, rows.filter { $0.group == heading }) }
    }
}

/// Text in lines of at most 80 columns.
enum Columns {
    static let width = 80

    /// The words in lines, each indented by `indent` spaces, without a line end after the last.
    static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(margin + line)
        return lines.joined(separator: "\n")
    }

    /// A term and, from `column` on, its meaning; a term too long for its column gets its own line.
    static func entry(_ term: String, _ meaning: String, column: Int = 30) -> String {
        let body = wrapped(meaning, indent: column)
        let head = "  " + term
        guard head.count + 2 <= column else { return head + "\n" + body + "\n" }
        return head + String(repeating: " ", count: column - head.count) + body.dropFirst(column) + "\n"
    }
}
