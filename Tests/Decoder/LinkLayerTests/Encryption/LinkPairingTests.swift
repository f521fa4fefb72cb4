import BluetoothCore
import Crypto
import LinkLayer
import TestSupport
import Testing
import WireBytes

struct LinkPairingTests {
    private static let start: [LinkSecurity.Opened] = [.opened([6]), .opened([6])]

    /// Hears a pairing but for the PDUs at some positions.
    private static func hear(_ pairing: LegacyPairing, without missed: Set<Int> = []) throws -> MadeLink {
        var link = MadeLink()
        for (index, step) in try pairing.pdus().enumerated() where !missed.contains(index) {
            link.pairing(step.pdu, fromCentral: step.fromCentral)
        }
        return link
    }

    @Test func `Just Works opens without any key`() throws {
        let pairing = LegacyPairing(passkey: 0)
        var link = try Self.hear(pairing)
        #expect(try link.startEncryption(try pairing.shortTermKey()) == Self.start)
        #expect(link.security.keyOrigin == .justWorks)
        #expect(link.keys.learned.map(\.kind) == [.shortTerm])
    }

    @Test(arguments: [[], [2], [3], [2, 4]] as [Set<Int>])
    func `a passkey is found by either confirm value`(_ missed: Set<Int>) throws {
        let pairing = LegacyPairing(passkey: 1_234)
        var link = try Self.hear(pairing, without: missed)
        let opened = try link.startEncryption(try pairing.shortTermKey())
        // Without a random number there is no Short Term Key.
        if missed.contains(4) {
            #expect(opened == [.closed(.incompletePairing), .closed(.incompletePairing)])
        } else {
            #expect(opened == Self.start)
            #expect(link.security.keyOrigin == .passkey)
        }
    }

    @Test(arguments: [[2, 3], [0], [1, 2]] as [Set<Int>])
    func `without confirm values a passkey is found by the first encrypted packet`(
        _ missed: Set<Int>
    ) throws {
        let pairing = LegacyPairing(passkey: 987)
        var link = try Self.hear(pairing, without: missed)
        #expect(try link.startEncryption(try pairing.shortTermKey()) == Self.start)
        #expect(link.security.keyOrigin == .passkey)
    }

    @Test func `the peripheral's response alone finds the passkey`() throws {
        let pairing = LegacyPairing(passkey: 987)
        var link = MadeLink(LinkSecurity())
        for step in try pairing.pdus() { link.pairing(step.pdu, fromCentral: step.fromCentral) }
        #expect(
            try link.startEncryption(try pairing.shortTermKey(), missed: .centralResponse) == [.opened([6])])
    }

    @Test(.realTime) func `the highest passkey is found`() throws {
        for missed in [[], [2, 3]] as [Set<Int>] {
            let pairing = LegacyPairing(passkey: 999_999)
            var link = try Self.hear(pairing, without: missed)
            #expect(try link.startEncryption(try pairing.shortTermKey()) == Self.start)
        }
    }

    @Test func `a passkey that was given needs no search`() throws {
        let pairing = LegacyPairing(passkey: 999_999)
        var link = try Self.hear(pairing)
        link.keys.add(passkey: 999_999)
        #expect(try link.startEncryption(try pairing.shortTermKey()) == Self.start)
        #expect(link.security.keyOrigin == .passkey)
    }

    @Test func `shorter keys are made as both sides agreed`() throws {
        var pairing = LegacyPairing(passkey: 77)
        pairing.response[4] = 7
        var link = try Self.hear(pairing)
        #expect(try link.startEncryption(try pairing.shortTermKey()) == Self.start)
    }

    @Test func `out-of-band data opens a pairing if it is given`() throws {
        let data = [UInt8](repeating: 0x5E, count: 16)
        let pairing = LegacyPairing(outOfBand: data)
        var link = try Self.hear(pairing, without: [3])
        try link.keys.add(temporaryKey: SecretKey(data))
        #expect(try link.startEncryption(try pairing.shortTermKey()) == Self.start)
        #expect(link.security.keyOrigin == .outOfBand)
    }

    @Test func `missing out-of-band data is named`() throws {
        let pairing = LegacyPairing(outOfBand: [UInt8](repeating: 0x5E, count: 16))
        // Without the confirm values there is nothing to search with.
        var link = try Self.hear(pairing, without: [2, 3])
        #expect(
            try link.startEncryption(try pairing.shortTermKey()) == [
                .closed(.noTemporaryKey), .closed(.noTemporaryKey),
            ])
    }

    @Test func `keys distributed on the link open later ones`() throws {
        let pairing = LegacyPairing(passkey: 0)
        var link = try Self.hear(pairing)
        try link.startEncryption(try pairing.shortTermKey())
        let longTermKey: [UInt8] = (0..<16).map { 0xA0 + $0 }
        let identityKey: [UInt8] = (0..<16).map { 0x40 + $0 }
        let pdus: [[UInt8]] = [
            [0x06] + longTermKey.reversed(), [0x07, 0x34, 0x12, 8, 7, 6, 5, 4, 3, 2, 1],
            [0x08] + identityKey.reversed(), [0x09, 1, 6, 5, 4, 3, 2, 0xC1],
        ]
        for pdu in pdus {
            try link.send([UInt8(pdu.count), 0, 6, 0] + pdu, fromCentral: false)
        }
        let names = LinkKeys.Diversifier(ediv: 0x1234, rand: 0x0102_0304_0506_0708)
        #expect(link.keys.learned.map(\.kind) == [.shortTerm, .longTerm(names), .identity])
        #expect(link.keys.learned[1].key.octets == longTermKey)
        #expect(link.keys.learned[1].device == MadeLink.peripheral)
        #expect(link.keys.learned[2].key.octets == identityKey)
        #expect(link.keys.learned[2].device == DeviceAddress(0xC1_02_03_04_05_06, .random))
        #expect(!"\(link.keys)".contains("160, 161"))

        var next = MadeLink(LinkSecurity())
        next.keys = link.keys
        #expect(try next.startEncryption(longTermKey, ediv: names.ediv, rand: names.rand) == Self.start)
        #expect(next.security.keyOrigin == .learned)
    }

    // MARK: LE Secure Connections

    private static let debugKey = "3F49F6D4A3C55F3874C9B3E3D2103F504AFF607BEB40B7995899B8A6CD3C1ABD"

    /// Hears a pairing of LE Secure Connections with a number of rounds; returns its Long Term Key.
    private static func hearSecure(
        _ link: inout MadeLink, central: [UInt8], peripheral: [UInt8], rounds: Int = 1, keySize: UInt8 = 16
    ) throws -> [UInt8] {
        var random = SeededRandom(seed: 5)
        link.pairing([1, 4, 0, 0x0D, 16, 3, 3], fromCentral: true)
        link.pairing([2, 4, 0, 0x0D, keySize, 3, 3], fromCentral: false)
        let keys = (try P256.publicKey(of: central), try P256.publicKey(of: peripheral))
        link.pairing([0x0C] + keys.0.x.reversed() + keys.0.y.reversed(), fromCentral: true)
        link.pairing([0x0C] + keys.1.x.reversed() + keys.1.y.reversed(), fromCentral: false)
        var randoms: ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<rounds {
            randoms = (random.octets(16), random.octets(16))
            link.pairing([3] + random.octets(16), fromCentral: true)
            link.pairing([3] + random.octets(16), fromCentral: false)
            link.pairing([4] + randoms.0.reversed(), fromCentral: true)
            link.pairing([4] + randoms.1.reversed(), fromCentral: false)
        }
        link.pairing([0x0D] + random.octets(16), fromCentral: true)
        let secret = try P256.sharedSecret(privateKey: central, x: keys.1.x, y: keys.1.y)
        let key = try PairingFunctions.f5(
            secret: secret, initiator: (randoms.0, [0] + MadeLink.central.octets),
            responder: (randoms.1, [1] + MadeLink.peripheral.octets)
        ).longTerm
        return [UInt8](repeating: 0, count: 16 - Int(keySize)) + key.suffix(Int(keySize))
    }

    @Test(arguments: [1, 20], [16, 10] as [UInt8])
    func `the debug key opens LE Secure Connections`(_ rounds: Int, _ keySize: UInt8) throws {
        let own = [UInt8](repeating: 0x21, count: 32)
        let debug = try Hex.octets(Self.debugKey)
        for isCentral in [true, false] {
            var link = MadeLink()
            let key = try Self.hearSecure(
                &link, central: isCentral ? debug : own, peripheral: isCentral ? own : debug, rounds: rounds,
                keySize: keySize)
            #expect(try link.startEncryption(key) == Self.start)
            #expect(link.security.keyOrigin == .debugKey)
            #expect(
                link.keys.learned.map(\.kind) == [.longTerm(LinkKeys.Diversifier(ediv: 0, rand: 0))])
            // The bonded key opens the next connection.
            var next = MadeLink()
            next.keys = link.keys
            #expect(try next.startEncryption(key) == Self.start)
            #expect(next.security.keyOrigin == .learned)
        }
    }

    @Test func `a private key of one side opens LE Secure Connections, and is named where missing`() throws {
        let own = [UInt8](repeating: 0x21, count: 32)
        let other = [UInt8](repeating: 0x43, count: 32)
        var link = MadeLink()
        let key = try Self.hearSecure(&link, central: own, peripheral: other)
        #expect(try link.startEncryption(key) == [.closed(.noPrivateKey), .closed(.noPrivateKey)])
        link = MadeLink()
        try link.keys.add(privateKey: SecretKey(other))
        _ = try Self.hearSecure(&link, central: own, peripheral: other)
        #expect(try link.startEncryption(key) == Self.start)
        #expect(link.security.keyOrigin == .privateKey)
    }

    @Test func `LE Secure Connections without the addresses is incomplete`() throws {
        var link = MadeLink(LinkSecurity())
        let own = [UInt8](repeating: 0x21, count: 32)
        let key = try Self.hearSecure(&link, central: own, peripheral: try Hex.octets(Self.debugKey))
        #expect(
            try link.startEncryption(key) == [.closed(.incompletePairing), .closed(.incompletePairing)])
    }

    @Test func `keys of a wrong length are refused`() {
        var keys = LinkKeys()
        #expect(throws: CryptoError.keyLength(15)) {
            try keys.add(longTermKey: SecretKey([UInt8](repeating: 1, count: 15)))
        }
        #expect(throws: CryptoError.keyLength(3)) { try keys.add(temporaryKey: SecretKey([1, 2, 3])) }
        #expect(throws: CryptoError.keyLength(16)) {
            try keys.add(privateKey: SecretKey([UInt8](repeating: 1, count: 16)))
        }
    }
}
