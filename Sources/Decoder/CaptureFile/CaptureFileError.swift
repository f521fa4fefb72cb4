/// Why a capture could not be read, or read further, and where.
public struct CaptureFileError: Error, Equatable, Sendable {
    /// What went wrong.
    public enum Cause: Error, Equatable, Sendable {
        /// Not a supported format.
        case notACapture
        /// There is not one octet.
        case empty
        /// The text of an Android bug report whose Bluetooth log is empty or missing.
        case emptyReport
        /// The text that a decoder printed: the decoder's name.
        case decoderText(String)
        /// The format is known, but not this datalink or link type of it: its name and what is missing, and
        /// what its records hold.
        case unsupportedDatalink(String, holds: Content = .hci)
        /// The file ends inside a record or header.
        case truncated
        /// A length or field of the file format can't be true.
        case damaged(String)
        /// The operating system refused: the failed call and its errno.
        case system(call: String, errno: Int32)
        /// There is no room for what has to be unpacked: the folder of temporary files, and the errno.
        case temporary(folder: String, errno: Int32)
        /// The archive or its compression could not be unpacked.
        case archive(String)
    }

    /// Contents of a datalink that is not read.
    public enum Content: Equatable, Sendable {
        /// Packets of HCI, in a form that is not read.
        case hci
        /// Packets of the air, as a sniffer records them.
        case air
        /// Nothing of Bluetooth, as far as is known.
        case other
    }

    /// What went wrong.
    public var cause: Cause
    /// The name of the file, as given.
    public var file: String
    /// Octets from the start of the file (after decompression) to where it went wrong.
    public var fileOffset: Int
    /// The number of the record that could not be read, from 1; nil where no record was reached.
    public var record: Int?
    /// Whether whole records were found behind it, and read.
    public var isPassed = false

    public init(_ cause: Cause, file: String, fileOffset: Int = 0, record: Int? = nil) {
        self.cause = cause
        self.file = file
        self.fileOffset = fileOffset
        self.record = record
    }
}

extension CaptureFileError: CustomStringConvertible {
    public var description: String { "\(file): \(reason)" }

    /// What went wrong and where in the file, without the file's name.
    public var reason: String {
        let place = record.map { "record \($0), offset \(fileOffset)" } ?? "offset \(fileOffset)"
        switch cause {
        case .notACapture:
            let names = Recognized.formats.map { $0.name.rawValue }.joined(separator: ", ")
            return "not a capture file (\(names))"
        case .empty: return "the file is empty"
        case .emptyReport: return "the bug report holds no Bluetooth log"
        case .decoderText(let program): return "text that \(program) printed, not a capture"
        case .unsupportedDatalink(let what, holds: _): return what
        case .truncated: return "the file ends inside a record (\(place))"
        case .damaged(let what): return "\(what) (\(place))"
        case .system(let call, let code): return "\(call) failed (errno \(code))"
        case .temporary(let folder, let code): return "no room in \(folder) (errno \(code))"
        case .archive(let what):
            return "\(what)" + (record == nil && fileOffset == 0 ? "" : " (\(place))")
        }
    }
}
