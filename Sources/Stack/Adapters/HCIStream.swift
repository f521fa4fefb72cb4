public import BluetoothCore
import Glibc
public import LEHost
import Runtime
import Synchronization
import WireBytes

/// HCI packets over a descriptor: a socket, a pseudo-terminal, the kernel's user channel, or /dev/vhci.
///
/// It serves either side: it receives the packets that the other side sends.
public final class HCIStream: HCITransport {
    /// Packet boundaries in the bytes read.
    enum Framing: Sendable {
        /// A byte stream without boundaries.
        case bytes
        /// One packet in each read.
        case packets
    }

    private struct State {
        var splitter = H4Splitter()
        var waiting: [[UInt8]] = []
        /// Number of bytes written of the first waiting packet.
        var written = 0
        var size = 0
        var receive: (@Sendable (HCIPacket) -> Void)?
        var lost: (@Sendable (HCITransportError) -> Void)?
        var isOpen = false
        var isClosed = false
        var failure: String?
    }

    /// Maximum number of unsent bytes; beyond it the stream ends.
    static let mostWaiting = 4 << 20

    /// The address, as the user wrote it.
    public let name: String
    private let descriptor: Int32
    private let framing: Framing
    private let time: RealTime
    private let state = Mutex(State())

    /// Takes ownership of a descriptor and makes it non-blocking.
    init(_ descriptor: Int32, name: String, framing: Framing = .bytes, time: RealTime) {
        self.name = name
        self.descriptor = descriptor
        self.framing = framing
        self.time = time
        Descriptor.setNonblocking(descriptor)
    }

    deinit { close() }

    /// Reason for its end, as a sentence; nil if it has not ended, or was closed.
    public var failure: String? { state.withLock { $0.failure } }

    public func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void) {
        state.withLock { $0.lost = lost }
    }

    public func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        let isFirst = state.withLock { state in
            state.receive = receive
            defer { state.isOpen = true }
            return !state.isOpen && !state.isClosed
        }
        guard isFirst else { throw HCITransportError(operation: "open") }
        time.watch(
            descriptor, read: { [weak self] in self?.read() }, write: { [weak self] in self?.write() })
    }

    public func send(_ packet: HCIPacket) throws(HCITransportError) {
        let bytes = packet.h4
        let (isFirst, isTooMuch) = state.withLock { state -> (Bool?, Bool) in
            guard state.isOpen, !state.isClosed else { return (nil, false) }
            state.waiting.append(bytes)
            state.size += bytes.count
            return (state.waiting.count == 1, state.size > Self.mostWaiting)
        }
        guard let isFirst else { throw HCITransportError(operation: "send", errno: EPIPE) }
        if isTooMuch { return fail("\(name): the other side reads nothing", ENOBUFS) }
        if isFirst { write() }
    }

    public func close() {
        let isFirst = state.withLock { state in
            state.receive = nil
            state.lost = nil
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        time.unwatch(descriptor)
        _ = Glibc.close(descriptor)
    }

    // MARK: Reading and writing

    private func read() {
        guard !state.withLock({ $0.isClosed }) else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // Safe: the kernel writes at most as many bytes as the array has.
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        // Reading a pseudo-terminal fails with EIO when nobody has the far end open.
        if count == 0 { return end() }
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return }
            if errno == EIO { return end() }
            return fail("\(name): \(Descriptor.text(errno))", errno)
        }
        state.withLock { $0.splitter.append(buffer[..<count]) }
        hand()
        let isCut = state.withLock { framing == .packets && !$0.splitter.isBetweenPackets }
        if isCut { fail("\(name): a packet is cut", EPROTO) }
    }

    private func hand() {
        while true {
            var unknown: H4Splitter.Unknown?
            let next = state.withLock { state -> (HCIPacket, @Sendable (HCIPacket) -> Void)? in
                guard let receive = state.receive else { return nil }
                do throws(H4Splitter.Unknown) {
                    return try state.splitter.next().map { ($0, receive) }
                } catch {
                    unknown = error
                    return nil
                }
            }
            if let unknown {
                let byte = String(unknown.type, radix: 16)
                fail(
                    "\(name): byte \(unknown.offset) is 0x\(byte), which begins no HCI packet (H4)", EPROTO)
            }
            guard let (packet, receive) = next else { return }
            receive(packet)
        }
    }

    private func write() {
        while true {
            // Within the lock, so that no other thread writes between two parts of a packet, and `wantRoom`
            // matches the waiting packets.
            let (count, code) = state.withLock { state -> (Int, Int32) in
                guard !state.isClosed else { return (0, 0) }
                guard let first = state.waiting.first else {
                    time.wantRoom(descriptor, false)
                    return (0, 0)
                }
                // Safe: the kernel reads as many bytes as the array has behind those that are written.
                let count = unsafe first.withUnsafeBytes {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[state.written...])
                    // `send` instead of `write`: a socket whose other side has closed must not end the
                    // process with SIGPIPE.
                    let count = unsafe Glibc.send(
                        descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    guard count < 0, errno == ENOTSOCK else { return count }
                    return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                }
                guard count >= 0 else {
                    let code = errno
                    if code == EAGAIN { time.wantRoom(descriptor, true) }
                    return (count, code)
                }
                state.written += count
                if state.written == first.count {
                    state.waiting.removeFirst()
                    state.size -= first.count
                    state.written = 0
                }
                return (count, 0)
            }
            if count < 0, code == EINTR { continue }
            if count == 0 || code == EAGAIN { return }
            if count < 0 {
                // Reported later, so that the sender is not called back from within.
                time.schedule(at: time.now, from: .host) { [weak self] in
                    guard let self else { return }
                    if code == EPIPE { end() } else { fail("\(name): \(Descriptor.text(code))", code) }
                }
                return
            }
        }
    }

    private func end() {
        let isCut = state.withLock { !$0.splitter.isBetweenPackets }
        fail("\(name): the other side closed" + (isCut ? " in the middle of a packet" : ""), ECONNRESET)
    }

    private func fail(_ text: String, _ code: Int32) {
        let lost = state.withLock { state in
            if state.failure == nil, !state.isClosed { state.failure = text }
            return state.lost
        }
        close()
        lost?(HCITransportError(operation: "receive", errno: code))
    }
}

enum Descriptor {
    static func setNonblocking(_ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    }

    /// Returns the text of an error number, for the middle of a sentence.
    static func text(_ code: Int32) -> String {
        let text = SystemMessage.text(code)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// Reports every packet of a transport to an observer.
public final class TappedTransport: HCITransport {
    private let transport: any HCITransport
    private let tap: @Sendable (_ packet: HCIPacket, _ isFromHost: Bool) -> Void

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - transport: the transport whose packets are reported.
    ///   - tap: called with each packet before it is passed on.
    public init(
        _ transport: any HCITransport,
        _ tap: @escaping @Sendable (_ packet: HCIPacket, _ isFromHost: Bool) -> Void
    ) {
        self.transport = transport
        self.tap = tap
    }

    public func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        let tap = tap
        try transport.open { packet in
            tap(packet, false)
            receive(packet)
        }
    }

    public func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void) { transport.onLoss(lost) }

    public func send(_ packet: HCIPacket) throws(HCITransportError) {
        tap(packet, true)
        try transport.send(packet)
    }

    public func close() { transport.close() }
}

/// Cuts a stream of bytes into HCI packets.
///
/// Source: Core Specification, Vol 4, Part A, 2 (packet types), and Part E, 5.4 (lengths).
package struct H4Splitter {
    /// A byte that begins no packet: where the next packet begins can't be known any more.
    package struct Unknown: Error, Equatable, CustomStringConvertible {
        /// The byte.
        package var type: UInt8
        /// Its offset in the stream.
        package var offset: Int

        package var description: String {
            "byte \(offset) of the stream, 0x\(String(type, radix: 16)), begins no packet"
        }
    }

    private(set) var bytes: [UInt8] = []
    private var taken = 0
    /// Number of bytes of the stream before `bytes`.
    private var passed = 0

    package init() {}

    /// Whether the stream may end here.
    package var isBetweenPackets: Bool { taken == bytes.count }

    package mutating func append(_ more: some Sequence<UInt8>) {
        // Keep only the unfinished packet.
        passed += taken
        bytes.removeFirst(taken)
        taken = 0
        bytes.append(contentsOf: more)
    }

    /// Returns the next complete packet; nil if its end has not arrived.
    package mutating func next() throws(Unknown) -> HCIPacket? {
        guard taken < bytes.count else { return nil }
        let type = HCIPacketType(rawValue: bytes[taken])
        guard let header = Self.header(type) else {
            throw Unknown(type: type.rawValue, offset: passed + taken)
        }
        let body = taken + 1 + header.size
        guard bytes.count >= body else { return nil }
        let low = Int(bytes[taken + 1 + header.length])
        let length: Int
        switch type {
        case .acl: length = low | Int(bytes[taken + 2 + header.length]) << 8
        case .iso: length = low | Int(bytes[taken + 2 + header.length] & 0x3F) << 8
        default: length = low
        }
        guard bytes.count >= body + length else { return nil }
        defer { taken = body + length }
        return HCIPacket(type, Array(bytes[taken + 1..<body + length]))
    }

    private static func header(_ type: HCIPacketType) -> (size: Int, length: Int)? {
        switch type {
        case .command, .synchronous: (3, 2)
        case .acl, .iso: (4, 2)
        case .event: (2, 1)
        default: nil
        }
    }
}
