import WireBytes

/// The reason and the place of a failure to read a capture.
public struct CaptureFileError: Error, Equatable, Sendable {
    /// Reason of the failure.
    public enum Cause: Error, Equatable, Sendable {
        /// Not a supported format.
        case notACapture
        /// An empty file.
        case empty
        /// The text of an Android bug report whose Bluetooth log is empty or missing.
        case emptyReport
        /// Text printed by a decoder; the associated value names it.
        case decoderText(String)
        /// Known format with an unsupported datalink or link type: its name with what is missing, and the
        /// content of its records.
        case unsupportedDatalink(String, holds: Content = .hci)
        /// The file ends inside a record or header.
        case truncated
        /// A length or field of the file format is impossible.
        case damaged(String)
        /// A system call failed: the call and its errno.
        case system(call: String, errno: Int32)
        /// No room to unpack the file: the folder for temporary files, and the errno.
        case temporary(folder: String, errno: Int32)
        /// The archives that are open unpack to more bytes than may be kept, or a compressed file to more
        /// than may be read: the limit.
        case unpacksToMore(than: Int)
        /// The archive or its compression could not be unpacked.
        case archive(String)
        /// A copy had changed the file, which was restored for reading: how it was changed.
        case restored(String)
    }

    /// Content of an unsupported datalink.
    public enum Content: Equatable, Sendable {
        /// HCI packets in an unsupported form.
        case hci
        /// Packets of the air, as a sniffer records them.
        case air
        /// Not known to be Bluetooth.
        case other
    }

    /// Reason of the failure.
    public var cause: Cause
    /// The file's name, as given.
    public var file: String
    /// Place of the failure, in bytes from the start of the decompressed file.
    public var fileOffset: Int
    /// Number of the unreadable record, from 1; nil if no record was reached.
    public var record: Int?
    /// Whether reading continued with whole records after the damage.
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

    /// The reason and the place in the file, without the file's name.
    public var reason: String {
        let place = record.map { "record \($0), offset \(fileOffset)" } ?? "offset \(fileOffset)"
        switch cause {
        case .notACapture: return "not a capture file"
        case .empty: return "the file is empty"
        case .emptyReport: return "the bug report holds no Bluetooth log"
        case .decoderText(let program): return "text that \(program) printed, not a capture"
        case .unsupportedDatalink(let what, holds: _): return what
        case .truncated where record == nil: return Self.cutHeader
        case .truncated: return "the file ends inside a record (\(place))"
        case .damaged(let what): return "\(what) (\(place))"
        case .system(let call, let code): return "can't \(call): \(SystemMessage.text(code))"
        case .temporary(let folder, let code):
            return "can't unpack into \(folder): \(SystemMessage.text(code))"
        case .unpacksToMore(let limit): return "it unpacks to more than \(Self.text(octets: limit))"
        case .archive(let what):
            return "\(what)" + (record == nil && fileOffset == 0 ? "" : " (\(place))")
        case .restored(let what): return what
        }
    }

    /// The reason of a file that is cut before its first record.
    public static let cutHeader = "the file is cut: it ends inside its header"

    /// The formats that are read, in words.
    public static let supported =
        "btsnoop, pcap, pcapng, PacketLogger, hcidump, btsnooz, TI's .psd (Bluetooth LE) "
        + "and text with all bytes in hexadecimal, also in archives"

    /// Bytes in the largest unit that has no fraction.
    public static func text(octets: Int) -> String {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        for (power, unit) in units where octets > 0 && octets & (1 << power - 1) == 0 {
            return "\(octets >> power) \(unit)"
        }
        return "\(octets) bytes"
    }
}
