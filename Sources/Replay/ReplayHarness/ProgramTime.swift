import CoreBluetooth
import Dispatch
import Foundation
import Glibc
import Replay
import Runtime

// The program's own timers in virtual time. The functions at the end interpose those of the same names in
// libdispatch and CoreFoundation in the whole test process. Code that runs on a replay's adapter gets virtual
// time, everything else the original functions.

/// The virtual time of the calling code.
private struct ProgramTime {
    let adapter: BluetoothAdapter
    let delivery: SettlingDelivery
    let time: VirtualTime

    /// Returns nil for code that does not run on a replay.
    init?() {
        guard let adapter = AdapterSlot.bound, let delivery = adapter.delivery as? SettlingDelivery,
            let time = adapter.time as? VirtualTime
        else { return nil }
        self.adapter = adapter
        self.delivery = delivery
        self.time = time
    }

    /// The machine's clock at the first use of virtual time, in nanoseconds since boot.
    private static let origin = Int64(clamping: LibraryFunction.time(0, 0))

    /// The current time as `dispatch_time` counts it.
    var now: Int64 { Self.origin &+ max(0, time.applicationNow.nanoseconds) }

    /// Returns the time until an instant of `dispatch_time`; nil for never.
    func delay(until when: UInt64) -> Duration? {
        guard when != .max else { return nil }
        guard when > 0 else { return .zero }
        guard when >> 63 == 0 else { return Self.delay(onMachineUntil: when) }
        return .nanoseconds(max(0, Int64(clamping: when) - now))
    }

    /// Returns the same for the clocks of the concurrency library and of `DispatchWallTime`. The program read
    /// them a moment ago, so the result is rounded to hundredths of a second.
    private static func delay(onMachineUntil when: UInt64) -> Duration {
        // The highest two bits select the clock; 11 is the wall clock, which counts backwards.
        let isWall = when >> 62 == 3
        let deadline = isWall ? Int64(bitPattern: 0 &- when) : Int64(when & (1 << 62 - 1))
        var now = timespec()
        // Safe: the call fills the value that it gets.
        _ = unsafe clock_gettime(isWall ? CLOCK_REALTIME : CLOCK_BOOTTIME, &now)
        let left = deadline - (Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
        return .milliseconds(10 * max(0, (left + 9_999_999) / 10_000_000))
    }

    func run(after delay: Duration, on queue: ProgramQueue, _ body: @escaping @Sendable () -> Void) {
        adapter.asyncAfter(delay, on: queue, delivery, body)
    }

    /// Waits in virtual time; returns nil if only the machine's time can be used.
    ///
    /// - Parameter isMet: takes the awaited object, if it is available.
    func wait(until when: UInt64, _ isMet: () -> Bool) -> Bool? {
        guard when > 0 else { return nil }
        let deadline = delay(until: when).map { time.applicationNow.advanced(by: $0) }
        // Virtual time must reach the deadline even if nothing else happens then.
        let event = deadline.map {
            time.schedule(after: time.applicationNow.duration(to: $0), from: .application) {}
        }
        defer { if let event { time.cancel(event) } }
        return ProgramBlock.wait(
            isMet, isOver: { deadline.map { time.applicationNow >= $0 } ?? false },
            goOn: {
                delivery.settle()
                return time.step()
            })
    }

    /// Wraps a block for a queue so that it runs with this adapter and virtual time waits for it.
    func follow(_ queue: ProgramQueue, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard queue != .main else { return { [adapter] in AdapterSlot.with(adapter) { body() } } }
        let block = ProgramBlock(on: queue) { [adapter] in AdapterSlot.with(adapter) { body() } }
        delivery.follow(block)
        return { block.run() }
    }

    /// Runs what the program puts on the main queue or, as a task, into the concurrency library's pool in its
    /// turn among the callbacks: then a run is the same each time. False for other queues, and where nobody
    /// settles.
    func deliver(to queue: ProgramQueue, _ body: @escaping @Sendable () -> Void) -> Bool {
        let isPool = queue.label == "Swift global concurrent queue"
        guard isPool || queue == .main, !delivery.isOver else { return false }
        delivery.deliver(on: isPool ? .inline : queue) { [adapter] in AdapterSlot.with(adapter) { body() } }
        return true
    }

    /// Makes a run loop's timer fire in virtual time.
    func add(_ timer: Timer, on queue: ProgramQueue) {
        let interval = timer.timeInterval
        var first = max(0, timer.fireDate.timeIntervalSinceNow)
        // The moment between creating the timer and adding it does not count.
        first = abs(first - interval) < 0.05 ? interval : (first * 1_000).rounded(.up) / 1_000
        fire(SentTimer(timer), on: queue, after: .nanoseconds(Int64(clamping: first)))
    }

    private func fire(_ timer: SentTimer, on queue: ProgramQueue, after delay: Duration) {
        run(after: delay, on: queue) {
            guard timer.timer.isValid else { return }
            let interval = timer.timer.timeInterval
            if interval > 0 { fire(timer, on: queue, after: .nanoseconds(Int64(clamping: interval))) }
            timer.timer.fire()
        }
    }
}

extension Int64 {
    fileprivate init(clamping seconds: TimeInterval) {
        self = seconds < 9e9 ? Int64((seconds * 1e9).rounded()) : .max
    }
}

/// A timer that fires only on the queue of its run loop.
private struct SentTimer: @unchecked Sendable {
    let timer: Timer
    init(_ timer: Timer) { self.timer = timer }
}

/// A block or function that the program passed to the C library.
private struct Sent: @unchecked Sendable {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

// MARK: Interposed functions

@_cdecl("dispatch_time")
func programTime(_ when: UInt64, _ delta: Int64) -> UInt64 {
    guard when == 0, let time = ProgramTime() else { return LibraryFunction.time(when, delta) }
    let (sum, overflows) = time.now.addingReportingOverflow(delta)
    return overflows ? .max : UInt64(max(1, sum))
}

@_cdecl("dispatch_after")
func programAfter(_ when: UInt64, _ queue: UnsafeMutableRawPointer, _ block: @escaping LibraryFunction.Block)
{
    // Safe: the caller's arguments are used only as the called function may use them.
    guard let time = ProgramTime(), let delay = time.delay(until: when) else {
        return unsafe LibraryFunction.after(when, queue, block)
    }
    let sent = Sent(block)
    time.run(after: delay, on: unsafe LibraryFunction.queue(queue)) { sent.body() }
}

@_cdecl("dispatch_after_f")
func programAfterFunction(
    _ when: UInt64, _ queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
    _ work: @escaping LibraryFunction.Function
) {
    // Safe: the caller's arguments are used only as the called function may use them.
    guard let time = ProgramTime(), let delay = time.delay(until: when) else {
        return unsafe LibraryFunction.afterFunction(when, queue, context, work)
    }
    let sent = Sent { unsafe work(context) }
    time.run(after: delay, on: unsafe LibraryFunction.queue(queue)) { sent.body() }
}

@_cdecl("dispatch_async")
func programAsync(_ queue: UnsafeMutableRawPointer, _ block: @escaping LibraryFunction.Block) {
    // Safe: the caller's arguments are used only as the called function may use them.
    guard let time = ProgramTime() else { return unsafe LibraryFunction.async(queue, block) }
    let sent = Sent(block)
    let target = unsafe LibraryFunction.queue(queue)
    if time.deliver(to: target, { sent.body() }) { return }
    let followed = time.follow(target) { sent.body() }
    unsafe LibraryFunction.async(queue) { followed() }
}

/// Tasks come this way.
@_cdecl("dispatch_async_f")
func programAsyncFunction(
    _ queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
    _ work: @escaping LibraryFunction.Function
) {
    // Safe: what the caller lends goes to the function of its choice, for as long as that may use it.
    guard let time = ProgramTime() else { return unsafe LibraryFunction.asyncFunction(queue, context, work) }
    let target = unsafe LibraryFunction.queue(queue)
    let sent = Sent { unsafe work(context) }
    if time.deliver(to: target, { sent.body() }) { return }
    let followed = time.follow(target) { sent.body() }
    unsafe LibraryFunction.async(queue) { followed() }
}

@_cdecl("dispatch_sync")
func programSync(_ queue: UnsafeMutableRawPointer, _ block: LibraryFunction.Block) {
    // Safe: what the caller lends goes to the function of its choice; the block has run when this returns.
    unsafe withoutActuallyEscaping(block) { block in
        let sent = Sent(block)
        let done = DispatchSemaphore(value: 0)
        guard !Thread.isMainThread, !ProgramQueue.isCurrentMain, let time = ProgramTime(),
            time.deliver(
                to: unsafe LibraryFunction.queue(queue),
                {
                    sent.body()
                    done.signal()
                })
        else { return unsafe LibraryFunction.sync(queue, block) }
        done.wait()
    }
}

@_cdecl("dispatch_group_async")
func programGroupAsync(
    _ group: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer,
    _ block: @escaping LibraryFunction.Block
) {
    // Safe: the caller's arguments are used only as the called function may use them.
    guard let time = ProgramTime() else { return unsafe LibraryFunction.groupAsync(group, queue, block) }
    let sent = Sent(block)
    let followed = time.follow(unsafe LibraryFunction.queue(queue)) { sent.body() }
    unsafe LibraryFunction.groupAsync(group, queue) { followed() }
}

@_cdecl("dispatch_semaphore_wait")
func programSemaphoreWait(_ semaphore: UnsafeMutableRawPointer, _ when: UInt64) -> Int {
    // Safe: the caller's arguments are used only as the called function may use them.
    wait(until: when) { unsafe LibraryFunction.semaphoreWait(semaphore, $0) }
}

@_cdecl("dispatch_group_wait")
func programGroupWait(_ group: UnsafeMutableRawPointer, _ when: UInt64) -> Int {
    // Safe: the caller's arguments are used only as the called function may use them.
    wait(until: when) { unsafe LibraryFunction.groupWait(group, $0) }
}

private func wait(until when: UInt64, _ take: (UInt64) -> Int) -> Int {
    guard let time = ProgramTime(), let hasCome = time.wait(until: when, { take(0) == 0 }) else {
        return take(when)
    }
    return hasCome ? 0 : 1
}

@_cdecl("CFRunLoopAddTimer")
func programAddTimer(
    _ loop: UnsafeMutableRawPointer, _ timer: UnsafeMutableRawPointer, _ mode: UnsafeMutableRawPointer
) {
    // Safe: the caller's arguments are used only as the called function may use them.
    guard let time = ProgramTime() else { return unsafe LibraryFunction.addTimer(loop, timer, mode) }
    // CFRunLoopTimerContext: a version, the info pointer, and three functions.
    var context: (Int, UnsafeRawPointer?, Int, Int, Int) = (0, nil, 0, 0, 0)
    unsafe withUnsafeMutablePointer(to: &context) {
        unsafe LibraryFunction.timerContext(timer, UnsafeMutableRawPointer($0))
    }
    guard let info = unsafe context.1 else { return unsafe LibraryFunction.addTimer(loop, timer, mode) }
    // Safe: only Foundation creates timers, and each one's info is its `Timer`.
    let owner = unsafe Unmanaged<Timer>.fromOpaque(info).takeUnretainedValue()
    time.add(owner, on: unsafe loop == LibraryFunction.mainLoop() ? .main : .inline)
}
