import FoundationEssentials
import Testing
import WireBytes

@testable import CaptureFile

/// Gzip files that are cut, each octet of which is known.
@Suite struct CutGzipTests {
    /// Two gzip members, one log of 60 commands.
    static let log = """
            H4sIAAAAAAACA3XJIUgDYQDF8e9/N7c555w3N73pRIOoQdAgGI0rG4uLYlryDjQYjUaj0WhcNA4MCgYHhhMWFBdOLg
            wxiCyIJ6zN9+Dx4P0OT46PPM83cTDGjuJNjGr9neYtDNZrnRiz5n+7fQdld10sZQ832Moer0goezpnQlngk1TWa5JS
            9rJPWll/g0llYZ6MsuibKWWDV7LKPu+ZVvbVJqdseMmMsp8z8sLqVotZZckGjrLMHgVluRXmlDlpisqKH5SUuc/MK6
            t0WFC2eo2rbO2CsrLNUxaVbR2wpGynSkXZ7jbL4/YLzPm1k4QDAAAfiwgAAAAAAAIDdckpDMFxAMXx3zNBEETN7e++
            b7MJgmAmCIIg2NgENoFNYBPYBCaYCWaCiaIoihrRFKIoOqa+t33D20fc7mcpG1VDoxSfyf/Jvkf8LCGgZZZ8QMcsdY
            KeWXoPA7PMCkZmuSFMzPINmJkVCpCYFZOwMCtZYGVWVsHGrPKCnVntCgez+hFOZs0dXMxac7iZdXrwMOtW4WXWz8HH
            bBCBn9lIiwCzsQJBZtMnQsxmF4SZLQ6IMFtuEWW2niDGbNNGXCneqe+58xwDAAA=
        """

    @Test
    func `a gzip file that is cut gives every record before the cut`() throws {
        let packed = ZlibStreamTests.octets(Self.log)
        var before = 0
        for end in stride(from: 30, through: packed.count, by: 1) {
            let file = try CapturePackedTests.TemporaryFile(Array(packed[..<end]))
            var count = 0
            var problem: CaptureFileError?
            do throws(CaptureFileError) {
                var reader = try CaptureReader(path: file.path)
                while let record = try reader.next() {
                    #expect(record.octets.octet(at: 0) == UInt8(count))
                    count += 1
                }
            } catch { problem = error }
            #expect(count >= before && count <= 60)
            #expect(end == packed.count ? problem == nil : problem != nil || count < 60)
            before = count
        }
        #expect(before == 60)
    }

    @Test
    func `the records of a gzip file appear with the octets that hold them`() throws {
        let packed = ZlibStreamTests.octets(Self.log)
        let file = try CapturePackedTests.TemporaryFile(Array(packed[..<(packed.count / 2)]))
        var reader = try CaptureReader(path: file.path)
        var count = 0
        let error = #expect(throws: CaptureFileError.self) {
            while try reader.next() != nil { count += 1 }
        }
        guard case .archive = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(count > 15)
    }

    @Test
    func `a long gzip file that is cut gives its records to the last octet`() throws {
        let records = CaptureWriterTests.records(seed: 21, count: 6000)
        let log = try CaptureWriterTests.write(records, as: .btsnoop).octets
        #expect(log.count > 150_000)
        // Stored blocks, so that it is known which octet of the file holds which of the log.
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var place = 0
        while place < log.count {
            let count = min(30_000, log.count - place)
            let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
            packed += [0, low, high, ~low, ~high]
            packed += log[place..<(place + count)]
            place += count
        }
        let kept = packed.count - 1000
        let file = try CapturePackedTests.TemporaryFile(Array(packed[..<kept]))
        let unpacked = log.count - 1000
        let plain = CaptureDamageTests.readAny(Array(log[..<unpacked]))
        var reader = try CaptureReader(path: file.path)
        var count = 0
        #expect(throws: CaptureFileError.self) { while try reader.next() != nil { count += 1 } }
        #expect(count == plain.records)
        reader.countUnreadable()
        #expect(reader.tally.totalOctets == unpacked)
    }
}
