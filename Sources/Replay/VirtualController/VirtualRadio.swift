public import BluetoothCore
public import Runtime
import Synchronization

/// Runs a virtual air on a scheduler, and passes packets between hosts and their controllers.
///
/// A host's packets are handled at the scheduler's current time. Packets from controllers are delivered as
/// separate events, never from within ``send(_:from:)``.
public final class VirtualRadio: Sendable {
    /// Receives every packet between a controller and its host.
    public typealias Tap =
        @Sendable (
            _ at: Instant, _ controller: ControllerID, _ packet: HCIPacket, _ isFromHost: Bool
        ) -> Void

    private struct State {
        var air: VirtualAir
        var receivers: [ControllerID: @Sendable (HCIPacket) -> Void] = [:]
        var timer: (id: EventID, at: Instant)?
    }

    private let state: Mutex<State>
    private let scheduler: any Scheduler
    private let tap: Tap?

    /// Creates an air without controllers.
    ///
    /// - Parameters:
    ///   - seed: random seed.
    ///   - scheduler: the source of time.
    ///   - tap: receives every packet, for a recording.
    public init(seed: UInt64, scheduler: any Scheduler, tap: Tap? = nil) {
        state = Mutex(State(air: VirtualAir(seed: seed)))
        self.scheduler = scheduler
        self.tap = tap
    }

    /// A copy of the air in its current state.
    public var air: VirtualAir { state.withLock { $0.air } }

    /// The packets sent on the air since it was set; nil, the initial value, where nobody listens.
    public var trace: AirTrace? {
        get { state.withLock { $0.air.trace } }
        set { state.withLock { $0.air.trace = newValue } }
    }

    /// Adds a controller.
    public func add(_ configuration: ControllerConfiguration) -> ControllerID {
        state.withLock { $0.air.add(configuration) }
    }

    /// Sets the receiver of a controller's packets; nil for none.
    public func attach(_ controller: ControllerID, _ receive: (@Sendable (HCIPacket) -> Void)?) {
        state.withLock { $0.receivers[controller] = receive }
    }

    /// Sends a host's packet to its controller.
    public func send(_ packet: HCIPacket, from controller: ControllerID) {
        let now = scheduler.now
        tap?(now, controller, packet, true)
        change { $0.receive(packet, for: controller, at: now) }
    }

    /// Moves two controllers out of each other's range.
    public func separate(_ one: ControllerID, _ other: ControllerID) {
        let now = scheduler.now
        change { air in
            defer { air.separate(one, other) }
            return air.advance(to: now)
        }
    }

    /// Moves two controllers back into range.
    public func rejoin(_ one: ControllerID, _ other: ControllerID) {
        let now = scheduler.now
        change { air in
            defer { air.rejoin(one, other) }
            return air.advance(to: now)
        }
    }

    /// Sets the path between two controllers: nil for each one's own strength, without losses.
    public func setPath(_ path: RadioPath?, between one: ControllerID, and other: ControllerID) {
        let now = scheduler.now
        change { air in
            air.setPath(path, between: one, and: other)
            return air.advance(to: now)
        }
    }

    /// Cuts a controller's power.
    public func cutPower(of controller: ControllerID) {
        let now = scheduler.now
        change { air in
            defer { air.cutPower(of: controller) }
            return air.advance(to: now)
        }
    }

    private func change(_ body: (inout VirtualAir) -> [AirEffect]) {
        state.withLock { state in
            let effects = body(&state.air)
            let now = scheduler.now
            for effect in effects {
                let source = EventSource.controller.numbered(effect.controller.rawValue)
                scheduler.schedule(at: now, from: source) { [weak self] in self?.hand(effect) }
            }
            setTimer(&state)
        }
    }

    private func hand(_ effect: AirEffect) {
        tap?(scheduler.now, effect.controller, effect.packet, false)
        let receive = state.withLock { $0.receivers[effect.controller] }
        receive?(effect.packet)
    }

    private func setTimer(_ state: inout State) {
        let deadline = state.air.nextDeadline
        guard deadline != state.timer?.at else { return }
        if let timer = state.timer { scheduler.cancel(timer.id) }
        state.timer = deadline.map { deadline in
            let id = scheduler.schedule(at: deadline, from: .controller) { [weak self] in
                self?.timeReached()
            }
            return (id, deadline)
        }
    }

    private func timeReached() {
        let now = scheduler.now
        state.withLock { $0.timer = nil }
        change { $0.advance(to: now) }
    }
}
