import Foundation
import TestSupport
import Testing

/// The one rule for all files that commands write.
@Suite struct OutputFileTests {
    static let log = PackageRoot.url.appendingPathComponent("captures/mobike.btsnoop").path

    /// The commands that write a file, with the file's name in it.
    static let commands: [(words: [String], name: String)] = [
        (["convert", "IN", "OUT"], "x.pcapng"), (["annotate", "IN", "-o", "OUT"], "x.txt"),
        (["annotate", "--format", "ndjson", "IN", "-o", "OUT"], "x.ndjson"),
        (["annotate", "--format", "pcapng", "IN", "-o", "OUT"], "x.pcapng"),
        (["info", "IN", "-o", "OUT"], "x.txt"), (["replay", "IN", "--transcript", "OUT"], "x.txt"),
        (["replay", "IN", "--junit", "OUT"], "x.xml"),
    ]

    static func run(
        _ words: [String], _ input: String, _ output: String, _ more: [String] = []
    ) throws -> CommandRun {
        try CommandRun(words.map { $0 == "IN" ? input : $0 == "OUT" ? output : $0 } + more)
    }

    static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    static func copy(_ folder: TemporaryFolder, _ name: String, mode: Int) throws -> String {
        let path = folder.path(name)
        try FileManager.default.copyItem(atPath: log, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test(arguments: commands)
    func `an output is as private as its log`(words: [String], name: String) throws {
        for mode in [0o600, 0o640, 0o644, 0o400] {
            let folder = try TemporaryFolder()
            let output = folder.path(name)
            let run = try Self.run(words, try Self.copy(folder, "in.btsnoop", mode: mode), output)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try Self.mode(output) == mode | 0o600)
        }
    }

    @Test(arguments: commands)
    func `an output replaces a file only by --force, and never goes through a link`(
        words: [String], name: String
    ) throws {
        let folder = try TemporaryFolder()
        let input = try Self.copy(folder, "in.btsnoop", mode: 0o600)
        let (output, victim, link) = (folder.path(name), folder.path("victim"), folder.path("link-" + name))
        for path in [output, victim] { try Data("kept".utf8).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
        let refused = try Self.run(words, input, output)
        #expect(refused.status == 4)
        #expect(refused.text.isEmpty)
        #expect(
            refused.errors
                == "blecap: \(output): can't create: File exists; choose another name, or give --force\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("kept".utf8))
        #expect(try Self.run(words, input, link).status == 4)
        let followed = try Self.run(words, input, link, ["--force"])
        #expect(followed.status == 4)
        #expect(followed.errors.contains("it is a link: name the file itself"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("kept".utf8))
        #expect(try Self.run(words, input, output, ["--force"]).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) != Data("kept".utf8))
        #expect(try Self.mode(output) == 0o600)
        #expect(try Self.run(words, input, input, ["--force"]).status == 2)
        // A transcript gets the log's name in a folder, and a conversion needs a suffix.
        if words[0] == "convert" || words.contains("--transcript") { return }
        let into = try Self.run(words, input, folder.url.path)
        #expect(into.status == 4 && into.errors.hasSuffix("; it is a folder: name a file in it\n"))
    }

    @Test(arguments: commands)
    func `an output that is standard output or a device is opened as it is`(
        words: [String], name: String
    ) throws {
        let format = words[0] == "convert" ? ["--format", "pcapng"] : []
        #expect(try Self.run(words, Self.log, "/dev/null", format).status == 0)
        let run = try Self.run(words, Self.log, "/dev/stdout", format)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.count > 200)
    }

    @Test(.process) func `the most private of several inputs counts, and a pipe or a keys file too`() throws {
        let folder = try TemporaryFolder()
        let open = try Self.copy(folder, "open.btsnoop", mode: 0o644)
        let secret = try Self.copy(folder, "secret.btsnoop", mode: 0o600)
        #expect(try CommandRun(["convert", open, secret, folder.path("both.pcap")]).status == 0)
        #expect(try Self.mode(folder.path("both.pcap")) == 0o600)
        let keys = folder.path("keys.json")
        try Data(#"{"uqdk": []}"#.utf8).write(to: URL(fileURLWithPath: keys))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys)
        let output = folder.path("with-keys.txt")
        #expect(try CommandRun(["annotate", "-k", keys, open, "-o", output]).status == 0)
        #expect(try Self.mode(output) == 0o600)
        let piped = try ProgramRun(
            shell: "cat \"$1\" | \"$2\" convert - \"$3\"",
            [open, PackageRoot.command.path, folder.path("piped.pcap")])
        #expect(piped.status == 0)
        #expect(try Self.mode(folder.path("piped.pcap")) == 0o600)
    }
}
