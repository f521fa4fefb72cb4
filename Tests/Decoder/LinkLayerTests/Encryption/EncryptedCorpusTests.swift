import CaptureFile
import Crypto
import LinkLayer
import TestSupport
import Testing
import WireBytes

/// What became of the encrypted PDUs of a stranger's capture from the air.
private struct HeardCapture {
    var opened = 0
    /// Well-formed ones among the opened.
    var plausible = 0
    var closed: [LinkSecurity.Reason: Int] = [:]

    init(_ name: String, _ keys: LinkKeys) throws {
        var reader = try CaptureReader(path: Corpus.path(name))
        var follower = AirFollower(keys: keys)
        while let record = try reader.next() {
            follower.follow(record)
            if let reason = follower.last.closed { closed[reason, default: 0] += 1 }
            guard let plaintext = follower.last.opened else { continue }
            opened += 1
            let isPlausible =
                switch follower.last.packet.llid {
                case 3: plaintext[0] < 0x2A
                case 2: plaintext.count > 3 && plaintext[3] == 0
                default: true
                }
            if isPlausible { plausible += 1 }
        }
    }
}

/// Captures that open completely or say what is missing.
struct EncryptedCorpusTests {
    /// A capture, the key that its name or its manifest gives, and the share that opens.
    private struct Capture: CustomStringConvertible, Sendable {
        var name: String
        var longTermKey: String?
        var temporaryKey: String?
        var opened: Int
        var closed: [LinkSecurity.Reason: Int] = [:]

        var description: String { name }
    }

    private static let captures: [Capture] = [
        Capture(
            name: "aux-connect-ltk-9a7163d4c92d91b5c3ba0ebfb4d1b8a2.pcap",
            longTermKey: "9a7163d4c92d91b5c3ba0ebfb4d1b8a2", opened: 201),
        Capture(
            name: "bonded-reconnect-ltk-063f1154bc631d186d48a05b7f5dcd8f.pcap",
            longTermKey: "063f1154bc631d186d48a05b7f5dcd8f", opened: 85),
        Capture(
            name: "bonding-three-connections-ltk-0f241772ac270cafee654186f0a65d5f.pcap", opened: 110),
        Capture(name: "legacy-just-works-latency-10.pcap", opened: 39),
        Capture(name: "legacy-just-works.pcap", opened: 13),
        Capture(
            name: "legacy-oob-tk-5e882417a987222423a1a9ec719aed27.pcap", opened: 0,
            closed: [.noTemporaryKey: 13]),
        Capture(
            name: "legacy-oob-tk-5e882417a987222423a1a9ec719aed27.pcap",
            temporaryKey: "5e882417a987222423a1a9ec719aed27", opened: 13),
        Capture(name: "legacy-passkey-123456-initiator-inputs.pcap", opened: 13),
        Capture(name: "legacy-passkey-393699-responder-inputs.pcap", opened: 13),
        Capture(
            name: "lesc-just-works-33min-ltk-064188355d35d1b9c29f31b5f3fd9480.pcapng",
            longTermKey: "064188355d35d1b9c29f31b5f3fd9480", opened: 3650),
        Capture(
            name: "lesc-just-works-fragments-ltk-bd27012e93c195f13b8f176fe84a2ded.pcap",
            longTermKey: "bd27012e93c195f13b8f176fe84a2ded", opened: 11),
        Capture(name: "lesc-just-works-latency-10.pcap", opened: 35),
        Capture(name: "lesc-just-works.pcap", opened: 9),
        Capture(name: "lesc-numeric-comparison-380717.pcap", opened: 9),
        Capture(name: "lesc-oob.pcap", opened: 9),
        Capture(name: "lesc-passkey-725522-responder-inputs.pcap", opened: 9),
        Capture(
            name: "nrf-lesc-just-works.pcapng", opened: 0, closed: [.noPrivateKey: 18]),
        Capture(
            name: "ubertooth-ppi-known-ltk.pcap", longTermKey: "7f62c053f104a5bbe68b1d896a2ed49c",
            opened: 7, closed: [.wrongMIC: 1]),
        Capture(name: "ubertooth-ppi-legacy-pairing.pcap", opened: 3),
        Capture(name: "ubertooth-ppi-missing-confirms.pcap", opened: 3),
        Capture(name: "ubertooth-ppi-passkey-461140.pcap", opened: 56),
    ]

    @Test(.corpus, arguments: captures)
    private func `a capture opens with the keys that there are`(_ capture: Capture) throws {
        var keys = LinkKeys()
        if let key = capture.longTermKey { try keys.add(longTermKey: SecretKey(try Hex.octets(key))) }
        if let key = capture.temporaryKey { try keys.add(temporaryKey: SecretKey(try Hex.octets(key))) }
        let heard = try HeardCapture(capture.name, keys)
        #expect(heard.opened == capture.opened)
        #expect(heard.plausible == heard.opened)
        #expect(heard.closed == capture.closed)
    }
}
