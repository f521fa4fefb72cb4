import Foundation
import Testing

/// What the command says of the recorded UQDK sessions, beside what the Python side says of them: an
/// implementation of its own, which wrote the lists of messages next to the recordings.
@Suite struct PythonCarTests {
    static let sessions = ["uqdk-unlock", "uqdk-refusals"]
    private static let captures = PackageRoot.url.appendingPathComponent("captures")
    private static let keys = captures.appendingPathComponent("uqdk-unlock.keys.json").path

    /// A message of the Python side's list.
    private struct Expected: Decodable {
        var frame: Int
        var id: Int
        var error: String?
        var kind: String?
        var command: Int?
        var name: String?
        var secured: Bool?
        var counter: Int?
        var tag: String?
        var body: String?
    }

    private static func expected(_ session: String) throws -> [Expected] {
        let url = captures.appendingPathComponent("\(session).messages.ndjson")
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Expected.self, from: $0)
        }
    }

    /// The frames with a UQDK annotation, by number.
    private static func annotated(_ session: String, _ arguments: [String]) throws -> [Int: [String: Any]] {
        let path = captures.appendingPathComponent("\(session).btsnoop").path
        let run = try CommandRun(["annotate", "--all", "--format", "ndjson"] + arguments + [path])
        #expect(run.status == 0 && run.errors.isEmpty)
        var frames: [Int: [String: Any]] = [:]
        for line in run.output.split(separator: UInt8(ascii: "\n")) {
            let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            if object["uqdk"] != nil, let frame = object["frame"] as? Int { frames[frame] = object }
        }
        return frames
    }

    private static func message(_ frame: [String: Any]?) -> [String: Any] {
        (frame?["uqdk"] as? [String: Any])?["message"] as? [String: Any] ?? [:]
    }

    @Test(arguments: sessions)
    func `Every message is the one that the Python side reads, on the same frame`(session: String) throws {
        let frames = try Self.annotated(session, ["--keys", Self.keys])
        let list = try Self.expected(session)
        #expect(list.count > 20)
        for expected in list where expected.error == nil {
            let message = Self.message(frames[expected.frame])
            let note: Comment = "frame \(expected.frame)"
            #expect(message["whole"] as? Bool == true, note)
            #expect(message["message_id"] as? Int == expected.id, note)
            #expect(message["kind"] as? String == expected.kind, note)
            #expect(message["command"] as? Int == expected.command, note)
            #expect(message["name"] as? String == expected.name, note)
            #expect(message["secured"] as? Bool == expected.secured, note)
            #expect(message["counter"] as? Int == expected.counter, note)
            #expect(message["tag"] as? String == expected.tag, note)
            #expect(message["checksum"] as? String == "right", note)
            if expected.kind == "response", let body = expected.body {
                let status = (message["status"] as? [String: Any])?["code"] as? Int
                #expect(status == Int(body.prefix(2), radix: 16), note)
            }
        }
    }

    @Test(arguments: sessions)
    func
        `What the Python side finds broken is a problem by that frame, and no other message is whole`(
            session: String
        ) throws
    {
        let frames = try Self.annotated(session, ["--keys", Self.keys])
        let list = try Self.expected(session)
        for expected in list where expected.error != nil {
            // The other side's next message may show a timeout before the sender's does.
            let told = frames.filter { $0.key <= expected.frame }
                .mapValues { $0["problems"] as? [[String: Any]] ?? [] }
            let before = told.values.joined().compactMap { $0["message"] as? String }
            let isNamed = before.contains { $0.hasPrefix("message \(expected.id) was not completed") }
            #expect(isNamed || told[expected.frame]?.isEmpty == false, "frame \(expected.frame)")
        }
        let sound = Set(list.filter { $0.error == nil }.map(\.frame))
        let whole = frames.filter { frame in
            let message = Self.message(frame.value)
            return message["whole"] as? Bool == true && message["checksum"] as? String == "right"
        }
        #expect(Set(whole.keys) == sound)
    }

    @Test(arguments: sessions)
    func `The vehicle's state is read as it was sent`(session: String) throws {
        let frames = try Self.annotated(session, ["--keys", Self.keys])
        var states = 0
        for expected in try Self.expected(session) {
            guard let body = expected.body else { continue }
            let digits = expected.kind == "response" ? body.dropFirst(2) : body[...]
            let names = ["STATUS_QUERY", "STATUS_EVENT"]
            guard names.contains(expected.name ?? ""), digits.count == 20 else { continue }
            let fields = Self.message(frames[expected.frame])["fields"] as? [String: Any] ?? [:]
            func number(_ octets: Range<Int>) -> Int? {
                let start = digits.index(digits.startIndex, offsetBy: octets.lowerBound * 2)
                return Int(digits[start...].prefix(octets.count * 2), radix: 16)
            }
            let note: Comment = "frame \(expected.frame)"
            #expect((fields["doors_locked"] as? [String: Any])?["bits"] as? Int == number(0..<1), note)
            #expect((fields["doors_open"] as? [String: Any])?["bits"] as? Int == number(1..<2), note)
            #expect((fields["engine"] as? [String: Any])?["code"] as? Int == number(2..<3), note)
            #expect(fields["battery"] as? Int == number(3..<4), note)
            #expect(fields["range"] as? Int == number(4..<6), note)
            let odometer = try #require(fields["odometer"] as? Double, note)
            #expect(Int((odometer * 10).rounded()) == number(6..<10), note)
            states += 1
        }
        #expect(states > 0)
    }

    @Test(arguments: sessions)
    func `Without the key no tag and no proof is said to be right or wrong`(session: String) throws {
        let frames = try Self.annotated(session, [])
        var checked = 0
        for frame in frames.values {
            let message = Self.message(frame)
            for verdict in [message["tag"], message["proof"]].compactMap({ $0 as? String }) {
                #expect(verdict == "not checkable")
                checked += 1
            }
        }
        #expect(checked > 10)
    }
}
