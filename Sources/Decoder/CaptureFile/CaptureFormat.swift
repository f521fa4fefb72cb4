/// A capture file format, with the state that its reader keeps between records.
///
/// A new format is a new type and a line in ``Recognized/formats``.
protocol CaptureFormat: Sendable {
    /// The format's name in errors and summaries.
    static var name: CaptureInfo.Format { get }

    /// Returns the format, with the input read up to the first record, if there is this evidence of it; else
    /// nil.
    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized?

    /// Reads the next record; returns false at a clean end.
    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool

    /// Returns the length of the next record in bytes if the window holds enough of its header; else a number
    /// larger than any window.
    func lengthOfNext(_ window: borrowing InputWindow) -> Int

    /// Returns the record that fits `place` bytes ahead, to continue after damage; nil if none does.
    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord?

    /// The first unsupported link type that was found.
    var foreignLinkType: UInt32? { get }

    /// Notice about the records that were left out so far, if any were.
    var notice: CaptureFileError.Cause? { get }
}

extension CaptureFormat {
    var foreignLinkType: UInt32? { nil }
    var notice: CaptureFileError.Cause? { nil }
}

/// Evidence of a format, strongest first: all formats are tried with one kind before the next kind.
enum FormatEvidence: CaseIterable {
    case magic
    /// Plausible records, the first of them complete.
    case wholeRecords
    case records
    /// Plausible records, most of them of unknown types.
    case unknownRecords
    /// A first record that is a whole HCI packet, even if damage follows.
    case firstRecord
    case text
}

/// A recognized format, and the file's metadata.
struct Recognized {
    var info: CaptureInfo
    var format: any CaptureFormat

    /// All formats, in the order in which they are tried.
    static let formats: [any CaptureFormat.Type] = [
        Btsnoop.self, Pcap.self, Pcapng.self, PacketSniffer.self, PacketLogger.self, Hcidump.self,
        TextDump.self, Btsnooz.self,
    ]

    init(_ info: CaptureInfo, _ format: any CaptureFormat) {
        self.info = info
        self.format = format
    }

    init(_ input: inout RecordInput) throws(CaptureFileError) {
        do throws(CaptureFileError) { self = try Self.recognized(&input) } catch {
            var error = error
            let head = input.window.next(at: 0, count: min(input.window.available, Self.start))
            switch error.cause {
            case .notACapture, .damaged, .truncated:
                if TransferDamage.hasLost(head) {
                    error.cause = .unsupportedDatalink(TransferDamage.loss, holds: .other)
                }
            default: break
            }
            throw error
        }
    }

    /// Bytes at a file's start that show whether it was saved as text.
    private static let start = 4096

    private static func recognized(_ input: inout RecordInput) throws(CaptureFileError) -> Recognized {
        // Of text, a reader takes bytes from the window.
        let isCut = isCutHeader(&input.window)
        for evidence in FormatEvidence.allCases {
            for format in Self.formats {
                if let found = try format.recognize(&input, by: evidence) { return found }
            }
        }
        throw input.failure(
            input.window.failure ?? Self.ownFormat(&input.window) ?? (isCut ? .truncated : .notACapture))
    }

    /// Whether a file ends inside a header, of which it has at least as many bytes as a magic number.
    private static func isCutHeader(_ window: inout InputWindow) -> Bool {
        headers.contains { header in
            guard !window.holds(header.length) else { return false }
            let beginning = header.beginning.prefix(window.available)
            return beginning.count >= 4 && window.starts(with: Array(beginning))
        }
    }

    /// The first bytes of formats that begin with a header, and the header's length.
    private static let headers: [(beginning: [UInt8], length: Int)] =
        [
            (Array("btsnoop\0".utf8), Btsnoop.fileHeaderLength),
            ([0x0A, 0x0D, 0x0D, 0x0A], Pcapng.leastSection),
        ]
        + [[0xA1, 0xB2, 0xC3, 0xD4], [0xA1, 0xB2, 0x3C, 0x4D]].flatMap { (magic: [UInt8]) in
            [(magic, Pcap.fileHeaderLength), (magic.reversed(), Pcap.fileHeaderLength)]
        }

    /// Formats that only their maker's program reads, by the words at the file's beginning.
    private static let ownFormats: [(beginning: [UInt8], maker: String)] = [
        (Array("Ellisys Trace File".utf8), "Ellisys")
    ]

    private static func ownFormat(_ window: inout InputWindow) -> CaptureFileError.Cause? {
        let maker = ownFormats.first {
            window.holds($0.beginning.count) && window.starts(with: $0.beginning)
        }?.maker
        return maker.map {
            .unsupportedDatalink(
                "a trace in \($0)'s own format: export it as btsnoop or pcapng", holds: .other)
        }
    }
}
