import FoundationEssentials

/// Files of the package, found from where the tests' sources lie.
public enum PackageFile {
    /// The octets of a file by its path in the package.
    public static func octets(_ path: String, from here: String = #filePath) throws -> [UInt8] {
        let parts = here.split(separator: "/")
        let top = parts.prefix { $0 != "Tests" }.joined(separator: "/")
        return Array(try Data(contentsOf: URL(fileURLWithPath: "/\(top)/\(path)")))
    }

    /// The text of a file by its path in the package.
    public static func text(_ path: String) throws -> String {
        String(decoding: try octets(path), as: UTF8.self)
    }
}
