import BluetoothCore
import Testing
import WireBytes

@Suite struct ADStructuresTests {
    static func walk(_ data: [UInt8]) -> ([(ADType, [UInt8])], ADStructures.End) {
        data.withReader { (reader: inout ByteReader) in
            var walk = ADStructures(reader.wholeSpan)
            var found: [(ADType, [UInt8])] = []
            while let structure = walk.next() {
                found.append((structure.type, Array(data[structure.data])))
            }
            return (found, walk.end)
        }
    }

    @Test func `structures are found in order`() {
        // flags, complete 16-bit UUIDs, complete name
        let (found, end) = Self.walk(octets("02 01 06  03 03 E1FF  05 09 55514B44"))
        #expect(found.map(\.0) == [.flags, .complete16, .completeName])
        #expect(found.map(\.1) == [[6], [0xE1, 0xFF], Array("UQKD".utf8)])
        #expect(end == .complete)
    }

    @Test func `a length of zero ends the data early`() {
        let (found, end) = Self.walk(octets("02 01 06  00 00 FF"))
        #expect(found.map(\.0) == [.flags])
        #expect(end == .early(3..<6))
    }

    @Test func `a length past the end is reported with what is there`() {
        let (found, end) = Self.walk(octets("02 01 06  09 09 4142"))
        #expect(found.map(\.0) == [.flags])
        #expect(
            end == .malformed(at: 3, wanted: 9, ADStructure(type: .completeName, data: 5..<7)))
        #expect(Self.walk([5]).1 == .malformed(at: 0, wanted: 5, nil))
    }

    @Test func `a structure may have no data, and data may be empty`() {
        #expect(Self.walk([]).1 == .complete)
        let (found, end) = Self.walk(octets("01 09 01 08"))
        #expect(found.map(\.0) == [.completeName, .shortenedName])
        #expect(found.allSatisfy { $0.1.isEmpty })
        #expect(end == .complete)
    }

    @Test func `every strict prefix ends complete, or malformed where it was cut`() {
        let whole = octets("02 01 06  03 03 E1FF  05 09 55514B44")
        for count in 0..<whole.count {
            switch Self.walk(Array(whole.prefix(count))).1 {
            case .complete: #expect([0, 3, 7].contains(count))
            case .malformed(let at, _, _): #expect([0, 3, 7].contains(at))
            default: Issue.record("cut to \(count)")
            }
        }
    }

    @Test func `random data end, and each octet is accounted for`() {
        var random = SeededOctets(seed: 0xAD)
        for _ in 0..<20_000 {
            var data = random.octets(random.next(below: 260))
            for index in data.indices where random.next(below: 3) == 0 { data[index] &= 0x07 }
            let (found, end) = Self.walk(data)
            let used = found.reduce(0) { $0 + $1.1.count + 2 }
            switch end {
            case .complete: #expect(used == data.count)
            case .early(let rest): #expect(used == rest.lowerBound && rest.upperBound == data.count)
            case .malformed(let at, let wanted, _): #expect(used == at && at + 1 + wanted > data.count)
            case .notYet: Issue.record("the walk has no end")
            }
        }
    }

    @Test func `a type may hold exactly the counts of octets that its fields can be read from`() {
        for type in (0...255).map({ ADType(rawValue: $0) }) {
            for count in 0...40 {
                let isRead = [UInt8](repeating: 1, count: count).withReader { reader in
                    var coder = FieldReader(reader.wholeSpan)
                    do throws(DecodeError) {
                        try type.walk(&coder)
                        return true
                    } catch {
                        return false
                    }
                }
                #expect(type.mayHold(count) == isRead, "type \(type.rawValue), \(count) bytes")
            }
        }
    }

    static let faults: [(String, DecodeError?)] = [
        ("", nil), ("02 01 06", nil), ("02 01 06  00 00 00", nil), ("00 FF", nil), ("01 09", nil),
        ("1F 09 616263", DecodeError(.truncated(need: 31, have: 4), at: 0)),
        ("02 01 06  05 09 61", DecodeError(.truncated(need: 5, have: 2), at: 3)),
        ("02 01 06  04", DecodeError(.truncated(need: 4, have: 0), at: 3)),
        ("02 01 06  04 03 E1FF00", DecodeError(.invalidLength, at: 3)),
        ("01 01", DecodeError(.invalidLength, at: 0)), ("02 FF 01", DecodeError(.invalidLength, at: 0)),
    ]

    @Test(arguments: faults)
    func `a length that can't be is found where it stands`(hex: String, fault: DecodeError?) {
        #expect(octets(hex).withReader { ADStructures.fault(in: $0.wholeSpan) } == fault)
    }
}
