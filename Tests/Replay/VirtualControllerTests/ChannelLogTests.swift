import Analysis
import BluetoothCore
import CaptureFile
import LEHost
import Runtime
import Synchronization
import Testing
import VirtualController
import WireBytes

/// What the decoder makes of the channels of the host: the log of a session on the virtual air.
@Suite struct ChannelLogTests {
    struct Packet: Sendable {
        var time: Instant
        var packet: HCIPacket
        var isFromHost: Bool
    }

    static let service: UInt16 = 0x80
    static let parameters = ChannelParameters(mtu: 1000, mps: 100, credits: 5)

    /// The packets of a phone whose SDUs a car sends back over one channel.
    static func session(_ sdus: [[UInt8]]) throws -> [Packet] {
        let time = VirtualTime()
        let kept = Mutex<[Packet]>([])
        let radio = VirtualRadio(seed: 1, scheduler: time) { at, controller, packet, isFromHost in
            guard controller == ControllerID(rawValue: 0) else { return }
            kept.withLock { $0.append(Packet(time: at, packet: packet, isFromHost: isFromHost)) }
        }
        let controllers = [0xF1, 0xC1].map {
            radio.add(ControllerConfiguration(publicAddress: DeviceAddress($0, .public)))
        }
        let runners = Mutex<[HostRunner]>([])
        let put: @Sendable (Int, HostInput) -> Void = { index, input in
            runners.withLock { $0[index] }.put(input)
        }
        let back = Mutex<[[UInt8]]>([])
        let phone = HostRunner(
            LEHost(), transport: RadioTransport(radio, controllers[0]), scheduler: time, source: .host
        ) { event in
            switch event {
            case .stateChanged(.ready): put(0, .connect(DeviceAddress(0xC1, .public)))
            case .connected(let link):
                let token = ChannelToken(rawValue: 1)
                put(0, .channel(.open(spsm: service, parameters, token, on: link.id)))
            case .channel(.opened(let channel, _)):
                for sdu in sdus { put(0, .channel(.send(sdu, on: channel.id))) }
            case .channel(.received(let channel, let sdu)):
                put(0, .channel(.consumed(1, on: channel)))
                back.withLock { $0.append(sdu) }
                if back.withLock({ $0.count }) == sdus.count { put(0, .channel(.close(channel))) }
            default: break
            }
        }
        let car = HostRunner(
            LEHost(), transport: RadioTransport(radio, controllers[1]), scheduler: time,
            source: .host.numbered(1)
        ) { event in
            switch event {
            case .stateChanged(.ready):
                put(1, .channel(.listen(ChannelListener(spsm: service, parameters: parameters))))
                put(1, .startAdvertising(AdvertisingParameters()))
            case .channel(.received(let channel, let sdu)):
                put(1, .channel(.send(sdu, on: channel)))
                put(1, .channel(.consumed(1, on: channel)))
            default: break
            }
        }
        runners.withLock { $0 = [phone, car] }
        for runner in [phone, car] {
            try runner.open()
            runner.put(.powerOn)
        }
        time.run(for: .seconds(60))
        let isSame = back.withLock { $0 } == sdus
        #expect(isSame)
        for link in phone.host.openLinks { phone.put(.disconnect(link.id)) }
        time.run(for: .seconds(1))
        return kept.withLock { $0 }
    }

    @Test func `a log of a channel is decoded without a problem, each K-frame with its service`() throws {
        let sdus = (1...3).map { [UInt8](repeating: UInt8($0), count: 600) }
        var analyzer = Analyzer()
        var problems: [String] = []
        var frames = [0, 0]
        var signals: [UInt8] = []
        for (index, one) in try Self.session(sdus).enumerated() {
            let kinds: [HCIPacketType: RecordKind] = [.command: .command, .event: .event, .acl: .acl]
            let header = RecordHeader(
                number: index + 1, fileOffset: 0, time: CaptureTime(nanoseconds: one.time.nanoseconds),
                adapter: 0, kind: try #require(kinds[one.packet.type]),
                direction: one.isFromHost ? .hostToController : .controllerToHost,
                originalLength: one.packet.octets.count, capturedLength: one.packet.octets.count)
            analyzer.analyze(Record(header, one.packet.octets.borrowedOctets))
            problems += analyzer.problems.map { $0.sentence }
            if analyzer.frame.l2cap?.psm == Self.service { frames[one.isFromHost ? 0 : 1] += 1 }
            if let code = analyzer.frame.signallingCode { signals.append(code) }
        }
        analyzer.finish()
        #expect(problems + analyzer.problems.map { $0.sentence } == [])
        // 2 bytes of length and 600 of data in K-frames of 100.
        #expect(frames == [21, 21])
        // The request and its response, credits both ways, the disconnection and its response.
        #expect(signals.prefix(2) == [0x14, 0x15] && signals.suffix(2) == [0x06, 0x07])
        #expect(signals.count { $0 == 0x16 } > 2)
    }
}
