import Foundation
import TestSupport
import Testing

/// `blecap replay` of logs that the simulated devices record of themselves: those of the peripheral.
@Suite struct PeripheralReplayTests {
    /// A device and what a central does with it.
    static let visits: [(device: String, name: String, actions: [String])] = [
        ("band", "MI", ["read=FF01", "subscribe=FF01", "command=FF02:1b9901", "wait=1"]),
        ("mobike", "Mobike", ["read=FFE3", "subscribe=FFE1", "write=FFE2:5f", "write=FFE2:14", "wait=1"]),
        ("link", "BLE-LINK", ["read=FFE1", "subscribe=FFE1", "write=FFE1:41424344", "unsubscribe=FFE1"]),
        ("fob", "fob", ["read=FF51", "subscribe=FF51", "write=FF52:01", "wait=1"]),
        (
            "clock", "xmg",
            [
                "subscribe=FFF1", "write=FFF2:" + String(repeating: "5a", count: 60), "read=FFF2",
                "describe=FFF2", "wait=3",
            ]
        ),
    ]

    @Test(.process) func `a car's own log replays, and so do those of the small devices`() throws {
        let folder = try TemporaryFolder()
        let car = folder.path("car.btsnoop")
        #expect(try CommandRun(["simulate", "car", "unlock", "status", "--record", car]).status == 0)
        for keys in [folder.path("car.keys.json"), "none"] {
            let run = try CommandRun(["replay", car, "--keys", keys])
            #expect(run.status == 0 && run.text.hasPrefix("SAME: "), "\(run.text)\(run.errors)")
            #expect(run.text.contains(", as the peripheral"))
        }
        for visit in Self.visits {
            let log = folder.path("\(visit.device).btsnoop")
            let place = "unix:" + folder.path(visit.device)
            let device = try ListenTests.Device([visit.device, "--record", log], at: place)
            let words = ["drive", "connect=\(visit.name)"] + visit.actions + ["disconnect"]
            // Where the central keeps its bonds.
            let driven = try CommandRun.process(
                words + ["--adapter", device.place], environment: ["XDG_STATE_HOME": folder.path("state")])
            #expect(driven.status == 0, "\(driven.text)\(driven.errors)")
            _ = try device.end()
            let run = try CommandRun(["replay", "--repeat", "2", log])
            #expect(run.status == 0 && run.text.hasPrefix("SAME: "), "\(run.text)\(run.errors)")
        }
    }

    @Test func `an error that the server did not send is found in the log, and CI sees it`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("car.btsnoop")
        #expect(try CommandRun(["simulate", "car", "--record", log]).status == 0)
        // The first Attribute Not Found in answer to Read By Type becomes Unlikely Error.
        var octets = [UInt8](try Data(contentsOf: URL(filePath: log)))
        let pattern: [UInt8] = [0x05, 0x00, 0x04, 0x00, 0x01, 0x08]
        let place = try #require(
            octets.indices.dropLast(9).first { octets[$0..<($0 + 6)].elementsEqual(pattern) })
        #expect(octets[place + 8] == 0x0A)
        octets[place + 8] = 0x0E
        let changed = folder.path("changed.btsnoop")
        try Data(octets).write(to: URL(filePath: changed))
        let report = folder.path("report.xml")
        let run = try CommandRun(["replay", "--junit", report, "--keys", "none", changed])
        #expect(run.status == 1 && run.text.hasPrefix("DIVERGED #1"), "\(run.text)")
        #expect(run.text.contains(#/\n  look at   blecap annotate --frame \d+ /#), "\(run.text)")
        #expect(run.text.contains("\n  go on     blecap replay --continue "), "\(run.text)")
        #expect(run.text.contains("Unlikely Error") && run.text.contains("Attribute Not Found"))
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("<failure"))
    }

    @Test func `with its key the car itself answers, and each of its messages is judged`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("car.btsnoop")
        #expect(try CommandRun(["simulate", "car", "unlock", "status", "--record", log]).status == 0)
        func given(_ run: CommandRun) -> Int {
            run.text.firstMatch(of: /from log +(\d+) value/).flatMap { Int($0.1) } ?? 0
        }
        let keys = folder.path("car.keys.json")
        let keyed = try CommandRun(["replay", "--keys", keys, log])
        let plain = try CommandRun(["replay", "--keys", "none", log])
        #expect(given(keyed) < given(plain) / 2, "\(keyed.text)\(plain.text)")
        let octets = [UInt8](try Data(contentsOf: URL(filePath: log)))
        let sent = Self.notifications(octets)
        #expect(sent.count > 5)
        for one in sent {
            var changed = octets
            changed[one.last] ^= 1
            let path = folder.path("\(one.frame).btsnoop")
            try Data(changed).write(to: URL(filePath: path))
            let run = try CommandRun(["replay", "--keys", keys, path])
            #expect(run.status == 1 && run.text.contains(", frame \(one.frame), tier"), "\(run.text)")
        }
    }

    /// The frames with the ends of a host's notifications in a btsnoop file, and where their last octets lie.
    private static func notifications(_ octets: [UInt8]) -> [(frame: Int, last: Int)] {
        var found: [(frame: Int, last: Int)] = []
        var place = 16
        var frame = 0
        // Octets that the PDU still lacks.
        var rest = 0
        while place + 24 <= octets.count {
            frame += 1
            let length = octets[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
            let isSent = octets[place + 11] == 4
            let data = place + 24
            place = data + length
            guard isSent, length > 4 else { continue }
            if rest > 0 {
                rest -= length - 4
            } else if length > 9, octets[(data + 6)...(data + 8)].elementsEqual([0x04, 0x00, 0x1B]) {
                rest = Int(octets[data + 4]) + 4 - (length - 4)
            } else {
                continue
            }
            if rest == 0 { found.append((frame, place - 1)) }
        }
        return found
    }
}
