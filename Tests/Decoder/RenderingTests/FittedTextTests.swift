import Analysis
import CaptureFile
import Rendering
import Testing

/// Lines that are made to fit a terminal.
@Suite struct FittedTextTests {
    private func shown(
        _ body: (inout Shown) -> Void, _ change: (inout TextRenderer.Options) -> Void
    ) -> [String] {
        var shown = Shown()
        body(&shown)
        return shown.lines(all: true, from: 1) {
            $0.namesPeer = false
            change(&$0)
        }
    }

    @Test func `a line that is too long is cut, and says so; the connection has a column`() {
        let lines = shown {
            $0.connect()
            $0.att(.hostToController, "12 0300" + String(repeating: "AB", count: 20))
        } _: {
            $0.width = 80
        }
        let line = lines.last ?? ""
        #expect(line.count == 80 && line.hasSuffix("abab\u{2026}"))
        #expect(line.contains(" tx  1    ATT   Write Request 0x0003  abab"))
        #expect(!line.contains("44:55:66"))
    }

    @Test func `a name of a few words is whole where nothing decides`() {
        let lines = shown {
            $0.add(.command, .hostToController, "01 0C 08 FFFFFFFFFFFFFF3F")
        } _: {
            $0.width = 74
        }
        #expect(lines.last?.contains(" Set Event Mask event") == true, "\(lines)")
    }

    @Test(
        arguments: [
            ("05 04 00 4000 08", "Disconnection Complete reason=0x08(Co"),
            ("3E 0A 03 00 4000 1800 0000 F401", "connection_interval=30 ms"),
            ("3E 0A 03 3E 4000 1800 0000 F401", "status=0x3e(Co"),
            ("0E 04 01 3620 0C", "LE Set Extended Advert"),
            ("0E 04 01 3620 0C", "\u{2026}: Command Disallowed"),
            ("0F 04 11 01 1320", ": Unsupported Feature"),
        ])
    func `what decides an event comes first, and survives 80 columns`(_ event: String, _ text: String) {
        let lines = shown {
            $0.connect()
            $0.add(.command, .hostToController, "13 20 0E 4000 1800 2800 0000 F401 0000 0000")
            $0.event(event)
        } _: {
            $0.width = 80
        }
        let line = lines.last { $0.contains(" HCI ") } ?? ""
        #expect(line.contains(text) && line.count <= 80, "\(lines)")
    }

    @Test func `so does what decides a command or a request of L2CAP`() {
        let lines = shown {
            $0.connect()
            $0.add(.command, .hostToController, "13 20 0E 4000 1800 2800 0000 F401 0000 0000")
            $0.add(.acl, .controllerToHost, "4020 1000 0C00 0500 12 01 0800 0600 0C00 0000 F401")
            $0.add(.acl, .hostToController, "4000 0A00 0600 0500 13 01 0200 0100")
            $0.add(.acl, .controllerToHost, "4020 1200 0E00 0500 15 02 0A00 4000 0002 F700 0A00 0400")
        } _: {
            $0.width = 80
        }
        let text = lines.joined(separator: "\n")
        for decides in [
            " connection_interval_min=30 ms", " Interval Min=7.5 ms", " Result=Rejected",
            " Result=Connection refused",
        ] {
            #expect(text.contains(decides), "\(decides): \(lines)")
        }
    }

    @Test(arguments: 20..<140)
    func `no line is wider, whatever the width`(_ width: Int) {
        let lines = shown {
            $0.connect()
            $0.att(.hostToController, "12 0300" + String(repeating: "C3A4", count: 60))
            $0.att(.controllerToHost, "01 12 0300 05")
        } _: {
            $0.width = width
            $0.usesColor = true
        }
        let plain = lines.map { $0.replacing(#/\u{1B}\[[0-9]*m/#, with: "") }
        // A word of a sentence about a problem is not cut.
        #expect(plain.allSatisfy { $0.count <= max(width, 60) })
    }

    @Test func `a sentence about a problem goes on below`() {
        let lines = shown {
            $0.connect()
            $0.att(.controllerToHost, "1B 0300 01")
        } _: {
            $0.width = 60
        }
        let sentence = lines.suffix(2).map { $0.drop { $0 == " " } }
        #expect(sentence == ["! nothing on this connection subscribed to this", "value"], "\(lines)")
    }

    @Test func `on a narrow terminal a name gives way to its first value, but not to a success`() {
        let lines = shown {
            $0.add(.command, .hostToController, "0C20 02 01 01")
            $0.add(.event, .controllerToHost, "0E 0C 01 0510 00 1B00 40 0800 0800")
            $0.connect()
            $0.att(.controllerToHost, "1B 0300 01")
        } _: {
            $0.width = 74
        }
        #expect(lines[0].contains(" le_scan_enable=enable") && lines[0].columns == 74, "\(lines)")
        // That a command succeeded says less than its name.
        #expect(lines[1].contains("Read Buffer Size "), "\(lines)")
        #expect(lines.last == "        ! nothing on this connection subscribed to this value", "\(lines)")
    }

    @Test func `a long time without a shown frame has a line`() {
        let lines = shown {
            $0.connect()
            $0.now += 4_000_000_000
            $0.att(.hostToController, "0A 0300")
            $0.now += 20_000_000_000
            $0.att(.controllerToHost, "0B 41")
        } _: { _ in
        }
        #expect(lines.map { $0.trimmed }.count { $0.hasSuffix(" s later") } == 1, "\(lines)")
        #expect(lines.dropLast().last?.trimmed == "20.001 s later", "\(lines)")
    }

    @Test func `times are those of the day, or since the frame before`() {
        var times: [[String]] = []
        for style in TextRenderer.TimeStyle.allCases {
            let lines = shown {
                $0.connect()
                $0.att(.hostToController, "0A 0300")
                $0.now += 1_500_000_000
                $0.att(.controllerToHost, "0B 41")
            } _: {
                $0.time = style
            }
            times.append(lines.map { String($0.dropFirst(8).prefix(12)).trimmed })
        }
        #expect(times[0].last == "1.502000" && times[2].last == "1.501000")
        #expect(times[1].allSatisfy { $0.split(separator: ":").count == 3 && $0.count == 12 })
    }

    @Test func `text with its line end is shown as text`() {
        let lines = shown {
            $0.connect()
            $0.att(.hostToController, "12 0300 41542B4F4B0D0A")
        } _: { _ in
        }
        #expect(lines.last?.hasSuffix("\"AT+OK\\r\\n\"") == true)
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
