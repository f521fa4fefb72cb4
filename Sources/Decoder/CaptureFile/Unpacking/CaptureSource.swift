import Glibc
import WireBytes

/// A capture that was found: a file, the content of a compressed file, or a log inside an archive.
public struct CaptureSource {
    /// The path as given; for a log in an archive the path of the archive, a colon and the path in it.
    public let name: String
    let content: Content
    /// What was met in archives outside of the captures found, on the first of these.
    var damage: [CaptureFileError] = []
    /// The captures of other kinds that were met in archives, on the first that was found.
    var passedOver: [CaptureFileError] = []

    enum Content {
        /// A descriptor, what has been read from it already, and why there is no more than it gives.
        case descriptor(OwnedDescriptor, head: [UInt8], ending: CaptureFileError.Cause?)
        case stream(ArchiveStream)
        case octets([UInt8])
        /// The records of the block of a bug report's text.
        case block(OwnedDescriptor, Btsnooz, ending: CaptureFileError.Cause?)
        /// What can't be opened.
        case unreadable(CaptureFileError)
    }

    /// Archives in archives are opened to this depth.
    static let deepest = 3
    /// A bug report or sysdiagnose holds a few logs; more are no honest archive.
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

    /// The captures in a file, or in `input` where the path is `-`: one, or those found in an archive.
    ///
    /// Logs of an archive are unpacked into temporary files without a name, complete ones before those cut
    /// out of a report's text. What of an archive can't be read is told after the records of those found.
    ///
    /// - Parameters:
    ///   - stop: a descriptor that becomes readable when a pipe is to be read no further, as if it ended
    ///     there; the caller keeps it open while the captures are read. Nil for pipes to their end.
    ///   - input: the descriptor of standard input; nil where `-` is a file like others.
    public static func find(
        path: String, stop: Int32? = nil, input: Int32? = nil
    ) throws(CaptureFileError) -> [CaptureSource] {
        let own = path == "-" ? input : nil
        // Safe: the string's octets live as long as the call.
        let descriptor = unsafe own.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureFileError(.system(call: "open", errno: errno), file: path) }
        var finder = CaptureFinder(path: path)
        try finder.find(OwnedDescriptor(descriptor, stop: stop), name: path)
        return try finder.result()
    }
}
