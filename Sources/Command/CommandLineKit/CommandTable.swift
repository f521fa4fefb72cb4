/// Every command and option of a program: the single source of its parsing, its help and its documentation.
public struct CommandTable: Sendable {
    /// The program's name, as typed.
    public var program: String
    /// Its version.
    public var version: String
    /// Description of the program in one line.
    public var summary: String
    /// The commands, in the order of the help.
    public var commands: [CommandRow]
    /// The options, in the order of the help.
    public var options: [OptionRow]
    /// Meaning of each exit status.
    public var statuses: [(ExitStatus, String)]
    /// Options of which a command line has at most one.
    public var exclusions: [[OptionRow]]
    /// The command that is meant if a file's name is in the place of a command.
    public var fileCommand = "annotate"

    public init(
        program: String, version: String, summary: String, commands: [CommandRow], options: [OptionRow],
        exclusions: [[OptionRow]] = [], statuses: [(ExitStatus, String)]
    ) {
        self.program = program
        self.version = version
        self.summary = summary
        self.commands = commands
        self.options = options
        self.exclusions = exclusions
        self.statuses = statuses
    }

    /// The command of this name.
    public func command(_ name: String) -> CommandRow? { commands.first { $0.name == name } }

    /// The options that a command accepts.
    public func options(of command: String) -> [OptionRow] {
        options.filter { $0.commands.contains(command) }
    }
}

/// One command: its name, its operands and its description.
public struct CommandRow: Sendable {
    /// One or two words, separated by a space.
    public var name: String
    /// The operands as shown in the usage line.
    public var operands: String
    /// Number of operands it takes.
    public var operandCount: ClosedRange<Int>
    /// Description in one line.
    public var summary: String
    /// Further paragraphs of its help.
    public var details: [String]
    /// Example command lines.
    public var examples: [String]

    public init(
        _ name: String, operands: String, operandCount: ClosedRange<Int>, summary: String,
        details: [String] = [], examples: [String] = []
    ) {
        self.name = name
        self.operands = operands
        self.operandCount = operandCount
        self.summary = summary
        self.details = details
        self.examples = examples
    }
}

/// One option: its spelling, its argument, its description, and the commands that accept it.
public struct OptionRow: Sendable {
    /// The argument after the option's name.
    public enum Argument: Sendable {
        /// No argument: the option is a flag.
        case none
        /// A value, shown in the help under this name.
        case value(String)
        /// One of these words.
        case choice([String])
    }

    /// The name after `--`.
    public var long: String
    /// The letter after `-`, if there is one.
    public var short: Character?
    /// The argument after the name.
    public var argument: Argument
    /// Whether repeating it adds a value; otherwise the last one counts.
    public var repeats: Bool
    /// The heading under which the help lists it.
    public var group: String
    /// Description in one or two sentences without a line break.
    public var help: String
    /// Description in a few words for the short help, which lists only options that have one.
    public var brief: String?
    /// The names of the commands that accept it.
    public var commands: [String]

    public init(
        _ long: String, _ short: Character? = nil, _ argument: Argument = .none, repeats: Bool = false,
        group: String, commands: [String], _ help: String,
        brief: String? = nil
    ) {
        self.long = long
        self.short = short
        self.argument = argument
        self.repeats = repeats
        self.group = group
        self.help = help
        self.brief = brief
        self.commands = commands
    }

    /// The description, including whether the option may be repeated.
    public var fullHelp: String { help + (repeats ? " May be given several times." : "") }

    /// The argument as shown in the help: `FILE`, `text|ndjson`; empty if absent.
    public var argumentName: String {
        switch argument {
        case .none: ""
        case .value(let name): name
        case .choice(let words): words.joined(separator: "|")
        }
    }

    /// The option as shown in the help: `-o, --output FILE`.
    public var spelling: String {
        let letter = short.map { "-\($0), " } ?? "    "
        let name = argumentName
        return letter + "--" + long + (name.isEmpty ? "" : " " + name)
    }
}

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
        help += "\nUsage: \(program) COMMAND [OPTION]... [FILE]...\n"
        help += "       \(program) FILE...    \(fileShortcut)\n\nCommands:\n"
        for row in commands { help += Columns.entry(row.name, row.summary, column: 18) }
        help += "\n'\(program) COMMAND --help' shows a command's options, and '--help all' everything;"
        return help + "\n'\(program) --version' says which version this is.\n"
    }

    /// The meaning of a command line without a command.
    private var fileShortcut: String { "short for '\(program) \(fileCommand) FILE...'" }

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

extension CommandTable {
    /// The manual page of section 1, in roff's `man` macros.
    public var manual: String {
        var text = ".TH \(program.uppercased()) 1 \"\" \"\(program) \(version)\" \"User Commands\"\n"
        text += ".SH NAME\n\(program) \\- \(Self.roff(summary))\n"
        text += ".SH SYNOPSIS\n.B \(program)\n.I COMMAND\n.RI [ OPTION ]...\n.RI [ FILE ]...\n"
        text += ".PP\n\(Self.roff("\(program) FILE...: \(fileShortcut)"))\n"
        text += ".SH COMMANDS\n"
        for row in commands {
            text += ".SS \(Self.roff("\(program) \(row.name) [OPTION]... \(row.operands)"))\n"
            for paragraph in [row.summary] + row.details { text += ".PP\n\(Self.roff(paragraph))\n" }
            for (heading, rows) in groups(of: row.name) {
                text += ".PP\n\(Self.roff(heading)):\n"
                for option in rows {
                    text += ".TP\n.B \(Self.roff(option.spelling.drop { $0 == " " }))\n"
                    text += "\(Self.roff(option.fullHelp))\n"
                }
            }
            guard !row.examples.isEmpty else { continue }
            text += ".PP\nExamples:\n"
            for example in row.examples { text += ".PP\n.nf\n\(Self.roff(example))\n.fi\n" }
        }
        text += ".SH EXIT STATUS\n"
        for (status, meaning) in statuses { text += ".TP\n.B \(status.rawValue)\n\(Self.roff(meaning))\n" }
        return text
    }

    /// The scalar's number as roff has it: upper case, at least four digits.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Text that roff prints as it is.
    private static func roff(_ text: some StringProtocol) -> String {
        var escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // Not every roff reads UTF-8.
        escaped = String(
            escaped.unicodeScalars.flatMap { scalar in
                scalar.isASCII ? [Character(scalar)] : Array("\\[u\(hexadecimal(scalar))]")
            })
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : String(escaped)
    }
}
