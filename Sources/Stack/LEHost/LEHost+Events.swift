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
                completed(Int(one.numCompletedPackets), of: one.connectionHandle)
            }
        case HCIDisconnectionComplete.eventCode:
            let complete = try HCIDisconnectionComplete(start: parameters)
            disconnectionComplete(complete)
        case HCIHardwareError.eventCode:
            fail(.hardware(try HCIHardwareError(start: parameters).hardwareCode))
        case HCIEncryptionChange.eventCode:
            encryptionChanged(try HCIEncryptionChange(start: parameters))
        case HCIEncryptionKeyRefreshComplete.eventCode:
            let refresh = try HCIEncryptionKeyRefreshComplete(start: parameters)
            encryptionChanged(
                HCIEncryptionChange(
                    status: refresh.status, connectionHandle: refresh.connectionHandle, encryptionEnabled: 1))
        case HCIAuthenticatedPayloadTimeoutExpired.eventCode:
            payloadTimedOut(try HCIAuthenticatedPayloadTimeoutExpired(start: parameters))
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
            dataLengthChanged(try LEDataLengthChange(start: parameters))
        case LEPHYUpdateComplete.subeventCode: phyChanged(try LEPHYUpdateComplete(start: parameters))
        case LELongTermKeyRequest.subeventCode:
            longTermKeyAsked(try LELongTermKeyRequest(start: parameters))
        case LEConnectionUpdateComplete.subeventCode:
            parametersUpdated(try LEConnectionUpdateComplete(start: parameters))
        case LERemoteConnectionParameterRequest.subeventCode:
            parametersAsked(try LERemoteConnectionParameterRequest(start: parameters))
        default: break
        }
    }

    /// Handles the answer to a command; `returned` starts with the status.
    private mutating func answered(_ opcode: HCIOpcode, _ credits: UInt8, _ returned: [UInt8]) {
        guard let purpose = commands.answered(opcode, credits: credits) else {
            // Opcode 0 only updates how many commands the controller accepts.
            if opcode.rawValue != 0 { tell(.problem(.unexpectedAnswer(opcode))) }
            return
        }
        let status = HCIStatus(rawValue: returned.first ?? HCIStatus.unspecifiedError.rawValue)
        switch purpose {
        case .bringUp(let step): took(step, opcode, returned: returned)
        case .privacy: privacyAnswered(opcode, status)
        case .scanParameters: scanParametersSet(status)
        case .scanEnable(let enabled): scanEnabled(enabled, status)
        case .createConnection: createStarted(status)
        case .advertisingSetup: advertisingSet(status, opcode)
        case .advertisingEnable(let enabled): advertisingEnabled(enabled, status)
        case .disconnect(let link): disconnectStarted(link, status)
        case .readRSSI(let link):
            let strength = try? HCIReadRSSI.ReturnParameters(start: returned)
            tell(.rssi(link, status, status == .success ? strength?.rssi ?? 127 : 127))
        case .enableEncryption(let link): encryptionStarted(link, status)
        case .cancelConnection:
            // Disallowed if the connection was already established: its event is on the way, or has come.
            break
        case .updateParameters(let link): updateStarted(link, status)
        case .setPHY(let link):
            if status != .success, place(of: link) != nil { tell(.problem(.refused(opcode, status))) }
        case .reset, .acceptList, .parameterReply, .longTermKey:
            if status != .success { tell(.problem(.refused(opcode, status))) }
        }
    }

    private mutating func completed(_ count: Int, of handle: UInt16) {
        guard known(handle) != nil else { return }
        if !data.completed(count, of: handle) { tell(.problem(.creditOverrun(handle: handle))) }
    }

    private mutating func disconnectionComplete(_ complete: HCIDisconnectionComplete) {
        guard let index = known(complete.connectionHandle) else { return }
        guard complete.status == .success else {
            return tell(.problem(.refused(HCIDisconnect.opcode, complete.status)))
        }
        close(links[index].link.id, complete.reason)
    }

    private mutating func parametersUpdated(_ update: LEConnectionUpdateComplete) {
        guard let index = known(update.connectionHandle) else { return }
        if !asksHostInstead(link: index, update.status) { tell(links[index].updated(update)) }
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
