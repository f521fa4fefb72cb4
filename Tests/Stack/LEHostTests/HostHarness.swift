import BluetoothCore
import LEHost
import Runtime
import Testing

/// A host, and a controller played by the test: what the host sends is seen, what it is sent is written.
struct HostHarness {
    var host: LEHost
    var now = Instant.zero
    var sent: [HCIPacket] = []
    var events: [HostEvent] = []
    /// What the host's private addresses are made of.
    var addressRandomness: [UInt8]? = [0x70, 0x81, 0x94]

    init(_ configure: (inout HostConfiguration) -> Void = { _ in }) {
        var configuration = HostConfiguration()
        configuration.clientMTU = nil
        configure(&configuration)
        host = LEHost(configuration)
    }

    mutating func put(_ input: HostInput) {
        for effect in host.handle(input, at: now) {
            switch effect {
            case .send(let packet): sent.append(packet)
            case .event(let event): events.append(event)
            case .draw(let link):
                put(.pairingRandomness(try? PairingRandomness(SeededEntropy(seed: 1)), on: link))
            case .drawAddress: put(.addressRandomness(addressRandomness))
            }
        }
    }

    mutating func event(_ packet: [UInt8]) { put(.packet(HCIPacket(.event, packet))) }

    /// Command Complete with these return parameters.
    mutating func complete(_ opcode: HCIOpcode, _ returned: [UInt8] = [0], credits: UInt8 = 1) {
        let parameters =
            HCICommandComplete {
                $0.numHCICommandPackets = credits
                $0.commandOpcode = opcode
            }.encoded + returned
        event([HCICommandComplete.eventCode.rawValue, UInt8(parameters.count)] + parameters)
    }

    /// Command Status.
    mutating func status(_ opcode: HCIOpcode, _ status: HCIStatus = .success, credits: UInt8 = 1) {
        event(
            HCICommandStatus {
                $0.status = status
                $0.numHCICommandPackets = credits
                $0.commandOpcode = opcode
            }.packet)
    }

    /// What was sent since the last time.
    mutating func takeSent() -> [HCIPacket] {
        defer { sent = [] }
        return sent
    }

    mutating func takeEvents() -> [HostEvent] {
        defer { events = [] }
        return events
    }

    /// Expects that these commands, and nothing else, were sent since the last time.
    mutating func expect(_ commands: [[UInt8]], location: SourceLocation = #_sourceLocation) {
        #expect(takeSent().map { hex($0.octets) } == commands.map(hex), sourceLocation: location)
    }

    /// The opcodes of the commands sent since the last time.
    mutating func sentOpcodes() -> [HCIOpcode] {
        takeSent().filter { $0.type == .command && $0.octets.count >= 3 }.map {
            HCIOpcode(rawValue: UInt16($0.octets[0]) | UInt16($0.octets[1]) << 8)
        }
    }

    /// Return parameters of the commands that bring a controller up.
    static func returned(_ opcode: HCIOpcode, address: UInt64, packets: UInt8) -> [UInt8] {
        switch opcode {
        case HCIReadBDADDR.opcode:
            return HCIReadBDADDR.ReturnParameters { $0.bdAddr = DeviceAddress(address, .public) }.encoded
        case LEReadBufferSize.opcode:
            return LEReadBufferSize.ReturnParameters {
                $0.leACLDataPacketLength = 27
                $0.totalNumLEACLDataPackets = packets
            }.encoded
        case LEReadLocalSupportedFeatures.opcode:
            return LEReadLocalSupportedFeatures.ReturnParameters().encoded
        case HCIReadLocalSupportedFeatures.opcode:
            return HCIReadLocalSupportedFeatures.ReturnParameters().encoded
        case LEReadFilterAcceptListSize.opcode:
            return LEReadFilterAcceptListSize.ReturnParameters { $0.filterAcceptListSize = 4 }.encoded
        case HCIReadLocalSupportedCommands.opcode:
            return HCIReadLocalSupportedCommands.ReturnParameters {
                $0.supportedCommands = [UInt8](repeating: 0xFF, count: 64)
            }.encoded
        case LEReadResolvingListSize.opcode:
            return LEReadResolvingListSize.ReturnParameters { $0.resolvingListSize = 2 }.encoded
        case HCIReadLocalVersionInformation.opcode:
            return HCIReadLocalVersionInformation.ReturnParameters().encoded
        case HCIReadBufferSize.opcode:
            return HCIReadBufferSize.ReturnParameters {
                $0.aclDataPacketLength = 100
                $0.totalNumACLDataPackets = 5
            }.encoded
        default: return [0]
        }
    }

    /// Powers on and answers until the host is ready.
    mutating func bringUp(address: UInt64 = 0x0102_0304_0506, packets: UInt8 = 3) {
        put(.powerOn)
        for _ in 0..<40 {
            guard let opcode = sentOpcodes().first else { break }
            complete(opcode, Self.returned(opcode, address: address, packets: packets))
        }
    }

    static let car = DeviceAddress(0xC0FF_EE00_0001, .random)

    /// The controller has connected to a device.
    mutating func connected(
        _ handle: UInt16 = 0x40, to peer: DeviceAddress = car, isCentral: Bool = true,
        status: HCIStatus = .success
    ) {
        event(
            LEConnectionComplete {
                $0.status = status
                $0.connectionHandle = handle
                $0.role = isCentral ? 0 : 1
                $0.peerAddressType = peer.kind == .random ? 1 : 0
                $0.peerAddress = peer
                $0.connectionInterval = 24
                $0.supervisionTimeout = 420
            }.packet)
    }

    /// The link with this handle is at its end.
    mutating func disconnected(
        _ handle: UInt16 = 0x40, _ reason: HCIStatus = .connectionTerminatedByLocalHost
    ) {
        event(
            HCIDisconnectionComplete {
                $0.connectionHandle = handle
                $0.reason = reason
            }.packet)
    }

    /// The controller has encrypted a link, or has not.
    mutating func encryptionChanged(_ handle: UInt16 = 0x40, _ status: HCIStatus = .success) {
        event(
            HCIEncryptionChange {
                $0.status = status
                $0.connectionHandle = handle
                $0.encryptionEnabled = status == .success ? 1 : 0
            }.packet)
    }

    /// Connects to the car, and forgets how.
    mutating func connect(_ handle: UInt16 = 0x40, to peer: DeviceAddress = car) -> LinkID {
        put(.connect(peer))
        status(LECreateConnection.opcode)
        connected(handle, to: peer)
        sent = []
        defer { events = [] }
        for event in events { if case .connected(let link) = event { return link.id } }
        Issue.record("no link")
        return LinkID(rawValue: 0)
    }

    /// A peer's L2CAP PDU in one ACL packet, or in pieces.
    mutating func data(
        _ handle: UInt16, _ channel: L2CAPChannelID, _ information: String, pieces limit: Int = 251
    ) {
        for fragment in L2CAPFragmenter.fragments(octets(information), channel: channel, limit: limit) {
            let header = HCIACLHeader(
                handle: handle, boundary: fragment.isContinuation ? 1 : 2,
                dataLength: UInt16(fragment.octets.count))
            put(.packet(HCIPacket(.acl, header.encoded + fragment.octets)))
        }
    }

    /// The controller has sent packets of a link.
    mutating func completed(_ count: UInt16, of handle: UInt16) {
        event(
            HCINumberOfCompletedPackets {
                $0.connections = [
                    HCICompletedPackets {
                        $0.connectionHandle = handle
                        $0.numCompletedPackets = count
                    }
                ]
            }.packet)
    }
}
