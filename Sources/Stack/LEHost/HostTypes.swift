public import BluetoothCore

/// Identifies a link; unlike the controller's connection handle, it is never reused.
public struct LinkID: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Configuration of a host before it is powered on.
public struct HostConfiguration: Hashable, Sendable {
    /// A static random address to use instead of the controller's public one.
    ///
    /// If it is nil and the controller has no public address, the bring-up fails.
    public var staticAddress: DeviceAddress?
    /// The ATT_MTU offered to a server right after connecting, in bytes; nil leaves it to the application.
    public var clientMTU: UInt16? = 517
    /// Parameters of new links.
    public var connection = ConnectionParameters()
    /// Number of a link's PDUs without response that may wait for the controller until the link counts as
    /// full.
    public var writeCommandLimit = 16
    /// Maximum number of a link's credit-based channels (up to 64).
    public var channelLimit = 16
    /// Parameters that a peripheral may request.
    public var rules = ConnectionParameters.Rules.specification
    /// Whether new links get the longest Link Layer payloads that the controller supports.
    public var requestsDataLength = true
    /// Whether a central requests LE 2M on new links: faster, with less range.
    public var requests2M = false
    /// Whether the attributes of a server that is bonded or has a Database Hash are discovered only once, and
    /// again if the hash or Service Changed shows that they changed.
    public var cachesDatabases = false
    /// Pairing policy; nil for a host that refuses to pair.
    public var security: SecurityPolicy?
    /// Bonds from earlier pairings.
    public var bonds: [Bond] = []
    /// Privacy settings; nil for a host without a resolving list, which uses its identity address on the air.
    public var privacy: HostPrivacy?

    public init() {}
}

/// The connection parameters that a central uses.
///
/// Source: Core Specification, Vol 4, Part E, 7.8.12.
public struct ConnectionParameters: Hashable, Sendable {
    /// Shortest connection interval, in steps of 1.25 ms (6 to 3200).
    public var intervalMinUnits: UInt16 = 24
    /// Longest connection interval, in steps of 1.25 ms (6 to 3200).
    public var intervalMaxUnits: UInt16 = 40
    /// Number of connection events that the peripheral may skip (0 to 499).
    public var latency: UInt16 = 0
    /// Supervision timeout, in steps of 10 ms (10 to 3200).
    public var supervisionTimeoutUnits: UInt16 = 420

    public init() {}

    /// Limits on the parameters that a central grants a peripheral.
    public enum Rules: Hashable, Sendable {
        /// All parameters that a controller may accept.
        case specification
        /// The narrower limits of Apple's devices.
        case apple
    }

    /// Whether a central with these rules accepts the parameters.
    public func areAllowed(by rules: Rules) -> Bool { isValid && (rules == .specification || isForApple) }

    // Apple's rules: steps of 15 ms; shortest and longest at least 15 ms apart, or both 15 ms; a latency up
    // to 30; a timeout of 2 to 6 s that is more than three times the silence. Source: Accessory Design
    // Guidelines for Apple Devices, Bluetooth Low Energy, Connection Parameters.
    private var isForApple: Bool {
        let isRange =
            intervalMaxUnits >= intervalMinUnits + 12 || (intervalMinUnits, intervalMaxUnits) == (12, 12)
        return intervalMinUnits >= 12 && intervalMinUnits % 12 == 0 && isRange && latency <= 30
            && (200...600).contains(supervisionTimeoutUnits)
            && UInt32(intervalMaxUnits) * (UInt32(latency) + 1) * 3 < UInt32(supervisionTimeoutUnits) * 8
    }

    /// Creates parameters for a peripheral to request.
    public init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
        intervalMinUnits = intervalMin
        intervalMaxUnits = intervalMax
        self.latency = latency
        supervisionTimeoutUnits = timeout
    }

    /// Whether a controller may accept the parameters: each is in its range, and the timeout is longer than
    /// twice the peripheral's longest silence.
    public var isValid: Bool {
        (6...3200).contains(intervalMinUnits) && (intervalMinUnits...3200).contains(intervalMaxUnits)
            && latency <= 499 && (10...3200).contains(supervisionTimeoutUnits)
            && UInt32(supervisionTimeoutUnits) * 4 > (UInt32(latency) + 1) * UInt32(intervalMaxUnits)
    }
}

/// Parameters of a scan.
///
/// Source: Core Specification, Vol 4, Part E, 7.8.10 and 7.8.11.
public struct ScanParameters: Hashable, Sendable {
    /// Whether scan responses are requested.
    public var isActive = true
    /// Time between the starts of two scans, in steps of 0.625 ms (4 to 16384).
    public var intervalUnits: UInt16 = 0x60
    /// Duration of each scan, in steps of 0.625 ms (4 to the interval).
    public var windowUnits: UInt16 = 0x60
    /// Whether the controller omits devices that it has already reported.
    public var filtersDuplicates = false

    public init() {}
}

/// State of a host.
public enum HostState: Hashable, Sendable {
    /// Not powered on.
    case off
    /// The controller is being set up.
    case starting
    /// Ready to scan and to connect.
    case ready
    /// The controller has failed; powering on starts over.
    case failed(HostFailure)
}

/// Reason why a controller can't be used.
public enum HostFailure: Error, Hashable, Sendable {
    /// The controller refused a command of the bring-up.
    case refused(HCIOpcode, HCIStatus)
    /// The controller did not answer this command within ten seconds, or accepted no commands for twenty.
    case unanswered(HCIOpcode)
    /// The controller reported a hardware error, with a vendor's code.
    case hardware(UInt8)
    /// The controller has no address, and no address was configured.
    case noAddress
    /// The controller has no buffers for LE data.
    case noBuffers
    /// The transport is gone.
    case transport
    /// The controller's answer to a command of the bring-up can't be decoded.
    case malformed(HCIOpcode)
}

/// An input of a host.
public enum HostInput: Sendable {
    /// Sets the controller up.
    case powerOn
    /// Ends all links and resets the controller.
    case powerOff
    /// A packet from the controller.
    case packet(HCIPacket)
    /// The transport has failed.
    case transportFailed
    /// The time ``LEHost/nextDeadline`` has come.
    case timeReached
    /// Starts scanning, or changes the parameters of the scan.
    case startScanning(ScanParameters)
    case stopScanning
    /// Connects to a device when it advertises, however long that takes. Several connections may be pending.
    case connect(DeviceAddress)
    /// Cancels the connection to a device.
    case cancelConnect(DeviceAddress)
    /// Ends a link.
    case disconnect(LinkID, HCIStatus = .remoteUserTerminatedConnection)
    /// Reads a link's signal strength; ``HostEvent/rssi(_:_:_:)`` answers.
    case readRSSI(LinkID)
    /// Requests other parameters of a link, in either role.
    ///
    /// ``HostEvent/parametersChanged(_:_:intervalUnits:latency:timeoutUnits:)`` answers.
    case updateParameters(ConnectionParameters, on: LinkID)
    /// Starts an operation on the server's attributes.
    case perform(GATTOperation, GATTToken, on: LinkID)
    /// Writes a value without response.
    ///
    /// See ``LEHost/canWriteCommand(on:)``.
    case writeCommand(handle: UInt16, [UInt8], on: LinkID)
    /// Replaces the server's attributes, starting with the next request.
    case setDatabase(GATTDatabase)
    /// Replaces all bonds.
    case setBonds([Bond])
    /// Uses these attributes for a server on later links to its address, so that discovery needs no requests;
    /// an empty cache ends that.
    case assume(AttributeCache, of: DeviceAddress)
    /// Encrypts a link, by pairing if there is no bond. A peripheral asks the central to do so.
    case secure(LinkID)
    /// Answers ``HostEvent/pairingAsks(_:_:)``.
    case answerPairing(PairingAnswer, on: LinkID)
    /// Answers ``HostEffect/draw(_:)``; nil if no random numbers are available.
    case pairingRandomness(PairingRandomness?, on: LinkID)
    /// Answers ``HostEffect/drawAddress`` with 3 bytes; nil if no random numbers are available.
    case addressRandomness([UInt8]?)
    /// Sets the out of band data for later pairings; the peer's data is used for one bond.
    case setOutOfBand(OutOfBand)
    /// Sets the policy for later pairings, except for out of band data.
    ///
    /// A host that had neither a policy nor bonds when it was powered on does not learn from its controller
    /// that a central requests its key.
    case setSecurity(SecurityPolicy)
    /// Starts advertising, or changes its parameters.
    case startAdvertising(AdvertisingParameters)
    case stopAdvertising
    /// Answers ``HostEvent/readRequested(_:_:handle:offset:)`` with the bytes from the offset.
    case answerRead(ServerRequestID, Result<[UInt8], ATTErrorCode>, on: LinkID)
    /// Answers ``HostEvent/writeRequested(_:_:_:)``; nil if the value was written.
    case answerWrite(ServerRequestID, ATTErrorCode?, on: LinkID)
    /// Sends a value to the client in the way in which it has subscribed; see ``LEHost/canUpdate(_:on:)``.
    case update(valueHandle: UInt16, [UInt8], on: LinkID)
    /// A request about credit-based channels.
    case channel(ChannelRequest)
}

/// An action that a host requests from its owner.
public enum HostEffect: Hashable, Sendable {
    /// Send a packet to the controller.
    case send(HCIPacket)
    /// Pass an event to the application.
    case event(HostEvent)
    /// Provide random numbers for a pairing on this link.
    case draw(LinkID)
    /// Provide random numbers for a private address of the host.
    case drawAddress
}

/// An event of a host.
public enum HostEvent: Hashable, Sendable {
    case stateChanged(HostState)
    /// The controller started or stopped scanning.
    case scanning(Bool)
    /// The controller refused to scan.
    case scanFailed(HCIStatus)
    case advertisement(Advertisement)
    case connected(Link)
    /// The protection of a link changed.
    case securityChanged(LinkID, LinkSecurity)
    /// A pairing asks a person a question.
    case pairingAsks(LinkID, PairingQuestion)
    /// A pairing that should be protected uses legacy pairing, in which a man in the middle stays unnoticed.
    /// The pairing continues if ``SecurityPolicy/acceptsLegacyPairing`` is set, otherwise it ends.
    case pairingIsLegacy(LinkID, isAccepted: Bool)
    /// Both sides have paired; there is a bond if they keep one.
    case paired(LinkID, Bond?)
    case pairingFailed(LinkID, PairingFailure)
    /// The data stored with the bond of this link's peer has changed: the peer's subscriptions, or a hash.
    case bondChanged(LinkID, Bond)
    /// The hash of a bonded peer's database was read.
    ///
    /// `isKnown` says whether it equals the hash of an earlier link, so that the earlier discovery is still
    /// valid.
    case databaseHash(LinkID, isKnown: Bool)
    /// The attributes that were discovered on an earlier link with a server are no longer valid, although the
    /// hash is unchanged: they must be discovered again.
    case databaseChanged(LinkID)
    /// A bonded peer has lost its key; the link ends.
    case bondLost(LinkID, DeviceAddress)
    /// A connection to a device failed, and is no longer pending.
    case connectFailed(DeviceAddress, HCIStatus)
    /// A link ended, for this reason.
    ///
    /// If a link was never announced but its peer has used the server, this follows ``connectFailed(_:_:)``.
    case disconnected(LinkID, DeviceAddress, HCIStatus)
    /// The link's parameters have changed; if the status is an error, they stayed as they were.
    case parametersChanged(LinkID, HCIStatus, intervalUnits: UInt16, latency: UInt16, timeoutUnits: UInt16)
    /// A link's data length has changed: the longest Link Layer payload in each direction, in bytes.
    case dataLengthChanged(LinkID, tx: Int, rx: Int)
    /// A link's PHYs have changed; if the status is an error, they stayed as they were.
    case phyChanged(LinkID, HCIStatus, tx: LEPHY, rx: LEPHY)
    /// An encrypted link received no authenticated packet for 30 s: the peer may have been replaced.
    case authenticatedPayloadTimedOut(LinkID)
    /// The strength of a link's signal in dBm; 127 if unknown or the command failed.
    case rssi(LinkID, HCIStatus, Int8)
    /// The ATT_MTU of a link, in bytes.
    case mtuChanged(LinkID, Int)
    case finished(LinkID, GATTToken, Result<GATTOutcome, GATTFailure>)
    /// The server has sent a value; an indication is already confirmed.
    case value(LinkID, handle: UInt16, [UInt8], isIndication: Bool)
    /// The controller started or stopped advertising.
    case advertising(Bool)
    /// The controller refused to advertise.
    case advertisingFailed(HCIStatus)
    /// A client reads a value and waits for the answer.
    case readRequested(LinkID, ServerRequestID, handle: UInt16, offset: Int)
    /// A client writes values, and waits for one answer if there is a request ID.
    case writeRequested(LinkID, ServerRequestID?, [ServerWrite])
    /// A client changed its subscription to a characteristic.
    case subscriptionChanged(LinkID, valueHandle: UInt16, GATTClientConfiguration)
    /// A client has confirmed an indication, or has failed to do so within 30 s.
    case indicated(LinkID, valueHandle: UInt16, confirmed: Bool)
    /// A value was not sent: the link is gone or full, or the client is not subscribed.
    case updateDropped(LinkID, valueHandle: UInt16)
    /// A link that was full accepts values without response again.
    case writeCommandReady(LinkID)
    /// A value without response was not sent: the link is gone or full, or the value is too long.
    case writeCommandDropped(LinkID, handle: UInt16)
    /// An event of a credit-based channel.
    case channel(ChannelEvent)
    /// A protocol violation of the controller or of a peer.
    case problem(HostProblem)
}

/// One advertisement or scan response.
public struct Advertisement: Hashable, Sendable {
    /// The advertiser; a bonded device by its identity, whichever address it used.
    public var address: DeviceAddress
    /// Whether the advertisement is the answer to a scan request.
    public var isScanResponse: Bool
    /// Whether the advertiser accepts connections; a scan response does not show that.
    public var isConnectable: Bool
    /// The AD structures.
    public var data: [UInt8]
    /// Signal strength in dBm; 127 if unknown.
    public var rssi: Int8

    public init(
        address: DeviceAddress, isScanResponse: Bool, isConnectable: Bool, data: [UInt8], rssi: Int8
    ) {
        self.address = address
        self.isScanResponse = isScanResponse
        self.isConnectable = isConnectable
        self.data = data
        self.rssi = rssi
    }
}

/// A link with its initial values.
public struct Link: Hashable, Sendable {
    public var id: LinkID
    /// The controller's connection handle.
    public var handle: UInt16
    /// The peer, by the address that was requested; by its identity, if it connected on its own and the
    /// identity is known.
    public var peer: DeviceAddress
    /// Whether this host is the central.
    public var isCentral: Bool
    /// Connection interval, in steps of 1.25 ms.
    public var intervalUnits: UInt16
    /// Number of connection events that the peripheral may skip.
    public var latency: UInt16
    /// Supervision timeout, in steps of 10 ms.
    public var timeoutUnits: UInt16
}

/// A protocol violation of a controller or a peer, after which the host continues.
public enum HostProblem: Hashable, Sendable {
    /// A packet that can't be decoded.
    case malformedPacket(HCIPacketType)
    /// Data for a connection handle without a link.
    case unknownHandle(UInt16)
    /// More packets were completed than the controller held.
    case creditOverrun(handle: UInt16)
    /// An answer without a command.
    case unexpectedAnswer(HCIOpcode)
    /// Fragments that don't form a PDU.
    case reassembly(LinkID)
    /// A violation of the Attribute Protocol by the peer.
    case attribute(LinkID, ATTOpcode)
    /// Data on a channel that is not open.
    case unknownChannel(LinkID, L2CAPChannelID)
    /// The peer sends requests faster than answers can be sent, so the link ends.
    case flood(LinkID)
    /// The controller refused a command.
    case refused(HCIOpcode, HCIStatus)
}
