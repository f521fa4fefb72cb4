import Adapters
import BluetoothCore
import Foundation
import LEHost
import WireBytes

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
