import Analysis
import CaptureFile
import FoundationEssentials
import TestSupport
import Testing

/// The captures of strangers, where they are at hand: each ends normally and every octet is accounted for.
@Suite struct CorpusTests {
    /// What one file led to.
    struct Account {
        var size = 0
        var tally = ReaderTally()
        var problems: [Problem.Code: Int] = [:]
        var totals: CaptureStatistics?
        var failure: CaptureFileError?
    }

    static func account(_ path: String) throws -> Account {
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
        for problem in analyzer.totals.problemCounts where problem.count > 0 {
            account.problems[problem.code, default: 0] += problem.count
        }
        account.tally = reader.tally
        account.totals = analyzer.totals
        return account
    }

    @Test(.corpus)
    func `every capture of HCI packets ends normally and its octets add up`() throws {
        var read = 0
        var notHCI: [String] = []
        for name in Corpus.files {
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
            let known =
                name == Corpus.path("scan-only-clock-jump.log") ? [Problem.Code.malformedAdvertising: 3] : [:]
            #expect(malformed == known, "\(name)")
            #expect(account.totals?.octets == account.tally.recordOctets, "\(name)")
        }
        #expect(read >= 30, "read \(read), not HCI: \(notHCI)")
    }
}
