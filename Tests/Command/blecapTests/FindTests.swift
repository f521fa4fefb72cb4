import Foundation
import Testing

/// `--find` in each command, and the exit status of filters.
@Suite struct FindTests {
    private static let session = AnnotateTests.session

    /// Numbers of the frames that annotate shows.
    private static func frames(_ words: [String], of path: String = session) throws -> [Int] {
        let run = try CommandRun(["annotate", "--format", "ndjson"] + words + [path])
        #expect(run.status == 0, "\(run.errors)")
        return run.text.split(separator: "\n").compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["kind"] as? String == "frame" ? object?["frame"] as? Int : nil
        }
    }

    @Test func `an operation, a handle and bytes choose the frames that have all three`() throws {
        #expect(try Self.frames(["--find", "write 0x0010 0600??51"]).contains(254))
        #expect(try Self.frames(["--find", "write 0x0010 0681"]) == [257])
        #expect(try Self.frames(["--find", "tfb"]) == [257])
        #expect(try Self.frames(["--find", "door_unlock tx"]) == [254, 257])
        #expect(try Self.frames(["--find", "notify", "--frames", "254-263"]) == [260, 261, 262, 263])
        #expect(try Self.frames(["--find", "mtu", "--find", "door_unlock tx"]) == [148, 150, 254, 257])
        #expect(
            try Self.frames(["--find=-write", "--frames", "254-263", "--only", "att"]) == [
                260, 261, 262, 263,
            ])
    }

    @Test func `a device is chosen by its name as by its address, in every command`() throws {
        let path = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        let byAddress = ["--peer", "02:4D:49:00:00:01"]
        let folder = try TemporaryFolder()
        for name in ["MI", "mi"] {
            let byName = ["--peer", name]
            let frames = try Self.frames(byName, of: path)
            #expect(try frames.count > 50 && frames == Self.frames(byAddress, of: path))
            for command in ["info", "replay"] {
                #expect(
                    try CommandRun([command] + byName + [path]).unwrapped
                        == CommandRun([command] + byAddress + [path]).unwrapped)
            }
            for (words, copy) in [(byName, "name"), (byAddress, "address")] {
                let run = try CommandRun(["convert"] + words + [path, folder.path(name + copy + ".btsnoop")])
                #expect(run.errors.hasPrefix("blecap: \(frames.count) records into "), "\(run.errors)")
            }
        }
        let none = try CommandRun(["replay", "--peer", "Nobody", path])
        #expect(
            none.status == 5
                && none.errors.contains(
                    "no connection passes --peer Nobody; its connections: 1 with 02:4D:49:00:00:01"),
            "\(none.errors)")
    }

    @Test func `the fields of a key protocol are searched`() throws {
        #expect(try Self.frames(["--find", "pairingWindowOpen"]).contains(122))
        #expect(try Self.frames(["--find", "vehicleId=4341"]) == [207])
    }

    @Test(arguments: ["advertis", "completed packets", "event"])
    func `each frame that is found has its line, also one that is folded otherwise`(_ words: String) throws {
        let found = try Self.frames(["--find", words])
        let run = try CommandRun(["annotate", "--find", words, Self.session])
        let lines = run.text.split(separator: "\n").compactMap { line -> Int? in
            let row = line.split(separator: " ")
            return row.count > 3 && ["rx", "tx", "?"].contains(row[2]) ? Int(row[0]) : nil
        }
        #expect(found.count > 3 && lines == found, "\(run.text)")
    }

    @Test func `nothing wrong among what passes a filter is not said of the log`() throws {
        let run = try CommandRun(["annotate", "--find", "mtu", Self.session]).unwrapped
        let told = "nothing failed in what passes the filter and could be read; the whole log has 1 failure"
        #expect(run.contains(told), "\(run)")
    }

    @Test func `info and convert take the same words`() throws {
        let words = ["--find", "notify 0x0012"]
        let count = try Self.frames(words).count
        #expect(count > 5)
        let info = try CommandRun(["info"] + words + [Self.session])
        #expect(info.text.contains("\(count) of 302 records"), "\(info.text)")
        let folder = try TemporaryFolder()
        let copy = folder.path("copy.btsnoop")
        let run = try CommandRun(["convert"] + words + [Self.session, copy])
        #expect(run.errors.hasPrefix("blecap: \(count) records into "), "\(run.errors)")
    }

    @Test func `a search that can't be meant is wrong usage, and one that finds nothing says so`() throws {
        let wrong = try CommandRun(["annotate", "--find", "a5*01", Self.session])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("--find: '*' in 'a5*01' is not a wildcard; write ?? for each byte"))
        let none = try CommandRun(["annotate", "--find", "write a5a5a5", Self.session])
        #expect(none.status == 0)
        #expect(none.errors.hasPrefix("blecap: no frame passes --find 'write a5a5a5'; characteristics in "))
    }

    /// Filters, and whether a frame with a failure passes: frame 281 refuses, 282 has a bad checksum.
    static let filters: [(words: [String], fails: Bool)] = [
        (["--frames", "270-300"], true), (["--frames", "1-200"], false), (["--only", "smp"], false),
        (["--only", "uqdk"], true), (["--find", "checksum"], true), (["--find", "mtu"], false),
        (["--connection", "1"], true), (["--connection", "9"], false),
    ]

    @Test(arguments: FailOnTests.ways, filters)
    func `--fail-on judges the frames that pass, in every form`(
        way: [String], filter: (words: [String], fails: Bool)
    ) throws {
        let run = try CommandRun(way + filter.words + ["--fail-on", "failure", Self.session])
        #expect(run.status == (filter.fails ? 1 : 0), "\(filter.words): \(run.errors)")
    }
}
