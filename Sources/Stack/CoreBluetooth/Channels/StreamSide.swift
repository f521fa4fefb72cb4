import Foundation

/// State common to both streams of a channel: status, delegate, and the place of its callbacks.
///
/// Apple's streams call their delegate in the run loops that they are scheduled in. Here the main run loop
/// means the main queue, which it runs; so stream events are in order with the callbacks of managers, in
/// virtual time too. The lock guards all mutable state, so it may be shared.
final class StreamSide: @unchecked Sendable {
    /// Place of the delegate's callbacks.
    fileprivate enum Place {
        case main
        /// The manager's queue: scheduled in the current run loop of one of its callbacks, which nobody runs.
        case queue
        /// A thread's own run loop, kept alive by a timer that never fires.
        case loop(RunLoop, RunLoop.Mode, keeper: Timer)
    }

    private let lock = NSLock()
    private weak var adapter: BluetoothAdapter?
    private let queue: DispatchQueue?
    private weak var stream: Stream?
    private var isDue: (@Sendable (Stream.Event) -> Bool)?
    private weak var listener: (any StreamDelegate)?
    private var places: [Place] = []
    private var state = Stream.Status.notOpen
    private var failure: CBError?
    /// Events not yet reported, in order; those before scheduling are reported then.
    private var waiting: [Stream.Event] = []

    init(_ adapter: BluetoothAdapter, _ queue: DispatchQueue?) {
        self.adapter = adapter
        self.queue = queue
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// Sets the stream for the delegate's callbacks, and the check whether a waiting event still applies.
    func begin(_ stream: Stream, _ isDue: @escaping @Sendable (Stream.Event) -> Bool) {
        locked { (self.stream, self.isDue) = (stream, isDue) }
    }

    var delegate: (any StreamDelegate)? {
        get { locked { listener } }
        set { locked { listener = newValue } }
    }

    var status: Stream.Status { locked { state } }
    var error: CBError? { locked { failure } }
    var isOpen: Bool { status == .open }
    var isClosed: Bool { status == .closed }
    /// Whether all bytes were read or written, and the channel ended without an error.
    var hasEnded: Bool { status == .atEnd }

    /// Opens the stream.
    ///
    /// - Returns: whether it was not open before.
    func open() -> Bool {
        locked {
            guard state == .notOpen else { return false }
            state = .open
            return true
        }
    }

    /// Handles the end of the channel.
    ///
    /// - Returns: whether the stream was open until now.
    func end(_ error: CBError?) -> Bool {
        locked {
            guard state == .open else { return false }
            state = error == nil ? .atEnd : .error
            failure = error
            return true
        }
    }

    /// Closes the stream; its delegate gets no further events.
    ///
    /// - Returns: whether it was not closed before.
    func close() -> Bool {
        let gone = locked { () -> [Place]? in
            guard state != .closed else { return nil }
            state = .closed
            waiting = []
            defer { places = [] }
            return places
        }
        for place in gone ?? [] { place.end() }
        return gone != nil
    }

    func schedule(in loop: RunLoop, _ mode: RunLoop.Mode) {
        let place: Place
        if loop === RunLoop.main {
            place = .main
        } else if loop === RunLoop.current, AdapterSlot.isBound {
            place = .queue
        } else {
            let keeper = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
            loop.add(keeper, forMode: mode)
            place = .loop(loop, mode, keeper: keeper)
        }
        locked { places.append(place) }
        deliver()
    }

    func remove(from loop: RunLoop, _ mode: RunLoop.Mode) {
        let gone = locked { () -> Place? in
            let index = places.firstIndex { place in
                switch place {
                case .main: loop === RunLoop.main
                case .queue: loop === RunLoop.current && loop !== RunLoop.main
                case .loop(let other, let itsMode, _): other === loop && itsMode == mode
                }
            }
            return index.map { places.remove(at: $0) }
        }
        gone?.end()
    }

    /// Reports an event to the delegate, in order.
    func tell(_ event: Stream.Event) {
        locked { if state != .closed { waiting.append(event) } }
        deliver()
    }

    // Passes waiting events to the run loop in which the stream was first scheduled.
    private func deliver() {
        let place = locked { waiting.isEmpty ? nil : places.first }
        guard let place, let adapter else { return }
        switch place {
        case .main: adapter.deliver(on: nil) { [self] in handOver() }
        case .queue: adapter.deliver(on: queue) { [self] in handOver() }
        case .loop(let loop, let mode, _):
            // Only a timer wakes the loop of another thread.
            let timer = Timer(fire: .distantPast, interval: 0, repeats: false) { [self] _ in handOver() }
            loop.add(timer, forMode: mode)
        }
    }

    private func handOver() {
        while true {
            let next = locked {
                waiting.isEmpty || places.isEmpty ? nil : (waiting.removeFirst(), stream, listener, isDue)
            }
            guard let (event, stream, listener, isDue) = next else { return }
            if let stream, let listener, isDue?(event) ?? true { listener.stream(stream, handle: event) }
        }
    }
}

extension StreamSide.Place {
    fileprivate func end() { if case .loop(_, _, let keeper) = self { keeper.invalidate() } }
}
