import Foundation
import TestSupport
import Testing

@Suite struct AnnotateTests {
    static let session = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path

    /// A folder that is gone after the test.
    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `The verdict stands first, then the frames, then the account of octets`() throws {
        let run = try CommandRun(["annotate", Self.session])
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
        let header = try #require(lines.firstIndex { $0.hasPrefix("frame ") })
        #expect(header <= 25)
        #expect(lines[..<header].contains { $0.contains("02:55:51:00:00:01") })
        #expect(lines[header...].contains { $0.contains("Exchange MTU Request") })
        #expect(lines.contains { $0.hasPrefix("13340 bytes read = ") })
    }

    @Test func `The account's parts add up to the file's size`() throws {
        let run = try CommandRun(["annotate", Self.session])
        let line = try #require(run.text.split(separator: "\n").first { $0.contains(" bytes read = ") })
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        let size = try Data(contentsOf: URL(fileURLWithPath: Self.session)).count
        #expect(numbers.first == size)
        #expect(numbers.dropFirst().reduce(0, +) == size)
    }

    @Test func `--summary is the verdict alone`() throws {
        let whole = try CommandRun(["annotate", Self.session])
        let run = try CommandRun(["annotate", "--summary", Self.session])
        #expect(run.status == 0 && whole.text.hasPrefix(run.text) && !run.text.contains("frame     time"))
    }

    @Test func `The same comes from standard input, with the verdict last`() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.session))
        let run = try CommandRun(["annotate", "--all", "-"], input: data)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.text.hasPrefix("frame ") && run.text.contains("302 records"))
    }

    @Test func `Damage is named in the output itself, in text and in info`() throws {
        try Self.withFolder { folder in
            let cut = folder.appendingPathComponent("cut.btsnoop")
            try Data(contentsOf: URL(fileURLWithPath: Self.session)).prefix(13_000).write(to: cut)
            for command in ["annotate", "info"] {
                let run = try CommandRun([command, cut.path])
                #expect(run.status == 3)
                #expect(
                    run.unwrapped.contains(
                        "\ndamaged: the file ends inside a record (record 294, offset 12957); "
                            + "43 bytes were not read\n"))
            }
        }
    }

    @Test func `Of several files each frame that is named says of which it is`() throws {
        let other = PackageRoot.url.appendingPathComponent("captures/bonding.btsnoop").path
        let run = try CommandRun(["annotate", "--one-timeline", other, Self.session])
        #expect(run.text.contains(" frame 2:282  STATUS_QUERY: bad checksum"))
        #expect(run.unwrapped.hasPrefix("file 1: \(other): "))
        let lines = try CommandRun(["annotate", "--format", "ndjson", other, Self.session]).text
            .split(separator: "\n")
        #expect(
            lines.last?.contains("\"wrong\":[{\"number\":1,\"file\":\"\(Self.session)\",\"frame\":282,")
                == true)
    }

    @Test func `Filters choose frames and leave what they mean as it is`() throws {
        let whole = try CommandRun(["annotate", "--all", Self.session]).text.split(separator: "\n")
        let some = try CommandRun(["annotate", "--all", "--only", "att", "--frames", "140-160", Self.session])
        let wanted = whole.filter { line in
            let number = line.split(separator: " ").first.flatMap { Int($0) } ?? 0
            return (140...160).contains(number) && line.contains(" ATT ")
        }
        #expect(wanted.count > 5)
        #expect(some.text.split(separator: "\n").filter { $0.contains(" ATT ") } == wanted)
        let none = try CommandRun(["annotate", "--all", "--peer", "00:00:00:00:00:00", Self.session])
        #expect(!none.text.contains(" ATT "))
        #expect(none.text.contains("0 of 302 records pass the filter\n"))
        #expect(!none.text.contains("nothing"))
        #expect(!none.text.contains("\nnext: "))
        #expect(!some.text.contains("next: --all"))
        let peer = try CommandRun(["annotate", "--all", "--peer", "02:55:51:00:00:01", Self.session])
        #expect(peer.text.contains(" ATT ") && !peer.text.contains(" mon "))
    }

    @Test func `Keys are asked for where something can't be read or checked for want of one`() throws {
        let hint = "\nnext: --keys FILE verifies the proofs and opens the secured messages\n"
        #expect(try CommandRun(["annotate", Self.session]).text.contains(hint))
        // Up to there is one command in clear, which the car refuses.
        let folder = try TemporaryFolder()
        let clear = folder.path("clear.btsnoop")
        #expect(try CommandRun(["convert", "--frames", "1-214", Self.session, clear]).status == 0)
        let text = try CommandRun(["annotate", clear]).text
        #expect(text.contains("UQDK  STATUS_QUERY response, authenticationRequired"))
        #expect(!text.contains("next: --keys"))
    }

    @Test func `The verdict under a filter is about what it keeps`() throws {
        let other = PackageRoot.url.appendingPathComponent("captures/bonding.btsnoop").path
        let car = try CommandRun([
            "annotate", "--one-timeline", other, Self.session, "--peer", "02:55:51:00:00:01",
        ]).text
        #expect(car.contains(" 1  frame 2:282  ") && car.contains("  02:55:51:00:00:01 "))
        let numbers = car.split(separator: "\n").filter { $0.hasPrefix("connection ") }
        #expect(numbers.count == 1)
        let fob = try CommandRun([
            "annotate", "--one-timeline", other, Self.session, "--peer", "40:00:02:72:E8:EE",
        ]).text
        #expect(!fob.contains("\u{2717}") && !fob.contains("  02:55:51:00:00:01 "))
        let att = try CommandRun(["annotate", Self.session, "--only", "smp"]).text
        #expect(!att.contains(" 1  frame 282  "))
        let uqdk = try CommandRun(["annotate", Self.session, "--only", "uqdk"]).text
        #expect(uqdk.contains(" 1  frame 282  ") && uqdk.contains("\nonly about what passes the filter: "))
    }

    @Test func `The end offers replay where a session can be replayed, and the command works`() throws {
        let given = ["--keys", SimulateTests.keys, Self.session]
        let run = try CommandRun(["annotate"] + given)
        let line = try #require(
            run.text.replacing(" \\\n     ", with: "").split(separator: "\n")
                .first { $0.hasPrefix("next: blecap replay ") })
        let words = line.prefix { $0 != "(" }.split(separator: " ").dropFirst(2).map(String.init)
        #expect(words == ["replay"] + given)
        #expect(try CommandRun(words).text.hasPrefix("SAME: "))
        // Without the key it is needed, and what can't be replayed is not offered.
        #expect(
            try CommandRun(["annotate", Self.session]).text.replacing(" \\\n     ", with: "")
                .contains("\nnext: blecap replay --keys FILE \(Self.session)"))
        let paired = PackageRoot.url.appendingPathComponent("captures/bonding.btsnoop").path
        #expect(!(try CommandRun(["annotate", paired]).text.contains("next: blecap replay")))
    }

    @Test func `No replay is offered where the keys that were given do not have its key`() throws {
        let refusals = PackageRoot.url.appendingPathComponent("captures/uqdk-refusals.btsnoop").path
        let other = PackageRoot.url.appendingPathComponent("captures/bonded-reconnect.keys.json").path
        let run = try CommandRun(["annotate", "--keys", other, refusals])
        #expect(run.status == 0 && !run.text.contains("next: blecap replay"))
    }

    @Test func `A long log is not looked through once more for a replay to offer`() throws {
        let folder = try TemporaryFolder()
        let session = try Data(contentsOf: URL(fileURLWithPath: Self.session))
        // The time of the last record, of which each has its length after the first four octets.
        var last = 16
        var next = 16
        while next < session.count {
            last = next
            next += 24 + session[(next + 4)..<(next + 8)].reduce(0) { $0 << 8 | Int($1) }
        }
        let note = Data([0, 0, 4, 0, 0, 0, 4, 0, 0xFF, 0xFF, 0, 0x0C, 0, 0, 0, 0])
        let text = Data(repeating: 0x78, count: 1023) + [0]
        for (notes, isOffered) in [(10, true), (1000, false)] {
            var octets = session
            for _ in 0..<notes { octets += note + session[(last + 16)..<(last + 24)] + text }
            let path = folder.path("\(notes).btsnoop")
            try octets.write(to: URL(fileURLWithPath: path))
            let run = try CommandRun(["annotate", path])
            #expect(run.status == 0 && run.text.contains("next: blecap replay") == isOffered, "\(notes)")
        }
    }

    @Test func `Of a log that was rotated all files are named, and a frame of another by its file too`()
        throws
    {
        try Self.withFolder { folder in
            // Before and after the answer to the write of frame 257.
            let data = try Data(contentsOf: URL(fileURLWithPath: Self.session))
            var at = 16
            for _ in 0..<257 {
                let length = data[data.startIndex + at + 4..<data.startIndex + at + 8]
                at += 24 + length.reduce(0) { $0 << 8 | Int($1) }
            }
            let old = folder.appendingPathComponent("btsnoop_hci.log.last")
            let new = folder.appendingPathComponent("btsnoop_hci.log")
            try data.prefix(at).write(to: old)
            try (data.prefix(16) + data.dropFirst(at)).write(to: new)
            let run = try CommandRun(["annotate", "--all", "--wide", old.path, new.path])
            let answers = run.text.split(separator: "\n").filter { $0.contains("(to 1:") }
            #expect(answers.contains { $0.contains("Write Response") && $0.contains("(to 1:257, ") })
            #expect(run.text.contains("DOOR_UNLOCK response, success, id 6, 2 fragments") == false)
            #expect(run.text.contains(" after write 1:257)"), "\(answers)")
            // Within a file nothing is said.
            #expect(run.text.contains("(to 277") == false)
            #expect(run.text.contains("annotated.pcapng \(old.path) \(new.path)  (in"))
        }
    }

    @Test func `What is no capture, and what is not there, is status 3 and one line`() throws {
        let text = try CommandRun(["annotate", PackageRoot.url.appendingPathComponent("LICENSE").path])
        #expect(text.status == 3 && text.output.isEmpty)
        #expect(text.errors.split(separator: "\n").count == 1)
        #expect(text.errors.contains("LICENSE: not a capture file"))
        let missing = try CommandRun(["annotate", "/nonexistent/x"])
        #expect(missing.status == 3)
        #expect(missing.errors == "blecap: /nonexistent/x: can't open: No such file or directory\n")
    }

    @Test func `A cut file gives all that stands before the cut, then status 3 with the place`() throws {
        try Self.withFolder { folder in
            let file = folder.appendingPathComponent("cut")
            try Data(contentsOf: URL(fileURLWithPath: Self.session)).prefix(13_300).write(to: file)
            let run = try CommandRun(["annotate", file.path])
            #expect(run.status == 3)
            #expect(run.text.contains("Exchange MTU Request") && run.text.contains("301 records"))
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.contains("the file ends inside a record (record 302, offset "))
            #expect(run.text.contains("13300 bytes read = "))
        }
    }

    @Test func `A full disk is status 4, and a file is never read and written at once`() throws {
        let full = try CommandRun(["annotate", Self.session, "-o", "/dev/full"])
        #expect(full.status == 4)
        #expect(full.errors.hasPrefix("blecap: /dev/full: can't write: No space left on device; make room"))
        try Self.withFolder { folder in
            let file = folder.appendingPathComponent("log")
            let link = folder.appendingPathComponent("link")
            let data = try Data(contentsOf: URL(fileURLWithPath: Self.session))
            try data.write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let run = try CommandRun(["annotate", file.path, "-o", link.path])
            #expect(run.status == 2 && run.errors.contains("input and output are one file"))
            #expect(try Data(contentsOf: file) == data)
        }
    }

    static let writers: [[String]] = [
        ["annotate"], ["annotate", "--format", "ndjson"], ["annotate", "--format", "pcapng"], ["info"],
    ]

    @Test(arguments: writers)
    func `An output is neither emptied nor made for inputs that are no captures`(words: [String]) throws {
        try Self.withFolder { folder in
            let old = folder.appendingPathComponent("old")
            let new = folder.appendingPathComponent("new")
            try Data("kept".utf8).write(to: old)
            let license = PackageRoot.url.appendingPathComponent("LICENSE").path
            for (input, output) in [
                (license, old), (license, new), ("/nonexistent", old), ("/nonexistent", new),
            ] {
                let run = try CommandRun(words + ["--force", input, "-o", output.path])
                #expect(run.status == 3 && run.output.isEmpty)
            }
            #expect(try Data(contentsOf: old) == Data("kept".utf8))
            #expect(!FileManager.default.fileExists(atPath: new.path))
            let run = try CommandRun(words + ["--force", license, Self.session, "-o", old.path])
            #expect(run.status == 3)
            #expect(try Data(contentsOf: old).count > 100)
            let alone = try CommandRun(words + [Self.session, "--peer", "00:00:00:00:00:00", "-o", new.path])
            #expect(alone.status == 0)
            #expect(FileManager.default.fileExists(atPath: new.path))
        }
    }

    @Test(.process) func `A reader that stops reading is a clean end`() throws {
        let line =
            "\"$1\" annotate --all -knone \"$2\" \"$2\" \"$2\" \"$2\" \"$2\" \"$2\"; echo status $? >&2"
        let run = try ProgramRun(shell: "(\(line)) | head -1", [PackageRoot.command.path, Self.session])
        #expect(run.errors == "status 0\n")
    }

    @Test(.corpus) func `Every file of the corpus ends normally: annotated, or refused with one line`() throws
    {
        #expect(Corpus.files.count > 90)
        for file in Corpus.files {
            let run = try CommandRun(["annotate", file])
            #expect(run.status == 0 || run.status == 3, "\(file): \(run.status)")
            let lines = run.errors.split(separator: "\n").count
            #expect(lines == (run.status == 0 ? 0 : 1), "\(file): \(run.errors)")
        }
    }
}

@Suite struct AnnotateFormatTests {
    @Test func `NDJSON and pcapng come by --format, the latter never onto a terminal's line`() throws {
        let lines = try CommandRun(["annotate", "--format=ndjson", AnnotateTests.session])
        #expect(lines.status == 0 && lines.errors.isEmpty)
        #expect(lines.text.hasPrefix("{\"kind\":\"file\"") && lines.text.hasSuffix("}\n"))
        let packets = try CommandRun(["annotate", "-fpcapng", AnnotateTests.session])
        #expect(packets.status == 0 && packets.errors.hasSuffix("blanked; --keep-keys keeps them\n"))
        #expect(packets.output.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
        let full = try CommandRun(["annotate", "-fpcapng", AnnotateTests.session, "-o/dev/full"])
        #expect(full.status == 4 && full.errors.contains("No space left on device"))
    }

    @Test func `--one-timeline merges two files, and one that is no capture hides no other`() throws {
        let other = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        let both = try CommandRun(["annotate", "--format", "ndjson", AnnotateTests.session, other])
        #expect(both.status == 0)
        #expect(both.text.contains("\"file\":\"\(other)\",\"frame\":1,"))
        let license = PackageRoot.url.appendingPathComponent("LICENSE").path
        let mixed = try CommandRun(["annotate", "--one-timeline", license, AnnotateTests.session])
        #expect(mixed.status == 3 && mixed.text.contains("302 records"))
        #expect(mixed.errors.contains("LICENSE: not a capture file"))
        let size = try [license, AnnotateTests.session].reduce(0) {
            $0 + (try Data(contentsOf: URL(fileURLWithPath: $1)).count)
        }
        #expect(mixed.text.contains("\n\(size) bytes read = "))
        let twice = try CommandRun(["annotate", AnnotateTests.session, AnnotateTests.session])
        #expect(twice.text.contains("\n302 records, 49.0 s "))
        #expect(twice.text.contains("\n302 records left out: another file has them too\n"))
    }

    @Test func `With pcapng only chosen frames' requests are said to wait, as in the text`() throws {
        let folder = try TemporaryFolder()
        let (log, copy) = (folder.path("x.log"), folder.path("x.pcapng"))
        // A reset and its answer, then a connection asked for that does not come about.
        let create = [1, 0x0D, 0x20, 25, 0x60, 0, 0x30, 0, 0, 0, 1, 0, 0, 0x51, 0x55, 2]
        let packets: [[UInt8]] = [
            [1, 3, 0x0C, 0], [4, 0x0E, 4, 1, 3, 0x0C, 0],
            create.map { UInt8($0) } + [0, 0x18, 0, 0x28, 0, 0, 0, 0x2A, 0, 0, 0, 0, 0],
            [4, 0x0F, 4, 0, 1, 0x0D, 0x20],
        ]
        var octets = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        for (index, packet) in packets.enumerated() {
            let length: [UInt8] = [0, 0, 0, UInt8(packet.count)]
            octets += length + length + [0, 0, 0, packet[0] == 1 ? 2 : 3, 0, 0, 0, 0]
            octets += [0x00, 0xE2, 0x4F, 0x62, 0, 0, UInt8(index), 0] + packet
        }
        try Data(octets).write(to: URL(fileURLWithPath: log))
        for (frames, waits) in [("1-2", false), ("3-4", true), ("1-4", true)] {
            let text = try CommandRun(["annotate", "--frames", frames, log]).text
            #expect(text.contains("connect to 02:55:51:00:00:01") == waits, "\(text)")
            let words = ["annotate", "--force", "-fpcapng", "-o", copy, "--frames", frames, log]
            let errors = try CommandRun(words).errors
            #expect(errors.contains("connect to 02:55:51:00:00:01") == waits, "\(frames): \(errors)")
        }
    }

    @Test func `Numbers in the comments of pcapng say of which file they are`() throws {
        let other = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        func comments(_ words: [String]) throws -> String {
            String(decoding: try CommandRun(["annotate", "-fpcapng"] + words).output, as: UTF8.self)
        }
        let both = try comments([AnnotateTests.session, other])
        #expect(both.contains("(1: \(AnnotateTests.session), 2: \(other)) and the packet's in it"))
        #expect(both.contains("blecap #1:148 ATT Exchange MTU Request") && both.contains("blecap #2:1 "))
        let some = try comments(["--only", "att", AnnotateTests.session])
        #expect(some.contains("is the packet's in \(AnnotateTests.session);"))
        #expect(some.contains("blecap #148 ATT Exchange MTU Request"))
        #expect(try !comments([AnnotateTests.session]).contains("the number after #"))
        let folder = try TemporaryFolder()
        let file = folder.path("some.pcapng")
        _ = try CommandRun(["annotate", "-fpcapng", "-o", file, "--only", "att", AnnotateTests.session])
        let again = try comments([file])
        #expect(again.contains("blecap #1 ") && !again.contains("blecap #148"))
        #expect(!again.contains("the number after #"))
    }

    @Test func `Keys open what is encrypted, never appear, and must be their owner's alone`() throws {
        let keys = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path
        let run = try CommandRun(["annotate", "--format", "ndjson", "--keys", keys, AnnotateTests.session])
        #expect(run.status == 0 && run.text.contains("\"proof\":\"verified\""))
        #expect(!run.text.lowercased().contains("000102030405060708090a0b0c0d0e0f"))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let open = folder.appendingPathComponent("keys.json")
        let text = #"{"uqdk":[{"keyId":"1122334455667788","key":"000102030405060708090a0b0c0d0e0f"}]}"#
        try Data(text.utf8).write(to: open)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open.path)
        let key = "000102030405060708090a0b0c0d0e0f"
        let given = try CommandRun(["annotate", "--keys", key, AnnotateTests.session])
        #expect(given.status == 2 && given.errors.contains("--keys takes a file, not a key; docs/keys.md"))
        #expect(!given.errors.contains("00010203"))
        let refused = try CommandRun(["annotate", "--keys", open.path, AnnotateTests.session])
        #expect(refused.status == 4 && refused.output.isEmpty)
        #expect(refused.errors.contains("others can read these keys; chmod 600 it, or give --insecure-keys"))
        let forced = try CommandRun(["annotate", "--insecure-keys", "-k", open.path, AnnotateTests.session])
        #expect(forced.status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: open.path)
        #expect(try CommandRun(["annotate", "-k", open.path, AnnotateTests.session]).status == 0)
    }
}

/// What can't be told from the octets of a capture alone.
@Suite struct AnnotateInputTests {
    /// A file that is gone after the test.
    private static func withFile(_ octets: Data, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try octets.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    @Test func `An empty file and a report without a log say what they are and what to do`() throws {
        try Self.withFile(Data()) { path in
            let run = try CommandRun(["annotate", path])
            #expect(run.status == 3 && run.output.isEmpty)
            #expect(run.errors.contains(": the file is empty; nothing was recorded"))
        }
        let report = "--- BEGIN:BTSNOOP_LOG_SUMMARY (0 bytes in) ---\n--- END:BTSNOOP_LOG_SUMMARY ---\n"
        try Self.withFile(Data(report.utf8)) { path in
            let run = try CommandRun(["annotate", "-fndjson", path])
            #expect(run.status == 3 && run.text.contains("\"code\":\"empty-report\""))
            #expect(run.errors.contains("the bug report holds no Bluetooth log; switch on"))
        }
    }

    @Test(.process) func `A packed file's account says what it is unpacked from`() throws {
        let session = try Data(contentsOf: URL(fileURLWithPath: AnnotateTests.session))
        try Self.withFile(session) { path in
            #expect(try ProgramRun("/bin/gzip", [path]).status == 0)
            defer { try? FileManager.default.removeItem(atPath: path + ".gz") }
            let size = try Data(contentsOf: URL(fileURLWithPath: path + ".gz")).count
            let run = try CommandRun(["annotate", path + ".gz"])
            #expect(run.text.contains("\n13340 bytes unpacked from \(size) (only the logs in it"))
        }
    }

    @Test(.process) func `A standard output that was closed is no output`() throws {
        let arguments = [PackageRoot.command.path, AnnotateTests.session]
        #expect(try ProgramRun(shell: "exec \"$1\" annotate \"$2\" >&-", arguments).status == 4)
    }

    @Test func `On a terminal the verdict stands first, also beside a file that is not there`() throws {
        let words = ["annotate", "--one-timeline", AnnotateTests.session, "/nonexistent/x"]
        let text = try CommandRun(words, columns: 80).text
        let verdict = try #require(text.firstRange(of: /302\s+records/))
        let frames = try #require(text.firstRange(of: "frame     time s"))
        #expect(verdict.lowerBound < frames.lowerBound)
    }

    @Test func `A profile that comes with the program is asked for by its name`() throws {
        let log = PackageRoot.url.appendingPathComponent("captures/mobike.btsnoop").path
        let quiet = try CommandRun(["annotate", "-fndjson", log])
        #expect(quiet.status == 0 && !quiet.text.contains("\"profile\":\"eswiftble\""))
        for words in [["-p", "eswiftble"], ["--only", "eswiftble"], ["--only", "ATT,eswiftble"]] {
            let run = try CommandRun(["annotate", "-fndjson", log] + words)
            #expect(run.status == 0 && run.text.contains("\"profile\":\"eswiftble\""), "\(words)")
        }
    }

    @Test func `The project's own device is read without being asked for`() throws {
        let log = PackageRoot.url.appendingPathComponent("captures/link-device.btsnoop").path
        let run = try CommandRun(["annotate", log])
        #expect(run.status == 0 && run.text.contains("text=\"SPEED 200\""))
        #expect(!run.text.contains("has no answer"))
    }
}
