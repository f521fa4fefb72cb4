import BluetoothCore
import Runtime
import Testing

@testable import LEHost

@Suite struct LinkChannelsTests {
    @Test func `random SDUs arrive whole and in order, whatever MTU, MPS and credits are`() {
        for seed in 0..<150 {
            var random = SplitMix(state: UInt64(seed))
            var bench = ChannelBench()
            bench.offers[1] = random.parameters()
            let own = random.parameters()
            bench.open(own)
            guard case .opened(let channel, _) = bench.takeEvents(0).first else {
                Issue.record("seed \(seed): not open")
                continue
            }
            _ = bench.takeEvents(1)
            var sent: [[[UInt8]]] = [[], []]
            var came: [[[UInt8]]] = [[], []]
            var unconsumed = [0, 0]
            let limits = [Int(bench.offers[1].mtu), Int(own.mtu)]
            for _ in 0..<60 {
                let side = random.below(2)
                if random.below(3) > 0, bench.sides[side].hasRoom(channel: 1) {
                    let sdu = random.octets(
                        [0, 1, limits[side], random.below(limits[side] + 1)][random.below(4)])
                    bench.apply(bench.sides[side].send(sdu, channel: 1), of: side)
                    sent[side].append(sdu)
                } else if unconsumed[side] > 0 {
                    let count = 1 + random.below(unconsumed[side])
                    unconsumed[side] -= count
                    bench.apply(bench.sides[side].consumed(count, channel: 1), of: side)
                }
                bench.run()
                take(&bench, &came, &unconsumed, seed)
            }
            // Whoever consumes gets all.
            for _ in 0..<20 {
                for side in 0..<2 {
                    bench.apply(bench.sides[side].consumed(unconsumed[side], channel: 1), of: side)
                    unconsumed[side] = 0
                }
                bench.run()
                take(&bench, &came, &unconsumed, seed)
            }
            #expect(came[1] == sent[0] && came[0] == sent[1], "seed \(seed)")
            #expect(bench.longestFrame[0] <= Int(channel.peerMPS), "seed \(seed)")
            #expect(bench.longestFrame[1] <= Int(own.mps), "seed \(seed)")
        }
    }

    private func take(
        _ bench: inout ChannelBench, _ came: inout [[[UInt8]]], _ unconsumed: inout [Int], _ seed: Int
    ) {
        for side in 0..<2 {
            for event in bench.takeEvents(side) where event != .ready(bench.id(side)) {
                guard case .received(bench.id(side), let sdu) = event else {
                    Issue.record("seed \(seed): \(event)")
                    continue
                }
                came[side].append(sdu)
                unconsumed[side] += 1
            }
        }
    }

    @Test func `a peer whose application reads nothing is sent no more than its credits allow`() {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 100, mps: 50, credits: 4)
        bench.open(ChannelParameters())
        _ = bench.takeEvents(0)
        var dropped = 0
        for _ in 0..<20 {
            bench.apply(bench.sides[0].send([UInt8](repeating: 1, count: 100), channel: 1), of: 0)
            bench.run()
            dropped += bench.takeEvents(0).count { $0 == .dropped(bench.id(0)) }
        }
        // Three K-frames for each SDU: of the second, only its first is replaced while it is under way.
        let got = bench.takeEvents(1).count { if case .received = $0 { true } else { false } }
        #expect(got == 2 && dropped == 20 - got - CreditBasedChannel.sduLimit)
        #expect(!bench.sides[0].hasRoom(channel: 1))
        bench.apply(bench.sides[1].consumed(2, channel: 1), of: 1)
        bench.run()
        #expect(bench.takeEvents(0) == [.ready(bench.id(0))])
    }

    @Test func `an SDU of many K-frames comes over a channel of one credit`() {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 65535, mps: 23, credits: 1)
        bench.open(ChannelParameters())
        let sdu = (0..<65535).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        bench.apply(bench.sides[0].send(sdu, channel: 1), of: 0)
        bench.run()
        #expect(bench.takeEvents(1).last == .received(bench.id(1), sdu))
    }

    @Test func `SDUs on two channels go in turn, and each arrives whole on its own`() {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 300, mps: 23, credits: 40)
        for _ in 0..<2 { bench.open(ChannelParameters()) }
        bench.events = [[], []]
        let sdus = [[UInt8](repeating: 1, count: 200), [UInt8](repeating: 2, count: 200)]
        for (index, sdu) in sdus.enumerated() {
            bench.apply(bench.sides[0].send(sdu, channel: UInt32(index + 1)), of: 0)
        }
        var order: [UInt16] = []
        while let frame = bench.sides[0].nextFrame(at: bench.now) {
            order.append(frame.cid)
            bench.take(frame.payload, frame.cid, 1)
        }
        // 2 bytes of length and 200 of data in K-frames of 23.
        #expect(order == (0..<9).flatMap { _ in [0x40, 0x41] })
        #expect(
            bench.takeEvents(1) == [
                .received(bench.id(1, 1), sdus[0]), .received(bench.id(1, 2), sdus[1]),
            ])
    }

    @Test func `a peer may fill a K-frame to the MPS without the SDU's length`() {
        let mps = 30
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 100, mps: UInt16(mps), credits: 20)
        bench.open(ChannelParameters())
        bench.events = [[], []]
        for length in [mps, mps - 1, mps + 1, 2 * mps, 2 * mps + 1, 100] {
            let sdu = (0..<length).map { UInt8($0) }
            for start in stride(from: 0, to: length, by: mps) {
                let part = Array(sdu[start..<min(length, start + mps)])
                bench.take((start == 0 ? [UInt8(length), 0] : []) + part, 0x40, 1)
            }
            #expect(bench.takeEvents(1) == [.received(bench.id(1), sdu)], "\(length)")
        }
    }

    @Test func `what was accepted is sent before a channel closes, and each side hears of the end once`() {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 100, mps: 23, credits: 2)
        bench.open(ChannelParameters())
        bench.events = [[], []]
        let sdu = [UInt8](repeating: 9, count: 100)
        bench.apply(bench.sides[0].send(sdu, channel: 1), of: 0)
        bench.apply(bench.sides[0].close(channel: 1, at: bench.now), of: 0)
        bench.apply(bench.sides[0].close(channel: 1, at: bench.now), of: 0)
        bench.apply(bench.sides[0].send(sdu, channel: 1), of: 0)
        bench.run()
        #expect(bench.takeEvents(0) == [.dropped(bench.id(0)), .closed(bench.id(0), .closed)])
        #expect(
            bench.takeEvents(1) == [.received(bench.id(1), sdu), .closed(bench.id(1), .closedByPeer)])
        #expect(bench.sides.allSatisfy { $0.isEmpty && $0.deadline == nil })
    }

    @Test func `closing ends after ten seconds where the peer gives no credits and no answer`() {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 100, mps: 23, credits: 1)
        bench.open(ChannelParameters())
        bench.events = [[], []]
        for _ in 0..<4 { bench.apply(bench.sides[0].send([1], channel: 1), of: 0) }
        bench.run()
        var quiet = bench.sides[0]
        #expect(quiet.close(channel: 1, at: .zero).isEmpty)
        let late = Instant.zero.advanced(by: .seconds(10))
        #expect(quiet.deadline == late)
        let outputs = quiet.timeReached(late)
        #expect(outputs.contains(.event(.closed(bench.id(0), .closed))) && outputs.count == 2)
        #expect(quiet.timeReached(late.advanced(by: .seconds(10))).isEmpty)
        #expect(quiet.isEmpty && quiet.deadline == nil)
    }

    @Test func `both sides closing at once end each channel once`() {
        var bench = ChannelBench()
        bench.open(ChannelParameters())
        bench.events = [[], []]
        for side in 0..<2 { bench.apply(bench.sides[side].close(channel: 1, at: .zero), of: side) }
        bench.run()
        for side in 0..<2 { #expect(bench.takeEvents(side) == [.closed(bench.id(side), .closed)]) }
        #expect(bench.sides[0].isEmpty && bench.sides[1].isEmpty)
    }

    @Test func `channels are given out up to the limit on each side, and again when some are closed`() {
        var bench = ChannelBench()
        for _ in 0..<20 { bench.open(ChannelParameters()) }
        let failures = bench.takeEvents(0).filter { if case .openFailed = $0 { true } else { false } }
        #expect(
            failures
                == [ChannelEvent](
                    repeating: .openFailed(LinkID(rawValue: 1), ChannelToken(rawValue: 1), .noResources),
                    count: 4))
        bench.apply(bench.sides[1].close(channel: 3, at: .zero), of: 1)
        bench.run()
        bench.events = [[], []]
        bench.open(ChannelParameters(), from: 1)
        guard case .opened(let channel, nil) = bench.takeEvents(0).first else {
            Issue.record("not open")
            return
        }
        #expect(channel.cid.rawValue == 0x42 && channel.id.number == 17 && !channel.isInitiator)
    }

    /// What no peer may send, after 23 bytes of MTU and MPS, and two credits.
    static let violations: [(ChannelViolation, [[UInt8]])] = [
        (.noCredit, [[1, 0, 9], [1, 0, 9], [1, 0, 9]]),
        (.frameTooLong, [[23, 0] + [UInt8](repeating: 0, count: 24)]),
        (.frameTooLong, [[23, 0, 1], [UInt8](repeating: 0, count: 24)]),
        (.sduTooLong, [[24, 0, 1]]),
        (.sduOverrun, [[2, 0, 1, 2, 3]]),
        (.sduOverrun, [[3, 0, 1, 2], [3, 4]]),
        (.sduOverrun, [[0, 0, 1]]),
        (.missingLength, [[1]]),
        (.missingLength, [[]]),
    ]

    @Test(arguments: violations)
    func `a peer that breaks the rules of a channel loses it`(
        violation: ChannelViolation, frames: [[UInt8]]
    ) throws {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(mtu: 23, mps: 23, credits: 2)
        bench.open(ChannelParameters())
        bench.events = [[], []]
        for frame in frames { bench.take(frame, 0x40, 1) }
        #expect(bench.takeEvents(1).last == .closed(bench.id(1), .violation(violation)))
        // What comes until the peer has taken it in is dropped.
        bench.take([1, 0, 9], 0x40, 1)
        #expect(bench.takeEvents(1).isEmpty)
        bench.run()
        #expect(bench.takeEvents(0) == [.closed(bench.id(0), .closedByPeer)])
        #expect(bench.sides[0].isEmpty && bench.sides[1].isEmpty)
    }

    @Test func `credits beyond 65535 end a channel, and no credits are no command`() {
        var bench = ChannelBench()
        bench.offers[1] = ChannelParameters(credits: 65535)
        bench.open(ChannelParameters())
        bench.events = [[], []]
        bench.take(octets("16 09 0400 4000 0000"), nil, 0)
        bench.take(octets("16 09 0400 4100 FFFF"), nil, 0)
        bench.run()
        #expect(bench.events == [[], []])
        bench.take(octets("16 09 0400 4000 0100"), nil, 0)
        bench.run()
        #expect(bench.takeEvents(0) == [.closed(bench.id(0), .violation(.creditOverflow))])
        #expect(bench.takeEvents(1) == [.closed(bench.id(1), .closedByPeer)])
    }

    @Test func `hostile signalling and frames never break it, and leave no more than the limit`() {
        for seed in 0..<60 {
            var random = SplitMix(state: UInt64(seed) ^ 0xC0C)
            var bench = ChannelBench()
            for _ in 0..<300 {
                let side = random.below(2)
                let codes: [UInt8] = [0x01, 0x06, 0x07, 0x14, 0x14, 0x15, 0x16]
                var fields = L2CAPSignalFields()
                func cid() -> UInt16 { [0, 0x3F, 0x80, UInt16(0x40 + random.below(6))][random.below(4)] }
                fields.sourceCIDs = [cid()]
                fields.destinationCIDs = [cid()]
                fields.mtu = UInt16(random.below(4) == 0 ? 22 : 23 + random.below(100))
                fields.mps = UInt16(random.below(4) == 0 ? 22 : 23 + random.below(100))
                fields.credits = UInt16(truncatingIfNeeded: random.next())
                fields.result = UInt16(random.below(3) == 0 ? random.below(12) : 0)
                let code = codes[random.below(codes.count)]
                switch random.below(6) {
                case 0:
                    let opening = LinkChannels.Opening(
                        spsm: 0x80, parameters: random.parameters(), token: ChannelToken(rawValue: 1))
                    bench.apply(bench.sides[side].open(opening, at: bench.now), of: side)
                case 1: bench.take(random.octets(random.below(60)), cid(), side)
                case 2:
                    bench.now = bench.now.advanced(by: .seconds(random.below(8)))
                    bench.apply(bench.sides[side].timeReached(bench.now), of: side)
                case 3: bench.run()
                default:
                    bench.take(
                        fields.command(
                            L2CAPSignallingCode(rawValue: code), identifier: UInt8(1 + random.below(9))),
                        nil, side)
                }
            }
            check(&bench, seed)
        }
    }

    // Each opening has ended once, each channel that opened has closed once.
    private func check(_ bench: inout ChannelBench, _ seed: Int) {
        for side in 0..<2 { bench.apply(bench.sides[side].linkEnded(), of: side) }
        for side in 0..<2 {
            var open: Set<ChannelID> = []
            for event in bench.takeEvents(side) {
                switch event {
                case .opened(let channel, _): #expect(open.insert(channel.id).inserted, "seed \(seed)")
                case .closed(let id, _): #expect(open.remove(id) != nil, "seed \(seed)")
                case .received(let id, _): #expect(open.contains(id), "seed \(seed)")
                case .openFailed, .ready, .dropped: break
                }
                #expect(open.count <= 16, "seed \(seed)")
            }
            #expect(open.isEmpty && bench.sides[side].deadline == nil, "seed \(seed)")
        }
    }
}
