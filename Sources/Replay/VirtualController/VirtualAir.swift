public import BluetoothCore
public import Runtime

/// Any number of Bluetooth LE controllers, joined by a virtual air.
///
/// A state machine without I/O: it takes packets from hosts with a time, and returns packets for hosts. It
/// simulates radio time: advertising intervals with their random delay, scan windows, connection events at
/// their anchors, flow control by credits, supervision timeouts. All randomness follows from a seed. It is a
/// value, so a copy is independent.
public struct VirtualAir: Sendable {
    var controllers: [ControllerState] = []
    var links: [AirLink] = []
    var heap = EventHeap<AirEvent>()
    var random: SplitMix
    var now = Instant.zero
    var nextLink: UInt32 = 1
    var separated: Set<Pair> = []
    var paths: [Pair: RadioPath] = [:]
    /// Data packets of hosts for no link, or longer than a controller's buffers.
    public private(set) var droppedData = 0
    /// New effects, and those that reach the hosts now.
    var effects: [AirEffect] = []
    var handed: [AirEffect] = []

    /// Two controllers in the order of their numbers.
    struct Pair: Hashable, Sendable {
        var low: Int
        var high: Int

        init(_ one: Int, _ other: Int) {
            low = min(one, other)
            high = max(one, other)
        }
    }

    /// Creates an air without controllers.
    public init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Adds a controller.
    public mutating func add(_ configuration: ControllerConfiguration) -> ControllerID {
        controllers.append(ControllerState(configuration))
        return ControllerID(rawValue: controllers.count - 1)
    }

    /// Handles a packet from a controller's host.
    public mutating func receive(
        _ packet: HCIPacket, for controller: ControllerID, at now: Instant
    ) -> [AirEffect] {
        var before = advance(to: now)
        guard controllers.indices.contains(controller.rawValue) else { return before }
        switch packet.type {
        case .command: command(packet.octets, of: controller.rawValue)
        case .acl: if !acl(packet.octets, of: controller.rawValue) { droppedData &+= 1 }
        default: break
        }
        handOver()
        before += taken()
        return before
    }

    /// Processes all events that are due by `now`.
    public mutating func advance(to now: Instant) -> [AirEffect] {
        handOver()
        while let event = heap.pop(notAfter: now) {
            self.now = max(self.now, event.time)
            happen(event.payload)
            handOver()
        }
        self.now = max(self.now, now)
        return taken()
    }

    /// Time of the next event; nil if absent.
    public var nextDeadline: Instant? { heap.nextTime }

    /// Moves two controllers out of each other's range. Links between them end by their supervision timeout.
    public mutating func separate(_ one: ControllerID, _ other: ControllerID) {
        separated.insert(Pair(one.rawValue, other.rawValue))
        for index in links.indices
        where Set(links[index].ends.map(\.controller)) == [one.rawValue, other.rawValue] {
            lose(index)
        }
    }

    /// Moves two controllers back into range. Links that have not ended continue.
    public mutating func rejoin(_ one: ControllerID, _ other: ControllerID) {
        separated.remove(Pair(one.rawValue, other.rawValue))
        for index in links.indices
        where Set(links[index].ends.map(\.controller)) == [one.rawValue, other.rawValue] {
            guard !links[index].ends.contains(where: \.isGone) else { continue }
            links[index].isSeparated = false
            links[index].heard(at: now)
            if let id = links[index].supervision { heap.remove(id) }
            links[index].supervision = nil
            schedule(index)
        }
    }

    /// Cuts a controller's power. It loses its state, and its peers' links end by their supervision timeout.
    public mutating func cutPower(of controller: ControllerID) {
        guard controllers.indices.contains(controller.rawValue) else { return }
        reset(controller.rawValue)
    }

    /// The number of links that are open at both ends.
    public var openLinks: Int { links.count { !$0.ends.contains(where: \.isGone) } }

    private mutating func taken() -> [AirEffect] {
        defer { handed = [] }
        return handed
    }

    private mutating func happen(_ event: AirEvent) {
        switch event {
        case .advertise(let controller, let set, let generation): advertise(controller, set, generation)
        case .advertisingTimeout(let controller, let set, let generation):
            advertisingTimedOut(controller, set, generation)
        case .scanTimeout(let controller, let start): scanTimedOut(controller, start)
        case .hand(let effect): handed.append(effect)
        case .connectionEvent(let link):
            guard let index = place(of: link) else { return }
            connectionEvent(index)
        case .applyParameters(let link, let parameters):
            guard let index = place(of: link) else { return }
            apply(parameters, to: index)
        case .supervisionTimeout(let link):
            guard let index = place(of: link) else { return }
            supervisionTimedOut(index)
        case .encryptionTimeout(let link, let attempt):
            guard let index = place(of: link) else { return }
            encryptionTimedOut(index, attempt: attempt)
        case .applyPHYs(let link, let change):
            guard let index = place(of: link) else { return }
            apply(change, to: index)
        case .payloadTimeout(let link, let side, let separation):
            guard let index = place(of: link) else { return }
            payloadTimedOut(index, side, separation)
        }
    }

    func place(of link: UInt32) -> Int? { links.firstIndex { $0.id == link } }

    func hears(_ one: Int, _ other: Int) -> Bool { one != other && !separated.contains(Pair(one, other)) }

    /// Sends an event to a host, unless its mask blocks it.
    mutating func tell<Event: HCIEvent>(_ event: Event, to controller: Int) {
        guard controllers[controller].core.lets(Event.eventCode) else { return }
        send(HCIPacket(.event, event.packet), to: controller)
    }

    /// Sends an LE event to a host, unless its masks block it.
    mutating func tell<Event: LEEvent>(_ event: Event, to controller: Int) {
        guard controllers[controller].core.lets(Event.subeventCode) else { return }
        send(HCIPacket(.event, event.packet), to: controller)
    }

    mutating func send(_ packet: HCIPacket, to controller: Int) {
        effects.append(AirEffect(controller: ControllerID(rawValue: controller), packet: packet))
    }
}
