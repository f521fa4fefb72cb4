/// Input and output capabilities of a device.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.2.
public enum IOCapability: UInt8, Hashable, Sendable, CaseIterable {
    case displayOnly = 0
    case displayYesNo = 1
    case keyboardOnly = 2
    case noInputNoOutput = 3
    case keyboardDisplay = 4
}

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

    /// The kinds of keys that a side distributes.
    public struct KeyDistribution: OptionSet, Hashable, Sendable {
        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let encryption = KeyDistribution(rawValue: 1)
        public static let identity = KeyDistribution(rawValue: 2)
        public static let signature = KeyDistribution(rawValue: 4)
    }

    /// Pairing Request or Pairing Response: 7 bytes, as sent.
    public struct Side: Hashable, Sendable {
        /// The PDU, its code first.
        public var octets: [UInt8]

        /// Creates a side's features; nil for another number of bytes than 7.
        public init?(_ octets: [UInt8]) {
            guard octets.count == 7 else { return nil }
            self.octets = octets
        }

        /// Its capability to show and to take values; nil for a reserved value.
        public var ioCapability: IOCapability? { IOCapability(rawValue: octets[1]) }
        /// Whether it has data from out of band.
        public var hasOutOfBandData: Bool { octets[2] == 1 }
        /// Whether it keeps a bond.
        public var bonds: Bool { octets[3] & 3 == 1 }
        /// Whether it asks for protection against a man in the middle.
        public var needsProtection: Bool { octets[3] & 4 != 0 }
        /// Whether it can do LE Secure Connections.
        public var isSecure: Bool { octets[3] & 8 != 0 }
        /// Maximum length of the key in bytes.
        public var keySize: UInt8 { octets[4] }
        /// The keys that the initiator may distribute.
        public var initiatorKeys: KeyDistribution { KeyDistribution(rawValue: octets[5]) }
        /// The keys that the responder may distribute.
        public var responderKeys: KeyDistribution { KeyDistribution(rawValue: octets[6]) }
        /// Whether each field has a valid value.
        public var isValid: Bool { fault == nil }
        /// The first field with an invalid value, with that and the valid values; nil without one.
        public var fault: String? {
            if ioCapability == nil { return "IO Capability is \(octets[1]) (0 to 4)" }
            if octets[2] > 1 { return "OOB data flag is \(octets[2]) (0 or 1)" }
            if octets[3] & 3 > 1 { return "Bonding_Flags is \(octets[3] & 3) (0 or 1)" }
            return (7...16).contains(keySize) ? nil : "Maximum Encryption Key Size is \(keySize) (7 to 16)"
        }
        /// The capabilities as an input of f6.
        public var capabilities: [UInt8] { [octets[3], octets[2], octets[1]] }
    }

    /// The Pairing Request.
    public let request: Side
    /// The Pairing Response to it.
    public let response: Side

    /// Creates the features of a pairing from both sides', whose fields may be invalid.
    public init(request: Side, response: Side) {
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
    public var isAuthenticated: Bool { isSecure ? method != .justWorks : method == .outOfBand }
    /// Whether both sides keep a bond.
    public var bonds: Bool { request.bonds && response.bonds }
    /// Length of the key in bytes.
    public var keySize: UInt8 { min(request.keySize, response.keySize) }
    /// The keys that the initiator distributes.
    public var initiatorKeys: KeyDistribution { distribution(request.initiatorKeys, response.initiatorKeys) }
    /// The keys that the responder distributes.
    public var responderKeys: KeyDistribution { distribution(request.responderKeys, response.responderKeys) }

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
}
