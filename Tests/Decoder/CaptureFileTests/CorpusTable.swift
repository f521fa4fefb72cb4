import FoundationEssentials
import TestSupport
import Testing

/// The captures of strangers that some tests read, where they are present.
struct CorpusTable {
    /// One file, as the corpus' own table describes it.
    struct File: Decodable, CustomTestStringConvertible {
        var name: String
        var fmt: String
        var size: Int
        /// Records, as an independent reader counted them; nil where none could read the file.
        var n: Int?

        var testDescription: String { name }

        /// The link type or datalink that ends the description of the format.
        var datalink: UInt32? { fmt.split(separator: " ").last.flatMap { UInt32($0) } }
    }

    let files: [File]

    static let shared = CorpusTable()

    private init() {
        let table = try? Self.octets(of: Corpus.path("manifest.json"))
        files = (try? table.map { try JSONDecoder().decode([File].self, from: Data($0)) }) ?? []
    }

    func octets(of file: File) throws -> [UInt8] { try Self.octets(of: Corpus.path(file.name)) }

    static func octets(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
}
