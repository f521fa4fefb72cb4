import Glibc

/// The Bluetooth adapters of this machine, as listed by the kernel in /sys.
public enum MachineAdapters {
    /// Their names in order, such as `hci0`; empty on a machine without Bluetooth.
    public static var names: [String] {
        // Safe: the directory is closed, and each entry is copied before the next is read.
        guard let folder = unsafe opendir("/sys/class/bluetooth") else { return [] }
        defer { unsafe closedir(folder) }
        var found: [UInt16] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            // Connections are listed beside them, as hci0:64.
            if name.hasPrefix("hci"), let index = UInt16(name.dropFirst(3)) { found.append(index) }
        }
        return found.sorted().map { "hci\($0)" }
    }
}

/// Reason why no adapter is available at an address, with advice.
public struct AdapterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, with the address: "tcp:localhost:9000: connection refused".
    public var problem: String
    /// Advice for the user; nil if none is known.
    public var advice: String?

    public init(_ problem: String, advice: String? = nil) {
        self.problem = problem
        self.advice = advice
    }

    public var description: String { advice.map { "\(problem); \($0)" } ?? problem }
}
