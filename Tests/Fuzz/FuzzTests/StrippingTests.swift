import BluetoothCore
import HostileHosts
import LEHost
import Testing

/// Someone in the middle who takes LE Secure Connections out of a pairing.
@Suite struct StrippingTests {
    /// A phone whose person is asked, as `drive` has it.
    static func phone(acceptsLegacy: Bool) -> SecurityPolicy {
        var policy = SecurityPolicy()
        policy.ioCapability = .keyboardDisplay
        policy.asksForProtection = true
        policy.acceptsLegacyPairing = acceptsLegacy
        return policy
    }

    /// A fob that shows a passkey, or asks for one, as `simulate` has it.
    static func fob(_ capability: IOCapability, acceptsLegacy: Bool) -> SecurityPolicy {
        var policy = SecurityPolicy()
        policy.ioCapability = capability
        policy.needsProtection = true
        policy.acceptsLegacyPairing = acceptsLegacy
        return policy
    }

    @Test(arguments: [IOCapability.displayOnly, .keyboardOnly], [0, 1])
    func `a side that asks for protection refuses to pair without Secure Connections`(
        capability: IOCapability, side: Int
    ) {
        // The other side takes what comes, so that the attack gets as far as it can.
        let pairing = StrippedPairing(
            phone: Self.phone(acceptsLegacy: side == 1),
            fob: Self.fob(capability, acceptsLegacy: side == 0))
        #expect(pairing.found == nil)
        #expect(pairing.hosts.allSatisfy { $0.bonds.isEmpty })
        #expect(
            pairing.events[side].contains { event in
                if case .pairingFailed(_, .ended(.authenticationRequirements)) = event { true } else { false }
            }, "\(pairing.events)")
    }

    @Test(arguments: [IOCapability.displayOnly, .keyboardOnly])
    func `where legacy pairing is allowed, who finds the passkey is reported and never authenticated`(
        capability: IOCapability
    ) throws {
        let pairing = StrippedPairing(
            phone: Self.phone(acceptsLegacy: true), fob: Self.fob(capability, acceptsLegacy: true))
        // The attack works: nothing in legacy pairing can notice it.
        #expect(pairing.found != nil && pairing.found == pairing.shown)
        for side in 0..<2 {
            let isReported = pairing.events[side].contains { event in
                if case .pairingIsLegacy(_, isAccepted: true) = event { true } else { false }
            }
            #expect(isReported)
            let bond = try #require(pairing.hosts[side].bonds.first)
            #expect(!bond.security.isAuthenticated && !bond.security.isSecureConnections)
            let link = try #require(pairing.hosts[side].openLinks.first)
            let security = pairing.hosts[side].security(of: link.id)
            #expect(security.isEncrypted && !security.isAuthenticated)
        }
    }
}
