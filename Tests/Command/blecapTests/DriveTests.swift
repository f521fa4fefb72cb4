import Foundation
import Testing

/// `blecap drive`: the four small devices, each driven, recorded, annotated and replayed.
@Suite struct DriveTests {
    static func drive(_ device: String, _ actions: [String], _ more: [String] = []) throws -> CommandRun {
        try CommandRun(["drive", "--adapter", "simulator", "connect=\(device)"] + actions + more)
    }

    @Test(arguments: [
        (
            "MI", ["subscribe=FF01", "command=FF02:1B 99 01", "read=FF01"],
            ["service FEE0: FF01 (read, notify), FF02 (read, write without response, write)"],
            "FF01 is 567b0629", "mi-band battery"
        ),
        (
            "BLE-LINK", ["read=FFE1", "describe=FFE1", "subscribe=FFE1", "write=FFE1:aa0312720a0001723055"],
            ["FFE1 is 4c494e4b2031 \"LINK 1\"", "FFE1 2901: data"],
            "FFE1 is 53504545442031303030 \"SPEED 1000\"", "ble-link-manager"
        ),
        (
            "Mobike", ["subscribe=FFE1", "write=FFE2:64", "read=FFE3"], ["FFE2 written", "FFE3 is 64 \"d\""],
            "FFE1 is 64 \"d\"", "FFE1"
        ),
        (
            "xmg", ["describe=FFF2", "read=FFF2", "subscribe=FFF1", "wait=5", "unsubscribe=FFF1"],
            ["FFF2 2901: xmgDes1", "FFF2 is 786d67 \"xmg\"", "FFF1 notifications off"],
            "FFF1 is 32363a30313a30313a30303a30303a3035 \"26:01:01:00:00:05\"", "FFF1"
        ),
    ])
    func `a device is driven, and its recording annotated and replayed`(
        device: String, actions: [String], lines: [String], answer: String, annotated: String
    ) throws {
        try SimulateTests.inFolder { folder in
            let path = folder.appendingPathComponent("\(device).btsnoop").path
            let run = try Self.drive(device, actions, ["--record", path])
            #expect(run.status == 0, "\(run.text)\(run.errors)")
            let texts = SimulateTests.texts(run)
            for line in lines + [answer] { #expect(texts.contains(line), "\(line)\n\(run.text)") }
            #expect(texts.last == "disconnected")
            let read = try CommandRun(["annotate", "--strict", path])
            #expect(read.status == 0)
            #expect(read.text.contains(annotated))
            let replayed = try CommandRun(["replay", path])
            #expect(replayed.status == 0, "\(replayed.text)")
            #expect(replayed.text.hasPrefix("SAME: "))
        }
    }

    @Test(arguments: [
        ("MI", "write=FF02:00", "FF02: Application Error 0x80"),
        ("Mobike", "write=FFE2:0102", "FFE2: Invalid Attribute Value Length 0x0d"),
        ("Mobike", "write=FFE3:01", "FFE3: Write Not Permitted 0x03"),
        ("xmg", "read=FFF1", "FFF1: Read Not Permitted 0x02"), ("BLE-LINK", "read=FFF1", "FFF1: not found"),
    ])
    func `what a device refuses is told by name, and the exit status is 1`(
        device: String, action: String, text: String
    ) throws {
        let run = try Self.drive(device, [action])
        #expect(run.status == 1)
        #expect(SimulateTests.texts(run).contains(text), "\(run.text)")
        #expect(run.errors == "blecap: \(text)\n")
    }

    @Test(arguments: [
        (["connect=nobody"], "nobody: not found; heard: MI, xmg, BLE-LINK, Mobike"),
        (["read=FF01"], "no device is connected; connect=DEVICE connects to one"),
        (
            ["connect=MI", "command=FF01:00"],
            "FF01: takes no writes without response; write=FF01 waits for one"
        ),
    ])
    func `what can't be done is told, and ends the run`(actions: [String], text: String) throws {
        let run = try CommandRun(["drive", "--adapter", "simulator"] + actions + ["scan"])
        #expect(run.status == 1)
        #expect(run.errors == "blecap: \(text)\n")
        #expect(SimulateTests.texts(run).contains(text))
    }

    @Test(arguments: ["MI", "mi", "02:4d:49:00:00:01", "FEE0"])
    func `a device is found by its name, its address and its service`(device: String) throws {
        let run = try Self.drive(device, ["rssi"])
        #expect(run.status == 0, "\(run.errors)")
        let texts = SimulateTests.texts(run)
        #expect(texts.contains { $0.hasPrefix("found 02:4D:49:00:00:01") })
        #expect(texts.contains("-60 dBm"))
    }

    @Test func `a notification that comes before a write's response does not end the write`() throws {
        let writes = Array(repeating: "write=FFE1:00", count: 20)
        let run = try Self.drive("BLE-LINK", ["subscribe=FFE1"] + writes)
        #expect(run.status == 0, "\(run.errors)")
        let texts = SimulateTests.texts(run)
        #expect(texts.count { $0 == "FFE1 written" } == 20)
        #expect(texts.count { $0.hasPrefix("FFE1 is ") } == 20)
    }
}
