import BluetoothCore
import Runtime
import TestSupport
import Testing

@testable import LEHost

/// Channels to a device that others wrote, which sends back what it gets: Bumble, joined by H4 over a socket.
///
/// Left out where `tools/venv` has not been run.
@Suite(.judge, .serialized) struct BumbleChannelTests {
    /// What each side receives.
    struct Limits: Sendable, CustomTestStringConvertible {
        var own: ChannelParameters
        var mtu: Int
        var mps: Int
        var credits: Int
        var testDescription: String {
            "\(own.mtu)/\(own.mps)/\(own.credits) to \(mtu)/\(mps)/\(credits)"
        }

        static let all = [
            Limits(own: ChannelParameters(), mtu: 2048, mps: 2048, credits: 256),
            Limits(own: ChannelParameters(mtu: 100, mps: 23, credits: 1), mtu: 64, mps: 23, credits: 1),
            Limits(own: ChannelParameters(mtu: 23, mps: 65533, credits: 2), mtu: 700, mps: 50, credits: 3),
            Limits(own: ChannelParameters(mtu: 4000, mps: 251, credits: 7), mtu: 23, mps: 24, credits: 2),
        ]
    }

    @Test(
        .enabled(if: BumbleTests.isThere, "tools/venv has not been run"), .timeLimit(.minutes(15)),
        arguments: Limits.all, [true, false])
    func `Bumble sends back every byte, whoever opens the channel`(limits: Limits, opens: Bool) throws {
        let service = ["--mtu", "\(limits.mtu)", "--mps", "\(limits.mps)", "--credits", "\(limits.credits)"]
        // Nothing else is said on the link: Bumble opens its channel at once.
        var configuration = HostConfiguration()
        configuration.clientMTU = nil
        let session = try BumbleTests.Session(
            ["echo"] + service + (opens ? [] : ["--opens", "128"]), host: configuration)
        try session.powerOn()
        try session.put(.channel(.listen(ChannelListener(spsm: 0x80, parameters: limits.own))))
        let link = try session.connect()
        if opens {
            try session.put(
                .channel(.open(spsm: 0x80, limits.own, ChannelToken(rawValue: 1), on: link)))
        }
        let channel = try session.await { event -> L2CAPChannel? in
            if case .channel(.opened(let channel, _)) = event { channel } else { nil }
        }
        #expect(channel.isInitiator == opens)
        #expect(Int(channel.peerMTU) == limits.mtu && Int(channel.peerMPS) == limits.mps)
        try echo(session, channel)

        try session.put(.channel(.close(channel.id)))
        let end = try session.await { event -> ChannelEnd? in
            if case .channel(.closed(channel.id, let end)) = event { end } else { nil }
        }
        #expect(end == .closed)
        // A service that Bumble doesn't have.
        try session.put(.channel(.open(spsm: 0x81, limits.own, ChannelToken(rawValue: 2), on: link)))
        let failure = try session.await { event -> ChannelFailure? in
            if case .channel(.openFailed(link, _, let failure)) = event { failure } else { nil }
        }
        #expect(failure == .refused(.spsmNotSupported))
        try session.put(.disconnect(link))
        _ = try session.await { if case .disconnected(link, _, _) = $0 { true } else { nil } }
    }

    // Sends SDUs of random lengths and compares the bytes that come back: Bumble joins SDUs as it likes.
    private func echo(_ session: BumbleTests.Session, _ channel: L2CAPChannel) throws {
        var random = SplitMix(state: UInt64(channel.peerMTU) << 16 | UInt64(channel.peerMPS))
        var sent: [UInt8] = []
        var came: [UInt8] = []
        var left = 60
        var isOver = false
        repeat {
            while left > 0, session.host.canSend(on: channel.id) {
                let sdu = random.octets(1 + random.below(Int(channel.peerMTU)))
                sent += sdu
                left -= 1
                try session.put(.channel(.send(sdu, on: channel.id)))
            }
            came += try session.await { event -> [UInt8]? in
                switch event {
                case .channel(.received(channel.id, let sdu)): return sdu
                case .channel(.dropped(channel.id)), .channel(.closed(channel.id, _)):
                    isOver = true
                    return []
                default: return nil
                }
            }
            try session.put(.channel(.consumed(1, on: channel.id)))
            let expected = Array(sent.prefix(came.count))
            try #require(came == expected && !isOver)
        } while left > 0 || came.count < sent.count
        #expect(came == sent && !sent.isEmpty)
    }
}
