import Foundation
import Glibc
import TestSupport
import Testing

/// `blecap simulate --listen` and `blecap drive --adapter`: two programs, joined by H4.
@Suite(.process) struct ListenTests {
    /// A device, or a recording, that stays up while a test runs.
    final class Device {
        private let process = Process()
        private let pipe = Pipe()
        let place: String

        init(_ arguments: [String], of command: String = "simulate", at place: String) throws {
            Tier.startsProcess(command)
            process.executableURL = PackageRoot.command
            process.arguments = [command] + arguments + ["--listen", place]
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            var said: [UInt8] = []
            while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
                said.append(byte)
            }
            let line = String(decoding: said, as: UTF8.self)
            self.place = String(line.components(separatedBy: " at ").last ?? "")
        }

        deinit { if process.isRunning { process.terminate() } }

        /// The most memory that it has had, in kB.
        func peakMemory() throws -> Int {
            let status = try String(
                contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.filter(\.isNumber)))
        }

        /// Interrupts it, and gives its last lines.
        func end() throws -> String {
            process.interrupt()
            return try rest(status: 0)
        }

        /// Its last lines, when it has ended by itself with this exit status.
        func rest(status: Int32) throws -> String {
            let rest = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == status)
            return String(decoding: rest, as: UTF8.self)
        }
    }

    @Test func `a car without keys says at its start that it has the one that everybody knows`() throws {
        let said = try Device(["car"], at: "tcp:127.0.0.1:0").end().split(separator: "\n")
        #expect(said.first?.hasSuffix("  no --keys: using the test key of the published vectors") == true)
        #expect(said.count { $0.contains("no --keys") } == 1, "\(said)")
    }

    @Test func `phones one after another unlock a car that stays up, and their logs replay`() throws {
        let folder = try TemporaryFolder()
        let keys = ["--keys", SimulateTests.keys]
        let car = try Device(["car", "--record", folder.path("car.btsnoop")] + keys, at: "tcp:127.0.0.1:0")
        for (index, more) in [[], ["--activated"]].enumerated() {
            let log = folder.path("\(index).btsnoop")
            let words = ["drive", "uqdk", "unlock", "--adapter", car.place, "--record", log] + keys + more
            let run = try CommandRun(words)
            #expect(run.status == 0, "\(run.text)\(run.errors)")
            #expect(run.text.contains("DOOR_UNLOCK: success"))
            // Real time decides what came when; what was said is the same.
            let replayed = try CommandRun(["replay", log] + keys)
            #expect(replayed.status == 0, "\(replayed.text)")
            #expect(replayed.text.hasPrefix("SAME: "), "\(replayed.text)")
        }
        let told = try car.end()
        #expect(told.components(separatedBy: "DOOR_UNLOCK answered with success, secured").count == 3)
        #expect(told.contains("a host left"))
        #expect(told.contains("'blecap replay --keys"))
        let read = try CommandRun(["annotate", folder.path("car.btsnoop")] + keys)
        #expect(read.status == 0)
        #expect(read.text.components(separatedBy: "authenticated, ").count == 3, "\(read.text)")
        // The car closes its pairing window between the visits, and advertises that.
        for more in [keys, ["--keys", "none"]] {
            for policy in ["causal", "earliest"] {
                let own = try CommandRun(["replay", folder.path("car.btsnoop"), "--policy", policy] + more)
                #expect(own.text.hasPrefix("SAME: "), "\(policy) \(more): \(own.text)")
            }
        }
    }

    /// Sends packets to a TCP port, and reads as many bytes as are to come back.
    static func exchange(_ packets: [[UInt8]], at place: String, reading count: Int) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = try #require(place.split(separator: ":").last.flatMap { UInt16($0) }).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            let general = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe connect(descriptor, general, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
        try #require(isConnected)
        let handle = FileHandle(fileDescriptor: descriptor)
        for packet in packets { try handle.write(contentsOf: Data(packet)) }
        var read: [UInt8] = []
        while read.count < count, let more = try handle.read(upToCount: count - read.count), !more.isEmpty {
            read += more
        }
        return read
    }

    @Test(arguments: [false, true])
    func `a host that floods a link that does not exist costs no memory, and is counted`(
        isRecorded: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let more = isRecorded ? ["--record", folder.path("band.btsnoop")] : []
        let band = try Device(["band"] + more, at: "tcp:127.0.0.1:0")
        let flood = [2, 0x40, 0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF)
        let reset: [UInt8] = [1, 3, 0x0C, 0]
        let packets = [[UInt8]](repeating: flood, count: 1_000) + [reset]
        let answer = try Self.exchange(packets, at: band.place, reading: 7)
        #expect(answer == [4, 0x0E, 4, 1, 3, 0x0C, 0])
        #expect(try band.peakMemory() < 64 << 10)
        #expect(try band.end().contains("dropped 1000 data packets for no link"))
        guard isRecorded else { return }
        let info = try CommandRun(["info", folder.path("band.btsnoop")])
        #expect(info.status == 0 && info.text.contains("nothing above HCI"), "\(info.text)")
    }

    @Test func `what a device says is in its recording as soon as it has said it`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("clock.btsnoop")
        let clock = try Device(["clock", "--record", log], at: "tcp:127.0.0.1:0")
        let run = try CommandRun(["drive", "connect=xmg", "read=FFF2", "--adapter", clock.place])
        #expect(run.status == 0, "\(run.text)\(run.errors)")
        let read = try CommandRun(["annotate", log])
        #expect(read.text.contains("Read Response"), "\(read.text)")
        #expect(try clock.end().contains("of the clock recorded to"))
    }

    @Test func `a car keeps its state between two runs`() throws {
        let folder = try TemporaryFolder()
        let more = ["--keys", SimulateTests.keys]
        let state = ["--state", folder.path("car.json")]
        let first = try Device(["car"] + more + state, at: "unix:" + folder.path("s"))
        #expect(try CommandRun(["drive", "uqdk", "status", "--adapter", first.place] + more).status == 0)
        // It is kept when the phone has left, whatever becomes of the car then.
        while !FileManager.default.fileExists(atPath: folder.path("car.json")) { usleep(10_000) }
        _ = try first.end()
        let kept = try String(contentsOfFile: folder.path("car.json"), encoding: .utf8)
        #expect(kept.contains("\"slot\" : 0"))
        #expect(!kept.contains("000102030405"))
        // Its key is activated, and its pairing window closed.
        let second = try Device(["car"] + more + state, at: "unix:" + folder.path("s"))
        let run = try CommandRun(
            ["drive", "uqdk", "status", "--activated", "--adapter", second.place] + more)
        #expect(run.status == 0, "\(run.text)\(run.errors)")
        let again = try CommandRun(["drive", "uqdk", "status", "--adapter", second.place] + more)
        let advice = "ACTIVATE: refusedInState; for a key that the car knows already, give --activated"
        #expect(again.status == 1 && again.errors.contains(advice), "\(again.errors)")
        #expect(try !second.end().contains("pairing window open"))
        try Data("{}".utf8).write(to: URL(filePath: folder.path("car.json")))
        let third = try CommandRun(
            ["simulate", "car", "--listen", "unix:" + folder.path("s")] + more + state)
        #expect(third.status == 3)
        #expect(third.errors.contains("not the state of a car"))
    }

    @Test func `a state file with huge numbers does not crash the car`() throws {
        let folder = try TemporaryFolder()
        let state = folder.path("car.json")
        let kept = """
            {"version": 1, "keys": [{"authCounter": 1, "badProofs": \(Int.max), "isRevoked": false,
             "slot": 0, "keyID": "1122334455667788"}]}
            """
        try Data(kept.utf8).write(to: URL(filePath: state))
        let keys = try String(contentsOfFile: SimulateTests.keys, encoding: .utf8)
        let other = folder.path("other.json")
        try Data(keys.replacing("\"key\": \"0", with: "\"key\": \"f").utf8).write(to: URL(filePath: other))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        let car = try Device(
            ["car", "--keys", SimulateTests.keys, "--state", state], at: "unix:" + folder.path("s"))
        let run = try CommandRun(
            ["drive", "uqdk", "status", "--activated", "--keys", other, "--adapter", car.place])
        #expect(run.status == 1, "\(run.text)\(run.errors)")
        #expect(try car.end().contains("AUTH_BEGIN"))
    }

    @Test func `a recording answers Read RSSI`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("clock.btsnoop")
        let words = ["connect=xmg", "rssi", "read=FFF2"]
        let first = try CommandRun(["drive"] + words + ["--adapter", "simulator", "--record", log])
        #expect(first.status == 0, "\(first.errors)")
        let recording = try Device([log], of: "replay", at: "unix:" + folder.path("s"))
        let run = try CommandRun(["drive"] + words + ["--adapter", recording.place])
        #expect(run.status == 0 && run.text.contains("dBm"), "\(run.text)\(run.errors)")
        #expect(try recording.rest(status: 0).hasPrefix("SAME"))
    }

    @Test func `the application tier names a changed write, not the reads before it`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("clock.btsnoop")
        let words = ["connect=xmg", "read=FFF2", "write=FFF2:0102"]
        let first = try CommandRun(["drive"] + words + ["--adapter", "simulator", "--record", log])
        #expect(first.status == 0, "\(first.errors)")
        let recording = try Device(
            [log, "--tier", "application"], of: "replay", at: "unix:" + folder.path("s"))
        _ = try CommandRun(["drive", "connect=xmg", "write=FFF2:0104", "--adapter", recording.place])
        let told = try recording.rest(status: 1)
        #expect(told.hasPrefix("DIVERGED") && told.contains("expected  ATT Write Request"), "\(told)")
    }

    @Test func `an idle host is stuck after --patience`() throws {
        let folder = try TemporaryFolder()
        let log = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path
        let words = [log, "--keys", SimulateTests.keys, "--policy", "earliest", "--patience", "2s"]
        let recording = try Device(words, of: "replay", at: "unix:" + folder.path("s"))
        // The adapter goes away under the scan.
        #expect(try CommandRun(["drive", "scan=60", "--adapter", recording.place]).status != 0)
        let told = try recording.rest(status: 1)
        #expect(told.contains("STUCK at ") && told.contains("--patience 2s"), "\(told)")
        let wrong = try CommandRun(["replay", log, "--patience", "soon"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("--patience: 'soon' is not a duration"))
    }

    @Test func `an expectation is red for a host with the bug, and green without`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("night.btsnoop")
        func words(_ value: String) -> [String] { ["connect=xmg", "read=FFF2", "write=FFF2:\(value)"] }
        let bug = words("0102")
        let night = try CommandRun(["drive"] + bug + ["--adapter", "simulator", "--record", log])
        #expect(night.status == 0, "\(night.errors)")
        func judged(_ words: [String], _ options: [String], status: Int32) throws -> String {
            let recording = try Device(
                [log, "--policy", "earliest"] + options, of: "replay",
                at: "unix:" + folder.path(UUID().uuidString))
            _ = try CommandRun(["drive"] + words + ["--adapter", recording.place])
            return try recording.rest(status: status)
        }
        let mended = words("0104")
        let expectation = folder.path("mended.json")
        let first = try judged(mended, ["--bless", expectation], status: 1)
        #expect(first.hasPrefix("DIVERGED"), "\(first)")
        #expect(first.contains("  in words  the host wrote 0104 to "), "\(first)")
        #expect(first.contains("blecap: wrote \(expectation): 'blecap replay "), "\(first)")
        let green = try judged(mended, ["--expect", expectation], status: 0)
        #expect(green.contains("AS EXPECTED: SAME") && green.contains("  departed  at frame "), "\(green)")
        let red = try judged(bug, ["--expect", expectation], status: 1)
        #expect(red.contains("NOT AS EXPECTED\n  missed    at frame "), "\(red)")
    }

    @Test(.realTime) func `a recording that no host comes to ends after --patience`() throws {
        let folder = try TemporaryFolder()
        let place = "unix:" + folder.path("s")
        let junit = folder.path("junit.xml")
        let run = try CommandRun([
            "replay", ReplayCommandTests.band, "--listen", place, "--patience", "50ms", "--junit", junit,
        ])
        #expect(run.status == 4 && run.text.isEmpty)
        #expect(run.errors.contains("no host came to \(place) within 50ms; start the host "), "\(run.errors)")
        #expect(try XMLText(String(contentsOfFile: junit, encoding: .utf8)).count("failure") == 1)
    }

    @Test func `actions come from standard input line by line`() throws {
        let folder = try TemporaryFolder()
        let clock = try Device(["clock"], at: "unix:" + folder.path("s"))
        let run = try CommandRun(
            ["drive", "--adapter", clock.place],
            input: Data("connect xmg\nfoo\nread FFF2\nwrite FFF2 6869\nread FFF2\nquit\nread FFF2\n".utf8))
        // A line that is no action is a failure; the others are done.
        #expect(run.status == 1, "\(run.text)")
        #expect(run.errors.contains("unknown action 'foo'"))
        let texts = SimulateTests.texts(run)
        let values = texts.filter { $0.hasPrefix("FFF2 ") }
        #expect(values == ["FFF2 is 786d67 \"xmg\"", "FFF2 written", "FFF2 is 6869 \"hi\""])
        _ = try clock.end()
    }
}
