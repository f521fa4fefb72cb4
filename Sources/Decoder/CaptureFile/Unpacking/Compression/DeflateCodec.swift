import CCompression

/// Unpacks deflate data (RFC 1951) by zlib, which returns every byte before a cut or damage.
@safe
final class DeflateCodec: Codec {
    private let stream: UnsafeMutablePointer<z_stream>

    /// The format around the data; the raw value is zlib's `windowBits`.
    enum Wrapper: Int32 {
        case none = -15
        case gzip = 31
    }

    init?(_ wrapper: Wrapper) {
        // Safe: owned only by this object, and freed once; zlib needs it zeroed and at a fixed address.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, wrapper.rawValue, zlibVersion(), size) == Z_OK else {
            // Safe: zlib keeps no reference to a stream that it refused.
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        // Safe: only this object has the stream.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    var wanted: Int { Int(UInt32.max) }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        let (given, free) = (UInt32(clamping: input.count), UInt32(clamping: room.count))
        // Safe: zlib reads and writes at most the two counts, and does not change the input.
        let from = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: from)
        unsafe stream.pointee.avail_in = given
        unsafe stream.pointee.next_out = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = free
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        var step = CodecStep()
        step.consumed = Int(given) - Int(unsafe stream.pointee.avail_in)
        step.produced = Int(free) - Int(unsafe stream.pointee.avail_out)
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: step.end = .complete
        case Z_MEM_ERROR: step.end = .noMemory
        default: step.end = .damaged
        }
        return step
    }

    // Safe: the stream was made by the initializer.
    func restart() -> Bool { unsafe inflateReset(stream) == Z_OK }
}
