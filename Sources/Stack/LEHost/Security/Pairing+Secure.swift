import BluetoothCore
import Crypto

// LE Secure Connections pairing.

/// The public keys of both sides and the values derived from them.
struct SecureExchange: Sendable {
    var ownKey: [UInt8] = []
    /// The x coordinate of the peer's key.
    var peerKey: [UInt8] = []
    var secret = SecretKey([])
    /// The key of both sides' checks.
    var checkKey = SecretKey([])
    /// The key of the link; it is not used before the peer's check is verified.
    var longTermKey = SecretKey([])
}

extension Pairing {
    /// The x coordinate of the public debug key.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.3.5.6.1.
    private static let debugKey: [UInt8] = [
        0x20, 0xB0, 0x03, 0xD2, 0xF2, 0x97, 0xBE, 0x2C, 0x5E, 0x2C, 0x83, 0xA7, 0xE9, 0xF9, 0xA5, 0xB9, 0xEF,
        0xF4, 0x91, 0x11, 0xAC, 0xF4, 0xFD, 0xDB, 0xCC, 0x03, 0x01, 0x48, 0x0E, 0x35, 0x9D, 0xE6,
    ]

    /// Whether the peer has out of band data of this side.
    var peerHasData: Bool { hasData(isInitiator ? features?.response : features?.request) }

    /// Whether this side has out of band data of the peer.
    private var hasPeerData: Bool { hasData(isInitiator ? features?.request : features?.response) }

    private func hasData(_ side: PairingFeatures.Side?) -> Bool {
        method == .outOfBand && side?.hasOutOfBandData == true
    }

    // Data that was given out belongs to one private key; otherwise each pairing has a new one.
    private var privateKey: [UInt8] {
        let given = peerHasData ? policy.outOfBand.own?.privateKey : nil
        return (given ?? randomness.privateKey).octets
    }

    mutating func sendPublicKey() {
        compute { pairing throws(CryptoError) in
            let key = try P256.publicKey(of: pairing.privateKey)
            pairing.secure.ownKey = key.x
            pairing.send([SMPCode.pairingPublicKey.rawValue] + key.x.reversed() + key.y.reversed())
        }
    }

    mutating func takePublicKey(_ octets: [UInt8]) {
        let x = Array(octets[1..<33].reversed())
        let y = Array(octets[33..<65].reversed())
        if !isInitiator { sendPublicKey() }
        // A peer that sends back our own key would pass without knowing the private key.
        guard x != secure.ownKey else { return fail(.dhKeyCheckFailed) }
        guard policy.acceptsDebugKey || x != Self.debugKey else { return fail(.invalidParameters) }
        guard let secret = try? P256.sharedSecret(privateKey: privateKey, x: x, y: y)
        else { return fail(.dhKeyCheckFailed) }
        secure.peerKey = x
        secure.secret = SecretKey(secret)
        if hasPeerData {
            guard let data = policy.outOfBand.peer, (try? data.fits(x)) == true else {
                return fail(.confirmValueFailed)
            }
        }
        agreeOnPasskey()
    }

    // The passkey bit of this round as an input of f4; 0 without a passkey.
    private var roundValue: UInt8 {
        guard case .passkey = method else { return 0 }
        return 0x80 | sharedValue[15 - round / 8] >> UInt8(round % 8) & 1
    }

    /// Starts the exchange of confirm values, or its next round.
    mutating func beginRound() {
        if method == .outOfBand {
            // The out of band data has already confirmed both public keys.
            expected = [.pairingRandom]
            if isInitiator { send(.pairingRandom, ownNonce) }
            return
        }
        let hasPasskey = method.isPasskey
        expected = isInitiator || hasPasskey ? [.pairingConfirm] : [.pairingRandom]
        // Without a passkey only the responder confirms; with a passkey the initiator starts.
        if hasPasskey == isInitiator { sendSecureConfirm() }
    }

    private mutating func sendSecureConfirm() {
        compute { pairing throws(CryptoError) in
            pairing.send(
                .pairingConfirm,
                try PairingFunctions.f4(
                    u: pairing.secure.ownKey, v: pairing.secure.peerKey, random: pairing.ownNonce,
                    z: pairing.roundValue))
        }
    }

    mutating func takeSecureConfirm(_ value: [UInt8]) {
        peerConfirm = value
        expected = [.pairingRandom]
        if isInitiator { send(.pairingRandom, ownNonce) } else { sendSecureConfirm() }
    }

    mutating func takeSecureRandom(_ value: [UInt8]) {
        peerNonce = value
        compute { pairing throws(CryptoError) in
            if pairing.isInitiator && pairing.method != .outOfBand || pairing.method.isPasskey {
                let expected = try PairingFunctions.f4(
                    u: pairing.secure.peerKey, v: pairing.secure.ownKey, random: value,
                    z: pairing.roundValue)
                guard ConstantTime.equal(expected, pairing.peerConfirm) else {
                    return pairing.fail(.confirmValueFailed)
                }
            }
            if !pairing.isInitiator { pairing.send(.pairingRandom, pairing.ownNonce) }
            if pairing.method.isPasskey, pairing.round + 1 < Self.rounds {
                pairing.round += 1
                return pairing.beginRound()
            }
            pairing.expected = [.pairingDHKeyCheck]
            guard pairing.method == .numericComparison else { return pairing.compared() }
            let (first, second) = pairing.ordered(pairing.secure.ownKey, pairing.secure.peerKey)
            let nonces = pairing.ordered(pairing.ownNonce, value)
            pairing.ask(
                .compare(
                    try PairingFunctions.g2(
                        u: first, v: second, initiator: nonces.0, responder: nonces.1)))
        }
    }

    /// Returns the initiator's value, followed by the responder's.
    private func ordered<Value>(_ own: Value, _ peer: Value) -> (Value, Value) {
        isInitiator ? (own, peer) : (peer, own)
    }

    /// Continues with the checks; the initiator sends its check first.
    mutating func compared() {
        compute { pairing throws(CryptoError) in
            let own = (random: pairing.ownNonce, address: Self.octets(pairing.own))
            let peer = (random: pairing.peerNonce, address: Self.octets(pairing.peer))
            let (initiator, responder) = pairing.ordered(own, peer)
            let keys = try PairingFunctions.f5(
                secret: pairing.secure.secret.octets, initiator: initiator, responder: responder)
            pairing.secure.checkKey = SecretKey(keys.check)
            pairing.secure.longTermKey = SecretKey(keys.longTerm)
            if pairing.isInitiator { try pairing.sendCheck() }
        }
    }

    private func check(byPeer: Bool) throws(CryptoError) -> [UInt8] {
        guard let features else { throw .inputLength(0) }
        let own = (random: ownNonce, address: Self.octets(own))
        let peer = (random: peerNonce, address: Self.octets(peer))
        let side = byPeer == isInitiator ? features.response : features.request
        return try PairingFunctions.f6(
            key: secure.checkKey.octets, sender: byPeer ? peer : own, receiver: byPeer ? own : peer,
            value: checkValue(byPeer: byPeer), capabilities: side.capabilities)
    }

    // Each side proves that it has the other's random value; a side that received none uses 0.
    private func checkValue(byPeer: Bool) -> [UInt8] {
        if method.isPasskey { return sharedValue }
        let own = peerHasData ? policy.outOfBand.own?.data.random : nil
        let peer = hasPeerData ? policy.outOfBand.peer?.random : nil
        return (byPeer ? own : peer)?.octets ?? [UInt8](repeating: 0, count: 16)
    }

    private mutating func sendCheck() throws(CryptoError) {
        send(.pairingDHKeyCheck, try check(byPeer: false))
    }

    mutating func takeCheck(_ value: [UInt8]) {
        compute { pairing throws(CryptoError) in
            guard ConstantTime.equal(value, try pairing.check(byPeer: true)) else {
                return pairing.fail(.dhKeyCheckFailed)
            }
            if !pairing.isInitiator { try pairing.sendCheck() }
            pairing.agree(on: pairing.secure.longTermKey.octets)
        }
    }
}

extension PairingFeatures.Method {
    var isPasskey: Bool { if case .passkey = self { true } else { false } }
}
