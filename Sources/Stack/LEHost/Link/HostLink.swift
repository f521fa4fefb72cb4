import BluetoothCore
import Runtime
import WireBytes

struct HostLink: Sendable {
    var link: Link
    /// The addresses with which the link was established; its pairing uses them.
    let onAir: (own: DeviceAddress, peer: DeviceAddress)
    var data: ACLQueue
    var reassembler = L2CAPReassembler()
    var client = ATTClient()
    var server = ATTServer()
    var security = HostLinkSecurity()
    var peerDatabase = PeerDatabaseState()
    var channels: LinkChannels
    var isClosing = false
    /// Whether the application cancelled the connection before it was established, so that the link is not
    /// reported.
    var isUnwanted = false
    var hasUsedServer = false
    /// Whether a value without response was refused for lack of room, or took the last room.
    var isFull = false

    /// The parameters that a peripheral requests from its central, until the controllers or the hosts have
    /// decided.
    var parameterWish: ConnectionParameters?
    /// The identifier of the parameter request that the peer's host has not answered.
    var parameterRequest: UInt8?
    /// The parameter request to the peer's host that is pending, with its timeout.
    var parameterAsked: (wish: ConnectionParameters, until: Instant)?

    /// Creates the state of a new link, whose server has the host's data.
    ///
    /// - Parameter packetLength: maximum length in bytes of the data in a packet for the controller.
    init(
        _ link: Link, own: DeviceAddress, peer: DeviceAddress, packetLength: Int, _ host: HostContext
    ) {
        self.link = link
        onAir = (own, peer)
        data = ACLQueue(link.handle, packetLength: packetLength)
        channels = LinkChannels(link.id, limit: host.configuration.channelLimit)
        server.databaseHash = host.databaseHash
        server.record.databaseHash = host.databaseHash
        server.minimumKeySize = host.configuration.security?.minimumKeySize ?? 7
        server.hasKey = host.bond(with: link.peer) != nil
        if link.isCentral, let cache = host.assumed[link.peer] {
            peerDatabase.database = cache
            peerDatabase.isRecalled = true
        }
    }

    mutating func timeReached(_ host: inout HostContext) {
        apply(client.timeReached(host.now), &host)
        apply(server.timeReached(host.now), &host)
        apply(channels.timeReached(host.now), &host)
        step(&host) { $0.timeReached($1) }
        giveUpParameters(&host)
    }

    /// Reports, after each input, when a link that was full has room again, and the time at which it needs
    /// ``timeReached(_:)``.
    ///
    /// The link may also be full of requests and responses; that it is ready again is reported anyway.
    mutating func settle(_ host: inout HostContext) {
        if data.waiting >= host.configuration.writeCommandLimit {
            isFull = true
        } else if isFull, !isClosing {
            isFull = false
            host.tell(.writeCommandReady(link.id))
        }
        host.linkDeadline.lower(to: client.deadline)
        host.linkDeadline.lower(to: server.deadline)
        host.linkDeadline.lower(to: security.pairing?.deadline)
        host.linkDeadline.lower(to: channels.deadline)
        host.linkDeadline.lower(to: parameterAsked?.until)
    }

    mutating func disconnect(_ reason: HCIStatus, _ host: inout HostContext) {
        guard !isClosing else { return }
        isClosing = true
        host.send(HCIDisconnect(connectionHandle: link.handle, reason: reason), for: .disconnect(link.id))
    }

    /// Fails what waits on the link, and reports its end.
    mutating func end(_ reason: HCIStatus, _ host: inout HostContext) {
        step(&host) { pairing, _ in pairing.stop(.disconnected) }
        apply(client.close(.disconnected), &host)
        endDatabase(&host)
        for one in security.held { host.tell(.finished(link.id, one.token, .failure(.disconnected))) }
        apply(channels.linkEnded(), &host)
        let reported = security.endReason ?? reason
        if !security.isAnnounced { host.tell(.connectFailed(link.peer, reported)) }
        // A client may have subscribed before its link was announced.
        if security.isAnnounced ? !isUnwanted : hasUsedServer {
            host.tell(.disconnected(link.id, link.peer, reported))
        }
    }

    func readRSSI(_ host: inout HostContext) {
        host.send(HCIReadRSSI { $0.handle = link.handle }, for: .readRSSI(link.id))
    }

    /// As the central, requests LE 2M; a peer without LE 2M keeps LE 1M.
    func request2M(_ host: inout HostContext) {
        guard host.configuration.requests2M, link.isCentral, !isClosing else { return }
        host.send(
            LESetPHY(connectionHandle: link.handle, txPHYs: .le2M, rxPHYs: .le2M), for: .setPHY(link.id))
    }
}

extension Instant? {
    /// Replaces the time by another one, if there is one and it is earlier.
    mutating func lower(to other: Instant?) {
        if let other { self = Swift.min(self ?? other, other) }
    }
}

// The parameters of a link.

extension HostLink {
    /// Requests other parameters of the link.
    ///
    /// A central sets them. A peripheral asks the central's controller, if its own controller can do that,
    /// and otherwise the central's host.
    ///
    /// Source: Core Specification, Vol 3, Part C, 9.3.9.
    mutating func updateParameters(
        _ wish: ConnectionParameters, throughController: Bool, _ host: inout HostContext
    ) {
        guard !isClosing else { return }
        guard wish.isValid else { return tellParameters(.invalidHCICommandParameters, &host) }
        if !link.isCentral {
            parameterWish = wish
            guard throughController else {
                _ = requestParameters(&host)
                return
            }
        }
        set(wish, &host)
    }

    /// Lets the controller set the parameters, or request them from the central's controller.
    private func set(_ parameters: ConnectionParameters, _ host: inout HostContext) {
        host.send(
            LEConnectionUpdate(
                connectionHandle: link.handle, connectionIntervalMin: parameters.intervalMinUnits,
                connectionIntervalMax: parameters.intervalMaxUnits, maxLatency: parameters.latency,
                supervisionTimeout: parameters.supervisionTimeoutUnits), for: .updateParameters(link.id))
    }

    mutating func updateStarted(_ status: HCIStatus, _ host: inout HostContext) {
        guard status != .success, !asksHostInstead(status, &host) else { return }
        host.tell(.problem(.refused(LEConnectionUpdate.opcode, status)))
        parametersKept(status, &host)
    }

    mutating func updated(_ update: LEConnectionUpdateComplete, _ host: inout HostContext) {
        guard !asksHostInstead(update.status, &host) else { return }
        if update.status == .success {
            link.intervalUnits = update.connectionInterval
            link.latency = update.peripheralLatency
            link.timeoutUnits = update.supervisionTimeout
        }
        parametersKept(update.status, &host)
    }

    /// Asks the central's host, if the central's controller does not support the request.
    ///
    /// - Returns: whether the host was asked.
    private mutating func asksHostInstead(_ status: HCIStatus, _ host: inout HostContext) -> Bool {
        [.unsupportedRemoteFeature, .commandDisallowed].contains(status) && requestParameters(&host)
    }

    /// Sends an L2CAP Connection Parameter Update Request with the peripheral's wish.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    ///
    /// - Returns: whether there was a wish.
    private mutating func requestParameters(_ host: inout HostContext) -> Bool {
        guard let wish = parameterWish else { return false }
        parameterWish = nil
        let identifier = channels.takeIdentifier()
        parameterRequest = identifier
        parameterAsked = (wish, host.now.advanced(by: Self.parameterTimeout))
        var writer = ByteWriter()
        writer.u8(L2CAPSignallingCode.connectionParameterUpdateRequest.rawValue)
        writer.u8(identifier)
        writer.u16le(8)
        for value in [
            wish.intervalMinUnits, wish.intervalMaxUnits, wish.latency, wish.supervisionTimeoutUnits,
        ] {
            writer.u16le(value)
        }
        transmit(writer.octets, on: .leSignalling)
        return true
    }

    /// Handles the answer of the central's host, whose controller sets parameters that it accepted.
    ///
    /// - Returns: whether the parameters are accepted; nil if the signal is not such an answer.
    private mutating func takeParameterAnswer(_ signal: [UInt8]) -> Bool? {
        guard signal.count >= 6, parameterRequest == signal[1],
            [L2CAPSignallingCode.connectionParameterUpdateResponse, .commandReject]
                .contains(L2CAPSignallingCode(rawValue: signal[0]))
        else { return nil }
        parameterRequest = nil
        return signal[0] == L2CAPSignallingCode.connectionParameterUpdateResponse.rawValue
            && signal[4] == 0 && signal[5] == 0
    }

    /// Longest wait for a central to change the parameters: TGAP(conn_param_timeout).
    ///
    /// Source: Core Specification, Vol 3, Part C, 9.3.9.2 and Appendix A.
    private static let parameterTimeout = Duration.seconds(30)

    /// Ends a parameter request that the central did not answer or fulfil in time.
    private mutating func giveUpParameters(_ host: inout HostContext) {
        guard let (wish, until) = parameterAsked, until <= host.now else { return }
        // A central sends no update if the link has these parameters already.
        let isFulfilled =
            parameterRequest == nil && link.latency == wish.latency
            && (wish.intervalMinUnits...wish.intervalMaxUnits).contains(link.intervalUnits)
            && link.timeoutUnits == wish.supervisionTimeoutUnits
        parameterRequest = nil
        parametersKept(isFulfilled ? .success : .lmpResponseTimeoutOrLLResponseTimeout, &host)
    }

    /// Ends the attempt to change the parameters.
    private mutating func parametersKept(_ status: HCIStatus, _ host: inout HostContext) {
        parameterWish = nil
        parameterAsked = nil
        tellParameters(status, &host)
    }

    private func tellParameters(_ status: HCIStatus, _ host: inout HostContext) {
        host.tell(
            .parametersChanged(
                link.id, status, intervalUnits: link.intervalUnits, latency: link.latency,
                timeoutUnits: link.timeoutUnits))
    }
}

// The signalling channel of a link.

extension HostLink {
    /// Handles a signalling PDU; on LE it has one command.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.
    mutating func takeSignal(_ octets: [UInt8], _ host: inout HostContext) {
        let isWhole = L2CAPTable.fault(in: octets.borrowedOctets) == nil
        if !isWhole { host.tell(.problem(.unknownChannel(link.id, .leSignalling))) }
        if isWhole, let isAccepted = takeParameterAnswer(octets) {
            if !isAccepted { parametersKept(.unacceptableConnectionParameters, &host) }
            return
        }
        guard octets.count >= 2, isWhole || octets[1] != 0 else { return }
        switch L2CAPSignallingCode(rawValue: octets[0]) {
        case .connectionParameterUpdateRequest where isWhole: return answer(octets, &host)
        case .leCreditBasedConnectionRequest where isWhole, .leCreditBasedConnectionResponse where isWhole,
            .disconnectionRequest where isWhole, .disconnectionResponse where isWhole,
            .flowControlCredit where isWhole, .commandReject where isWhole:
            return takeChannelSignal(octets, &host)
        default: break
        }
        guard isRequest(octets[0]) else { return }
        reject(octets[1])
    }

    // Responses and credits need no answer. All other unknown codes are rejected.
    private func isRequest(_ code: UInt8) -> Bool {
        ![0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x16, 0x18, 0x1A].contains(code)
    }

    /// Sends a command whose only parameter is a two-byte integer.
    private mutating func transmit(_ code: L2CAPSignallingCode, _ identifier: UInt8, _ parameter: UInt8) {
        transmit([code.rawValue, identifier, 2, 0, parameter, 0], on: .leSignalling)
    }

    private mutating func reject(_ identifier: UInt8) {
        transmit(.commandReject, identifier, 0)
    }

    /// Answers a peripheral's parameter request, and passes parameters that are allowed to the controller.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    private mutating func answer(_ request: [UInt8], _ host: inout HostContext) {
        // Only a central decides.
        guard link.isCentral else { return reject(request[1]) }
        func word(_ at: Int) -> UInt16 { request.borrowedOctets.u16le(at: at) ?? 0 }
        let parameters = ConnectionParameters(
            intervalMin: word(4), intervalMax: word(6), latency: word(8), timeout: word(10))
        // Only one change at a time, so that repeated requests can't fill a queue.
        let isAllowed =
            parameters.areAllowed(by: host.configuration.rules)
            && !host.commands.contains { $0 == .updateParameters(link.id) }
        transmit(.connectionParameterUpdateResponse, request[1], isAllowed ? 0 : 1)
        if isAllowed { set(parameters, &host) }
    }
}
