import FoundationEssentials

/// Files of the package, found from where the tests' sources lie.
public enum PackageFile {
    /// The octets of a file by its path in the package.
    public static func octets(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: root() + "/" + path)))
    }

    /// The package's folder.
    public static func root(from here: String = #filePath) -> String {
        "/" + here.split(separator: "/").prefix { $0 != "Tests" }.joined(separator: "/")
    }

    /// The text of a file by its path in the package.
    public static func text(_ path: String) throws -> String {
        String(decoding: try octets(path), as: UTF8.self)
    }
}
