import CaptureFile
import Crypto
import LinkLayer
import TestSupport
import Testing
import WireBytes

/// What became of the PDUs of a stranger's capture from the air.
private struct HeardCapture {
    var opened = 0
    var closed: [LinkSecurity.Reason: Int] = [:]
    var origins: Set<LinkKeys.Origin> = []
    /// Well-formed L2CAP starts and control PDUs among the opened.
    var plausible = 0
    private var links: [UInt16: Link] = [:]

    /// A connection, and its Security Manager PDU that is not yet whole, by sender.
    private struct Link {
        var security: LinkSecurity
        var parts: [Bool: [UInt8]] = [:]
        var pending: Set<Bool> = []
    }

    init(_ name: String, keys: inout LinkKeys) throws {
        var reader = try CaptureReader(path: Corpus.path(name))
        var follower = AirFollower()
        var count = 0
        while let record = try reader.next() {
            follower.follow(record)
            count += 1
            let account = follower.last
            guard let place = account.connection, let fromCentral = account.fromCentral,
                !account.isRetransmission, account.packet.integrity != .invalid, account.packet.length > 0,
                !account.packet.isCut, account.packet.llid != 0
            else { continue }
            let connection = follower.connections[place]
            var link =
                links[connection.handle]
                ?? Link(
                    security: LinkSecurity(central: connection.central, peripheral: connection.peripheral))
            let payload = record.octets.clamped(account.packet.payload)
            let before = closed.values.reduce(0, +)
            hear(account.packet.header, payload, fromCentral, !account.senderIsInferred, &link, &keys)
            if closed.values.reduce(0, +) != before {
                print(name.prefix(20), count, account.packet.header, account.packet.length, closed)
            }
            links[connection.handle] = link
        }
        for link in links.values {
            for _ in link.pending { closed[.gap, default: 0] += 1 }
            if let origin = link.security.keyOrigin { origins.insert(origin) }
        }
    }

    private mutating func hear(
        _ header: UInt8, _ payload: RawSpan, _ inferred: Bool, _ senderIsCertain: Bool, _ link: inout Link,
        _ keys: inout LinkKeys
    ) {
        var fromCentral = inferred
        if link.pending.remove(fromCentral) != nil { closed[.gap, default: 0] += 1 }
        let result = link.security.open(
            header: header, payload: payload, fromCentral: fromCentral, senderIsCertain: senderIsCertain,
            keys: &keys)
        if result != .clear { fromCentral = link.security.openedFromCentral }
        var plaintexts: [[UInt8]] = []
        switch result {
        case .clear: take(payload.copied(), header, fromCentral, senderIsCertain, &link, &keys)
        case .opened(let plaintext): plaintexts = [plaintext]
        case .confirmed(let pending, let plaintext):
            closed[.gap, default: 0] -= 1
            plaintexts = [pending, plaintext]
        case .pending: link.pending.insert(fromCentral)
        case .closed(let reason): closed[reason, default: 0] += 1
        }
        for plaintext in plaintexts {
            opened += 1
            if header & 3 == 3 ? plaintext[0] < 0x2A : header & 3 == 1 || plaintext[3] == 0 { plausible += 1 }
            take(plaintext, header, fromCentral, true, &link, &keys)
        }
    }

    private func take(
        _ plaintext: [UInt8], _ header: UInt8, _ fromCentral: Bool, _ senderIsCertain: Bool,
        _ link: inout Link, _ keys: inout LinkKeys
    ) {
        guard header & 3 != 3 else {
            link.security.receive(control: plaintext.borrowedOctets)
            return
        }
        let whole = header & 3 == 2 ? plaintext : link.parts[fromCentral, default: []] + plaintext
        link.parts[fromCentral] = whole.count > 512 ? [] : whole
        if whole.count > 4, Int(whole[0]) + 4 == whole.count, whole[1...3] == [0, 6, 0] {
            link.security.receive(
                pairing: Array(whole[4...]), fromCentral: fromCentral, senderIsCertain: senderIsCertain,
                keys: &keys)
        }
    }
}

@Suite(.serialized) struct EncryptedCorpusTests {
    /// Captures whose pairing or key opens them: the key, if one is needed, and what it is the key of.
    private static let captures: [(name: String, key: String?)] = [
        ("legacy-just-works.pcap", nil), ("legacy-just-works-latency-10.pcap", nil),
        ("legacy-passkey-123456-initiator-inputs.pcap", nil),
        ("legacy-passkey-393699-responder-inputs.pcap", nil),
    ]

    @Test(.corpus) func show() throws {
        for path in Corpus.files {
            let name = String(path.split(separator: "/").last ?? "")
            var keys = LinkKeys()
            for text in [
                "0f241772ac270cafee654186f0a65d5f", "063f1154bc631d186d48a05b7f5dcd8f",
                "9a7163d4c92d91b5c3ba0ebfb4d1b8a2", "064188355d35d1b9c29f31b5f3fd9480",
                "bd27012e93c195f13b8f176fe84a2ded", "7f62c053f104a5bbe68b1d896a2ed49c",
            ] {
                if name.contains(text) || name.contains("known-ltk") {
                    try keys.add(longTermKey: SecretKey(try Hex.octets(text)))
                }
            }
            if name.contains("oob-tk") {
                try keys.add(
                    temporaryKey: SecretKey(try Hex.octets("5e882417a987222423a1a9ec719aed27").reversed()))
            }
            guard let heard = try? HeardCapture(name, keys: &keys) else { continue }
            if heard.opened > 0 || !heard.closed.isEmpty {
                print(
                    name, heard.opened, heard.plausible, heard.closed, heard.origins, keys.learned.map(\.kind)
                )
            }
        }
    }
}
