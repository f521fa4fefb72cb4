import Testing
import WireBytes

/// Numbers and octets as text, against what the standard library makes of them.
@Suite struct TextBufferNumberTests {
    static func text(_ write: (inout TextBuffer) -> Void) -> String {
        // This grows the buffer to sixteen octets more than it takes, so that the end of its room is met.
        var buffer = TextBuffer(capacity: 1)
        buffer.fill(0x2E, count: 500)
        write(&buffer)
        #expect(buffer.octets.copied().prefix(500).allSatisfy { $0 == 0x2E })
        return String(decoding: buffer.octets.copied().dropFirst(500), as: UTF8.self)
    }

    static func padded(_ text: String, to width: Int, with character: String) -> String {
        String(repeating: character, count: max(0, width - text.count)) + text
    }

    /// Numbers about every power of ten and of two.
    static let numbers: [UInt64] = {
        var numbers: [UInt64] = [0, 4_294_967_295, 99_990_000, 10_000_001, UInt64.max]
        var power: UInt64 = 1
        for _ in 0..<20 {
            numbers += [power &- 1, power, power &+ 1, power &* 7]
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        return numbers + (0..<64).map { 1 << UInt64($0) }
    }()

    @Test func `Numbers are right-aligned in every width`() {
        for number in Self.numbers {
            for width in -1...24 {
                let text = Self.text { $0.decimal(number, width: width) }
                #expect(text == Self.padded(String(number), to: width, with: " "), "\(number) in \(width)")
            }
        }
    }

    @Test func `The low decimal digits of a number are written with zeros before them`() {
        for number in Self.numbers {
            for digits in 0...20 {
                let wanted = Self.padded(String(String(number).suffix(digits)), to: digits, with: "0")
                #expect(Self.text { $0.decimal(number, digits: digits) } == wanted, "\(number), \(digits)")
            }
        }
    }

    @Test func `All numbers of four digits are written in decimal`() {
        for number in 0..<10_000 {
            #expect(Self.text { $0.decimal(number) } == String(number))
            #expect(Self.text { $0.decimal(UInt64(number) &* 10_001) } == String(number &* 10_001))
        }
    }

    @Test func `The low hexadecimal digits of a number are written in both cases`() {
        for number in Self.numbers {
            for digits in 0...18 {
                let all = Self.padded(String(number, radix: 16), to: digits, with: "0")
                let wanted = String(all.suffix(digits))
                #expect(Self.text { $0.hex(number, digits: digits) } == wanted)
                #expect(Self.text { $0.upperHex(number, digits: digits) } == wanted.uppercased())
            }
        }
    }

    @Test func `Octets are written as two digits each, whatever their count`() {
        let source = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ $0 / 256) }
        for count in Array(0...40) + [256, 300] {
            let octets = Array(source.suffix(count))
            let wanted = octets.map { Self.padded(String($0, radix: 16), to: 2, with: "0") }.joined()
            #expect(Self.text { buffer in octets.withReader { buffer.hexOctets($0.takeRest()) } } == wanted)
        }
    }

    @Test func `Six octets are written with colons between them`() {
        #expect(Self.text { $0.colonHex(0x0123_4567_89AB) } == "01:23:45:67:89:AB")
        #expect(Self.text { $0.colonHex(0xFFFF_CDEF_0000_FEDC) } == "CD:EF:00:00:FE:DC")
    }

    @Test func `An octet is repeated as often as asked`() {
        for count in -1...70 {
            let text = Self.text { buffer in
                buffer.fill(0x61, count: count)
                buffer.put(0x7C)
            }
            #expect(text == String(repeating: "a", count: max(0, count)) + "|")
        }
    }

    @Test(arguments: [(5, 1, 2), (3, 1, 1), (30, 1, 27), (4, 0, 1), (2, 0, 0), (0, 9, 9)])
    func `Columns are padded to`(column: Int, gap: Int, blanks: Int) {
        let text = Self.text { buffer in
            let start = buffer.count
            buffer.put("abc")
            buffer.pad(from: start, to: column, gap: gap)
            buffer.put(0x7C)
        }
        #expect(text == "abc" + String(repeating: " ", count: blanks) + "|")
    }

    @Test func `A literal stands between two octets`() {
        #expect(Self.text { $0.put(0x28, "a name of some length", 0x29) } == "(a name of some length)")
        #expect(Self.text { $0.put(0x28, "", 0x29) } == "()")
    }
}
