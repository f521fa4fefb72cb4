public import BluetoothCore
public import LEHost
public import Runtime
import Synchronization

/// An adapter that plays a recorded session to the host that is tested, and finds where the host does
/// something else than the recorded one.
///
/// It never waits: it has its time from a scheduler, and what it tells is an event there. It is used by one
/// owner, like every transport; what it found is there when ``isSettled``.
public final class FakeAdapter: HCITransport {
    private struct State {
        var controller: FakeController
        var receive: (@Sendable (HCIPacket) -> Void)?
        var onTurn: (@Sendable (HostTurn) -> Void)?
        var onConnecting: (@Sendable (Bond?, SecurityPolicy?, [[UInt8]]) -> Void)?
        var timer: (id: EventID, at: Instant)?
        /// Whether what is due is being handed over, and is looked for again anyway.
        var isAdvancing = false
    }

    /// What is played.
    public let model: SessionModel
    private let state: Mutex<State>
    private let scheduler: any Scheduler
    private let options: ReplayOptions

    /// An adapter on which nothing has happened.
    ///
    /// - Parameters:
    ///   - model: what is played.
    ///   - scheduler: where its time comes from.
    public init(_ model: SessionModel, scheduler: any Scheduler, options: ReplayOptions = ReplayOptions()) {
        self.model = model
        self.scheduler = scheduler
        self.options = options
        state = Mutex(State(controller: FakeController(model, options)))
    }

    /// Hands over what the recorded host did of its own accord, when its turn has come: an attempt to connect
    /// and each step of a client that must be seen, causally placed in virtual time. Called as an event of
    /// the scheduler. To be set before the adapter is opened.
    public func onTurn(_ handler: @escaping @Sendable (HostTurn) -> Void) {
        state.withLock { $0.onTurn = handler }
    }

    /// Hands over, before each connection is made, the bond that the recorded host had with its peer, how it
    /// paired with it, nil where the log shows none, and what it drew for that (``EntropyPurpose/pairing``).
    /// To be set before the adapter is opened.
    public func onConnecting(
        _ handler: @escaping @Sendable (Bond?, SecurityPolicy?, [[UInt8]]) -> Void
    ) {
        state.withLock { $0.onConnecting = handler }
    }

    public func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        let now = scheduler.now
        state.withLock { state in
            state.receive = receive
            state.controller.now = max(state.controller.now, now)
            // The idle limit starts when the host connects.
            state.controller.lastProgress = max(state.controller.lastProgress, now)
            state.controller.giveConnectTurns()
            state.controller.scheduleSettling()
            setTimer(&state)
        }
    }

    public func send(_ packet: HCIPacket) throws(HCITransportError) {
        let now = scheduler.now
        state.withLock { state in
            state.controller.receive(packet, at: now)
            hold(&state)
            setTimer(&state)
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

    /// Lets the timers of the host's side stand still in the time that the policy adds to the log's, where
    /// the log drives that side: its timers were kept. An application that drives itself gets a slow peer,
    /// and its own timeouts run.
    private func hold(_ state: inout State) {
        let additions = state.controller.takeAdditions()
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
        // What the host answers at once is taken at once, one output after another.
        while true {
            let (outputs, receive, onTurn, onConnecting) = state.withLock { state in
                defer { hold(&state) }
                return (state.controller.advance(to: now), state.receive, state.onTurn, state.onConnecting)
            }
            if outputs.isEmpty { break }
            for output in outputs {
                switch output {
                case .packet(let packet): receive?(packet)
                case .turn(let turn): onTurn?(turn)
                case .connecting(let bond, let pairing):
                    onConnecting?(bond, pairing?.hostPolicy, pairing?.hostDraws ?? [])
                }
            }
        }
        state.withLock { state in
            state.isAdvancing = false
            setTimer(&state)
        }
    }

    /// Does what a person would for a pairing that is played, on the side of the host; the other side's
    /// person hears of what the host shows.
    ///
    /// - Returns: what the host is answered; nil where nothing is.
    public func answer(to question: PairingQuestion) -> PairingAnswer? {
        let now = scheduler.now
        return state.withLock { state in
            state.controller.now = max(state.controller.now, now)
            defer { setTimer(&state) }
            return state.controller.answer(to: question)
        }
    }

    /// Ends all links, as where the radio is lost.
    func endLinks(_ reason: HCIStatus) {
        let now = scheduler.now
        state.withLock { state in
            state.controller.now = max(state.controller.now, now)
            for index in state.controller.links.indices {
                state.controller.schedule(.end(index, reason), at: now)
            }
            setTimer(&state)
        }
    }

    /// The live peer of the last link, which knows what it did on the links before.
    var livePeer: LivePeer? {
        state.withLock { $0.controller.links.last { $0.live != nil }?.live }
    }

    // MARK: What was found

    /// Whether there is a verdict: the session was played to its end, the host did something else, or it did
    /// nothing more. A session that was played to its end is looked at for two seconds more.
    public var isSettled: Bool { state.withLock { $0.controller.isSettled } }

    /// Whether all was played that can be; what the host does now is looked at until ``isSettled``.
    public var isComplete: Bool { state.withLock { $0.controller.isComplete } }

    /// Whether the host did something else.
    public var hasDiverged: Bool { state.withLock { $0.controller.divergence != nil } }

    /// Runs virtual time until there is a verdict, or `maxEvents` have run.
    ///
    /// The host is stuck where nothing more is to come, or nothing has happened on any link for
    /// ``ReplayOptions/idleLimit`` past the recorded end.
    @discardableResult
    public func run(in time: VirtualTime, maxEvents: Int = 100_000_000) -> ReplayReport {
        var count = 0
        while count < maxEvents, !isSettled {
            if !time.step(notAfter: idleDeadline), !noteStuck() { break }
            count += 1
        }
        return report
    }

    /// Until when something must have happened.
    public var idleDeadline: Instant { idleDeadline(pastEnd: true) }

    /// Until when something must have happened.
    ///
    /// - Parameter pastEnd: whether the host has the whole time of the log, whatever is to come.
    public func idleDeadline(pastEnd: Bool) -> Instant {
        state.withLock { state in
            max(state.controller.lastProgress, state.controller.lastOwn, pastEnd ? model.end : .zero)
                .advanced(by: options.idleLimit)
        }
    }

    /// Says that nothing more is to come: where the session is not at its end, the host is stuck.
    ///
    /// - Returns: whether the session goes on without what the host was waited for.
    @discardableResult
    public func noteStuck() -> Bool {
        let now = scheduler.now
        return state.withLock { state in
            state.controller.now = max(state.controller.now, now)
            defer { setTimer(&state) }
            return state.controller.noteStuck()
        }
    }

    /// Adds a callback of the API under test to the transcript.
    public func note(callback: String) {
        let now = scheduler.now
        state.withLock { $0.controller.transcript.callbacks.append(.init(time: now, text: callback)) }
    }

    /// Takes what the application was told of a device, to be compared with what the log entails.
    public func told(_ event: ApplicationEvent, by peer: DeviceAddress) {
        let now = scheduler.now
        state.withLock { state in
            state.controller.now = max(state.controller.now, now)
            state.controller.told(event, by: peer)
        }
    }

    /// What has passed so far.
    public var transcript: Transcript { state.withLock { $0.controller.transcript } }

    /// What was found so far.
    public var report: ReplayReport {
        state.withLock { ReplayReport($0.controller, options) }
    }
}
