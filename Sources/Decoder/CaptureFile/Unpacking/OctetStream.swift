import Glibc

/// The octets of a file or pipe, or what they unpack to.
@safe
final class OctetStream {
    private enum Origin {
        case descriptor(OwnedDescriptor)
        case unpacked(Decompressor)
    }

    private let origin: Origin
    /// Octets that come first: those that have been read already.
    private var head: ArraySlice<UInt8>
    private var descriptorFailure: CaptureFileError.Cause?
    /// Why a descriptor has no more than it gives.
    private let ending: CaptureFileError.Cause?

    /// The octets of a descriptor.
    private init(_ owned: OwnedDescriptor, head: [UInt8], ending: CaptureFileError.Cause?) {
        (origin, self.head, self.ending) = (.descriptor(owned), head[...], ending)
    }

    private init(_ decompressor: Decompressor) {
        (origin, head, ending) = (.unpacked(decompressor), [], nil)
    }

    /// The octets of a descriptor, unpacked as often as they are compressed, but no more than a few times.
    ///
    /// - Parameters:
    ///   - head: its first octets, and whether they are gone from it.
    ///   - ending: why there is no more than the descriptor gives.
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
            start = stream.peek(PackedFormat.headLength)
        }
        return stream
    }

    /// Whether any place of it can be gone to.
    var isSeekable: Bool {
        guard case .descriptor(let owned) = origin, head.isEmpty else { return false }
        return lseek(owned.number, 0, SEEK_CUR) >= 0
    }

    /// Why it ended before its end.
    var failure: CaptureFileError.Cause? {
        if case .unpacked(let decompressor) = origin { return decompressor.failure }
        return descriptorFailure
    }

    /// Reads up to `count` octets to `place`; 0 at the end, and where it can't be read on.
    @unsafe
    func read(into place: UnsafeMutableRawPointer, _ count: Int) -> Int {
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
        // Safe: the caller has room for `count` octets.
        case .unpacked(let decompressor): return unsafe decompressor.read(into: place, count)
        case .descriptor(let owned):
            // Safe: at most `count` octets are written, for which the caller has room.
            let got = unsafe owned.read(into: place, count)
            if got > 0 { return got }
            descriptorFailure = got == 0 ? ending : .system(call: "read", errno: errno)
            return 0
        }
    }

    /// The next octets, which stay to be read; fewer than `count` only at the end.
    private func peek(_ count: Int) -> [UInt8] {
        // Safe: no more is written than there is room for.
        let octets = unsafe [UInt8](atMost: count) { unsafe read(into: $0, $1) }
        head = octets[...]
        return octets
    }

    /// Goes to a place, as `lseek` does.
    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard case .descriptor(let owned) = origin else { return -1 }
        return Int64(lseek(owned.number, Int(offset), whence))
    }
}
