import Foundation
import Testing

@Suite struct CommandRunTests {
    @Test func `Help goes to standard output, wrong usage to standard error with status 2`() throws {
        let help = try CommandRun(["help"])
        #expect(help.status == 0 && help.errors.isEmpty && help.text.contains("annotate"))
        let wrong = try CommandRun(["anotate", "x"])
        #expect(wrong.status == 2 && wrong.output.isEmpty)
        #expect(wrong.errors == "blecap: unknown command 'anotate'; did you mean 'annotate'?\n")
    }

    @Test func `The version is one line`() throws {
        let run = try CommandRun(["--version"])
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("blecap ") && run.text.split(separator: "\n").count == 1)
    }
}
