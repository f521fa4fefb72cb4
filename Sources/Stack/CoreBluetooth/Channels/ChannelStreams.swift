import Foundation

/// Closes a channel when it is no longer referenced.
final class ChannelLife: Sendable {
    let pipe: ChannelPipe
    private let change: @Sendable (Change) -> Void

    enum Change: Sendable {
        /// The application has read this many SDUs.
        case consumed(Int)
        /// The application has written, or closed a stream.
        case changed
        case released
    }

    init(_ pipe: ChannelPipe, _ change: @escaping @Sendable (Change) -> Void) {
        self.pipe = pipe
        self.change = change
    }

    deinit { change(.released) }

    func tell(_ change: Change) { self.change(change) }

    func close(_ side: StreamSide) {
        guard side.close() else { return }
        let dropped = pipe.closed()
        if dropped > 0 { change(.consumed(dropped)) }
        change(.changed)
    }

    func open(_ side: StreamSide) {
        guard side.open() else { return }
        side.tell(.openCompleted)
        pipe.announce()
    }
}

/// The incoming bytes of a channel. Its parts are locked, so any thread may use it.
final class ChannelInputStream: InputStream {
    private let life: ChannelLife
    private var side: StreamSide { life.pipe.input }

    init(_ life: ChannelLife) {
        self.life = life
        super.init(data: Data())
        side.begin(self) { [weak pipe = life.pipe] in pipe?.isDue($0) ?? false }
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard len > 0 else { return 0 }
        let (bytes, sdus) = life.pipe.read(len)
        if sdus > 0 { life.tell(.consumed(sdus)) }
        guard let bytes else { return -1 }
        // Safe: Apple's contract is that the caller's buffer holds `len` bytes, and no more were taken.
        for (index, byte) in bytes.prefix(len).enumerated() { unsafe buffer[index] = byte }
        return bytes.count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { life.pipe.hasBytes }
    override var delegate: (any StreamDelegate)? {
        get { side.delegate }
        set { side.delegate = newValue }
    }
    override var streamStatus: Stream.Status { side.status }
    override var streamError: (any Error)? { side.error }
    override func open() { life.open(side) }
    override func close() { life.close(side) }
    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        side.schedule(in: aRunLoop, mode)
    }
    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        side.remove(from: aRunLoop, mode)
    }
}

/// The outgoing bytes of a channel. Its parts are locked, so any thread may use it.
final class ChannelOutputStream: OutputStream {
    private let life: ChannelLife?
    private var side: StreamSide? { life?.pipe.output }

    init(_ life: ChannelLife) {
        self.life = life
        super.init(toMemory: ())
        life.pipe.output.begin(self) { [weak pipe = life.pipe] in pipe?.isDue($0) ?? false }
    }

    /// Required by Foundation and never called. A stream without a channel never opens.
    required init(toMemory: ()) {
        life = nil
        super.init(toMemory: ())
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard let life else { return -1 }
        guard len > 0 else { return 0 }
        // Safe: Apple's contract is that `len` bytes are at the pointer, and no more are read.
        let count = life.pipe.write { room in (0..<min(len, room)).map { unsafe buffer[$0] } }
        if let count, count > 0 { life.tell(.changed) }
        return count ?? -1
    }

    override var hasSpaceAvailable: Bool { life?.pipe.hasRoom ?? false }
    override var delegate: (any StreamDelegate)? {
        get { side?.delegate }
        set { side?.delegate = newValue }
    }
    override var streamStatus: Stream.Status { side?.status ?? .notOpen }
    override var streamError: (any Error)? { side?.error }
    override func open() { if let life { life.open(life.pipe.output) } }
    override func close() { if let life { life.close(life.pipe.output) } }
    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        side?.schedule(in: aRunLoop, mode)
    }
    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        side?.remove(from: aRunLoop, mode)
    }
}
