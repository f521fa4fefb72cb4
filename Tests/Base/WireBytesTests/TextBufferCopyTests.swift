import Testing
import WireBytes

@Suite struct TextBufferCopyTests {
    @Test func `Octets of every length arrive, and nothing around them changes`() {
        let source = (0..<80).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 1) }
        for count in 0...source.count {
            var buffer = TextBuffer(capacity: 256)
            buffer.put(0xAA)
            source.withReader { reader in buffer.put(reader.takeRest().clamped(0..<count)) }
            buffer.put(0xBB)
            #expect(buffer.octets.copied() == [0xAA] + source.prefix(count) + [0xBB], "\(count) bytes")
        }
    }

    @Test(arguments: [(0, "abcdef"), (2, "cdef"), (6, ""), (9, ""), (-1, "abcdef")])
    func `What stands at the front can be dropped`(count: Int, left: String) {
        var buffer = TextBuffer(capacity: 256)
        buffer.put("abcdef")
        buffer.dropFirst(count)
        #expect(buffer.copied(from: 0) == Array(left.utf8))
        buffer.put("g")
        #expect(buffer.copied(from: 0) == Array((left + "g").utf8))
    }

    @Test func `Literals of every length arrive`() {
        let literals: [StaticText] = [
            "", "a", "ab", "abc", "abcd", "abcde", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno",
            "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopqrstuvwxyz01234",
            "abcdefghijklmnopqrstuvwxyz012345", "abcdefghijklmnopqrstuvwxyz0123456", "é\u{1B}",
        ]
        for literal in literals {
            var buffer = TextBuffer(capacity: 256)
            buffer.put(literal)
            #expect(String(decoding: buffer.octets.copied(), as: UTF8.self) == literal.description)
        }
    }

    @Test func `Numbers of every length are written in decimal`() {
        var numbers: [UInt64] = [0, UInt64.max]
        var power: UInt64 = 1
        for _ in 0..<20 {
            numbers += [power &- 1, power, power &+ 1]
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        for number in numbers {
            var buffer = TextBuffer()
            buffer.decimal(number)
            #expect(String(decoding: buffer.octets.copied(), as: UTF8.self) == String(number))
        }
        var buffer = TextBuffer()
        buffer.decimal(Int.min)
        #expect(String(decoding: buffer.octets.copied(), as: UTF8.self) == String(Int.min))
    }

    @Test func `Text between escapes is copied as it is`() {
        let source = Array("plain \"quoted\" back\\slash \u{1}é\u{7F} end".utf8) + [0xFF, 0x41]
        var buffer = TextBuffer()
        source.withReader { reader in buffer.escaped(reader.takeRest()) }
        let text = String(decoding: buffer.octets.copied(), as: UTF8.self)
        #expect(text == #"plain \"quoted\" back\\slash \u0001é\u007f end\xffA"#)
    }

    @Test func `A field's name becomes an identifier`() {
        var buffer = TextBuffer()
        buffer.identifier("LE Read [v2] Max-Length (octets)_x9")
        #expect(String(decoding: buffer.octets.copied(), as: UTF8.self) == "le_read_v2_max_length_octets_x9")
    }
}
