import BluetoothCore
import Crypto
import WireBytes

// The keys that both sides exchange when the link has been encrypted.

extension Pairing {
    /// Starts the distribution of keys; the responder sends its keys first.
    ///
    /// Source: Core Specification, Vol 3, Part H, 2.4.3 and 3.6.1.
    mutating func beginKeys() {
        guard let features else { return }
        if features.isSecure {
            bond.asCentral = key
            bond.asPeripheral = key
        }
        let fromPeer = isInitiator ? features.responderKeys : features.initiatorKeys
        expected = []
        if fromPeer.contains(.encryption) { expected += [.encryptionInformation, .centralIdentification] }
        if fromPeer.contains(.identity) { expected += [.identityInformation, .identityAddressInformation] }
        if fromPeer.contains(.signature) { expected.append(.signingInformation) }
        if !isInitiator { sendKeys() }
        if expected.isEmpty { keysTaken() }
    }

    mutating func keysTaken() {
        guard !takesPlace(of: bond.peer) else { return ask(.replaceBond) }
        if isInitiator { sendKeys() }
        finish()
    }

    private mutating func sendKeys() {
        guard let features else { return }
        let keys = isInitiator ? features.initiatorKeys : features.responderKeys
        if keys.contains(.encryption) {
            let size = Int(features.keySize)
            let octets = [UInt8](repeating: 0, count: 16 - size) + randomness.longTermKey.octets.suffix(size)
            let longTerm = LongTermKey(SecretKey(octets), ediv: randomness.ediv, rand: randomness.rand)
            // The sender uses this key as the peripheral.
            bond.asPeripheral = longTerm
            send(.encryptionInformation, octets)
            send(
                [SMPCode.centralIdentification.rawValue] + Self.littleEndian(UInt64(longTerm.ediv), 2)
                    + Self.littleEndian(longTerm.rand, 8))
        }
        if keys.contains(.identity), let identityKey = policy.identityKey {
            send(.identityInformation, identityKey.octets)
            send(
                [SMPCode.identityAddressInformation.rawValue, identity.hciType] + identity.octets.reversed())
        }
    }

    private static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// Handles one of the keys that the peer sends.
    mutating func takeKey(_ code: SMPCode, _ octets: [UInt8]) {
        expected.removeAll { $0 == code }
        let value = Array(octets[1...])
        switch code {
        case .encryptionInformation: bond.asCentral = LongTermKey(SecretKey(value.reversed()))
        case .centralIdentification:
            bond.asCentral?.ediv = UInt16(value[0]) | UInt16(value[1]) << 8
            bond.asCentral?.rand = value[2..<10].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        case .identityInformation:
            // A device without private addresses may send a key of zeros, which is no identity.
            if value.contains(where: { $0 != 0 }) { bond.identityKey = SecretKey(value.reversed()) }
        case .identityAddressInformation:
            guard let address = SMPTable.identityAddress(in: octets.borrowedOctets), address.isIdentity else {
                return fail(.invalidParameters)
            }
            bond.peer = address
        default: break
        }
        if expected.isEmpty { keysTaken() }
    }
}
