import Glibc
import WireBytes

/// Reads the records of one capture, one after the other, out of a buffer that it reuses.
public struct CaptureReader: ~Copyable {
    /// What the file says about itself.
    public private(set) var info: CaptureInfo
    private var input: RecordInput
    private var format: RecordFormat
    private var pcapng = Pcapng()

    /// Opens a file, or standard input where `path` is `-`, and finds the format from the content.
    public init(path: String) throws(CaptureFileError) {
        // Safe: the string's octets live as long as the call.
        let descriptor = path == "-" ? dup(0) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureFileError(.system(call: "open", errno: errno), file: path) }
        try self.init(InputWindow(descriptor: descriptor), name: path)
    }

    /// Reads a capture that is in memory.
    public init(octets: [UInt8], name: String) throws(CaptureFileError) {
        try self.init(InputWindow(octets), name: name)
    }

    init(_ window: consuming InputWindow, name: String) throws(CaptureFileError) {
        var source = RecordInput(window, file: name)
        let recognized = try RecordFormat.recognize(&source, &pcapng)
        info = recognized.info
        format = recognized.format
        input = source
    }

    /// Octets of the input that were consumed so far.
    public var offset: Int { input.window.offset }

    /// Where the octets consumed so far went.
    public var tally: ReaderTally { input.tally }

    /// Reads on to the end of the input after an error, so that the tally covers all of it.
    public mutating func countUnreadable() { input.skipUnreadable() }

    /// The next record; nil at a clean end. After an error nothing more is read, and nil is given.
    @_lifetime(&self)
    public mutating func next() throws(CaptureFileError) -> Record? {
        if input.hasFailed { return nil }
        switch format {
        case .btsnoop(let datalink): return try Btsnoop.next(&input, datalink)
        case .pcap(let file): return try Pcap.next(&input, file)
        case .pcapng: return try pcapng.next(&input)
        case .packetLogger(let order): return try PacketLogger.next(&input, order)
        }
    }
}

/// The format of a capture and what its reader needs for every record.
enum RecordFormat {
    case btsnoop(Btsnoop.Datalink)
    case pcap(Pcap)
    case pcapng
    case packetLogger(OctetOrder)

    static func recognize(
        _ input: inout RecordInput, _ pcapng: inout Pcapng
    ) throws(CaptureFileError) -> Recognized {
        if let found = try Btsnoop.recognize(&input) { return found }
        if let found = try Pcap.recognize(&input) { return found }
        if let found = try pcapng.recognize(&input) { return found }
        if let found = PacketLogger.recognize(&input) { return found }
        throw input.failure(input.window.failure ?? .notACapture)
    }
}

/// A format that was found, and what the file says about itself.
struct Recognized {
    var info: CaptureInfo
    var format: RecordFormat

    init(_ info: CaptureInfo, _ format: RecordFormat) {
        self.info = info
        self.format = format
    }
}
