extension CommandTable {
    /// The program's name and version, as `--version` prints it.
    public var versionText: String { "\(program) \(version)\n" }

    /// The word after `--help` that asks for everything.
    static let wholeHelp = "all"

    /// The help of one command, or of the program if `command` is nil.
    ///
    /// - Parameter isFull: whether it explains everything; otherwise it fits a screen.
    public func helpText(_ command: String?, isFull: Bool = false) -> String {
        guard let row = command.flatMap({ self.command($0) }) else {
            guard isFull else { return programHelp }
            return ([programHelp + statusHelp] + commands.map(fullHelp)).joined(separator: "\n\n")
        }
        return isFull ? fullHelp(row) : shortHelp(row)
    }

    private func usage(_ row: CommandRow) -> String {
        "Usage: \(program) \(row.name) [OPTION]... \(row.operands)\n"
    }

    private func text(_ examples: [String]) -> String {
        examples.isEmpty ? "" : "\nExamples:\n" + examples.map { "  \($0)\n" }.joined()
    }

    /// The examples and the options that most people need, a line each.
    private func shortHelp(_ row: CommandRow) -> String {
        var help = Columns.wrapped(row.summary, indent: 0) + "\n" + text(row.examples) + "\n" + usage(row)
        let all = options(of: row.name)
        let common = all.filter { $0.brief != nil }
        if !common.isEmpty { help += "\nOptions:\n" }
        for option in common { help += Columns.entry(option.spelling, option.brief ?? "") }
        let rest = all.count - common.count
        if rest > 0 || !row.details.isEmpty {
            help += "\n'\(program) \(row.name) --help all' explains everything"
            help += rest > 0 ? ", and \(rest) more options.\n" : ".\n"
        }
        return help
    }

    private func fullHelp(_ row: CommandRow) -> String {
        var help = usage(row) + "\n" + Columns.wrapped(row.summary, indent: 0) + "\n"
        for detail in row.details { help += "\n" + Columns.wrapped(detail, indent: 0) + "\n" }
        for (heading, rows) in groups(of: row.name) {
            help += "\n\(heading):\n"
            for option in rows { help += Columns.entry(option.spelling, option.fullHelp) }
        }
        help += Columns.entry("-h, --help [all]", "Shows the short help, or with all, this one.")
        return help + text(row.examples)
    }

    private var programHelp: String {
        let first = commands.prefix(Self.exampleCount).compactMap(\.examples.first)
        var help = Columns.wrapped("\(program): \(summary)", indent: 0) + "\n" + text(first)
        help += "\nUsage: \(program) COMMAND [OPTION]... [FILE]...\n\nCommands:\n"
        for row in commands { help += Columns.entry(row.name, row.summary, column: 18) }
        help += "\n'\(program) COMMAND --help' shows a command's options, and '--help all' everything;"
        return help + "\n'\(program) --version' says which version this is.\n"
    }

    private var statusHelp: String {
        "\nExit status:\n"
            + statuses.map { Columns.entry("\($0.0.rawValue)", $0.1, column: 6) }.joined()
    }

    /// Number of commands with an example in the program's help.
    private static let exampleCount = 5

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
