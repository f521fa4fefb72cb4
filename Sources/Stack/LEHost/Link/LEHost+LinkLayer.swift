import BluetoothCore
import Runtime
import WireBytes

// Agreements between the controllers of a link: parameters, data length, PHYs.

extension LEHost {
    /// Requests other parameters of a link.
    ///
    /// A central sets them. A peripheral asks the central's controller, if its own controller can do that,
    /// and otherwise the central's host.
    ///
    /// Source: Core Specification, Vol 3, Part C, 9.3.9.
    mutating func updateParameters(_ wish: ConnectionParameters, on id: LinkID) {
        guard let index = place(of: id), !links[index].isClosing else { return }
        guard wish.isValid else { return tellParameters(id, .invalidHCICommandParameters) }
        let link = links[index].link
        if !link.isCentral {
            links[index].parameterWish = wish
            guard bringUp.leFeatures.contains(.connectionParametersRequestProcedure) else {
                return askHost(id)
            }
        }
        set(wish, on: link)
    }

    /// Lets the controller set the parameters, or request them from the central's controller.
    mutating func set(_ parameters: ConnectionParameters, on link: Link) {
        send(
            LEConnectionUpdate(
                connectionHandle: link.handle, connectionIntervalMin: parameters.intervalMinUnits,
                connectionIntervalMax: parameters.intervalMaxUnits, maxLatency: parameters.latency,
                supervisionTimeout: parameters.supervisionTimeoutUnits), for: .updateParameters(link.id))
    }

    /// Handles the status of Connection Update.
    mutating func updateStarted(_ id: LinkID, _ status: HCIStatus) {
        guard status != .success, place(of: id) != nil else { return }
        if !asksHostInstead(id, status) {
            tell(.problem(.refused(LEConnectionUpdate.opcode, status)))
            parametersKept(id, status)
        }
    }

    /// Asks the central's host, if the central's controller does not support the request.
    ///
    /// - Returns: whether the host was asked.
    mutating func asksHostInstead(_ id: LinkID, _ status: HCIStatus) -> Bool {
        guard let index = place(of: id), links[index].parameterWish != nil,
            [.unsupportedRemoteFeature, .commandDisallowed].contains(status)
        else { return false }
        askHost(id)
        return true
    }

    /// Sends an L2CAP Connection Parameter Update Request.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    private mutating func askHost(_ id: LinkID) {
        guard let index = place(of: id), let wish = links[index].parameterWish else { return }
        links[index].parameterWish = nil
        let identifier = links[index].channels.takeIdentifier()
        links[index].parameterRequest = identifier
        links[index].parameterAsked = (wish, now.advanced(by: Self.parameterTimeout))
        var writer = ByteWriter()
        writer.u8(L2CAPSignallingCode.connectionParameterUpdateRequest.rawValue)
        writer.u8(identifier)
        writer.u16le(8)
        for value in [
            wish.intervalMinUnits, wish.intervalMaxUnits, wish.latency, wish.supervisionTimeoutUnits,
        ] {
            writer.u16le(value)
        }
        transmit(writer.octets, on: .leSignalling, to: id)
    }

    /// Handles the answer of the central's host, whose controller sets parameters that it accepted.
    ///
    /// - Returns: whether the signal was such an answer.
    mutating func takeParameterAnswer(_ signal: [UInt8], _ id: LinkID) -> Bool {
        guard let index = place(of: id), signal.count >= 6, links[index].parameterRequest == signal[1],
            [L2CAPSignallingCode.connectionParameterUpdateResponse, .commandReject]
                .contains(L2CAPSignallingCode(rawValue: signal[0]))
        else { return false }
        links[index].parameterRequest = nil
        let isAccepted =
            signal[0] == L2CAPSignallingCode.connectionParameterUpdateResponse.rawValue
            && signal[4] == 0 && signal[5] == 0
        if !isAccepted { parametersKept(id, .unacceptableConnectionParameters) }
        return true
    }

    /// Longest wait for a central to change the parameters: TGAP(conn_param_timeout).
    ///
    /// Source: Core Specification, Vol 3, Part C, 9.3.9.2 and Appendix A.
    static var parameterTimeout: Duration { .seconds(30) }

    /// Ends a parameter request that the central did not answer or fulfil in time.
    mutating func giveUpParameters(_ id: LinkID) {
        guard let index = place(of: id), let (wish, until) = links[index].parameterAsked, until <= now else {
            return
        }
        // A central sends no update if the link has these parameters already.
        let link = links[index].link
        let isFulfilled =
            links[index].parameterRequest == nil && link.latency == wish.latency
            && (wish.intervalMinUnits...wish.intervalMaxUnits).contains(link.intervalUnits)
            && link.timeoutUnits == wish.supervisionTimeoutUnits
        links[index].parameterRequest = nil
        parametersKept(id, isFulfilled ? .success : .lmpResponseTimeoutOrLLResponseTimeout)
    }

    private mutating func parametersKept(_ id: LinkID, _ status: HCIStatus) {
        guard let index = place(of: id) else { return }
        links[index].parameterWish = nil
        links[index].parameterAsked = nil
        tellParameters(id, status)
    }

    private mutating func tellParameters(_ id: LinkID, _ status: HCIStatus) {
        guard let index = place(of: id) else { return }
        let link = links[index].link
        tell(
            .parametersChanged(
                id, status, intervalUnits: link.intervalUnits, latency: link.latency,
                timeoutUnits: link.timeoutUnits))
    }

    mutating func dataLengthChanged(_ change: LEDataLengthChange) {
        guard let link = links.first(where: { $0.link.handle == change.connectionHandle })?.link else {
            return tell(.problem(.unknownHandle(change.connectionHandle)))
        }
        tell(.dataLengthChanged(link.id, tx: Int(change.maxTxOctets), rx: Int(change.maxRxOctets)))
    }

    /// As the central, requests LE 2M on a new link; a peer without LE 2M keeps LE 1M.
    mutating func request2M(on link: Link) {
        guard configuration.requests2M, link.isCentral, bringUp.leFeatures.contains(.le2MPHY), isOpen(link.id)
        else { return }
        send(LESetPHY(connectionHandle: link.handle, txPHYs: .le2M, rxPHYs: .le2M), for: .setPHY(link.id))
    }

    mutating func phyChanged(_ update: LEPHYUpdateComplete) {
        guard let link = links.first(where: { $0.link.handle == update.connectionHandle })?.link else {
            return tell(.problem(.unknownHandle(update.connectionHandle)))
        }
        tell(.phyChanged(link.id, update.status, tx: update.txPHY, rx: update.rxPHY))
    }

    mutating func payloadTimedOut(_ expired: HCIAuthenticatedPayloadTimeoutExpired) {
        guard let link = links.first(where: { $0.link.handle == expired.connectionHandle })?.link else {
            return tell(.problem(.unknownHandle(expired.connectionHandle)))
        }
        tell(.authenticatedPayloadTimedOut(link.id))
    }
}

// The signalling channel of a link.

extension LEHost {
    /// Handles a signalling PDU; on LE it has one command.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.
    mutating func takeSignal(_ octets: [UInt8], _ id: LinkID) {
        let isWhole = L2CAPTable.fault(in: octets.borrowedOctets) == nil
        if !isWhole { tell(.problem(.unknownChannel(id, .leSignalling))) }
        if isWhole, takeParameterAnswer(octets, id) { return }
        guard octets.count >= 2, isWhole || octets[1] != 0 else { return }
        switch L2CAPSignallingCode(rawValue: octets[0]) {
        case .connectionParameterUpdateRequest where isWhole: return answer(octets, id)
        case .leCreditBasedConnectionRequest where isWhole, .leCreditBasedConnectionResponse where isWhole,
            .disconnectionRequest where isWhole, .disconnectionResponse where isWhole,
            .flowControlCredit where isWhole, .commandReject where isWhole:
            return takeChannelSignal(octets, id)
        default: break
        }
        guard isRequest(octets[0]) else { return }
        reject(octets[1], id)
    }

    // Responses and credits need no answer. All other unknown codes are rejected.
    private func isRequest(_ code: UInt8) -> Bool {
        ![0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x16, 0x18, 0x1A].contains(code)
    }

    /// Sends a command whose only parameter is a two-byte integer.
    private mutating func transmit(
        _ code: L2CAPSignallingCode, _ identifier: UInt8, _ parameter: UInt8, _ id: LinkID
    ) {
        transmit([code.rawValue, identifier, 2, 0, parameter, 0], on: .leSignalling, to: id)
    }

    /// Rejects a command that is not understood.
    private mutating func reject(_ identifier: UInt8, _ id: LinkID) {
        transmit(.commandReject, identifier, 0, id)
    }

    /// Answers a peripheral's parameter request, and passes parameters that are allowed to the controller.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    private mutating func answer(_ request: [UInt8], _ id: LinkID) {
        guard let index = place(of: id) else { return }
        let link = links[index].link
        // Only a central decides.
        guard link.isCentral else { return reject(request[1], id) }
        func word(_ at: Int) -> UInt16 { request.borrowedOctets.u16le(at: at) ?? 0 }
        let parameters = ConnectionParameters(
            intervalMin: word(4), intervalMax: word(6), latency: word(8), timeout: word(10))
        // Only one change at a time, so that repeated requests can't fill a queue.
        let isAllowed =
            parameters.areAllowed(by: configuration.rules)
            && !commands.contains { $0 == .updateParameters(id) }
        transmit(.connectionParameterUpdateResponse, request[1], isAllowed ? 0 : 1, id)
        guard isAllowed else { return }
        set(parameters, on: link)
    }
}

/// A host's state of a link.
struct HostLink: Sendable {
    var link: Link
    /// The addresses with which the link was established; its pairing uses them.
    let onAir: (own: DeviceAddress, peer: DeviceAddress)
    var reassembler = L2CAPReassembler()
    var client = ATTClient()
    var server = ATTServer()
    var security = HostLinkSecurity()
    var peerDatabase = PeerDatabaseState()
    var channels: LinkChannels
    /// Whether Disconnect was sent.
    var isClosing = false
    /// Whether the application cancelled the connection before it was established, so that the link is not
    /// reported.
    var isUnwanted = false
    /// Whether the peer has used this host's server.
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

    /// Creates the state of a link.
    ///
    /// - Parameter channelLimit: maximum number of credit-based channels.
    init(_ link: Link, own: DeviceAddress, peer: DeviceAddress, channelLimit: Int) {
        self.link = link
        onAir = (own, peer)
        channels = LinkChannels(link.id, limit: channelLimit)
    }
}
