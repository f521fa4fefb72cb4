import Foundation

/// The captures of strangers, which are not part of the package.
public enum Corpus {
    /// Their folder: BLECAP_CORPUS, else beside the package; nil where it is missing.
    public static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["BLECAP_CORPUS"]
        let folder = named ?? PackageFile.root() + "/../shared/corpus"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    /// The paths of the captures, sorted.
    public static let files: [String] = {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return []
        }
        return names.filter { name in ![".md", ".json", ".txt"].contains { name.hasSuffix($0) } }.sorted()
            .map { path($0) }
    }()

    /// The path of one of them.
    public static func path(_ name: String) -> String { "\(folder ?? "")/\(name)" }
}
