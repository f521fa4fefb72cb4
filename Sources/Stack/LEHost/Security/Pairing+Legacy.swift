import BluetoothCore
import Crypto

// LE legacy pairing.

extension Pairing {
    /// Returns an address in the form in which pairing functions take it.
    static func octets(_ address: DeviceAddress) -> [UInt8] { [address.hciType] + address.octets }

    private func confirm(_ random: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let features else { throw .inputLength(0) }
        return try PairingFunctions.c1(
            key: sharedValue, random: random, request: features.request.octets.reversed(),
            response: features.response.octets.reversed(),
            initiator: Self.octets(isInitiator ? own : peer), responder: Self.octets(isInitiator ? peer : own)
        )
    }

    /// Starts the exchange of confirm values, when the temporary key is known.
    mutating func beginConfirm() {
        expected = [.pairingConfirm]
        guard isInitiator else { return }
        compute { pairing throws(CryptoError) in
            pairing.send(.pairingConfirm, try pairing.confirm(pairing.ownNonce))
        }
    }

    mutating func takeConfirm(_ value: [UInt8]) {
        peerConfirm = value
        expected = [.pairingRandom]
        if isInitiator { return send(.pairingRandom, ownNonce) }
        compute { pairing throws(CryptoError) in
            pairing.send(.pairingConfirm, try pairing.confirm(pairing.ownNonce))
        }
    }

    mutating func takeRandom(_ value: [UInt8]) {
        compute { pairing throws(CryptoError) in
            // A peer that sends back our own values does not prove that it knows the key.
            let isOwn = ConstantTime.equal(value, pairing.ownNonce)
            guard !isOwn, ConstantTime.equal(try pairing.confirm(value), pairing.peerConfirm) else {
                return pairing.fail(.confirmValueFailed)
            }
            let (initiator, responder) =
                pairing.isInitiator ? (pairing.ownNonce, value) : (value, pairing.ownNonce)
            let key = try PairingFunctions.s1(
                key: pairing.sharedValue, responder: responder, initiator: initiator)
            if !pairing.isInitiator { pairing.send(.pairingRandom, pairing.ownNonce) }
            pairing.agree(on: key)
        }
    }

    /// Encrypts the link with the key, shortened to the agreed length.
    mutating func agree(on octets: [UInt8]) {
        let size = Int(features?.keySize ?? 16)
        let key = LongTermKey(SecretKey([UInt8](repeating: 0, count: 16 - size) + octets.suffix(size)))
        self.key = key
        expected = []
        bond.security.isEncrypted = true
        bond.security.isAuthenticated = features?.isAuthenticated == true
        bond.security.isSecureConnections = isSecure
        bond.security.keySize = UInt8(size)
        if isInitiator { outputs.append(.encrypt(key)) }
    }
}
