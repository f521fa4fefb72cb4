import FoundationEssentials
import Testing

/// The captures of strangers that some tests read, where they are present.
struct Corpus {
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

    let folder: String
    let files: [File]

    static let shared = Corpus()

    private init() {
        let beside = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        folder = ProcessInfo.processInfo.environment["BLECAP_CORPUS"] ?? "/\(beside)/../shared/corpus"
        files =
            (try? JSONDecoder().decode([File].self, from: Data(Self.octets(of: folder + "/manifest.json"))))
            ?? []
    }

    var isPresent: Bool { !files.isEmpty }

    func octets(of file: File) throws -> [UInt8] { try Self.octets(of: "\(folder)/\(file.name)") }

    static func octets(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
}
