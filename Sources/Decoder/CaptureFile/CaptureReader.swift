import Glibc
import WireBytes

/// Reads the records of one capture, one after the other, out of a buffer that it reuses.
public struct CaptureReader: ~Copyable {
    /// What the file says about itself.
    public private(set) var info: CaptureInfo
    private var window: InputWindow
    private var format: RecordFormat
    private var number = 0

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

    private init(_ input: consuming InputWindow, name: String) throws(CaptureFileError) {
        (info, format) = try RecordFormat.recognize(&input, name: name)
        window = input
    }

    /// Octets of the input that were consumed so far.
    public var offset: Int { window.offset }

    /// The next record; nil at a clean end. After an error nothing more can be read.
    @_lifetime(&self)
    public mutating func next() throws(CaptureFileError) -> Record? {
        number &+= 1
        switch format {
        case .btsnoop(let datalink):
            return try Btsnoop.next(&window, datalink, number: number, file: info.name)
        }
    }
}

/// The format of a capture and what its reader must remember between records.
enum RecordFormat {
    case btsnoop(Btsnoop.Datalink)

    static func recognize(
        _ window: inout InputWindow, name: String
    ) throws(CaptureFileError) -> (CaptureInfo, RecordFormat) {
        guard let (info, format) = try Btsnoop.recognize(&window, name: name) else {
            throw CaptureFileError(.notACapture, file: name)
        }
        return (info, format)
    }
}
