import Foundation
import Testing

@testable import CommandLineKit
@testable import blecap

@Suite struct OptionsPageTests {
    @Test func `The page of options says what the table says`() throws {
        let page = PackageRoot.url.appendingPathComponent("docs/options.md")
        let made = CommandTable.blecap.markdown
        if PackageRoot.recordsGolden { try Data(made.utf8).write(to: page) }
        #expect(try String(contentsOf: page, encoding: .utf8) == made)
    }

    @Test func `Every option belongs to a command, and no command knows two of one name or letter`() {
        let names = CommandTable.blecap.commands.map(\.name)
        for row in OptionRow.every {
            #expect(!row.commands.isEmpty)
            #expect(row.commands.allSatisfy { names.contains($0) }, "\(row.long)")
        }
        for name in names {
            let rows = CommandTable.blecap.options(of: name)
            #expect(Set(rows.map(\.long)).count == rows.count)
            let letters = rows.compactMap(\.short)
            #expect(Set(letters).count == letters.count)
        }
    }

    static let helps = [nil] + CommandTable.blecap.commands.map { $0.name }

    @Test(arguments: helps)
    func `Help fits 80 columns, and with all it lists every option`(command: String?) {
        let full = CommandTable.blecap.helpText(command, isFull: true)
        for option in OptionRow.every where command.map(option.commands.contains) ?? true {
            #expect(full.contains("--\(option.long)"))
        }
        for line in (full + CommandTable.blecap.helpText(command)).split(separator: "\n")
        where !line.hasPrefix("  blecap") && !line.hasPrefix("Usage:") {
            #expect(line.count <= 80 || line.hasPrefix("  -") || line.hasPrefix("      --"), "\(line)")
        }
    }

    @Test(arguments: helps)
    func `Help fits a screen and begins with examples`(command: String?) throws {
        let lines = CommandTable.blecap.helpText(command).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 41)
        let hasExamples = command.flatMap(CommandTable.blecap.command).map { !$0.examples.isEmpty } ?? true
        if hasExamples { #expect(lines.prefix(5).contains("Examples:")) }
    }
}

extension CommandTable {
    /// The page that documents every command and option: the content of `docs/options.md`.
    var markdown: String {
        var text = "# Commands and options\n\n"
        text += "This page is generated from the sources' table of options, which also feeds the parser\n"
        text += "and the help. To rewrite it: `RECORD_GOLDEN=1 swift test --filter OptionsPageTests`"
        text += ".\n\n`\(program) FILE...` is short for `\(program) \(fileCommand) FILE...`.\n"
        text += "\n| command | what it does |\n|---|---|\n"
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
