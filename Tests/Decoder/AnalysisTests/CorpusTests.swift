import Analysis
import CaptureFile
import FoundationEssentials
import Testing
import WireBytes

/// The captures of strangers, where they are at hand: each ends normally and every octet is accounted for.
@Suite struct CorpusTests {
    /// Where the corpus lies: `BLECAP_CORPUS`, else beside the package.
    static let root: String = {
        if let given = ProcessInfo.processInfo.environment["BLECAP_CORPUS"] { return given }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../shared/corpus").standardizedFileURL.path
    }()

    static let files: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
        .filter { !$0.hasPrefix("MANIFEST") && !$0.hasPrefix("manifest") && !$0.hasSuffix(".txt") }.sorted()

    /// What one file led to.
    struct Account {
        var size = 0
        var tally = ReaderTally()
        var problems: [Problem.Code: Int] = [:]
        var totals: CaptureStatistics?
        var failure: CaptureFileError?
    }

    static func account(_ name: String) throws -> Account {
        let path = root + "/" + name
        var account = Account()
        account.size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        var reader = try CaptureReader(path: path)
        var analyzer = Analyzer()
        do throws(CaptureFileError) {
            while let record = try reader.next() { analyzer.analyze(record) }
        } catch {
            account.failure = error
            reader.countUnreadable()
        }
        analyzer.finish()
        for code in Problem.Code.allCases where analyzer.totals.problemCounts[code.place] > 0 {
            account.problems[code] = analyzer.totals.problemCounts[code.place]
        }
        account.tally = reader.tally
        account.totals = analyzer.totals
        return account
    }

    @Test(.enabled(if: !files.isEmpty, "the corpus is not at hand"))
    func `every capture of HCI packets ends normally and its octets add up`() throws {
        var read = 0
        var notHCI: [String] = []
        for name in Self.files {
            let account: Account
            do {
                account = try Self.account(name)
            } catch let error as CaptureFileError {
                // Captures of the air and text are named as what they are.
                #expect(!"\(error)".isEmpty, "\(name)")
                notHCI.append(name)
                continue
            }
            read += 1
            #expect(account.tally.totalOctets == account.size, "\(name)")
            #expect(account.totals?.records == account.tally.records, "\(name)")
            // tshark finds no more malformed in the layers that are decoded here: three times a device
            // advertised manufacturer's data without the manufacturer.
            let malformed = account.problems.filter { $0.key.rawValue.hasPrefix("malformed") }
            let known = name == "scan-only-clock-jump.log" ? [Problem.Code.malformedAdvertising: 3] : [:]
            #expect(malformed == known, "\(name)")
            #expect(account.totals?.octets == account.tally.recordOctets, "\(name)")
        }
        #expect(read >= 30, "read \(read), not HCI: \(notHCI)")
    }
}
