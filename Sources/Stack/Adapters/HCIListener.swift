import Glibc
import Runtime
import Synchronization

/// Accepts hosts at an address until it is closed.
public final class HCIListener: Sendable {
    /// The address, with the port that the system chose if port 0 was requested.
    public let address: AdapterAddress
    private let time: RealTime
    private let descriptor: Int32?
    /// File to remove at the end: a socket, or the link to a terminal.
    private let path: String?
    private let isClosed = Mutex(false)

    /// Listens on a socket.
    init(
        _ descriptor: Int32, address: AdapterAddress, _ time: RealTime,
        _ arrived: @escaping @Sendable (HCIStream) -> Void
    ) {
        self.descriptor = descriptor
        self.time = time
        self.address = TCP.bound(descriptor, address)
        if case .unix(let path) = address { self.path = path } else { path = nil }
        Descriptor.setNonblocking(descriptor)
        let name = "\(self.address)"
        time.watch(
            descriptor,
            read: {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                TCP.sendAtOnce(accepted)
                arrived(HCIStream(accepted, name: name, time: time))
            })
    }

    /// Serves a terminal, where one host after another uses the same descriptor.
    init(
        terminal: Int32, address: AdapterAddress, _ time: RealTime,
        _ arrived: @escaping @Sendable (HCIStream) -> Void
    ) {
        self.address = address
        self.time = time
        descriptor = nil
        if case .pty(let path) = address { self.path = path } else { path = nil }
        time.schedule(at: time.now, from: .controller) {
            arrived(HCIStream(terminal, name: "\(address)", time: time))
        }
    }

    /// Serves the kernel as the only host.
    init(
        only stream: HCIStream, address: AdapterAddress, _ time: RealTime,
        _ arrived: @escaping @Sendable (HCIStream) -> Void
    ) {
        self.address = address
        self.time = time
        descriptor = nil
        path = nil
        time.schedule(at: time.now, from: .controller) { arrived(stream) }
    }

    deinit { close() }

    /// Stops accepting hosts; existing ones stay.
    public func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        if let descriptor {
            time.unwatch(descriptor)
            _ = Glibc.close(descriptor)
        }
        // Safe: the call reads the path.
        if let path { _ = unsafe unlink(path) }
    }
}
