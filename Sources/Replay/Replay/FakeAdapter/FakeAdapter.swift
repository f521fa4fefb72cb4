public import BluetoothCore
public import LEHost
public import Runtime
import Synchronization

/// An adapter that plays a recorded session to the tested host, and finds where this host deviates from the
/// recorded one.
///
/// It never blocks: a scheduler provides the time and delivers all output. Like every transport, it has one
/// owner. The result is available once ``isSettled`` is set.
public final class FakeAdapter: HCITransport {
    private struct State {
        var controller: FakeController
        var receive: (@Sendable (HCIPacket) -> Void)?
        var onTurn: (@Sendable (HostTurn) -> Void)?
        var onConnecting: (@Sendable (RecordedPast) -> Void)?
        var timer: (id: EventID, at: Instant)?
        /// Whether due outputs are being delivered; afterwards a timer is set, so none is needed meanwhile.
        var isAdvancing = false
    }

    /// The model of the recorded session.
    public let model: SessionModel
    private let state: Mutex<State>
    private let scheduler: any Scheduler
    private let options: ReplayOptions

    /// Creates an adapter before any event.
    ///
    /// - Parameters:
    ///   - model: the recorded session.
    ///   - scheduler: the source of time.
    public init(_ model: SessionModel, scheduler: any Scheduler, options: ReplayOptions = ReplayOptions()) {
        self.model = model
        self.scheduler = scheduler
        self.options = options
        state = Mutex(State(controller: FakeController(model, options)))
    }

    /// Sets the handler that is called when an action is due that the recorded host started itself: an
    /// attempt to connect, or a required step of a client.
    ///
    /// The times of these actions follow from the events before them. The scheduler calls the handler. Set it
    /// before time advances.
    ///
    /// With a handler the log drives the host, whose timers then stand still during delays that the policy
    /// adds (``PlacementPolicy``). Without one they run.
    public func onTurn(_ handler: @escaping @Sendable (HostTurn) -> Void) {
        state.withLock { $0.onTurn = handler }
    }

    /// Sets the handler that is called before each connection. Set it before time advances.
    public func onConnecting(_ handler: @escaping @Sendable (RecordedPast) -> Void) {
        state.withLock { $0.onConnecting = handler }
    }

    /// Changes the state at the present time, and sets the timer for what is due next.
    private func withState<Result: Sendable>(_ change: (inout State, Instant) -> Result) -> Result {
        let now = scheduler.now
        return state.withLock { state in
            state.controller.air.now = max(state.controller.air.now, now)
            defer { setTimer(&state) }
            return change(&state, now)
        }
    }

    public func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        withState { state, now in
            state.receive = receive
            // The idle limit starts when the host opens the adapter.
            state.controller.air.judge.lastProgress = max(state.controller.air.judge.lastProgress, now)
            state.controller.giveConnectTurns()
            state.controller.scheduleSettling()
        }
    }

    public func send(_ packet: HCIPacket) throws(HCITransportError) {
        withState { state, now in
            state.controller.receive(packet, at: now)
            pauseTimers(&state)
        }
    }

    public func close() {
        let timer = state.withLock { state in
            state.receive = nil
            state.onTurn = nil
            state.onConnecting = nil
            defer { state.timer = nil }
            return state.timer?.id
        }
        if let timer { scheduler.cancel(timer) }
    }

    /// Stops the host's timers during delays that the policy adds to those in the log, if the log drives the
    /// host; see ``onTurn(_:)``.
    private func pauseTimers(_ state: inout State) {
        let additions = state.controller.air.takeAdditions()
        guard state.onTurn != nil else { return }
        for part in additions {
            scheduler.hold(from: part.lowerBound, until: part.upperBound)
        }
    }

    private func setTimer(_ state: inout State) {
        guard state.receive != nil, !state.isAdvancing, let deadline = state.controller.nextDeadline else {
            return
        }
        if let timer = state.timer {
            guard deadline < timer.at else { return }
            scheduler.cancel(timer.id)
        }
        let id = scheduler.schedule(at: deadline, from: .recording) { [weak self] in self?.timeReached() }
        state.timer = (id, deadline)
    }

    private func timeReached() {
        let now = scheduler.now
        state.withLock { state in
            state.timer = nil
            state.isAdvancing = true
        }
        // The host's immediate reactions are handled before the next output.
        while true {
            let (outputs, receive, onTurn, onConnecting) = state.withLock { state in
                defer { pauseTimers(&state) }
                return (state.controller.advance(to: now), state.receive, state.onTurn, state.onConnecting)
            }
            if outputs.isEmpty { break }
            for output in outputs {
                switch output {
                case .packet(let packet): receive?(packet)
                case .turn(let turn): onTurn?(turn)
                case .connecting(let past): onConnecting?(past)
                }
            }
        }
        state.withLock { state in
            state.isAdvancing = false
            setTimer(&state)
        }
    }

    /// Answers the host's pairing question as its user would. The peer's user learns the number that the host
    /// shows.
    ///
    /// - Returns: the answer to the host; nil without an answer.
    public func answer(to question: PairingQuestion) -> PairingAnswer? {
        withState { state, _ in state.controller.answer(to: question) }
    }

    func endLinks(_ reason: HCIStatus) {
        withState { state, now in
            for index in state.controller.links.indices {
                state.controller.air.schedule(.link(index, .end(reason)), at: now)
            }
        }
    }

    /// The live model of the last link's peer, with its state from earlier links.
    var livePeer: LivePeer? {
        state.withLock { $0.controller.links.last { $0.live != nil }?.live }
    }

    // MARK: Results

    /// Whether there is a verdict: the session was played to its end, or the host diverged or is stuck. After
    /// the end of a session the host is observed for two more seconds.
    public var isSettled: Bool { state.withLock { $0.controller.isSettled } }

    /// Whether everything that can be played was played. The host is still observed until ``isSettled`` is
    /// set.
    public var isComplete: Bool { state.withLock { $0.controller.isComplete } }

    /// Whether a divergence ended the session; false if it continues (``ReplayOptions/continues``).
    public var hasDiverged: Bool { state.withLock { $0.controller.air.judge.isStopped } }

    /// Runs virtual time until there is a verdict, or `maxEvents` have run.
    ///
    /// The host is stuck if no event is left, or if nothing happens on any link for
    /// ``ReplayOptions/idleLimit`` after the end of the log.
    @discardableResult
    public func run(in time: VirtualTime, maxEvents: Int = 100_000_000) -> ReplayReport {
        var count = 0
        while count < maxEvents, !isSettled {
            if !time.step(notAfter: idleDeadline), !noteStuck() { break }
            count += 1
        }
        return report
    }

    /// The time at which an idle host counts as stuck.
    public var idleDeadline: Instant { idleDeadline(pastEnd: true) }

    /// Returns the time at which an idle host counts as stuck.
    ///
    /// - Parameter pastEnd: whether the limit begins at the end of the log, if there was no progress after
    ///   it.
    public func idleDeadline(pastEnd: Bool) -> Instant {
        state.withLock { state in
            max(state.controller.air.latest, pastEnd ? model.end : .zero)
                .advanced(by: options.idleLimit)
        }
    }

    /// Records that no event is left: the host is stuck, unless the session has ended.
    ///
    /// - Returns: whether the session continues without the missing step.
    @discardableResult
    public func noteStuck() -> Bool {
        withState { state, _ in state.controller.resolveIdle() }
    }

    /// Adds a callback of the tested API to the transcript.
    public func note(callback: String) {
        let now = scheduler.now
        state.withLock { $0.controller.air.transcript.callbacks.append(.init(time: now, text: callback)) }
    }

    /// Compares a callback about a device with the one that the log implies.
    public func told(_ event: ApplicationEvent, by peer: DeviceAddress) {
        let now = scheduler.now
        state.withLock { state in
            state.controller.air.now = max(state.controller.air.now, now)
            state.controller.told(event, by: peer)
        }
    }

    /// The transcript so far.
    public var transcript: Transcript { state.withLock { $0.controller.air.transcript } }

    /// The report so far.
    public var report: ReplayReport {
        state.withLock { ReplayReport($0.controller, options) }
    }
}
