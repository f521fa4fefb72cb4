import CoreBluetooth
import Glibc

/// The functions of libdispatch and CoreFoundation that ``ProgramTime`` interposes, and others that it needs.
enum LibraryFunction {
    typealias Object = UnsafeMutableRawPointer
    typealias Block = @convention(block) () -> Void
    typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
    typealias After = @convention(c) (UInt64, Object, @escaping Block) -> Void
    typealias AfterFunction = @convention(c) (UInt64, Object, Object?, @escaping Function) -> Void
    typealias Async = @convention(c) (Object, @escaping Block) -> Void
    typealias GroupAsync = @convention(c) (Object, Object, @escaping Block) -> Void
    typealias AsyncFunction = @convention(c) (Object, Object?, @escaping Function) -> Void
    typealias Wait = @convention(c) (Object, UInt64) -> Int
    typealias AddTimer = @convention(c) (Object, Object, Object) -> Void
    typealias TimerContext = @convention(c) (Object, Object) -> Void
    typealias Label = @convention(c) (Object) -> UnsafePointer<CChar>?

    // Safe: each has the type of the library's header, also those below.
    static let time = function("dispatch_time", as: (@convention(c) (UInt64, Int64) -> UInt64).self)
    static let after = unsafe function("dispatch_after", as: After.self)
    static let afterFunction = unsafe function("dispatch_after_f", as: AfterFunction.self)
    static let async = unsafe function("dispatch_async", as: Async.self)
    static let asyncFunction = unsafe function("dispatch_async_f", as: AsyncFunction.self)
    static let sync = unsafe function("dispatch_sync", as: Async.self)
    static let groupAsync = unsafe function("dispatch_group_async", as: GroupAsync.self)
    static let semaphoreWait = unsafe function("dispatch_semaphore_wait", as: Wait.self)
    // Safe: as above.
    static let groupWait = unsafe function("dispatch_group_wait", as: Wait.self)
    static let addTimer = unsafe function("CFRunLoopAddTimer", as: AddTimer.self)
    static let timerContext = unsafe function("CFRunLoopTimerGetContext", as: TimerContext.self)
    static let mainLoop = unsafe function("CFRunLoopGetMain", as: (@convention(c) () -> Object).self)
    static let label = unsafe function("dispatch_queue_get_label", as: Label.self)
    static let retain = unsafe function("dispatch_retain", as: (@convention(c) (Object) -> Void).self)
    // Safe: as above; and an address, which is only compared.
    static let release = unsafe function("dispatch_release", as: (@convention(c) (Object) -> Void).self)
    static let mainQueue = unsafe UInt(bitPattern: dlsym(nil, "_dispatch_main_q"))

    /// Returns the next definition of a function after this process's own.
    private static func function<F>(_ name: String, as type: F.Type) -> F {
        // Safe: RTLD_NEXT, a macro that Swift does not import.
        let next = unsafe UnsafeMutableRawPointer(bitPattern: -1)
        guard let symbol = unsafe dlsym(next, name) else { preconditionFailure("\(name) is missing") }
        return unsafe unsafeBitCast(symbol, to: type)
    }

    static func queue(_ pointer: Object) -> ProgramQueue {
        let address = UInt(bitPattern: pointer)
        guard address != mainQueue else { return .main }
        // Safe: the caller holds the queue, and the closure holds it on.
        let held = unsafe HeldQueue(pointer)
        let label = unsafe label(pointer).map { unsafe String(cString: $0) } ?? ""
        return ProgramQueue(address: address, label: label) { body in
            unsafe async(held.pointer) { body() }
        }
    }
}

/// A retained queue of the C library.
@safe private final class HeldQueue: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) {
        // Safe: the caller holds the queue; what is retained here is released once.
        unsafe self.pointer = pointer
        unsafe LibraryFunction.retain(pointer)
    }

    deinit { unsafe LibraryFunction.release(pointer) }
}
