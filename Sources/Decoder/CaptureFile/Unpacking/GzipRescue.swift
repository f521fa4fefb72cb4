import Glibc

/// Unpacks again what libarchive unpacked of a gzip file that is cut or damaged, and goes on to the last
/// octet.
struct GzipRescue {
    private var inflater: Inflater
    /// Octets that have been given before.
    private var toSkip: Int
    private var pending: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - file: the gzip file, which stays open.
    ///   - given: octets that were unpacked and used before.
    init?(file: Int32, given: Int) {
        var input = BitInput(file: file)
        guard Self.skipHeader(&input) else { return nil }
        inflater = Inflater(input)
        toSkip = given
    }

    /// Whether the gzip file holds a tar archive.
    static func holdsTar(_ file: Int32) -> Bool {
        guard var content = GzipRescue(file: file, given: 0) else { return false }
        var head: [UInt8] = []
        while head.count < 262 {
            let part = content.next(262 - head.count)
            if part.isEmpty { return false }
            head += part
        }
        return head[257..<262].elementsEqual("ustar".utf8)
    }

    /// Moves over the header of a member (RFC 1952, 2.3).
    private static func skipHeader(_ input: inout BitInput) -> Bool {
        guard input.bits(16) == 0x8B1F, input.bits(8) == 8, let flags = input.bits(8) else { return false }
        for _ in 0..<6 where input.bits(8) == nil { return false }
        if flags & 4 != 0 {
            guard let length = input.bits(16) else { return false }
            for _ in 0..<length where input.bits(8) == nil { return false }
        }
        for text in [8, 16] where flags & text != 0 {
            while let octet = input.bits(8), octet != 0 {}
        }
        return flags & 2 == 0 || input.bits(16) != nil
    }

    /// The next octets that were not given, at most `count`; empty at the end.
    mutating func next(_ count: Int) -> ArraySlice<UInt8> {
        while pending.isEmpty {
            let octets = inflater.next()
            if octets.isEmpty {
                guard inflater.end == .complete, beginMember() else { return [] }
                continue
            }
            let skipped = min(toSkip, octets.count)
            toSkip -= skipped
            pending = octets[skipped...]
        }
        defer { pending = pending.dropFirst(count) }
        return pending.prefix(count)
    }

    /// Goes on with the member that follows, after the check sequence and length of the one before.
    private mutating func beginMember() -> Bool {
        var input = inflater.rest
        input.alignToOctet()
        for _ in 0..<8 where input.bits(8) == nil { return false }
        guard Self.skipHeader(&input) else { return false }
        inflater = Inflater(input)
        return true
    }
}

/// Reads a file at any place.
enum FileOctets {
    /// Some octets from `offset` on; empty at the end and where the file can't be read.
    static func read(_ file: Int32, at offset: Int) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64 << 10)
        // Safe: the kernel writes at most the length of the array.
        let count = unsafe octets.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, off_t(offset))
        }
        octets.removeLast(octets.count - max(count, 0))
        return octets
    }
}
