import BluetoothCore
import CommandLineKit
import Foundation
import TestSupport
import Testing
import UQDK

@Suite("--save-keys")
struct SaveKeysTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let longTermKey = "000102030405060708090a0b0c0d0e0f"
    private static let resolvingKey = "101112131415161718191a1b1c1d1e1f"

    /// A capture in which the peripheral distributes its keys, with octets sent least significant first.
    private func pairing(longTermKey: String = SaveKeysTests.longTermKey) throws -> String {
        var capture = AirCapture()
        var link = AirLink(at: 0)
        link.connect(&capture)
        let pdus = [
            "06" + longTermKey, "07" + "3412" + "7766554433221100", "08" + Self.resolvingKey,
            "09" + "01" + "0abbccddeec0",
        ]
        for pdu in pdus {
            let payload = Self.octets(pdu)
            link.event(&capture, .empty, .init(2, [UInt8(payload.count), 0, 6, 0] + payload))
        }
        let path = folder.path("pairing.pcap")
        try Data(capture.octets).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func octets(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test("The keys that a pairing reveals become a keys file for their owner alone, and show nowhere else")
    func saved() throws {
        let path = folder.path("keys.json")
        let capture = try pairing()
        let run = try CommandRun(["annotate", "--save-keys", path, capture])
        #expect(run.status == 0 && run.errors.contains("2 keys that pairings revealed"))
        let store = try KeyStore(json: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(store.peers.map { "\($0.address)" } == ["C0:EE:DD:CC:BB:0A", "C0:EE:DD:CC:BB:0A"])
        #expect(store.peers.map(\.address.kind) == [.random, .random])
        #expect(store.peers.first?.ltk == Self.octets(Self.longTermKey).reversed())
        #expect(store.peers.first?.ediv == 0x1234 && store.peers.first?.rand == 0x0011_2233_4455_6677)
        #expect(store.peers.last?.irk == Self.octets(Self.resolvingKey).reversed())
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        for key in store.peers.compactMap({ $0.ltk ?? $0.irk }) {
            let text = key.map { String(format: "%02x", $0) }.joined()
            #expect(!run.text.contains(text) && !run.errors.contains(text))
        }
        #expect(try CommandRun(["info", "--keys", path, capture]).status == 0)
    }

    @Test("An existing file is replaced only with --force, before which nothing is read")
    func replaced() throws {
        let path = folder.path("keys.json")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let capture = try pairing()
        let refused = try CommandRun(["info", "--save-keys", path, capture])
        #expect(refused.status != 0 && refused.text.isEmpty && refused.errors.contains("File exists"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        #expect(try CommandRun(["info", "--save-keys", path, "--force", capture]).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        for other in ["-", capture] {
            #expect(try CommandRun(["info", "--save-keys", other, "--force", capture]).status == 2)
        }
    }

    @Test("Keys are written to no stream, whatever its name, and not to the other output's file")
    func streams() throws {
        let capture = try pairing()
        let (pipe, link, file) = (folder.path("pipe"), folder.path("link"), folder.path("keys.json"))
        // Safe: the path is terminated by a zero and outlives the call.
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pipe)
        for stream in ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/null", "/dev/tty", pipe, link] {
            for command in ["annotate", "info"] {
                let run = try CommandRun([command, "--save-keys", stream, "--force", capture])
                #expect(run.status != 0 && run.text.isEmpty, "\(stream)")
                #expect(!run.errors.contains(Self.longTermKey), "\(stream)")
            }
        }
        let other = folder.path(".") + "/keys.json"
        let run = try CommandRun(["info", "--save-keys", file, "-o", other, capture])
        #expect(run.status == 2 && run.errors.contains("the keys need a file of their own"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("An output that is standard input's file is refused", .process)
    func standardInput() throws {
        let capture = try pairing()
        let script = "exec \"$0\" info - -o \"$1\" --force < \"$1\""
        let words = ["-c", script, PackageRoot.command.path, capture]
        let before = try Data(contentsOf: URL(fileURLWithPath: capture))
        let run = try ProgramRun("/bin/sh", words)
        #expect(run.status == 2 && run.errors.contains("input and output are one file"), "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: capture)) == before)
    }

    @Test("A key of zeros is not kept")
    func zeros() throws {
        let path = folder.path("keys.json")
        let capture = try pairing(longTermKey: String(repeating: "00", count: 16))
        let run = try CommandRun(["info", "--save-keys", path, capture])
        #expect(run.errors.contains("1 key that"), "\(run.errors)")
        let store = try KeyStore(json: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(store.peers.map { $0.ltk == nil } == [true])
    }

    @Test("Where the output's reader has gone, it is said that no key was written", .process)
    func readerGone() throws {
        SystemCall.ignoreBrokenPipes()
        let path = folder.path("keys.json")
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = PackageRoot.command
        process.arguments = ["annotate", "--save-keys", path, try pairing()]
        process.standardOutput = output
        process.standardError = errors
        try output.fileHandleForReading.close()
        try process.run()
        let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(told.contains("keys.json: not written"), "\(told)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("Without a key there is no file")
    func nothing() throws {
        let path = folder.path("keys.json")
        let log = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path
        let run = try CommandRun(["info", "--save-keys", path, log])
        #expect(run.errors.contains("not written, because no pairing revealed a key"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("The keys of a pairing open the later sessions of its capture", .corpus)
    func laterSessions() throws {
        let name = "bonding-three-connections-ltk-0f241772ac270cafee654186f0a65d5f.pcap"
        let path = folder.path("keys.json")
        #expect(try CommandRun(["info", "--save-keys", path, Corpus.path(name)]).status == 0)
        let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Corpus.path(name))))
        // The second connection request: a record of link type 256 has 10 bytes before the access address.
        var (place, requests) = (24, 0)
        while place + 31 < octets.count {
            let length = (0..<4).reduce(0) { $0 | Int(octets[place + 8 + $1]) << (8 * $1) }
            let isAdvertising = Array(octets[(place + 26)..<(place + 30)]) == [0xD6, 0xBE, 0x89, 0x8E]
            if isAdvertising, octets[place + 30] & 0xF == 5 { requests += 1 }
            if requests == 2 { break }
            place += 16 + length
        }
        let later = folder.path("later.pcap")
        try Data(octets[..<24] + octets[place...]).write(to: URL(fileURLWithPath: later))
        let info = try CommandRun(["info", later]).unwrapped
        #expect(info.contains("not read: connection 1: 45 encrypted PDUs: its key is not known"), "\(info)")
        #expect(info.contains("45 encrypted PDUs not opened") && !info.contains("not opened:"), "\(info)")
        // What was not read may hold failures: the first lines say so, in every output.
        let closed = try CommandRun(["annotate", "--summary", later]).unwrapped
        #expect(closed.contains("nothing failed in what could be read; 90 encrypted PDUs could not be"))
        let why = "not read: connection 1: 45 encrypted PDUs: its key is not known (if you have its "
        #expect(closed.contains(why))
        let json = try CommandRun(["annotate", "-f", "ndjson", later]).text
        #expect(json.contains(#""not_read":[{"code":"encrypted-pdus","connection":1,"count":45,"#))
        let run = try CommandRun(["info", "--keys", path, later])
        #expect(run.unwrapped.contains("45 encrypted PDUs opened") && !run.text.contains("not opened"))
    }
}
