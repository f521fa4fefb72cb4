import Foundation
import Testing

/// What `--profile` names comes before what is built in.
@Suite struct NamedProfileTests {
    private static let command = "5551444B-0002-4449-4749-54414C4B4559"
    private static let info = "5551444B-0004-4449-4749-54414C4B4559"

    /// A profile named "plain" that takes every value of a characteristic as bytes.
    private static func plain(_ characteristic: String, _ operation: String, in folder: TemporaryFolder)
        throws
        -> String
    {
        let path = folder.path("plain.json")
        let text = """
            {"name": "plain", "channels": [{"name": "all",
              "attributes": [{"characteristic": "\(characteristic)", "operations": ["\(operation)"]}],
              "messages": [{"name": "any", "fields": [{"name": "data", "type": "bytes"}]}]}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `A profile that the user names wins over UQDK, and the command says so`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.plain(Self.command, "write", in: folder)
        let run = try CommandRun(["annotate", "-p", path, "--only", "plain", AnnotateTests.session])
        #expect(run.status == 0)
        #expect(run.text.contains("\n20 of 302 records pass the filter"))
        #expect(run.text.contains(" plain any\n"))
        #expect(
            run.errors
                == "blecap: profile plain replaces UQDK for 45 values of UQDK's characteristics; "
                + "without the profile, UQDK decodes them\n")
        let info = try CommandRun(["info", "-p", path, AnnotateTests.session])
        #expect(info.errors == run.errors)
    }

    @Test func `The other half of a conversation that a named profile takes is not called wrong`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.plain(Self.command, "write", in: folder)
        let text = try CommandRun(["annotate", "-p", path, AnnotateTests.session]).text
        #expect(!text.contains("uqdk.") && !text.contains("\u{2717}"))
    }

    @Test func `A named profile for UQDK's info characteristic leaves the conversation to UQDK`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.plain(Self.info, "read", in: folder)
        let run = try CommandRun(["annotate", "-p", path, AnnotateTests.session])
        #expect(run.text.contains(" plain any\n") && run.text.contains(" 1  frame 282"))
        #expect(run.errors.contains("profile plain replaces UQDK for 1 value of"))
    }

    @Test func `A profile for another direction of a characteristic takes nothing from UQDK`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.plain(Self.command, "read", in: folder)
        let run = try CommandRun(["annotate", "-p", path, AnnotateTests.session])
        #expect(run.errors.isEmpty)
        // The commands at the end name the profile, which the run without it does not have.
        let frames = { (text: String) in text.split(separator: "\nnext: ").first }
        #expect(frames(run.text) == frames(try CommandRun(["annotate", AnnotateTests.session]).text))
    }

    @Test func `An unknown profile's error says which one is near, or how to list them`() throws {
        let run = try CommandRun(["annotate", "-p", "nothere", AnnotateTests.session])
        #expect(run.status == 3 && run.output.isEmpty)
        #expect(
            run.errors
                == "blecap: nothere: neither a file nor a built-in profile; 'blecap profile list' names the built-in ones\n"
        )
        let near = try CommandRun(["annotate", "-p", "mi-bnd", AnnotateTests.session])
        #expect(near.errors.hasSuffix("; did you mean 'mi-band'?\n"))
    }
}
