import BluetoothCore
import Runtime
import VirtualController
import WireBytes

// The host's commands to its controller, and the controller's responses.

extension FakeController {
    mutating func command(_ octets: [UInt8]) {
        let answer = CommandAnswer.event(answering: octets) { (opcode, parameters) throws(DecodeError) in
            try perform(opcode, parameters)
        }
        guard let answer else { return }
        // The response comes first; effects of the command are scheduled after it.
        send(answer.packet)
        follow(answer.opcode)
    }

    /// Sends the response to a command, which no event mask hides.
    mutating func send(_ event: [UInt8]) { schedule(.packet(HCIPacket(.event, event)), at: now) }

    /// Sends an event, now or at a later time, unless the host's event mask hides it.
    mutating func tell<Event: HCIEvent>(_ event: Event, at time: Instant? = nil) {
        guard setup.core.lets(Event.eventCode) else { return }
        schedule(.packet(HCIPacket(.event, event.packet)), at: time ?? now)
    }

    /// Sends an LE event, now or at a later time, unless the host's LE event mask hides it.
    mutating func tell<Event: LEEvent>(_ event: Event, at time: Instant? = nil) {
        guard setup.core.lets(Event.subeventCode) else { return }
        schedule(.packet(HCIPacket(.event, event.packet)), at: time ?? now)
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        if opcode == HCIReset.opcode {
            _ = try HCIReset(whole: parameters)
            reset()
            return .complete(.success)
        }
        if opcode == HCIReadBDADDR.opcode, model.controller.address == nil {
            normalizations.note(.ownAddress)
        }
        if let answer = try setup.core.perform(opcode, parameters, &random) { return answer }
        if let answer = try performScanning(opcode, parameters) { return answer }
        if let answer = try performAdvertising(opcode, parameters) { return answer }
        return try performLink(opcode, parameters)
    }

    private mutating func performAdvertising(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetAdvertisingParameters.opcode:
            let wish = try LESetAdvertisingParameters(whole: parameters)
            guard !setup.isAdvertising else { return .complete(.commandDisallowed) }
            setup.advertising.intervalUnits = wish.advertisingIntervalMax
            setup.isConnectable = [0, 1, 4].contains(wish.advertisingType)
            setup.advertisesRandom = wish.ownAddressType & 1 == 1
            return .complete(.success)
        case LESetAdvertisingData.opcode:
            let wish = try LESetAdvertisingData(whole: parameters)
            setup.advertising.data = Array(wish.advertisingData.prefix(Int(wish.advertisingDataLength)))
            return .complete(.success)
        case LESetScanResponseData.opcode:
            let wish = try LESetScanResponseData(whole: parameters)
            setup.advertising.scanResponse = Array(
                wish.scanResponseData.prefix(Int(wish.scanResponseDataLength)))
            return .complete(.success)
        case LESetAdvertisingEnable.opcode:
            setup.isAdvertising = try LESetAdvertisingEnable(whole: parameters).advertisingEnable == 1
            setup.advertisingGeneration += 1
            scheduleCentral()
            return .complete(.success)
        default: return nil
        }
    }

    private mutating func reset() {
        setup = ControllerSetup(model.controller)
        scanning = Scanning(generation: scanning.generation + 1)
        initiating = Initiating(generation: initiating.generation + 1)
        for index in links.indices where !links[index].isClosed {
            if !links[index].isLive, !links[index].mayBeEnded {
                diverge(
                    .different, nil, .attribute, link: index,
                    other: "disconnect, reason \(HCIStatus.connectionTerminatedByLocalHost)")
            }
            close(link: index)
            advanceLink(link: index)
        }
        giveConnectTurns()
    }
}

extension DeviceAddress {
    /// Whether the address is random, including random identities.
    var isRandom: Bool { kind == .random || kind == .randomIdentity }

    /// Whether both addresses belong to the same device.
    func names(_ other: DeviceAddress) -> Bool {
        value == other.value && (isRandom == other.isRandom || kind == .unknown || other.kind == .unknown)
    }
}

/// The controller's settings, as set by the host.
struct ControllerSetup: Sendable {
    var core: ControllerCore
    var advertising = RecordedConnection.Advertising()
    var isAdvertising = false
    /// Whether centrals may connect, and whether the host advertises with its random address.
    var isConnectable = false
    var advertisesRandom = false
    /// Incremented whenever advertising begins or ends.
    var advertisingGeneration = 0

    /// The adapter's address if the log does not show one.
    static let madeUpAddress = DeviceAddress(0x02_00_00_00_00_10, .public)

    init(_ controller: RecordedController) {
        // Version 5.3 of the Core Specification is the lowest with all of the commands.
        var configuration = ControllerConfiguration(
            publicAddress: controller.address ?? Self.madeUpAddress, version: .v53)
        configuration.features = [.encryption, .connectionParametersRequest, .dataPacketLengthExtension]
        configuration.aclPacketLength = controller.packetLength
        configuration.aclPacketCount = controller.packetCount
        configuration.acceptListSize = controller.acceptListSize
        core = ControllerCore(configuration)
    }
}
