import Foundation
import TestSupport
import Testing

/// The public declarations are those of `docs/corebluetooth-api.txt`, and the page about Apple's declarations
/// is right about them.
@Suite(
    .process,
    .enabled(if: SymbolGraph.tool != nil && SymbolGraph.modules != nil, "needs the compiler's tools"))
struct PublicAPITests {
    /// A row of a table of the page: names, and the answer.
    struct Row {
        var paths: [String]
        var answer: String
    }

    static let api = Result { PublicAPI(try SymbolGraph.ofModule()) }
    static let docs = SymbolGraph.root.appending(path: "docs")

    /// The rows under the page's heading about Apple's declarations. In a section with the name of a type the
    /// names are those of its members.
    static func rows() throws -> [Row] {
        let page = try String(contentsOf: docs.appending(path: "corebluetooth.md"), encoding: .utf8)
        let part = page.components(separatedBy: "\n## Apple's declarations\n").last ?? ""
        var rows: [Row] = []
        var type: String?
        for line in part.split(separator: "\n") {
            if line.hasPrefix("### ") { type = names(line).first }
            guard line.hasPrefix("| `"), let cells = cells(line) else { continue }
            let paths = names(cells.0).map { name in type.map { "\($0).\(name)" } ?? name }
            rows.append(Row(paths: paths, answer: cells.1))
        }
        return rows
    }

    private static func cells(_ line: Substring) -> (Substring, String)? {
        let cells = line.split(separator: "|")
        guard cells.count == 2 else { return nil }
        return (cells[0], cells[1].trimmingCharacters(in: .whitespaces))
    }

    private static func names(_ text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    @Test func `the public declarations are the recorded ones`() throws {
        let digest = try Self.api.get().digest
        let file = Self.docs.appending(path: "corebluetooth-api.txt")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try digest.write(to: file, atomically: true, encoding: .utf8)
        }
        let lines = Set(digest.split(separator: "\n"))
        let recorded = Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n"))
        #expect(lines.subtracting(recorded).sorted() == [], "not in docs/corebluetooth-api.txt")
        #expect(recorded.subtracting(lines).sorted() == [], "only in docs/corebluetooth-api.txt")
    }

    @Test func `each row of the page has an answer, and the answer is true`() throws {
        let paths = try Self.api.get().paths
        let rows = try Self.rows()
        #expect(rows.count > 60)
        for row in rows {
            let isThere = row.answer == "there" || row.answer.hasPrefix("different: ")
            #expect(isThere || row.answer.hasPrefix("not there: ") || row.answer == "ours", "\(row)")
            for path in row.paths {
                #expect(paths.contains(path) == !row.answer.hasPrefix("not there: "), "\(path)")
            }
        }
    }

    @Test func `each public declaration is on the page, and none twice`() throws {
        let named = try Self.rows().flatMap(\.paths)
        #expect(Dictionary(grouping: named) { $0 }.filter { $0.value.count > 1 }.keys.sorted() == [])
        // What every enumeration, option set, error or object has.
        let usual: Set<Substring> = [
            "==(_:_:)", "_cVarArgEncoding", "_cVarArgObject", "~=(_:_:)", "copy(with:)", "description",
            "hash", "hash(into:)", "init(rawValue:)",
            "isEqual(_:)", "rawValue",
        ]
        let known = Set(named)
        let missing = try Self.api.get().paths.filter { path in
            let parts = path.split(separator: ".", maxSplits: 1)
            // Of a type of ours its name is enough.
            if !path.hasPrefix("CB"), known.contains(String(parts[0])) { return false }
            return !known.contains(path) && !usual.contains(path.split(separator: ".").last ?? "")
        }
        #expect(missing.sorted() == [])
    }
}
