import Foundation

/// Where this package's files and its built command are.
enum PackageRoot {
    /// The package's folder.
    static let url: URL = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// tshark on the PATH; nil where it is not installed.
    static let tshark: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
        .split(separator: ":").map { "\($0)/tshark" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether expected output is to be written anew instead of compared.
    static let recordsGolden = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    /// The command as it was built beside the tests.
    static let command: URL = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = bundle.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("blecap")
            let values = try? candidate.resourceValues(forKeys: [.isRegularFileKey])
            if values?.isRegularFile == true { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return url.appendingPathComponent(".build/debug/blecap")
    }()
}
