public import WireBytes

/// Begins pairing: what the central can do and wants.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.1.
@frozen
public struct SMPPairingRequest: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .pairingRequest }

    /// What the device can show and take in.
    public var ioCapability: SMPIOCapability
    /// 1 where data came to it out of band, else 0.
    public var oobDataPresent: UInt8
    /// What kind of pairing it asks for.
    public var authReq: SMPAuthReq
    /// Octets of the longest key it has, 7 to 16.
    public var maxKeySize: UInt8
    /// The keys that the initiator gives.
    public var initiatorKeys: SMPKeyDistribution
    /// The keys that the responder gives.
    public var responderKeys: SMPKeyDistribution

    @inlinable
    public init() {
        ioCapability = SMPIOCapability(rawValue: 0)
        oobDataPresent = 0
        authReq = []
        maxKeySize = 0
        initiatorKeys = []
        responderKeys = []
    }

    @inlinable
    public init(
        ioCapability: SMPIOCapability, oobDataPresent: UInt8, authReq: SMPAuthReq, maxKeySize: UInt8,
        initiatorKeys: SMPKeyDistribution, responderKeys: SMPKeyDistribution
    ) {
        self.ioCapability = ioCapability
        self.oobDataPresent = oobDataPresent
        self.authReq = authReq
        self.maxKeySize = maxKeySize
        self.initiatorKeys = initiatorKeys
        self.responderKeys = responderKeys
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("IO Capability", &ioCapability, width: 1, SMPIOCapability.meaning)
        try coder.u8(
            "OOB data flag", &oobDataPresent,
            .code(.smpOOBFlag))
        try coder.code("AuthReq", &authReq, width: 1, SMPAuthReq.meaning)
        try coder.u8("Maximum Encryption Key Size", &maxKeySize)
        try coder.code("Initiator Key Distribution", &initiatorKeys, width: 1, SMPKeyDistribution.meaning)
        try coder.code("Responder Key Distribution", &responderKeys, width: 1, SMPKeyDistribution.meaning)
    }
}

/// Answers a Pairing Request: what the peripheral can do and wants.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.2.
@frozen
public struct SMPPairingResponse: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .pairingResponse }

    /// What the device can show and take in.
    public var ioCapability: SMPIOCapability
    /// 1 where data came to it out of band, else 0.
    public var oobDataPresent: UInt8
    /// What kind of pairing it asks for.
    public var authReq: SMPAuthReq
    /// Octets of the longest key it has, 7 to 16.
    public var maxKeySize: UInt8
    /// The keys that the initiator gives.
    public var initiatorKeys: SMPKeyDistribution
    /// The keys that the responder gives.
    public var responderKeys: SMPKeyDistribution

    @inlinable
    public init() {
        ioCapability = SMPIOCapability(rawValue: 0)
        oobDataPresent = 0
        authReq = []
        maxKeySize = 0
        initiatorKeys = []
        responderKeys = []
    }

    @inlinable
    public init(
        ioCapability: SMPIOCapability, oobDataPresent: UInt8, authReq: SMPAuthReq, maxKeySize: UInt8,
        initiatorKeys: SMPKeyDistribution, responderKeys: SMPKeyDistribution
    ) {
        self.ioCapability = ioCapability
        self.oobDataPresent = oobDataPresent
        self.authReq = authReq
        self.maxKeySize = maxKeySize
        self.initiatorKeys = initiatorKeys
        self.responderKeys = responderKeys
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("IO Capability", &ioCapability, width: 1, SMPIOCapability.meaning)
        try coder.u8(
            "OOB data flag", &oobDataPresent,
            .code(.smpOOBFlag))
        try coder.code("AuthReq", &authReq, width: 1, SMPAuthReq.meaning)
        try coder.u8("Maximum Encryption Key Size", &maxKeySize)
        try coder.code("Initiator Key Distribution", &initiatorKeys, width: 1, SMPKeyDistribution.meaning)
        try coder.code("Responder Key Distribution", &responderKeys, width: 1, SMPKeyDistribution.meaning)
    }
}

/// Ends pairing without success.
///
/// Source: Core Specification, Vol 3, Part H, 3.5.5.
@frozen
public struct SMPPairingFailed: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .pairingFailed }

    /// Why.
    public var reason: SMPFailureReason

    @inlinable
    public init() {
        reason = SMPFailureReason(rawValue: 0)
    }

    @inlinable
    public init(reason: SMPFailureReason) {
        self.reason = reason
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("Reason", &reason, width: 1, SMPFailureReason.meaning)
    }
}

/// Asks the central to encrypt the link or to begin pairing.
///
/// Source: Core Specification, Vol 3, Part H, 3.6.7.
@frozen
public struct SMPSecurityRequest: PDUFields, Hashable {
    @inlinable public static var opcode: SMPCode { .securityRequest }

    /// What kind of pairing it asks for.
    public var authReq: SMPAuthReq

    @inlinable
    public init() {
        authReq = []
    }

    @inlinable
    public init(authReq: SMPAuthReq) {
        self.authReq = authReq
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.code("AuthReq", &authReq, width: 1, SMPAuthReq.meaning)
    }
}
