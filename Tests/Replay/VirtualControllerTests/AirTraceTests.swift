import Analysis
import BluetoothCore
import CaptureFile
import Crypto
import LinkLayer
import Runtime
import TestSupport
import Testing
import VirtualController
import WireBytes

/// The HCI log of a host and a sniffer's capture of the same session, which follow from one seed.
struct AirTraceTests {
    typealias Log = [(Instant, HCIPacket, Bool)]

    /// What goes wrong in a session.
    enum Fault: CaseIterable, Sendable {
        case nothing, lossyPath, peerEnds, outOfRange, noResponse, notEstablished
        case refusedEncryption, wrongKey, refusedPairing, refusedParameters

        var isFailure: Bool { ![.nothing, .lossyPath, .peerEnds].contains(self) }
    }

    private static let key = [UInt8](0..<16)
    private static let read: [UInt8] = [3, 0, 4, 0, 0x0A, 3, 0]
    private static let value: [UInt8] = [2, 0, 4, 0, 0x0B, 0x64]
    private static let pairingRequest: [UInt8] = [7, 0, 6, 0, 1, 3, 0, 1, 0x10, 1, 1]
    private static let pairingFailed: [UInt8] = [2, 0, 6, 0, 5, 5]

    private static func harness(seed: UInt64) -> AirHarness {
        var harness = AirHarness(seed: seed)
        harness.air.trace = AirTrace()
        return harness
    }

    /// Plays a session; the peripheral advertises again after it.
    private static func session(_ fault: Fault) -> (log: Log, trace: AirTrace, end: Instant) {
        var harness = harness(seed: 7)
        if fault == .notEstablished {
            harness = unanswered()
        } else {
            play(fault, harness.connect(), &harness)
        }
        harness.command(harness.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
        harness.pass(.seconds(3))
        return (harness.log, harness.air.trace ?? AirTrace(), harness.now)
    }

    /// A connection request that the peripheral does not hear: the seed decides.
    private static func unanswered() -> AirHarness {
        for seed in 1...50 as ClosedRange<UInt64> {
            var harness = harness(seed: seed)
            harness.advertise()
            var path = RadioPath(rssi: -60)
            path.lossPerMille = 500
            harness.air.setPath(path, between: harness.phone, and: harness.car)
            harness.command(harness.phone, AirHarness.createConnection)
            harness.pass(.milliseconds(400))
            let ends = harness.log.filter { $0.1.octets.first == HCIEventCode.disconnectionComplete.rawValue }
            if ends.count == 1, harness.air.openLinks == 0 { return harness }
        }
        Issue.record("no seed loses the request")
        return harness(seed: 1)
    }

    private static func play(
        _ fault: Fault, _ handles: (phone: UInt16, car: UInt16), _ harness: inout AirHarness
    ) {
        let (phone, car) = (harness.phone, harness.car)
        if fault == .lossyPath {
            var path = RadioPath(rssi: -60)
            path.lossPerMille = 300
            harness.air.setPath(path, between: phone, and: car)
        }
        for _ in 0..<8 {
            harness.data(phone, handles.phone, read)
            harness.pass(.milliseconds(300))
            harness.data(car, handles.car, value)
            harness.pass(.milliseconds(300))
        }
        switch fault {
        case .nothing, .notEstablished, .lossyPath: break
        case .peerEnds: return end(car, handles.car, &harness)
        case .outOfRange:
            harness.data(phone, handles.phone, read)
            harness.air.separate(phone, car)
            harness.pass(.seconds(3))
            return harness.air.rejoin(phone, car)
        case .noResponse:
            harness.data(phone, handles.phone, read)
            harness.pass(.seconds(31))
        case .refusedEncryption:
            harness.command(phone, LEEnableEncryption { $0.connectionHandle = handles.phone })
            harness.pass(.milliseconds(200))
            harness.command(car, LELongTermKeyRequestNegativeReply { $0.connectionHandle = handles.car })
            harness.pass(.milliseconds(200))
        case .wrongKey: return encrypt(handles, [1] + key.dropFirst(), &harness)
        case .refusedPairing:
            harness.data(phone, handles.phone, pairingRequest)
            harness.pass(.milliseconds(100))
            harness.data(car, handles.car, pairingFailed)
            harness.pass(.milliseconds(100))
        case .refusedParameters:
            harness.command(
                car,
                LEConnectionUpdate {
                    $0.connectionHandle = handles.car
                    ($0.connectionIntervalMin, $0.connectionIntervalMax) = (100, 200)
                    $0.supervisionTimeout = 400
                })
            harness.pass(.milliseconds(100))
            harness.command(
                phone,
                LERemoteConnectionParameterRequestNegativeReply {
                    $0.connectionHandle = handles.phone
                    $0.reason = .unacceptableConnectionParameters
                })
            harness.pass(.milliseconds(100))
        }
        end(phone, handles.phone, &harness)
    }

    private static func end(_ controller: ControllerID, _ handle: UInt16, _ harness: inout AirHarness) {
        harness.command(
            controller,
            HCIDisconnect {
                $0.connectionHandle = handle
                $0.reason = .remoteUserTerminatedConnection
            })
        harness.pass(.seconds(1))
    }

    /// The phone encrypts with the key; the car with another one or the same.
    private static func encrypt(
        _ handles: (phone: UInt16, car: UInt16), _ other: [UInt8], _ harness: inout AirHarness
    ) {
        harness.command(
            harness.phone,
            LEEnableEncryption {
                $0.connectionHandle = handles.phone
                $0.longTermKey = key
            })
        harness.pass(.milliseconds(200))
        harness.command(
            harness.car,
            LELongTermKeyRequestReply {
                $0.connectionHandle = handles.car
                $0.longTermKey = other
            })
        harness.pass(.milliseconds(200))
    }

    /// Writes packets as a sniffer's recorder does.
    private static func capture(_ packets: [AirSniffer.Packet]) -> AirCapture {
        var capture = AirCapture()
        for packet in packets {
            capture.add(
                at: Int(packet.time.nanoseconds / 1000), channel: packet.channel, packet.accessAddress,
                packet.pdu, crcInit: packet.crcInit,
                from: packet.fromCentral.map { $0 ? .central : .peripheral } ?? .advertiser)
        }
        return capture
    }

    /// The causes that a log names: the codes of the failures, without how often.
    private static func causes(_ analyzer: borrowing Analyzer) -> Set<String> {
        let incidents = analyzer.totals.incidents.map { ($0.problem.code.rawValue, $0.severity >= .error) }
        return Set(incidents.filter { $0.1 || $0.0.hasSuffix("parameter-update-rejected") }.map(\.0))
    }

    private static func causes(ofLog log: Log) throws -> Set<String> {
        let kinds: [HCIPacketType: RecordKind] = [.command: .command, .event: .event, .acl: .acl]
        var analyzer = Analyzer()
        for (index, (time, packet, isFromHost)) in log.enumerated() {
            let header = RecordHeader(
                number: index + 1, fileOffset: 0, time: CaptureTime(nanoseconds: time.nanoseconds),
                adapter: 0, kind: try #require(kinds[packet.type]),
                direction: isFromHost ? .hostToController : .controllerToHost,
                originalLength: packet.octets.count, capturedLength: packet.octets.count)
            analyzer.analyze(Record(header, packet.octets.borrowedOctets))
        }
        analyzer.finish()
        return causes(analyzer)
    }

    /// Reads a capture; each packet must be placed, and each connection event counted or missed.
    private static func causes(
        onAir packets: [AirSniffer.Packet], of all: [AirSniffer.Packet]
    ) throws -> Set<String> {
        var reader = try CaptureReader(octets: capture(packets).octets, name: "air")
        var analyzer = Analyzer()
        var events: [Int?] = []
        while let record = try reader.next() {
            analyzer.analyze(record)
            let account = analyzer.air.last
            #expect(account.isReadable && account.packet.integrity == .valid)
            #expect(account.packet.isAdvertising || account.connection != nil)
            events.append(account.connection.map { _ in account.missedEvents })
        }
        #expect(events.count == packets.count)
        let heard = Set(packets.compactMap(\.event))
        let there = Set(all.compactMap(\.event))
        let counts = analyzer.air.connections.first?.counts
        #expect(counts?.events == heard.count)
        #expect(counts?.missedEvents == there.filter { $0 < heard.max() ?? 0 }.count - heard.count + 1)
        analyzer.finish()
        return causes(analyzer)
    }

    @Test(arguments: Fault.allCases)
    func `the log of the host and the capture of the air name the same cause`(_ fault: Fault) throws {
        let (log, trace, end) = Self.session(fault)
        let all = Array(AirSniffer(trace, until: end, seed: 1))
        let atHost = try Self.causes(ofLog: log)
        #expect(atHost.isEmpty == !fault.isFailure, "\(atHost)")
        #expect(try Self.causes(onAir: all, of: all) == atHost)
        var same = 0
        for seed in 1...8 as ClosedRange<UInt64> {
            let heard = Array(AirSniffer(trace, until: end, seed: seed, lossPerMille: 200))
            #expect(heard.count < all.count)
            let onAir = try Self.causes(onAir: heard, of: all)
            // Where the sniffer missed what shows the cause, it names none.
            #expect(onAir.isSubset(of: atHost), "\(onAir) of \(atHost), seed \(seed)")
            if onAir == atHost { same += 1 }
        }
        // An answer that may have been missed is not called missing.
        #expect(fault == .noResponse || same > 0, "\(atHost)")
    }

    @Test func `a key opens every packet of an encrypted link`() throws {
        var harness = Self.harness(seed: 7)
        let handles = harness.connect()
        // The second time the key is renewed.
        for _ in 0..<2 {
            Self.encrypt(handles, Self.key, &harness)
            for _ in 0..<8 {
                harness.data(harness.phone, handles.phone, Self.read)
                harness.data(harness.car, handles.car, Self.value)
                harness.pass(.milliseconds(100))
            }
        }
        Self.end(harness.phone, handles.phone, &harness)
        let trace = try #require(harness.air.trace)
        for loss in [0, 100] {
            let heard = Array(AirSniffer(trace, until: harness.now, seed: 3, lossPerMille: loss))
            var keys = LinkKeys()
            try keys.add(longTermKey: SecretKey(Self.key.reversed()))
            var follower = AirFollower(keys: keys)
            var reader = try CaptureReader(octets: Self.capture(heard).octets, name: "air")
            while let record = try reader.next() { follower.follow(record) }
            let counts = try #require(follower.connections.first).counts
            #expect(counts.closed == 0 || loss > 0)
            #expect(counts.opened > 24 && (counts.opened == 39) == (loss == 0), "\(counts)")
        }
    }

    @Test func `the order of packets on the air is that of the specification`() throws {
        let (_, trace, end) = Self.session(.peerEnds)
        let all = Array(AirSniffer(trace, until: end, seed: 1))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.time < $1.time })
        let request = try #require(all.firstIndex { $0.pdu[0] & 0xF == 5 && $0.event == nil })
        // ADV_IND of 9 bytes takes 152 µs, CONNECT_IND of 34 bytes 352 µs.
        #expect(all[request - 1].time.duration(to: all[request].time) == .microseconds(152 + 150))
        let first = all[request + 1]
        #expect(first.event == 0 && first.fromCentral == true)
        let delay = all[request].time.duration(to: first.time)
        #expect(delay >= .microseconds(352 + 1250) && delay <= .microseconds(352 + 1250 + 1250))
        #expect(first.pdu[0] == 0x01, "SN and NESN begin with 0")
        // The channel of each event follows from CONNECT_IND's hop increment.
        let hop = Int(all[request].pdu[2 + 33] & 0x1F)
        for packet in all[(request + 1)...] {
            guard let event = packet.event else { continue }
            #expect(Int(packet.channel) == (event + 1) * hop % 37)
        }
        let last = try #require(all.last { $0.event != nil })
        #expect(Array(last.pdu[1...]) == [2, 0x02, 0x13] && last.fromCentral == false)
    }

    @Test func `a capture ends where its trace has no more room, with no packet made up after that`() throws {
        var harness = AirHarness(seed: 7)
        harness.air.trace = AirTrace(limit: 4096)
        _ = harness.connect()
        harness.command(harness.car, LESetAdvertisingEnable { $0.advertisingEnable = 1 })
        harness.pass(.seconds(30))
        let trace = try #require(harness.air.trace)
        let end = try #require(trace.end)
        let times = AirSniffer(trace, until: harness.now, seed: 1).map(\.time)
        #expect(!times.isEmpty && end < harness.now)
        #expect(times.allSatisfy { $0 < end.advanced(by: .milliseconds(50)) })
    }
}
