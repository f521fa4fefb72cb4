import HostileHosts
import Runtime

// hostile STEPS: runs with one seed after another until there were so many steps, and says what they came to.

var sum = HostileAir.Report()
let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
var seed: UInt64 = 0
while sum.steps < wanted, sum.violations.isEmpty {
    seed += 1
    sum.add(HostileAir.run(seed: seed))
}
print(
    "\(sum.steps) steps in \(seed) runs, one for each seed: \(sum.links) links, \(sum.operations) operations, "
        + "\(sum.pairings) pairings, \(sum.encryptions) links encrypted, \(sum.channels) channels, "
        + "\(sum.sdus) SDUs")
print("at most \(sum.weight) elements in all collections of a host")
print(sum.violations.isEmpty ? "nothing found" : "seed \(seed): \(Set(sum.violations).sorted())")
if !sum.violations.isEmpty { preconditionFailure("found something") }
