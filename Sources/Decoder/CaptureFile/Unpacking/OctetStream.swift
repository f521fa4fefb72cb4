import Glibc

/// The bytes of a file or pipe, decompressed if they are compressed.
@safe
final class OctetStream {
    private enum Origin {
        case descriptor(OwnedDescriptor)
        case unpacked(Decompressor)
    }

    private let origin: Origin
    /// Bytes to return first, which were read already.
    private var head: ArraySlice<UInt8>
    private var descriptorFailure: CaptureFileError.Cause?
    /// Reason why the descriptor's data ends early, if it does.
    private let ending: CaptureFileError.Cause?

    private init(_ owned: OwnedDescriptor, head: [UInt8], ending: CaptureFileError.Cause?) {
        (origin, self.head, self.ending) = (.descriptor(owned), head[...], ending)
    }

    private init(_ decompressor: Decompressor) {
        (origin, head, ending) = (.unpacked(decompressor), [], nil)
    }

    /// The bytes of a descriptor, decompressed repeatedly, up to a limited depth.
    ///
    /// - Parameters:
    ///   - head: its first bytes, and whether they were consumed from it.
    ///   - ending: the reason why the descriptor's data ends early, if it does.
    static func unpacking(
        _ owned: OwnedDescriptor, _ head: (octets: [UInt8], isConsumed: Bool), ending: CaptureFileError.Cause?
    ) -> OctetStream {
        var stream = OctetStream(owned, head: head.isConsumed ? head.octets : [], ending: ending)
        var start = head.octets
        for _ in 0..<CaptureSource.deepest {
            guard let compression = Compression(start),
                let decompressor = Decompressor(compression, stream)
            else { break }
            stream = OctetStream(decompressor)
            start = stream.peek(PackedFormat.transferLength)
        }
        return stream
    }

    var isSeekable: Bool {
        guard case .descriptor(let owned) = origin, head.isEmpty else { return false }
        return lseek(owned.number, 0, SEEK_CUR) >= 0
    }

    /// Reason why the data ended early.
    var failure: CaptureFileError.Cause? {
        if case .unpacked(let decompressor) = origin { return decompressor.failure }
        return descriptorFailure
    }

    /// Reads up to `count` bytes to `place`; returns 0 at the end or on failure.
    @unsafe
    func read(into place: UnsafeMutableRawPointer, count: Int) -> Int {
        if !head.isEmpty {
            let taken = min(head.count, count)
            // Safe: `taken` is at most the length of the array, and the caller has room for `count`.
            unsafe head.withUnsafeBytes {
                if let from = $0.baseAddress { unsafe place.copyMemory(from: from, byteCount: taken) }
            }
            head = head.dropFirst(taken)
            return taken
        }
        switch origin {
        // Safe: the caller has room for `count` bytes.
        case .unpacked(let decompressor): return unsafe decompressor.read(into: place, count: count)
        case .descriptor(let owned):
            // Safe: at most `count` bytes are written, for which the caller has room.
            let got = unsafe owned.read(into: place, count: count)
            if got > 0 { return got }
            descriptorFailure = got == 0 ? ending : .system(call: "read", errno: errno)
            return 0
        }
    }

    /// Reads the next bytes without consuming them; fewer than `count` only at the end.
    private func peek(_ count: Int) -> [UInt8] {
        // Safe: `read` writes at most the given count.
        let octets = unsafe [UInt8](atMost: count) { unsafe read(into: $0, count: $1) }
        head = octets[...]
        return octets
    }

    /// Moves to a place like `lseek`.
    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard case .descriptor(let owned) = origin else { return -1 }
        return Int64(lseek(owned.number, Int(offset), whence))
    }
}
