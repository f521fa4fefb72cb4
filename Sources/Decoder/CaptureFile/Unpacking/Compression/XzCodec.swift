import CCompression

/// Unpacks xz data by liblzma, which gives every octet before a cut or damage.
@safe
final class XzCodec: Codec {
    private let stream: UnsafeMutablePointer<lzma_stream>

    init?() {
        // Safe: owned by this object alone, and freed once; a zeroed stream is what LZMA_STREAM_INIT gives.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
        guard restart() else {
            // Safe: liblzma keeps nothing of a stream that it refused.
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        // Safe: nobody else has the stream.
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    var wanted: Int { Int.max }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        // Safe: liblzma reads and writes no more than the two counts say.
        unsafe stream.pointee.next_in = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = input.count
        unsafe stream.pointee.next_out = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = room.count
        let status = unsafe lzma_code(stream, LZMA_RUN)
        var step = CodecStep()
        step.consumed = unsafe input.count - stream.pointee.avail_in
        step.produced = unsafe room.count - stream.pointee.avail_out
        switch status {
        case LZMA_OK, LZMA_BUF_ERROR: break
        case LZMA_STREAM_END: step.end = .complete
        case LZMA_MEMLIMIT_ERROR: step.end = .tooLarge
        case LZMA_MEM_ERROR: step.end = .noMemory
        default: step.end = .damaged
        }
        return step
    }

    // Safe: liblzma makes a stream anew that it has used before.
    func restart() -> Bool { unsafe lzma_stream_decoder(stream, CodecLimit.memoryOctets, 0) == LZMA_OK }
}
