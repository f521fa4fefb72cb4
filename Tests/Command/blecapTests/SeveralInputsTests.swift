import Foundation
import Testing

/// Several files, and files of which part can't be read, as the user meets them.
@Suite struct SeveralInputsTests {
    static let session = ConvertTests.session
    static let other = PackageRoot.url.appendingPathComponent("captures/two-adapters.btsnoop").path

    @Test func `Standard input is read only once`() throws {
        for command in ["annotate", "info"] {
            let run = try CommandRun([command, "-", "-"])
            #expect(run.status == 2 && run.errors.contains("standard input can be read only once"))
        }
    }

    @Test func `Logs of two recorders are apart in pcapng, and one adapter elsewhere with a warning`() throws
    {
        let folder = try TemporaryFolder()
        let one = folder.path("one.btsnoop")
        let two = folder.path("two.btsnoop")
        let start = ["convert", "-f", "btsnoop"]
        #expect(try CommandRun(start + [Self.session, one]).status == 0)
        #expect(try CommandRun(start + ["--adapter", "0", Self.other, two]).status == 0)
        let apart = try CommandRun(["convert", one, two, folder.path("x.pcapng")])
        #expect(!apart.errors.contains("warning"), "\(apart.errors)")
        let shown = try CommandRun(["info", "--adapter", "1", folder.path("x.pcapng")])
        #expect(shown.text.contains("ATT"))
        let mixed = try CommandRun(["convert", one, two, folder.path("x.pcap")])
        #expect(mixed.errors.contains("2 adapters of 2 recorders are one in pcap"), "\(mixed.errors)")
        let adapters = try CommandRun(start + [Self.other, folder.path("y.btsnoop")])
        #expect(adapters.errors.contains("keep one by --adapter N"), "\(adapters.errors)")
    }

    @Test func `A frame of one of several files is asked for as it is shown`() throws {
        let run = try CommandRun(["annotate", "--frames", "2:5-6", "--all", Self.session, Self.other])
        #expect(run.text.contains("2 of "), "\(run.text)")
    }

    @Test func `A folder of temporary files that is not there is the environment's fault`() throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/tar")
        process.arguments = ["-C", "/", "-cf", folder.path("x.tar"), String(Self.session.dropFirst())]
        try process.run()
        process.waitUntilExit()
        let run = try CommandRun(
            ["annotate", folder.path("x.tar")], environment: ["TMPDIR": folder.path("none")])
        #expect(run.status == 4)
        #expect(run.errors.contains(folder.path("none")) && run.errors.contains("TMPDIR"), "\(run.errors)")
    }
}
