/// Why the machine's Bluetooth could not be reached.
public enum MonitorError: Error, Equatable, Sendable {
    /// The kernel has no Bluetooth, or its module is not loaded.
    case noBluetooth
    /// The kernel refuses for want of this capability, named as in capabilities(7).
    case notPermitted(capability: String)
    /// A call of the operating system failed, with its errno.
    case system(call: String, errno: Int32)
    /// What libpcap says.
    case library(String)
}
