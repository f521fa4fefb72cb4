import Foundation

/// A folder of its own that is gone with the test.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// The names in it, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
