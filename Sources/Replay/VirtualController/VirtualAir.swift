public import BluetoothCore
public import Runtime
import WireBytes

/// Any number of Bluetooth LE controllers, joined by a virtual air.
///
/// A state machine without I/O: it takes packets from hosts with a time, and returns packets for hosts. It
/// simulates radio time: advertising intervals with their random delay, scan windows, connection events at
/// their anchors, flow control by credits, supervision timeouts. All randomness follows from a seed. It is a
/// value, so a copy is independent.
public struct VirtualAir: Sendable {
    var medium: AirMedium
    var links: [AirLink] = []
    var nextLink: UInt32 = 1
    /// Data packets of hosts for no link, or longer than a controller's buffers.
    public private(set) var droppedData = 0
    /// The packets sent on the air; nil where nobody listens.
    public var trace: AirTrace? {
        get { medium.trace }
        set { medium.trace = newValue }
    }

    /// Creates an air without controllers.
    public init(seed: UInt64) { medium = AirMedium(random: SplitMix(state: seed)) }

    /// Adds a controller.
    public mutating func add(_ configuration: ControllerConfiguration) -> ControllerID {
        medium.controllers.append(ControllerCore(configuration))
        return ControllerID(rawValue: medium.controllers.count - 1)
    }

    /// Handles a packet from a controller's host.
    public mutating func receive(
        _ packet: HCIPacket, for controller: ControllerID, at now: Instant
    ) -> [AirEffect] {
        var before = advance(to: now)
        guard medium.controllers.indices.contains(controller.rawValue) else { return before }
        switch packet.type {
        case .command: command(packet.octets, of: controller.rawValue)
        case .acl: if !acl(packet.octets, of: controller.rawValue) { droppedData &+= 1 }
        default: break
        }
        medium.handOver()
        before += medium.taken()
        return before
    }

    /// Processes all events that are due by `now`.
    public mutating func advance(to now: Instant) -> [AirEffect] {
        medium.handOver()
        while let event = medium.heap.pop(notAfter: now) {
            medium.now = max(medium.now, event.time)
            happen(event.payload)
            medium.handOver()
        }
        medium.now = max(medium.now, now)
        return medium.taken()
    }

    /// Time of the next event; nil if absent.
    public var nextDeadline: Instant? { medium.heap.nextTime }

    /// Moves two controllers out of each other's range. Links between them end by their supervision timeout.
    public mutating func separate(_ one: ControllerID, _ other: ControllerID) {
        medium.separated.insert(.init(one.rawValue, other.rawValue))
        for index in links.indices where links[index].joins(one, other) { links[index].lose(&medium) }
    }

    /// Moves two controllers back into range. Links that have not ended continue.
    public mutating func rejoin(_ one: ControllerID, _ other: ControllerID) {
        medium.separated.remove(.init(one.rawValue, other.rawValue))
        for index in links.indices where links[index].joins(one, other) { links[index].rejoin(&medium) }
    }

    /// Cuts a controller's power. It loses its state, and its peers' links end by their supervision timeout.
    public mutating func cutPower(of controller: ControllerID) {
        guard medium.controllers.indices.contains(controller.rawValue) else { return }
        medium.controllers[controller.rawValue].reset()
        loseLinks(of: controller.rawValue)
    }

    /// The number of links that are open at both ends.
    public var openLinks: Int { links.count { !$0.ends.contains(where: \.isGone) } }

    /// Makes the peers of a controller that was reset lose its links.
    private mutating func loseLinks(of controller: Int) {
        for index in links.indices { links[index].leave(controller: controller, &medium) }
        links.removeAll(where: \.isEnded)
    }

    private mutating func happen(_ event: AirEvent) {
        switch event {
        case .advertise(let controller, let set, let generation):
            advertise(from: controller, set: set, generation: generation)
        case .advertisingTimeout(let controller, let set, let generation):
            medium.advertisingTimedOut(controller: controller, set: set, generation: generation)
        case .scanTimeout(let controller, let start): medium.scanTimedOut(controller: controller, start)
        case .hand(let effect): medium.handed.append(effect)
        case .link(let id, let event):
            guard let index = links.firstIndex(where: { $0.id == id }) else { return }
            links[index].happen(event, &medium)
            if links[index].isEnded { links.remove(at: index) }
        }
    }
}

/// The state that the controllers and links of an air share: its clock, randomness, and ways to the hosts.
struct AirMedium: Sendable {
    /// Two controllers in the order of their numbers.
    struct Pair: Hashable, Sendable {
        var low: Int
        var high: Int

        init(_ one: Int, _ other: Int) {
            low = min(one, other)
            high = max(one, other)
        }
    }

    var controllers: [ControllerCore] = []
    var heap = EventHeap<AirEvent>()
    var random: SplitMix
    var now = Instant.zero
    var separated: Set<Pair> = []
    var paths: [Pair: RadioPath] = [:]
    var trace: AirTrace?
    /// New effects, and those that reach the hosts now.
    var effects: [AirEffect] = []
    var handed: [AirEffect] = []

    init(random: SplitMix) { self.random = random }

    func hears(_ one: Int, _ other: Int) -> Bool { one != other && !separated.contains(Pair(one, other)) }

    /// Sends an event to a host, unless its mask blocks it.
    mutating func tell<Event: HCIEvent>(_ event: Event, to controller: Int) {
        guard controllers[controller].lets(Event.eventCode) else { return }
        send(HCIPacket(.event, event.packet), to: controller)
    }

    /// Sends an LE event to a host, unless its masks block it.
    mutating func tell<Event: LEEvent>(_ event: Event, to controller: Int) {
        guard controllers[controller].lets(Event.subeventCode) else { return }
        send(HCIPacket(.event, event.packet), to: controller)
    }

    mutating func send(_ packet: HCIPacket, to controller: Int) {
        effects.append(AirEffect(controller: ControllerID(rawValue: controller), packet: packet))
    }

    /// Returns and clears the effects that reach the hosts.
    mutating func taken() -> [AirEffect] {
        defer { handed = [] }
        return handed
    }
}

/// The radio path between two controllers; the air's seed determines the result of each packet.
public struct RadioPath: Hashable, Sendable {
    /// Mean signal strength in both directions, in dBm.
    public var rssi: Int8
    /// Maximum deviation of a packet's strength from the mean, in dB; all values are equally likely.
    public var variation: UInt8 = 0
    /// Number of lost packets among 1000 advertising packets or connection events (up to 999).
    ///
    /// Links repeat lost data in their next event. To separate controllers completely, use
    /// ``VirtualAir/separate(_:_:)``.
    public var lossPerMille: UInt16 = 0

    public init(rssi: Int8) { self.rssi = rssi }
}

extension VirtualAir {
    /// Sets the path between two controllers: nil for each one's own strength, without losses.
    public mutating func setPath(_ path: RadioPath?, between one: ControllerID, and other: ControllerID) {
        medium.paths[.init(one.rawValue, other.rawValue)] = path
    }
}

extension AirMedium {
    /// Whether the next packet between two controllers is lost.
    mutating func isLost(from one: Int, to other: Int) -> Bool {
        guard let path = paths[Pair(one, other)], path.lossPerMille > 0 else { return false }
        return random.next(below: 1000) < Int(min(path.lossPerMille, 999))
    }

    /// Returns the strength in dBm at which another controller receives a packet.
    mutating func strength(of sender: Int, at receiver: Int) -> Int8 {
        guard let path = paths[Pair(sender, receiver)] else { return controllers[sender].configuration.rssi }
        guard path.variation > 0 else { return path.rssi }
        let offset = random.next(below: 2 * Int(path.variation) + 1) - Int(path.variation)
        // A report's range is -127 to 20 dBm (Vol 4, Part E, 7.7.65.2).
        return Int8(clamping: max(-127, min(20, Int(path.rssi) + offset)))
    }

    /// Delivers the new effects to the hosts, or schedules them if the host latency is not zero.
    mutating func handOver() {
        for effect in effects {
            let most = controllers[effect.controller.rawValue].configuration.hostLatency
            guard most > .zero else {
                handed.append(effect)
                continue
            }
            let delay = Int64(random.next(below: Int(clamping: most.saturatedNanoseconds) + 1))
            // Packets keep their order.
            let time = max(
                now.advanced(by: .nanoseconds(delay)), controllers[effect.controller.rawValue].lastHanded)
            controllers[effect.controller.rawValue].lastHanded = time
            heap.push(.hand(effect), at: time, from: .controller.numbered(effect.controller.rawValue))
        }
        effects = []
    }
}

// Commands of the hosts. Before it is executed, a command is checked as the specification requires: first its
// length, then its parameters, then the controller's state.

extension VirtualAir {
    mutating func command(_ octets: [UInt8], of controller: Int) {
        let before = medium.effects.count
        let answer = CommandAnswer.event(answering: octets) { (opcode, parameters) throws(DecodeError) in
            try perform(opcode, parameters, from: controller)
        }
        guard let answer else { return }
        // The response precedes the events that the command causes.
        let brought = Array(medium.effects[before...])
        medium.effects.removeSubrange(before...)
        medium.send(HCIPacket(.event, answer), to: controller)
        medium.effects += brought
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8], from controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        guard
            let answer = try medium.controllers[controller].perform(
                opcode, parameters, at: medium.now, &medium.random)
        else {
            return try performLink(opcode, parameters, from: controller)
        }
        switch medium.controllers[controller].change {
        case nil: break
        case .reset: loseLinks(of: controller)
        case .advertising(let places):
            for place in places { medium.schedule(advertising: place, of: controller) }
        case .scanning: medium.scheduleScanTimeout(of: controller)
        case .initiating(let wish):
            guard let obstacle = obstacle(to: wish, from: controller) else { break }
            medium.controllers[controller].initiating = nil
            return .status(obstacle)
        case .cancelled:
            medium.completeConnection(
                LEEnhancedConnectionComplete(status: .unknownConnectionIdentifier), to: controller)
        }
        return answer
    }

    /// Takes ACL data from a host.
    ///
    /// - Returns: whether there is a link that it fits.
    private mutating func acl(_ octets: [UInt8], of controller: Int) -> Bool {
        let state = medium.controllers[controller]
        guard let header = try? HCIACLHeader(start: octets),
            octets.count == HCIACLHeader.size + Int(header.dataLength),
            header.dataLength <= state.configuration.aclPacketLength
        else { return false }
        guard state.held < Int(state.configuration.aclPacketCount) else {
            // The host sent more packets than there are buffers.
            medium.tell(HCIDataBufferOverflow(linkType: 1), to: controller)
            return true
        }
        guard let place = find(header.handle, of: controller) else { return false }
        links[place.index].take(
            octets.dropFirst(HCIACLHeader.size), isContinuation: header.isContinuation, from: place.side,
            &medium)
        return true
    }
}
