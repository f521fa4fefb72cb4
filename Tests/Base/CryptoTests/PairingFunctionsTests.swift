import Testing
import WireBytes

@testable import Crypto

/// The sample data of the specification. Source: Core Specification, Vol 3, Part H, 2.2 and Appendix D.
@Suite struct PairingFunctionsTests {
    static let u = octets("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
    static let v = octets("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    static let x = octets("d5cb8454d177733effffb2ec712baeab")
    static let y = octets("a6e8e7cc25a75f6e216583f7ff3dc4cf")
    static let secret = octets("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
    static let a = octets("0056123737bfce")
    static let b = octets("00a713702dcfc1")

    static func octets(_ hex: String) -> [UInt8] { (try? Hex.octets(hex)) ?? [] }

    @Test func `legacy pairing confirms and makes its key as the specification shows`() throws {
        let confirm = try PairingFunctions.c1(
            key: [UInt8](repeating: 0, count: 16),
            random: Self.octets("5783d52156ad6f0e6388274ec6702ee0"),
            request: Self.octets("07071000000101"), response: Self.octets("05000800000302"),
            initiator: Self.octets("01a1a2a3a4a5a6"), responder: Self.octets("00b1b2b3b4b5b6"))
        #expect(confirm == Self.octets("1e1e3fef878988ead2a74dc5bef13b86"))
        let key = try PairingFunctions.s1(
            key: [UInt8](repeating: 0, count: 16),
            responder: Self.octets("000f0e0d0c0b0a091122334455667788"),
            initiator: Self.octets("010203040506070899aabbccddeeff00"))
        #expect(key == Self.octets("9a1fe1f0e8b0f49b5b4216ae796da062"))
    }

    /// The host makes no keys for the other transport; their functions are single codes.
    @Test func `the keys of the other transport come out as the specification shows`() throws {
        let key = Self.octets("ec0234a357c8ad05341010a60a397d9b")
        #expect(
            try MessageAuthentication.cmac(key: key, Self.octets("6c656272"))
                == Self.octets("2d9ae102e76dc91ce8d3a9e280b16399"))
        #expect(
            try MessageAuthentication.cmac(key: Self.octets("000000000000000000000000746d7031"), key)
                == Self.octets("fb173597c6a3c0ecd2998c2a75a57011"))
    }

    @Test func `a key is overwritten when it is no longer needed`() {
        let key = SecretKey([1, 2, 3])
        let copy = key
        #expect(key.storage === copy.storage && copy.octets == [1, 2, 3])
        key.storage.wipe()
        #expect(copy.octets == [0, 0, 0] && SecretKey([]).octets.isEmpty)
        #expect(SecretKey([1, 2]) == SecretKey([1, 2]) && SecretKey([1, 2]) != SecretKey([1, 3]))
    }

    @Test func `LE Secure Connections computes what the specification shows`() throws {
        #expect(
            try PairingFunctions.f4(u: Self.u, v: Self.v, random: Self.x, z: 0)
                == Self.octets("f2c916f107a9bd1cf1eda1bea974872d"))
        let keys = try PairingFunctions.f5(
            secret: Self.secret, initiator: (Self.x, Self.a), responder: (Self.y, Self.b))
        #expect(keys.check == Self.octets("2965f176a1084a02fd3f6a20ce636e20"))
        #expect(keys.longTerm == Self.octets("6986791169d7cd23980522b594750a38"))
        let check = try PairingFunctions.f6(
            key: keys.check, sender: (Self.x, Self.a), receiver: (Self.y, Self.b),
            value: Self.octets("12a3343bb453bb5408da42d20c2d0fc8"), capabilities: Self.octets("010102"))
        #expect(check == Self.octets("e3c473989cd0e8c5d26c0b09da958f61"))
        #expect(
            try PairingFunctions.g2(u: Self.u, v: Self.v, initiator: Self.x, responder: Self.y) == 938_554)
    }
}
