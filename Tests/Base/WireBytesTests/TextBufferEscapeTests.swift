import PayloadFormat
import Testing

@testable import WireBytes

/// Octets that should be UTF-8, in text and in JSON.
@Suite struct TextBufferEscapeTests {
    /// What octets are, and how text and the inside of a JSON string show them.
    static let forms: [(String, [UInt8], String, String)] = [
        ("letters", Array("Größe 😀".utf8), "Größe 😀", "Größe 😀"),
        ("a cut character of two bytes", [0x41, 0xC3], #"A\xc3"#, #"A\ufffd"#),
        ("a cut character of three", [0xE2, 0x82, 0x41], #"\xe2\x82A"#, #"\ufffdA"#),
        ("a cut character of four", [0xF0, 0x9F, 0x98], #"\xf0\x9f\x98"#, #"\ufffd"#),
        ("an overlong slash", [0xC0, 0xAF], #"\xc0\xaf"#, #"\ufffd\ufffd"#),
        ("an overlong form of three", [0xE0, 0x9F, 0xBF], #"\xe0\x9f\xbf"#, #"\ufffd\ufffd\ufffd"#),
        (
            "an overlong form of four", [0xF0, 0x8F, 0xBF, 0xBF], #"\xf0\x8f\xbf\xbf"#,
            #"\ufffd\ufffd\ufffd\ufffd"#
        ),
        ("a surrogate", [0xED, 0xA0, 0x80], #"\xed\xa0\x80"#, #"\ufffd\ufffd\ufffd"#),
        (
            "past the last character", [0xF4, 0x90, 0x80, 0x80], #"\xf4\x90\x80\x80"#,
            #"\ufffd\ufffd\ufffd\ufffd"#
        ),
        ("a lone continuation", [0x80, 0xBF], #"\x80\xbf"#, #"\ufffd\ufffd"#),
        ("Latin-1", [0xE9, 0x74, 0xE9], #"\xe9t\xe9"#, #"\ufffdt\ufffd"#),
        ("an escape sequence", [0x1B, 0x5B, 0x32, 0x4A], #"\u001b[2J"#, #"\u001b[2J"#),
        ("the C1 form of one", [0xC2, 0x9B, 0x32, 0x4A], #"\u009b2J"#, #"\u009b2J"#),
        ("the byte of one", [0x9B, 0x32, 0x4A], #"\x9b2J"#, #"\ufffd2J"#),
        ("DEL and line ends", [0x7F, 0x0D, 0x0A], #"\u007f\u000d\u000a"#, #"\u007f\u000d\u000a"#),
        ("text turned around", [0xE2, 0x80, 0xAE, 0x41], #"\u202eA"#, #"\u202eA"#),
        ("the end of a line", [0xE2, 0x80, 0xA8], #"\u2028"#, #"\u2028"#),
        ("marks of direction", [0xE2, 0x80, 0x8F, 0xD8, 0x9C], #"\u200f\u061c"#, #"\u200f\u061c"#),
        ("nothing to be seen", [0xE2, 0x80, 0x8B, 0xC2, 0xAD], #"\u200b\u00ad"#, #"\u200b\u00ad"#),
        ("private use", [0xEE, 0x80, 0x80], #"\ue000"#, #"\ue000"#),
        ("a tag", [0xF3, 0xA0, 0x81, 0x81], #"\U000e0041"#, #"\udb40\udc41"#),
        ("what ends a string", [0x22, 0x5C], #"\"\\"#, #"\"\\"#),
    ]

    static func text(_ octets: [UInt8], asJSON: Bool) -> String {
        var buffer = TextBuffer()
        octets.withReader { reader in
            let octets = reader.takeRest()
            if asJSON { buffer.jsonEscaped(octets) } else { buffer.escaped(octets) }
        }
        return String(decoding: buffer.octets.copied(), as: UTF8.self)
    }

    @Test(arguments: forms)
    func `octets are shown so that each can be told, and none is obeyed`(
        _ what: String, _ octets: [UInt8], _ text: String, _ json: String
    ) {
        #expect(Self.text(octets, asJSON: false) == text)
        #expect(Self.text(octets, asJSON: true) == json)
    }

    /// Random octets, most of them of the kinds that UTF-8 is made of.
    static func random(_ state: inout UInt64) -> [UInt8] {
        let kinds: [ClosedRange<UInt8>] = [
            0x00...0x7F, 0x80...0xBF, 0xC0...0xDF, 0xE0...0xEF, 0xF0...0xFF, 0x20...0x7E,
        ]
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state &>> 33) % count
        }
        return (0..<next(12)).map { _ in
            let kind = kinds[next(kinds.count)]
            return kind.lowerBound + UInt8(next(kind.count))
        }
    }

    static func string(_ node: JSONNode) -> String? {
        if case .string(let text) = node.value { text } else { nil }
    }

    @Test func `a JSON string reads as the text that its octets are`() throws {
        var state: UInt64 = 23
        for round in 0..<20_000 {
            let octets = Self.random(&state)
            let string = #"""# + Self.text(octets, asJSON: true) + #"""#
            #expect(!string.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "round \(round) of seed 23")
            let wanted = String(decoding: octets, as: UTF8.self)
            let node = try JSONParser.parse(Array(string.utf8))
            #expect(Self.string(node) == wanted, "round \(round) of seed 23: \(octets)")
            #expect(octets.borrowedOctets.isUTF8 == (String(validating: octets, as: UTF8.self) != nil))
        }
    }

    @Test func `the text tells every octet`() {
        var state: UInt64 = 24
        var seen: [String: [UInt8]] = [:]
        for round in 0..<20_000 {
            let octets = Self.random(&state)
            let text = Self.text(octets, asJSON: false)
            #expect(seen[text] == nil || seen[text] == octets, "round \(round) of seed 24: \(octets)")
            seen[text] = octets
        }
    }

    @Test func `a sentence keeps its quotes and its escapes, and nothing in it is obeyed`() {
        let sentence = "say \"a\\u001b\" \u{1B}[2J\u{9B}\u{202E}\nGröße \u{E0041}"
        #expect(sentence.visible == #"say "a\u001b" \u001b[2J\u009b\u202e\u000aGröße \U000e0041"#)
        #expect(sentence.visible.visible == sentence.visible)
        var lines = TextBuffer()
        lines.visible("a\u{1B}\nb\r\n", keepsLines: true)
        #expect(lines.text == "a\\u001b\nb\\u000d\n")
    }

    @Test func `every character of the kinds that show nothing is escaped, and letters are not`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isEscaped = UTF8Character.needsEscape(value)
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                if !isEscaped { Issue.record("U+\(String(value, radix: 16))") }
            default:
                if isEscaped, !scalar.properties.isDefaultIgnorableCodePoint {
                    Issue.record("U+\(String(value, radix: 16))")
                }
            }
        }
    }
}
