import CCompression

/// Unpacks zstd data by libzstd, block by block.
///
/// If a call fails, libzstd does not say how much it has written. So a call gets at most the rest of one
/// header or block, and no input while output of the previous call may remain.
@safe
final class ZstdCodec: Codec {
    private let stream: OpaquePointer
    /// Number of bytes that libzstd expects: the rest of a block and the header of the next one.
    private var hint: Int
    private var isFull = false

    private static let blockHeaderLength = 3

    init?() {
        guard let stream = unsafe ZSTD_createDStream() else { return nil }
        // Safe: owned only by this object, and freed once.
        unsafe self.stream = stream
        unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(CodecLimit.windowLog))
        hint = unsafe ZSTD_initDStream(stream)
    }

    // Safe: only this object has the stream.
    deinit { unsafe ZSTD_freeDStream(stream) }

    var wanted: Int {
        if isFull { return 0 }
        return hint > Self.blockHeaderLength ? hint - Self.blockHeaderLength : max(hint, 1)
    }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        // Safe: libzstd reads and writes at most the two sizes.
        var from = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var to = unsafe ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(stream, &to, &from)
        var step = unsafe CodecStep(consumed: from.pos, produced: to.pos)
        isFull = unsafe to.pos == to.size
        if ZSTD_isError(result) == 0 {
            hint = result
            if result == 0 { step.end = .complete }
            return step
        }
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_frameParameter_windowTooLarge: step.end = .tooLarge
        case ZSTD_error_memory_allocation: step.end = .noMemory
        default: step.end = .damaged
        }
        return step
    }

    func restart() -> Bool {
        // Safe: the stream was made by the initializer.
        hint = unsafe ZSTD_initDStream(stream)
        isFull = false
        return ZSTD_isError(hint) == 0
    }
}
