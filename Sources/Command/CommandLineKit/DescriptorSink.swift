import Glibc
public import WireBytes

/// The reason why output could not be written.
public enum OutputError: Error, Equatable, Sendable {
    /// The reader closed the pipe: a normal exit.
    case readerGone
    /// A system call failed: the call, its errno and the file.
    case system(call: String, errno: Int32, file: String)
}

extension OutputError: CustomStringConvertible {
    public var description: String { failure?.line ?? "the reader is gone" }

    /// The failure to report; nil if the reader closed the pipe, which is not a failure.
    public var failure: Failure? {
        guard case .system(let call, let code, let file) = self else { return nil }
        let full = code == ENOSPC || code == EDQUOT
        let advice: String? =
            switch code {
            case EEXIST: "choose another name, or give --force"
            case EISDIR: "it is a folder: name a file in it"
            case ELOOP: "it is a link: name the file itself"
            case ENOTSUP: "it may hold keys, and others could read it there"
            case EACCES: "choose another place"
            case ENXIO: "nobody reads from this pipe: start its reader first"
            default: full ? "make room and run it again" : nil
            }
        return Failure(
            .environment, "\(file): can't \(call): \(SystemMessage.text(code))", advice: advice)
    }
}

/// Output descriptor that writes all bytes of a buffer, despite partial or interrupted writes.
public struct DescriptorSink: ~Copyable {
    /// The file's name as given, or the name of the standard stream.
    public let name: String
    /// The output descriptor; -1 for a file that is not created yet.
    public private(set) var descriptor: Int32
    private let owned: Bool
    /// The file to create later, if any.
    private var later: OutputFile?
    /// The file that this sink created, if any.
    private var created: UnfinishedFile?
    private var isOpen = true
    /// Bytes written so far.
    public private(set) var written = 0

    private init(_ descriptor: Int32, name: String, owned: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.owned = owned
    }

    /// Writes into a descriptor that stays open.
    public init(borrowing descriptor: Int32, name: String) {
        self.init(descriptor, name: name, owned: false)
    }

    /// Creates the file.
    public init(_ file: OutputFile) throws(OutputError) {
        if file.path == "-" {
            self = file.environment.outputSink
        } else {
            let created = try UnfinishedFile(file)
            self.init(created.descriptor, name: file.path, owned: true)
            self.created = created
        }
    }

    /// Creates the file with its first bytes or in ``finish()``; after ``discard()`` it is not created and an
    /// existing file not replaced. A pipe or device is opened immediately.
    public init(creatingLater file: OutputFile) throws(OutputError) {
        if file.isStream {
            try self.init(file)
        } else {
            try file.check()
            self.init(-1, name: file.path, owned: true)
            later = file
        }
    }

    /// Creates the file if that was delayed.
    private mutating func create() throws(OutputError) {
        guard descriptor < 0, isOpen, let later else { return }
        let created = try UnfinishedFile(later)
        descriptor = created.descriptor
        self.created = created
    }

    /// Abandons a file if nothing was written yet: it is not created, and an existing file is kept.
    public mutating func discard() {
        if descriptor < 0 { isOpen = false }
    }

    /// Writes all bytes of the buffer and clears it.
    public mutating func drain(_ buffer: inout TextBuffer) throws(OutputError) {
        try write(buffer.octets)
        buffer.clear()
    }

    /// Writes all of the bytes.
    public mutating func write(_ octets: RawSpan) throws(OutputError) {
        guard octets.byteCount > 0, isOpen else { return }
        try create()
        var done = 0
        while done < octets.byteCount {
            let count = SystemCall.write(descriptor, octets.dropping(done))
            switch count {
            case .success(let written):
                done += written
                self.written += written
            case .failure(let problem) where problem.code == EINTR: continue
            case .failure(let problem) where problem.code == EAGAIN: SystemCall.waitUntilWritable(descriptor)
            case .failure(let problem) where problem.code == EPIPE: throw .readerGone
            case .failure(let problem): throw .system(call: "write", errno: problem.code, file: name)
            }
        }
    }

    /// Bytes that a writable pipe accepts at once (PIPE_BUF).
    private static let pipeStep = 4096

    /// Writes as many of the bytes as the reader accepts now, in steps that never block on a pipe; returns
    /// the number.
    ///
    /// - Parameter milliseconds: the time to wait for a reader that accepts none.
    public mutating func writeSome(
        _ octets: RawSpan, within milliseconds: Int32 = 0
    ) throws(OutputError) -> Int {
        var done = 0
        while done < octets.byteCount, SystemCall.isWritable(descriptor, within: milliseconds) {
            let step = octets.clamped(done..<min(done + Self.pipeStep, octets.byteCount))
            let before = written
            try write(step)
            done += written - before
        }
        return done
    }

    /// Closes the file that this sink created, and gives it its name.
    public mutating func finish() throws(OutputError) {
        guard owned, isOpen else { return }
        try create()
        isOpen = false
        try created?.publish()
    }
}
