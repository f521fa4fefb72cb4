import LEHost
public import Runtime

/// A log replayed to another program's host, over any transport that carries HCI.
///
/// The host's packets are compared, but not the callbacks of its application, which are unknown.
public final class OutsideReplay: Sendable {
    /// The controller that the host sees.
    public let recording: FakeAdapter
    private let plan: PlayPlan

    /// - Parameter scheduler: the source of time.
    public init(_ model: SessionModel, options: LogReplay.Options, scheduler: any Scheduler) {
        var model = model
        model.leaveOutPeripherals()
        for place in model.connections.indices where model.connections[place].isCentral {
            let number = model.connections[place].number
            if let pairing = model.connections[place].pairing {
                guard pairing.needsPerson else { continue }
                model.connections[place].pairing = nil
                model.connections[place].encryption = nil
                model.obstacles.note(.pairing, frame: pairing.frames.lowerBound, connection: number)
                continue
            }
            guard let encryption = model.connections[place].encryption else { continue }
            model.connections[place].encryption?.isExpected = false
            model.obstacles.note(.encrypted, frame: encryption.frame, connection: number)
        }
        // The time is real, so the replay does not wait for the rest of the log after the last link.
        let ends = model.connections.compactMap { $0.end?.time ?? $0.pdus.last?.time }
        if let last = ends.max() { model.end = min(model.end, last) }
        plan = PlayPlan(model, actions: model, options: options)
        recording = FakeAdapter(plan.model, scheduler: scheduler, options: plan.replay)
    }

    /// The result so far.
    public var result: LogReplay { LogReplay(of: recording, plan) }
}
