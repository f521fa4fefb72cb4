/// Location of the other side of HCI, as a user writes it.
public enum AdapterAddress: Hashable, Sendable, CustomStringConvertible {
    /// H4 over TCP: `tcp:HOST:PORT`. Without HOST it is this machine alone, by 127.0.0.1; to listen on every
    /// interface HOST is `*` or `[::]`, for IPv4 alone `0.0.0.0`.
    case tcp(host: String, port: UInt16)
    /// H4 over a Unix socket: `unix:PATH`.
    case unix(String)
    /// H4 over a terminal: `pty:PATH`.
    ///
    /// Listening creates one, and PATH as a link to it.
    case pty(String)
    /// An adapter of this machine, through the kernel's user channel: `hci0`.
    case kernel(UInt16)
    /// A virtual adapter of this machine's kernel: `vhci`.
    ///
    /// Only for listening.
    case vhci

    /// The forms of an address.
    public static let forms = "tcp:HOST:PORT, unix:PATH, pty:PATH, hci0"

    /// Parses an address.
    public init(_ text: String) throws(AdapterError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : nil
        switch (parts.first ?? "", rest) {
        case ("tcp", let rest?):
            guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...])
            else {
                throw AdapterError("'\(text)' has no port", advice: "write it as tcp:127.0.0.1:9000")
            }
            var host = rest[..<colon].drop { $0 == "[" }
            if host.last == "]" { host = host.dropLast() }
            self = .tcp(host: host.isEmpty ? TCP.loopback : String(host), port: port)
        case ("unix", let path?) where !path.isEmpty: self = .unix(path)
        case ("pty", let path?) where !path.isEmpty: self = .pty(path)
        case ("vhci", nil): self = .vhci
        case (let name, nil) where name.hasPrefix("hci"):
            guard let index = UInt16(name.dropFirst(3)) else { fallthrough }
            self = .kernel(index)
        default:
            throw AdapterError("'\(text)' is not an adapter", advice: "adapters are \(Self.forms)")
        }
    }

    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .pty(let path): "pty:\(path)"
        case .kernel(let index): "hci\(index)"
        case .vhci: "vhci"
        }
    }

    /// Connects to the controller at the address.
    public func connect(_ time: RealTime) throws(AdapterError) -> HCIStream {
        let name = "\(self)"
        switch self {
        case .tcp(let host, let port):
            return HCIStream(try TCP.connect(host, port: port, name), name: name, time: time)
        case .unix(let path): return HCIStream(try UnixSocket.connect(path, name), name: name, time: time)
        case .pty(let path): return HCIStream(try Terminal.open(path, name), name: name, time: time)
        case .kernel(let index):
            return HCIStream(
                try UserChannel.open(index), name: name, framing: .packets, time: time)
        case .vhci:
            throw AdapterError(
                "vhci makes an adapter and has none to offer", advice: "connect to hci0, or listen on vhci")
        }
    }

    /// Waits for hosts at the address, and calls `arrived` with each.
    public func listen(
        _ time: RealTime, _ arrived: @escaping @Sendable (HCIStream) -> Void
    ) throws(AdapterError) -> HCIListener {
        let name = "\(self)"
        switch self {
        case .tcp(let host, let port):
            return HCIListener(try TCP.listen(host, port: port, name), address: self, time, arrived: arrived)
        case .unix(let path):
            return HCIListener(try UnixSocket.listen(path, name), address: self, time, arrived: arrived)
        case .pty(let path):
            return HCIListener(terminal: try Terminal.make(path, name), address: self, time, arrived)
        case .vhci:
            let stream = HCIStream(try VirtualHCI.open(), name: name, framing: .packets, time: time)
            return HCIListener(only: stream, address: self, time, arrived)
        case .kernel:
            throw AdapterError(
                "\(name) is an adapter, and no place to wait at", advice: "listen on vhci to make one")
        }
    }
}
