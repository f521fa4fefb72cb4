import Glibc

/// An unnamed temporary file for a log unpacked from an archive.
struct SpoolFile {
    private let owned: OwnedDescriptor
    private let name: String
    private let folder: String

    /// Limit for the unpacked logs of one archive, in bytes.
    static let mostOctets = 16 << 30

    /// - Parameter name: the name of the unpacked file, for errors.
    init(for name: String) throws(CaptureFileError) {
        // Safe: the variable's text is copied immediately.
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/blecap-XXXXXX".utf8CString)
        // Safe: the template ends with a zero, and mkstemp only replaces its last six letters.
        let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let path = buffer.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(path)
            if descriptor >= 0 { _ = unsafe unlink(path) }
            return descriptor
        }
        guard descriptor >= 0 else {
            throw CaptureFileError(.temporary(folder: folder, errno: errno), file: name)
        }
        self.folder = folder
        owned = OwnedDescriptor(descriptor)
        self.name = name
    }

    mutating func write(_ octets: [UInt8]) throws(CaptureFileError) {
        var place = 0
        while place < octets.count {
            // Safe: this reads the rest of the array, which outlives the call.
            let count = unsafe octets.withUnsafeBytes {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: $0[place...])
                return unsafe Glibc.write(owned.number, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                place += count
            } else if errno != EINTR {
                throw CaptureFileError(.temporary(folder: folder, errno: errno), file: name)
            }
        }
    }

    /// The file's descriptor, at its beginning.
    consuming func rewound() -> OwnedDescriptor {
        lseek(owned.number, 0, SEEK_SET)
        return owned
    }
}
