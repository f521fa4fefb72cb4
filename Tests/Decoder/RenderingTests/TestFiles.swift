import Foundation

/// Where the captures that tests read are.
enum TestFiles {
    /// The package's folder.
    static let root: URL = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// The captures of the package.
    static let captures: [URL] = files(in: root.appendingPathComponent("captures")) {
        ["btsnoop", "pcap", "pcapng", "pklg"].contains($0.pathExtension)
    }

    /// The captures that are not part of the package; none where they are not on this machine.
    static let corpus: [URL] = {
        let named = ProcessInfo.processInfo.environment["BLECAP_CORPUS"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? root.appendingPathComponent("../shared/corpus").standardized
        return files(in: folder) { !["md", "json", "txt"].contains($0.pathExtension) }
    }()

    private static func files(in folder: URL, _ wanted: (URL) -> Bool) -> [URL] {
        let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (all ?? []).filter(wanted).sorted { $0.path < $1.path }
    }
}
