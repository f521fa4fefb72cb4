public import BluetoothCore
import CBluez

/// A link that is up on an adapter of this machine.
public struct OpenLink: Equatable, Sendable {
    /// Kind of link.
    public enum Kind: UInt8, Sendable {
        case sco = 0
        case acl = 1
        case esco = 2
        case le = 0x80
    }

    /// The adapter's number.
    public var adapter: UInt16
    /// The connection handle.
    public var handle: UInt16
    /// The peer's address; its kind is known only from the management interface.
    public var address: DeviceAddress
    /// Kind of link; nil if unknown.
    public var kind: Kind?
    /// Whether this machine initiated the connection.
    public var isOutgoing: Bool

    public init(adapter: UInt16, handle: UInt16, address: DeviceAddress, kind: Kind?, isOutgoing: Bool) {
        self.adapter = adapter
        self.handle = handle
        self.address = address
        self.kind = kind
        self.isOutgoing = isOutgoing
    }

    /// The text of its note in the recording.
    public var note: String {
        let layer =
            switch kind {
            case .sco: "SCO"
            case .acl: "BR/EDR"
            case .esco: "eSCO"
            case .le: "LE"
            case nil: "unknown kind"
            }
        let type =
            switch address.kind {
            case .public where kind == .le: " (public)"
            case .random: " (random)"
            default: ""
            }
        let digits = String(handle, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "link already up: handle 0x\(padded), \(layer), \(address)\(type), "
            + (isOutgoing ? "outgoing" : "incoming")
    }
}

/// Lists the links that are up, which the monitor channel does not repeat.
public struct OpenLinkList: ~Copyable {
    private let socket: HCISocket
    /// The types of LE addresses, as reported by the management interface at the start.
    private let kinds: [UInt64: DeviceAddress.Kind]
    /// Whether the management interface refused, so that address types are unknown.
    public let lacksAddressTypes: Bool

    /// Opens the socket, and gets the address types if the capability allows it.
    public init() throws(MonitorError) {
        socket = try HCISocket()
        var kinds: [UInt64: DeviceAddress.Kind] = [:]
        var isRefused = !Capabilities.effective.contains(.netAdmin)
        if !isRefused {
            for index in Adapter.indices(socket) {
                guard let found = try? ManagementQuery.connections(of: index) else {
                    isRefused = true
                    continue
                }
                kinds.merge(found) { $1 }
            }
        }
        self.kinds = kinds
        lacksAddressTypes = isRefused
    }

    /// The links that are up now.
    public func links() -> [OpenLink] {
        Adapter.indices(socket).flatMap { index -> [OpenLink] in
            var request = [UInt8](repeating: 0, count: 4 + 16 * Self.most)
            request[0] = UInt8(truncatingIfNeeded: index)
            request[1] = UInt8(truncatingIfNeeded: index >> 8)
            request[2] = UInt8(Self.most)
            guard socket.list(HCICall.connectionList, &request) else { return [] }
            return Self.decode(request, adapter: index, kinds)
        }
    }

    /// More links than a controller holds.
    private static let most = 128

    /// Decodes the kernel's answer: the adapter, a count, then for each link its handle, address, kind,
    /// direction, state and mode in 16 bytes (struct hci_conn_info).
    static func decode(
        _ answer: [UInt8], adapter: UInt16, _ kinds: [UInt64: DeviceAddress.Kind]
    ) -> [OpenLink] {
        guard answer.count >= 4 else { return [] }
        let count = min(Int(answer[2]) | Int(answer[3]) << 8, (answer.count - 4) / 16)
        return (0..<count).map { index in
            let entry = answer[(4 + 16 * index)...].prefix(16).map { $0 }
            let value = entry[2..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let kind = OpenLink.Kind(rawValue: entry[8])
            let known = kind == .le ? kinds[value] : .public
            return OpenLink(
                adapter: adapter, handle: UInt16(entry[0]) | UInt16(entry[1]) << 8,
                address: DeviceAddress(value, known ?? .unknown), kind: kind, isOutgoing: entry[9] != 0)
        }
    }
}

/// Queries to the kernel's management interface (mgmt-api).
enum ManagementQuery {
    private static let getConnections: UInt16 = 0x0015
    private static let patience: Int32 = 500
    /// Limit of unrelated events before the answer.
    private static let mostEvents = 64

    /// The addresses of an adapter's links, each with its type; needs CAP_NET_ADMIN.
    static func connections(of adapter: UInt16) throws(MonitorError) -> [UInt64: DeviceAddress.Kind] {
        let socket = try HCISocket()
        try socket.bind(channel: HCI_CHANNEL_CONTROL, needs: "CAP_NET_ADMIN")
        try socket.send(words([getConnections, adapter, 0]))
        for _ in 0..<mostEvents {
            guard let answer = try socket.receive(within: patience) else { break }
            if let found = decode(answer, adapter: adapter) { return found }
        }
        return [:]
    }

    private static func words(_ words: [UInt16]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// Decodes an event: Command Complete (1) or Command Status (2) for the query; returns nil for any other.
    static func decode(_ event: [UInt8], adapter: UInt16) -> [UInt64: DeviceAddress.Kind]? {
        func word(_ at: Int) -> UInt16 {
            at + 2 <= event.count ? UInt16(event[at]) | UInt16(event[at + 1]) << 8 : 0xFFFF
        }
        guard event.count >= 9, word(2) == adapter, word(6) == getConnections else { return nil }
        guard word(0) == 1, event[8] == 0 else { return word(0) <= 2 ? [:] : nil }
        var kinds: [UInt64: DeviceAddress.Kind] = [:]
        var place = 11
        for _ in 0..<word(9) where place + 7 <= event.count {
            let value = event[place..<place + 6].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // 0 BR/EDR, 1 LE public, 2 LE random
            if event[place + 6] > 0 { kinds[value] = event[place + 6] == 1 ? .public : .random }
            place += 7
        }
        return kinds
    }
}
