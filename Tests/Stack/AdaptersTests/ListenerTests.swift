import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Adapters

/// Where hosts come to.
@Suite struct ListenerTests {
    @Test func `an address without a host is this machine alone`() throws {
        #expect(try AdapterAddress("tcp::9000") == .tcp(host: "127.0.0.1", port: 9000))
        #expect(try AdapterAddress("tcp:[]:9000") == .tcp(host: "127.0.0.1", port: 9000))
        #expect(try AdapterAddress("tcp:0.0.0.0:9000") == .tcp(host: "0.0.0.0", port: 9000))
        #expect(try AdapterAddress("tcp:[::]:9000") == .tcp(host: "::", port: 9000))
        #expect(try AdapterAddress("tcp::9000").description == "tcp:127.0.0.1:9000")
    }

    @Test func `a star listens on every interface, by IPv4 and IPv6, and is no place to connect to`() throws {
        let descriptor = try TCP.listen("*", port: 0, "test")
        defer { close(descriptor) }
        guard case .tcp(_, let port) = TCP.bound(descriptor, .tcp(host: "*", port: 0)) else { return }
        // A machine without IPv6 has no ::1 either.
        let probe = try? TCP.listen("::1", port: 0, "test")
        if let probe { close(probe) }
        for host in ["127.0.0.1"] + (probe == nil ? [] : ["::1"]) {
            close(try TCP.connect(host, port: port, "test"))
        }
        #expect(throws: AdapterError.self) { try TCP.connect("*", port: port, "test") }
        #expect(throws: AdapterError.self) { try TCP.listen("*", port: port, "test") }
    }

    /// The address that a socket is bound to, in network order.
    private static func bound(_ descriptor: Int32) -> UInt32 {
        var found = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safe: the kernel fills at most one structure.
        _ = unsafe withUnsafeMutablePointer(to: &found) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return UInt32(bigEndian: found.sin_addr.s_addr)
    }

    @Test(arguments: [("", 0x7F00_0001), ("127.0.0.1", 0x7F00_0001), ("0.0.0.0", 0)] as [(String, UInt32)])
    func `a socket is bound to loopback unless another address is written`(
        host: String, address: UInt32
    ) throws {
        let descriptor = try TCP.listen(host, port: 0, "test")
        defer { close(descriptor) }
        #expect(Self.bound(descriptor) == address)
    }

    @Test(.realTime, arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `where descriptors run out, nobody is taken in for a while, and then the one who waits`(
        code: Int32
    ) throws {
        let time = RealTime()
        let listening = try TCP.listen("127.0.0.1", port: 0, "test")
        let tries = Mutex<[Instant]>([])
        let came = Mutex(0)
        let listener = HCIListener(
            listening, address: .tcp(host: "127.0.0.1", port: 0), time,
            accepting: { descriptor in
                let count = tries.withLock { tries in
                    tries.append(time.now)
                    return tries.count
                }
                guard count > 2 else {
                    errno = code
                    return -1
                }
                return accept(descriptor, nil, nil)
            },
            arrived: { stream in
                came.withLock { $0 += 1 }
                stream.close()
            })
        guard case .tcp(_, let port) = listener.address else { return }
        let host = try TCP.connect("127.0.0.1", port: port, "test")
        defer { close(host) }
        time.run(for: .seconds(60), settling: {}, until: { came.withLock { $0 } == 1 })
        let moments = tries.withLock { $0 }
        #expect(moments.count == 3)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.duration(to: $1) >= HCIListener.pause })
        listener.close()
    }
}
