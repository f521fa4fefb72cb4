import Runtime
import Testing

@Suite struct EventHeapTests {
    @Test func `events come by time, then source, then the order of pushing`() {
        var heap = EventHeap<String>()
        heap.push("late", at: Instant(nanoseconds: 20), from: .controller)
        heap.push("host", at: Instant(nanoseconds: 10), from: .host)
        heap.push("controller a", at: Instant(nanoseconds: 10), from: .controller)
        heap.push("controller b", at: Instant(nanoseconds: 10), from: .controller)
        heap.push("second controller", at: Instant(nanoseconds: 10), from: .controller.numbered(1))
        var order: [String] = []
        while let event = heap.pop() { order.append(event.payload) }
        #expect(order == ["controller a", "controller b", "second controller", "host", "late"])
    }

    @Test func `a random mix of pushes, pops and removals keeps the order of a sorted list`() {
        var random = SplitMix(state: 0xEA9)
        var heap = EventHeap<Int>()
        var model: [(time: Int64, source: UInt32, id: EventID, payload: Int)] = []
        for round in 0..<20_000 {
            switch random.next(below: 4) {
            case 0, 1:
                let time = Int64(random.next(below: 50))
                let source = EventSource.host.numbered(random.next(below: 3))
                let id = heap.push(round, at: Instant(nanoseconds: time), from: source)
                model.append((time, source.rawValue, id, round))
                model.sort { ($0.time, $0.source, $0.id.sequence) < ($1.time, $1.source, $1.id.sequence) }
            case 2:
                let event = heap.pop()
                #expect(event?.payload == model.first?.payload)
                if !model.isEmpty { model.removeFirst() }
            default:
                guard !model.isEmpty else { continue }
                let victim = model.remove(at: random.next(below: model.count))
                #expect(heap.remove(victim.id) == victim.payload)
                #expect(heap.remove(victim.id) == nil)
            }
            #expect(heap.count == model.count)
        }
        for event in model { #expect(heap.pop()?.payload == event.payload) }
    }

    @Test func `a limit keeps what is not due, and a copy is a fork`() {
        var heap = EventHeap<Int>()
        heap.push(1, at: Instant(nanoseconds: 5), from: .host)
        #expect(heap.pop(notAfter: Instant(nanoseconds: 4)) == nil)
        var fork = heap
        #expect(fork.pop(notAfter: Instant(nanoseconds: 5))?.payload == 1)
        #expect(fork.count == 0)
        #expect(heap.count == 1)
    }

    @Test func `times and durations saturate`() {
        #expect(Instant.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
        #expect(Instant(nanoseconds: .min).advanced(by: .seconds(-1)) == Instant(nanoseconds: .min))
        #expect(Instant.zero.advanced(by: .seconds(Int64.max)) == .distantFuture)
        #expect(Instant.zero.advanced(by: .milliseconds(30)).nanoseconds == 30_000_000)
        #expect(Instant(nanoseconds: 5).duration(to: Instant(nanoseconds: 7)) == .nanoseconds(2))
        #expect(Instant(nanoseconds: .min).duration(to: .distantFuture) == .nanoseconds(Int64.max))
    }
}
