import Foundation
import TestSupport
import Testing

/// Outputs that are named pipes.
@Suite(.realTime) struct PipeOutputTests {
    private static func pipe(_ folder: TemporaryFolder, _ name: String = "fifo") throws -> String {
        let path = folder.path(name)
        let run = try ProgramRun("/usr/bin/mkfifo", [path])
        #expect(run.status == 0)
        return path
    }

    /// Every option that writes a file, with its command.
    static let commands: [[String]] = [
        ["report", "--force", "-o"], ["annotate", "-o"], ["annotate", "--format", "pcapng", "--force", "-o"],
        ["info", "-o"], ["diff", AnnotateTests.session, "-o"], ["diff", AnnotateTests.session, "--html"],
        ["replay", "--transcript"], ["replay", "--junit"], ["replay", "--record"],
    ]

    @Test func `nobody is waited for at a named pipe without end`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for words in Self.commands {
                group.addTask {
                    do {
                        let folder = try TemporaryFolder()
                        let more = words.last == "--record" ? ["--format", "btsnoop"] : []
                        let path = try Self.pipe(folder)
                        let run = try CommandRun(words + [path] + more + [AnnotateTests.session])
                        #expect(run.status == 4, "\(words): \(run.errors)")
                        #expect(run.errors.contains("start its reader first"), "\(words): \(run.errors)")
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
    }

    @Test func `a named pipe that is read gets everything`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.pipe(folder)
        let reader = Process()
        let output = Pipe()
        Tier.startsProcess("cat")
        reader.executableURL = URL(fileURLWithPath: "/bin/cat")
        reader.arguments = [path]
        reader.standardOutput = output
        try reader.run()
        let run = try CommandRun(["info", "-o", path, AnnotateTests.session])
        #expect(run.status == 0, "\(run.errors)")
        let got = try output.fileHandleForReading.readToEnd() ?? Data()
        reader.waitUntilExit()
        #expect(got == (try CommandRun(["info", AnnotateTests.session]).output))
    }

    @Test func `a car's state is kept in files only`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.pipe(folder)
        let run = try CommandRun(["simulate", "car", "--listen", "tcp::0", "--state", path])
        #expect(run.status == 2 && run.errors.contains("not a file"), "\(run.errors)")
    }
}
