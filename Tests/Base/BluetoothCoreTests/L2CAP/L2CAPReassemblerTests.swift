import BluetoothCore
import Testing
import WireBytes

@Suite struct L2CAPReassemblerTests {
    typealias Outcome = L2CAPReassembler.Outcome

    static func take(
        _ reassembler: inout L2CAPReassembler, _ octets: [UInt8], continuation: Bool = false,
        sent: Int? = nil
    ) -> Outcome {
        octets.withReader { (reader: inout ByteReader) in
            reassembler.receive(reader.wholeSpan, isContinuation: continuation, sentCount: sent)
        }
    }

    static let att = L2CAPHeader(length: 3, channel: .attribute)

    @Test func `a PDU in one fragment is whole and nothing is gathered`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, octets("0300 0400 0A0300")) == .whole(Self.att))
        #expect(reassembler.information.isEmpty)
        #expect(!reassembler.isGathering)
    }

    @Test func `fragments of any size give the PDU back`() {
        var random = SeededOctets(seed: 77)
        var reassembler = L2CAPReassembler()
        for _ in 0..<2_000 {
            let information = random.octets(random.next(below: 600))
            let limit = 1 + random.next(below: 60)
            let fragments = L2CAPFragmenter.fragments(information, channel: .attribute, limit: limit)
            #expect(fragments.allSatisfy { $0.octets.count <= limit })
            #expect(fragments.map(\.isContinuation) == [false] + fragments.dropFirst().map { _ in true })
            var outcomes: [Outcome] = []
            for fragment in fragments {
                outcomes.append(
                    Self.take(&reassembler, fragment.octets, continuation: fragment.isContinuation))
            }
            let header = L2CAPHeader(length: UInt16(information.count), channel: .attribute)
            #expect(outcomes.dropLast().allSatisfy { $0 == .pending })
            if fragments.count == 1 {
                #expect(outcomes.last == .whole(header))
                #expect(Array(fragments[0].octets.dropFirst(4)) == information)
            } else {
                #expect(outcomes.last == .completed(header, fragments: fragments.count))
                #expect(Array(reassembler.information) == information)
            }
            #expect(reassembler.abandoned == nil)
        }
    }

    @Test func `a continuation without a start is missing its start`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, [1, 2, 3], continuation: true) == .missingStart)
        _ = Self.take(&reassembler, octets("0300 0400 0A0300"))
        #expect(Self.take(&reassembler, [1], continuation: true) == .missingStart)
    }

    @Test func `a short start and a full continuation are a hole, never a PDU`() {
        var reassembler = L2CAPReassembler()
        // Ten octets of information of 13 were kept of the start; the rest comes whole.
        let start = octets("1400 0400 1B2A00 01020304050607")
        #expect(
            Self.take(&reassembler, start, sent: 17)
                == .cut(
                    .init(header: L2CAPHeader(length: 20, channel: .attribute), isInFragment: true)))
        #expect(Self.take(&reassembler, octets("0E0F10111213"), continuation: true) == .skipped)
        // Even where the octets happen to add up.
        #expect(Self.take(&reassembler, [UInt8](repeating: 7, count: 10), continuation: true) == .skipped)
        #expect(Self.take(&reassembler, octets("0300 0400 0A0300")) == .whole(Self.att))
    }

    @Test func `a cut continuation poisons the PDU and gives what is known`() {
        var reassembler = L2CAPReassembler()
        let header = L2CAPHeader(length: 9, channel: .attribute)
        #expect(Self.take(&reassembler, octets("0900 0400 1B2A00")) == .pending)
        #expect(
            Self.take(&reassembler, [1, 2], continuation: true, sent: 4)
                == .cut(.init(header: header, isInFragment: false)))
        #expect(Array(reassembler.information) == octets("1B2A00 0102"))
        #expect(Self.take(&reassembler, [5, 6], continuation: true) == .skipped)
    }

    @Test func `a cut that spares the information is no hole`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, octets("0300 0400 0A0300"), sent: 7) == .whole(Self.att))
    }

    @Test func `a cut within the header is known by nothing`() {
        var reassembler = L2CAPReassembler()
        #expect(
            Self.take(&reassembler, octets("0300"), sent: 7)
                == .cut(.init(header: nil, isInFragment: true)))
        #expect(
            Self.take(&reassembler, [], sent: 7) == .cut(.init(header: nil, isInFragment: true)))
    }

    @Test func `a header may itself be fragmented`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, [3]) == .pending)
        #expect(Self.take(&reassembler, [0, 4], continuation: true) == .pending)
        #expect(Self.take(&reassembler, [0, 0x0A, 3], continuation: true) == .pending)
        #expect(Self.take(&reassembler, [0], continuation: true) == .completed(Self.att, fragments: 4))
        #expect(Array(reassembler.information) == octets("0A0300"))
    }

    @Test func `too many octets are said to be too many`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, octets("0300 0400 0A0300 FF")) == .tooLong(Self.att, excess: 1))
        #expect(Self.take(&reassembler, octets("0300 0400 0A")) == .pending)
        #expect(
            Self.take(&reassembler, octets("0300 FFFF"), continuation: true)
                == .tooLong(Self.att, excess: 2))
        #expect(Self.take(&reassembler, [1], continuation: true) == .skipped)
    }

    @Test func `a start in the midst of a PDU abandons it`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, octets("0900 0400 1B2A00")) == .pending)
        #expect(Self.take(&reassembler, octets("0300 0400 0A0300")) == .whole(Self.att))
        #expect(reassembler.abandoned?.header == L2CAPHeader(length: 9, channel: .attribute))
        #expect(reassembler.abandoned?.received == 3)
        #expect(Self.take(&reassembler, octets("0300 0400 0A0300")) == .whole(Self.att))
        #expect(reassembler.abandoned == nil)
    }

    @Test func `what is longer than the limit is not gathered`() {
        var reassembler = L2CAPReassembler(limit: 8)
        let header = L2CAPHeader(length: 9, channel: .attribute)
        #expect(Self.take(&reassembler, octets("0900 0400 1B")) == .overLimit(header))
        #expect(Self.take(&reassembler, [1, 2], continuation: true) == .skipped)
        // The same where the header came in pieces.
        #expect(Self.take(&reassembler, [9]) == .pending)
        #expect(Self.take(&reassembler, octets("00 0400"), continuation: true) == .overLimit(header))
    }

    @Test func `an empty start is short, and reset forgets`() {
        var reassembler = L2CAPReassembler()
        #expect(Self.take(&reassembler, []) == .shortStart)
        _ = Self.take(&reassembler, octets("0900 0400 1B2A00"))
        reassembler.reset()
        #expect(Self.take(&reassembler, [1], continuation: true) == .missingStart)
    }

    @Test func `information too long for the length field is not fragmented`() {
        let long = [UInt8](repeating: 0, count: 65_536)
        #expect(L2CAPFragmenter(long, channel: .attribute, limit: 251) == nil)
        #expect(
            L2CAPFragmenter.fragments(Array(long.dropFirst()), channel: .attribute, limit: 251).count == 262)
    }

    @Test func `random fragments never break and never grow past the limit`() {
        var random = SeededOctets(seed: 3)
        var reassembler = L2CAPReassembler(limit: 64)
        for _ in 0..<50_000 {
            var fragment = random.octets(random.next(below: 30))
            if fragment.count > 1, random.next(below: 3) > 0 { fragment[1] = 0 }
            let sent = random.next(below: 5) == 0 ? fragment.count + 3 : nil
            switch Self.take(&reassembler, fragment, continuation: random.next(below: 2) == 0, sent: sent) {
            case .completed(let header, _): #expect(reassembler.information.count == Int(header.length))
            default: #expect(reassembler.information.count <= 64 + 30)
            }
        }
    }
}
