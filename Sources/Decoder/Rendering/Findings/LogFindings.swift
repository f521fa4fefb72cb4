public import Analysis
public import CaptureFile
public import PayloadFormat

/// The findings about one log, for formats without frames: Markdown and SARIF.
public struct LogFindings: Sendable {
    /// The names of the log's files, as given.
    let names: [String]
    let line: LogLine
    let headline: PageHeadline
    /// The recorder's format, the time and the number of records.
    let facts: [String]
    /// The reasons why files could not be read, or not up to their end.
    let errors: [CaptureFileError]

    /// - Parameters:
    ///   - files: the metadata of the files that could be read.
    ///   - paths: the files as given.
    public init(
        _ files: [CaptureInfo], of paths: [String], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage,
        explains: Bool
    ) {
        names = files.isEmpty ? paths : files.map(\.name)
        line = LogLine(files, analyzer, damage)
        headline = PageHeadline(analyzer, damage, explains: explains, namesFile: files.count > 1)
        facts = files.isEmpty ? [] : Verdict.facts(files, analyzer)
        errors = damage.errors
    }

    /// The frames of the first failures and their consequences, for a reader who wants to see them.
    public var evidence: Set<FramePlace> {
        let failed = headline.cards.filter { $0.kind == .failed }
        let places = failed.flatMap { [$0.place] + $0.consequences.map(\.place) }
        return Set(places.filter { $0.frame > 0 }.prefix(Self.evidenceLimit))
    }

    private static let evidenceLimit = 8

    /// Returns the name of the file with this index.
    func name(ofFile index: Int) -> String { index < names.count ? names[index] : names.first ?? "-" }
}
