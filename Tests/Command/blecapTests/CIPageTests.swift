import Foundation
import TestSupport
import Testing

/// docs/ci.md works as it stands: its commands in their order, then the workflow, in one empty folder.
@Suite struct CIPageTests {
    @Test(.process) func `the guide's commands print what it shows, and its workflow passes`() throws {
        let folder = try TemporaryFolder()
        let screens = ScreensTests.screens(of: "docs/ci.md")
        #expect(screens.count >= 9)
        for screen in screens {
            let printed = try ScreensTests.output(
                screen, in: folder.url, environment: ["BLECAP": PackageRoot.url.path])
            ScreensTests.expect(screen, printed: printed)
        }

        // The command that tools/install would build is on the PATH here already.
        let install = "blecap/tools/install"
        let steps = try Self.steps()
        #expect(steps.contains(install) && steps.count == 3)
        #expect(FileManager.default.isExecutableFile(atPath: PackageRoot.url.path + "/tools/install"))
        try FileManager.default.createDirectory(
            atPath: folder.path("blecap/tools"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(install), withDestinationPath: "/bin/true")
        let keys = try String(contentsOfFile: folder.path("logs/night.keys.json"), encoding: .utf8)
        try FileManager.default.removeItem(atPath: folder.path("logs/night.keys.json"))
        for step in steps {
            let screen = ScreensTests.Screen(command: "\(step)\nstatus=$?; echo; echo status $status")
            let printed = try ScreensTests.output(
                screen, in: folder.url, environment: ["KEYS": keys, "GITHUB_ACTIONS": "true"])
            #expect(printed.contains("status 0"), "\(step): \(printed)")
        }
        let xml = try XMLText(String(contentsOfFile: folder.path("junit.xml"), encoding: .utf8))
        #expect(xml.count("testcase") == 2)
        #expect(xml.text.contains("failures=\"0\" skipped=\"0\""))
        #expect(folder.names == ["blecap", "goldens", "green", "junit.xml", "logs", "transcripts"])
    }

    /// The `run:` lines of the page's workflow.
    private static func steps() throws -> [String] {
        let page = PackageRoot.url.appendingPathComponent("docs/ci.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            line.firstRange(of: "- run: ").map { String(line[$0.upperBound...]) }
        }
    }

    @Test func `the blocks of the harness's guide stand in tests that run`() throws {
        let page = try String(
            contentsOf: PackageRoot.url.appendingPathComponent("docs/harness.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count == 4)
        let files = [
            "Tests/Sample/KeyVisit/Package.swift",
            "Tests/Sample/KeyVisit/Tests/KeyVisitTests/LastNightTests.swift",
            "Tests/Sample/KeyVisit/Tests/KeyVisitTests/KeyVisitXCTests.swift",
            "Tests/Replay/ReplayHarnessTests/FindingsTests.swift",
        ]
        let sources = try files.map {
            try String(contentsOf: PackageRoot.url.appendingPathComponent($0), encoding: .utf8)
        }
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "no test has this block:\n\(block)")
        }
    }

    @Test func `the guide is short`() throws {
        let page = PackageRoot.url.appendingPathComponent("docs/ci.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }
}
