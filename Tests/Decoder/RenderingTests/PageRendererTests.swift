import Analysis
import CaptureFile
import Crypto
import Foundation
import PayloadFormat
import Testing
import WireBytes

@testable import Rendering

/// The page that `blecap report` writes.
@Suite struct PageRendererTests {
    /// What the page has of the frames before it is packed, and the page.
    private static func page(
        _ shown: Shown, name: String = "made", limit: Int = PageRenderer.limit, isPlanned: Bool = false
    ) throws -> (frames: JSONValue, rows: JSONValue, html: String) {
        var analyzer = Analyzer()
        shown.each { record, _ in analyzer.analyze(record, file: 0) }
        analyzer.finish()
        var plan: PagePlan?
        if isPlanned {
            plan = PagePlan()
            shown.each { plan?.take($1) }
            plan?.finish(analyzer, limit: limit)
        }
        var renderer = PageRenderer(limit: limit, plan: plan)
        let info = CaptureInfo(name: name, format: .btsnoop)
        renderer.begin(info)
        shown.each { renderer.render($0, $1) }
        let frames = renderer.frames.out.text + "]"
        let rows = renderer.index.out.text + "]"
        var out = TextBuffer()
        renderer.finish([info], analyzer, ReadingDamage(), ReaderTally(), into: &out)
        return (try JSONValue(frames.utf8), try JSONValue(rows.utf8), out.text)
    }

    @Test func `a key is in no line, and its bytes are masked`() throws {
        let key = "00112233445566778899AABBCCDDEEFF"
        var shown = Shown()
        shown.connect()
        // Enable Encryption, and SMP Encryption Information whole and in two fragments.
        shown.add(.command, .hostToController, "19 20 1C 4000 0102030405060708 0A0B \(key)")
        shown.add(.acl, .controllerToHost, "4020 1500 1100 0600 06 \(key)")
        shown.add(.acl, .controllerToHost, "4020 0C00 1100 0600 06 \(key.prefix(14))")
        shown.add(.acl, .controllerToHost, "4010 0900 \(key.dropFirst(14))")
        let page = try Self.page(shown)
        let bytes = (0..<5).map { page.frames[$0]?["bytes"]?.text ?? "" }
        let hidden = String(repeating: "..", count: 16)
        #expect(bytes[1] == "19201c400001020304050607080a0b" + hidden)
        #expect(bytes[2] == "402015001100060006" + hidden)
        #expect(bytes[3] == "40200c0011000600" + String(repeating: "..", count: 8))
        #expect(bytes[4].hasSuffix(String(repeating: "..", count: 9)))
        #expect(page.frames[4]?["joined"]?.text == "06" + hidden)
        let all = "\(page.frames) \(page.rows)".lowercased()
        #expect(!all.contains("33445566") && !all.contains("8899aabb"))
    }

    @Test func `a vendor's data may be a key, so its bytes are masked`() throws {
        var shown = Shown()
        shown.connect()
        shown.add(.acl, .controllerToHost, "DC2E 0C00 0800 0400 1B12 0001 0203 0405")
        let bytes = try Self.page(shown).frames[1]?["bytes"]?.text
        #expect(bytes == "dc2e0c00" + String(repeating: "..", count: 12))
    }

    @Test func `a PDU that began in one file opens no fragment of another`() {
        var fragments = PageFragments()
        func mayShow(_ octets: [UInt8], file: UInt16) -> Bool {
            let header = RecordHeader(
                number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .acl,
                direction: .controllerToHost, originalLength: octets.count, capturedLength: octets.count,
                file: file)
            return fragments.mayShow(octets.borrowedOctets, header, isVendor: false)
        }
        let pairing: [UInt8] = [0x40, 0x20, 0x05, 0x00, 0x11, 0x00, 0x06, 0x00, 0x06]
        let notification: [UInt8] = [0x40, 0x20, 0x05, 0x00, 0x11, 0x00, 0x04, 0x00, 0x1B]
        #expect(!mayShow(pairing, file: 0))
        #expect(mayShow(notification, file: 1))
        #expect(!mayShow([0x40, 0x10, 0x01, 0x00, 0xAA], file: 0))
        #expect(mayShow([0x40, 0x10, 0x01, 0x00, 0xAA], file: 1))
    }

    @Test func `every line has its bytes, and each byte that a frame shows has a line`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.controllerToHost, "1B 1200 " + (0..<40).map { String($0 + 10) }.joined())
        let frame = try #require(try Self.page(shown).frames[1])
        #expect(frame["bytes"]?.text?.contains("..") == false)
        var covered: [Int] = []
        for place in 0..<20 {
            guard let line = frame["lines"]?[place] else { continue }
            guard let start = line[0]?.integer, let count = line[1]?.integer else { continue }
            covered += Array(start..<start + count)
        }
        #expect(covered == Array(0..<51))
    }

    @Test(arguments: ["</script><script>alert(1)</script>", "\"'><img src=x>", "a\u{2028}b", "]]>&amp;<!--"])
    func `a hostile name is text`(name: String) throws {
        var shown = Shown()
        let octets = Array(name.utf8)
        shown.advertise(Hex.text([UInt8(octets.count + 1), 9] + octets))
        let page = try Self.page(shown, name: name)
        // The page's own elements, and no other.
        let scripts = page.html.components(separatedBy: "<script").count - 1
        #expect(scripts == 4, "about, index, frames and the page's own")
        #expect(!page.html.contains("<img") && !page.html.contains("<!--"))
        #expect(page.frames[0]?["json"]?["kind"]?.text == "frame")
    }

    @Test func `sentences link the frames that they name, and no other numbers`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 0300")
        shown.now += 40_000_000_000
        shown.event("05 04 00 4000 08")
        let html = try Self.page(shown).html
        #expect(html.contains(" of <a href=\"#frame=2\">frame 2</a> "))
        var out = TextBuffer()
        // Frames of other files than the first have their file's number.
        let (second, first) = (FramePlace(file: 1, frame: 4), FramePlace(file: 0, frame: 7))
        PageHeadline.Names(marking: 4).put(
            "(frame \(second)) <b> of frame \(first): its frame, 40 bytes", into: &out)
        #expect(
            out.text == "(<a href=\"#frame=2:4\">frame 2:4</a>) &lt;b&gt; of "
                + "<a href=\"#frame=7\">frame 7</a>: its frame, 40 bytes")
    }

    @Test func `words that look like a frame or a side are no link and get no name`() {
        var out = TextBuffer()
        let frame = FramePlace(file: 0, frame: 3)
        let name = "\u{201C}frame 9:99 of the host\u{201D}"
        PageHeadline.Names(marking: 4).put(
            "\(name) refused frame \(frame) of \(Sentence.Part.peer)", into: &out)
        #expect(out.text == "\(name) refused <a href=\"#frame=3\">frame 3</a> of \u{2}4\u{2}")
    }

    @Test func `an anonymous advertiser is not a device`() throws {
        var shown = Shown()
        shown.event("3E 1A 0D 01 2000 FF 000000000000 01 00 FF 7F C0 0000 00 000000000000 00")
        let row = try Self.page(shown).rows[0]
        #expect(row?[4]?.integer == -1)
    }

    @Test func `a row has the operations that a search can name`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 1200")
        shown.att(.controllerToHost, "01 0A 1200 02")
        shown.att(.hostToController, "52 1200 01")
        let rows = try Self.page(shown).rows
        let named = (0..<4).map { row in
            let mask = rows[row]?[22]?.integer ?? 0
            return Operation.all.enumerated().filter { mask >> $0.offset & 1 == 1 }
                .compactMap(\.element.words.first)
        }
        #expect(named[0] == ["connect", "hci"])
        #expect(named[1] == ["read", "l2cap", "att"] && named[2] == named[1])
        #expect(named[3] == ["write", "l2cap", "att"])
    }

    @Test func `the log of a peripheral says who is central and who is peripheral`() throws {
        let said = "this device is the peripheral, the other side the central"
        for (role, words) in [("00", nil), ("01", said)] {
            var shown = Shown()
            shown.event("3E 13 01 00 4000 \(role) 00 665544332211 1800 0000 F401 00")
            shown.att(.hostToController, "0A 1200")
            shown.att(.controllerToHost, "01 0A 1200 02")
            let html = try Self.page(shown).html
            let isSaid = html.contains("is the peripheral") || html.contains("the central, the other side")
            #expect(isSaid == (words != nil))
            if let words { #expect(html.contains(words)) }
        }
    }

    @Test func `a frame's problem is in its row, and not in its text too`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "0A 1200")
        shown.att(.controllerToHost, "01 0A 1200 02")
        let page = try Self.page(shown)
        #expect(page.rows[2]?[10]?.text == "ATT error: Read Not Permitted (0x02)")
        #expect(page.frames[2]?["meaning"] == nil)
    }

    @Test func `refusals with one status on a connection share a card`() throws {
        var shown = Shown()
        shown.connect()
        for handle in ["0300", "0500", "0700"] {
            shown.att(.hostToController, "0A \(handle)")
            shown.att(.controllerToHost, "01 0A \(handle) 02")
        }
        let html = try Self.page(shown).html
        // The headline's card, and one for the others.
        #expect(html.components(separatedBy: "<article").count == 3)
        #expect(html.contains("<summary>also on read of 0x0007 \u{B7} frame 7</summary>"))
    }

    @Test func `a headline names the device once`() throws {
        let ended = " ended the connection"
        for (reason, words) in [("3B", ended + ": "), ("08", "connection lost: "), ("13", ended + ",")] {
            var shown = Shown()
            shown.advertise("04 09 666F62")
            shown.connect()
            if reason == "13" { shown.att(.hostToController, "08 0100 FFFF 0328") }
            shown.event("05 04 00 4000 \(reason)")
            let html = try Self.page(shown).html
            let line = try #require(html.components(separatedBy: "<h1>").dropFirst().first)
            let title = line.components(separatedBy: "</h1>")[0]
            #expect(title.components(separatedBy: "\u{201C}fob\u{201D}").count == 2, "\(title)")
            #expect(title.contains(words), "\(title)")
        }
    }

    @Test func `the policy allows the page's own script and style, and nothing else`() throws {
        var shown = Shown()
        shown.connect()
        let html = try Self.page(shown).html
        let body = { (before: String, after: String) -> String in
            let start = try #require(html.range(of: before)).upperBound
            let end = try #require(html.range(of: after, range: start..<html.endIndex)).lowerBound
            return String(html[start..<end])
        }
        let digest = { (text: String) in
            "'sha256-\(Data(try SHA256.hash(of: Array(text.utf8))).base64EncodedString())'"
        }
        let policy = try body("Content-Security-Policy\" content=\"", "\">")
        #expect(
            policy
                == "default-src 'none'; script-src \(try digest(try body("<script>", "</script>"))); "
                + "style-src \(try digest(try body("<style>", "</style>"))); base-uri 'none'; form-action 'none'"
        )
        #expect(!html.contains("style=\"") && !html.contains("<link") && !html.contains("src=\""))
    }

    @Test func `a page has every script and style of the repository, and none makes markup`() throws {
        let folder = TestFiles.root.appendingPathComponent("page")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        func joined(_ suffix: String) throws -> String {
            try files.filter { $0.hasSuffix(suffix) }.map { name in
                PageText.text(Array(try Data(contentsOf: folder.appendingPathComponent(name))))
            }.joined()
        }
        #expect(try PageText.script == joined(".js") && PageText.style == joined(".css"))
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            #expect(!PageText.script.contains(word))
        }
    }

    @Test func `a page has no comments and no indentation`() {
        let file = "// A.\n/** B. */\nconst a = {\n    b: 'x // y',\n\n    /* C. */\n};\n"
        #expect(PageText.text(Array(file.utf8)) == "\nconst a = {\nb: 'x // y',\n};")
        #expect(!PageText.script.contains("\n ") && !PageText.script.contains("\n//"))
    }

    @Test func `a page says what it has no room for`() throws {
        var shown = Shown()
        shown.connect()
        for value in 0..<600 {
            shown.advertise("0309\(Hex.text([UInt8(0x41 + value % 26), UInt8(0x41 + value % 25)]))")
            shown.att(.controllerToHost, "1B 1200 \(Hex.text([UInt8(value % 256), UInt8(value / 256)]))")
        }
        let all = try Self.page(shown).html
        #expect(!all.contains("id=\"omitted\""))
        let html = try Self.page(shown, limit: 24_000).html
        let start = try #require(html.range(of: "id=\"omitted\" role=\"note\">")).upperBound
        let said = String(html[start...].prefix { $0 != "<" })
        let numbers = said.split { !$0.isNumber }.compactMap { Int($0) }
        #expect(said.contains("of advertising and housekeeping") && said.contains("--connection"))
        // Those shown, those left out with where they begin, of both kinds.
        #expect(numbers.count == 5 && numbers[0] + numbers[1] + numbers[3] == shown.count, "\(said)")
        #expect(numbers[2] < numbers[4], "advertising goes first")
    }

    @Test func `the frames around a failure at the end are all there, and the rest is spread evenly`() throws
    {
        var shown = Shown()
        shown.connect()
        for value in 0..<6000 {
            shown.advertise("0309\(Hex.text([UInt8(0x41 + value % 26), 0x42]))")
            shown.att(.controllerToHost, "1B 1200 \(Hex.text([UInt8(value % 256), UInt8(value / 256)]))")
        }
        shown.att(.hostToController, "12 1200 01")
        shown.att(.controllerToHost, "01 12 1200 80")
        let failure = shown.count
        let page = try Self.page(shown, limit: 160 * 2000, isPlanned: true)
        let numbers = (0..<shown.count).compactMap { page.rows[$0]?[0]?.integer }
        #expect(numbers.last == failure && Set(numbers).isSuperset(of: failure - 200...failure))
        #expect((1200...2500).contains(numbers.count), "\(numbers.count)")
        // Each tenth of the log has some of the frames.
        let tenths = Set(numbers.map { $0 * 10 / (failure + 1) })
        #expect(tenths == Set(0..<10))
        #expect(page.html.contains("the timeline shows where"))
        #expect(page.html.contains("class=\"card failed first\""))
    }

    @Test func `each occurrence of a failure is there, and belongs to that failure alone`() throws {
        var shown = Shown()
        var lost: [Int] = []
        for _ in 0..<12 {
            shown.connect()
            for value in 0..<500 { shown.advertise("0309\(Hex.text([UInt8(0x41 + value % 26), 0x42]))") }
            shown.event("05 04 00 4000 08")
            lost.append(shown.count)
        }
        let page = try Self.page(shown, limit: 160 * 600, isPlanned: true)
        let numbers = Set((0..<shown.count).compactMap { page.rows[$0]?[0]?.integer })
        #expect(numbers.count < shown.count / 2 && numbers.isSuperset(of: lost))
        #expect(page.html.contains("1 failure in 12 places"))
    }

    @Test func `a page that has room for all is the same with a plan`() throws {
        var shown = Shown()
        shown.connect()
        for value in 0..<300 { shown.att(.controllerToHost, "1B 1200 \(Hex.text([UInt8(value % 256)]))") }
        let (plain, planned) = (try Self.page(shown).html, try Self.page(shown, isPlanned: true).html)
        #expect(plain == planned && !plain.contains("id=\"omitted\""))
    }

    @Test(arguments: [
        ([UInt8](), ""), ([0x66], "Zg=="), ([0x66, 0x6F], "Zm8="), ([0x66, 0x6F, 0xFF], "Zm//"),
    ])
    func `base64 is that of RFC 4648`(octets: [UInt8], text: String) {
        #expect(String(decoding: Base64.text(of: octets), as: UTF8.self) == text)
    }
}
