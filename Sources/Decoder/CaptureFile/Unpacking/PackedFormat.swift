import Glibc
import WireBytes

/// Recognizes compressed files and archives.
enum PackedFormat {
    /// Bytes needed to recognize the format of an archive.
    static let headLength = 262
    /// Bytes of a file that show whether it was changed on its way.
    static let transferLength = 16 << 10

    /// The first bytes of a descriptor, and whether they were consumed from it (as from a pipe).
    static func head(
        of owned: OwnedDescriptor, name: String
    ) throws(CaptureFileError) -> (octets: [UInt8], isConsumed: Bool) {
        let isSeekable = lseek(owned.number, 0, SEEK_CUR) >= 0
        var head = [UInt8](repeating: 0, count: transferLength)
        var count = 0
        while count < transferLength && (isSeekable || !isEnough(head[..<count])) {
            // Safe: the kernel writes at most the bytes from `count` to the end of the array.
            let got = unsafe head.withUnsafeMutableBytes {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: $0[count...])
                return isSeekable
                    ? unsafe pread(owned.number, rest.baseAddress, rest.count, off_t(count))
                    : unsafe owned.read(into: rest.baseAddress, count: rest.count)
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

    /// Whether it is unnecessary to wait for more of a pipe.
    private static func isEnough(_ head: ArraySlice<UInt8>) -> Bool {
        (head.count >= headLength || isDecided(head)) && TransferDamage.suspected(in: Array(head)) == nil
    }

    /// Whether these bytes begin a capture with a magic number.
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

/// A change that a copy as text made to all bytes of a capture, and that can be undone.
enum TransferDamage: String {
    /// Each byte 0A became 0D 0A, as `adb shell cat` and FTP in text mode write it.
    case lines = "a copy in text mode: its bytes 0A had become 0D 0A"
    /// Each byte from 80 on became two, as a program does that takes bytes for Latin-1 text.
    case latin1 = "a program that took it for text: its bytes from 80 on had become two bytes of UTF-8"

    /// Recognizes the change in a file that begins with `head`: with it undone, more whole records follow
    /// each other.
    init?(_ head: [UInt8]) {
        guard let damage = Self.suspected(in: head) else { return nil }
        self = damage
        let codec = RestoringCodec(damage)
        var restored = [UInt8](repeating: 0, count: head.count)
        // Safe: both arrays live as long as the call.
        let step = unsafe head.withUnsafeBytes { input in
            unsafe restored.withUnsafeMutableBytes { unsafe codec.unpack(input, into: $0) }
        }
        restored.removeSubrange(step.produced...)
        // Each restored byte stands for one or two of the file.
        guard Self.end(ofRecordsIn: restored) > Self.end(ofRecordsIn: head) else { return nil }
    }

    /// The change that can't be undone, in words.
    static let loss =
        "the file was likely saved or sent as text, which loses all bytes from 0x80 on: copy it as binary"

    /// Whether a file that begins with `head` is not text, but each of its bytes from 80 on became the three
    /// bytes of U+FFFD.
    static func hasLost(_ head: RawSpan) -> Bool {
        var octets = head.copied()
        // The last sequence may be cut.
        while let last = octets.last, last >= 0x80 { octets.removeLast() }
        guard octets.contains(0), let text = String(validating: octets, as: UTF8.self) else { return false }
        return text.unicodeScalars.contains("\u{FFFD}")
    }

    /// Returns the change that all bytes fit; nil if they fit none, or show nothing.
    static func suspected(in head: [UInt8]) -> Self? {
        if head.contains(0x0A), head.first != 0x0A,
            !zip(head, head.dropFirst()).contains(where: { $0 != 0x0D && $1 == 0x0A })
        {
            return .lines
        }
        return head.contains { $0 >= 0x80 } && isLatin1(head) ? .latin1 : nil
    }

    /// Whether all bytes from 80 on are in pairs that stand for such a byte; the last may be cut.
    private static func isLatin1(_ head: [UInt8]) -> Bool {
        var isSecond = false
        for octet in head {
            if isSecond != (0x80..<0xC0).contains(octet) { return false }
            if !isSecond, octet >= 0x80, octet & 0xFE != 0xC2 { return false }
            isSecond = !isSecond && octet >= 0x80
        }
        return true
    }

    /// Returns the offset at which the first record begins that is not whole; 0 if there is no capture.
    private static func end(ofRecordsIn octets: [UInt8]) -> Int {
        do throws(CaptureFileError) {
            var reader = try CaptureReader(octets: octets, name: "")
            while try reader.next() != nil {}
            return octets.count
        } catch {
            return error.fileOffset
        }
    }
}
