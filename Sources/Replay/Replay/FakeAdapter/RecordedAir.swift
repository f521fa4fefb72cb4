import BluetoothCore
import LEHost
import Runtime
import VirtualController

/// The air of a replay, which its links share: the clock, the events to come, the host's controller, and the
/// judge of the host.
struct RecordedAir: Sendable {
    enum Event: Sendable {
        case packet(HCIPacket)
        /// The next advertising report is due.
        case advertise(generation: Int)
        // The places are indices in `FakeController.attempts`.
        case connect(generation: Int, place: Int)
        case accept(generation: Int, place: Int, usual: Instant)
        /// The recorded host's connection attempt is due.
        case connectTurn(Int)
        /// The recorded host cancels its connection attempt.
        case giveUpTurn(Int)
        case link(Int, FakeLink.Event)
        /// The observation after the end of the session may be over.
        case settle

        /// Whether the event comes even if the host sends nothing more, so that a waiting host is not stuck.
        fileprivate var isIndependent: Bool {
            switch self {
            case .packet, .advertise, .connect, .link(_, .due), .link(_, .live): false
            case .link(_, .pdu(let pdu)): pdu.isProgress
            case .link, .connectTurn, .giveUpTurn, .accept, .settle: true
            }
        }
    }

    enum Output: Sendable {
        case packet(HCIPacket)
        case turn(HostTurn)
        case connecting(RecordedPast)
    }

    var now = Instant.zero
    var heap = EventHeap<Event>()
    var outputs: [Output] = []
    var core: ControllerCore
    var judge: Judge
    var transcript = Transcript()
    /// Largest payload in bytes of a data packet to the host.
    let packetLength: Int
    /// Whether the log has a pairing that is played, so that the tested host can pair.
    let hasPairings: Bool
    /// Number of links that are not done.
    var undone = 0
    /// The latest time of an event that comes even if the host sends nothing more.
    var lastIndependent = Instant.zero
    private var placement: Placement
    /// Delays that the policy added and that were not taken yet; timers stand still during them.
    private var additions: [Range<Instant>] = []

    init(_ model: SessionModel, _ options: ReplayOptions) {
        core = ControllerCore(model.controller.configuration)
        judge = Judge(options)
        packetLength = Int(model.controller.packetLength)
        hasPairings = model.connections.contains { $0.pairing != nil }
        placement = Placement(options.policy)
    }

    mutating func schedule(_ event: Event, at time: Instant) {
        if event.isIndependent { lastIndependent = max(lastIndependent, time) }
        heap.push(event, at: max(time, now), from: .recording)
    }

    /// Time of the last progress, or of the last event to come that does not depend on the host.
    var latest: Instant { max(judge.lastProgress, lastIndependent) }

    /// Returns the time of a peer's action according to the policy; see
    /// ``Placement/place(cause:delay:converted:)``.
    mutating func placed(
        cause: Instant, delay: Duration, converted: Instant, until limit: Instant = .distantFuture
    ) -> Instant {
        let time = min(placement.place(cause: cause, delay: delay, converted: converted), limit)
        let usual = cause.advanced(by: delay)
        if time > usual { additions.append(usual..<time) }
        return time
    }

    /// Returns and clears the delays that the policy added.
    mutating func takeAdditions() -> [Range<Instant>] {
        defer { additions = [] }
        return additions
    }

    // MARK: Events to the host

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
}
