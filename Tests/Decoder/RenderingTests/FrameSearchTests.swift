import CaptureFile
import Foundation
import TestSupport
import Testing
import WireBytes

@testable import Rendering

/// The words of `--find`, and the lines in which they are found.
@Suite struct FrameSearchTests {
    static func finds(
        _ search: String, _ line: String, _ direction: Direction = .hostToController
    ) throws -> Bool {
        var buffer = TextBuffer()
        buffer.put(line)
        var text = SearchText()
        text.read(buffer)
        return try FrameSearch(search).finds(text, direction)
    }

    static let write =
        "ATT   Write Request 0x0013 FFF2 in FFF0  a5070100ff  (to 148, 20.5 ms)\n\n\n02:55:51:00:00:01"
    static let notify = "ATT   Handle Value Notification 0x0012 UQDK Event  00aa55  (32 ms after write 257)\n"
    static let refused =
        "ATT   Error Response: Application Error (0x80) to Write Request 0x0009 2902 "
        + "Client Characteristic Configuration of FFF1\nDOOR_UNLOCK refused"
    static let long = "ATT   Read Response 0x0010 5551444B-0002-4449-4749-54414C4B4559  74666221"

    static let found: [(String, String)] = [
        ("write FFF2 a5??01", write), ("WRITE fff2", write), ("0x13", write), ("0x0013", write),
        ("0013", write),
        ("a5", write), ("A5 07 01", write), ("write a5 ?? 01", write),
        ("0701", write), ("?5 0?", write), ("0xa5070100", write), ("02:55:51:00:00:01", write),
        ("write -notify", write), ("\"write request\"", write), ("fff", write), ("tx", write),
        ("notify", notify), ("notification 0x12", notify), ("\"write 257\"", notify), ("uqdk event", notify),
        ("-write", notify), ("write error", refused), ("subscribe", refused), ("0x80", refused),
        ("door_unlock", refused), ("\"Application Error\" 2902", refused), ("att", refused),
        ("5551444b-0002-4449-4749-54414c4b4559", long),
        ("5551444B0002444947495 4414C4B4559".replacing(" ", with: ""), long),
        ("5551444B-0002", long), ("tfb!", long), ("read", long),
        ("0000fff2-0000-1000-8000-00805F9B34FB", write),
    ]

    @Test(arguments: found)
    func `words are found`(search: String, line: String) throws { #expect(try Self.finds(search, line)) }

    static let missed: [(String, String)] = [
        // Half a byte further, and more bytes than there are.
        ("5070", write), ("a5??02", write), ("a5070100ff00", write),
        // Numbers in full, and not the bytes or the time.
        ("0x1", write), ("0x130", write), ("0xa5", write), ("rx", write), ("-fff2", write),
        ("write", notify), ("257a", notify), ("notify", write), ("read", refused), ("mtu", refused),
        ("write 0x12", notify), ("\"257 write\"", notify), ("smp", refused),
        // The bytes of a text as it is written.
        ("TFB!", long), ("2902", write), ("551:00", write),
        // Bytes that do not lie in a row.
        ("07 a5", write), ("a5 01", write),
    ]

    @Test(arguments: missed)
    func `words are not found`(search: String, line: String) throws {
        #expect(try !Self.finds(search, line))
    }

    @Test(arguments: [
        ("", "no word to find"), ("\"\"", "no word to find"), ("\"write", "the quote is not closed"),
        ("a5?", "'a5?' has 3 digits"), ("write a5*01", "'*' in 'a5*01' is not a wildcard"),
        ("??", "'??' has no digit"), ("0xzz", "'0xzz' is not a number"),
        ("0x12345678901234567", "'0x12345678901234567' has 17 digits"),
    ])
    func `a search that can't be meant says why`(search: String, text: String) {
        do {
            _ = try FrameSearch(search)
            Issue.record("accepted")
        } catch {
            #expect(error.what.hasPrefix(text), "\(error)")
        }
    }

    @Test func `the page about searches has the operations' words, and no others`() throws {
        let page = String(decoding: try PackageFile.octets("docs/screens.md"), as: UTF8.self)
        let table =
            page.split(separator: "| operation | packets |").last?.split(separator: "\n\n").first ?? ""
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").filter { !$0.contains(" ") }.map(String.init)
        }
        #expect(named.sorted() == Operation.all.flatMap(\.words).sorted())
    }

    @Test(arguments: [
        ("advertise", "HCI   LE Set Scan Response Data"),
        ("advertise", "HCI   LE Set Extended Scan Response Data"),
        ("advertise", "HCI   LE Remove Advertising Set"),
        ("advertise", "HCI   LE Advertising Set Terminated"),
        ("advertise", "HCI   LE Directed Advertising Report"),
        ("scan", "HCI   LE Set Scan Enable"),
        ("scan", "HCI   LE Set Extended Scan Parameters"),
        ("scan", "HCI   LE Scan Timeout"),
    ])
    func `the data of scan responses belongs to advertising`(operation: String, line: String) throws {
        #expect(try Self.finds(operation, line))
        #expect(try !Self.finds(operation == "scan" ? "advertise" : "scan", line))
    }
}
