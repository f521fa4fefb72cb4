public import BluetoothCore
public import Runtime
import Synchronization

/// Lets a virtual air live: joins it to a scheduler, and hands each host the packets of its controller.
///
/// A host's packets are taken at the scheduler's present; what the controllers tell is handed over as an
/// event of its own, never from within ``send(_:from:)``.
public final class VirtualRadio: Sendable {
    /// Hears every packet as it passes between a controller and its host.
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

    /// An air without controllers.
    ///
    /// - Parameters:
    ///   - seed: what all that is left to chance follows from.
    ///   - scheduler: where its time comes from.
    ///   - tap: hears every packet, for a recording.
    public init(seed: UInt64, scheduler: any Scheduler, tap: Tap? = nil) {
        state = Mutex(State(air: VirtualAir(seed: seed)))
        self.scheduler = scheduler
        self.tap = tap
    }

    /// The air as it stands: a copy.
    public var air: VirtualAir { state.withLock { $0.air } }

    /// Puts a controller on the air.
    public func add(_ configuration: ControllerConfiguration) -> ControllerID {
        state.withLock { $0.air.add(configuration) }
    }

    /// Hands what a controller tells to `receive`, or to no one.
    public func attach(_ controller: ControllerID, _ receive: (@Sendable (HCIPacket) -> Void)?) {
        state.withLock { $0.receivers[controller] = receive }
    }

    /// Hands a controller a packet of its host.
    public func send(_ packet: HCIPacket, from controller: ControllerID) {
        let now = scheduler.now
        tap?(now, controller, packet, true)
        change { $0.receive(packet, for: controller, at: now) }
    }

    /// Takes two controllers out of each other's reach.
    public func separate(_ one: ControllerID, _ other: ControllerID) {
        let now = scheduler.now
        change { air in
            defer { air.separate(one, other) }
            return air.advance(to: now)
        }
    }

    /// Brings two controllers into each other's reach again.
    public func rejoin(_ one: ControllerID, _ other: ControllerID) {
        let now = scheduler.now
        change { air in
            defer { air.rejoin(one, other) }
            return air.advance(to: now)
        }
    }

    /// Sets how two controllers hear each other: nil for the strength of each alone, without losses.
    public func setPath(_ path: RadioPath?, between one: ControllerID, and other: ControllerID) {
        let now = scheduler.now
        change { air in
            air.setPath(path, between: one, and: other)
            return air.advance(to: now)
        }
    }

    /// Takes a controller's power away.
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
