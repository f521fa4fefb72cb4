public import BluetoothCore
import CBluez
import Glibc
import WireBytes

/// A Bluetooth adapter of this machine, as listed by the kernel.
public struct Adapter: Equatable, Sendable {
    /// Its number: 0 for hci0.
    public var index: UInt16
    /// Its name, such as `hci0`.
    public var name: String
    /// Its public address; 0 if it has none, or if the address is unknown before it is powered.
    public var address: DeviceAddress
    /// The bus it is attached to, by the kernel's number.
    public var bus: UInt8
    /// The kernel's flags, by their bits.
    public var flags: UInt32

    /// Whether it is powered.
    public var isUp: Bool { flags & 1 != 0 }
    /// Whether a program has exclusive use of it through the user channel.
    public var isRaw: Bool { flags & 1 << 8 != 0 }

    /// The name of its bus.
    public var busName: String { ValueSet("bus").name(UInt64(bus)).map { "\($0)" } ?? "bus \(bus)" }

    /// The names of the flags that are set, as in the kernel's headers.
    public var flagNames: [String] {
        let names = ["up", "init", "running", "pscan", "iscan", "auth", "encrypt", "inquiry", "raw"]
        return names.indices.filter { flags & 1 << UInt32($0) != 0 }.map { names[$0] }
    }

    public init(index: UInt16, name: String, address: DeviceAddress, bus: UInt8, flags: UInt32) {
        self.index = index
        self.name = name
        self.address = address
        self.bus = bus
        self.flags = flags
    }

    /// The adapters of this machine, in the order of their numbers.
    public static func all() throws(MonitorError) -> [Adapter] {
        try indices(HCISocket()).compactMap { index in adapter(index) }.sorted { $0.index < $1.index }
    }

    /// More adapters than the kernel can have.
    private static let most = 64

    static func indices(_ socket: borrowing HCISocket) -> [UInt16] {
        // A count of 16 bits, padding, then the number and the flags of each (struct hci_dev_list_req).
        var request = [UInt8](repeating: 0, count: 4 + 8 * most)
        request[0] = UInt8(most)
        guard socket.list(HCICall.deviceList, &request) else { return [] }
        let count = min(Int(request[0]) | Int(request[1]) << 8, most)
        return (0..<count).map { UInt16(request[4 + 8 * $0]) | UInt16(request[5 + 8 * $0]) << 8 }
    }

    private static func adapter(_ index: UInt16) -> Adapter? {
        var found = hci_dev_info()
        // Safe: the library fills one structure, which outlives the call.
        guard unsafe hci_devinfo(Int32(index), &found) == 0 else { return nil }
        // Safe: an address is six bytes, little-endian, and a name eight.
        let octets = unsafe withUnsafeBytes(of: found.bdaddr) { unsafe Array($0) }
        let name = unsafe withUnsafeBytes(of: found.name) { unsafe Array($0.prefix { $0 != 0 }) }
        return Adapter(
            index: index, name: String(decoding: name, as: UTF8.self),
            address: DeviceAddress(octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }, .public),
            bus: found.type & 0x0F, flags: found.flags)
    }
}
