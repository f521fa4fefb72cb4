import CLinux
import Glibc

/// The kernel's HCI user channel: exclusive access to an adapter.
///
/// Source: Linux, net/bluetooth/hci_sock.c.
enum UserChannel {
    static func open(_ index: UInt16) throws(AdapterError) -> Int32 {
        let name = "hci\(index)"
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(BLECAP_AF_BLUETOOTH), type, Int32(BLECAP_BTPROTO_HCI))
        guard descriptor >= 0 else { throw failure(name, errno) }
        var address = blecap_sockaddr_hci()
        address.family = UInt16(BLECAP_AF_BLUETOOTH)
        address.device = index
        address.channel = UInt16(BLECAP_HCI_CHANNEL_USER)
        // Safe: the kernel reads one structure.
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<blecap_sockaddr_hci>.size))
            }
        }
        guard result != 0 else { return descriptor }
        let code = errno
        close(descriptor)
        throw failure(name, code)
    }

    private static func failure(_ name: String, _ code: Int32) -> AdapterError {
        switch code {
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            AdapterError(
                "\(name): this kernel has no Bluetooth", advice: "use tcp:HOST:PORT or another machine")
        case ENODEV: AdapterError("\(name): no such adapter", advice: "'blecap devices' lists them")
        case EBUSY:
            AdapterError(
                "\(name): in use",
                advice: "switch it off: 'bluetoothctl power off', or 'btmgmt --index \(name) power off'")
        case EPERM, EACCES:
            AdapterError(
                "\(name): not permitted",
                advice: "run as root, or give this program the capability: setcap cap_net_admin+ep FILE")
        case ERFKILL: AdapterError("\(name): blocked", advice: "'rfkill unblock bluetooth' unblocks it")
        default: AdapterError("\(name): \(Descriptor.text(code))")
        }
    }
}

/// A virtual controller of this program as an adapter of the kernel.
///
/// Source: Linux, drivers/bluetooth/hci_vhci.c.
enum VirtualHCI {
    static func open() throws(AdapterError) -> Int32 {
        // Safe: the call reads the path.
        let descriptor = unsafe Glibc.open("/dev/vhci", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENODEV:
                throw AdapterError("vhci: there is no /dev/vhci", advice: "'modprobe hci_vhci' makes it")
            case EACCES, EPERM: throw AdapterError("vhci: not permitted", advice: "run as root")
            default: throw AdapterError("vhci: \(Descriptor.text(errno))")
            }
        }
        // Request an adapter now; the answer has its number (struct vhci_data of the driver).
        var answer: [UInt8] = [0xFF, 0]
        // Safe: the kernel reads and writes at most as many bytes as the arrays have.
        let isMade = unsafe answer.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, 2) == 2 }
        answer = [UInt8](repeating: 0, count: 4)
        let isTold = unsafe answer.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, 4) == 4
        }
        guard isMade, isTold, answer[0] == 0xFF else {
            let code = errno
            close(descriptor)
            throw AdapterError("vhci: no adapter was made: \(Descriptor.text(code))")
        }
        return descriptor
    }
}
