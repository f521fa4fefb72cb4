import BluetoothCore
import WireBytes

// Packets from the controller. Those that can't be decoded are reported as problems and dropped.

extension LEHost {
    mutating func take(_ packet: HCIPacket) {
        guard state != .off || packet.type == .event else { return }
        switch packet.type {
        case .event: takeEvent(packet.octets)
        case .acl: takeData(packet.octets)
        default: tell(.problem(.malformedPacket(packet.type)))
        }
    }

    private mutating func takeEvent(_ octets: [UInt8]) {
        guard octets.count >= 2, octets.count == 2 + Int(octets[1]) else {
            return tell(.problem(.malformedPacket(.event)))
        }
        let parameters = Array(octets[2...])
        do throws(DecodeError) {
            try takeEvent(HCIEventCode(rawValue: octets[0]), parameters)
        } catch {
            tell(.problem(.malformedPacket(.event)))
        }
    }

    private mutating func takeEvent(
        _ event: HCIEventCode, _ parameters: [UInt8]
    ) throws(DecodeError) {
        switch event {
        case HCICommandComplete.eventCode:
            let complete = try HCICommandComplete(start: parameters)
            answered(complete.commandOpcode, complete.numHCICommandPackets, Array(parameters.dropFirst(3)))
        case HCICommandStatus.eventCode:
            let status = try HCICommandStatus(start: parameters)
            answered(status.commandOpcode, status.numHCICommandPackets, [status.status.rawValue])
        case _ where state == .off: break
        case HCINumberOfCompletedPackets.eventCode:
            for one in try HCINumberOfCompletedPackets(start: parameters).connections {
                with(handle: one.connectionHandle) {
                    guard !$0.data.completed(Int(one.numCompletedPackets)) else { return }
                    $1.tell(.problem(.creditOverrun(handle: one.connectionHandle)))
                }
            }
        case HCIDisconnectionComplete.eventCode:
            let complete = try HCIDisconnectionComplete(start: parameters)
            disconnectionComplete(complete)
        case HCIHardwareError.eventCode:
            fail(.hardware(try HCIHardwareError(start: parameters).hardwareCode))
        case HCIEncryptionChange.eventCode:
            let change = try HCIEncryptionChange(start: parameters)
            let isOff = change.status == .success && change.encryptionEnabled == 0
            with(handle: change.connectionHandle) {
                $0.encryptionChanged(isOff ? .authenticationFailure : change.status, &$1)
            }
        case HCIEncryptionKeyRefreshComplete.eventCode:
            let refresh = try HCIEncryptionKeyRefreshComplete(start: parameters)
            with(handle: refresh.connectionHandle) { $0.encryptionChanged(refresh.status, &$1) }
        case HCIAuthenticatedPayloadTimeoutExpired.eventCode:
            let expired = try HCIAuthenticatedPayloadTimeoutExpired(start: parameters)
            with(handle: expired.connectionHandle) { $1.tell(.authenticatedPayloadTimedOut($0.link.id)) }
        case .leMeta:
            guard let subevent = parameters.first else { return tell(.problem(.malformedPacket(.event))) }
            try takeLE(LESubeventCode(rawValue: subevent), Array(parameters.dropFirst()))
        default: break
        }
    }

    private mutating func takeLE(
        _ subevent: LESubeventCode, _ parameters: [UInt8]
    ) throws(DecodeError) {
        switch subevent {
        case LEConnectionComplete.subeventCode:
            connectionComplete(try LEConnectionComplete(start: parameters), nil)
        case LEEnhancedConnectionComplete.subeventCode:
            let enhanced = try LEEnhancedConnectionComplete(start: parameters)
            let resolved = enhanced.peerResolvablePrivateAddress
            connectionComplete(
                LEConnectionComplete(
                    status: enhanced.status, connectionHandle: enhanced.connectionHandle, role: enhanced.role,
                    peerAddressType: enhanced.peerAddressType, peerAddress: enhanced.peerAddress,
                    connectionInterval: enhanced.connectionInterval,
                    peripheralLatency: enhanced.peripheralLatency,
                    supervisionTimeout: enhanced.supervisionTimeout), resolved.value == 0 ? nil : resolved)
        case LEAdvertisingReport.subeventCode: takeReports(parameters, extended: false)
        case .leExtendedAdvertisingReport: takeReports(parameters, extended: true)
        case LEAdvertisingSetTerminated.subeventCode:
            advertisingSetTerminated(try LEAdvertisingSetTerminated(start: parameters))
        case LEDataLengthChange.subeventCode:
            let change = try LEDataLengthChange(start: parameters)
            with(handle: change.connectionHandle) {
                let (tx, rx) = (Int(change.maxTxOctets), Int(change.maxRxOctets))
                $1.tell(.dataLengthChanged($0.link.id, tx: tx, rx: rx))
            }
        case LEPHYUpdateComplete.subeventCode:
            let update = try LEPHYUpdateComplete(start: parameters)
            with(handle: update.connectionHandle) {
                $1.tell(.phyChanged($0.link.id, update.status, tx: update.txPHY, rx: update.rxPHY))
            }
        case LELongTermKeyRequest.subeventCode:
            let request = try LELongTermKeyRequest(start: parameters)
            with(handle: request.connectionHandle) { $0.longTermKeyAsked(request, &$1) }
        case LEConnectionUpdateComplete.subeventCode:
            let update = try LEConnectionUpdateComplete(start: parameters)
            with(handle: update.connectionHandle) { $0.updated(update, &$1) }
        case LERemoteConnectionParameterRequest.subeventCode:
            parametersAsked(try LERemoteConnectionParameterRequest(start: parameters))
        default: break
        }
    }

    /// Handles the answer to a command; `returned` starts with the status.
    private mutating func answered(_ opcode: HCIOpcode, _ credits: UInt8, _ returned: [UInt8]) {
        guard let purpose = context.commands.answered(opcode, credits: credits) else {
            // Opcode 0 only updates how many commands the controller accepts.
            if opcode.rawValue != 0 { tell(.problem(.unexpectedAnswer(opcode))) }
            return
        }
        let status = HCIStatus(rawValue: returned.first ?? HCIStatus.unspecifiedError.rawValue)
        let refusal = status == .success ? nil : HostEvent.problem(.refused(opcode, status))
        switch purpose {
        case .bringUp(let step): took(step, opcode, returned: returned)
        case .privacy: privacyAnswered(opcode, status)
        case .scanParameters: scanParametersSet(status)
        case .scanEnable(let enabled): scanEnabled(enabled, status)
        case .createConnection: createStarted(status)
        case .advertisingEnable(let enabled): advertisingEnabled(enabled, status)
        case .disconnect(let link): disconnectStarted(link, status)
        case .readRSSI(let link):
            let strength = try? HCIReadRSSI.ReturnParameters(start: returned)
            tell(.rssi(link, status, status == .success ? strength?.rssi ?? 127 : 127))
        case .enableEncryption(let link):
            guard let refusal else { return }
            tell(refusal)
            with(link) { $0.encryptionChanged(status, &$1) }
        case .cancelConnection:
            // Disallowed if the connection was already established: its event is on the way, or has come.
            break
        case .updateParameters(let link): with(link) { $0.updateStarted(status, &$1) }
        case .setPHY(let link): if let refusal { with(link) { $1.tell(refusal) } }
        case .reset, .acceptList, .parameterReply, .longTermKey, .advertisingSetup:
            if let refusal { tell(refusal) }
        }
    }

    private mutating func takeData(_ octets: [UInt8]) {
        guard let header = try? HCIACLHeader(start: octets),
            octets.count == HCIACLHeader.size + Int(header.dataLength)
        else { return tell(.problem(.malformedPacket(.acl))) }
        with(handle: header.handle) { $0.receive(octets, header, &$1) }
    }

    private mutating func disconnectionComplete(_ complete: HCIDisconnectionComplete) {
        let (handle, status) = (complete.connectionHandle, complete.status)
        if status == .success, let ended = links.first(where: { $0.link.handle == handle }) {
            return close(ended.link.id, complete.reason)
        }
        with(handle: handle) { $1.tell(.problem(.refused(HCIDisconnect.opcode, status))) }
    }

    /// Answers the request of a peer's Link Layer for other parameters.
    private mutating func parametersAsked(_ asked: LERemoteConnectionParameterRequest) {
        let wish = ConnectionParameters(
            intervalMin: asked.intervalMin, intervalMax: asked.intervalMax, latency: asked.maxLatency,
            timeout: asked.timeout)
        guard wish.areAllowed(by: configuration.rules) else {
            return send(
                LERemoteConnectionParameterRequestNegativeReply(
                    connectionHandle: asked.connectionHandle, reason: .unacceptableConnectionParameters),
                for: .parameterReply)
        }
        send(
            LERemoteConnectionParameterRequestReply(
                connectionHandle: asked.connectionHandle, intervalMin: asked.intervalMin,
                intervalMax: asked.intervalMax, maxLatency: asked.maxLatency, timeout: asked.timeout),
            for: .parameterReply)
    }
}
