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
        send(answer)
        guard initiating.isCancelled else { return }
        initiating.isCancelled = false
        sendEvent(LEConnectionComplete(status: .unknownConnectionIdentifier))
    }

    /// Sends the response to a command, which no event mask hides.
    mutating func send(_ event: [UInt8]) { schedule(.packet(HCIPacket(.event, event)), at: now) }

    /// Sends an event, now or at a later time, unless the host's event mask hides it.
    mutating func sendEvent<Event: HCIEvent>(_ event: Event, at time: Instant? = nil) {
        guard core.lets(Event.eventCode) else { return }
        schedule(.packet(HCIPacket(.event, event.packet)), at: time ?? now)
    }

    /// Sends an LE event, now or at a later time, unless the host's LE event mask hides it.
    mutating func sendEvent<Event: LEEvent>(_ event: Event, at time: Instant? = nil) {
        guard core.lets(Event.subeventCode) else { return }
        schedule(.packet(HCIPacket(.event, event.packet)), at: time ?? now)
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        if opcode == HCIReadBDADDR.opcode, model.controller.address == nil {
            normalizations.note(.ownAddress)
        }
        guard let answer = try core.perform(opcode, parameters, at: now, &random) else {
            return try performLink(opcode, parameters)
        }
        switch core.change {
        case nil: break
        case .reset: reset()
        case .advertising: scheduleCentral()
        case .scanning: setScanning()
        case .initiating(let command):
            let status = startInitiating(command)
            if status != .success { core.initiating = nil }
            return .status(status)
        case .cancelled: giveUp()
        }
        return answer
    }

    private mutating func reset() {
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

extension RecordedController {
    /// The adapter's address if the log does not show one.
    static let madeUpAddress = DeviceAddress(0x02_00_00_00_00_10, .public)

    var configuration: ControllerConfiguration {
        // Version 5.3 of the Core Specification is the lowest with all of the commands.
        var configuration = ControllerConfiguration(
            publicAddress: address ?? Self.madeUpAddress, version: .v53)
        configuration.features = [
            .leEncryption, .connectionParametersRequestProcedure, .leDataPacketLengthExtension,
        ]
        configuration.aclPacketLength = packetLength
        configuration.aclPacketCount = packetCount
        configuration.acceptListSize = acceptListSize
        return configuration
    }
}

extension ControllerCore {
    /// Legacy advertising.
    var advertising: AdvertisingSet { sets[0] }
}
