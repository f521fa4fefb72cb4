/// A file format of captures, with what its reader needs from one record to the next.
///
/// A new format is a type of its own and a line in ``Recognized/formats``.
protocol CaptureFormat: Sendable {
    /// Its name, as errors and summaries say it.
    static var name: CaptureInfo.Format { get }

    /// The format where the input has this evidence of it, read up to the first record; else nil.
    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized?

    /// Takes the next record; false at a clean end.
    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool

    /// Bytes of the record that comes next, as far as its header is in the window; more than any window
    /// holds where that can't be told.
    func lengthOfNext(_ window: borrowing InputWindow) -> Int

    /// The record that fits `place` octets ahead, for reading on behind damage; nil where none does.
    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord?

    /// The first link type met that is not read here.
    var foreignLinkType: UInt32? { get }
}

extension CaptureFormat {
    var foreignLinkType: UInt32? { nil }
}

/// What tells a format, the surest first: every format is asked for one kind before the next kind.
enum FormatEvidence: CaseIterable {
    /// A magic number.
    case magic
    /// Plausible records, the first of which the input holds to its end.
    case wholeRecords
    /// Plausible records.
    case records
    /// Plausible records, most of them of unknown types.
    case unknownRecords
    /// A first record that is a whole HCI packet, whatever damage follows it.
    case firstRecord
    /// A log within text.
    case text
}

/// A format that was found, and what the file says about itself.
struct Recognized {
    var info: CaptureInfo
    var format: any CaptureFormat

    /// All formats, in the order in which they are asked.
    static let formats: [any CaptureFormat.Type] = [
        Btsnoop.self, Pcap.self, Pcapng.self, PacketLogger.self, Hcidump.self, Btsnooz.self,
    ]

    init(_ info: CaptureInfo, _ format: any CaptureFormat) {
        self.info = info
        self.format = format
    }

    /// The format of an input; throws where it has none, or one that is not read.
    init(_ input: inout RecordInput) throws(CaptureFileError) {
        for evidence in FormatEvidence.allCases {
            for format in Self.formats {
                guard let found = try format.recognize(&input, by: evidence) else { continue }
                self = found
                return
            }
        }
        throw input.failure(input.window.failure ?? .notACapture)
    }
}
