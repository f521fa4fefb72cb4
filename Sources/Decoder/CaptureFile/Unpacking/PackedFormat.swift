import Glibc

/// Recognizes compressed files and archives.
enum PackedFormat {
    /// Bytes needed to recognize the format.
    static let headLength = 262

    /// The first bytes of a descriptor, and whether they were consumed from it (as from a pipe).
    static func head(
        of owned: OwnedDescriptor, name: String
    ) throws(CaptureFileError) -> (octets: [UInt8], isConsumed: Bool) {
        let isSeekable = lseek(owned.number, 0, SEEK_CUR) >= 0
        var head = [UInt8](repeating: 0, count: headLength)
        var count = 0
        while count < headLength && !isDecided(head[..<count]) {
            // Safe: the kernel writes at most the bytes from `count` to the end of the array.
            let got = unsafe head.withUnsafeMutableBytes {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: $0[count...])
                return isSeekable
                    ? unsafe pread(owned.number, rest.baseAddress, rest.count, off_t(count))
                    : unsafe owned.read(into: rest.baseAddress, rest.count)
            }
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                throw CaptureFileError(.system(call: "read", errno: errno), file: name)
            }
            count += got
        }
        return (Array(head[..<count]), !isSeekable)
    }

    /// Whether these bytes begin a capture with a magic number, so that waiting for more of a pipe is
    /// unnecessary.
    private static func isDecided(_ head: ArraySlice<UInt8>) -> Bool {
        guard head.count >= 4 else { return false }
        switch word(head) {
        case 0x6274_736E, 0xA1B2_C3D4, 0xA1B2_3C4D, 0xD4C3_B2A1, 0x4D3C_B2A1, 0x0A0D_0D0A: return true
        default: return false
        }
    }

    private static func word(_ head: some Collection<UInt8>) -> UInt32 {
        head.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether these bytes begin a compressed file or an archive.
    static func isPacked(_ head: [UInt8]) -> Bool {
        if Compression(head) != nil { return true }
        guard head.count >= 4 else { return false }
        if [0x504B_0304, 0x504B_0506, 0x504B_3030].contains(word(head)) { return true }
        return head.count >= headLength && head[257..<262].elementsEqual("ustar".utf8)
    }
}
