import Foundation
import Testing

/// What the commands say of their filters, on standard error and in the commands to try next.
@Suite struct FilterNoticeTests {
    private static let session = AnnotateTests.session
    private static let two = PackageRoot.url.appendingPathComponent("captures/two-devices.btsnoop").path

    @Test func `A layer of the air that --only does not know is one that --find knows`() throws {
        let run = try CommandRun(["annotate", "--only", "ll", Self.session])
        let advice = "blecap: --only: 'll' is not a layer; --find ll finds its frames\n"
        #expect(run.status == 2 && run.errors == advice, "\(run.errors)")
        let found = try CommandRun(["annotate", "--find", "cccd", "--all", Self.session]).text
        #expect(found.contains("Client Characteristic Configuration"), "\(found)")
    }

    @Test func `A misspelt operation that nothing passes is named`() throws {
        let run = try CommandRun(["annotate", "--find", "wriet fff2", Self.session])
        #expect(run.errors.contains("; did you mean 'write'?\n"), "\(run.errors)")
        let other = try CommandRun(["annotate", "--find", "write fff2", Self.session])
        #expect(!other.errors.contains("did you mean"), "\(other.errors)")
    }

    @Test(arguments: [
        (["--connection", "99"], "there is one connection, number 1"),
        (["--peer", "00:00:00:00:00:01"], "the connections are with 02:55:51:00:00:01 \"blecap car\""),
        (["--peer", "Nobody"], "the connections are with 02:55:51:00:00:01 \"blecap car\""),
        (["--frames", "400-500"], "there are 302 frames in all"),
        (
            ["--only", "smp", "--connection", "7"],
            "there is one connection, number 1; the log has hci, l2cap, att, uqdk, gap-gatt"
        ),
        (["--adapter", "7"], "there are adapters 0"),
    ])
    func `A filter that nothing passes is said to be that, with what there is`(
        filter: [String], facts: String
    ) throws {
        let order = filter.contains("--only") ? ["--connection", "7", "--only", "smp"] : filter
        let folder = try TemporaryFolder()
        let target = folder.path("none.btsnoop")
        for command in [
            ["annotate", Self.session], ["info", Self.session],
            [
                "annotate", "--format", "ndjson",
                Self.session,
            ], ["convert", Self.session, target],
        ] {
            let run = try CommandRun(command + filter)
            #expect(run.status == 0)
            let line = "blecap: no frame passes \(order.joined(separator: " ")); \(facts)\n"
            #expect(run.errors.contains(line), "\(run.errors)")
        }
    }

    @Test(arguments: [
        (["devices", "x"], 2, "'devices' takes no words behind its options"),
        (["profile", "lst"], 2, "unknown command 'profile lst'; commands: 'profile list', "),
        (["diff", session, "/tmp"], 3, "/tmp: the bad log is a folder; name one log last; "),
        (["annotate", "--frames", "10-5", session], 2, "'10-5' ends before it begins; write it as 5-10"),
        (["annotate", "--frames", "1:10-5", session], 2, "ends before it begins; write it as 1:5-10"),
        (["annotate", "--frame", "10-5", session], 2, "is not a frame's number; write it as 100, of the "),
        (["annotate", "--frames", "5-10-15", session], 2, "is not a range of frames"),
        (["annotate", "--frame", "999", session], 2, "no frame 999: the log has 302 frames"),
        (["annotate", "--failure", "9", session], 2, "--failure 9: the verdict has 4 entries"),
        (["info", "--connection", "x", session], 2, "; 'blecap info FILE' shows the connections"),
        (["info", "--adapter", "eth0", session], 2, "; write it as 0 or hci0"),
    ])
    func `What is wrong has the next step beside it`(words: [String], status: Int32, says: String) throws {
        let run = try CommandRun(words)
        #expect(run.status == status && run.errors.contains(says), "\(run.errors)")
    }

    @Test(arguments: [["--format", "markdown"], ["--format", "sarif"], [two]])
    func `A filter that nothing passes is told in each format, and of several logs once`(
        words: [String]
    ) throws {
        let run = try CommandRun(["annotate", "--find", "nowhere"] + words + [Self.session])
        #expect(run.status == 0 && run.errors.hasPrefix("blecap: no frame passes --find nowhere"))
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }

    @Test func `A filter that nothing passes leaves no empty table`() throws {
        let run = try CommandRun(["annotate", "--find", "nowhere", Self.session])
        #expect(
            run.text.hasPrefix("0 of ") && run.text.hasSuffix(" records pass the filter\n"), "\(run.text)")
    }

    @Test func `A frame or a failure that the filter leaves out is told as that`() throws {
        let frame = try CommandRun(["annotate", "--frame", "3", "--find", "nowhere", Self.session])
        #expect(frame.status == 2 && frame.errors == "blecap: frame 3 does not pass --find nowhere\n")
        let failure = try CommandRun(["annotate", "--failure", "1", "--find", "nowhere", Self.session])
        #expect(
            failure.status == 2
                && failure.errors == "blecap: --failure 1: nothing failed in what passes the filter\n")
    }

    @Test func `Of several connections the first and last number are named`() throws {
        let run = try CommandRun(["annotate", "--connection", "99", Self.two])
        #expect(run.errors == "blecap: no frame passes --connection 99; there are connections 1 to 2\n")
    }

    @Test func `A filter that something passes is not spoken of`() throws {
        let run = try CommandRun(["annotate", "--connection", "1", "--connection", "99", Self.session])
        #expect(run.status == 0 && run.errors.isEmpty)
    }

    @Test func `Every next command for the log keeps the filter, so that numbers of failures stay`() throws {
        let filter = ["--connection", "1", "--since", "+1"]
        let run = try CommandRun(["annotate"] + filter + [Self.session])
        let next = run.text.replacing(" \\\n     ", with: "").split(separator: "\n")
            .filter { $0.hasPrefix("next: blecap ") && !$0.hasPrefix("next: blecap replay") }
        #expect(next.count == 3 && next.contains { $0.contains(" --failure 1 ") }, "\(run.text)")
        #expect(next.allSatisfy { $0.contains(" --connection 1 --since +1 ") }, "\(next)")
    }

    @Test func `The command for Wireshark repeats the keys, the profile and the filters, quoted`() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path("the car's keys.json")
        let given = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json")
        try FileManager.default.copyItem(at: given, to: URL(fileURLWithPath: keys))
        let run = try CommandRun([
            "annotate", "--keys", keys, "-p", "mi-band", "--connection", "1", "--since", "+3", "--only",
            "att",
            "--only", "uqdk", Self.session,
        ])
        let quoted = "'" + keys.replacing("'", with: "'\\''") + "'"
        let next = run.text.split(separator: "\nnext: ").dropFirst().map { String($0) }
        let lines = next.flatMap { $0.split(separator: "\n") }
        #expect(lines.allSatisfy { $0.count <= 100 || !$0.dropFirst(6).contains(" ") }, "\(next)")
        let command =
            "blecap annotate --format pcapng -o uqdk-unlock.annotated.pcapng --keys \(quoted) "
            + "--profile mi-band --connection 1 --since +3 --only att --only uqdk \(Self.session)"
        #expect(next.contains { $0.replacing(" \\\n     ", with: "").hasPrefix(command) }, "\(next)")
    }

    @Test func `A count of one has its noun in the singular`() throws {
        let keys = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path
        let replay = try CommandRun(["replay", "--keys", keys, Self.session])
        #expect(replay.text.hasPrefix("SAME: 69 of 107 ATT PDUs compared, 23 host steps over 1 connection\n"))
        let one = try CommandRun(["annotate", "--frames", "150", Self.session])
        #expect(one.text.contains("\n1 of 302 records passes the filter\n"))
        let folder = try TemporaryFolder()
        let converted = try CommandRun([
            "convert", "--frames", "150", Self.session, folder.path("x.btsnoop"),
        ])
        #expect(converted.errors.hasPrefix("blecap: 1 record into "))
    }
}
