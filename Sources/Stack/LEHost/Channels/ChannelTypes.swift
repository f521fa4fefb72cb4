public import BluetoothCore

/// A credit-based channel by a number of its own: never used again on its link, unlike its CIDs.
public struct ChannelID: Hashable, Sendable {
    public var link: LinkID
    public var number: UInt32

    public init(link: LinkID, number: UInt32) {
        self.link = link
        self.number = number
    }
}

/// Names a request to open a channel; its owner chooses it.
public struct ChannelToken: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What one side of a channel receives.
///
/// Source: Core Specification, Vol 3, Part A, 4.22.
public struct ChannelParameters: Hashable, Sendable {
    /// Bytes of the longest SDU (23 to 65535).
    public let mtu: UInt16
    /// Bytes of the longest K-frame's payload (23 to 65533). 247 fill a Link Layer PDU of 251.
    public let mps: UInt16
    /// K-frames that the peer may send before the application has consumed their SDUs (1 to 65535).
    public let credits: UInt16

    /// Values out of their range become the nearest one in it.
    public init(mtu: UInt16 = 2048, mps: UInt16 = 247, credits: UInt16 = 32) {
        self.mtu = max(23, mtu)
        self.mps = min(max(23, mps), 65533)
        self.credits = max(1, credits)
    }
}

/// A service that peers may open channels to, and what it demands of them.
///
/// Source: Core Specification, Vol 3, Part A, 4.22; Part C, 10.3.
public struct ChannelListener: Hashable, Sendable {
    /// 0x01 to 0x7F are assigned to services, 0x80 to 0xFF are given out by ``LEHost/freeSPSM``.
    public var spsm: UInt16
    public var parameters: ChannelParameters
    /// Whether the link must be encrypted.
    public var needsEncryption = false
    /// Whether the link's key must protect against someone in the middle.
    public var needsAuthentication = false
    /// Octets of the shortest key of an encrypted link (7 to 16).
    public var minimumKeySize: UInt8 = 7
    /// Who may open a channel; nil for everyone.
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
    /// Whether this side asked for it.
    public var isInitiator: Bool
    /// This side's end.
    public var cid: L2CAPChannelID
    /// The peer's end.
    public var peerCID: L2CAPChannelID
    /// Bytes of the longest SDU that the peer receives.
    public var peerMTU: UInt16
    /// Bytes of the longest K-frame's payload that the peer receives.
    public var peerMPS: UInt16
}

/// What an application wants of channels.
public enum ChannelRequest: Hashable, Sendable {
    /// Opens a channel to a service of the peer; ends with ``ChannelEvent/opened(_:_:)`` or
    /// ``ChannelEvent/openFailed(_:_:_:)``.
    case open(spsm: UInt16, ChannelParameters, ChannelToken, on: LinkID)
    /// Lets peers open channels to a service, or changes what it demands.
    case listen(ChannelListener)
    /// Lets no peer open channels to a service any more; those that are open stay.
    case stopListening(spsm: UInt16)
    /// Sends an SDU; see ``LEHost/canSend(on:)``.
    case send([UInt8], on: ChannelID)
    /// The application is done with so many SDUs, oldest first: the peer may send more.
    case consumed(Int, on: ChannelID)
    /// Closes a channel once what it was given is sent, at the latest after 10 s.
    case close(ChannelID)
}

/// News of channels.
public enum ChannelEvent: Hashable, Sendable {
    /// A channel is open; without a token, the peer asked for it.
    case opened(L2CAPChannel, ChannelToken?)
    case openFailed(LinkID, ChannelToken, ChannelFailure)
    /// The peer has sent an SDU; ``ChannelRequest/consumed(_:on:)`` makes room for others.
    case received(ChannelID, [UInt8])
    /// The channel was full and takes an SDU again.
    case ready(ChannelID)
    /// An SDU was not sent: the channel is gone or full, or the SDU is longer than the peer receives.
    case dropped(ChannelID)
    /// A channel has ended; nothing more is told of it.
    case closed(ChannelID, ChannelEnd)
}

/// Why a channel was not opened.
public enum ChannelFailure: Error, Hashable, Sendable {
    /// The peer refused, by a result of the specification (Vol 3, Part A, 4.23).
    case refused(L2CAPCreditBasedResult)
    /// The peer does not know the command, or takes it for invalid.
    case rejected(L2CAPRejectReason)
    /// The peer did not answer within 10 s.
    case timedOut
    /// The link is gone.
    case disconnected
    /// The peer's answer can't be used.
    case malformedResponse
    /// This side has as many channels as it may.
    case noResources
}

/// Why a channel ended.
public enum ChannelEnd: Hashable, Sendable {
    /// This side's application closed it.
    case closed
    case closedByPeer
    /// The link is gone.
    case disconnected
    /// The peer broke a rule of the channel, and this side closed it.
    case violation(ChannelViolation)
}

/// What a peer does on a channel that it must not.
///
/// Source: Core Specification, Vol 3, Part A, 3.4.3, 4.24 and 10.1.
public enum ChannelViolation: Hashable, Sendable {
    /// A K-frame for which it had no credit.
    case noCredit
    /// A K-frame that is longer than this side's MPS.
    case frameTooLong
    /// An SDU that is longer than this side's MTU.
    case sduTooLong
    /// More bytes than the SDU's length announced.
    case sduOverrun
    /// A first K-frame that is too short for the SDU's length.
    case missingLength
    /// More than 65535 credits.
    case creditOverflow
}
