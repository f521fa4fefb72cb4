import CCompression

/// Unpacks xz data by liblzma, which returns every byte before a cut or damage.
@safe
final class XzCodec: Codec {
    private let stream: UnsafeMutablePointer<lzma_stream>

    init?() {
        // Safe: owned only by this object, and freed once; LZMA_STREAM_INIT is a zeroed stream too.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
        guard restart() else {
            // Safe: liblzma keeps no reference to a stream that it refused.
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        // Safe: only this object has the stream.
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    var wanted: Int { Int.max }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        // Safe: liblzma reads and writes at most the two counts.
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

    // Safe: liblzma can initialize a stream again after use.
    func restart() -> Bool { unsafe lzma_stream_decoder(stream, CodecLimit.memoryOctets, 0) == LZMA_OK }
}
