import Gadgets
import Testing
import WireBytes

@Suite struct GadgetsTests {
    @Test(arguments: [
        (200, "0200"), (1000, "0a00"), (1234, "0c22"), (9999, "6363"), (0, "0000"), (99, "0063"),
    ])
    func `a link frame carries its number in base 100`(number: Int, digits: String) throws {
        let frame = try #require(LinkFrame(number: number))
        var writer = ByteWriter()
        frame.encode(into: &writer)
        #expect(Hex.text(writer.octets) == "aa031272\(digits)01723055")
        #expect(try Self.frame(writer.octets) == frame)
        for count in 0..<writer.count {
            let error = #expect(throws: DecodeError.self) {
                try Self.frame(Array(writer.octets.prefix(count)))
            }
            if case .truncated? = error?.reason {
            } else {
                Issue.record("\(count): \(String(describing: error))")
            }
        }
        #expect(throws: DecodeError(.trailingOctets(1), at: 10)) { try Self.frame(writer.octets + [0]) }
    }

    @Test func `numbers and rates out of range make no frame`() {
        #expect(LinkFrame(number: 10_000) == nil && LinkFrame(number: -1) == nil)
        #expect(LinkFrame(speed: 1_001) == nil && LinkFrame(speed: 1_000)?.number == 1_000)
        #expect(throws: DecodeError(.invalidValue, at: 4)) {
            try Self.frame([0xAA, 3, 0x12, 0x72, 100, 0, 1, 0x72, 0x30, 0x55])
        }
        #expect(throws: DecodeError(.invalidValue, at: 9)) {
            try Self.frame([0xAA, 3, 0x12, 0x72, 1, 0, 1, 0x72, 0x30, 0x56])
        }
    }

    @Test(arguments: zip(LinkCommand.Kind.allCases, ["0aba", "0bab", "0cdc", "0dcd"]))
    func `a link command is its type and a frame`(kind: LinkCommand.Kind, octets: String) throws {
        let command = try #require(LinkCommand(kind, speed: 200))
        var writer = ByteWriter()
        command.encode(into: &writer)
        #expect(Hex.text(writer.octets) == octets + "aa031272020001723055")
        #expect(try Self.command(writer.octets) == command)
        #expect(LinkCommand(kind, speed: 1_001) == nil)
        writer.octets[6] = 0x0B
        #expect(throws: DecodeError(.invalidValue, at: 6)) { try Self.command(writer.octets) }
        writer.octets[0] = 0xFF
        #expect(throws: DecodeError(.invalidValue, at: 0)) { try Self.command(writer.octets) }
    }

    @Test func `the band's answer is checked by sum, header and level in this order`() throws {
        #expect(try BandBattery([0x56, 0x7B, 0x06, 0x29]).percent == 60)
        #expect(BandBattery(tenths: 6)?.octets == [0x56, 0x7B, 0x06, 0x29])
        #expect(BandBattery(tenths: 11) == nil)
        #expect(throws: BandBattery.Problem.length(3)) { try BandBattery([0x56, 0x7B, 6]) }
        #expect(throws: BandBattery.Problem.checksum(found: 0x28, expected: 0x29)) {
            try BandBattery([0x56, 0x7B, 0x06, 0x28])
        }
        #expect(throws: BandBattery.Problem.checksum(found: 0, expected: 0x2B)) {
            try BandBattery([0x55, 0x7A, 0x06, 0x00])
        }
        #expect(throws: BandBattery.Problem.header) { try BandBattery([0x55, 0x7B, 0x06, 0x2A]) }
        #expect(throws: BandBattery.Problem.level(11)) { try BandBattery([0x56, 0x7B, 0x0B, 0x24]) }
        for tenths in UInt8(0)...10 {
            let octets = try #require(BandBattery(tenths: tenths)).octets
            #expect(octets.reduce(0, &+) == 0)
            #expect(try BandBattery(octets).tenths == tenths)
        }
    }

    @Test func `hex text takes any case and separators, and an odd digit as the caller says`() throws {
        #expect(try HexText.octets("aB-cD:0f 10") == [0xAB, 0xCD, 0x0F, 0x10])
        #expect(throws: Hex.Problem.oddDigitCount) { try HexText.octets("123") }
        #expect(try HexText.octets("123", oddDigit: .leads) == [0x01, 0x23])
        #expect(try HexText.octets("1234", oddDigit: .leads) == [0x12, 0x34])
        #expect(try HexText.octets("", oddDigit: .leads) == [])
        #expect(try HexText.octets("F", oddDigit: .leads) == [0x0F])
        #expect(throws: Hex.Problem.notADigit(at: 1)) { try HexText.octets("1G3") }
        #expect(throws: Hex.Problem.notADigit(at: 1)) { try HexText.octets("1G", oddDigit: .leads) }
    }

    private static func frame(_ octets: [UInt8]) throws -> LinkFrame {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            try LinkFrame(decoding: &reader)
        }
    }

    private static func command(_ octets: [UInt8]) throws -> LinkCommand {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            try LinkCommand(decoding: &reader)
        }
    }
}
