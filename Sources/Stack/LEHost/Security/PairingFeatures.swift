import BluetoothCore

/// The features that both sides of a pairing have announced, and what follows from them.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.1 and 3.5.1.
public struct PairingFeatures: Hashable, Sendable {
    /// The authentication method of a pairing.
    public enum Method: Hashable, Sendable {
        /// Nothing is shown or entered.
        case justWorks
        /// Both sides show a number, and a person confirms that it is the same.
        case numericComparison
        /// A passkey that the initiator, the responder or neither side shows; a side that does not show it
        /// enters it.
        case passkey(initiatorShows: Bool, responderShows: Bool)
        /// Data exchanged out of band.
        case outOfBand

    }

    struct KeyDistribution: OptionSet, Hashable, Sendable {
        var rawValue: UInt8

        static let encryption = KeyDistribution(rawValue: 1)
        static let identity = KeyDistribution(rawValue: 2)
        static let signature = KeyDistribution(rawValue: 4)
    }

    /// Pairing Request or Pairing Response: 7 bytes, as sent.
    struct Side: Hashable, Sendable {
        var octets: [UInt8]

        init?(_ octets: [UInt8]) {
            guard octets.count == 7 else { return nil }
            self.octets = octets
        }

        var ioCapability: IOCapability? { IOCapability(rawValue: octets[1]) }
        var hasOutOfBandData: Bool { octets[2] == 1 }
        var bonds: Bool { octets[3] & 3 == 1 }
        var needsProtection: Bool { octets[3] & 4 != 0 }
        var isSecure: Bool { octets[3] & 8 != 0 }
        var keySize: UInt8 { octets[4] }
        var initiatorKeys: KeyDistribution { KeyDistribution(rawValue: octets[5]) }
        var responderKeys: KeyDistribution { KeyDistribution(rawValue: octets[6]) }
        /// Whether each field has a valid value.
        var isValid: Bool {
            ioCapability != nil && octets[2] <= 1 && octets[3] & 3 <= 1 && (7...16).contains(keySize)
        }
        /// The capabilities as an input of f6.
        var capabilities: [UInt8] { [octets[3], octets[2], octets[1]] }
    }

    let request: Side
    let response: Side

    init(request: Side, response: Side) {
        self.request = request
        self.response = response
    }

    /// Creates the features of a pairing; nil if a field has an invalid value.
    ///
    /// - Parameters:
    ///   - request: a Pairing Request, 7 bytes.
    ///   - response: the Pairing Response to it, 7 bytes.
    public init?(request: [UInt8], response: [UInt8]) {
        guard let request = Side(request), let response = Side(response), request.isValid, response.isValid
        else { return nil }
        self.init(request: request, response: response)
    }

    /// Whether it is LE Secure Connections, and not legacy pairing.
    public var isSecure: Bool { request.isSecure && response.isSecure }
    /// Whether a man in the middle would be noticed. The passkey of legacy pairing can be found by trial
    /// within seconds, in time to continue the pairing with it.
    var isAuthenticated: Bool { isSecure ? method != .justWorks : method == .outOfBand }
    /// Whether both sides keep a bond.
    public var bonds: Bool { request.bonds && response.bonds }
    /// Length of the key in bytes.
    public var keySize: UInt8 { min(request.keySize, response.keySize) }
    var initiatorKeys: KeyDistribution { distribution(request.initiatorKeys, response.initiatorKeys) }
    var responderKeys: KeyDistribution { distribution(request.responderKeys, response.responderKeys) }

    /// Whether the responder requests the same keys from the initiator; only keys that this host can handle
    /// count.
    public func asksForSameKeys(as other: PairingFeatures) -> Bool {
        initiatorKeys.symmetricDifference(other.initiatorKeys).isDisjoint(with: [.encryption, .identity])
    }

    private func distribution(_ asked: KeyDistribution, _ granted: KeyDistribution) -> KeyDistribution {
        let keys = asked.intersection(granted)
        // With LE Secure Connections, both sides have already computed the long term key.
        return isSecure ? keys.subtracting(.encryption) : keys
    }

    /// Returns the codes of the PDUs that one side sends in a successful pairing, in order.
    ///
    /// Without Security Request and Keypress Notification (Vol 3, Part H, 2.3.5 and 3.6.1).
    public func codes(ofInitiator isInitiator: Bool) -> [SMPCode] {
        var codes: [SMPCode] = [isInitiator ? .pairingRequest : .pairingResponse]
        if isSecure { codes.append(.pairingPublicKey) }
        switch method {
        case .passkey where isSecure:
            codes += (0..<20).flatMap { _ in [SMPCode.pairingConfirm, .pairingRandom] }
        case .justWorks where isSecure && isInitiator, .numericComparison where isSecure && isInitiator,
            .outOfBand where isSecure:
            codes.append(.pairingRandom)
        default: codes += [.pairingConfirm, .pairingRandom]
        }
        if isSecure { codes.append(.pairingDHKeyCheck) }
        let keys = isInitiator ? initiatorKeys : responderKeys
        if keys.contains(.encryption) { codes += [.encryptionInformation, .centralIdentification] }
        if keys.contains(.identity) { codes += [.identityInformation, .identityAddressInformation] }
        if keys.contains(.signature) { codes.append(.signingInformation) }
        return codes
    }

    /// The authentication method.
    public var method: Method {
        let hasData = (request.hasOutOfBandData, response.hasOutOfBandData)
        if isSecure ? hasData.0 || hasData.1 : hasData.0 && hasData.1 { return .outOfBand }
        guard request.needsProtection || response.needsProtection,
            let initiator = request.ioCapability, let responder = response.ioCapability
        else { return .justWorks }
        let initiatorShows = Method.passkey(initiatorShows: true, responderShows: false)
        let responderShows = Method.passkey(initiatorShows: false, responderShows: true)
        let compares: (Method) -> Method = { isSecure ? .numericComparison : $0 }
        return switch (initiator, responder) {
        case (.noInputNoOutput, _), (_, .noInputNoOutput): .justWorks
        case (.displayOnly, .displayOnly), (.displayOnly, .displayYesNo), (.displayYesNo, .displayOnly):
            .justWorks
        case (.displayYesNo, .displayYesNo): compares(.justWorks)
        case (.displayYesNo, .keyboardDisplay), (.keyboardDisplay, .keyboardDisplay):
            compares(initiatorShows)
        case (.keyboardDisplay, .displayYesNo): compares(responderShows)
        case (.keyboardOnly, .keyboardOnly): .passkey(initiatorShows: false, responderShows: false)
        case (_, .keyboardOnly), (.displayOnly, .keyboardDisplay): initiatorShows
        case (.keyboardOnly, _), (.keyboardDisplay, .displayOnly): responderShows
        }
    }

    /// Returns the features that a host announces in a Pairing Request or Response.
    static func side(_ code: SMPCode, _ policy: SecurityPolicy, answering request: Side? = nil) -> Side? {
        let bonds = policy.bonds && request?.bonds != false
        // Some devices exchange keys without bonding, and a replay follows its log.
        var keys: KeyDistribution = bonds || policy.features != nil ? [.encryption, .identity] : []
        var ownKeys = keys
        if policy.identityKey == nil { ownKeys.remove(.identity) }
        if request != nil { swap(&keys, &ownKeys) }
        // From here on, `ownKeys` are the keys of the initiator.
        if let features = policy.features, features.count == 6 {
            let initiator = ownKeys.intersection(request?.initiatorKeys ?? ownKeys)
            let responder = keys.intersection(request?.responderKeys ?? keys)
            return Side(
                [code.rawValue] + features[..<4]
                    + [features[4] & initiator.rawValue, features[5] & responder.rawValue])
        }
        let flags =
            (bonds ? 1 : 0)
            | (policy.wantsAuthentication ? 4 : 0)
            | (policy.offersSecureConnections ? 8 : 0)
        let initiator = request.map { ownKeys.intersection($0.initiatorKeys) } ?? ownKeys
        let responder = request.map { keys.intersection($0.responderKeys) } ?? keys
        // With LE Secure Connections, the flag says whether this side has the peer's data.
        let isSecure = policy.offersSecureConnections && request?.isSecure != false
        let hasData = isSecure ? policy.outOfBand.peer != nil : policy.outOfBandKey != nil
        return Side([
            code.rawValue, policy.ioCapability.rawValue, hasData ? 1 : 0, UInt8(flags), 16,
            initiator.rawValue, responder.rawValue,
        ])
    }
}
