/// The source of an event; among events of the same time, the lower source goes first.
@frozen
public struct EventSource: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Events of a virtual controller.
    @inlinable public static var controller: Self { .init(rawValue: 0x100) }
    /// Events of a recording.
    @inlinable public static var recording: Self { .init(rawValue: 0x200) }
    /// Timers of a host.
    @inlinable public static var host: Self { .init(rawValue: 0x300) }
    /// Timers of an application.
    @inlinable public static var application: Self { .init(rawValue: 0x400) }
    /// Sleeping tasks.
    @inlinable public static var sleeper: Self { .init(rawValue: 0x500) }

    /// Returns one of several sources of the same kind, 0 to 255; higher bits are dropped.
    @inlinable
    public func numbered(_ index: Int) -> Self {
        .init(rawValue: rawValue & ~0xFF | UInt32(truncatingIfNeeded: index & 0xFF))
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The id of an event, unique within its heap.
@frozen
public struct EventID: Hashable, Sendable {
    public let sequence: UInt64

    @inlinable public init(sequence: UInt64) { self.sequence = sequence }
}

/// Events ordered by (time, source, sequence), so that each run handles them in the same order.
///
/// A value: a copy is independent of the original. The heap orders small keys; payloads stay in place.
@frozen
public struct EventHeap<Payload> {
    /// A scheduled event.
    @frozen
    public struct Event {
        /// Time at which it is due.
        public let time: Instant
        public let payload: Payload

        @inlinable
        init(_ key: EventKey, _ payload: Payload) {
            time = key.time
            self.payload = payload
        }
    }

    @usableFromInline var keys: [EventKey] = []
    /// Payloads by their key's slot; nil in free slots.
    @usableFromInline var payloads: [Payload?] = []
    @usableFromInline var freeSlots: [Int32] = []
    @usableFromInline var nextSequence: UInt64 = 0

    @inlinable public init() {}

    /// Number of events in the heap.
    @inlinable public var count: Int { keys.count }
    /// Time of the next event; nil if the heap is empty.
    @inlinable public var nextTime: Instant? { keys.first?.time }

    /// Adds an event.
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
        siftUp(from: keys.count - 1)
        return id
    }

    /// Removes and returns the first event; nil if the heap is empty or its first event is due after `limit`.
    @inlinable
    public mutating func pop(notAfter limit: Instant = .distantFuture) -> Event? {
        guard let first = keys.first, first.time <= limit, let payload = removeEvent(at: 0) else {
            return nil
        }
        return Event(first, payload)
    }

    /// Removes an event before it is due; nil if it is no longer in the heap.
    @inlinable
    @discardableResult
    public mutating func remove(_ id: EventID) -> Payload? {
        keys.firstIndex { $0.id == id }.flatMap { removeEvent(at: $0) }
    }

    /// Gives each event another time; its id and source stay.
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
            siftUp(from: index)
            siftDown(from: index)
        }
        return payloads[Int(slot)].take()
    }

    @inlinable
    mutating func siftUp(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard keys[index].precedes(keys[parent]) else { return }
            keys.swapAt(index, parent)
            index = parent
        }
    }

    @inlinable
    mutating func siftDown(from start: Int) {
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

/// Time and order of an event, and the slot of its payload.
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
