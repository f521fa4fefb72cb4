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

/// Packs bytes in the zlib format (RFC 1950), which browsers unpack as `deflate`.
public enum Deflater {
    /// Packs the bytes; returns nil if there is no memory.
    public static func pack(_ octets: [UInt8]) -> [UInt8]? {
        var length = compressBound(UInt(octets.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // Safe: zlib reads the given number of bytes and writes at most `length`; both arrays outlive the
        // call.
        guard unsafe compress2(&packed, &length, octets, UInt(octets.count), 6) == Z_OK else { return nil }
        packed.removeSubrange(Int(length)...)
        return packed
    }
}

/// Unpacks a zlib stream (RFC 1950) in memory.
enum ZlibStream {
    /// The unpacked bytes, and whether the stream ended properly.
    struct Unpacked {
        var octets: [UInt8] = []
        var isComplete = false
    }

    private static let chunk = 64 << 10

    /// Whether two bytes, read as a big-endian number, are a zlib header: deflate, and a multiple of 31.
    static func startsHere(_ header: UInt16) -> Bool {
        header & 0x0F00 == 0x0800 && header >> 12 <= 7 && header % 31 == 0 && header & 0x20 == 0
    }

    /// Unpacks `packed`, up to slightly more than `limit` bytes; returns nil if it is not a zlib stream.
    static func inflate(_ packed: ArraySlice<UInt8>, atMost limit: Int) -> Unpacked? {
        guard packed.count > 2 else { return nil }
        let first = packed.startIndex
        guard startsHere(UInt16(packed[first]) &<< 8 | UInt16(packed[first + 1])) else { return nil }
        guard let codec = DeflateCodec(.none) else { return nil }
        var rest = packed.dropFirst(2)
        var unpacked = Unpacked()
        var room = [UInt8](repeating: 0, count: chunk)
        while unpacked.octets.count <= limit {
            // Safe: both buffers live as long as the call.
            let step = unsafe rest.withUnsafeBytes { input in
                unsafe room.withUnsafeMutableBytes { unsafe codec.unpack(input, into: $0) }
            }
            rest = rest.dropFirst(step.consumed)
            unpacked.octets.append(contentsOf: room[..<step.produced])
            if let end = step.end {
                unpacked.isComplete = end == .complete
                break
            }
            if step.produced == 0 { break }
        }
        return unpacked
    }
}
