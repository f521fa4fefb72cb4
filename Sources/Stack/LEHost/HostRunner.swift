import BluetoothCore
public import Runtime
import Synchronization

/// Runs a host: connects it to a transport and a scheduler, and passes its events to one handler.
///
/// It adds no threads, and no order of its own. Inputs are handled one at a time, each at the scheduler's
/// current time. An input that is added while another one is handled, even by the handler, waits for its
/// turn.
public final class HostRunner: Sendable {
    private struct State {
        var host: LEHost
        var inputs: [HostInput] = []
        var isTaking = false
        var timer: (id: EventID, at: Instant)?
    }

    private let state: Mutex<State>
    private let transport: any HCITransport
    private let scheduler: any Scheduler
    private let source: EventSource
    private let entropy: (any Entropy)?
    private let onEvent: @Sendable (HostEvent) -> Void

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - host: the initial host.
    ///   - transport: carries its packets.
    ///   - scheduler: the source of its time.
    ///   - source: the order of its timers among events of the same time.
    ///   - entropy: the source of random numbers for pairings; nil for a host that doesn't pair.
    ///   - onEvent: receives the host's events, in order.
    public init(
        _ host: LEHost, transport: any HCITransport, scheduler: any Scheduler, source: EventSource = .host,
        entropy: (any Entropy)? = nil, onEvent: @escaping @Sendable (HostEvent) -> Void
    ) {
        state = Mutex(State(host: host))
        self.transport = transport
        self.scheduler = scheduler
        self.source = source
        self.entropy = entropy
        self.onEvent = onEvent
    }

    /// A copy of the host's current state.
    public var host: LEHost { state.withLock { $0.host } }

    /// Queries the host without a copy.
    ///
    /// `question` must not call the runner.
    public func ask<Answer: Sendable>(_ question: (borrowing LEHost) -> Answer) -> Answer {
        state.withLock { question($0.host) }
    }

    /// Starts accepting packets from the transport.
    public func open() throws(HCITransportError) {
        transport.onLoss { [weak self] _ in self?.put(.transportFailed) }
        try transport.open { [weak self] packet in self?.put(.packet(packet)) }
    }

    /// Powers the host off and stops accepting packets.
    public func close() {
        put(.powerOff)
        transport.close()
        let timer = state.withLock { state in
            defer { state.timer = nil }
            return state.timer?.id
        }
        if let timer { scheduler.cancel(timer) }
    }

    /// Passes an input to the host.
    public func put(_ input: HostInput) {
        let isFirst = state.withLock { state in
            state.inputs.append(input)
            defer { state.isTaking = true }
            return !state.isTaking
        }
        guard isFirst else { return }
        while let effects = takeNext() {
            for effect in effects { perform(effect) }
        }
    }

    /// Handles the input that has waited longest; without one, returns nil and ends the turn.
    private func takeNext() -> [HostEffect]? {
        let now = scheduler.now
        return state.withLock { state in
            guard !state.inputs.isEmpty else {
                state.isTaking = false
                setTimer(&state)
                return nil
            }
            return state.host.handle(state.inputs.removeFirst(), at: now)
        }
    }

    private func perform(_ effect: HostEffect) {
        switch effect {
        case .event(let event): onEvent(event)
        case .draw(let link):
            let randomness = entropy.flatMap { try? PairingRandomness($0) }
            put(.pairingRandomness(randomness, on: link))
        case .drawAddress: put(.addressRandomness(try? entropy?.octets(3, for: .address)))
        case .send(let packet):
            do throws(HCITransportError) {
                try transport.send(packet)
            } catch {
                put(.transportFailed)
            }
        }
    }

    private func setTimer(_ state: inout State) {
        let deadline = state.host.nextDeadline
        guard deadline != state.timer?.at else { return }
        if let timer = state.timer { scheduler.cancel(timer.id) }
        state.timer = deadline.map { deadline in
            let id = scheduler.schedule(at: deadline, from: source) { [weak self] in self?.timeReached() }
            return (id, deadline)
        }
    }

    private func timeReached() {
        state.withLock { $0.timer = nil }
        put(.timeReached)
    }
}

// Failures in words, as the rest of a sentence.

extension HostFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let opcode, let status): "the controller refused \(opcode): \(status)"
        case .unanswered(let opcode): "the controller did not answer \(opcode)"
        case .hardware(let code): "the controller reported hardware error \(code)"
        case .noAddress: "the controller has no address"
        case .noBuffers: "the controller has no buffers for LE"
        case .transport: "the controller is gone"
        case .malformed(let opcode): "the controller's answer to \(opcode) can't be read"
        }
    }
}

extension HCITransportError: CustomStringConvertible {
    public var description: String {
        errno == 0 ? "can't \(operation)" : "can't \(operation) (error \(errno))"
    }
}

extension ChannelFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let result): "the peer refused the channel, result \(result.rawValue)"
        case .rejected(let reason): "the peer rejected the command, reason \(reason.rawValue)"
        case .timedOut: "the peer did not answer"
        case .disconnected: "the link ended"
        case .malformedResponse: "the peer's answer can't be used"
        case .noResources: "there are too many channels already"
        }
    }
}

extension GATTFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let code, let handle): "refused for handle 0x\(String(handle, radix: 16)): \(code)"
        case .timedOut: "no response in time"
        case .disconnected: "the link ended"
        case .malformedResponse(let opcode):
            "a response that contradicts its request (\(opcode.name.map { "\($0)" } ?? "unknown"))"
        case .echoMismatch(let handle):
            "the server did not repeat the value for handle 0x\(String(handle, radix: 16))"
        case .invalidOperation: "an impossible request"
        }
    }
}
