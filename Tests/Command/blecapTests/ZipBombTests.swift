import Foundation
import TestSupport
import Testing

/// Archives that unpack to much more than they are.
@Suite(.process) struct ZipBombTests {
    /// A zip of a capture, or nothing, and of files that begin as captures and go on with zeros.
    private static func bomb(_ folder: TemporaryFolder, withLog: Bool) throws -> String {
        let path = folder.path("bomb.zip")
        let script = """
            import sys, zipfile
            log = open(sys.argv[2], 'rb').read()
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as out:
                if sys.argv[3] == 'True': out.writestr('a/first.btsnoop', log)
                for name in ('a/btsnoop_hci.log', 'a/btsnoop_hci.log.last'):
                    out.writestr(name, log[:16] + bytes(64 << 20))
            """
        let words = ["-c", script, path, AnnotateTests.session, withLog ? "True" : "False"]
        let run = try ProgramRun("/usr/bin/python3", words)
        #expect(run.status == 0, "\(run.errors)")
        return path
    }

    @Test func `an archive that unpacks to more than the limit is refused, and leaves nothing`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.bomb(folder, withLog: false)
        let spool = try TemporaryFolder()
        for command in ["annotate", "info", "report", "replay"] {
            let run = try CommandRun.process(
                [command, "--unpack-limit", "8M", path], environment: ["TMPDIR": spool.path("")])
            #expect(run.status == 3, "\(command)")
            let says = "unpacks to more than 8 MiB; if it is not hostile, --unpack-limit SIZE"
            #expect(run.errors.contains(says), "\(run.errors)")
            #expect(spool.names.isEmpty)
        }
    }

    @Test func `the logs before it are read`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.bomb(folder, withLog: true)
        let run = try CommandRun.process(["annotate", "--summary", "--unpack-limit", "8M", path])
        #expect(run.status == 3 && run.errors.contains("unpacks to more than 8 MiB"), "\(run.errors)")
        #expect(run.text.contains("connection 1"), "\(run.text)")
    }

    @Test(arguments: ["gzip", "bz2", "lzma"])
    func `a compressed file without an archive is read up to the limit`(module: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("bomb")
        let script = """
            import sys, \(module)
            log = open(sys.argv[2], 'rb').read()
            \(module).open(sys.argv[1], 'wb').write(log[:16] + log[16:] * 100)
            """
        let made = try ProgramRun("/usr/bin/python3", ["-c", script, path, AnnotateTests.session])
        #expect(made.status == 0, "\(made.errors)")
        for words in [["annotate", "--summary"], ["info"]] {
            let run = try CommandRun.process(words + ["--unpack-limit", "1M", path])
            #expect(run.status == 3 && run.errors.contains("unpacks to more than 1 MiB"), "\(run.errors)")
            #expect(run.text.contains("connection 1"), "\(run.text)")
        }
    }

    @Test func `a limit that is no size is wrong usage`() throws {
        let run = try CommandRun(["info", "--unpack-limit", "much", AnnotateTests.session])
        #expect(run.status == 2 && run.errors.contains("'much' is not a size"))
    }
}
