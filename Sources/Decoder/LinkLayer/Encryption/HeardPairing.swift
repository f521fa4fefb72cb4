import BluetoothCore
import Crypto

/// A pairing as it was heard on the air.
///
/// Values are most significant byte first. Source: Core Specification, Vol 3, Part H, 2.3.5 and 3.5.
struct HeardPairing: Sendable {
    struct Side: Sendable {
        var confirm: [UInt8]?
        /// The last random number: with a passkey, LE Secure Connections has one in each of 20 rounds.
        var random: [UInt8]?
        var randoms = 0
        var publicKey: (x: [UInt8], y: [UInt8])?
        /// Keys that wait for the PDU that names them.
        var longTermKey: SecretKey?
        var identityKey: SecretKey?
    }

    /// Both features PDUs as they were sent, code first.
    private var request: [UInt8]?
    private var response: [UInt8]?
    private var initiator = Side()
    private var responder = Side()

    /// Whether LE Secure Connections is in use.
    var isSecure: Bool { initiator.publicKey != nil || responder.publicKey != nil }
    var isHeard: Bool { request != nil || response != nil || initiator.random != nil || isSecure }
    /// Whether both sides have out-of-band data, so that legacy pairing uses it.
    var isOutOfBand: Bool { request?[2] == 1 && response?[2] == 1 }

    /// The size of keys in bytes.
    private var keySize: Int {
        Int(min(max(min(request?[4] ?? 16, response?[4] ?? 16), 7), 16))
    }

    /// Takes a PDU of the pairing; those of another length than theirs are ignored.
    mutating func receive(_ octets: [UInt8], fromInitiator: Bool, senderIsCertain: Bool) {
        guard let code = octets.first.map(SMPCode.init(rawValue:)) else { return }
        let fromInitiator = senderIsCertain ? fromInitiator : isNextOfInitiator(code) ?? fromInitiator
        let value = Array(octets.dropFirst().reversed())
        switch (code, octets.count) {
        case (.pairingRequest, 7):
            self = HeardPairing()
            request = octets
        case (.pairingResponse, 7): response = octets
        case (.pairingFailed, _): self = HeardPairing()
        case (.pairingConfirm, 17): withSide(fromInitiator) { $0.confirm = value }
        case (.pairingRandom, 17):
            withSide(fromInitiator) {
                $0.random = value
                $0.randoms &+= 1
            }
        case (.pairingPublicKey, 65):
            withSide(fromInitiator) { $0.publicKey = (Array(value[32...]), Array(value[..<32])) }
        case (.encryptionInformation, 17): withSide(fromInitiator) { $0.longTermKey = SecretKey(value) }
        case (.identityInformation, 17): withSide(fromInitiator) { $0.identityKey = SecretKey(value) }
        default: break
        }
    }

    /// Whether the initiator is the sender of the next PDU of a kind, according to the order of the pairing;
    /// nil if that does not tell.
    private func isNextOfInitiator(_ code: SMPCode) -> Bool? {
        switch code {
        case .pairingConfirm: initiator.confirm == nil
        case .pairingRandom: initiator.randoms <= responder.randoms
        case .pairingPublicKey: initiator.publicKey == nil
        default: nil
        }
    }

    /// Returns the key that a PDU completes, if it is one that names a key.
    mutating func distributed(
        _ octets: [UInt8], by device: DeviceAddress?, to peer: DeviceAddress?, fromInitiator: Bool
    ) -> LinkKeys.Learned? {
        switch (octets.first.map(SMPCode.init(rawValue:)), octets.count) {
        case (.centralIdentification, 11):
            guard let key = withSide(fromInitiator, { $0.longTermKey.take() }) else { return nil }
            let names = LinkKeys.Diversifier(
                ediv: UInt16(octets[1]) | UInt16(octets[2]) << 8, rand: octets[3...].littleEndianValue)
            return LinkKeys.Learned(kind: .longTerm(names), key: key, device: device, peer: peer)
        case (.identityAddressInformation, 8):
            guard let key = withSide(fromInitiator, { $0.identityKey.take() }) else { return nil }
            let identity = DeviceAddress(octets[2...].littleEndianValue, octets[1] == 1 ? .random : .public)
            return LinkKeys.Learned(kind: .identity, key: key, device: identity, peer: peer)
        default: return nil
        }
    }

    @discardableResult
    private mutating func withSide<R>(_ isInitiator: Bool, _ body: (inout Side) -> R) -> R {
        isInitiator ? body(&initiator) : body(&responder)
    }

    /// Returns a key with its most significant bytes zeroed down to the size agreed.
    ///
    /// Source: Vol 3, Part H, 2.3.4.
    func reduced(_ key: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 16 - keySize) + key.suffix(keySize)
    }

    /// The bits of a key that remain after ``reduced(_:)``.
    var keyMask: AESKeyTrial.Block { .init(bytes: reduced([UInt8](repeating: 0xFF, count: 16))) }

    // MARK: Legacy pairing

    /// The plaintext of s1, from which a temporary key makes the Short Term Key; nil if a random number was
    /// not heard.
    var shortTermInput: [UInt8]? {
        guard !isSecure, let first = responder.random, let second = initiator.random else { return nil }
        return Array(first.suffix(8) + second.suffix(8))
    }

    /// A confirm value and the inputs of c1 that led to it, but for the temporary key; nil if one of them was
    /// not heard.
    func confirmation(_ central: DeviceAddress?, _ peripheral: DeviceAddress?) -> Confirmation? {
        guard !isSecure, let request, let response, let central, let peripheral else { return nil }
        let whole = [initiator, responder].lazy.compactMap { side -> Confirmation? in
            guard let confirm = side.confirm, let random = side.random else { return nil }
            return Confirmation(
                confirm: confirm, random: random, request: request.reversed(), response: response.reversed(),
                initiator: central.pairingInput, responder: peripheral.pairingInput)
        }
        return whole.first
    }

    // MARK: LE Secure Connections

    /// Whether nothing but a private key is missing.
    func hasWholeExchange(_ central: DeviceAddress?, _ peripheral: DeviceAddress?) -> Bool {
        initiator.publicKey != nil && responder.publicKey != nil && initiator.random != nil
            && responder.random != nil && central != nil && peripheral != nil
    }

    /// Returns the Long Term Key if one of the private keys belongs to a side.
    func longTermKey(
        _ keys: [LinkKeys.PrivateKey], _ central: DeviceAddress?, _ peripheral: DeviceAddress?
    ) -> (key: SecretKey, origin: LinkKeys.Origin)? {
        guard let first = initiator.random, let second = responder.random, let central, let peripheral,
            let own = initiator.publicKey, let other = responder.publicKey
        else { return nil }
        for key in keys {
            guard let point = key.x == own.x ? other : key.x == other.x ? own : nil,
                let secret = try? P256.sharedSecret(privateKey: key.key.octets, x: point.x, y: point.y),
                let pair = try? PairingFunctions.f5(
                    secret: secret, initiator: (first, central.pairingInput),
                    responder: (second, peripheral.pairingInput))
            else { continue }
            return (SecretKey(reduced(pair.longTerm)), key.origin)
        }
        return nil
    }
}

extension DeviceAddress {
    var pairingInput: PairingFunctions.Address { [withPlainKind.kind == .random ? 1 : 0] + octets }
}

extension Sequence where Element == UInt8 {
    /// The bytes as a number, least significant first.
    var littleEndianValue: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
