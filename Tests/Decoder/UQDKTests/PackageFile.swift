import FoundationEssentials
import Testing

/// Files of the package, beside which the tests lie.
enum PackageFile {
    static func octets(_ path: String, from here: String = #filePath) throws -> [UInt8] {
        var parts = here.split(separator: "/")
        let index = try #require(parts.lastIndex(of: "Tests"))
        parts.removeSubrange(index...)
        let file = "/" + parts.joined(separator: "/") + "/" + path
        return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try octets(path), as: UTF8.self) }
}
