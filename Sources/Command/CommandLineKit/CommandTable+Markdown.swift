extension CommandTable {
    /// The page that documents every command and option: the content of `docs/options.md`.
    public var markdown: String {
        var text = "# Commands and options\n\n"
        text += "This page is generated from the sources' table of options, which also feeds the parser\n"
        text += "and the help. To rewrite it: `RECORD_GOLDEN=1 swift test --filter OptionsPageTests`"
        text += ".\n\n| command | what it does |\n|---|---|\n"
        for row in commands {
            text += "| [`\(row.name)`](#\(Self.anchor(row.name))) | \(Self.cell(row.summary)) |\n"
        }
        for row in commands {
            text += "\n## \(row.name)\n\n`\(program) \(row.name) [OPTION]... \(row.operands)`\n\n"
            text += row.summary + "\n"
            for detail in row.details { text += "\n\(detail)\n" }
            for (heading, options) in groups(of: row.name) {
                text += "\n| \(heading) | |\n|---|---|\n"
                for option in options { text += Self.line(option) }
            }
            if !row.examples.isEmpty {
                text += "\n```\n" + row.examples.joined(separator: "\n") + "\n```\n"
            }
        }
        text += "\n## Exit status\n\n| status | meaning |\n|---|---|\n"
        for (status, meaning) in statuses { text += "| \(status.rawValue) | \(Self.cell(meaning)) |\n" }
        return text
    }

    private static func line(_ option: OptionRow) -> String {
        let names = (option.short.map { "`-\($0)`, " } ?? "") + "`--\(option.long)"
        let argument = option.argumentName
        return "| \(names)\(argument.isEmpty ? "" : " " + cell(argument))` | \(cell(option.fullHelp)) |\n"
    }

    private static func anchor(_ name: String) -> String { String(name.map { $0 == " " ? "-" : $0 }) }

    private static func cell(_ text: String) -> String {
        var out = ""
        for character in text { out += character == "|" ? "\\|" : String(character) }
        return out
    }
}
