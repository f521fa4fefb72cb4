/// The reason why the machine's Bluetooth could not be reached.
public enum MonitorError: Error, Equatable, Sendable {
    /// The kernel has no Bluetooth, or its module is not loaded.
    case noBluetooth
    /// This capability is missing, named as in capabilities(7).
    case notPermitted(capability: String)
    /// A system call failed: the call and its errno.
    case system(call: String, errno: Int32)
    /// An error of libpcap.
    case library(String)
}

extension MonitorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noBluetooth: "this kernel has no Bluetooth"
        case .notPermitted(let capability): "\(capability) is missing"
        case .system(let call, let code): "can't \(call) (error \(code))"
        case .library(let text): text
        }
    }
}
