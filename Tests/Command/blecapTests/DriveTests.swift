import Adapters
import BluetoothCore
import CommandLineKit
import CoreBluetooth
import Foundation
import LEHost
import Runtime
import Synchronization
import TestSupport
import Testing
import WireBytes

@testable import blecap

/// `blecap drive`: the four small devices, each driven, recorded, annotated and replayed.
@Suite struct DriveTests {
    @Test func `simulator recordings with the same first records stay separate logs`() throws {
        let folder = try TemporaryFolder()
        for (name, words) in [
            ("a", ["connect=MI", "read=FF01"]), ("b", ["connect=xmg", "read=FFF2"]),
        ] {
            let run = try CommandRun(
                ["drive"] + words + ["--adapter", "simulator", "--record", folder.path(name + ".btsnoop")])
            #expect(run.status == 0)
        }
        let read = try CommandRun(["annotate", "--summary", folder.path("")])
        #expect(read.text.contains("2 logs: 2 ok"), "\(read.text)")
    }

    @Test func `lines logged before the prompt is ready are shown later`() {
        let desk = PairingDesk()
        desk.say("early")
        let seen = Mutex<[String]>([])
        desk.onQuestion { line, _ in seen.withLock { $0.append(line) } }
        desk.say("late")
        #expect(seen.withLock { $0 } == ["early", "late"])
    }

    @Test func `an unreachable adapter leaves no recording`() throws {
        let folder = try TemporaryFolder()
        for words in [["scan"], ["uqdk", "unlock"], ["band", "battery"]] {
            let run = try CommandRun(
                ["drive"] + words + ["--adapter", "tcp:127.0.0.1:1", "--record", folder.path("a.btsnoop")])
            #expect(run.status == 4, "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("a.btsnoop")))
        }
    }

    /// A controller that never answers.
    private final class MuteController: HCITransport {
        func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) {}
        func send(_ packet: HCIPacket) {}
        func close() {}
    }

    @Test(arguments: [["scan"], ["uqdk", "unlock"], ["band", "battery"], ["link", "speed=1000"]])
    func `a controller that does not answer is reported after ten seconds`(words: [String]) throws {
        let null = CommandEnvironment.Stream(-1)
        let output = try FileHandle.nameless()
        let environment = CommandEnvironment(
            input: null, output: .init(output.fileDescriptor), errors: .init(output.fileDescriptor))
        guard case .run(var arguments) = try CommandTable.blecap.parse(["drive"] + words) else {
            throw Failure(.usage, "no command")
        }
        arguments.environment = environment
        let console = Console(program: "blecap", environment: environment)
        let stage = try Stage(environment, isLive: false, controller: MuteController(), seed: 1)
        let status =
            switch words[0] {
            case "uqdk": try Simulate(arguments: arguments, console: console, side: .phone).run(on: stage)
            case "scan": try Drive(arguments: arguments, console: console).run(on: stage)
            default: try DriveGadget(arguments: arguments, console: console).run(on: stage)
            }
        let text = String(decoding: try output.content(), as: UTF8.self)
        #expect(status == .negative)
        #expect(text.contains("did not answer "), "\(text)")
        #expect(text.contains(" within 10 s: is it a controller that speaks H4?"), "\(text)")
        #expect(stage.time.now < Instant(nanoseconds: 20_000_000_000), "\(text)")
    }

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
        (
            "fob", ["read=FF51", "answer=yes", "pair", "subscribe=FF51", "write=FF52:01"],
            [
                "FF51 is 626f6e646564 \"bonded\"", "paired: LE Secure Connections, authenticated",
                "FF52 written",
            ],
            "FF51 is 016564", "Pairing DHKey Check"
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

    @Test(.realTime)
    func `a walk from a file looks for the services of its list, and names one that is missing`() throws {
        let walk = ["services=FFEE,1801,FF77", "connect=Mobike", "read=FFE1", "read=2A00"]
        let run = try CommandRun(
            ["drive", "--adapter", "simulator"], input: Data(walk.joined(separator: "\n").utf8))
        let texts = SimulateTests.texts(run)
        #expect(run.status == 1)
        let services = texts.filter { $0.hasPrefix("service ") }.map { $0.prefix(12) }
        #expect(Set(services) == ["service FFEE", "service 1801"])
        for line in ["FF77: no such service", "2A00: not found"] {
            #expect(texts.contains(line), "\(run.text)")
        }
        #expect(texts.contains { $0.hasPrefix("FFE1 is ") })
    }

    private static let paired = "paired: LE Secure Connections, authenticated"

    /// The passkey that the fob shows; the same seed gives the same.
    private static func passkey() throws -> String {
        let run = try drive("fob", ["pair"], ["--pairing", "shows", "--passkey", "000000"])
        #expect(run.status == 1 && run.errors.contains("not paired: "))
        let shown = try #require(SimulateTests.texts(run).first { $0.hasPrefix("the fob shows ") })
        return String(shown.suffix(6))
    }

    @Test func `a passkey is asked for on a terminal, or given by an option or a later action`() throws {
        let passkey = try Self.passkey()
        let shows = ["--pairing", "shows"]
        let typed = try CommandRun(
            ["drive", "--adapter", "simulator", "connect=fob", "pair"] + shows,
            input: Data("no idea\n\(passkey)\n".utf8), isTyped: true)
        #expect(typed.status == 0 && SimulateTests.texts(typed).contains(Self.paired), "\(typed.text)")
        #expect(typed.errors.contains("unknown action 'no idea'"))
        for (actions, more) in [(["pair"], ["--passkey", passkey]), (["pair", "answer=" + passkey], [])] {
            let run = try Self.drive("fob", actions, shows + more)
            #expect(run.status == 0 && SimulateTests.texts(run).contains(Self.paired), "\(run.text)")
        }
        let nobody = try Self.drive("fob", ["pair"], shows)
        #expect(nobody.status == 1 && nobody.errors.contains("nobody answers the pairing: give --passkey"))
        let wrong = try Self.drive("fob", ["pair"], ["--passkey", "12345"])
        #expect(wrong.status == 2 && wrong.errors == "blecap: --passkey: '12345' is not six digits\n")
    }

    @Test(arguments: ["", "quit\n", "exit\n", "314\nquit\n"])
    func `a pairing that is left at its prompt ends the run, which says so`(typed: String) throws {
        let run = try CommandRun(
            ["drive", "--adapter", "simulator", "connect=fob", "pair", "read=FF51", "--pairing", "shows"],
            input: Data(typed.utf8), isTyped: true)
        #expect(run.status == 1 && run.errors.contains("the pairing's question was not answered"))
        #expect(SimulateTests.texts(run).last == "disconnected", "\(run.text)")
        #expect(!run.text.contains("FF51 is"))
    }

    @Test(arguments: ["12345", "+12345", "1234567", "12 456", "\u{0661}23456", "1e5000", ""])
    func `a passkey has exactly six digits, wherever it is given`(text: String) {
        #expect(PairingDesk.passkey(text) == nil)
        #expect(throws: Failure.self) { try GATTAction("answer=" + text) }
    }

    @Test func `a passkey keeps its zeros`() throws {
        #expect(PairingDesk.passkey("000042") == 42)
        #expect(try GATTAction("answer=000042") == .answer(.passkey(42)))
    }

    @Test func `a subscription to indications is called so`() {
        #expect(PlainCentral.subscription([.indicate], isOn: true) == "indications on")
        #expect(PlainCentral.subscription([.indicate, .notify], isOn: false) == "notifications off")
    }

    @Test func `the fob's pairing is refused for an adapter`() throws {
        let run = try CommandRun(["drive", "scan", "--pairing", "asks", "--adapter", "tcp:127.0.0.1:1"])
        #expect(run.status == 2 && run.errors.contains("--pairing is for the simulator's fob"))
    }

    @Test func `a phone shows the passkey that a fob asks for`() throws {
        let run = try Self.drive("fob", ["pair"], ["--pairing", "asks"])
        let texts = SimulateTests.texts(run)
        #expect(run.status == 0 && texts.contains(Self.paired), "\(run.text)")
        #expect(texts.contains { $0.hasPrefix("enter ") && $0.hasSuffix(" on the device") })
    }

    @Test func `a machine without adapters says that it has the simulator`() throws {
        let run = try CommandRun(["drive", "scan"])
        let isSimulated = run.errors.hasPrefix("blecap: no adapter here: these are simulated devices")
        let isAsked = run.errors.hasPrefix("blecap: which adapter?")
        #expect(MachineAdapters.names.isEmpty ? isSimulated && run.status == 0 : isAsked && run.status == 2)
    }

    @Test(arguments: [
        ("MI", "write=FF02:00", "FF02: Application Error 0x80"),
        ("Mobike", "write=FFE2:0102", "FFE2: Invalid Attribute Value Length 0x0d"),
        ("Mobike", "write=FFE3:01", "FFE3: Write Not Permitted 0x03"),
        ("xmg", "read=FFF1", "FFF1: Read Not Permitted 0x02"), ("BLE-LINK", "read=FFF1", "FFF1: not found"),
    ])
    func `what a device refuses is reported by name, and the exit status is 1`(
        device: String, action: String, text: String
    ) throws {
        let run = try Self.drive(device, [action])
        #expect(run.status == 1)
        #expect(SimulateTests.texts(run).contains(text), "\(run.text)")
        #expect(run.errors == "blecap: \(text)\n")
    }

    @Test(arguments: [
        (["connect=nobody"], "nobody: not found; heard: MI, xmg, BLE-LINK, Mobike, fob"),
        (["read=FF01"], "no device is connected; connect=DEVICE connects to one"),
        (
            ["connect=MI", "command=FF01:00"],
            "FF01: takes no writes without response; write=FF01 waits for one"
        ),
    ])
    func `an impossible action is reported and ends the run`(actions: [String], text: String) throws {
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

    @Test(
        .process,
        arguments: [
            (
                "band", ["battery", "text", "battery"],
                ["battery 60 %", "text \"MI 手环\"", "battery 50 %"], "mi-band battery"
            ),
            (
                "link", ["speed=1000", "dcd=200", "send-hex=00", "send=hello", "receive=2"],
                [
                    "received \"LINK 1\"", "received \"SPEED 1000\"", "sent speed 1000",
                    "received \"DCD SPEED 200\"", "sent 5 bytes", "received \"ERR\"",
                ], "ble-link-manager"
            ),
        ])
    func `a client works in the simulator and against a device that stays up`(
        device: String, actions: [String], lines: [String], annotated: String
    ) throws {
        let folder = try TemporaryFolder()
        let outside = try ListenTests.Device([device], at: "unix:" + folder.path("s"))
        for adapter in ["simulator", outside.place] {
            let path = folder.path("\(adapter.count).btsnoop")
            let run = try CommandRun(
                ["drive", device, "--adapter", adapter, "--record", path] + actions)
            #expect(run.status == 0, "\(run.text)\(run.errors)")
            let texts = SimulateTests.texts(run)
            for line in lines { #expect(texts.contains(line), "\(line)\n\(run.text)") }
            #expect(texts.last == "disconnected")
            let read = try CommandRun(["annotate", "--strict", path])
            #expect(read.status == 0)
            #expect(read.text.contains(annotated))
            let replayed = try CommandRun(["replay", path])
            #expect(replayed.text.hasPrefix("SAME: "), "\(replayed.text)")
        }
        _ = try outside.end()
    }

    @Test func `a file is sent whole, 1,000 bytes a second`() throws {
        let folder = try TemporaryFolder()
        let octets = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try Data(octets).write(to: URL(filePath: folder.path("x")))
        let log = folder.path("x.btsnoop")
        let run = try CommandRun([
            "drive", "link", "send-file=" + folder.path("x"), "--adapter", "simulator", "--record", log,
        ])
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.text.split(separator: "\n")
        let times = lines.filter { $0.contains("ready") || $0.contains("sent 3000") }.compactMap {
            Double($0.prefix(11).trimmingCharacters(in: .whitespaces))
        }
        #expect(times.count == 2 && (2.5...3.5).contains((times.last ?? 0) - (times.first ?? 0)))
        let frames = try SimulateTests.annotated(log).compactMap { $0["att"] as? [String: Any] }
        let values = frames.filter { $0["name"] as? String == "Write Request" }
            .compactMap { $0["value"] as? String }
        let isWhole = values.joined().hasSuffix(octets.map { String(format: "%02x", $0) }.joined())
        #expect(isWhole)
    }

    @Test(arguments: [
        (["band", "write=00"], 1, "write: Application Error 0x80"),
        (["band", "steps"], 2, "unknown action 'steps'; actions: battery, text, write, wait"),
        (["band", "battery=1"], 2, "'battery' takes no value"),
        (["link", "sped=4"], 2, "unknown action 'sped=4'; did you mean 'speed'?"),
        (["link", "speed=1001"], 2, "speed: '1001' is not a number from 0 to 1000"),
        (["link", "send"], 2, "send: a value is missing; write send=TEXT"),
        (
            ["link", "send=x", "--device", "00:11:22:33:44:55"], 1,
            "00:11:22:33:44:55: not heard in time"
        ),
    ])
    func `what a client can't do is told`(words: [String], status: Int32, text: String) throws {
        let run = try CommandRun(["drive"] + words + ["--adapter", "simulator"])
        #expect(run.status == status)
        #expect(run.errors == "blecap: \(text)\n")
    }

    /// Messages by name with their fields, and what is written where.
    static let messages: [(action: String, uuid: UInt16, hex: String)] = [
        ("command=mi-band.battery-query", 0xFF02, "1b9901"),
        ("write elk-bledom.brightness level=50", 0xFFF3, "7e00013200000000ef"),
        ("write=elk-bledom.power,power=0xF0", 0xFFF3, "7e0004f000000000ef"),
        (
            "write=elk-bledom.colour,kind=rgb,colour.red=255,colour.blue=0x10,size=7", 0xFFF3,
            "7e070503ff001000ef"
        ),
    ]

    @Test(arguments: messages)
    func `a message of a profile is written by its name`(action: String, uuid: UInt16, hex: String) throws {
        let octets = try Hex.octets(hex)
        switch try GATTAction(action) {
        case .write(let target, let value), .command(let target, let value):
            #expect(target == BluetoothUUID(uuid) && value == octets, "\(Hex.text(value))")
        default: Issue.record("no write")
        }
    }

    @Test(arguments: [
        ("elk-bledon.power", "there is no profile 'elk-bledon'"),
        ("elk-bledom.powr", "elk-bledom has no message 'powr' that can be written"),
        ("elk-bledom.power,powr=1", "no field is called powr"),
        ("elk-bledom.power,power=256", "the value of power does not fit"),
        ("elk-bledom.power,power=dim", "the value of power does not fit"),
        ("elk-bledom.power,power", "'power' is not a field and its value"),
        ("elk-bledom.power,power=1,power=0", "'power=0' is not a field and its value"),
    ])
    func `a message that can't be made says why`(text: String, told: String) throws {
        let failure = #expect(throws: Failure.self) { try GATTAction("write=" + text) }
        #expect(failure.map { "\($0.what)".hasSuffix(told) } == true, "\(String(describing: failure))")
    }
}
