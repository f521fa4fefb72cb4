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
        guard let index = usable(id) else { return }
        guard wish.isValid else { return tell(links[index].parametersChanged(.invalidHCICommandParameters)) }
        if !links[index].link.isCentral {
            links[index].parameterWish = wish
            guard bringUp.leFeatures.contains(.connectionParametersRequestProcedure) else {
                if let request = links[index].requestParameters(at: now) {
                    transmit(request, on: .leSignalling, to: id)
                }
                return
            }
        }
        set(wish, on: links[index].link)
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
        guard status != .success, let index = place(of: id) else { return }
        if !asksHostInstead(link: index, status) {
            tell(.problem(.refused(LEConnectionUpdate.opcode, status)))
            tell(links[index].parametersKept(status))
        }
    }

    /// Asks the central's host, if the central's controller does not support the request.
    ///
    /// - Returns: whether the host was asked.
    mutating func asksHostInstead(link index: Int, _ status: HCIStatus) -> Bool {
        guard [.unsupportedRemoteFeature, .commandDisallowed].contains(status),
            let request = links[index].requestParameters(at: now)
        else { return false }
        transmit(request, on: .leSignalling, to: links[index].link.id)
        return true
    }

    mutating func dataLengthChanged(_ change: LEDataLengthChange) {
        guard let index = known(change.connectionHandle) else { return }
        tell(
            .dataLengthChanged(links[index].link.id, tx: Int(change.maxTxOctets), rx: Int(change.maxRxOctets))
        )
    }

    /// As the central, requests LE 2M on a new link; a peer without LE 2M keeps LE 1M.
    mutating func request2M(on link: Link) {
        guard configuration.requests2M, link.isCentral, bringUp.leFeatures.contains(.le2MPHY), isOpen(link.id)
        else { return }
        send(LESetPHY(connectionHandle: link.handle, txPHYs: .le2M, rxPHYs: .le2M), for: .setPHY(link.id))
    }

    mutating func phyChanged(_ update: LEPHYUpdateComplete) {
        guard let index = known(update.connectionHandle) else { return }
        tell(.phyChanged(links[index].link.id, update.status, tx: update.txPHY, rx: update.rxPHY))
    }

    mutating func payloadTimedOut(_ expired: HCIAuthenticatedPayloadTimeoutExpired) {
        guard let index = known(expired.connectionHandle) else { return }
        tell(.authenticatedPayloadTimedOut(links[index].link.id))
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
        if isWhole, let index = place(of: id), let isAccepted = links[index].takeParameterAnswer(octets) {
            if !isAccepted { tell(links[index].parametersKept(.unacceptableConnectionParameters)) }
            return
        }
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

    /// Takes the security of the key with which the link was encrypted: of its pairing, or of this bond.
    mutating func encrypted(by bond: Bond?) -> (security: LinkSecurity, isOfPairing: Bool) {
        let pairing = security.pairing.flatMap { $0.key == nil ? nil : $0 }
        var new = pairing?.bond.security ?? bond?.security ?? security.current
        if pairing == nil { new.isEncrypted = true }
        security.current = new
        server.security = new
        return (new, pairing != nil)
    }

    /// Records that the link's pairing made a bond.
    mutating func bonded(by bond: Bond?) {
        security.bonded = bond?.peer
        server.hasKey = true
    }

    // MARK: Parameters

    /// Returns the L2CAP Connection Parameter Update Request with the peripheral's wish; nil without one.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    mutating func requestParameters(at now: Instant) -> [UInt8]? {
        guard let wish = parameterWish else { return nil }
        parameterWish = nil
        let identifier = channels.takeIdentifier()
        parameterRequest = identifier
        parameterAsked = (wish, now.advanced(by: Self.parameterTimeout))
        var writer = ByteWriter()
        writer.u8(L2CAPSignallingCode.connectionParameterUpdateRequest.rawValue)
        writer.u8(identifier)
        writer.u16le(8)
        for value in [
            wish.intervalMinUnits, wish.intervalMaxUnits, wish.latency, wish.supervisionTimeoutUnits,
        ] {
            writer.u16le(value)
        }
        return writer.octets
    }

    /// Handles the answer of the central's host, whose controller sets parameters that it accepted.
    ///
    /// - Returns: whether the parameters are accepted; nil if the signal is not such an answer.
    mutating func takeParameterAnswer(_ signal: [UInt8]) -> Bool? {
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

    /// Ends a parameter request that the central did not answer or fulfil in time; returns nil without one.
    mutating func giveUpParameters(at now: Instant) -> HostEvent? {
        guard let (wish, until) = parameterAsked, until <= now else { return nil }
        // A central sends no update if the link has these parameters already.
        let isFulfilled =
            parameterRequest == nil && link.latency == wish.latency
            && (wish.intervalMinUnits...wish.intervalMaxUnits).contains(link.intervalUnits)
            && link.timeoutUnits == wish.supervisionTimeoutUnits
        parameterRequest = nil
        return parametersKept(isFulfilled ? .success : .lmpResponseTimeoutOrLLResponseTimeout)
    }

    /// Ends the attempt to change the parameters.
    mutating func parametersKept(_ status: HCIStatus) -> HostEvent {
        parameterWish = nil
        parameterAsked = nil
        return parametersChanged(status)
    }

    mutating func updated(_ update: LEConnectionUpdateComplete) -> HostEvent {
        if update.status == .success {
            link.intervalUnits = update.connectionInterval
            link.latency = update.peripheralLatency
            link.timeoutUnits = update.supervisionTimeout
        }
        return parametersKept(update.status)
    }

    func parametersChanged(_ status: HCIStatus) -> HostEvent {
        .parametersChanged(
            link.id, status, intervalUnits: link.intervalUnits, latency: link.latency,
            timeoutUnits: link.timeoutUnits)
    }
}
