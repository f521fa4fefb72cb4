import CaptureFile
import Testing

@testable import Rendering

/// What discovery, responses about several attributes, and advertising data are shown as.
@Suite struct DiscoveryTextTests {
    /// The last line of text of a request on a connection and its response.
    private func response(
        _ request: String, _ response: String, original: Int? = nil
    ) -> String {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, request)
        shown.att(.controllerToHost, response, original: original)
        return shown.text().last { $0.hasPrefix("ATT") } ?? ""
    }

    @Test func `an included service is shown with its range and UUID`() {
        let line = response("08 0100 FFFF 0228", "09 08 0A00 2000 2500 0F18")
        #expect(line.contains("0x000a \u{2192} 0x0020\u{2013}0x0025 180F Battery"))
        let long = response("08 0100 FFFF 0228", "09 06 0A00 2000 2500")
        #expect(long.contains("0x000a \u{2192} 0x0020\u{2013}0x0025  (to 2"))
    }

    @Test func `a subscription that was refused is told with the frame of the refusal`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "04 0400 0400")
        shown.att(.controllerToHost, "05 01 0400 0229")
        shown.att(.hostToController, "12 0400 0100")
        shown.att(.controllerToHost, "01 12 0400 03")
        let text = shown.verdict().joined(separator: " ")
        #expect(text.contains("subscription refused at frame 5"), "\(text)")
    }

    @Test func `a vendor's service under a number for characteristics lends them no assigned names`() throws {
        for (service, name) in [("002C", ""), ("0F18", " UGG Features")] {
            var shown = Shown()
            shown.connect()
            shown.att(.hostToController, "10 0100 FFFF 0028")
            shown.att(.controllerToHost, "11 06 0E00 1400 \(service)")
            shown.att(.hostToController, "08 0E00 1400 0328")
            shown.att(.controllerToHost, "09 07 0F00 18 1000 012C")
            shown.att(.hostToController, "12 1000 01")
            let lines = shown.text()
            #expect(lines.contains { $0.contains("0x0010 2C01\(name) (write, notify)") }, "\(lines)")
            #expect(lines.contains { $0.contains("Write Request 0x0010 2C01\(name) in ") }, "\(lines)")
            let found = try shown.values().compactMap { $0["att"]?["found"]?[0]?["name"]?.text }
            #expect(found.last == (name.isEmpty ? nil : String(name.dropFirst())), "\(found)")
        }
    }

    @Test func `each element of a response has the names of its own service`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "10 0100 FFFF 0028")
        shown.att(.controllerToHost, "11 06 0100 0500 0018 0600 1400 002C")
        shown.att(.hostToController, "08 0100 FFFF 0328")
        shown.att(.controllerToHost, "09 07 0200 02 0300 002A 0700 18 0800 012C")
        let line = shown.text().last { $0.hasPrefix("ATT") } ?? ""
        #expect(line.contains("2A00 Device Name (read)") && line.contains("2C01 (write, notify)"), "\(line)")
    }

    @Test func `a value read by its type has the type's name, and is text where it is that`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "08 0100 0700 002A")
        shown.att(.controllerToHost, "09 08 0300 4D794C6F636B")
        let lines = shown.text()
        #expect(lines.contains { $0.contains("Read By Type Request 0x0001\u{2013}0x0007 2A00 Device Name") })
        #expect(lines.contains { $0.contains("0x0003 4d794c6f636b \"MyLock\"") })
    }

    @Test func `of a response that was cut what is left is named`() {
        let services = response(
            "10 0100 FFFF 0028", "11 06 0100 0500", original: 14)
        #expect(services.contains(" 0x0001\u{2013}0x0005\u{2026}"))
        let whole = response("10 0100 FFFF 0028", "11 06 0100 0500 0F18", original: 14)
        #expect(whole.contains("0x0001\u{2013}0x0005 180F Battery  (to 2"))
        let characteristics = response("08 0100 FFFF 0328", "09 07 0200 12", original: 9)
        #expect(characteristics.contains("0x0002 12 (read, notify)\u{2026}"))
        let declared = response("08 0100 FFFF 0328", "09 07 0200 12 0300", original: 9)
        #expect(declared.contains("0x0002 \u{2192} 0x0003 (read, notify)\u{2026}"))
        let handle = response("04 0100 0500", "05 01 0400", original: 6)
        #expect(handle.contains("Response  0x0004\u{2026}"))
    }

    @Test func `a signed write that was cut shows the octets that are there`() {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "D2 0300 414243", original: 19)
        #expect(shown.text().contains { $0.contains("Signed Write Command 0x0003  414243") })
    }

    @Test func `the values of several attributes are shown by the handles that were asked for`() {
        let line = response("20 0300 0500", "21 0200 4142 0300 434445")
        #expect(line.contains("Read Multiple Variable Response 0x0003  4142; 0x0005  434445  (to 2"))
        let short = response("20 0300 0500", "21 0000 0500 4344")
        #expect(short.contains("0x0003  empty; 0x0005  4344"))
    }

    @Test func `a malformed PDU is marked once`() {
        let line = response("04 0100 0500", "05 03 0400 0029")
        #expect(line.components("malformed") == 1)
    }

    @Test func `an opcode that is not assigned is a problem`() throws {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "1F 0102")
        #expect(shown.text().contains { $0.contains("! unassigned ATT opcode 0x1f") })
        let code = try #require(try shown.values().last)
        #expect("\(code)".contains("unknown-att-opcode"))
    }

    @Test func `an appearance and a URI's scheme are shown by name`() {
        var shown = Shown()
        shown.advertise("03 19 C103")
        shown.advertise("0A 24 17 2F2F612E6578 61")
        shown.advertise("03 24 C2 BA")
        let lines = shown.text()
        #expect(lines.contains { $0.contains("Appearance=0x03c1(Human Interface Device: Keyboard)") })
        #expect(lines.contains { $0.contains("URI=\"https://a.exa\"") })
        #expect(lines.contains { $0.contains("URI=\"ms-settings-cloudstorage:\"") })
    }

    @Test func `a link on which pairing stopped, and one without notifications, say so`() {
        var shown = Shown()
        shown.connect()
        shown.add(.acl, .hostToController, "40 00 0B00 0700 0600 01 03 00 2D 10 0D 0F")
        shown.now += 31_000_000_000
        shown.event("05 04 00 4000 13")
        #expect(
            shown.text().contains {
                $0.contains("! pairing stopped: Pairing Request of frame 2 had no answer within 30 s")
            })
    }
}

extension String {
    /// How often a word stands in it.
    fileprivate func components(_ word: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }

    @Test(arguments: [("0128", 0), ("0028", 1)])
    func `only for secondary services does an unsupported group end a discovery`(type: String, failed: Int) {
        var shown = Shown()
        shown.connect()
        shown.att(.hostToController, "10 0100 FFFF " + type)
        shown.att(.controllerToHost, "01 10 0100 10")
        #expect(shown.failures().count == failed)
    }
}
