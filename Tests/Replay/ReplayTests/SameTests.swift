import Replay
import Runtime
import Testing

@Suite struct SameTests {
    /// Captures of connections without security, with the connections and the steps that must be seen.
    static let plain: [(String, Int)] = [
        ("handle-reuse-before.btsnoop", 1), ("link-device.btsnoop", 2),
        ("mi-band.btsnoop", 1), ("mobike.btsnoop", 1), ("peripheral-clock.btsnoop", 1),
        ("two-devices.btsnoop", 2), ("uqdk-refusals.btsnoop", 2), ("uqdk-unlock.btsnoop", 1),
        ("uqdk-unlock.pcap", 1),
    ]

    @Test(arguments: plain)
    func `a host that does what was recorded is the same`(name: String, connections: Int) throws {
        let model = try Recording.model(name)
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        for discovers in [false, true] {
            let host = try ScriptedHost(model, discovers: discovers)
            let report = host.run()
            #expect(report.verdict == .same, "\(report.text)")
            #expect(report.connections.played == connections)
            #expect(report.compared >= report.required)
            #expect(report.required > 1)
        }
    }

    @Test(arguments: [
        PlacementPolicy.recorded, .earliest, .latest, .shuffle(seed: 1), .shuffle(seed: 2),
        .shuffle(seed: 3),
    ])
    func `the verdict does not hang on when the peer does things`(policy: PlacementPolicy) throws {
        var options = ReplayOptions()
        options.policy = policy
        for name in ["uqdk-unlock.btsnoop", "link-device.btsnoop", "peripheral-clock.btsnoop"] {
            let report = try ScriptedHost(try Recording.model(name), options: options, discovers: true).run()
            #expect(report.verdict == .same, "\(name): \(report.text)")
        }
    }

    @Test func `fifty runs give one transcript`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let host = try ScriptedHost(model, discovers: true)
        _ = host.run()
        let first = host.adapter.transcript.octets()
        #expect(first.count > 5000)
        for _ in 1..<50 {
            let again = try ScriptedHost(model, discovers: true)
            _ = again.run()
            guard again.adapter.transcript.octets() == first else {
                Issue.record("another transcript")
                return
            }
        }
    }

    @Test func `the peer's part has its recorded delays`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let host = try ScriptedHost(model)
        let report = host.run()
        #expect(report.verdict == .same)
        let pdus = host.adapter.transcript.pdus
        var checked = 0
        for pdu in model.connections[0].pdus where pdu.side == .peer && pdu.frame > 204 {
            guard let played = pdus.first(where: { $0.frame == pdu.frame && $0.side == .peer }),
                let cause = model.connections[0].pdus.last(where: {
                    $0.side == .host && $0.frame < pdu.frame
                }), let seen = pdus.first(where: { $0.frame == cause.frame && $0.side == .host })
            else {
                Issue.record("frame \(pdu.frame) was not played")
                continue
            }
            #expect(seen.time.duration(to: played.time) == cause.time.duration(to: pdu.time))
            checked += 1
        }
        #expect(checked == 47)
    }
}
