public import BluetoothCore

/// A link by a number of its own: never used again, unlike the controller's connection handle.
public struct LinkID: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// How a host is set up, before it is powered on.
public struct HostConfiguration: Hashable, Sendable {
    /// The address that the host uses in place of the controller's public one: a static random address. Where
    /// it is nil and the controller has no public address, bringing it up fails.
    public var staticAddress: DeviceAddress?
    /// The longest ATT PDU offered to a server right after connecting, in octets; nil to leave it to the
    /// application.
    public var clientMTU: UInt16? = 517
    /// What new links are asked for.
    public var connection = ConnectionParameters()
    /// PDUs without response that one link may have waiting for the controller before it is full.
    public var writeCommandLimit = 16
    /// Credit-based channels that a link may have at once (up to 64).
    public var channelLimit = 16
    /// Which parameters a peripheral may ask for.
    public var rules = ConnectionParameters.Rules.specification
    /// Whether new links are to have the longest Link Layer payloads that the controller has.
    public var requestsDataLength = true
    /// Whether a central asks for LE 2M on new links: faster, with less range.
    public var requests2M = false
    /// How it pairs; nil for a host that refuses to.
    public var security: SecurityPolicy?
    /// What was agreed on with devices before.
    public var bonds: [Bond] = []
    /// How it hides its identity; nil for one that uses its identity address on the air, and no resolving
    /// list.
    public var privacy: HostPrivacy?

    public init() {}
}

/// The connection parameters that a central asks for.
///
/// Source: Core Specification, Vol 4, Part E, 7.8.12.
public struct ConnectionParameters: Hashable, Sendable {
    /// Shortest connection interval, in steps of 1.25 ms (6 to 3200).
    public var intervalMinUnits: UInt16 = 24
    /// Longest connection interval, in steps of 1.25 ms (6 to 3200).
    public var intervalMaxUnits: UInt16 = 40
    /// Connection events that the peripheral may skip (0 to 499).
    public var latency: UInt16 = 0
    /// Supervision timeout, in steps of 10 ms (10 to 3200).
    public var supervisionTimeoutUnits: UInt16 = 420

    public init() {}

    /// What a central lets a peripheral have.
    public enum Rules: Hashable, Sendable {
        /// Whatever a controller may accept.
        case specification
        /// What Apple's devices accept, which is less.
        case apple
    }

    /// Whether a central that goes by these rules accepts the parameters.
    public func areAllowed(by rules: Rules) -> Bool { isValid && (rules == .specification || isForApple) }

    // Steps of 15 ms, 15 ms or more between shortest and longest (or 15 ms both), a latency up to 30, a
    // timeout of 2 to 6 s that holds three times the silence.
    // Source: Accessory Design Guidelines for Apple Devices, Bluetooth Low Energy, Connection Parameters.
    private var isForApple: Bool {
        let isRange =
            intervalMaxUnits >= intervalMinUnits + 12 || (intervalMinUnits, intervalMaxUnits) == (12, 12)
        return intervalMinUnits >= 12 && intervalMinUnits % 12 == 0 && isRange && latency <= 30
            && (200...600).contains(supervisionTimeoutUnits)
            && UInt32(intervalMaxUnits) * (UInt32(latency) + 1) * 3 < UInt32(supervisionTimeoutUnits) * 8
    }

    /// Parameters that a peripheral asks for.
    public init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
        intervalMinUnits = intervalMin
        intervalMaxUnits = intervalMax
        self.latency = latency
        supervisionTimeoutUnits = timeout
    }

    /// Whether a controller may accept them: each in its range, and the timeout longer than twice the time
    /// that the peripheral may be silent.
    public var isValid: Bool {
        (6...3200).contains(intervalMinUnits) && (intervalMinUnits...3200).contains(intervalMaxUnits)
            && latency <= 499 && (10...3200).contains(supervisionTimeoutUnits)
            && UInt32(supervisionTimeoutUnits) * 4 > (UInt32(latency) + 1) * UInt32(intervalMaxUnits)
    }
}

/// How to scan.
///
/// Source: Core Specification, Vol 4, Part E, 7.8.10 and 7.8.11.
public struct ScanParameters: Hashable, Sendable {
    /// Whether scan responses are asked for.
    public var isActive = true
    /// Time from one scan to the next, in steps of 0.625 ms (4 to 16384).
    public var intervalUnits: UInt16 = 0x60
    /// How long each scan lasts, in steps of 0.625 ms (4 to the interval).
    public var windowUnits: UInt16 = 0x60
    /// Whether the controller leaves out what it has reported before.
    public var filtersDuplicates = false

    public init() {}
}

/// Where a host stands.
public enum HostState: Hashable, Sendable {
    /// Not powered on.
    case off
    /// The controller is being set up.
    case starting
    /// Ready to scan and to connect.
    case ready
    /// The controller does not do what it must; powering on begins anew.
    case failed(HostFailure)
}

/// Why a controller is of no use.
public enum HostFailure: Error, Hashable, Sendable {
    /// It refused a command that bringing it up needs.
    case refused(HCIOpcode, HCIStatus)
    /// It did not answer this command within ten seconds, or accepted no commands for twenty.
    case unanswered(HCIOpcode)
    /// It said so itself, by a code of its maker.
    case hardware(UInt8)
    /// It has no address, and none was configured.
    case noAddress
    /// It has no buffers for LE data.
    case noBuffers
    /// The transport has gone.
    case transport
    /// Its answer to a command that bringing it up needs can't be read.
    case malformed(HCIOpcode)
}

/// What goes into a host.
public enum HostInput: Sendable {
    /// Sets the controller up.
    case powerOn
    /// Ends all links and resets the controller.
    case powerOff
    /// A packet from the controller.
    case packet(HCIPacket)
    /// The transport carries no more packets.
    case transportFailed
    /// Time has come to the host's ``LEHost/nextDeadline``.
    case timeReached
    /// Scans, or goes on scanning in another way.
    case startScanning(ScanParameters)
    case stopScanning
    /// Connects to a device when it advertises, however long that takes; several may wait at once.
    case connect(DeviceAddress)
    /// Waits for a device no longer.
    case cancelConnect(DeviceAddress)
    /// Ends a link.
    case disconnect(LinkID, HCIStatus = .remoteUserTerminatedConnection)
    /// Asks the controller how strong the peer is heard on a link; ``HostEvent/rssi(_:_:_:)`` answers.
    case readRSSI(LinkID)
    /// Asks for other parameters of a link, in either role;
    /// ``HostEvent/parametersChanged(_:_:intervalUnits:latency:timeoutUnits:)`` answers.
    case updateParameters(ConnectionParameters, on: LinkID)
    /// Begins an operation on the server's attributes.
    case perform(GATTOperation, GATTToken, on: LinkID)
    /// Writes a value that nothing answers. See ``LEHost/canWriteCommand(on:)``.
    case writeCommand(handle: UInt16, [UInt8], on: LinkID)
    /// Gives the server these attributes, from the next request on.
    case setDatabase(GATTDatabase)
    /// Has these bonds, and no others.
    case setBonds([Bond])
    /// Encrypts a link, by pairing where there is no bond; on the peripheral's side, asks the central to.
    case secure(LinkID)
    /// Answers ``HostEvent/pairingAsks(_:_:)``.
    case answerPairing(PairingAnswer, on: LinkID)
    /// Answers ``HostEffect/draw(_:)``: nil where there are no random numbers.
    case pairingRandomness(PairingRandomness?, on: LinkID)
    /// Answers ``HostEffect/drawAddress`` with 3 octets: nil where there are no random numbers.
    case addressRandomness([UInt8]?)
    /// Pairs with this out of band data from the next pairing on; the peer's are used for one bond.
    case setOutOfBand(OutOfBand)
    /// Pairs by this policy from the next pairing on, but for out of band data. A host that had neither a
    /// policy nor bonds when it was switched on is not told that a central wants its key.
    case setSecurity(SecurityPolicy)
    /// Advertises, or goes on advertising in another way.
    case startAdvertising(AdvertisingParameters)
    case stopAdvertising
    /// Answers ``HostEvent/readRequested(_:_:handle:offset:)`` with the octets from the offset on.
    case answerRead(ServerRequestID, Result<[UInt8], ATTErrorCode>, on: LinkID)
    /// Answers ``HostEvent/writeRequested(_:_:_:)``: nil where the value was written.
    case answerWrite(ServerRequestID, ATTErrorCode?, on: LinkID)
    /// Sends a value to the client, as it wants it; see ``LEHost/canUpdate(_:on:)``.
    case update(valueHandle: UInt16, [UInt8], on: LinkID)
    /// Opens, feeds or closes credit-based channels.
    case channel(ChannelRequest)
}

/// What a host wants done.
public enum HostEffect: Hashable, Sendable {
    /// A packet for the controller.
    case send(HCIPacket)
    /// News for the application.
    case event(HostEvent)
    /// Random numbers for a pairing on this link.
    case draw(LinkID)
    /// Random numbers for a private address of the host.
    case drawAddress
}

/// News from a host.
public enum HostEvent: Hashable, Sendable {
    case stateChanged(HostState)
    /// The controller scans, or does no more.
    case scanning(Bool)
    /// The controller refused to scan.
    case scanFailed(HCIStatus)
    case advertisement(Advertisement)
    case connected(Link)
    /// A link is protected in another way.
    case securityChanged(LinkID, LinkSecurity)
    /// A person is needed for a pairing.
    case pairingAsks(LinkID, PairingQuestion)
    /// Both sides have paired; the bond where they keep one.
    case paired(LinkID, Bond?)
    case pairingFailed(LinkID, PairingFailure)
    /// What is kept with the bond of this link's peer is new: what the peer has subscribed to, or a hash.
    case bondChanged(LinkID, Bond)
    /// The hash of a bonded peer's database was read, and whether it is the one that was read on an earlier
    /// link: then what was discovered there is still so.
    case databaseHash(LinkID, isKnown: Bool)
    /// A bonded peer no longer has its key; the link ends.
    case bondLost(LinkID, DeviceAddress)
    /// A device could not be connected to, and is waited for no longer.
    case connectFailed(DeviceAddress, HCIStatus)
    /// A link ended, and why. Follows ``connectFailed(_:_:)`` for a link that was never announced if its peer
    /// used the server.
    case disconnected(LinkID, DeviceAddress, HCIStatus)
    /// The link has other parameters, or kept those it had where the status says so.
    case parametersChanged(LinkID, HCIStatus, intervalUnits: UInt16, latency: UInt16, timeoutUnits: UInt16)
    /// A link has another data length: octets of the longest Link Layer payload each way.
    case dataLengthChanged(LinkID, tx: Int, rx: Int)
    /// A link has other PHYs, or kept those it had where the status says so.
    case phyChanged(LinkID, HCIStatus, tx: LEPHY, rx: LEPHY)
    /// An encrypted link has gone without an authenticated packet for 30 s: the peer may be another by now.
    case authenticatedPayloadTimedOut(LinkID)
    /// The strength of a link's signal in dBm; 127 where it is not known or the command failed.
    case rssi(LinkID, HCIStatus, Int8)
    /// The longest ATT PDU of a link, in octets.
    case mtuChanged(LinkID, Int)
    case finished(LinkID, GATTToken, Result<GATTOutcome, GATTFailure>)
    /// The server has sent a value, which was confirmed where it was an indication.
    case value(LinkID, handle: UInt16, [UInt8], isIndication: Bool)
    /// The controller advertises, or does no more.
    case advertising(Bool)
    /// The controller refused to advertise.
    case advertisingFailed(HCIStatus)
    /// A client reads a value; it waits for the answer.
    case readRequested(LinkID, ServerRequestID, handle: UInt16, offset: Int)
    /// A client writes values, and waits for one answer where there is a number to answer to.
    case writeRequested(LinkID, ServerRequestID?, [ServerWrite])
    /// A client wants other things sent of a characteristic.
    case subscriptionChanged(LinkID, valueHandle: UInt16, GATTClientConfiguration)
    /// A client has confirmed an indication, or let 30 s pass.
    case indicated(LinkID, valueHandle: UInt16, confirmed: Bool)
    /// A value was not sent: the link is gone or full, or the client does not want it.
    case updateDropped(LinkID, valueHandle: UInt16)
    /// The link was full and takes values without response again.
    case writeCommandReady(LinkID)
    /// A value without response was not sent: the link is gone or full, or the value is too long.
    case writeCommandDropped(LinkID, handle: UInt16)
    /// News of a credit-based channel.
    case channel(ChannelEvent)
    /// The controller or a peer has done what it must not.
    case problem(HostProblem)
}

/// What an advertiser has sent.
public struct Advertisement: Hashable, Sendable {
    /// Who sent it: a bonded device by its identity, whatever address it used.
    public var address: DeviceAddress
    /// Whether it answers a scan request.
    public var isScanResponse: Bool
    /// Whether its sender may be connected to; a scan response does not say.
    public var isConnectable: Bool
    /// AD structures.
    public var data: [UInt8]
    /// Signal strength in dBm; 127 where it is not known.
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

/// A link as it was made.
public struct Link: Hashable, Sendable {
    public var id: LinkID
    /// The controller's connection handle.
    public var handle: UInt16
    /// The peer: as it was asked for, and where it connected by itself by its identity, if that is known.
    public var peer: DeviceAddress
    /// Whether this host is the central.
    public var isCentral: Bool
    /// Connection interval, in steps of 1.25 ms.
    public var intervalUnits: UInt16
    /// Connection events that the peripheral may skip.
    public var latency: UInt16
    /// Supervision timeout, in steps of 10 ms.
    public var timeoutUnits: UInt16
}

/// What a controller or a peer has done that it must not; the host goes on.
public enum HostProblem: Hashable, Sendable {
    /// A packet that can't be read.
    case malformedPacket(HCIPacketType)
    /// Data for a connection handle that no link has.
    case unknownHandle(UInt16)
    /// More packets completed than the controller held.
    case creditOverrun(handle: UInt16)
    /// An answer to no command.
    case unexpectedAnswer(HCIOpcode)
    /// Fragments that make no PDU.
    case reassembly(LinkID)
    /// The peer's Attribute Protocol is at fault.
    case attribute(LinkID, ATTOpcode)
    /// Data on a channel that is not open.
    case unknownChannel(LinkID, L2CAPChannelID)
    /// The peer asks faster than answers can be sent; the link ends.
    case flood(LinkID)
    /// The controller refused a command.
    case refused(HCIOpcode, HCIStatus)
}
