import Foundation
import Testing

@Suite struct ProfileCheckTests {
    static let shipped: [String] = {
        let folder = PackageRoot.url.appendingPathComponent("profiles").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { folder + "/" + $0 }
    }()

    @Test func `The shipped profiles are valid`() throws {
        #expect(Self.shipped.count >= 3)
        let run = try CommandRun(["profile", "check"] + Self.shipped)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.text.split(separator: "\n").count == Self.shipped.count)
        #expect(run.text.split(separator: "\n").allSatisfy { $0.hasSuffix(": a valid profile") })
    }

    @Test func `What is wrong is named with its place, and the answer is no`() throws {
        let run = try CommandRun(["profile", "check", "-"], input: Data(#"{"name": 3}"#.utf8))
        #expect(run.status == 1)
        #expect(run.text.contains("standard input: line 1: $"))
        let text = try CommandRun(["profile", "check", "-"], input: Data("no JSON".utf8))
        #expect(text.status == 1 && text.text.contains("line 1"))
    }

    @Test(arguments: [#""channels": []"#, #""gatt": {}"#])
    func `A file that is too large is said to be that, and not to be no JSON`(member: String) throws {
        let title = String(repeating: "y", count: 1 << 20)
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        for (value, says) in [("\"\(title)\"", "1048576 bytes"), (deep, "32 levels")] {
            let text = #"{"name": "x", \#(member), "comment": \#(value)}"#
            let run = try CommandRun(["profile", "check", "-"], input: Data(text.utf8))
            #expect(run.status == 1 && run.errors.isEmpty)
            #expect(
                run.text == "standard input: line 1: $: too large: more than \(says); "
                    + "expected JSON within that limit\n")
        }
    }

    static let others: [(String, String)] = [
        (#"{"test": true, "uqdk": [{"keyId": "0102", "key": "c0ffee"}]}"#, "it is a file of keys"),
        (#"{"peers": []}"#, "it is a file of keys"), ("[1]", "not an object"), ("3", "not an object"),
        (#"{"widgets": ["c0ffee"]}"#, "a profile has \"name\" and \"channels\""),
        ("{}", "a profile has \"name\" and \"channels\""),
    ]

    @Test(arguments: others)
    func `What is another kind of file is named so, and nothing of it is quoted`(
        text: String, says: String
    ) throws {
        let run = try CommandRun(["profile", "check", "-"], input: Data(text.utf8))
        #expect(run.status == 1 && run.errors.isEmpty)
        #expect(run.text.hasPrefix("standard input: neither a profile nor a dialect: "))
        #expect(run.text.contains(says) && !run.text.contains("c0ffee"))
        #expect(run.text.split(separator: "\n").count == 1)
    }

    @Test func `A profile or dialect that is wrong in several places is refused with one clean line`() throws
    {
        for (option, text) in [
            ("--profile", #"{"name": 3, "channels": 4}"#),
            ("--dialect", #"{"name": 3, "gatt": 4, "limits": 5}"#),
        ] {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("bad.json")
            try Data(text.utf8).write(to: file)
            let run = try CommandRun(["info", option, file.path, AnnotateTests.session])
            #expect(run.status == 3 && run.output.isEmpty)
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(!run.errors.contains("?") && run.errors.contains(" more); 'blecap profile check"))
        }
    }

    @Test func `What can't be read keeps nothing of the other files back`() throws {
        let run = try CommandRun(["profile", "check", "/nonexistent.json"] + Self.shipped)
        #expect(run.status == 3)
        #expect(run.text.split(separator: "\n").count == Self.shipped.count)
        #expect(run.errors == "blecap: /nonexistent.json: can't open: No such file or directory\n")
    }

    @Test(arguments: ["uqdk", "att", "HCI"])
    func `A profile has no layer's name, by which no one could choose its frames`(name: String) throws {
        let text = try String(contentsOfFile: try #require(Self.shipped.first), encoding: .utf8)
        let renamed = text.replacing(/"name": "[^"]*"/, with: "\"name\": \"\(name)\"", maxReplacements: 1)
        let run = try CommandRun(["profile", "check", "-"], input: Data(renamed.utf8))
        #expect(run.status == 1)
        #expect(run.text.contains("the name \"\(name)\", which is a layer's"), "\(run.text)")
    }

    @Test func `A file that isn't there is status 3`() throws {
        let run = try CommandRun(["profile", "check", "/nonexistent.json"])
        #expect(run.status == 3 && run.output.isEmpty)
    }
}
