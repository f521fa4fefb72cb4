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

    @Test func `Help fits 80 columns and lists every option of each command`() {
        for row in CommandTable.blecap.commands {
            let help = CommandTable.blecap.helpText(row.name)
            for option in CommandTable.blecap.options(of: row.name) {
                #expect(help.contains("--\(option.long)"))
            }
            for line in help.split(separator: "\n") where !line.hasPrefix("  blecap") {
                #expect(line.count <= 80 || line.hasPrefix("  -") || line.hasPrefix("      --"), "\(line)")
            }
        }
    }
}
