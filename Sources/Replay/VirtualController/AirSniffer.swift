public import BluetoothCore
import Crypto
public import Runtime
import WireBytes

/// The packets of an ``AirTrace`` in the order of their times, as a sniffer that follows every connection
/// hears them; it misses some.
///
/// It hears one primary advertising channel, and misses no connection request. Links use channel selection
/// algorithm 1 with all channels. A seed decides what is missed, and the halves of session keys.
///
/// Source: Core Specification, Vol 6, Part B, 2 to 4, and Part E, 2.
public struct AirSniffer: Sequence, IteratorProtocol, Sendable {
    /// A packet on the air.
    public struct Packet: Sendable {
        /// Time of its first bit.
        public var time: Instant
        /// Channel index, 0 to 39.
        public var channel: UInt8
        public var accessAddress: UInt32
        public var phy: LEPHY
        /// Header and payload, which is encrypted with a MIC where the link is.
        public var pdu: [UInt8]
        /// Initial value of the check sequence.
        public var crcInit: UInt32
        /// Whether the central sent a data PDU; nil for advertising.
        public var fromCentral: Bool?
        /// The counter of the connection event; nil for advertising.
        public var event: Int?
    }

    fileprivate struct Link: Sendable {
        let number: UInt32
        var interval: Int64
        /// Time of the next connection event.
        var time: Instant
        var event = 0
        var senders = (central: true, peripheral: true)
        var phys = [LEPHY.le1M, .le1M]
        /// The sides' next sequence numbers; each acknowledges by the one that it expects.
        var sequence: [UInt8] = [0, 0]
        /// The central's PDU without an answer, which it repeats, and its payload on the air.
        var repeated: (pdu: PDU, payload: [UInt8])?
        /// The sides' keys, and the halves of the key diversifier and of the initialization vector.
        var keys: [[UInt8]] = []
        var halves: [[UInt8]] = [[], []]
        /// The sides' session keys while the link is encrypted, and packet counters.
        var sessions: [[UInt8]]?
        var counters: [UInt64] = [0, 0]

        /// The access address: runs of at most three equal bits, and 22 changes between bits at most.
        var accessAddress: UInt32 {
            (0..<8).reduce(0x718E) { $0 << 2 | (number >> $1 & 1 == 0 ? 1 : 2) }
        }
        var crcInit: UInt32 { (0x12_3456 &+ number) & 0xFF_FFFF }
        var hop: UInt8 { 5 + UInt8(number % 12) }
        var channel: UInt8 { UInt8((event + 1) * Int(hop) % 37) }
    }

    private let entries: [AirTrace.Entry]
    private let end: Instant
    private var receiver: Receiver
    private var place = 0
    private var links: [Link] = []
    /// Time from which the advertising channel is free.
    private var advertisingTime = Instant.zero

    /// Creates a sniffer.
    ///
    /// - Parameters:
    ///   - end: the end of the capture, for links that are still open.
    ///   - lossPerMille: packets that it misses among a thousand, 0 to 1000.
    public init(_ trace: AirTrace, until end: Instant, seed: UInt64, lossPerMille: Int = 0) {
        entries = trace.entries
        self.end = Swift.min(end, trace.end ?? end)
        receiver = Receiver(lossPerMille: lossPerMille, random: SplitMix(state: seed))
    }

    public mutating func next() -> Packet? {
        while true {
            let entry = place < entries.count ? entries[place] : nil
            // Events without an entry come first.
            let idle = links.indices.min { links[$0].time < links[$1].time }
            let isIdle = idle.map { links[$0].time < entry?.time ?? end } ?? false
            let time = isIdle ? idle.map { links[$0].time } : entry?.time
            if let first = receiver.pending.first, time.map({ first.time <= $0 }) ?? true {
                return receiver.pending.removeFirst()
            }
            if let idle, isIdle {
                links[idle].play([], &receiver)
            } else if entry != nil {
                take()
            } else {
                return nil
            }
        }
    }

    /// Plays the next entry; all PDUs of one connection event together.
    private mutating func take() {
        let entry = entries[place]
        place += 1
        if case .advertising(let pdu) = entry.event { return advertise(pdu, at: entry.time) }
        if case .request(let central, let peripheral, let parameters, let anchor) = entry.event {
            let link = Link(number: entry.link, interval: parameters.intervalNanoseconds, time: anchor)
            links.append(link)
            let pdu = Self.request(link, central, peripheral, parameters)
            // Its transmit window has to begin before the first event.
            let latest = anchor.advanced(by: .microseconds(-Self.duration(pdu, .le1M) - 1250))
            return advertise(pdu, at: entry.time, until: latest)
        }
        guard let index = links.firstIndex(where: { $0.number == entry.link }) else { return }
        switch entry.event {
        case .advertising, .request: break
        case .sent(let first):
            var sent = [first]
            while place < entries.count, entries[place].link == entry.link, entries[place].time == entry.time
            {
                if case .sent(let pdu) = entries[place].event {
                    sent.append(pdu)
                } else if case .keys(let central, let peripheral) = entries[place].event {
                    links[index].keys = [central, peripheral]
                } else {
                    break
                }
                place += 1
            }
            links[index].play(sent, &receiver)
        case .unanswered(let pdu): links[index].play([pdu], isHeard: false, &receiver)
        case .senders(let central, let peripheral): links[index].senders = (central, peripheral)
        case .interval(let units): links[index].interval = Int64(units) * 1_250_000
        case .phys(let phys): links[index].phys = phys
        case .keys(let central, let peripheral): links[index].keys = [central, peripheral]
        case .end: links.remove(at: index)
        }
    }

    // MARK: Advertising

    /// CONNECT_IND.
    private static func request(
        _ link: Link, _ central: DeviceAddress, _ peripheral: DeviceAddress, _ parameters: LinkParameters
    ) -> [UInt8] {
        var payload = central.onAir + peripheral.onAir
        payload += link.accessAddress.littleOctets(4) + link.crcInit.littleOctets(3)
        // The transmit window has 1.25 ms and no offset.
        payload += [1, 0, 0]
        for value in [parameters.interval, parameters.latency, parameters.timeout] {
            payload += value.littleOctets(2)
        }
        payload += [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, link.hop]
        return [5 | central.randomBit << 6 | peripheral.randomBit << 7, UInt8(payload.count)] + payload
    }

    /// Sends an advertising PDU when the channel is free.
    ///
    /// - Parameter latest: the last time at which a connection request may begin; nil for other PDUs.
    private mutating func advertise(_ pdu: [UInt8], at time: Instant, until latest: Instant? = nil) {
        let free = Swift.max(time, advertisingTime)
        let begin = latest.map { Swift.min(free, $0) } ?? free
        let end = begin.advanced(by: .microseconds(Self.duration(pdu, .le1M) + 150))
        advertisingTime = Swift.max(advertisingTime, end)
        let packet = Packet(
            time: begin, channel: 37, accessAddress: 0x8E89_BED6, phy: .le1M, pdu: pdu, crcInit: 0x55_5555)
        receiver.hear(packet, isMissable: latest == nil)
    }

    /// The time that a packet takes, in microseconds.
    fileprivate static func duration(_ pdu: [UInt8], _ phy: LEPHY) -> Int {
        switch phy {
        case .le2M: 4 * (9 + pdu.count)
        // S=8: preamble, access address, indicator, two terminations; 64 µs for each byte.
        case .leCoded: 80 + 256 + 16 + 2 * 24 + 64 * (pdu.count + 3)
        default: 8 * (8 + pdu.count)
        }
    }
}

private typealias PDU = AirTrace.PDU

private struct Receiver: Sendable {
    let lossPerMille: Int
    var random: SplitMix
    /// Heard packets, by time.
    var pending: [AirSniffer.Packet] = []

    mutating func hear(_ packet: AirSniffer.Packet, isMissable: Bool = true) {
        if isMissable, lossPerMille > 0, random.next(below: 1000) < lossPerMille { return }
        let later = pending.lastIndex { $0.time <= packet.time }
        pending.insert(packet, at: later.map { $0 + 1 } ?? 0)
    }
}

extension AirSniffer.Link {
    /// Plays the next connection event.
    ///
    /// - Parameters:
    ///   - sent: the PDUs; those of the peripheral follow the control PDUs of the central that precede them.
    ///   - isHeard: whether the peripheral hears the central.
    mutating func play(_ sent: [PDU], isHeard: Bool = true, _ receiver: inout Receiver) {
        defer {
            event += 1
            time = time.advanced(by: .nanoseconds(interval))
        }
        guard senders.central else { return }
        let isHeard = isHeard && senders.peripheral
        let turns = Self.turns(sent, repeating: repeated?.pdu)
        var time = time
        for (place, turn) in turns.enumerated() {
            let rest = turns[(place + 1)...]
            let pdu = turn.central ?? .empty
            let payload = repeated?.payload ?? onAir(pdu, &receiver)
            repeated = isHeard ? nil : (pdu, payload)
            put(pdu, payload, at: &time, more: rest.contains { $0.central != nil }, &receiver)
            guard isHeard else { return }
            sequence[0] ^= 1
            let answer = turn.peripheral ?? PDU(fromCentral: false, llid: 1, payload: [])
            put(
                answer, onAir(answer, &receiver), at: &time, more: rest.contains { $0.peripheral != nil },
                &receiver)
            sequence[1] ^= 1
        }
    }

    /// Divides PDUs among the turns of a connection event.
    private static func turns(_ sent: [PDU], repeating first: PDU?) -> [(central: PDU?, peripheral: PDU?)] {
        var sent = sent
        if let first {
            if let place = sent.firstIndex(of: first) { sent.remove(at: place) }
            sent.insert(first, at: 0)
        }
        var turns: [(central: PDU?, peripheral: PDU?)] = []
        var answer = 0
        for pdu in sent {
            if pdu.fromCentral {
                turns.append((pdu, nil))
                if pdu.llid == PDU.control { answer = turns.count - 1 }
            } else {
                if answer == turns.count { turns.append((nil, nil)) }
                turns[answer].peripheral = pdu
                answer += 1
            }
        }
        return turns.isEmpty ? [(nil, nil)] : turns
    }

    /// Sends a PDU, and moves the time to the other side's next one.
    private func put(
        _ pdu: PDU, _ payload: [UInt8], at time: inout Instant, more: Bool, _ receiver: inout Receiver
    ) {
        let side = pdu.fromCentral ? 0 : 1
        let header = pdu.llid | sequence[1 - side] << 2 | sequence[side] << 3 | (more ? 0x10 : 0)
        let packet = AirSniffer.Packet(
            time: time, channel: channel, accessAddress: accessAddress, phy: phys[side],
            pdu: [header, UInt8(clamping: payload.count)] + payload, crcInit: crcInit,
            fromCentral: pdu.fromCentral, event: event)
        time = time.advanced(by: .microseconds(AirSniffer.duration(packet.pdu, packet.phy) + 150))
        receiver.hear(packet)
    }

    /// Returns the payload of a new PDU, encrypted where the link is.
    private mutating func onAir(_ pdu: PDU, _ receiver: inout Receiver) -> [UInt8] {
        guard !pdu.payload.isEmpty else { return [] }
        var payload = pdu.payload
        if pdu.llid == PDU.control { fill(&payload, &receiver) }
        let side = pdu.fromCentral ? 0 : 1
        if let sessions {
            var nonce = counters[side].littleOctets(5)
            if pdu.fromCentral { nonce[4] |= 0x80 }
            nonce += halves[0][8...] + halves[1][8...]
            counters[side] += 1
            let sealed = try? AESCCM.seal(
                key: sessions[side], nonce: nonce, additionalData: [pdu.llid], plaintext: payload,
                tagLength: 4)
            if let sealed { payload = sealed.ciphertext + sealed.tag }
        }
        if pdu.llid == PDU.control { switchEncryption(pdu) }
        return payload
    }

    /// Fills in the instant of a control PDU, or a side's half of the key diversifier and the vector.
    private mutating func fill(_ payload: inout [UInt8], _ receiver: inout Receiver) {
        switch LLControlOpcode(rawValue: payload[0]) {
        case .connectionUpdateIndication, .phyUpdateIndication:
            let instant = UInt16(truncatingIfNeeded: event + 6)
            payload.replaceSubrange((payload.count - 2)..., with: instant.littleOctets(2))
        case .encryptionRequest, .encryptionResponse:
            let half = (0..<12).map { _ in UInt8(truncatingIfNeeded: receiver.random.next()) }
            halves[payload[0] == LLControlOpcode.encryptionRequest.rawValue ? 0 : 1] = half
            payload.replaceSubrange((payload.count - 12)..., with: half)
        default: break
        }
    }

    /// Begins encryption after LL_START_ENC_REQ, and pauses it after the peripheral's LL_PAUSE_ENC_RSP.
    private mutating func switchEncryption(_ pdu: PDU) {
        switch LLControlOpcode(rawValue: pdu.payload[0]) {
        case .startEncryptionRequest:
            let diversifier = halves[0].prefix(8) + halves[1].prefix(8)
            sessions = keys.compactMap { key in
                try? AESBlockCipher(key: key.reversed()).encrypt(diversifier.reversed())
            }
            counters = [0, 0]
        case .pauseEncryptionResponse where !pdu.fromCentral: sessions = nil
        default: break
        }
    }
}
