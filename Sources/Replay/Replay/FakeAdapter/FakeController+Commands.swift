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
        air.send(answer)
        guard initiating.isCancelled else { return }
        initiating.isCancelled = false
        air.sendEvent(LEConnectionComplete(status: .unknownConnectionIdentifier))
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        if opcode == HCIReadBDADDR.opcode, model.controller.address == nil {
            air.judge.note(.ownAddress)
        }
        guard let answer = try air.core.perform(opcode, parameters, at: air.now, &random) else {
            return try performLink(opcode, parameters)
        }
        switch air.core.change {
        case nil: break
        case .reset: reset()
        case .advertising: scheduleCentral()
        case .scanning: setScanning()
        case .initiating(let command):
            let status = startInitiating(command)
            if status != .success { air.core.initiating = nil }
            return .status(status)
        case .cancelled: giveUp()
        }
        return answer
    }

    private mutating func reset() {
        scanning = Scanning(generation: scanning.generation + 1)
        initiating = Initiating(generation: initiating.generation + 1)
        for index in links.indices where !links[index].isClosed {
            links[index].matchReset(&air)
            addStates()
            links[index].close(at: air.now)
            links[index].advance(&air)
            attempts[links[index].place].closedAt = air.now
        }
        giveConnectTurns()
    }

    private mutating func performLink(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        if opcode == HCIReadRSSI.opcode { return rssi(of: try HCIReadRSSI(whole: parameters).handle) }
        guard let command = try LinkCommand(opcode, parameters) else { return nil }
        return command.answer(on: openLink(with: command.handle)) {
            links[$0].perform(command, &air)
            return .success
        }
    }

    /// Returns a made-up signal strength, since logs rarely contain one.
    private func rssi(of handle: UInt16) -> CommandAnswer {
        let isOpen = openLink(with: handle) != nil
        return .complete(
            HCIReadRSSI.ReturnParameters(
                status: isOpen ? .success : .unknownConnectionIdentifier, handle: handle, rssi: -60))
    }

    private func openLink(with handle: UInt16) -> Int? {
        links.lastIndex { $0.handle == handle && !$0.isClosed }
    }

    // MARK: Data

    mutating func takeData(_ octets: [UInt8]) {
        guard let header = try? HCIACLHeader(start: octets) else { return divergeOnData(octets, of: nil) }
        guard let index = openLink(with: header.handle) else {
            // A packet sent while the link ended is not the host's fault.
            let gone = links.lastIndex { $0.handle == header.handle }
            if let gone, links[gone].closedAt == air.now { return }
            return divergeOnData(octets, of: gone)
        }
        guard octets.count == HCIACLHeader.size + Int(header.dataLength) else {
            return divergeOnData(octets, of: index)
        }
        air.sendEvent(
            HCINumberOfCompletedPackets(connections: [
                HCICompletedPackets(connectionHandle: header.handle, numCompletedPackets: 1)
            ]))
        buffersGivenBack += 1
        links[index].receive(octets, header, &air)
    }

    /// Reports a packet of the host that can't be decoded or is on no open link.
    private mutating func divergeOnData(_ octets: [UInt8], of link: Int?) {
        if let index = link ?? links.indices.last { return links[index].divergeOnData(octets, &air) }
        guard !air.judge.hasVerdict else { return }
        let channel = L2CAPChannelID(rawValue: 0)
        air.transcript.add(octets, channel, from: .host, of: 0, at: air.now)
        record(
            Divergence(
                kind: .malformed, time: air.now, connection: 0, peer: DeviceAddress(0, .unknown),
                expected: nil, got: octets, channel: channel, before: [], state: []), isFinal: true)
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
