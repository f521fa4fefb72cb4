import Foundation
import TestSupport
import Testing

/// tshark as an outside judge (tools/judge), with Bumble's parsers as the third vote; see docs/judges.md.
@Suite(.judge, .enabled(if: PackageRoot.tshark != nil, "tshark is not installed"))
struct TsharkJudgeTests {
    @Test(.corpus)
    func `every HCI capture of the corpus is read as tshark reads it, save for the named classes`() throws {
        let corpus = try #require(Corpus.folder)
        let said = try judge(["compare", "--quiet", corpus])
        #expect(said.contains("captures, "))
    }

    @Test func `every capture of this repository is read as tshark reads it, save for the named classes`()
        throws
    {
        let said = try judge(["compare", "--quiet", PackageRoot.url.appendingPathComponent("captures").path])
        #expect(!said.contains("\n0 captures"))
    }

    @Test(.corpus)
    func `the parameters of every command and event of the corpus are those that tshark reads`() throws {
        let corpus = try #require(Corpus.folder)
        let said = try judge(["parameters", "--quiet", corpus])
        #expect(!said.hasPrefix("0 captures"))
    }

    @Test func `the parameters of every command and event of this repository are those that tshark reads`()
        throws
    {
        let captures = PackageRoot.url.appendingPathComponent("captures").path
        let said = try judge(["parameters", "--quiet", captures])
        #expect(!said.hasPrefix("0 captures"))
    }

    @Test func `the parameters of every command and event there may be are those that tshark reads`() throws {
        let said = try judge(["parameters", "--quiet"])
        #expect(said.hasPrefix("1 captures"))
    }

    @Test func `captures whose truth is known by construction are read as they are`() throws {
        let said = try judge(["made"])
        #expect(said.contains("ok    reused-handle"))
    }

    @Test(.corpus)
    func `the command ends by itself on every file of the corpus, where btmon does not`() throws {
        let corpus = try #require(Corpus.folder)
        let said = try judge(["btmon", corpus])
        #expect(said.contains("| zengge-on-off.log |"))
    }

    /// Runs the judge on the built command; everything it finds fault with becomes an issue.
    private func judge(_ arguments: [String]) throws -> String {
        let run = try ProgramRun(
            PackageRoot.url.appendingPathComponent("tools/judge/judge").path,
            arguments + ["--blecap", PackageRoot.command.path])
        let said = run.text + run.errors
        if run.status == 4 { try Test.cancel("\(said.prefix(200))") }
        #expect(run.status == 0, "\(said)")
        return said
    }
}
