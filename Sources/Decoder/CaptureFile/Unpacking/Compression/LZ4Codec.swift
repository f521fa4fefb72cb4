import CCompression

/// Unpacks LZ4 frames by liblz4, block by block.
///
/// If a call fails, liblz4 does not say how much it has written. So a call gets at most the rest of one
/// header or block, and no input while output of the previous call may remain.
@safe
final class LZ4Codec: Codec {
    private let context: OpaquePointer
    /// Number of bytes that liblz4 expects: the rest of a block and the header of the next one.
    private var hint = LZ4Codec.leastFrameHeaderLength
    private var isFull = false

    private static let leastFrameHeaderLength = 7
    private static let blockHeaderLength = 4

    init?() {
        var made: OpaquePointer?
        // Safe: owned only by this object, and freed once.
        let status = unsafe LZ4F_createDecompressionContext(&made, UInt32(LZ4F_VERSION))
        guard LZ4F_isError(status) == 0, let made = unsafe made else { return nil }
        unsafe context = made
    }

    // Safe: only this object has the context.
    deinit { unsafe LZ4F_freeDecompressionContext(context) }

    var wanted: Int {
        if isFull { return 0 }
        return hint > Self.blockHeaderLength ? hint - Self.blockHeaderLength : max(hint, 1)
    }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        var (consumed, produced) = (input.count, room.count)
        // Safe: liblz4 reads and writes at most the two counts, and replaces them by the amounts used.
        let result = unsafe LZ4F_decompress(
            context, room.baseAddress, &produced, input.baseAddress, &consumed, nil)
        var step = CodecStep(consumed: consumed, produced: produced)
        isFull = produced == room.count
        if LZ4F_isError(result) == 0 {
            hint = result
            if result == 0 { step.end = .complete }
        } else {
            step.end = .damaged
        }
        return step
    }

    func restart() -> Bool {
        // Safe: the context was made by the initializer.
        unsafe LZ4F_resetDecompressionContext(context)
        (hint, isFull) = (Self.leastFrameHeaderLength, false)
        return true
    }
}
