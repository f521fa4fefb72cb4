import PayloadFormat
import TestSupport
import Testing
import WireBytes

/// The rules for fragments, one by one.
@Suite struct ReassemblerTests {
    static let format = FragmentFormat(
        header: HeaderFormat(
            [
                HeaderField(.messageID, bits: 8), HeaderField(.last, bits: 1), HeaderField(.index, bits: 7),
            ], order: .big))

    /// A reassembler and what it said so far.
    struct Side {
        var reassembler = Reassembler(limits: ReassemblyLimits())
        var time: Int64 = 0
        var frame: UInt64 = 0
        var ended: [Reassembler.Ended] = []
        var whole: [[UInt8]] = []

        mutating func take(_ hex: String) throws -> Reassembler.Outcome {
            let fragment = try #require(Fragment(try Hex.octets(hex), ReassemblerTests.format))
            frame += 1
            time += 1_000_000
            let outcome = reassembler.accept(fragment, at: time, frame: frame, ended: &ended)
            if case .complete(let message) = outcome { whole.append(message.octets) }
            return outcome
        }

        var failures: [Reassembler.Failure] { ended.map(\.failure) }
    }

    @Test func `fragments in order become a message with its frames`() throws {
        var side = Side()
        #expect(try side.take("0100aa") == .incomplete)
        #expect(try side.take("0101bb") == .incomplete)
        let outcome = try side.take("0182cc")
        #expect(
            outcome
                == .complete(
                    Reassembler.Assembled(messageID: 1, octets: [0xAA, 0xBB, 0xCC], frames: [1, 2, 3])))
        #expect(side.ended.isEmpty && side.reassembler.openCount == 0)
    }

    @Test func `the fragment just received may come again, the last one too`() throws {
        var side = Side()
        _ = try side.take("0100aa")
        #expect(try side.take("0100aa") == .repeated)
        _ = try side.take("0181bb")
        #expect(try side.take("0181bb") == .repeated)
        #expect(side.whole.count == 1 && side.ended.isEmpty)
        // After two seconds it is forgotten: then it is a fragment without a start.
        side.time += 2_000_000_000
        #expect(try side.take("0181bb") == .failed)
        #expect(side.failures == [.gap(expected: 0, found: 1)])
    }

    @Test func `the rest of messages that were given up is dropped, as long as it may follow`() throws {
        var side = Side()
        for id in 1...20 { _ = try side.take("\(id < 16 ? "0" : "")\(String(id, radix: 16))80aa") }
        _ = try side.take("4100aa")
        _ = try side.take("4200aa")
        _ = try side.take("4201bb")
        side.reassembler.giveUp()
        #expect(side.reassembler.openCount == 0)
        #expect(side.reassembler.room < 5 * (Reassembler.roomOfMessage + 64))
        // What was whole just before may still come again.
        #expect(try side.take("1480aa") == .repeated)
        #expect(try side.take("4101bb") == .dropped)
        // Each fragment gives the next its time.
        side.time += 1_900_000_000
        #expect(try side.take("4202cc") == .dropped)
        side.time += 1_900_000_000
        #expect(try side.take("4283dd") == .dropped)
        // New messages are whole all the same, and can have gaps.
        _ = try side.take("4100aa")
        _ = try side.take("4181bb")
        #expect(side.whole.last == [0xAA, 0xBB])
        #expect(side.ended.isEmpty)
        _ = try side.take("4300aa")
        #expect(try side.take("4302aa") == .failed)
        #expect(side.failures == [.gap(expected: 1, found: 2)])
        side.time += 2_000_000_000
        #expect(try side.take("4283dd") == .failed)
        #expect(side.failures.last == .gap(expected: 0, found: 3))
        #expect(side.reassembler.reset().isEmpty)
    }

    /// On both sides of the length from which only the last fragment is kept of a finished message.
    @Test(arguments: [510, 512, 513, 4_000])
    func `the last fragment of a message of any length may come again`(octets: Int) throws {
        let message = (0..<octets).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var side = Side()
        let values = try #require(Self.format.cut(message, id: 5, valueOctets: 102))
        for value in values.dropLast() { #expect(try side.take(Hex.text(value)) == .incomplete) }
        let last = try #require(values.last)
        let frames = (1...values.count).map { UInt64($0) }
        guard case .complete(let whole) = try side.take(Hex.text(last)) else {
            Issue.record("the message is not whole")
            return
        }
        #expect(whole.octets == message && Array(whole.frames) == frames)
        #expect(try side.take(Hex.text(last)) == .repeated)
        #expect(try side.take(Hex.text(last.dropLast())) == .failed)
        #expect(side.failures == [.gap(expected: 0, found: values.count - 1)])
    }

    @Test func `an index without a number is refused`() throws {
        let format = FragmentFormat(
            header: HeaderFormat([HeaderField(.index, bits: 64), HeaderField(.last, bits: 8)], order: .big))
        let largest: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 7)
        #expect(Fragment(largest + [1], format) == nil)
        #expect(Fragment(largest.dropLast() + [0xFE, 1], format)?.index == .max - 1)
        #expect(Fragment([0x80] + [UInt8](repeating: 0, count: 7) + [1], format) == nil)
    }

    @Test func `another message under the id ends the memory of the finished one`() throws {
        var side = Side()
        _ = try side.take("0180aa")
        #expect(try side.take("0180aa") == .repeated)
        #expect(try side.take("0180bb") != .repeated)
        #expect(try side.take("0180aa") != .repeated)
        #expect(side.whole == [[0xAA], [0xBB], [0xAA]] && side.ended.isEmpty)
    }

    @Test func `a gap ends a message with one error, the rest of it is dropped`() throws {
        var side = Side()
        _ = try side.take("0100aa")
        _ = try side.take("0200a1")
        #expect(try side.take("0102cc") == .failed)
        #expect(try side.take("0103cc") == .dropped)
        #expect(try side.take("0184cc") == .dropped)
        #expect(side.failures == [.gap(expected: 1, found: 2)] && side.ended.map(\.frames) == [[1]])
    }

    @Test func `a first fragment with other octets starts anew`() throws {
        var side = Side()
        _ = try side.take("0100aa")
        #expect(try side.take("0100ab") == .incomplete)
        _ = try side.take("0181bb")
        #expect(side.failures == [.restarted] && side.whole == [[0xAB, 0xBB]])
    }

    @Test func `two seconds without the next fragment end a message`() throws {
        var side = Side()
        _ = try side.take("0100aa")
        side.time += 1_998_000_000
        #expect(try side.take("0101bb") == .incomplete)
        side.time += 2_000_000_000
        #expect(try side.take("0182cc") == .dropped)
        #expect(side.failures == [.timeout])
    }

    @Test func `a message has at most 128 fragments and 4,096 octets`() throws {
        var many = Side()
        for index in 0..<127 { #expect(try many.take("01" + Hex.text([UInt8(index)]) + "00") == .incomplete) }
        var full = many
        #expect(try many.take("017f00") == .failed)
        #expect(many.failures == [.tooManyFragments])
        #expect(try full.take("01ff00") != .failed)
        #expect(full.whole.first?.count == 128)
        var long = Side()
        let slice = String(repeating: "00", count: 512)
        for index in 0..<8 { #expect(try long.take("010\(index)" + slice) == .incomplete) }
        #expect(try long.take("018800") == .failed)
        #expect(long.failures == [.tooLong])
    }

    @Test func `what is kept is bounded`() throws {
        var random = SeededRandom(seed: 9)
        var limits = ReassemblyLimits()
        limits.timeout = .max
        var reassembler = Reassembler(limits: limits)
        let wide = FragmentFormat(
            header: HeaderFormat(
                [
                    HeaderField(.messageID, bits: 32), HeaderField(.last, bits: 1),
                    HeaderField(.index, bits: 7),
                ],
                order: .big))
        var ended: [Reassembler.Ended] = []
        for step in 0..<2_000 {
            let octets = random.octets(4) + [0, 1]
            let fragment = try #require(Fragment(octets, wide))
            _ = reassembler.accept(fragment, at: Int64(step), frame: UInt64(step), ended: &ended)
            #expect(reassembler.openCount <= Reassembler.maximumOpen)
        }
        #expect(ended.allSatisfy { $0.failure == .evicted } && ended.count == 2_000 - Reassembler.maximumOpen)
        #expect(reassembler.reset().count == Reassembler.maximumOpen)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `interleaved messages of any sizes, with repeats, all become whole`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var queues: [[[UInt8]]] = []
        var messages: [[UInt8]] = []
        for id in 0..<20 {
            let message = random.octets(Int.random(in: 0...300, using: &random))
            let room = Int.random(in: 5...60, using: &random)
            messages.append(message)
            queues.append(try #require(Self.format.cut(message, id: UInt64(id), valueOctets: room)))
        }
        var reassembler = Reassembler(limits: ReassemblyLimits())
        var ended: [Reassembler.Ended] = []
        var found: [UInt64: [UInt8]] = [:]
        var step: Int64 = 0
        while let index = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(using: &random) {
            let fragment = try #require(Fragment(queues[index].removeFirst(), Self.format))
            for _ in 0...(Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0) {
                step += 1
                let outcome = reassembler.accept(fragment, at: step, frame: UInt64(step), ended: &ended)
                if case .complete(let whole) = outcome { found[whole.messageID] = whole.octets }
            }
        }
        #expect(ended.isEmpty)
        for (id, message) in messages.enumerated() { #expect(found[UInt64(id)] == message) }
    }

    @Test func `a header packs bits and octets in either order`() {
        let header = HeaderFormat(
            [
                HeaderField(.index, bits: 4), HeaderField(.more, bits: 1),
                HeaderField(.reserved, bits: 3, constant: 5), HeaderField(.messageID, bits: 16),
            ], order: .little)
        var values = HeaderValues()
        values[.index] = 9
        values[.more] = 1
        values[.messageID] = 0x1234
        #expect(header.write(values) == [0x9D, 0x34, 0x12])
        let read = header.readPrefix([0x9D, 0x34, 0x12])
        #expect(read[.index] == 9 && read[.more] == 1 && read[.messageID] == 0x1234 && read.wrong.isEmpty)
        #expect(header.readPrefix([0x9C, 0x34, 0x12]).wrong.map(\.role) == [.reserved])
        #expect(header.readPrefix([0x9D, 0x34])[.messageID] == nil)
        let octets: [UInt8] = [0x9C, 0x34, 0x12]
        for role in HeaderRole.allCases {
            for count in 0...3 {
                let prefix = octets[..<count]
                let value = header.value(of: role, in: prefix.borrowedOctets)
                #expect(value == header.readPrefix(prefix)[role], "\(role) in \(count) bytes")
            }
        }
        #expect(header.wrongFields(in: octets.borrowedOctets).map(\.role) == [.reserved])
        let areWrong = [octets, [0x9D, 0x34, 0x12], []].map { header.hasWrongFields(in: $0.borrowedOctets) }
        #expect(areWrong == [true, false, false])
    }

    /// Fields that eight octets hold, that lie further on, that are cut by an octet's end or take more than
    /// 64 bits, and constants that fit, do not fit, or have more bits than their field.
    private static let fields: [[HeaderField]] = [
        [
            HeaderField(.magic, bits: 16, constant: 0x5551), HeaderField(.version, bits: 8, constant: 1),
            HeaderField(.kind, bits: 8), HeaderField(.command, bits: 16), HeaderField(.flags, bits: 8),
            HeaderField(.length, bits: 16),
        ],
        [
            HeaderField(.index, bits: 3), HeaderField(.last, bits: 1), HeaderField(.count, bits: 4),
            HeaderField(.messageID, bits: 64), HeaderField(.reserved, bits: 8, constant: 7),
        ],
        [
            HeaderField(.flags, bits: 4), HeaderField(.kind, bits: 8), HeaderField(.more, bits: 4),
            HeaderField(.messageID, bits: 72), HeaderField(.version, bits: 24),
        ],
        [
            HeaderField(.reserved, bits: 2, constant: 1), HeaderField(.last, bits: 6),
            HeaderField(.magic, bits: 8, constant: 0x101),
        ],
        [HeaderField(.count, bits: 32), HeaderField(.index, bits: 0), HeaderField(.kind, bits: 1)],
    ]

    @Test(arguments: [OctetOrder.big, .little])
    func `a field is the same read alone and with the others`(order: OctetOrder) {
        var random = SeededRandom(seed: 0x4EAD)
        for fields in Self.fields {
            var header = HeaderFormat(fields, order: order == .big ? .little : .big)
            header.order = order
            for _ in 0..<200 {
                var octets = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
                if Bool.random(using: &random) { octets.replaceSubrange(0..<3, with: [0x55, 0x51, 1]) }
                if Bool.random(using: &random) { octets[9] = 7 }
                let prefix = octets[..<Int.random(in: 0...20, using: &random)]
                let all = header.readPrefix(prefix)
                for role in HeaderRole.allCases {
                    #expect(
                        header.value(of: role, in: prefix.borrowedOctets) == all[role], "\(role) of \(prefix)"
                    )
                }
                #expect(header.hasWrongFields(in: prefix.borrowedOctets) == !all.wrong.isEmpty, "\(prefix)")
            }
        }
    }
}
