import Glibc

/// The capabilities of this process.
public struct Capabilities: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// CAP_NET_ADMIN: large receive buffers, the management interface, the user channel, marks.
    public static let netAdmin = Capabilities(rawValue: 1 << 12)
    /// CAP_NET_RAW: the monitor channel.
    public static let netRaw = Capabilities(rawValue: 1 << 13)

    /// The capabilities in effect; empty if the kernel does not report them.
    public static var effective: Capabilities {
        let text = contents("/proc/self/status")
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }) else {
            return []
        }
        let digits = line.dropFirst(7).drop { $0 == "\t" || $0 == " " }
        return Capabilities(rawValue: UInt64(digits, radix: 16) ?? 0)
    }

    private static func contents(_ path: String) -> String {
        // Safe: the path is terminated by a zero and outlives the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var octets = [UInt8](repeating: 0, count: 8192)
        // Safe: the kernel writes at most as many bytes as the array has.
        let count = unsafe octets.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
    }
}
