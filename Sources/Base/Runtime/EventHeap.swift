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
/// A value: a copy is a fork of the future. The heap orders small keys; the payloads stay where they are.
@frozen
public struct EventHeap<Payload> {
    /// An event in its place.
    @frozen
    public struct Event {
        /// When it is due.
        public let time: Instant
        /// Who put it there.
        public let source: EventSource
        /// Its number, growing in the order in which events were put in.
        public let id: EventID
        /// What it is.
        public let payload: Payload

        @inlinable
        init(_ key: EventKey, _ payload: Payload) {
            time = key.time
            source = key.source
            id = key.id
            self.payload = payload
        }
    }

    @usableFromInline var keys: [EventKey] = []
    /// Payloads by their key's slot; nil in slots that are free.
    @usableFromInline var payloads: [Payload?] = []
    @usableFromInline var freeSlots: [Int32] = []
    @usableFromInline var nextSequence: UInt64 = 0

    @inlinable public init() {}

    /// Events in the heap.
    @inlinable public var count: Int { keys.count }
    /// Whether there is no event.
    @inlinable public var isEmpty: Bool { keys.isEmpty }
    /// When the next event is due; nil for an empty heap.
    @inlinable public var nextTime: Instant? { keys.first?.time }

    /// Puts an event in.
    @inlinable
    @discardableResult
    public mutating func push(_ payload: Payload, at time: Instant, from source: EventSource) -> EventID {
        let id = EventID(sequence: nextSequence)
        nextSequence += 1
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
            payloads[Int(slot)] = payload
        } else {
            slot = Int32(truncatingIfNeeded: payloads.count)
            payloads.append(payload)
        }
        keys.append(EventKey(time: time, id: id, source: source, slot: slot))
        siftUp(keys.count - 1)
        return id
    }

    /// Takes the first event out; nil if absent, or, with a limit, none that is due by then.
    @inlinable
    public mutating func pop(notAfter limit: Instant = .distantFuture) -> Event? {
        guard let first = keys.first, first.time <= limit, let payload = removeEvent(at: 0) else {
            return nil
        }
        return Event(first, payload)
    }

    /// Takes an event out before it is due; nil if it is not there any more.
    @inlinable
    @discardableResult
    public mutating func remove(_ id: EventID) -> Payload? {
        keys.firstIndex { $0.id == id }.flatMap { removeEvent(at: $0) }
    }

    /// Takes all events out, those due first ahead.
    @inlinable
    public mutating func removeAll() -> [Event] {
        var events: [Event] = []
        while let event = pop() { events.append(event) }
        return events
    }

    /// Gives each event another time; its number and its source stay.
    mutating func putOff(to time: (EventKey) -> Instant) {
        for index in keys.indices { keys[index].time = time(keys[index]) }
        keys.sort { $0.precedes($1) }
    }

    @inlinable
    mutating func removeEvent(at index: Int) -> Payload? {
        let slot = keys[index].slot
        let last = keys.count - 1
        keys.swapAt(index, last)
        keys.removeLast()
        freeSlots.append(slot)
        if index < last {
            siftUp(index)
            siftDown(index)
        }
        return payloads[Int(slot)].take()
    }

    @inlinable
    mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard keys[index].precedes(keys[parent]) else { return }
            keys.swapAt(index, parent)
            index = parent
        }
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in 2 * index + 1..<2 * index + 3 where child < keys.count {
                if keys[child].precedes(keys[least]) { least = child }
            }
            guard least != index else { return }
            keys.swapAt(index, least)
            index = least
        }
    }
}

/// When an event is due and where its payload is.
@frozen
@usableFromInline
struct EventKey: Sendable {
    @usableFromInline var time: Instant
    @usableFromInline let id: EventID
    @usableFromInline let source: EventSource
    @usableFromInline let slot: Int32

    @inlinable
    init(time: Instant, id: EventID, source: EventSource, slot: Int32) {
        self.time = time
        self.id = id
        self.source = source
        self.slot = slot
    }

    @inlinable
    func precedes(_ other: EventKey) -> Bool {
        if time != other.time { return time < other.time }
        if source != other.source { return source < other.source }
        return id.sequence < other.id.sequence
    }
}

extension EventHeap: Sendable where Payload: Sendable {}
extension EventHeap.Event: Sendable where Payload: Sendable {}
