import Foundation
import TestSupport
import Testing

/// `blecap drive uqdk` and `blecap simulate car`, as a user runs them.
@Suite struct SimulateTests {
    static let keys = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.keys.json").path

    /// Runs with a folder of its own for recordings.
    static func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// The lines without their times.
    static func texts(_ run: CommandRun) -> [String] {
        run.text.split(separator: "\n").map { String($0.dropFirst(13)) }
    }

    /// The causes that the verdict of a log names.
    private static func causes(_ path: String) throws -> [String] {
        try annotated(path).compactMap { $0["cause"] as? String }
    }

    @Test(arguments: [
        (["uqdk", "trunk", "engine-start=10"], "uqdk.status"),
        (["connect=fob", "read=FF51", "answer=no"], "pairing-failed"),
        (["connect=MI", "subscribe=FF01", "command=FF02:1b9901", "wait=2"], nil),
    ])
    func `a capture of the simulator's radio names the cause that the host's log names`(
        words: [String], cause: String?
    ) throws {
        try Self.inFolder { folder in
            let (log, air) = (folder.path + "/a.btsnoop", folder.path + "/a.pcap")
            let command = ["drive"] + words + ["--adapter", "simulator", "--record", log, "--air", air]
            let run = try CommandRun(command)
            #expect(run.status == (cause == nil ? 0 : 1), "\(run.errors)")
            #expect(run.errors.contains(" packets on the air recorded to \(air)"))
            #expect(try Self.causes(log) == (cause.map { [$0] } ?? []))
            #expect(try Self.causes(air) == Self.causes(log))
            let whole = try CommandRun(["annotate", "--keys", Self.keys, air]).unwrapped
            #expect(whole.contains(#/heard \d+ events/#), "\(whole)")
            let lossy = try CommandRun(command + ["--force", "--air-loss", "30"])
            #expect(lossy.text == run.text)
            let heard = try CommandRun(["annotate", "--keys", Self.keys, air]).unwrapped
            #expect(heard.contains(#/heard \d+ of \d+ events/#), "\(heard)")
        }
    }

    @Test(arguments: [
        (["--air", "a.txt"], "unknown suffix"), (["--air-loss", "5"], "give --air FILE"),
        (["--air", "a.pcap", "--air-loss", "101"], "0 to 100"),
        (["--air", "a.pcap", "--record", "a.pcap"], "a file each"),
        (["--air", "./a.pcap", "--record", "a.pcap", "--force"], "a file each"),
        (["--air", "/", "--record", "a.pcap"], "unknown suffix"),
    ])
    func `impossible options of an air capture are refused`(words: [String], message: String) throws {
        let run = try CommandRun(["drive", "connect=MI", "--adapter", "simulator"] + words)
        #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: "a.pcap"))
    }

    /// The objects of `annotate --format ndjson`.
    static func annotated(_ path: String, _ more: [String] = []) throws -> [[String: Any]] {
        let run = try CommandRun(["annotate", "--format", "ndjson", "--keys", keys] + more + [path])
        #expect(run.status == 0, "\(run.errors)")
        return try run.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    /// The whole messages of the digital-key protocol, as annotate tells them.
    static func messages(_ objects: [[String: Any]]) -> [[String: Any]] {
        objects.compactMap { object in
            let uqdk = object["uqdk"] as? [String: Any]
            guard let message = uqdk?["message"] as? [String: Any], message["whole"] as? Bool == true else {
                return nil
            }
            return message
        }
    }

    /// "ACTIVATE request", "ACTIVATE response success".
    static func names(_ messages: [[String: Any]]) -> [String] {
        messages.map { message in
            let status = ((message["status"] as? [String: Any])?["name"] as? String).map { " \($0)" } ?? ""
            return "\(message["name"] as? String ?? "?") \(message["kind"] as? String ?? "?")\(status)"
        }
    }

    @Test func `a phone unlocks the car, line by line`() throws {
        let run = try CommandRun(["drive", "uqdk", "unlock", "--adapter", "simulator", "--keys", Self.keys])
        #expect(run.status == 0, "\(run.errors)")
        let texts = Self.texts(run)
        let states = ["scanning", "connecting", "discovering", "subscribing", "ready", "authenticating"]
        #expect(texts.filter { states.contains($0) }.prefix(6) == states[...])
        #expect(texts.contains { $0.hasPrefix("ACTIVATE: success, slot 0 (") })
        #expect(texts.contains("session for 300 s"))
        #expect(texts.contains { $0.hasPrefix("DOOR_UNLOCK: success (") })
        #expect(texts.contains { $0.hasPrefix("STATUS_EVENT: doorsLocked none") })
        #expect(texts.contains { $0.hasPrefix("STATUS_QUERY: success, doorsLocked none") })
        #expect(texts.last == "disconnected")
        #expect(run.errors.isEmpty)
        // Times stand in front and never go back.
        let times = run.text.split(separator: "\n").compactMap {
            Double($0.prefix(11).trimmingCharacters(in: .whitespaces))
        }
        #expect(times.count == texts.count && times == times.sorted())
    }

    @Test func `the recording is a whole session, as annotate reads it with the keys`() throws {
        try Self.inFolder { folder in
            let path = folder.appendingPathComponent("unlock.btsnoop").path
            let run = try CommandRun([
                "drive", "uqdk", "unlock", "--adapter", "simulator", "--keys", Self.keys, "--record", path,
            ])
            #expect(run.status == 0)
            #expect(run.errors.contains("recorded to \(path)"))
            let objects = try Self.annotated(path, ["--strict"])
            let messages = Self.messages(objects)
            #expect(
                Self.names(messages) == [
                    "ACTIVATE request", "ACTIVATE response success", "AUTH_BEGIN request",
                    "AUTH_BEGIN response success", "AUTH_FINISH request", "AUTH_FINISH response success",
                    "PROXIMITY_EVENT event", "DOOR_UNLOCK request", "DOOR_UNLOCK response success",
                    "STATUS_QUERY request", "STATUS_EVENT event", "STATUS_QUERY response success",
                ])
            // Of the activation, of the car and of the phone; then six secured messages.
            #expect(messages.compactMap { $0["proof"] as? String } == ["verified", "verified", "verified"])
            #expect(messages.compactMap { $0["tag"] as? String }.filter { $0 == "verified" }.count == 6)
            #expect(messages.filter { $0["checksum"] as? String == "right" }.count == messages.count)
            for object in objects where object["kind"] as? String == "frame" {
                #expect(object["problems"] == nil, "\(object)")
            }
            let text = try CommandRun(["annotate", "--keys", Self.keys, path]).text
            #expect(text.contains("\nnothing wrong was found\n"))
        }
    }

    @Test(
        .judge, .enabled(if: PackageRoot.tshark != nil, "tshark is not installed"),
        arguments: ["btsnoop", "pcap", "pcapng"])
    func `tshark reads the recording in every format`(suffix: String) throws {
        try Self.inFolder { folder in
            let path = folder.appendingPathComponent("unlock.\(suffix)").path
            let run = try CommandRun([
                "drive", "uqdk", "unlock", "--adapter", "simulator", "--record", path,
            ])
            #expect(run.status == 0, "\(run.errors)")
            let count = try Self.annotated(path).filter { $0["kind"] as? String == "frame" }.count
            let all = try Self.tshark(["-r", path])
            #expect(all.split(separator: "\n").count == count)
            let writes = try Self.tshark([
                "-r", path, "-Y", "btatt.opcode == 0x12", "-T", "fields", "-e", "btatt.value",
            ])
            #expect(writes.contains("555101"))
            let malformed = try Self.tshark(["-r", path, "-Y", "_ws.malformed"])
            #expect(malformed.isEmpty, "\(malformed)")
        }
    }

    static func tshark(_ arguments: [String]) throws -> String {
        let run = try ProgramRun(try #require(PackageRoot.tshark), arguments)
        #expect(run.status == 0, "\(run.errors)")
        return run.text
    }

    @Test(arguments: [
        ["unlock"], ["trunk", "engine-start", "lock=trunk", "find", "windows=50"],
        ["status", "wait=301", "unlock=front-left"],
    ])
    func `what drive records replays the same`(actions: [String]) throws {
        try Self.inFolder { folder in
            let path = folder.appendingPathComponent("drive.btsnoop").path
            _ = try CommandRun(
                ["drive", "uqdk", "--adapter", "simulator", "--keys", Self.keys, "--record", path] + actions)
            let replayed = try CommandRun(["replay", "--keys", Self.keys, path])
            #expect(replayed.status == 0, "\(replayed.text)")
            #expect(replayed.text.hasPrefix("SAME: "))
            // This stack made the log: all that it said to its controller is the same, too.
            let strict = try CommandRun(["replay", "--tier", "strict", "--keys", Self.keys, path])
            #expect(strict.text.hasPrefix("SAME: "), "\(strict.text)")
        }
    }

    /// The commands in quotes of what a simulation says at its end.
    static func offered(_ run: CommandRun) -> [[String]] {
        run.errors.split(separator: "'").map(String.init).filter { $0.hasPrefix("blecap ") }.map {
            $0.split(separator: " ").dropFirst().map(String.init)
        }
    }

    @Test func `the commands that drive names at its end work as they stand there, without keys given too`()
        throws
    {
        try Self.inFolder { folder in
            let path = folder.appendingPathComponent("drive.btsnoop").path
            let run = try CommandRun(
                ["drive", "uqdk", "unlock", "--adapter", "simulator", "--record", path])
            let offered = Self.offered(run)
            #expect(offered.map(\.first) == ["annotate", "replay"], "\(run.errors)")
            for command in offered {
                let done = try CommandRun(command)
                #expect(done.status == 0, "\(done.text)\(done.errors)")
                if command.first == "replay" { #expect(done.text.hasPrefix("SAME: ")) }
            }
            // A file of that name that is something else stays as it is.
            let keys = folder.appendingPathComponent("drive.keys.json")
            try Data("{}".utf8).write(to: keys)
            let again = try CommandRun(
                ["drive", "uqdk", "unlock", "--adapter", "simulator", "--force", "--record", path])
            #expect(again.status == 0 && again.errors.contains("--keys FILE \(path)"), "\(again.errors)")
            #expect(try Data(contentsOf: keys) == Data("{}".utf8))
        }
    }

    @Test func `the test key's file is only its owner's, and comes to be through no link`() throws {
        let folder = try TemporaryFolder()
        func drive(_ name: String) throws -> CommandRun {
            try CommandRun([
                "drive", "uqdk", "unlock", "--adapter", "simulator", "--record", folder.path(name),
            ])
        }
        #expect(try drive("plain.btsnoop").status == 0)
        let made = try FileManager.default.attributesOfItem(atPath: folder.path("plain.keys.json"))
        #expect(made[.posixPermissions] as? Int == 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("linked.keys.json"), withDestinationPath: folder.path("elsewhere"))
        #expect(try drive("linked.btsnoop").status == 0)
        #expect(!folder.names.contains("elsewhere"), "\(folder.names)")
    }

    @Test func `a record that can't be written is the environment's failure`() throws {
        let run = try CommandRun([
            "drive", "uqdk", "unlock", "--adapter", "simulator", "--record", "/dev/full", "--format",
            "btsnoop",
            "--force",
        ])
        #expect(run.status == 4, "\(run.errors)")
        #expect(run.errors.contains("No space left on device"))
    }

    @Test func `one seed, one run, octet by octet`() throws {
        try Self.inFolder { folder in
            func record(_ name: String, _ seed: String) throws -> (lines: Data, capture: Data) {
                let file = folder.appendingPathComponent(name)
                let run = try CommandRun([
                    "drive", "uqdk", "lock", "unlock=front-left", "--adapter", "simulator", "--seed", seed,
                    "--record", file.path,
                ])
                #expect(run.status == 0, "\(run.errors)")
                return (run.output, try Data(contentsOf: file))
            }
            let first = try record("1.btsnoop", "5")
            let again = try record("2.btsnoop", "5")
            #expect(first == again)
            #expect(try record("3.btsnoop", "6").capture != first.capture)
        }
    }

    @Test func `what the car refuses is told, and the exit status is 1`() throws {
        let run = try CommandRun([
            "drive", "uqdk", "trunk", "engine-start", "lock=trunk", "--adapter", "simulator", "--keys",
            Self.keys,
        ])
        #expect(run.status == 1)
        let texts = Self.texts(run)
        #expect(texts.contains("ENGINE_START: refusedInState"))
        #expect(texts.contains("DOOR_LOCK: refusedInState"))
        #expect(texts.contains { $0.hasPrefix("FAULT_EVENT: code 0x101") })
        #expect(texts.contains { $0.hasPrefix("STATUS_QUERY: success") })
        #expect(run.errors == "blecap: ENGINE_START: refusedInState (the first of 2)\n")
    }

    @Test func `a session that is over is made anew`() throws {
        let run = try CommandRun([
            "drive", "uqdk", "status", "wait=301", "unlock", "--adapter", "simulator", "--activated",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(Self.texts(run).filter { $0 == "session for 300 s" }.count == 2)
        #expect(!run.text.contains("ACTIVATE"))
    }

    @Test func `the car's side: what it sees, and a peripheral's log`() throws {
        try Self.inFolder { folder in
            let path = folder.appendingPathComponent("car.btsnoop").path
            let run = try CommandRun([
                "simulate", "car", "--keys", Self.keys, "--record", path,
            ])
            #expect(run.status == 0, "\(run.errors)")
            let texts = Self.texts(run)
            #expect(texts.dropFirst().first == "pairing window open, code 314159")
            #expect(texts.contains("02:00:00:00:00:10 connected"))
            #expect(texts.contains("key 1122334455667788 activated in slot 0"))
            #expect(texts.contains("DOOR_UNLOCK answered with success, secured"))
            #expect(texts.last?.hasPrefix("the car is left with its doors not all locked") == true)
            let messages = Self.names(Self.messages(try Self.annotated(path)))
            #expect(messages.contains("DOOR_UNLOCK response success"))
            #expect(messages.contains("STATUS_QUERY response success"))
        }
    }

    @Test func `another dialect, with a key of its length`() throws {
        try Self.inFolder { folder in
            let keys = folder.appendingPathComponent("keys.json")
            let key = (0..<24).map { String(format: "%02x", $0) }.joined()
            try Data(
                """
                {"uqdk": [{"keyId": "01020304", "key": "\(key)", "pairingCode": "271828"}], "test": true}
                """.utf8
            ).write(to: keys)
            let dialect = PackageRoot.url.appendingPathComponent("Tests/Decoder/UQDKTests/other-dialect.json")
            let path = folder.appendingPathComponent("other.btsnoop").path
            let given = ["--dialect", dialect.path, "--keys", keys.path]
            let run = try CommandRun(
                ["drive", "uqdk", "trunk", "--adapter", "simulator", "--record", path] + given)
            #expect(run.status == 0, "\(run.text)\(run.errors)")
            #expect(Self.texts(run).contains { $0.hasPrefix("TRUNK_OPEN: success") })
            let read = try CommandRun(["annotate", "--only", "uqdk"] + given + [path])
            #expect(read.text.contains("TRUNK_OPEN"))
            #expect(read.text.contains("Other dialect"))
            let wrong = try CommandRun([
                "drive", "uqdk", "trunk", "--adapter", "simulator", "--dialect", dialect.path,
            ])
            #expect(wrong.status == 3)
        }
    }

    @Test(arguments: [
        (["drive", "uqdk"], "needs ACTION"),
        (["drive", "uqdk", "unlock", "--adapter", "x"], "is not an adapter"),
        (["drive", "uqdk", "unlok", "--adapter", "simulator"], "did you mean 'unlock'?"),
        (["drive", "uqdk", "unlock=boot", "--adapter", "simulator"], "is not a door"),
        (["drive", "uqdk", "trunk=1", "--adapter", "simulator"], "takes no value"),
        (["drive", "uqdk", "engine-start=0", "--adapter", "simulator"], "is not a number from 1 to 255"),
        (["drive", "uqdk", "unlock", "--adapter", "simulator", "--car", "x"], "is not an address"),
        (["drive", "uqdk", "unlock", "--adapter", "simulator", "--record", "x.txt"], "unknown suffix"),
        (["drive", "uqdk", "send=HORM", "--adapter", "simulator"], "has no command 'HORM'"),
        (["simulate"], "needs car|link"), (["simulate", "bnad"], "did you mean 'band'?"),
        (["simulate", "band"], "give --listen"),
        (["simulate", "car", "--listen", "hci"], "is not an adapter"),
        (["simulate", "car", "lock", "--listen", "unix:x"], "no ACTION is taken"),
        (["simulate", "band", "--listen", "unix:x", "--state", "x"], "--state is for simulate car"),
        (["simulate", "car", "--listen", "unix:x", "--pairing", "shows"], "--pairing is for simulate fob"),
        (["simulate", "car", "--state", "x"], "--state needs --listen or --adapter"),
        (["replay", "x.btsnoop", "--sweep", "--listen", "unix:x"], "not for --listen"),
        (["drive", "read=FF0", "--adapter", "simulator"], "is not a UUID"),
        (["drive", "connect", "--adapter", "simulator"], "no device named"),
        (["drive", "write=FF02:1b9", "--adapter", "simulator"], "not hexadecimal"),
        (["drive", "raed=FF02", "--adapter", "simulator"], "did you mean 'read'"),
    ])
    func `wrong usage is status 2, and says what would be right`(arguments: [String], says: String) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains(says), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test func `a file that is there is not replaced without --force`() throws {
        try Self.inFolder { folder in
            let path = folder.appendingPathComponent("there.btsnoop").path
            try Data([1]).write(to: URL(fileURLWithPath: path))
            let arguments = ["drive", "uqdk", "unlock", "--adapter", "simulator", "--record", path]
            let refused = try CommandRun(arguments)
            #expect(refused.status == 4)
            #expect(refused.errors.contains("--force"))
            #expect(try CommandRun(arguments + ["--force"]).status == 0)
        }
    }
}
