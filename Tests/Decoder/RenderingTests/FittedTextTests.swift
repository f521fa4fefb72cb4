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
        return shown.lines(all: true, from: 1, change)
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
        #expect(sentence == ["! nothing on this connection", "subscribed to this value"])
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
