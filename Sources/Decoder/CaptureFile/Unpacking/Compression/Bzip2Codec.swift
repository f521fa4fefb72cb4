import CCompression

/// Unpacks bzip2 data by libbz2, in whole blocks, since a partial block can't be unpacked.
@safe
final class Bzip2Codec: Codec {
    private let stream: UnsafeMutablePointer<bz_stream>

    init?() {
        // Safe: owned only by this object, and freed once; libbz2 needs it zeroed and at a fixed address.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: bz_stream())
        guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
            // Safe: libbz2 keeps no reference to a stream that it refused.
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        // Safe: only this object has the stream; ending it twice is refused.
        unsafe BZ2_bzDecompressEnd(stream)
        unsafe stream.deallocate()
    }

    var wanted: Int { Int(UInt32.max) }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        let (given, free) = (UInt32(clamping: input.count), UInt32(clamping: room.count))
        // Safe: libbz2 reads and writes at most the two counts, and does not change the input.
        let from = unsafe input.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: from)
        unsafe stream.pointee.avail_in = given
        unsafe stream.pointee.next_out = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe stream.pointee.avail_out = free
        let status = unsafe BZ2_bzDecompress(stream)
        var step = CodecStep()
        step.consumed = Int(given) - Int(unsafe stream.pointee.avail_in)
        step.produced = Int(free) - Int(unsafe stream.pointee.avail_out)
        switch status {
        case BZ_OK: break
        case BZ_STREAM_END: step.end = .complete
        case BZ_MEM_ERROR: step.end = .noMemory
        default: step.end = .damaged
        }
        return step
    }

    func restart() -> Bool {
        // Safe: the stream was made by the initializer, and is initialized again.
        unsafe BZ2_bzDecompressEnd(stream)
        unsafe stream.initialize(to: bz_stream())
        return unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK
    }
}
