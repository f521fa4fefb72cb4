import Foundation
import Testing

/// docs/stack.md names tests and the SIG's ids: each test is there, and each id once.
@Suite struct ConformancePageTests {
    /// Rows of the page's tables: ids, result, and what the result rests on.
    static func rows() throws -> [[String]] {
        let page = BumbleTests.root.appending(path: "docs/stack.md")
        let parts = try String(contentsOf: page, encoding: .utf8)
            .components(separatedBy: "\n## Conformance\n")
        #expect(parts.count == 2)
        return (parts.last ?? "").split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
            .filter { $0.count == 3 && $0[0].contains("/") }
    }

    /// The ids of a cell: `GATT/SR/GAD/BV-01-C, BV-02-C` are two, and `BV-01-C to BV-03-C` three.
    static func ids(_ cell: String) throws -> [String] {
        var found: [String] = []
        var group = ""
        var isRange = false
        for word in cell.split(whereSeparator: { $0 == " " || $0 == "," }) {
            if word == "to" {
                isRange = true
                continue
            }
            let parts = word.split(separator: "/")
            if parts.count > 1 { group = parts.dropLast().joined(separator: "/") }
            let last = try #require(parts.last)
            let match = try #require(last.wholeMatch(of: /(B[IV])-(\d\d)-C/), "\(word)")
            let number = try #require(Int(match.2))
            let first = isRange ? (Int(found.last?.suffix(4).prefix(2) ?? "") ?? number) + 1 : number
            for each in first...number {
                found.append("\(group)/\(match.1)-\(each < 10 ? "0" : "")\(each)-C")
            }
            isRange = false
        }
        return found
    }

    @Test func `each id is there once, with a result and a reason`() throws {
        var seen: Set<String> = []
        var counts: [String: Int] = [:]
        for row in try Self.rows() {
            let result = row[1]
            #expect(["pass", "partly", "not applicable", "missing"].contains(result), "\(row)")
            #expect(!row[2].isEmpty)
            for id in try Self.ids(row[0]) {
                #expect(seen.insert(id).inserted, "\(id) is there twice")
                counts[result, default: 0] += 1
            }
        }
        #expect(seen.count > 350 && counts["pass", default: 0] > 150)
    }

    @Test func `each test that the page names is one of ours`() throws {
        let tests = BumbleTests.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /func `([^`]+)`/) { names.insert(String(match.1)) }
        }
        var count = 0
        for row in try Self.rows() where ["pass", "partly"].contains(row[1]) {
            let named = row[2].matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!named.isEmpty, "\(row[0]) names no test")
            // What is left is said behind the tests.
            if row[1] == "partly" { #expect(!row[2].hasSuffix("`"), "\(row[0])") }
            for name in named { #expect(names.contains(name), "no test is named '\(name)'") }
            count += named.count
        }
        #expect(count > 40)
    }
}
