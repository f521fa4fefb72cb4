import Testing
import WireBytes

/// What looks at octets eight at a time sees each of them, wherever it stands.
@Suite struct WordTests {
    static func with<Result>(_ octets: [UInt8], _ body: (RawSpan) -> Result) -> Result {
        octets.withReader { body($0.takeRest()) }
    }

    static func text(_ write: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer(capacity: 256)
        write(&buffer)
        return String(decoding: buffer.octets.copied(), as: UTF8.self)
    }

    @Test func `Octets are equal where each of them is`() {
        for count in 0...40 {
            let octets = (0..<count).map { UInt8($0) }
            #expect(Self.with(octets) { one in Self.with(octets) { one.elementsEqual($0) } })
            #expect(Self.with(octets) { one in Self.with(octets + [0]) { !one.elementsEqual($0) } })
            for place in 0..<count {
                var other = octets
                other[place] ^= 0x80
                #expect(Self.with(octets) { one in Self.with(other) { !one.elementsEqual($0) } })
            }
        }
    }

    @Test func `An octet is found wherever it stands, and only where it stands`() {
        for count in 0...40 {
            let octets = [UInt8](repeating: 0xFE, count: count)
            #expect(Self.with(octets) { !$0.contains(0xFF) })
            for place in 0..<count {
                var other = octets
                other[place] = 0xFF
                #expect(Self.with(other) { $0.contains(0xFF) })
            }
        }
        #expect(Self.with([1, 0, 0, 0, 0, 0, 0, 0, 0]) { !$0.contains(2) })
    }

    @Test func `Octets that differ in one place have fingerprints that differ in their low bits`() {
        for count in 1...40 {
            let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            for place in 0..<count {
                var low: Set<UInt64> = []
                for value in 0...255 {
                    var other = octets
                    other[place] = UInt8(value)
                    let fingerprint = Self.with(other) { $0.fingerprint }
                    #expect(Self.with(other) { $0.fingerprint } == fingerprint)
                    low.insert(fingerprint & 0xFFFF)
                }
                #expect(low.count > 240, "\(count) bytes, place \(place)")
            }
        }
    }

    @Test func `Each octet is escaped alike, wherever it stands in a text`() {
        for value in 0...0x7F {
            let alone = Self.text { buffer in Self.with([UInt8(value)]) { buffer.escaped($0) } }
            for (count, place) in [1, 2, 3, 5, 7, 18].flatMap({ count in (0..<count).map { (count, $0) } }) {
                var octets = [UInt8](repeating: 0x61, count: count)
                octets[place] = UInt8(value)
                let text = Self.text { buffer in Self.with(octets) { buffer.escaped($0) } }
                let (before, after) = (String(repeating: "a", count: place), count - 1 - place)
                #expect(text == before + alone + String(repeating: "a", count: after))
            }
        }
    }

    @Test func `Each character becomes a part of a name alike, wherever it stands`() {
        for value in UInt8(0)...0x7F {
            let character = String(decoding: [value], as: UTF8.self)
            let isPlain = character.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
            for (count, place) in (1...11).flatMap({ count in (0..<count).map { (count, $0) } }) {
                let name =
                    String(repeating: "a", count: place) + character
                    + String(repeating: "b", count: count - 1 - place)
                let text = Self.text { $0.memberName(name) }
                #expect(isPlain == (text == name), "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            ("LE Meta", "le_meta"), ("Company Identifier", "company_identifier"),
            ("num_reports", "num_reports"), ("", ""), ("Z", "z"), ("a B", "a_b"), ("x`", "x_"),
            ("PHY", "phy"),
            ("Role", "role"), ("Result", "result"), ("SID (1)", "sid_1"),
            ("Az[]@`{/:09_ x", "az_____09__x"), ("Flags", "flags"),
            ("Service Data (16 bit)", "service_data_16_bit"), ("Ärger mit Namen", "__rger_mit_namen"),
        ] as [(StaticText, String)])
    func `Literals become identifiers`(name: StaticText, identifier: String) {
        #expect(Self.text { $0.identifier(name) } == identifier)
    }

    @Test func `Numbers of every width are read at every place`() throws {
        let octets = (0..<20).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ 0x85) }
        for width in 1...8 {
            for place in 0...20 {
                try octets.withReader { reader throws(DecodeError) in
                    try reader.skip(place)
                    var problem: DecodeError?
                    var value: UInt64 = 0
                    do throws(DecodeError) { value = try reader.unsigned(width: width) } catch {
                        problem = error
                    }
                    guard place + width <= 20 else {
                        #expect(problem == DecodeError(.truncated(need: width, have: 20 - place), at: place))
                        #expect(reader.offset == place)
                        return
                    }
                    #expect(problem == nil)
                    let taken = octets[place..<place + width]
                    let wanted = taken.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    #expect(value == wanted, "\(width) bytes at \(place)")
                    #expect(reader.offset == place + width)
                }
            }
        }
    }
}
