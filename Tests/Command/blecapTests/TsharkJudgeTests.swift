import Foundation
import Testing

/// tshark as an outside judge (tools/judge), with Bumble's parsers as the third vote; see docs/judges.md.
@Suite(.enabled(if: PackageRoot.tshark != nil, "tshark is not installed"))
struct TsharkJudgeTests {
    @Test(.enabled(if: PackageRoot.corpus != nil, "no corpus at ../shared/corpus or BLECAP_CORPUS"))
    func `every HCI capture of the corpus is read as tshark reads it, save for the named classes`() throws {
        let corpus = try #require(PackageRoot.corpus)
        let said = try judge(["compare", "--quiet", corpus.path])
        #expect(said.contains("captures, "))
    }

    @Test func `every capture of this repository is read as tshark reads it, save for the named classes`()
        throws
    {
        let said = try judge(["compare", "--quiet", PackageRoot.url.appendingPathComponent("captures").path])
        #expect(!said.contains("\n0 captures"))
    }

    @Test(.enabled(if: PackageRoot.corpus != nil, "no corpus at ../shared/corpus or BLECAP_CORPUS"))
    func `the parameters of every command and event of the corpus are those that tshark reads`() throws {
        let corpus = try #require(PackageRoot.corpus)
        let said = try judge(["parameters", "--quiet", corpus.path])
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

    @Test(.enabled(if: PackageRoot.corpus != nil, "no corpus at ../shared/corpus or BLECAP_CORPUS"))
    func `the command ends by itself on every file of the corpus, where btmon does not`() throws {
        let corpus = try #require(PackageRoot.corpus)
        let said = try judge(["btmon", corpus.path])
        #expect(said.contains("| zengge-on-off.log |"))
    }

    /// Runs the judge on the built command; everything it finds fault with becomes an issue.
    private func judge(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = PackageRoot.url.appendingPathComponent("tools/judge/judge")
        process.arguments = arguments + ["--blecap", PackageRoot.command.path]
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let handle = try FileHandle(forUpdating: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let said = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        if process.terminationStatus == 4 { try Test.cancel("\(said.prefix(200))") }
        #expect(process.terminationStatus == 0, "\(said)")
        return said
    }
}
