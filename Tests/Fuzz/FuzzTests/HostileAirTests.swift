import HostileHosts
import Testing

/// Hosts among controllers, peers and applications of which each may do anything.
@Suite struct HostileAirTests {
    @Test func `whatever the other side does, each operation ends and nothing grows`() {
        var sum = HostileAir.Report()
        for seed in 1...40 {
            let report = HostileAir.run(seed: UInt64(seed))
            #expect(Set(report.violations).sorted() == [], "seed \(seed)")
            sum.add(report)
        }
        // It comes far enough to mean something.
        #expect(sum.steps > 40_000 && sum.links > 200 && sum.operations > 500)
        #expect(sum.pairings > 5 && sum.encryptions > sum.pairings, "\(sum)")
        #expect(sum.channels > 50 && sum.sdus > 50, "\(sum)")
    }
}
