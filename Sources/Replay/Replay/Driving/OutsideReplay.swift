import LEHost
public import Runtime

/// A log played to a host of another program, over whatever carries HCI: what the host sends is compared, and
/// what its application is told can't be.
public final class OutsideReplay: Sendable {
    /// The controller that the host gets.
    public let recording: FakeAdapter
    private let plan: PlayPlan

    /// - Parameter scheduler: where its time comes from.
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
        // Real time: don't wait for the rest of the log after the last link.
        let ends = model.connections.compactMap { $0.end?.time ?? $0.pdus.last?.time }
        if let last = ends.max() { model.end = min(model.end, last) }
        plan = PlayPlan(model, actions: model, options: options)
        recording = FakeAdapter(plan.model, scheduler: scheduler, options: plan.replay)
    }

    /// What it came to so far.
    public var result: LogReplay { LogReplay(of: recording, plan) }
}
