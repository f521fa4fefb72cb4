import Glibc
import Runtime
import Synchronization

/// Takes in the hosts that come to an address, until it is closed.
public final class HCIListener: Sendable {
    /// Where it waits, with the port that the system chose if port 0 was asked for.
    public let address: AdapterAddress
    private let time: RealTime
    private let descriptor: Int32?
    /// What is removed at the end: a socket's file, or the link to a terminal.
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

    /// A terminal serves one host after another over the same descriptor.
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

    /// The kernel is the only host.
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

    /// Takes in nobody any more; those who came stay.
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
