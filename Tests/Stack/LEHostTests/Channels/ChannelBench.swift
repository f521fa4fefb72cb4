import BluetoothCore
import Runtime
import WireBytes

@testable import LEHost

/// The channels of the two ends of a link, joined without one: what one sends, the other takes in order.
struct ChannelBench {
    var sides = [
        LinkChannels(LinkID(rawValue: 1), limit: 16), LinkChannels(LinkID(rawValue: 2), limit: 16),
    ]
    /// What a side lets the other open, whatever the service.
    var offers = [ChannelParameters(), ChannelParameters()]
    var events: [[ChannelEvent]] = [[], []]
    var now = Instant.zero
    /// The longest K-frame that each side has sent.
    var longestFrame = [0, 0]
    private var wire: [(to: Int, cid: UInt16?, octets: [UInt8])] = []

    /// Does what a side wants done.
    mutating func apply(_ outputs: [LinkChannels.Output], of side: Int) {
        for output in outputs {
            switch output {
            case .signal(let command): wire.append((1 - side, nil, command))
            case .event(let event): events[side].append(event)
            case .refused(let opening, let result):
                events[side].append(
                    .openFailed(LinkID(rawValue: 0), opening.token, .refused(result)))
            }
        }
    }

    /// Runs until nothing is under way.
    mutating func run() {
        repeat {
            while !wire.isEmpty {
                let (side, cid, octets) = wire.removeFirst()
                take(octets, cid, side)
            }
            for side in 0..<2 {
                guard let frame = sides[side].nextFrame(at: now) else { continue }
                longestFrame[side] = max(longestFrame[side], frame.payload.count)
                wire.append((1 - side, frame.cid, frame.payload))
                apply(sides[side].frameTaken(), of: side)
            }
        } while !wire.isEmpty
    }

    /// Hands a side something that the other did not send.
    mutating func take(_ octets: [UInt8], _ cid: UInt16?, _ side: Int) {
        if let cid { return apply(sides[side].receive(octets, on: cid, at: now) ?? [], of: side) }
        let code = L2CAPSignallingCode(rawValue: octets[0])
        let fields = L2CAPSignalFields(octets.borrowedOctets)
        if code == .leCreditBasedConnectionRequest {
            apply(sides[side].takeRequest(octets[1], fields, .success(offers[side])), of: side)
        } else {
            apply(sides[side].take(code, octets[1], fields, at: now), of: side)
        }
    }

    mutating func open(_ parameters: ChannelParameters, from side: Int = 0) {
        let opening = LinkChannels.Opening(
            spsm: 0x80, parameters: parameters, token: ChannelToken(rawValue: 1))
        apply(sides[side].open(opening, at: now), of: side)
        run()
    }

    mutating func takeEvents(_ side: Int) -> [ChannelEvent] {
        defer { events[side] = [] }
        return events[side]
    }

    func id(_ side: Int, _ number: UInt32 = 1) -> ChannelID {
        ChannelID(link: LinkID(rawValue: UInt32(side + 1)), number: number)
    }
}

extension SplitMix {
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
    /// Parameters as a peer may choose them, the smallest ones often.
    mutating func parameters() -> ChannelParameters {
        func size(_ random: inout SplitMix) -> UInt16 {
            UInt16([23, 24, 64, 247, 23 + random.below(500), 23 + random.below(3000)][random.below(6)])
        }
        return ChannelParameters(
            mtu: size(&self), mps: size(&self), credits: UInt16([1, 1, 2, 3, 1 + below(40)][below(5)]))
    }
}
