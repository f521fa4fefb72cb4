/// Who put an event into a heap: among events of one instant, the lower goes first.
@frozen
public struct EventSource: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// What a virtual controller does.
    @inlinable public static var controller: Self { .init(rawValue: 0x100) }
    /// What a recording does.
    @inlinable public static var recording: Self { .init(rawValue: 0x200) }
    /// The timers of a host.
    @inlinable public static var host: Self { .init(rawValue: 0x300) }
    /// The timers of an application.
    @inlinable public static var application: Self { .init(rawValue: 0x400) }
    /// A task that sleeps.
    @inlinable public static var sleeper: Self { .init(rawValue: 0x500) }

    /// One of several sources of the same kind, 0 to 255; higher bits are dropped.
    @inlinable
    public func numbered(_ index: Int) -> Self {
        .init(rawValue: rawValue & ~0xFF | UInt32(truncatingIfNeeded: index & 0xFF))
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// An event by the number that its heap gave it; no two events of a heap have the same.
@frozen
public struct EventID: Hashable, Sendable {
    public let sequence: UInt64

    @inlinable public init(sequence: UInt64) { self.sequence = sequence }
}

/// Events ordered by (time, source, sequence), so that each run takes them in the same order.
///
/// A value: a copy is a fork of the future.
public struct EventHeap<Payload> {
    /// An event in its place.
    public struct Event {
        /// When it is due.
        public let time: Instant
        /// Who put it there.
        public let source: EventSource
        /// Its number, growing in the order in which events were put in.
        public let id: EventID
        /// What it is.
        public let payload: Payload

        func precedes(_ other: Event) -> Bool {
            if time != other.time { return time < other.time }
            if source != other.source { return source < other.source }
            return id.sequence < other.id.sequence
        }
    }

    private var events: [Event] = []
    private var nextSequence: UInt64 = 0

    public init() {}

    /// Events in the heap.
    public var count: Int { events.count }
    /// Whether there is no event.
    public var isEmpty: Bool { events.isEmpty }
    /// The event that is taken next.
    public var first: Event? { events.first }

    /// Puts an event in.
    @discardableResult
    public mutating func push(_ payload: Payload, at time: Instant, from source: EventSource) -> EventID {
        let id = EventID(sequence: nextSequence)
        nextSequence += 1
        events.append(Event(time: time, source: source, id: id, payload: payload))
        siftUp(events.count - 1)
        return id
    }

    /// Takes the first event out; nil if there is none, or, with a limit, none that is due by then.
    public mutating func pop(notAfter limit: Instant = .distantFuture) -> Event? {
        guard let first = events.first, first.time <= limit else { return nil }
        removeEvent(at: 0)
        return first
    }

    /// Takes an event out before it is due; nil if it is not there any more.
    @discardableResult
    public mutating func remove(_ id: EventID) -> Payload? {
        guard let index = events.firstIndex(where: { $0.id == id }) else { return nil }
        let payload = events[index].payload
        removeEvent(at: index)
        return payload
    }

    /// Takes all events out, those due first ahead.
    public mutating func removeAll() -> [Event] {
        defer { events = [] }
        return events.sorted { $0.precedes($1) }
    }

    /// Gives each event another time; its number and its source stay.
    mutating func putOff(to time: (Event) -> Instant) {
        events =
            events
            .map { Event(time: time($0), source: $0.source, id: $0.id, payload: $0.payload) }
            .sorted { $0.precedes($1) }
    }

    private mutating func removeEvent(at index: Int) {
        let last = events.count - 1
        events.swapAt(index, last)
        events.removeLast()
        guard index < events.count else { return }
        siftUp(index)
        siftDown(index)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard events[index].precedes(events[parent]) else { return }
            events.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < events.count {
                if events[child].precedes(events[least]) { least = child }
            }
            guard least != index else { return }
            events.swapAt(index, least)
            index = least
        }
    }
}

extension EventHeap: Sendable where Payload: Sendable {}
extension EventHeap.Event: Sendable where Payload: Sendable {}
