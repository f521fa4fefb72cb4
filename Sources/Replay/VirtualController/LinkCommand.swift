import BluetoothCore
import Runtime
import WireBytes

/// A command about an open link. It is the same on every air; the air carries it out.
public struct LinkCommand: Sendable {
    /// The command, with those of its parameters that an air needs.
    public enum Kind: Sendable {
        case disconnect(HCIStatus)
        case update(LEConnectionUpdate)
        case acceptParameters(LERemoteConnectionParameterRequestReply)
        case rejectParameters(HCIStatus)
        case readFeatures
        case readVersion
        case encrypt(LEEnableEncryption)
        case provideKey(LELongTermKeyRequestReply)
        case refuseKey
        case setLength(LESetDataLength)
    }

    /// The command.
    public var kind: Kind
    /// The handle of the connection that it is about.
    public var handle: UInt16
    private var isAllowed: Bool
    private var hasStatus: Bool

    private init(_ opcode: HCIOpcode, _ kind: Kind, on handle: UInt16, if isAllowed: Bool = true) {
        self.kind = kind
        self.handle = handle
        self.isAllowed = isAllowed
        hasStatus = KnownCommand.byOpcode[opcode]?.hasStatus ?? false
    }

    /// Decodes a command; nil if it is not one of these.
    public init?(_ opcode: HCIOpcode, _ parameters: [UInt8]) throws(DecodeError) {
        switch opcode {
        case HCIDisconnect.opcode:
            let wish = try HCIDisconnect(whole: parameters)
            self.init(
                opcode, .disconnect(wish.reason), on: wish.connectionHandle,
                if: wish.reason.isDisconnectReason)
        case LEConnectionUpdate.opcode:
            let wish = try LEConnectionUpdate(whole: parameters)
            let isAllowed = LinkParameters.areAllowed(
                min: wish.connectionIntervalMin, max: wish.connectionIntervalMax, latency: wish.maxLatency,
                timeout: wish.supervisionTimeout)
            self.init(
                opcode, .update(wish), on: wish.connectionHandle,
                if: isAllowed && wish.minCELength <= wish.maxCELength)
        case LERemoteConnectionParameterRequestReply.opcode:
            let reply = try LERemoteConnectionParameterRequestReply(whole: parameters)
            let isAllowed = LinkParameters.areAllowed(
                min: reply.intervalMin, max: reply.intervalMax, latency: reply.maxLatency,
                timeout: reply.timeout)
            self.init(opcode, .acceptParameters(reply), on: reply.connectionHandle, if: isAllowed)
        case LERemoteConnectionParameterRequestNegativeReply.opcode:
            let reply = try LERemoteConnectionParameterRequestNegativeReply(whole: parameters)
            self.init(opcode, .rejectParameters(reply.reason), on: reply.connectionHandle)
        case LEReadRemoteFeatures.opcode:
            self.init(
                opcode, .readFeatures, on: try LEReadRemoteFeatures(whole: parameters).connectionHandle)
        case HCIReadRemoteVersionInformation.opcode:
            let wish = try HCIReadRemoteVersionInformation(whole: parameters)
            self.init(opcode, .readVersion, on: wish.connectionHandle)
        case LEEnableEncryption.opcode:
            let wish = try LEEnableEncryption(whole: parameters)
            self.init(opcode, .encrypt(wish), on: wish.connectionHandle)
        case LELongTermKeyRequestReply.opcode:
            let reply = try LELongTermKeyRequestReply(whole: parameters)
            self.init(opcode, .provideKey(reply), on: reply.connectionHandle)
        case LELongTermKeyRequestNegativeReply.opcode:
            let reply = try LELongTermKeyRequestNegativeReply(whole: parameters)
            self.init(opcode, .refuseKey, on: reply.connectionHandle)
        case LESetDataLength.opcode:
            let wish = try LESetDataLength(whole: parameters)
            let isAllowed = (27...251).contains(wish.txOctets) && (328...17_040).contains(wish.txTime)
            self.init(opcode, .setLength(wish), on: wish.connectionHandle, if: isAllowed)
        default: return nil
        }
    }

    /// Executes the command on its link, which is nil if no open link has the handle, and returns the
    /// response.
    public func answer<Link>(on link: Link?, _ perform: (Link) -> HCIStatus) -> CommandAnswer {
        let status =
            isAllowed ? link.map(perform) ?? .unknownConnectionIdentifier : .invalidHCICommandParameters
        return hasStatus ? .status(status) : .complete(status, on: handle)
    }
}

extension VirtualAir {
    mutating func performLink(
        _ opcode: HCIOpcode, _ parameters: [UInt8], from controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        if opcode == HCIReadRSSI.opcode {
            return readRSSI(of: try HCIReadRSSI(whole: parameters).handle, from: controller)
        }
        guard let command = try LinkCommand(opcode, parameters) else {
            return try performPHY(opcode, parameters, from: controller)
        }
        return command.answer(on: find(command.handle, of: controller)) {
            links[$0.index].perform(command, from: $0.side, &medium)
        }
    }

    func find(_ handle: UInt16, of controller: Int) -> (index: Int, side: Int)? {
        for index in links.indices {
            if let side = links[index].side(of: controller, handle: handle) { return (index, side) }
        }
        return nil
    }

    private mutating func readRSSI(of handle: UInt16, from controller: Int) -> CommandAnswer {
        let place = find(handle, of: controller)
        let rssi = place.map { place in
            medium.strength(of: links[place.index].ends[1 - place.side].controller, at: controller)
        }
        return .complete(
            HCIReadRSSI.ReturnParameters(
                status: place == nil ? .unknownConnectionIdentifier : .success, handle: handle,
                rssi: rssi ?? 127))
    }
}

extension AirLink {
    mutating func perform(
        _ command: LinkCommand, from side: Int, _ air: inout AirMedium
    ) -> HCIStatus {
        let control: Control
        switch command.kind {
        case .disconnect(let reason):
            guard ends[side].terminating == nil else { return .commandDisallowed }
            ends[side].terminating = reason
            control = .terminate(reason)
        case .update(let wish):
            guard let update = update(wish, from: side, air.controllers[ends[side].controller].configuration)
            else { return .commandDisallowed }
            control = update
        case .acceptParameters(let reply):
            control = .update(
                LinkParameters(interval: reply.intervalMin, latency: reply.maxLatency, timeout: reply.timeout)
            )
        case .rejectParameters(let reason): control = .parameterReject(reason)
        case .readFeatures: control = .featureRequest
        case .readVersion: control = .versionRequest
        case .encrypt(let wish):
            guard side == 0, encrypting == nil else { return .commandDisallowed }
            encrypting = wish.longTermKey
            encryptionAttempt += 1
            air.heap.push(
                .link(id, .encryptionTimeout(attempt: encryptionAttempt)),
                at: air.now.advanced(by: Self.procedureTimeout), from: .controller)
            control = .encryptionRequest(wish)
        case .provideKey(let reply): control = .encryptionStart(reply.longTermKey)
        case .refuseKey: control = .encryptionReject(.pinOrKeyMissing)
        case .setLength(let wish): control = .length(LESetDataLength.octets(wish.txOctets, time: wish.txTime))
        }
        queue(control, from: side, &air)
        return .success
    }

    /// Returns the PDU that changes the parameters, or for a peripheral the one that requests it; nil for a
    /// peripheral before version 4.1, which can't.
    private func update(
        _ wish: LEConnectionUpdate, from side: Int, _ sender: ControllerConfiguration
    ) -> Control? {
        if side == 0 {
            return .update(
                LinkParameters(
                    interval: wish.connectionIntervalMin, latency: wish.maxLatency,
                    timeout: wish.supervisionTimeout))
        }
        guard sender.features.contains(.connectionParametersRequestProcedure) else { return nil }
        return .parameterRequest(
            LERemoteConnectionParameterRequest(
                intervalMin: wish.connectionIntervalMin, intervalMax: wish.connectionIntervalMax,
                maxLatency: wish.maxLatency, timeout: wish.supervisionTimeout))
    }

    mutating func queue(_ control: Control, from side: Int, _ air: inout AirMedium) {
        ends[side].control.append(control)
        schedule(&air)
    }
}

extension LESetDataLength {
    /// Returns the maximum payload that on LE 1M takes at most this time, in microseconds.
    static func octets(_ most: UInt16, time: UInt16) -> UInt16 { max(27, min(most, time / 8 - 14)) }
}
