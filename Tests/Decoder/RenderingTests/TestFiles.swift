import Foundation

/// Where the captures that tests read are.
enum TestFiles {
    /// The package's folder.
    static let root: URL = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// The captures of the package.
    static let captures: [URL] = {
        let folder = root.appendingPathComponent("captures")
        let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (all ?? []).filter { ["btsnoop", "pcap", "pcapng", "pklg"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }()
}
