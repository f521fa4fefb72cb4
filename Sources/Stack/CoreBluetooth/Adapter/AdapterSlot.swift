import Adapters
import Foundation
import LEHost
import Synchronization
import WireBytes

/// The default adapter for managers created without one, since code written for iOS doesn't name one.
///
/// An adapter bound with ``with(_:_:)`` comes first: it applies to the code called within, to tasks created
/// there, and to the callbacks of its managers. Next comes the process-wide provider of ``setProvider(_:)``,
/// or the machine's own adapter if no provider is set. Without any adapter, managers are `unsupported`.
public enum AdapterSlot {
    @TaskLocal private static var ofTask: BluetoothAdapter?
    private static let provider = Mutex<(@Sendable () -> BluetoothAdapter?)?>(nil)

    /// Runs `body` with an adapter for the managers created in it.
    public static func with<Result>(_ adapter: BluetoothAdapter, _ body: () throws -> Result) rethrows
        -> Result
    {
        try bind(adapter, body)
    }

    /// Runs `body` as code that is on no adapter, with the machine's own time.
    package static func without<Result>(_ body: () throws -> Result) rethrows -> Result {
        try bind(nil, body)
    }

    private static func bind<Result>(_ adapter: BluetoothAdapter?, _ body: () throws -> Result) rethrows
        -> Result
    {
        try ProgramThread.with {
            $0.adapter = adapter
        } _: {
            try $ofTask.withValue(adapter) { try body() }
        }
    }

    /// The adapter bound for the current code. A detached task has that of the code which runs it.
    package static var bound: BluetoothAdapter? { ofTask ?? ProgramThread.current.adapter }

    /// Sets the source of adapters for managers without a bound one; nil for the machine's own adapter.
    public static func setProvider(_ new: (@Sendable () -> BluetoothAdapter?)?) {
        provider.withLock { $0 = new }
    }

    /// Passes an explicit adapter through a manager's options.
    ///
    /// Apple's managers have one designated initializer, which a subclass overrides to inherit the others, so
    /// a second one isn't possible.
    private final class Named: Sendable {
        let adapter: BluetoothAdapter?
        init(_ adapter: BluetoothAdapter?) { self.adapter = adapter }
    }
    private static let key = "blecap.adapter"

    static func naming(_ adapter: BluetoothAdapter?, in options: [String: Any]?) -> [String: Any] {
        (options ?? [:]).merging([key: Named(adapter)]) { $1 }
    }

    static func named(in options: [String: Any]?) -> BluetoothAdapter? {
        if let named = options?[key] as? Named { return named.adapter }
        return current
    }

    /// Whether this code runs within ``with(_:_:)``, as callbacks do.
    static var isBound: Bool { bound != nil }

    static var current: BluetoothAdapter? {
        if let bound { return bound }
        guard let provider = provider.withLock({ $0 }) else { return MachineAdapter.shared }
        return provider()
    }
}

/// The adapter of this machine, for managers created without one.
///
/// It is the one that the environment variable BLECAP_ADAPTER names, otherwise the first usable one. The
/// first manager opens it, on its own thread. As on Apple's systems it has private addresses, unless
/// BLECAP_ADDRESS is `public`.
enum MachineAdapter {
    /// Nil without a usable Bluetooth adapter: managers are then `unsupported`, and a line on standard error
    /// says why.
    static let shared: BluetoothAdapter? = make()

    private static func make() -> BluetoothAdapter? {
        let wanted = ProcessInfo.processInfo.environment["BLECAP_ADAPTER"]
        guard wanted != "none" else { return nil }
        let time = RealTime()
        for name in wanted.map({ [$0] }) ?? MachineAdapters.names {
            do throws(AdapterError) {
                return adapter(try AdapterAddress(name).connect(time), time)
            } catch {
                log("\(error)")
            }
        }
        return nil
    }

    private static func log(_ line: String) {
        // A program without standard error continues.
        try? FileHandle.standardError.write(contentsOf: Data("CoreBluetooth: \(line.visible)\n".utf8))
    }

    private static func adapter(_ stream: HCIStream, _ time: RealTime) -> BluetoothAdapter {
        var configuration = BluetoothAdapter.Configuration()
        configuration.wallClockOrigin = time.wallClockOrigin
        configuration.log = { log($0) }
        configuration.memory = PeerMemory.fileOfUser()
        // No user can be asked, so only pairing without a person works.
        var policy = SecurityPolicy()
        // As on Apple's systems; the bond is not authenticated.
        policy.acceptsLegacyPairing = true
        configuration.host.security = policy
        configuration.host.cachesDatabases = true
        configuration.bonds = BluetoothAdapter.bondsOfUser
        configuration.usesPrivateAddress = ProcessInfo.processInfo.environment["BLECAP_ADDRESS"] != "public"
        time.start()
        return BluetoothAdapter(
            transport: stream, time: time, entropy: SystemEntropy(), delivery: LiveDelivery(),
            configuration: configuration)
    }
}
