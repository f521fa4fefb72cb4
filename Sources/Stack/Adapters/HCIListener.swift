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
    /// Takes in the next host; less than zero for an error in `errno`.
    private let accepting: @Sendable (Int32) -> Int32
    private let arrived: @Sendable (HCIStream) -> Void

    /// The pause where descriptors or memory ran out: the host that waits keeps the socket readable, and
    /// asking again at once would take the whole processor.
    static let pause = Duration.milliseconds(500)

    /// Listens on a socket.
    ///
    /// - Parameter accepting: stands in for `accept` in tests.
    init(
        _ descriptor: Int32, address: AdapterAddress, _ time: RealTime,
        accepting: @escaping @Sendable (Int32) -> Int32 = HCIListener.accept,
        arrived: @escaping @Sendable (HCIStream) -> Void
    ) {
        self.descriptor = descriptor
        self.time = time
        self.accepting = accepting
        self.arrived = arrived
        self.address = TCP.bound(descriptor, address)
        if case .unix(let path) = address { self.path = path } else { path = nil }
        Descriptor.setNonblocking(descriptor)
        watch()
    }

    static func accept(_ descriptor: Int32) -> Int32 { Glibc.accept(descriptor, nil, nil) }

    private func watch() {
        isClosed.withLock { isClosed in
            guard !isClosed, let descriptor else { return }
            time.watch(descriptor, read: { [weak self] in self?.take(descriptor) })
        }
    }

    private func take(_ descriptor: Int32) {
        let accepted = accepting(descriptor)
        if accepted >= 0 {
            TCP.sendAtOnce(accepted)
            return arrived(HCIStream(accepted, name: "\(address)", time: time))
        }
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
        time.unwatch(descriptor)
        time.schedule(after: Self.pause, from: .controller) { [weak self] in self?.watch() }
    }

    /// Serves a terminal, where one host after another uses the same descriptor.
    init(
        terminal: Int32, address: AdapterAddress, _ time: RealTime,
        _ arrived: @escaping @Sendable (HCIStream) -> Void
    ) {
        self.address = address
        self.time = time
        self.arrived = arrived
        accepting = { _ in -1 }
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
        self.arrived = arrived
        accepting = { _ in -1 }
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
