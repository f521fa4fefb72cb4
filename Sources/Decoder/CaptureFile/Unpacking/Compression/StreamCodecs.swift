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

/// Restores the bytes of a capture that was copied as text.
final class RestoringCodec: Codec {
    private let damage: TransferDamage
    /// The first byte of what may be a pair.
    private var first: UInt8?

    init(_ damage: TransferDamage) { self.damage = damage }

    var wanted: Int { Int(UInt32.max) }

    func unpack(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> CodecStep {
        var step = CodecStep()
        func put(_ octet: UInt8) {
            // Safe: the loop leaves room for this byte.
            unsafe room[step.produced] = octet
            step.produced += 1
        }
        // No input is the end of the data.
        guard input.count > 0 else {
            if let first { put(first) } else { step.end = .complete }
            first = nil
            return step
        }
        while step.consumed < input.count, step.produced < room.count {
            // Safe: the index is below the number of bytes.
            let octet = unsafe input[step.consumed]
            if let held = first {
                first = nil
                let whole = pair(held, octet)
                if whole != nil { step.consumed += 1 }
                put(whole ?? held)
            } else {
                if begins(octet) { first = octet } else { put(octet) }
                step.consumed += 1
            }
        }
        return step
    }

    private func begins(_ octet: UInt8) -> Bool { damage == .lines ? octet == 0x0D : octet & 0xFE == 0xC2 }

    /// Returns the byte that two bytes stand for; nil if they are no pair.
    private func pair(_ first: UInt8, _ second: UInt8) -> UInt8? {
        switch damage {
        case .lines: second == 0x0A ? second : nil
        case .latin1: second & 0xC0 == 0x80 ? first << 6 | second & 0x3F : nil
        }
    }

    func restart() -> Bool { true }
}
