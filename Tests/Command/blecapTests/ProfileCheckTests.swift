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

    @Test func `A file that isn't there is status 3`() throws {
        let run = try CommandRun(["profile", "check", "/nonexistent.json"])
        #expect(run.status == 3 && run.output.isEmpty)
    }
}
