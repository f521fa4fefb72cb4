import CCompression

/// Unpacks zstd data by libzstd, block by block.
///
/// libzstd does not say what it has written in a call that fails. So a call gets the rest of one header or
/// block, never more, and none while the one before may have left something to be taken out.
@safe
final class ZstdCodec: Codec {
    private let stream: OpaquePointer
    /// What libzstd asks for: the rest of a block and the header of the next one.
    private var hint: Int
    private var isFull = false

    private static let blockHeaderLength = 3

    init?() {
        guard let stream = unsafe ZSTD_createDStream() else { return nil }
        // Safe: owned by this object alone, and freed once.
        unsafe self.stream = stream
        unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(CodecLimit.windowLog))
        hint = unsafe ZSTD_initDStream(stream)
    }

    // Safe: nobody else has the stream.
    deinit { unsafe ZSTD_freeDStream(stream) }

    var wanted: Int {
        if isFull { return 0 }
        return hint > Self.blockHeaderLength ? hint - Self.blockHeaderLength : max(hint, 1)
    }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        // Safe: libzstd reads and writes no more than the two sizes say.
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
