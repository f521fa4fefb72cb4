import CaptureFile
import Foundation
import PayloadFormat
import TestSupport
import Testing
import WireBytes

@Suite("The commands on captures from the air")
struct AirCaptureTests {
    private typealias PDU = AirLink.PDU

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ capture: AirCapture, _ name: String = "air.pcap") throws -> String {
        try Data(capture.octets).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// The capture of a connection that reads a value and has notifications, ended by the peripheral.
    private static func session(
        _ form: AirCapture.Form = .radio,
        hears: (Int) -> (AirLink.Hearing, AirLink.Hearing) = { _ in (.heard, .heard) }
    ) -> AirCapture {
        var capture = AirCapture(form)
        play(&capture, hears: hears)
        return capture
    }

    private static func play(
        _ capture: inout AirCapture,
        hears: (Int) -> (AirLink.Hearing, AirLink.Hearing) = { _ in (.heard, .heard) }
    ) {
        let advertised: [UInt8] = [0x40, 15] + AirLink.peripheral + [2, 1, 6, 5, 9, 0x4C, 0x61, 0x6D, 0x70]
        for index in 1...3 { capture.add(at: index * 100_000, AirCapture.advertising, advertised) }
        var link = AirLink(at: 400_000)
        link.connect(&capture)
        let exchange: [(PDU, PDU)] = [
            (.control("0c090f000102"), .empty), (.empty, .control("0c080d000304")),
            (.att("10" + "0100ffff" + "0028"), .empty), (.empty, .att("1106" + "010009000f18")),
            (.att("08" + "01000900" + "0328"), .empty),
            (.empty, .att("0907" + "0200" + "12" + "0300" + "192a")),
            (.att("0a0300"), .empty), (.empty, .att("0b64")),
            (.att("12" + "0400" + "0100"), .empty), (.empty, .att("13")), (.empty, .att("1b0300" + "63")),
        ]
        for (index, pdus) in exchange.enumerated() {
            link.event(&capture, pdus.0, pdus.1, hears: hears(index))
        }
        link.event(&capture, .empty, .control("0213"))
    }

    @Test(
        "The first screen tells the devices, the session, its end and what was heard",
        arguments: AirCapture.Form.allCases)
    func screen(form: AirCapture.Form) throws {
        let run = try CommandRun(["annotate", try file(Self.session(form))])
        #expect(run.status == 0)
        let text = run.unwrapped
        let end = "C0:EE:DD:CC:BB:0A \"Lamp\" with central C6:55:44:33:22:01: ended by the peripheral"
        #expect(text.contains(end))
        #expect(text.contains("discovery 2 requests") && text.contains("1 read · 1 write · 1 notification"))
        #expect(text.contains("heard 12 events"))
        #expect(text.contains("CONNECT_IND C0:EE:DD:CC:BB:0A InitA=C6:55:44:33:22:01"))
        #expect(text.contains("LL_VERSION_IND Version=5.0"))
        #expect(text.contains("Read Response 0x0003 2A19 Battery Level in 180F Battery  64"))
        #expect(text.contains("empty packets and retransmissions (--all shows them)"))
    }

    @Test("Advertising data from the air is named by profiles, and can be selected by them")
    func advertisedProfile() throws {
        var capture = AirCapture()
        let data = try Hex.octets("1bff99040512fc5394c37c0004fffc040cac364200cdcbb8334c884f")
        capture.add(
            at: 0, AirCapture.advertising, [0x40, UInt8(6 + data.count)] + AirLink.peripheral + data)
        capture.add(at: 1_000, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        let path = try file(capture)
        let run = try CommandRun(["annotate", "--all", path])
        #expect(run.text.contains("ruuvi measurements") && run.text.contains("temperature=24.300"))
        let only = try CommandRun(["annotate", "--format", "ndjson", "--only", "ruuvi", path])
        let frames = only.text.split(separator: "\n").filter { $0.contains("\"kind\":\"frame\"") }
        #expect(frames.count == 1 && frames.first?.contains("\"profile\":\"ruuvi\"") == true)
    }

    @Test("NDJSON fits its schema, also of packets that are wrong")
    func lines() throws {
        let schema = try JSONSchema(try PackageFile.octets("docs/ndjson.schema.json"))
        let capture = Self.session { index in (.heard, index == 5 ? .wrong : .heard) }
        let run = try CommandRun(["annotate", "--format", "ndjson", try file(capture)])
        #expect(run.status == 0)
        let lines = run.text.split(separator: "\n").map { Array($0.utf8) }
        #expect(lines.count > capture.count)
        for line in lines {
            let node = try JSONParser.parse(line)
            #expect(try schema.violations(node) == [], "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(run.text.contains("\"pdu\":{\"code\":12,\"name\":\"LL_VERSION_IND\",\"version\":9"))
        #expect(run.text.contains("\"crc_ok\":false"))
    }

    @Test(
        "A CONNECT_IND that violates the specification is a warning of the central",
        arguments: [
            ("18 0000 6400 FFFFFFFF1F 00", "has a hop increment of 0 (5 to 16 allowed)"),
            ("18 0000 6400 0100000000 05", "has 1 data channel (at least 2)"),
            ("05 0000 6400 FFFFFFFF1F 05", "asks for an interval from 6.25 ms to 6.25 ms"),
            ("18 0000 0900 FFFFFFFF1F 05", "asks for a supervision timeout of 90.0 ms"),
            ("18 0000", "has 26 bytes (34 expected)"), ("18 0000 6400 FFFFFFFF1F 05", nil),
        ])
    func badConnectRequest(fields: String, fault: String?) throws {
        let rest = AirLink.PDU.control(fields.filter { $0 != " " }).payload
        let begin = [UInt8](repeating: 1, count: 7) + [1, 0, 0] + [rest[0], 0] + rest.dropFirst()
        let payload = AirLink.central + AirLink.peripheral + begin
        var capture = AirCapture()
        capture.add(at: 0, AirCapture.advertising, [0xC5, UInt8(payload.count)] + payload)
        let text = try CommandRun(["annotate", try file(capture)]).unwrapped
        #expect(text.contains("! 1  frame 1  CONNECT_IND ") == (fault != nil), "\(text)")
        if let fault { #expect(text.contains("! 1  frame 1  CONNECT_IND \(fault)"), "\(text)") }
        #expect(text.contains(" tx       ADV   CONNECT_IND"), "\(text)")
    }

    @Test("An answer that was not heard is blamed on nobody", arguments: [AirLink.Hearing.missed, .wrong])
    func unheardAnswer(hearing: AirLink.Hearing) throws {
        let capture = Self.session { index in index == 7 ? (hearing, hearing) : (.heard, .heard) }
        let run = try CommandRun(["annotate", try file(capture)])
        #expect(run.status == 0)
        #expect(run.unwrapped.contains("nothing wrong was found"))
        #expect(!run.text.contains("had no response"))
    }

    @Test("An answer that never came is reported if the sniffer heard all that was sent")
    func missingAnswer() throws {
        var capture = AirCapture()
        var link = AirLink(at: 0)
        link.connect(&capture)
        link.event(&capture, .att("0a0300"))
        for _ in 0..<1100 { link.event(&capture) }
        let run = try CommandRun(["annotate", try file(capture)])
        #expect(run.unwrapped.contains("had no response within 30 s"))
    }

    @Test("A request without a connection says that nothing of it was heard")
    func unheardConnection() throws {
        var capture = AirCapture()
        var link = AirLink(at: 0)
        link.connect(&capture)
        capture.add(at: 9_000_000, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        let run = try CommandRun(["annotate", try file(capture)])
        #expect(
            run.unwrapped.contains(
                "connect to C0:EE:DD:CC:BB:0A of frame 1: no packet of the connection was heard"))
    }

    /// The first screen of a session after which the sniffer hears only advertising.
    private func verdict(_ play: (inout AirCapture, inout AirLink) -> Void) throws -> String {
        var capture = AirCapture()
        var link = AirLink(at: 0)
        link.connect(&capture)
        play(&capture, &link)
        let advertised: [UInt8] = [0x40, 9] + AirLink.peripheral + [2, 1, 6]
        capture.add(at: link.time + 5_000_000, AirCapture.advertising, advertised)
        return try CommandRun(["annotate", try file(capture)]).unwrapped
    }

    @Test("Each way in which a connection on the air fails has its name")
    func causes() throws {
        let read = { (capture: inout AirCapture, link: inout AirLink) in
            link.event(&capture, .att("0a0300"), .empty)
            link.event(&capture, .empty, .att("0b64"))
        }
        let unestablished = try verdict { capture, link in
            for _ in 0..<6 { link.event(&capture, .empty, nil) }
        }
        #expect(unestablished.contains("the connection was not established: Connection Failed"))
        #expect(unestablished.contains("did not answer the last 6 events on channels 0, 7, 14, 21, 28, 35"))
        let lost = try verdict { capture, link in
            read(&capture, &link)
            for _ in 0..<33 { link.event(&capture, .empty, nil) }
        }
        #expect(lost.contains("inferred from silence; not connected again in this log  [link]"))
        #expect(lost.contains("the peripheral did not answer the last 33 events on 33 channels"))
        let rejected = try verdict { capture, link in
            link.event(&capture, .control("14" + "1b00" + "4801" + "1b00" + "4801"), .empty)
            link.event(&capture, .empty, .control("07" + "14"))
            for _ in 0..<33 { link.event(&capture, .empty, nil) }
        }
        #expect(rejected.contains("; the peripheral sent LL_UNKNOWN_RSP at frame "), "\(rejected)")
        #expect(!lost.contains("LL_UNKNOWN_RSP"))
        let central = try verdict { capture, link in link.event(&capture, .empty, .att("0a0300")) }
        #expect(central.contains("1 read by the peripheral"), "\(central)")
        let late = try verdict { capture, link in
            for _ in 0..<20 { link.event(&capture) }
            link.event(&capture, .control("01" + "ffffffff1f" + "0500"), nil)
        }
        #expect(late.contains("connection lost: silence, probably Instant Passed (0x28)"))
        let forged = try verdict { capture, link in link.event(&capture, .control("023d"), .empty) }
        #expect(forged.contains("connection lost: Connection Terminated due to MIC Failure (0x3d)"))
        let refused = try verdict { capture, link in
            let request = "0f" + "1800" + "2800" + "0000" + "6400" + String(repeating: "00", count: 15)
            link.event(&capture, .empty, .control(request))
            link.event(&capture, .control("110f3b"), .empty)
            link.event(&capture, .control("0213"), .empty)
        }
        #expect(refused.contains("the central refused the connection parameters  [central]"))
        #expect(refused.contains("ended by the central"))
    }

    @Test("A sniffer that loses a connection blames no device, and says when it heard the last of it")
    func lostBySniffer() throws {
        let text = try verdict { capture, link in
            link.event(&capture, .att("0a0300"), .empty)
            for index in 0..<30 {
                let isMissed = index < 10
                link.event(&capture, hears: isMissed ? (.missed, .missed) : (.heard, .heard))
            }
            link.event(&capture, .att("0a0300"), .empty)
        }
        #expect(text.contains("nothing wrong was found in what the sniffer heard"))
        #expect(text.contains("its end was not heard by the sniffer; last packet after"))
        #expect(text.contains("heard 22 of 32 events"))
        #expect(!text.contains("unanswered") && !text.contains("had no response"))
    }

    @Test("A frame in full, the totals and the page know the packets from the air")
    func views() throws {
        let path = try file(Self.session())
        let frame = try CommandRun(["annotate", "--frame", "4", path])
        #expect(frame.text.contains("PDU = CONNECT_IND (0x05)") && frame.text.contains("CRC         right"))
        let said = try CommandRun(["annotate", "--frame", "8", path]).text
        #expect(said.contains(" to central") || said.contains("central to "), "\(said)")
        #expect(!said.contains("host") && !said.contains("\n  adapter "))
        let info = try CommandRun(["info", path])
        #expect(info.text.contains("from the air"))
        let noisy = try file(Self.session { index in (.heard, index == 5 ? .wrong : .heard) }, "noisy.pcap")
        #expect(try CommandRun(["info", noisy]).text.contains("1 of them with wrong CRC"))
        let page = folder.path("page.html")
        #expect(try CommandRun(["report", "-o", page, path]).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: page)).count > 10_000)
    }

    @Test("Converted to HCI, the session has the same ATT PDUs and the same end")
    func converted() throws {
        let path = try file(Self.session())
        let hci = folder.path("hci.btsnoop")
        let run = try CommandRun(["convert", path, hci])
        #expect(run.status == 0 && run.errors.contains("packets of the link layer that have no HCI packet"))
        let (air, log) = (try Self.exchange(path), try Self.exchange(hci))
        #expect(air.count == 9 && air == log)
        #expect(try CommandRun(["annotate", hci]).unwrapped.contains("\"Lamp\": ended by the peer"))
        let again = folder.path("again.pcapng")
        #expect(try CommandRun(["convert", path, again]).status == 0)
        #expect(try Self.exchange(again) == air)
    }

    @Test("Converted to HCI, a session of which the sniffer missed a part blames nobody either")
    func convertedWithGaps() throws {
        let path = try file(
            Self.session { index in (5...7).contains(index) ? (.missed, .missed) : (.heard, .heard) })
        let hci = folder.path("hci.btsnoop")
        #expect(try CommandRun(["convert", path, hci]).status == 0)
        for log in [path, hci] {
            let run = try CommandRun(["annotate", log])
            #expect(!run.text.contains("had no response") && !run.text.contains("✗"), "\(run.text)")
        }
    }

    @Test func `an empty capture of a sniffer asks for the sniffer, not for a phone's settings`() throws {
        let text = try CommandRun(["annotate", try file(AirCapture(.radio))]).text
        #expect(text.contains("next time start the sniffer near the device"), "\(text)")
    }

    @Test("A sniffer's clock replaces its recorder's impossible times, with one notice")
    func brokenTimes() throws {
        let sound = Self.session(.perPacket)
        var broken = AirCapture(.perPacket)
        broken.hasBrokenTimes = true
        Self.play(&broken)
        let runs = try [sound, broken].map { try CommandRun(["annotate", try file($0)]) }
        #expect(runs[1].unwrapped.contains("heard 12 events"))
        #expect(runs[0].text.components(separatedBy: "than a second has").count == 1)
        #expect(runs[1].text.components(separatedBy: "than a second has").count == 3, "\(runs[1].text)")
        #expect(!runs[1].text.contains("the clock went back"))
        #expect(try Self.exchange(try file(broken)) == Self.exchange(try file(sound)))
    }

    @Test("A replay plays the session to the central stack")
    func replayed() throws {
        let run = try CommandRun(["replay", try file(Self.session())])
        #expect(run.status == 0 && run.text.contains("SAME"))
    }

    /// The ATT PDUs of a log: opcode, handle and value.
    private static func exchange(_ path: String) throws -> [String] {
        let run = try CommandRun(["annotate", "--only", "att", "--format", "ndjson", path])
        return try run.text.split(separator: "\n").compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard object?["kind"] as? String == "frame", let att = object?["att"] as? [String: Any] else {
                return nil
            }
            return "\(att["opcode"] ?? "") \(att["attribute"] ?? att["handle"] ?? "") \(att["value"] ?? "")"
        }
    }

    @Test(
        "A session at HCI and the same session on the air agree, whatever part of the air is heard",
        arguments: [0, 1, 2] as [UInt64])
    func twins(seed: UInt64) throws {
        let original = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path
        var random = SeededRandom(seed: seed)
        var capture = AirCapture()
        var link = AirLink(at: 0)
        link.connect(&capture)
        var reader = try CaptureReader(path: original)
        var (events, unheard) = (0, 0)
        while let record = try reader.next() {
            guard record.header.kind == .acl else { continue }
            let data = record.octets.dropping(4).copied()
            let llid: UInt8 = (record.octets.octet(at: 1) ?? 0) >> 4 & 3 == 1 ? 1 : 2
            let fromCentral = record.header.direction == .hostToController
            let isLost = seed > 0 && events > 0 && Int.random(in: 0..<8, using: &random) == 0
            let hearing: AirLink.Hearing = isLost ? .missed : .heard
            link.event(
                &capture, fromCentral ? PDU(llid, data) : .empty, fromCentral ? .empty : PDU(llid, data),
                hears: (hearing, hearing))
            events += 1
            if isLost { unheard += 1 }
        }
        link.event(&capture, .control("0213"), .empty)
        let path = try file(capture)
        let (air, log) = (try Self.exchange(path), try Self.exchange(original))
        #expect(seed > 0 || air == log && !log.isEmpty)
        #expect(air.count <= log.count)
        let run = try CommandRun([
            "annotate", "--keys", PackageRoot.url.path + "/captures/uqdk-unlock.keys.json", path,
        ])
        #expect(!run.text.contains("had no response"))
        let heard =
            unheard > 0
            ? "heard \(events - unheard + 1) of \(events + 1) events" : "heard \(events + 1) events"
        #expect(run.unwrapped.contains(heard))
        if seed == 0 { #expect(run.unwrapped.contains("ENGINE_START is answered with refusedInState")) }
    }
}
