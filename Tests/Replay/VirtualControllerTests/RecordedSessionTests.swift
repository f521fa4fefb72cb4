import Analysis
import BluetoothCore
import CaptureFile
import LEHost
import Runtime
import Testing
import VirtualController
import WireBytes

/// What the controllers do is what a log of real ones could hold: the analysis finds no fault in it.
@Suite struct RecordedSessionTests {
    /// What the analysis says of the packets of one host.
    static func problems(_ world: World, of host: Int) -> (problems: [String], pdus: Int) {
        var analyzer = Analyzer()
        var problems: [String] = []
        for (place, one) in world.log.filter({ $0.host == host }).enumerated() {
            let kind: RecordKind =
                switch one.packet.type {
                case .command: .command
                case .acl: .acl
                default: .event
                }
            let header = RecordHeader(
                number: place + 1, fileOffset: 0,
                time: CaptureTime(nanoseconds: one.at.nanoseconds), adapter: 0, kind: kind,
                direction: one.isFromHost ? .hostToController : .controllerToHost,
                originalLength: one.packet.octets.count, capturedLength: one.packet.octets.count)
            let octets = one.packet.octets
            analyzer.analyze(Record(header, octets.borrowedOctets))
            problems += analyzer.problems.map { "\(place + 1): \($0)" }
        }
        analyzer.finish()
        return (problems, analyzer.totals.att)
    }

    @Test(arguments: Version.allCases)
    func `a session that is recorded is annotated without a problem`(version: Version) throws {
        var world = ExtendedHostTests.world(phone: version, car: version) {
            $0.requests2M = true
            $0.security = SecurityPolicy()
        }
        var advertising = AdvertisingParameters()
        let isExtended = version == .v50 || version == .v53
        advertising.data = ExtendedHostTests.data(isExtended ? 240 : 31)
        world.put(.startAdvertising(advertising), 1)
        world.put(.startScanning(ScanParameters()), 0)
        #expect(ExtendedHostTests.heard(&world)?.data == advertising.data)
        let (link, there) = try world.connect(0, to: 1)
        world.put(.secure(link), 0)
        world.run(.seconds(2))
        #expect(world.hosts[0].security(of: link).isEncrypted)
        #expect(world.perform(.read(3), 0, on: link) == .success(.value(WorldTests.long)))
        let wish = ConnectionParameters(intervalMin: 50, intervalMax: 60, latency: 0, timeout: 300)
        world.put(.updateParameters(wish, on: there), 1)
        world.run(.seconds(2))
        world.put(.disconnect(link), 0)
        world.run(.seconds(2))
        for host in 0..<2 {
            let found = Self.problems(world, of: host)
            #expect(found.problems.isEmpty)
            // The exchange of MTUs, and the read.
            #expect(found.pdus == 4)
        }
        #expect(world.commands.contains(0x2037) == isExtended)
    }
}
