import BluetoothCore
import Crypto
import Runtime
import Testing

@testable import LEHost

/// Channels of a host, as they look on the air. Handle 0x40, no more than 27 octets in a packet.
@Suite struct HostChannelTests {
    static func harness(
        _ listener: ChannelListener? = nil, _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) -> (HostHarness, LinkID) {
        var harness = HostHarness(configure)
        harness.bringUp(packets: 60)
        if let listener { harness.put(.channel(.listen(listener))) }
        let link = harness.connect()
        return (harness, link)
    }

    static let small = ChannelParameters(mtu: 64, mps: 23, credits: 3)

    /// Signalling that the host has sent, header first.
    static func signals(_ harness: inout HostHarness) -> [String] {
        harness.takeSent().filter { $0.type == .acl && $0.octets[6] == 5 }.map { hex(Array($0.octets[8...])) }
    }

    @Test func `a long outgoing K-frame does not count as a flood by the peer`() {
        let long = ChannelParameters(mtu: 65_535, mps: 65_533, credits: 3)
        var (harness, link) = Self.harness(ChannelListener(spsm: 0x80, parameters: long))
        harness.data(0x40, .leSignalling, "14 07 0A00 8000 4500 FFFF FDFF 0100")
        harness.put(
            .channel(.send([UInt8](repeating: 7, count: 9000), on: ChannelID(link: link, number: 1))))
        harness.sent = []
        harness.data(0x40, .attribute, "0A 0100")
        #expect(!harness.sentOpcodes().contains(HCIDisconnect.opcode) && harness.host.isOpen(link))
    }

    @Test func `a peer opens a channel, sends, is given credits as its SDUs are consumed, and closes`() {
        var (harness, link) = Self.harness(ChannelListener(spsm: 0x80, parameters: Self.small))
        harness.data(0x40, .leSignalling, "14 07 0A00 8000 4500 2000 1800 0100")
        #expect(Self.signals(&harness) == [hex(octets("15 07 0A00 4000 4000 1700 0300 0000"))])
        let id = ChannelID(link: link, number: 1)
        #expect(
            harness.takeEvents() == [
                .channel(
                    .opened(
                        L2CAPChannel(
                            id: id, spsm: 0x80, isInitiator: false, cid: L2CAPChannelID(rawValue: 0x40),
                            peerCID: L2CAPChannelID(rawValue: 0x45), peerMTU: 32, peerMPS: 24), nil))
            ])
        for sdu in ["0100 AA", "0000", "0100 BB"] {
            harness.data(0x40, L2CAPChannelID(rawValue: 0x40), sdu)
        }
        #expect(
            harness.takeEvents() == [
                .channel(.received(id, [0xAA])), .channel(.received(id, [])), .channel(.received(id, [0xBB])),
            ])
        #expect(harness.sent.isEmpty)
        harness.put(.channel(.consumed(2, on: id)))
        #expect(Self.signals(&harness) == [hex(octets("16 01 0400 4000 0200"))])

        // An SDU of two K-frames: the peer's one credit lets the first go, in one packet.
        harness.put(.channel(.send([UInt8](repeating: 7, count: 23), on: id)))
        harness.expect([
            octets("4000 1B00 1800 4500 1700") + [UInt8](repeating: 7, count: 21), octets("4010 0100 07"),
        ])
        harness.data(0x40, .leSignalling, "16 08 0400 4500 0100")
        harness.expect([octets("4000 0500 0100 4500 07")])
        // One that is longer than the peer takes is not sent.
        harness.put(.channel(.send([UInt8](repeating: 7, count: 33), on: id)))
        #expect(harness.takeEvents() == [.channel(.dropped(id))] && harness.sent.isEmpty)

        harness.data(0x40, .leSignalling, "06 09 0400 4000 4500")
        #expect(Self.signals(&harness) == [hex(octets("07 09 0400 4000 4500"))])
        #expect(harness.takeEvents() == [.channel(.closed(id, .closedByPeer))])
        harness.data(0x40, L2CAPChannelID(rawValue: 0x40), "0100 AA")
        #expect(
            harness.takeEvents() == [.problem(.unknownChannel(link, L2CAPChannelID(rawValue: 0x40)))])
    }

    /// Requests that are refused, and the result.
    static let refused: [(String, UInt16)] = [
        ("14 07 0A00 8100 4500 2000 1800 0100", 0x02), ("14 07 0A00 0000 4500 2000 1800 0100", 0x02),
        ("14 07 0A00 8000 3F00 2000 1800 0100", 0x09), ("14 07 0A00 8000 8000 2000 1800 0100", 0x09),
        ("14 07 0A00 8000 4600 2000 1800 0100", 0x0A), ("14 07 0A00 8000 4500 1600 1800 0100", 0x0B),
        ("14 07 0A00 8000 4500 2000 1600 0100", 0x0B), ("14 07 0A00 8000 4500 2000 FEFF 0100", 0x0B),
        ("14 07 0A00 9000 4500 2000 1800 0100", 0x05), ("14 07 0A00 9100 4500 2000 1800 0100", 0x06),
    ]

    @Test(arguments: refused)
    func `a request that can't be granted is refused, and why`(request: String, result: UInt16) {
        var (harness, _) = Self.harness(ChannelListener(spsm: 0x80))
        var secure = ChannelListener(spsm: 0x90)
        secure.needsEncryption = true
        harness.put(.channel(.listen(secure)))
        var elsewhere = ChannelListener(spsm: 0x91)
        elsewhere.peers = [DeviceAddress(7, .public)]
        harness.put(.channel(.listen(elsewhere)))
        harness.data(0x40, .leSignalling, "14 06 0A00 8000 4600 2000 1800 0100")
        _ = Self.signals(&harness)
        _ = harness.takeEvents()
        harness.data(0x40, .leSignalling, request)
        #expect(
            Self.signals(&harness)
                == [hex(octets("15 07 0A00 0000 0000 0000 0000") + [UInt8(result), 0])])
        #expect(harness.takeEvents().isEmpty)
    }

    @Test func `a host that has as many channels as it may refuses another one`() {
        var (harness, _) = Self.harness(ChannelListener(spsm: 0x80)) { $0.channelLimit = 1 }
        harness.data(0x40, .leSignalling, "14 06 0A00 8000 4500 2000 1800 0100")
        harness.data(0x40, .leSignalling, "14 07 0A00 8000 4600 2000 1800 0100")
        #expect(Self.signals(&harness).last == hex(octets("15 07 0A00 0000 0000 0000 0000 0400")))
    }

    @Test(arguments: [2, 5, 9])
    func `commands and K-frames that come in pieces are put together`(limit: Int) {
        var (harness, link) = Self.harness(ChannelListener(spsm: 0x80, parameters: Self.small))
        harness.data(0x40, .leSignalling, "14 07 0A00 8000 4500 2000 1800 0100", pieces: limit)
        #expect(Self.signals(&harness) == [hex(octets("15 07 0A00 4000 4000 1700 0300 0000"))])
        _ = harness.takeEvents()
        let channel = L2CAPChannelID(rawValue: 0x40)
        harness.data(0x40, channel, "1400" + String(repeating: "AB", count: 10), pieces: limit)
        harness.data(0x40, channel, String(repeating: "CD", count: 10), pieces: limit)
        let sdu = [UInt8](repeating: 0xAB, count: 10) + [UInt8](repeating: 0xCD, count: 10)
        #expect(harness.takeEvents() == [.channel(.received(ChannelID(link: link, number: 1), sdu))])
    }

    @Test func `what a service demands of a link is refused by its own result`() {
        var listener = ChannelListener(spsm: 0x80)
        listener.needsAuthentication = true
        listener.minimumKeySize = 16
        var weak = Bond(peer: HostHarness.car)
        weak.asCentral = LongTermKey(SecretKey([UInt8](repeating: 1, count: 16)))
        var security = LinkSecurity()
        var results: [UInt8] = []
        for (isEncrypted, isAuthenticated, size) in [
            (false, false, UInt8(0)), (true, false, 16), (true, true, 7), (true, true, 16),
        ] {
            (security.isEncrypted, security.isAuthenticated, security.keySize) = (
                isEncrypted, isAuthenticated, size
            )
            weak.security = security
            let bonds = [weak]
            var harness = HostHarness { $0.bonds = bonds }
            harness.bringUp(packets: 60)
            harness.put(.channel(.listen(listener)))
            harness.put(.connect(HostHarness.car))
            harness.status(LECreateConnection.opcode)
            harness.connected()
            if isEncrypted {
                harness.status(LEEnableEncryption.opcode)
                harness.event(octets("08 04 00 4000 01"))
            }
            _ = harness.takeSent()
            harness.data(0x40, .leSignalling, "14 07 0A00 8000 4500 2000 1800 0100")
            results.append(harness.takeSent().last?.octets[20] ?? 0xFF)
        }
        #expect(results == [0x08, 0x05, 0x07, 0x00])
    }

    @Test func `enhanced requests, and requests that make no sense, are rejected`() {
        var (harness, link) = Self.harness(ChannelListener(spsm: 0x80))
        harness.data(0x40, .leSignalling, "17 07 0A00 8000 4000 4000 0100 4500")
        harness.data(0x40, .leSignalling, "19 07 0600 4000 4000 4500")
        harness.data(0x40, .leSignalling, "14 07 0800 8000 4500 2000 1800")
        harness.data(0x40, .leSignalling, "06 07 0400 4000 4500")
        #expect(
            Self.signals(&harness)
                == [
                    "01 07 0200 0000", "01 07 0200 0000", "01 07 0200 0000", "01 07 0600 0200 4000 4500",
                ].map { hex(octets($0)) })
        _ = harness.takeEvents()
        // Neither the identifier 0, nor another end, nor an answer to nothing is answered.
        harness.data(0x40, .leSignalling, "14 06 0A00 8000 4500 2000 1800 0100")
        _ = (Self.signals(&harness), harness.takeEvents())
        for odd in [
            "14 00 0A00 8000 4600 2000 1800 0100", "06 07 0400 4000 4600", "07 07 0400 4500 4000",
            "15 07 0A00 4000 4000 1700 0300 0000", "16 07 0400 7700 0100", "01 07 0200 0000",
        ] { harness.data(0x40, .leSignalling, odd) }
        #expect(harness.sent.isEmpty && harness.takeEvents().isEmpty)
        harness.put(.disconnect(link))
        harness.status(HCIDisconnect.opcode)
        harness.event(octets("05 04 00 4000 16"))
        #expect(
            harness.takeEvents().first
                == .channel(.closed(ChannelID(link: link, number: 1), .disconnected)))
    }

    static let token = ChannelToken(rawValue: 5)

    static func opening(_ harness: inout HostHarness, _ link: LinkID) {
        harness.put(.channel(.open(spsm: 0x25, small, token, on: link)))
        #expect(signals(&harness) == [hex(octets("14 01 0A00 2500 4000 4000 1700 0300"))])
    }

    @Test func `a channel that the peer grants is opened, and closed by a request that it answers`() {
        var (harness, link) = Self.harness()
        Self.opening(&harness, link)
        harness.data(0x40, .leSignalling, "15 01 0A00 4100 2000 1700 0000 0000")
        let id = ChannelID(link: link, number: 1)
        guard case .channel(.opened(let channel, Self.token)) = harness.takeEvents().first else {
            Issue.record("not open")
            return
        }
        #expect(channel.id == id && channel.isInitiator && channel.peerMTU == 32)
        // Without credits nothing is sent; four SDUs wait, and who was refused is told of room.
        for _ in 0..<5 { harness.put(.channel(.send([1], on: id))) }
        #expect(harness.takeEvents() == [.channel(.dropped(id))] && harness.sent.isEmpty)
        #expect(!harness.host.canSend(on: id))
        harness.data(0x40, .leSignalling, "16 02 0400 4100 0400")
        #expect(harness.takeEvents() == [.channel(.ready(id))] && harness.takeSent().count == 4)
        #expect(harness.host.canSend(on: id))
        harness.put(.channel(.close(id)))
        #expect(Self.signals(&harness) == [hex(octets("06 02 0400 4100 4000"))])
        #expect(harness.takeEvents() == [.channel(.closed(id, .closed))])
        harness.data(0x40, .leSignalling, "07 02 0400 4100 4000")
        #expect(harness.takeEvents().isEmpty && harness.host.nextDeadline == nil)
    }

    static let failing: [(String, ChannelFailure)] = [
        ("15 01 0A00 0000 0000 0000 0000 0200", .refused(.spsmNotSupported)),
        ("15 01 0A00 0000 0000 0000 0000 0400", .refused(.noResources)),
        ("15 01 0A00 0000 0000 0000 0000 0500", .refused(.insufficientAuthentication)),
        ("15 01 0A00 0000 0000 0000 0000 0600", .refused(.insufficientAuthorization)),
        ("15 01 0A00 0000 0000 0000 0000 0700", .refused(.insufficientKeySize)),
        ("15 01 0A00 0000 0000 0000 0000 0800", .refused(.insufficientEncryption)),
        ("15 01 0A00 0000 0000 0000 0000 0900", .refused(.invalidSourceCID)),
        ("15 01 0A00 0000 0000 0000 0000 0A00", .refused(.sourceCIDAllocated)),
        ("15 01 0A00 0000 0000 0000 0000 0B00", .refused(.unacceptableParameters)),
        ("15 01 0A00 0000 0000 0000 0000 9900", .refused(L2CAPCreditBasedResult(rawValue: 0x99))),
        ("01 01 0200 0000", .rejected(.commandNotUnderstood)),
        ("01 01 0600 0200 0000 4000", .rejected(.invalidCIDInRequest)),
        ("15 01 0A00 3F00 2000 1700 0000 0000", .malformedResponse),
        ("15 01 0A00 4100 1600 1700 0000 0000", .malformedResponse),
    ]

    @Test(arguments: failing)
    func `a channel that the peer refuses fails once`(answer: String, failure: ChannelFailure) {
        var (harness, link) = Self.harness()
        Self.opening(&harness, link)
        harness.data(0x40, .leSignalling, answer)
        harness.data(0x40, .leSignalling, answer)
        #expect(harness.takeEvents() == [.channel(.openFailed(link, Self.token, failure))])
        // A channel that the peer has opened by an answer of no use is closed.
        let isHalfOpen = answer.contains("4100 1600")
        #expect(Self.signals(&harness) == (isHalfOpen ? [hex(octets("06 02 0400 4100 4000"))] : []))
    }

    @Test func `a peer that does not answer for ten seconds, and a link that ends, fail a channel once`() {
        var (harness, link) = Self.harness()
        Self.opening(&harness, link)
        harness.now = harness.now.advanced(by: .seconds(10))
        #expect(harness.host.nextDeadline == harness.now)
        harness.put(.timeReached)
        #expect(harness.takeEvents() == [.channel(.openFailed(link, Self.token, .timedOut))])
        harness.put(.channel(.open(spsm: 0x25, Self.small, Self.token, on: link)))
        harness.event(octets("05 04 00 4000 08"))
        #expect(
            harness.takeEvents() == [
                .channel(.openFailed(link, Self.token, .disconnected)),
                .disconnected(link, HostHarness.car, .connectionTimeout),
            ])
        harness.put(.channel(.open(spsm: 0x25, Self.small, Self.token, on: link)))
        #expect(harness.takeEvents() == [.channel(.openFailed(link, Self.token, .disconnected))])
    }

    @Test func `a refusal for lack of security begins a pairing once, and stands where that fails`() {
        var (harness, link) = Self.harness { $0.security = SecurityPolicy() }
        Self.opening(&harness, link)
        harness.data(0x40, .leSignalling, "15 01 0A00 0000 0000 0000 0000 0500")
        #expect(harness.takeEvents().isEmpty)
        let pairing = harness.takeSent().map { $0.octets[8] }
        #expect(pairing == [1])
        harness.data(0x40, .securityManager, "05 03")
        #expect(
            harness.takeEvents().last
                == .channel(.openFailed(link, Self.token, .refused(.insufficientAuthentication))))
        #expect(harness.sent.isEmpty)
    }

    @Test func `a channel and values without response share a link`() {
        var harness = HostHarness { $0.writeCommandLimit = 4 }
        harness.bringUp(packets: 1)
        let link = harness.connect()
        harness.put(.channel(.open(spsm: 0x25, Self.small, Self.token, on: link)))
        harness.completed(1, of: 0x40)
        harness.data(0x40, .leSignalling, "15 01 0A00 4100 2000 1700 FFFF 0000")
        let id = ChannelID(link: link, number: 1)
        var order = ""
        harness.sent = []
        for _ in 0..<40 {
            while harness.host.canSend(on: id) { harness.put(.channel(.send([1], on: id))) }
            while harness.host.canWriteCommand(on: link) {
                harness.put(.writeCommand(handle: 3, [1], on: link))
            }
            harness.completed(1, of: 0x40)
            for packet in harness.takeSent() { order += packet.octets[6] == 4 ? "v" : "k" }
        }
        let frames = order.count { $0 == "k" }
        #expect(frames >= 8 && order.count - frames >= 8, "\(order)")
    }
}
