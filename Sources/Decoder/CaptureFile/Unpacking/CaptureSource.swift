import Glibc

/// A found capture: a file, the content of a compressed file, or a log inside an archive.
public struct CaptureSource {
    /// The path as given; for a log in an archive, the archive's path, a colon and the path inside it.
    public let name: String
    let content: Content
    /// Errors in archives outside the found captures; kept in the first capture.
    var damage: [CaptureFileError] = []
    /// Captures of unsupported kinds in archives; kept in the first capture.
    var passedOver: [CaptureFileError] = []

    enum Content {
        /// A descriptor, the bytes already read from it, and the reason why its data ends early.
        case descriptor(OwnedDescriptor, head: [UInt8], ending: CaptureFileError.Cause?)
        case stream(ArchiveStream)
        case octets([UInt8])
        /// The records of the log block in a bug report's text.
        case block(OwnedDescriptor, Btsnooz, ending: CaptureFileError.Cause?)
        /// A capture that can't be opened.
        case unreadable(CaptureFileError)
    }

    /// Archives in archives are opened to this depth.
    static let deepest = 3
    /// A bug report or sysdiagnose holds a few logs; an honest archive has no more.
    static let mostCaptures = 256
    static let octetsToRecognize = 64 << 10

    /// A capture in memory.
    public init(octets: [UInt8], name: String) {
        self.init(name, .octets(octets))
    }

    init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// Finds the captures in a file, or in `input` if the path is `-`: one, or those in an archive.
    ///
    /// Logs in an archive are unpacked into unnamed temporary files; complete logs precede those cut out of a
    /// report's text. Unreadable parts of an archive are reported after the records of its captures.
    ///
    /// - Parameters:
    ///   - stop: a descriptor that becomes readable to end a pipe early; the caller keeps it open while the
    ///     captures are read. Nil to read pipes to their end.
    ///   - input: the descriptor of standard input; nil if `-` is an ordinary file name.
    public static func find(
        path: String, stop: Int32? = nil, input: Int32? = nil
    ) throws(CaptureFileError) -> [CaptureSource] {
        let own = path == "-" ? input : nil
        let descriptor = own.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open(path, isStoppable: stop != nil)
        guard descriptor >= 0 else { throw CaptureFileError(.system(call: "open", errno: errno), file: path) }
        var finder = CaptureFinder(path: path)
        try finder.find(OwnedDescriptor(descriptor, stop: stop), name: path)
        return try finder.result()
    }

    /// Opens a file; less than zero for an error in `errno`.
    ///
    /// - Parameter isStoppable: whether to open a named pipe before it has a writer, so that the wait for one
    ///   is that for its first bytes, which a stop ends.
    private static func open(_ path: String, isStoppable: Bool) -> Int32 {
        var found = stat()
        // Safe: the kernel fills the structure, and the string's bytes live as long as the calls.
        let isNamedPipe = unsafe stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFIFO
        let waits = !isStoppable || !isNamedPipe
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard descriptor >= 0, !waits else { return descriptor }
        // Only the open had to be non-blocking.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }
}
