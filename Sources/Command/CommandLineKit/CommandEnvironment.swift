import CLinux
import Glibc
public import WireBytes

/// The environment of a command: its streams, its variables, and whether signals stop it.
///
/// Relative paths are relative to the process's working folder.
public struct CommandEnvironment: Equatable, Sendable {
    /// A standard stream.
    public struct Stream: Equatable, Sendable {
        /// The descriptor, which the command never closes.
        public var descriptor: Int32
        /// Whether it is a terminal.
        public var isTerminal: Bool
        /// The width of the terminal; nil if it reports none.
        public var columns: Int?

        public init(_ descriptor: Int32, isTerminal: Bool = false, columns: Int? = nil) {
            self.descriptor = descriptor
            self.isTerminal = isTerminal
            self.columns = columns
        }

        /// Creates the stream for a descriptor of the process, from the kernel's information.
        public init(ofProcess descriptor: Int32) {
            var size = winsize()
            // Safe: the kernel fills one structure, which outlives the call.
            let isKnown = unsafe blecap_terminal_size(descriptor, &size) == 0 && size.ws_col > 0
            self.init(
                descriptor, isTerminal: isatty(descriptor) == 1, columns: isKnown ? Int(size.ws_col) : nil)
        }
    }

    public var input: Stream
    public var output: Stream
    public var errors: Stream
    /// The environment variables.
    public var variables: [String: String]
    /// Whether signals to the process stop the command.
    public var takesSignals: Bool

    public init(
        input: Stream = Stream(0), output: Stream = Stream(1), errors: Stream = Stream(2),
        variables: [String: String] = [:], takesSignals: Bool = false
    ) {
        self.input = input
        self.output = output
        self.errors = errors
        self.variables = variables
        self.takesSignals = takesSignals
    }

    /// The environment of a command that is the whole process.
    public static func ofProcess() -> CommandEnvironment {
        var variables: [String: String] = [:]
        // Safe: the list ends with a null pointer and each text with a zero; nothing changes them meanwhile.
        var index = 0
        while let text = unsafe environ[index] {
            index += 1
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map { String($0) }
            // As with getenv, the first of several values counts.
            if parts.count == 2, variables[parts[0]] == nil { variables[parts[0]] = parts[1] }
        }
        return CommandEnvironment(
            input: Stream(ofProcess: 0), output: Stream(ofProcess: 1), errors: Stream(ofProcess: 2),
            variables: variables, takesSignals: true)
    }

    /// The stream with a descriptor.
    public func stream(_ descriptor: Int32) -> Stream {
        [output, errors].first { $0.descriptor == descriptor } ?? Stream(ofProcess: descriptor)
    }

    /// A sink for standard output.
    public var outputSink: DescriptorSink {
        DescriptorSink(borrowing: output.descriptor, name: "standard output")
    }

    /// A sink for standard error.
    public var errorSink: DescriptorSink {
        DescriptorSink(borrowing: errors.descriptor, name: "standard error")
    }

    /// Writes lines to standard output and clears them; a reader that has gone is a normal end.
    ///
    /// Whatever stands in them, only their own line ends reach a terminal as controls.
    public func write(_ text: inout TextBuffer) throws(Failure) {
        var lines = TextBuffer(capacity: text.count + 16)
        lines.visible(text.octets, keepsLines: true)
        text.clear()
        var sink = outputSink
        do throws(OutputError) { try sink.drain(&lines) } catch {
            if let failure = error.failure { throw failure }
        }
    }

    /// The status of an input; `-` is standard input.
    public func status(ofInput path: String) -> SystemCall.FileStatus? {
        path == "-" ? SystemCall.status(of: input.descriptor) : SystemCall.status(of: path)
    }

    /// The descriptor that an output's path denotes; nil if the path is a file.
    func descriptor(ofOutput path: String) -> Int32? {
        switch path {
        case "-", "/dev/stdout": output.descriptor
        case "/dev/stderr": errors.descriptor
        default: path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst(8)) : nil
        }
    }

    /// The bytes of a small file and its status; `-` is standard input.
    public func contents(
        of path: String, atMost limit: Int
    ) throws(Failure) -> (octets: [UInt8], status: SystemCall.FileStatus?) {
        // Safe: the path is terminated by a zero and outlives the call.
        let descriptor = path == "-" ? dup(input.descriptor) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(.input, "\(path): can't open: \(SystemMessage.text(errno))")
        }
        defer { close(descriptor) }
        var octets: [UInt8] = []
        while octets.count <= limit {
            var problem: Int32 = 0
            // Safe: the kernel writes at most the given capacity, and only the written bytes are kept.
            let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, count in
                let got = unsafe read(descriptor, room.baseAddress, room.count)
                count = max(0, got)
                if got < 0 { problem = errno }
            }
            if problem == EINTR { continue }
            guard problem == 0 else {
                throw Failure(.input, "\(path): can't read: \(SystemMessage.text(problem))")
            }
            guard !part.isEmpty else { return (octets, SystemCall.status(of: descriptor)) }
            octets += part
        }
        throw Failure(.input, "\(path): longer than \(limit) bytes, too long for a file of this kind")
    }
}

/// Condition for colored output.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal that shows colors, unless the environment disables them.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether to color a stream: a nonempty `NO_COLOR` or `TERM=dumb` disables `auto`.
    public func resolved(_ stream: CommandEnvironment.Stream, _ variables: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            stream.isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        }
    }
}
