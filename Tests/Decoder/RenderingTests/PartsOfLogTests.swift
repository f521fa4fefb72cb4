import CaptureFile
import Testing
import UQDK
import WireBytes

/// The parts of one log: a frame that is another part's is named with its file, and no other is.
@Suite struct PartsOfLogTests {
    private static func parts() -> Shown {
        var shown = Shown()
        shown.names = ["one.btsnoop", "two.btsnoop"]
        shown.isOneLog = true
        shown.connect()
        return shown
    }

    /// An ACL packet of the peer's on the connection: a start (2) or a continuation (1).
    private static func packet(_ boundary: UInt8, _ hex: String, in shown: inout Shown) {
        let data = Shown.octets(hex)
        shown.add(
            .acl, .controllerToHost, Hex.text([0x40, boundary << 4, UInt8(data.count), 0] + data))
    }

    @Test func `a response in the next part names the file of its request`() throws {
        var shown = Self.parts()
        shown.att(.hostToController, "0A 0300")
        shown.att(.hostToController, "52 0500 01")
        shown.file = 1
        shown.att(.controllerToHost, "0B 07")
        shown.att(.controllerToHost, "1B 0600 01")
        let text = shown.text()
        #expect(text[3].contains("(to 1:2, ") && text[4].contains("after write 1:3)"), "\(text)")
        let values = try shown.values().compactMap { $0["att"] }
        #expect(values.map { $0["request_frame"]?.integer } == [nil, nil, 2, nil])
        #expect(values.map { $0["request_file"]?.text } == [nil, nil, "one.btsnoop", nil])
        #expect(values.map { $0["after_write_frame"]?.integer } == [nil, nil, nil, 3])
        #expect(values.map { $0["after_write_file"]?.text } == [nil, nil, nil, "one.btsnoop"])
    }

    @Test func `parts whose records alternate name each frame's own file`() throws {
        var shown = Self.parts()
        shown.file = 1
        shown.att(.hostToController, "0A 0300")
        shown.file = 0
        shown.att(.controllerToHost, "0B 07")
        shown.att(.hostToController, "0A 0300")
        shown.file = 1
        shown.att(.controllerToHost, "0B 07")
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 07")
        let answers = shown.text().filter { $0.contains("Read Response") }
        #expect(answers[0].contains("(to 2:1, ") && answers[1].contains("(to 1:3, "), "\(answers)")
        #expect(answers[2].contains("(to 3, "), "\(answers)")
        let files = try shown.values().compactMap { $0["att"] }.map { $0["request_file"]?.text }
        #expect(files == [nil, "two.btsnoop", nil, "one.btsnoop", nil, nil])
    }

    @Test func `a command, a pairing and a signalling command name the file of what they answer`() throws {
        var shown = Self.parts()
        shown.add(.command, .hostToController, "01 0C 08 FF FF FF FF FF FF FF FF")
        shown.add(.acl, .hostToController, "4000 0B00 0700 0600 01 03 00 01 10 07 07")
        shown.add(.acl, .controllerToHost, "4020 1000 0C00 0500 12 01 0800 1800 1800 0000 F401")
        shown.file = 1
        shown.event("0E 04 01 01 0C 00")
        shown.add(.acl, .controllerToHost, "4020 0B00 0700 0600 02 03 00 01 10 07 07")
        shown.add(.acl, .hostToController, "4000 0A00 0600 0500 13 01 0200 0000")
        let values = try shown.values().suffix(3)
        let answers = values.map { $0["hci"] ?? $0["smp"] ?? $0["l2cap"] }
        #expect(answers.map { $0?["request_frame"]?.integer } == [2, 3, 4])
        #expect(answers.allSatisfy { $0?["request_file"]?.text == "one.btsnoop" })
    }

    @Test func `fragments in two parts name the file of each`() throws {
        var shown = Self.parts()
        Self.packet(2, "0600 0400 1B 0300", in: &shown)
        shown.file = 1
        Self.packet(1, "010203", in: &shown)
        let text = shown.text()
        #expect(text.contains { $0.contains("(2 fragments from 1:2)") }, "\(text)")
        let whole = try #require(try shown.values().last?["l2cap"])
        #expect(whole["fragments"]?.elements?.map(\.integer) == [2, 1])
        #expect(whole["fragment_files"]?.elements?.map(\.text) == ["one.btsnoop", "two.btsnoop"])
    }

    @Test func `a request without an answer in a log without events is reported`() {
        var shown = Shown()
        shown.add(.acl, .hostToController, "4100 0B00 0700 0400 10 0100 FFFF 0028")
        shown.now += 40_000_000_000
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 07")
        let verdict = shown.verdict()
        #expect(!verdict.contains("nothing wrong was found"), "\(verdict)")
        let sentence = "Read By Group Type Request of frame 1 had no response when the log ended"
        #expect(verdict.contains { $0.hasPrefix("unanswered: connection 1: \(sentence)") }, "\(verdict)")
    }

    @Test func `a problem names the file of the frame that it is about`() throws {
        var shown = Self.parts()
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 07")
        shown.att(.hostToController, "0A 0300")
        shown.file = 1
        shown.att(.hostToController, "0A 0500")
        shown.att(.hostToController, "0A 0700")
        shown.now += 6_000_000_000
        shown.disconnect()
        let text = shown.text()
        #expect(text.contains { $0.contains("a request while the one of frame 1:4 had no response") })
        #expect(text.contains { $0.contains("a request while the one of frame 1 had no response") })
        #expect(text.contains { $0.contains("the Read Request of frame 1:4 had no response when") })
        let messages = try shown.values().flatMap { $0["problems"]?.elements ?? [] }
        #expect(messages.first?["message"]?.text?.contains("frame 1:4 ") == true)
        let wrong = shown.failures().first
        #expect(wrong?.contains("frame 2:3  the Read Request of frame 1:4 had no") == true)
    }

    @Test func `a connection that ended where its part did names the frame that ended it`() throws {
        var shown = Self.parts()
        shown.disconnect()
        shown.file = 1
        shown.att(.controllerToHost, "1B 0300 01")
        let text = shown.text()
        #expect(text.contains { $0.contains("a late packet: the connection ended at frame 1:2") }, "\(text)")
    }

    @Test func `a connection's line names the files of its frames`() throws {
        var shown = Self.parts()
        shown.att(.controllerToHost, "1B 0300 01")
        shown.file = 1
        shown.att(.controllerToHost, "1B 0300 02")
        shown.att(.hostToController, "0A 0300")
        let line = try #require(try shown.connections().first)
        #expect(line["file"]?.text == "one.btsnoop" && line["first_file"] == nil)
        #expect(line["last_frame"]?.integer == 2 && line["last_file"]?.text == "two.btsnoop")
        var apart = shown
        apart.isOneLog = false
        #expect(try apart.connections().allSatisfy { $0["last_file"] == nil })
    }

    @Test func `what waits when the log ends is named with its file`() throws {
        var shown = Self.parts()
        shown.att(.hostToController, "0A 0300")
        shown.att(.controllerToHost, "0B 07")
        shown.file = 1
        shown.att(.hostToController, "0A 0300")
        shown.now += 2_000_000_000
        shown.event("0F 04 00 01 00 00")
        let waiting = try #require(try shown.connections().first?["unanswered"]?.elements?.first)
        #expect(waiting["file"]?.text == "two.btsnoop" && waiting["frame"]?.integer == 1)
        let line = shown.verdict().first { $0.hasPrefix("unanswered: ") }
        #expect(line?.contains("Read Request of frame 2:1 had no response") == true, "\(line ?? "")")
    }

    @Test func `a message of the key protocol names the files of its fragments and of its request`() throws {
        var shown = Self.parts()
        shown.exchange([Shown.Published.begin])
        let request = shown.count
        shown.exchange([(false, [Shown.Published.begun.1[0]])])
        shown.file = 1
        shown.exchange([(false, [Shown.Published.begun.1[1]])])
        let message = try #require(try shown.values().last?["uqdk"]?["message"])
        #expect(message["request_frame"]?.integer == request)
        #expect(message["request_file"]?.text == "one.btsnoop")
        #expect(message["frames"]?.elements?.map(\.integer) == [request + 1, 1])
        #expect(message["frame_files"]?.elements?.map(\.text) == ["one.btsnoop", "two.btsnoop"])
        #expect(shown.text().contains { $0.contains("UQDK") && $0.contains("(to 1:\(request), ") })
    }

    @Test func `a problem of the key protocol names the file of its request`() throws {
        var shown = Self.parts()
        shown.exchange(Shown.Published.authentication)
        try shown.message(.request, 0x0300, [], id: 9)
        let request = shown.count
        shown.file = 1
        shown.disconnect()
        let text = shown.text()
        #expect(text.contains { $0.contains("of frame 1:\(request) has no response") }, "\(text)")
    }

    @Test func `what was lost in one part is not weighed by the frame numbers of another`() {
        var shown = Self.parts()
        for _ in 0..<8 { shown.att(.controllerToHost, "1B 0300 01") }
        shown.add(.command, .hostToController, "01 0C 08 FF FF FF FF FF FF FF FF")
        shown.event("0E 04 01 01 0C 00")
        shown.drops = 1
        shown.att(.controllerToHost, "1B 0300 01")
        shown.file = 1
        shown.add(.command, .hostToController, "01 10 00")
        shown.now += 5_000_000_000
        shown.disconnect()
        let line = shown.verdict().first { $0.hasPrefix("unanswered: ") }
        #expect(line?.contains("of frame 2:1 had no response") == true, "\(shown.verdict())")
    }
}
