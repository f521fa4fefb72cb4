import BluetoothCore
import Runtime

/// A controller that plays a recorded session: a state machine without I/O.
///
/// It answers what concerns only a controller as one does, and gives the far devices of the log. What they
/// would see of the host is compared with the recording.
struct FakeController: Sendable {
    /// What is to happen.
    enum Happening: Sendable {
        /// A packet goes to the host.
        case packet(HCIPacket)
        /// A peer sends a PDU on a link.
        case pdu(Int, PeerPDU)
        /// The next advertising report is due.
        case advertise(generation: Int)
        /// An attempt to connect ends.
        case connect(generation: Int, connection: Int)
        /// The next event of a link is due.
        case event(Int)
        /// The recorded host's next step of a link is due.
        case turn(Int, step: Int)
        /// The recorded host's attempt to connect is due.
        case connectTurn(Int)
        /// A link ends.
        case end(Int, HCIStatus)
    }

    /// A PDU on its way to the host.
    struct PeerPDU: Sendable {
        var channel: L2CAPChannelID
        var octets: [UInt8]
        var frame: Int
        /// Whether it is the response to the host's request.
        var isReply: Bool
    }

    /// What comes out.
    enum Output: Sendable {
        case packet(HCIPacket)
        case turn(HostTurn)
    }

    let model: SessionModel
    let options: ReplayOptions
    var now = Instant.zero
    var heap = EventHeap<Happening>()
    var outputs: [Output] = []
    var setup = ControllerSetup()
    var scanning = Scanning()
    var initiating = Initiating()
    var links: [FakeLink] = []
    var nextHandle: UInt16 = 0x0040
    /// Which connections of the model have been played.
    var isPlayed: [Bool]
    /// How far the log has been played.
    var logCursor = Instant.zero
    var placement: Placement
    var random = SplitMix(state: 0x5EED)

    // What is found.
    var transcript = Transcript()
    var normalizations = NormalizationCounts()
    var masksUsed: [VolatileMask] = []
    var compared = 0
    var divergence: Divergence?
    var stuck: Stuck?
    /// When the host or a peer did something last.
    var lastProgress = Instant.zero
    /// Playable connections that have not been made.
    var unplayed: Int
    /// Links of which something is still to come.
    var undone = 0
    /// The first connection whose turn has not been scheduled.
    var nextConnectTurn = 0

    init(_ model: SessionModel, _ options: ReplayOptions) {
        self.model = model
        self.options = options
        placement = Placement(options.policy)
        isPlayed = [Bool](repeating: false, count: model.connections.count)
        unplayed = model.connections.count { Self.isPlayable($0) }
    }

    /// Whether a connection of the model can be played.
    static func isPlayable(_ connection: RecordedConnection) -> Bool {
        connection.isCentral && !connection.wasOpenAtStart && connection.status == .success
    }

    /// Takes a packet of the host.
    mutating func receive(_ packet: HCIPacket, at time: Instant) {
        now = max(now, time)
        switch packet.type {
        case .command: command(packet.octets)
        case .acl: takeData(packet.octets)
        default: break
        }
    }

    /// Lets everything happen that is due by `time`; what comes out is in order.
    mutating func advance(to time: Instant) -> [Output] {
        while let event = heap.pop(notAfter: time) {
            now = max(now, event.time)
            happen(event.payload)
        }
        now = max(now, time)
        defer { outputs = [] }
        return outputs
    }

    /// When the next thing happens.
    var nextDeadline: Instant? { heap.first?.time }

    mutating func schedule(_ happening: Happening, at time: Instant) {
        heap.push(happening, at: max(time, now), from: .recording)
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .packet(let packet): outputs.append(.packet(packet))
        case .pdu(let link, let pdu): deliver(pdu, link)
        case .advertise(let generation): advertise(generation)
        case .connect(let generation, let connection): connect(generation, connection)
        case .event(let link): happenEvent(link)
        case .turn(let link, let step): giveTurn(link, step)
        case .connectTurn(let connection):
            let one = model.connections[connection]
            outputs.append(.turn(.connect(connection: one.number, one.peer)))
        case .end(let link, let reason): end(link, reason)
        }
    }

    /// Whether all that can be played has been.
    var isComplete: Bool { unplayed == 0 && undone == 0 }

    /// Whether there is a verdict.
    var isSettled: Bool { divergence != nil || stuck != nil || isComplete }

    mutating func diverge(_ found: Divergence) {
        guard divergence == nil, stuck == nil else { return }
        divergence = found
    }
}
