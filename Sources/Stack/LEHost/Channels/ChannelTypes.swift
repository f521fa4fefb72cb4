public import BluetoothCore

/// Identifies a credit-based channel; unlike its CIDs, it is never reused on its link.
public struct ChannelID: Hashable, Sendable {
    public var link: LinkID
    public var number: UInt32

    public init(link: LinkID, number: UInt32) {
        self.link = link
        self.number = number
    }
}

/// Identifies a request to open a channel; chosen by the caller.
public struct ChannelToken: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The receive parameters of one side of a channel.
///
/// Source: Core Specification, Vol 3, Part A, 4.22.
public struct ChannelParameters: Hashable, Sendable {
    /// The longest SDU in bytes (23 to 65535).
    public let mtu: UInt16
    /// The longest K-frame payload in bytes (23 to 65533).
    ///
    /// With 247, a K-frame fills a Link Layer PDU of 251.
    public let mps: UInt16
    /// Number of K-frames that the peer may send before the application has consumed their SDUs (1 to 65535).
    public let credits: UInt16

    /// Creates parameters; values out of range are clamped.
    public init(mtu: UInt16 = 2048, mps: UInt16 = 247, credits: UInt16 = 32) {
        self.mtu = max(23, mtu)
        self.mps = min(max(23, mps), 65533)
        self.credits = max(1, credits)
    }
}

/// A service for which peers may open channels, with its requirements.
///
/// Source: Core Specification, Vol 3, Part A, 4.22; Part C, 10.3.
public struct ChannelListener: Hashable, Sendable {
    /// The SPSM: 0x01 to 0x7F are assigned to services, ``LEHost/freeSPSM`` allocates 0x80 to 0xFF.
    public var spsm: UInt16
    public var parameters: ChannelParameters
    /// Whether the link must be encrypted.
    public var needsEncryption = false
    /// Whether the link's key must protect against a man in the middle.
    public var needsAuthentication = false
    /// Minimum key length of an encrypted link in bytes (7 to 16).
    public var minimumKeySize: UInt8 = 7
    /// Devices that may open a channel; nil for all.
    public var peers: [DeviceAddress]?

    public init(spsm: UInt16, parameters: ChannelParameters = ChannelParameters()) {
        self.spsm = spsm
        self.parameters = parameters
    }
}

/// An open channel.
public struct L2CAPChannel: Hashable, Sendable {
    public var id: ChannelID
    /// The service.
    public var spsm: UInt16
    /// Whether this side requested the channel.
    public var isInitiator: Bool
    /// This side's endpoint.
    public var cid: L2CAPChannelID
    /// The peer's endpoint.
    public var peerCID: L2CAPChannelID
    /// The longest SDU that the peer can receive, in bytes.
    public var peerMTU: UInt16
    /// The longest K-frame payload that the peer can receive, in bytes.
    public var peerMPS: UInt16
}

/// A request of the application about channels.
public enum ChannelRequest: Hashable, Sendable {
    /// Opens a channel to a service of the peer.
    ///
    /// Ends with ``ChannelEvent/opened(_:_:)`` or ``ChannelEvent/openFailed(_:_:_:)``.
    case open(spsm: UInt16, ChannelParameters, ChannelToken, on: LinkID)
    /// Lets peers open channels to a service, or changes the service's requirements.
    case listen(ChannelListener)
    /// Stops letting peers open channels to a service; open channels stay open.
    case stopListening(spsm: UInt16)
    /// Sends an SDU; see ``LEHost/canSend(on:)``.
    case send([UInt8], on: ChannelID)
    /// Reports that the application has consumed this many SDUs, oldest first, so the peer may send more.
    case consumed(Int, on: ChannelID)
    /// Closes a channel when its queued data has been sent, but after 10 s at the latest.
    case close(ChannelID)
}

/// An event of a channel.
public enum ChannelEvent: Hashable, Sendable {
    /// A channel is open; there is no token if the peer requested the channel.
    case opened(L2CAPChannel, ChannelToken?)
    case openFailed(LinkID, ChannelToken, ChannelFailure)
    /// The peer has sent an SDU; ``ChannelRequest/consumed(_:on:)`` makes room for others.
    case received(ChannelID, [UInt8])
    /// A channel that was full accepts an SDU again.
    case ready(ChannelID)
    /// An SDU was not sent: the channel is closed or full, or the SDU is longer than the peer's MTU.
    case dropped(ChannelID)
    /// A channel has ended; no further events follow.
    case closed(ChannelID, ChannelEnd)
}

/// Reason why a channel was not opened.
public enum ChannelFailure: Error, Hashable, Sendable {
    /// The peer refused, with this result (Vol 3, Part A, 4.23).
    case refused(L2CAPCreditBasedResult)
    /// The peer does not know the command, or considers it invalid.
    case rejected(L2CAPRejectReason)
    /// The peer did not answer within 10 s.
    case timedOut
    /// The link is gone.
    case disconnected
    /// The peer's answer is invalid.
    case malformedResponse
    /// This side already has its maximum number of channels.
    case noResources
}

/// Reason why a channel ended.
public enum ChannelEnd: Hashable, Sendable {
    /// This side's application closed it.
    case closed
    case closedByPeer
    /// The link is gone.
    case disconnected
    /// The peer broke a rule of the channel, and this side closed it.
    case violation(ChannelViolation)
}

/// A protocol violation of a peer on a channel.
///
/// Source: Core Specification, Vol 3, Part A, 3.4.3, 4.24 and 10.1.
public enum ChannelViolation: Hashable, Sendable {
    /// A K-frame without a credit.
    case noCredit
    /// A K-frame longer than this side's MPS.
    case frameTooLong
    /// An SDU longer than this side's MTU.
    case sduTooLong
    /// More bytes than the SDU's length.
    case sduOverrun
    /// A first K-frame too short for the SDU's length field.
    case missingLength
    /// More than 65535 credits.
    case creditOverflow
}
