import CommandLineKit
import Foundation
import Testing

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
