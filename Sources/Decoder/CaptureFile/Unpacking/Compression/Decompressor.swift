/// Unpacks a compressed stream member by member, up to the last recoverable byte.
@safe
final class Decompressor {
    private let compression: Compression
    private let codec: any Codec
    private let source: OctetStream
    private let buffer: UnsafeMutableRawPointer
    /// Range of the buffer with unused packed bytes.
    private var place = 0
    private var end = 0
    private var sourceEnded = false
    /// Bytes of the source consumed before those now in the buffer.
    private var before = 0
    /// Bytes unpacked of the current member; nil between members.
    private var memberOctets: Int? = 0
    private var isFirstMember = true
    private var idleSteps = 0
    private var isOver = false
    /// Reason why unpacking ended early.
    private(set) var failure: CaptureFileError.Cause?

    private static let capacity = 64 << 10
    private static let mostIdleSteps = 8

    /// Unpacks the data of `source`; nil if there is no memory.
    init?(_ compression: Compression, _ source: OctetStream) {
        guard let codec = compression.makeCodec() else { return nil }
        (self.compression, self.codec, self.source) = (compression, codec, source)
        // Safe: owned only by this object, and freed when it ends.
        unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    // Safe: only this object has the buffer.
    deinit { unsafe buffer.deallocate() }

    /// Unpacks up to `count` bytes to `room`; returns 0 at the end or on failure.
    @unsafe
    func read(into room: UnsafeMutableRawPointer, count: Int) -> Int {
        while !isOver {
            if memberOctets == nil && !beginMember() { break }
            if place == end && codec.wanted > 0 { refill() }
            let given = min(end - place, codec.wanted)
            // Safe: the input is within the buffer, and the caller has room for `count` bytes.
            let step = unsafe codec.unpack(
                UnsafeRawBufferPointer(start: buffer + place, count: given),
                into: UnsafeMutableRawBufferPointer(start: room, count: count))
            place += step.consumed
            memberOctets = (memberOctets ?? 0) + step.produced
            follow(step)
            if step.produced > 0 { return step.produced }
        }
        return 0
    }

    /// Decides how to continue after a codec call.
    private func follow(_ step: CodecStep) {
        switch step.end {
        case .complete:
            memberOctets = nil
            isFirstMember = false
        case .damaged:
            let isOther = !isFirstMember && memberOctets == 0
            fail(isOther ? "other data follows" : "the data is damaged")
        case .tooLarge: fail("unpacking needs more than \(CodecLimit.windowDescription) of memory")
        case .noMemory: fail("no memory to unpack it")
        case nil:
            guard step.consumed == 0 && step.produced == 0 else {
                idleSteps = 0
                return
            }
            if place == end && sourceEnded && codec.wanted > 0 { return endEarly() }
            idleSteps += 1
            if idleSteps > Self.mostIdleSteps { fail("the data is damaged") }
        }
    }

    private func endEarly() {
        if let cause = source.failure {
            (failure, isOver) = (cause, true)
        } else {
            fail("the data ends too early")
        }
    }

    private func fail(_ what: String) {
        failure = .archive("\(compression.name), byte \(before + place) of the packed file: \(what)")
        isOver = true
    }

    /// Prepares for a following member, skipping zeros; returns false at the end.
    private func beginMember() -> Bool {
        while true {
            if place == end { refill() }
            if place == end {
                (failure, isOver) = (source.failure ?? compression.notice, true)
                return false
            }
            // Safe: `place` is below `end`, which is at most the buffer's size.
            guard unsafe buffer.load(fromByteOffset: place, as: UInt8.self) == 0 else { break }
            place += 1
        }
        guard codec.restart() else {
            fail("no memory to unpack it")
            return false
        }
        memberOctets = 0
        return true
    }

    private func refill() {
        guard !sourceEnded else { return }
        before += end
        // Safe: the source writes at most the capacity of the buffer.
        (place, end) = (0, unsafe source.read(into: buffer, count: Self.capacity))
        sourceEnded = end == 0
    }
}
