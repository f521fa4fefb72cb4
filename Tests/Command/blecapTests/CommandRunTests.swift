import Foundation
import TestSupport
import Testing

@Suite struct CommandRunTests {
    @Test func `Help goes to standard output, wrong usage to standard error with status 2`() throws {
        let help = try CommandRun(["help"])
        #expect(help.status == 0 && help.errors.isEmpty && help.text.contains("annotate"))
        let wrong = try CommandRun(["anotate", "x"])
        #expect(wrong.status == 2 && wrong.output.isEmpty)
        #expect(wrong.errors == "blecap: unknown command 'anotate'; did you mean 'annotate'?\n")
    }

    @Test func `A missing file is answered with the file that is probably meant`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("monday-night.btsnoop")
        for name in ["monday-night.btsnoop", "monday-night.keys.json", "works.btsnoop"] {
            try Data().write(to: URL(fileURLWithPath: folder.path(name)))
        }
        for command in [["annotate"], ["info"], ["replay"], ["diff", ConvertTests.session], []] {
            let run = try CommandRun(command + [folder.path("modnay-night.btsnoop")])
            #expect(run.errors.contains("did you mean '\(log)'?"), "\(run.errors)")
        }
        let other = try CommandRun(["annotate", folder.path("bonding.btsnoop")])
        #expect(other.status == 3 && !other.errors.contains("did you mean"), "\(other.errors)")
    }

    @Test func `Wrong words are answered with what was meant`() throws {
        let session = ConvertTests.session
        for (words, part) in [
            (["version"], "did you mean '--version'?"), (["-v"], "did you mean '-V'?"),
            (["annotate", "--output", session], "--output has taken '\(session)' as its value"),
            (["completions"], "needs bash|zsh|fish"), ([], "'blecap FILE' reads a log"),
        ] {
            let run = try CommandRun(words)
            #expect(run.status == 2 && run.errors.contains(part), "\(words): \(run.errors)")
        }
        let drive = try CommandRun(["drive", "--adapter", "simulator"])
        #expect(drive.status == 0 && drive.errors.contains("no action given; "), "\(drive.errors)")
        let same = try CommandRun(["diff", session, session])
        #expect(same.status == 0 && same.errors.contains("is given as good and as bad"), "\(same.errors)")
    }

    @Test(
        arguments: [
            [0xA1, 0xB2, 0xC3, 0xD4], [0x0A, 0x0D, 0x0D, 0x0A], Array("btsn".utf8), Array("btsnoop".utf8),
        ] as [[UInt8]])
    func `A file that holds no more than a magic number is cut, and a log without records not judged`(
        _ magic: [UInt8]
    ) throws {
        let cut = try CommandRun(["annotate", "-"], input: Data(magic))
        #expect(cut.status == 3 && cut.errors.contains("it ends inside its header"), "\(cut.errors)")
        let header = try Data(contentsOf: URL(fileURLWithPath: ConvertTests.session)).prefix(16)
        let empty = try CommandRun(["annotate", "--fail-on", "failure", "-"], input: header)
        #expect(empty.status == 0 && empty.errors.contains("so nothing was judged"), "\(empty.errors)")
    }

    @Test func `A file needs no command, nor does standard input`() throws {
        let input = try Data(contentsOf: URL(fileURLWithPath: ConvertTests.session))
        let piped = try CommandRun(["-"], input: input)
        #expect(piped.status == 0 && piped.text.contains("302 records"), "\(piped.errors)")
        let wrong = try CommandRun(["nigth.btsnoop"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.hasPrefix("blecap: 'nigth.btsnoop' is neither a command nor a file; "))
    }

    @Test(.process) func `In bash a name with a space is completed as one word`() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("a b.log")))
        let script = try CommandRun(["completions", "bash"]).text
        for words in ["blecap", "blecap annotate", "blecap profile"] {
            let line = """
                COMP_WORDS=(\(words) a)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _blecap
                printf '%s\\n' "${COMPREPLY[@]}"

                """
            let run = try ProgramRun("/bin/bash", ["-c", script + line], in: folder.url)
            #expect(run.text.split(separator: "\n").contains("a b.log"), "\(words): \(run.text)")
        }
    }

    @Test func `The version is one line`() throws {
        let run = try CommandRun(["--version"])
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("blecap ") && run.text.split(separator: "\n").count == 1)
    }

    @Test(.process, arguments: [["--version"], ["anotate", "x"], ["info", "-"]])
    func `The program does what the command does in another's process`(words: [String]) throws {
        let input = try Data(contentsOf: URL(fileURLWithPath: ConvertTests.session))
        let (program, command) = (
            try CommandRun.process(words, input: input), try CommandRun(words, input: input)
        )
        #expect(program.output == command.output)
        #expect(program.errors == command.errors)
        #expect(program.status == command.status)
    }

    @Test(.process) func `Commands close what they open, and nothing else`() async {
        // In a process of its own, whose descriptors no other test opens or closes.
        await #expect(processExitsWith: .success) {
            func open() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").sorted()
            }
            let folder = try TemporaryFolder()
            let commands = [
                ["annotate", "/nonexistent"], ["annotate", ConvertTests.session, "-o", "/nonexistent/x"],
                ["convert", ConvertTests.session, "/dev/full", "--format", "pcap"], ["info", "-"],
                ["drive", "scan", "--adapter", "tcp:127.0.0.1:1"], ["replay", "/nonexistent"],
                ["drive", "uqdk", "unlock", "--adapter", "simulator", "--record", folder.path("x.pcap")],
                ["drive", "--adapter", "simulator"],
                ["annotate", "--format", "pcapng", ConvertTests.session],
                ["simulate", "car", "--listen", "unix:/nonexistent/x"], ["profile", "check", "-"],
            ]
            // What the libraries keep is open after the first time.
            for words in commands { _ = try CommandRun(words) }
            let before = try open()
            for words in commands { _ = try CommandRun(words) }
            #expect(try open() == before)
            #expect(before.contains("0"))
        }
    }
}
