import Foundation
import TestSupport
import Testing

/// The screens of README.md, docs/screens.md and docs/simulate.md are what the commands print today.
@Suite(.process) struct ScreensTests {
    /// A command of a page, with the lines that it prints there.
    struct Screen: Sendable, CustomTestStringConvertible {
        var command: String
        /// The columns of the terminal; nil for none.
        var columns: Int?
        /// Lines that follow each other; between two groups some are left out.
        var groups: [[String]] = [[]]

        var testDescription: String { command }
    }

    static let screens = ["README.md", "docs/screens.md", "docs/simulate.md"].flatMap { screens(of: $0) }

    /// The fenced blocks of a page that are called `console`, with the width of a terminal behind it.
    static func screens(of page: String) -> [Screen] {
        let text = try? String(contentsOf: PackageRoot.url.appendingPathComponent(page), encoding: .utf8)
        var screens: [Screen] = []
        var isInside = false
        var columns: Int?
        for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside = !isInside && line.hasPrefix("```console")
                columns = Int(line.dropFirst("```console ".count))
            } else if isInside, line.hasPrefix("$ ") {
                screens.append(Screen(command: String(line.dropFirst(2)), columns: columns))
            } else if isInside, line == "\u{2026}" {
                screens[screens.count - 1].groups.append([])
            } else if isInside {
                screens[screens.count - 1].groups[screens[screens.count - 1].groups.count - 1]
                    .append(String(line))
            }
        }
        return screens
    }

    /// - Parameter environment: what is added to that of the test.
    static func output(
        _ screen: Screen, in folder: URL = PackageRoot.url, environment: [String: String] = [:]
    ) throws -> [String] {
        let line = screen.command
        let programs = PackageRoot.command.deletingLastPathComponent().path
        let path = programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let environment = [
            "PATH": path, "PAGER": "cat", "TERM": "dumb", "COLUMNS": "100", "GITHUB_ACTIONS": "",
        ].merging(environment) { $1 }
        let run =
            if let columns = screen.columns {
                try ProgramRun(
                    "/usr/bin/script", ["-qec", "stty cols \(columns); \(line)", "/dev/null"], in: folder,
                    environment: environment)
            } else {
                // A page may show a command that ends only at Ctrl-C.
                try ProgramRun(
                    "/usr/bin/timeout", ["600", "/bin/sh", "-c", line], in: folder, environment: environment)
            }
        return run.text.replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }

    @Test(arguments: screens)
    func `a page shows what its command prints`(screen: Screen) throws {
        Self.expect(screen, printed: try Self.output(screen))
        #expect(!screen.groups.joined().isEmpty)
    }

    /// Checks that what a command printed has the groups of lines of its screen, in their order.
    static func expect(_ screen: Screen, printed: [String]) {
        var rest = printed[...]
        for group in screen.groups where !group.isEmpty {
            let place = rest.indices.first { rest[$0...].starts(with: group) }
            guard let place else {
                Issue.record("\(screen.command) does not print:\n\(group.joined(separator: "\n"))")
                return
            }
            rest = rest[(place + group.count)...]
        }
    }

    @Test func `there are screens, and the first 25 lines fit 100 columns`() throws {
        #expect(Self.screens.count > 10)
        for name in try FileManager.default.contentsOfDirectory(atPath: SeveralLogsTests.captures.path)
        where name.hasSuffix(".btsnoop") {
            let lines = try Self.output(Screen(command: "blecap annotate captures/\(name)"))
            #expect(lines.prefix(25).allSatisfy { $0.unicodeScalars.count <= 100 }, "\(name)")
            #expect(lines.prefix(25).contains { $0.hasPrefix("connection 1  ") }, "\(name)")
        }
    }

    /// The commands of README.md that are shown without what they print.
    static let commands: [String] = {
        let page = PackageRoot.url.appendingPathComponent("README.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter {
            $0.hasPrefix("blecap ") && !$0.hasPrefix("blecap record")
        }
        .map { String($0.prefix { $0 != "#" }) }.filter { !$0.hasPrefix("blecap mark") }
    }()

    /// Those of them for two terminals: devices that stay up, and the phones that come to them.
    static let paired = commands.filter { $0.contains(place) }
    static let alone = commands.filter { !$0.contains(place) }
    private static let place = "tcp:127.0.0.1:9000"

    @Test func `a phone of the README unlocks its car, in two terminals`() throws {
        try #require(Self.paired.count == 2 && Self.paired[0].hasPrefix("blecap simulate car --listen"))
        let folder = try TemporaryFolder()
        let car = try ListenTests.Device(["car"], at: "tcp:127.0.0.1:0")
        let phone = Self.paired[1].replacing(Self.place, with: car.place) + "; echo status $?"
        let printed = try Self.output(Screen(command: phone), in: folder.url)
        #expect(printed.contains("status 0"), "\(printed)")
        #expect(FileManager.default.fileExists(atPath: folder.path("unlock.btsnoop")))
        #expect(try car.end().contains("DOOR_UNLOCK answered with success"))
    }

    @Test(arguments: alone)
    func `a command of the README runs`(command: String) throws {
        let printed = try Self.output(Screen(command: command + "; echo status $?"))
        // The logs of a diff differ, and that is its status.
        let status = command.hasPrefix("blecap diff ") ? "status 1" : "status 0"
        #expect(printed.count > 3 && printed.contains(status), "\(command)")
    }
}
