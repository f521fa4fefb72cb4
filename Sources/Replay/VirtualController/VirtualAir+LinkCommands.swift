import BluetoothCore
import Runtime
import WireBytes

// Commands about open links.

extension VirtualAir {
    mutating func performLink(
        _ opcode: HCIOpcode, _ parameters: [UInt8], from controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case HCIDisconnect.opcode:
            return .status(disconnect(try HCIDisconnect(whole: parameters), from: controller))
        case LEConnectionUpdate.opcode:
            return .status(update(try LEConnectionUpdate(whole: parameters), from: controller))
        case LERemoteConnectionParameterRequestReply.opcode:
            return accept(try LERemoteConnectionParameterRequestReply(whole: parameters), from: controller)
        case LERemoteConnectionParameterRequestNegativeReply.opcode:
            let reply = try LERemoteConnectionParameterRequestNegativeReply(whole: parameters)
            return onLink(reply.connectionHandle, from: controller) { air, index, side in
                air.queue(.parameterReject(reply.reason), from: side, of: index)
            }
        case LEReadRemoteFeatures.opcode:
            let handle = try LEReadRemoteFeatures(whole: parameters).connectionHandle
            return .status(ask(.featureRequest, on: handle, from: controller))
        case HCIReadRemoteVersionInformation.opcode:
            let handle = try HCIReadRemoteVersionInformation(whole: parameters).connectionHandle
            return .status(ask(.versionRequest, on: handle, from: controller))
        case LEEnableEncryption.opcode:
            return .status(encrypt(try LEEnableEncryption(whole: parameters), from: controller))
        case LELongTermKeyRequestReply.opcode:
            let reply = try LELongTermKeyRequestReply(whole: parameters)
            return onLink(reply.connectionHandle, from: controller) { air, index, side in
                air.queue(.encryptionStart(reply.longTermKey), from: side, of: index)
            }
        case LELongTermKeyRequestNegativeReply.opcode:
            let reply = try LELongTermKeyRequestNegativeReply(whole: parameters)
            return onLink(reply.connectionHandle, from: controller) { air, index, side in
                air.queue(.encryptionReject(.pinOrKeyMissing), from: side, of: index)
            }
        case HCIReadRSSI.opcode:
            return readRSSI(of: try HCIReadRSSI(whole: parameters).handle, from: controller)
        case LESetDataLength.opcode:
            return setLength(try LESetDataLength(whole: parameters), from: controller)
        default: return try performPHY(opcode, parameters, from: controller)
        }
    }

    private mutating func setLength(_ wish: LESetDataLength, from controller: Int) -> CommandAnswer {
        guard (27...251).contains(wish.txOctets), (328...17_040).contains(wish.txTime) else {
            return .complete(.invalidHCICommandParameters, on: wish.connectionHandle)
        }
        return onLink(wish.connectionHandle, from: controller) { air, index, side in
            let octets = LESetDataLength.octets(wish.txOctets, time: wish.txTime)
            air.queue(.length(octets), from: side, of: index)
        }
    }

    mutating func queue(_ control: AirLink.Control, from side: Int, of index: Int) {
        links[index].ends[side].control.append(control)
        schedule(link: index)
    }

    func find(_ handle: UInt16, of controller: Int) -> (index: Int, side: Int)? {
        for index in links.indices {
            if let side = links[index].side(of: controller, handle: handle) { return (index, side) }
        }
        return nil
    }

    mutating func onLink(
        _ handle: UInt16, from controller: Int, _ body: (inout VirtualAir, Int, Int) -> Void
    ) -> CommandAnswer {
        let place = find(handle, of: controller)
        if let place { body(&self, place.index, place.side) }
        return .complete(place == nil ? .unknownConnectionIdentifier : .success, on: handle)
    }

    private mutating func ask(
        _ control: AirLink.Control, on handle: UInt16, from controller: Int
    ) -> HCIStatus {
        guard let place = find(handle, of: controller) else { return .unknownConnectionIdentifier }
        queue(control, from: place.side, of: place.index)
        return .success
    }

    private mutating func encrypt(_ wish: LEEnableEncryption, from controller: Int) -> HCIStatus {
        guard let place = find(wish.connectionHandle, of: controller) else {
            return .unknownConnectionIdentifier
        }
        guard place.side == 0, links[place.index].encrypting == nil else { return .commandDisallowed }
        links[place.index].encrypting = wish.longTermKey
        links[place.index].encryptionAttempt += 1
        let link = links[place.index]
        heap.push(
            .encryptionTimeout(link.id, attempt: link.encryptionAttempt),
            at: now.advanced(by: Self.procedureTimeout), from: .controller)
        queue(.encryptionRequest(wish), from: 0, of: place.index)
        return .success
    }

    private mutating func disconnect(_ wish: HCIDisconnect, from controller: Int) -> HCIStatus {
        guard wish.isAllowed else { return .invalidHCICommandParameters }
        guard let place = find(wish.connectionHandle, of: controller) else {
            return .unknownConnectionIdentifier
        }
        guard links[place.index].ends[place.side].terminating == nil else { return .commandDisallowed }
        links[place.index].ends[place.side].terminating = wish.reason
        queue(.terminate(wish.reason), from: place.side, of: place.index)
        return .success
    }

    private mutating func update(_ wish: LEConnectionUpdate, from controller: Int) -> HCIStatus {
        guard
            LinkParameters.areAllowed(
                min: wish.connectionIntervalMin, max: wish.connectionIntervalMax, latency: wish.maxLatency,
                timeout: wish.supervisionTimeout), wish.minCELength <= wish.maxCELength
        else { return .invalidHCICommandParameters }
        guard let place = find(wish.connectionHandle, of: controller) else {
            return .unknownConnectionIdentifier
        }
        guard place.side == 1 else {
            queue(
                .update(
                    LinkParameters(
                        interval: wish.connectionIntervalMin, latency: wish.maxLatency,
                        timeout: wish.supervisionTimeout)), from: 0, of: place.index)
            return .success
        }
        // A peripheral can only request it, and before version 4.1 not even that.
        guard controllers[controller].configuration.features.contains(.connectionParametersRequestProcedure)
        else {
            return .commandDisallowed
        }
        queue(
            .parameterRequest(
                LERemoteConnectionParameterRequest(
                    intervalMin: wish.connectionIntervalMin, intervalMax: wish.connectionIntervalMax,
                    maxLatency: wish.maxLatency, timeout: wish.supervisionTimeout)), from: 1, of: place.index)
        return .success
    }

    private mutating func accept(
        _ reply: LERemoteConnectionParameterRequestReply, from controller: Int
    ) -> CommandAnswer {
        guard
            LinkParameters.areAllowed(
                min: reply.intervalMin, max: reply.intervalMax, latency: reply.maxLatency,
                timeout: reply.timeout)
        else {
            return .complete(.invalidHCICommandParameters, on: reply.connectionHandle)
        }
        return onLink(reply.connectionHandle, from: controller) { air, index, side in
            air.queue(
                .update(
                    LinkParameters(
                        interval: reply.intervalMin, latency: reply.maxLatency, timeout: reply.timeout)),
                from: side, of: index)
        }
    }

    private mutating func readRSSI(of handle: UInt16, from controller: Int) -> CommandAnswer {
        let place = find(handle, of: controller)
        let rssi = place.map { strength(of: links[$0.index].ends[1 - $0.side].controller, at: controller) }
        return .complete(
            HCIReadRSSI.ReturnParameters(
                status: place == nil ? .unknownConnectionIdentifier : .success, handle: handle,
                rssi: rssi ?? 127))
    }
}

extension LESetDataLength {
    /// Returns the maximum payload that on LE 1M takes at most this time, in microseconds.
    static func octets(_ most: UInt16, time: UInt16) -> UInt16 { max(27, min(most, time / 8 - 14)) }
}
