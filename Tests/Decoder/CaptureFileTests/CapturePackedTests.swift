import CaptureFile
import FoundationEssentials
import Testing

@Suite struct CapturePackedTests {
    /// A compressed file, archive or bug report that holds the sample session.
    struct Packed: CustomTestStringConvertible {
        var testDescription: String
        var base64: String
        var format: CaptureInfo.Format
        /// Octets that the recorder kept of each packet at most.
        var kept = 99

        var octets: [UInt8] {
            [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
        }
    }

    static let gzip = Packed(
        testDescription: "gzip",
        base64: """
            H4sIAAAAAAACA0sqKc7Lzy9gAAJGBgbmV0CaBYoh4NHz6+q+BxgYmXlAPHYoZkTIHX7BwscCleaBYiStxy8wOQC1MAON5GIG
            iXJDMZIRp3cwOSiwMTAB1XBrAQAAwYymkgAAAA==
            """, format: .btsnoop)
    static let zstandard = Packed(
        testDescription: "zstd",
        base64: """
            KLUv/SSSHQMAFARidHNub29wAAAAAAEAAAPqAAAABOLn1ydNwAABAwwHAcPoBA4EDMfQAkAABwADAAQACgMLy7gCQCAGAAIA
            BAALKg0ARjCwy6unfaFGdEWHEoJQWX9OwAy3SzbTNhjBmWMCRTQsGg==
            """, format: .btsnoop)
    static let sysdiagnose = Packed(
        testDescription: "tar.gz",
        base64: """
            H4sICPRrAWsC/3N5cy50YXIA7dbJTsJAHAbwPxRBAUEF963uitKN0rqLRo5e9AlAGmgs1DAl4pv5GD6GV9/AgWAknLUJ8v0O
            s3zJZE5fO+yVVexSteEyS74vXt/eFSWv7dGvUjhD17szNzgriqr/rDu5qpqGQaJCPmgxr9Tk19NoqlmO44ovbtOpRAlGDuvr
            v+NWmXzjtCzPdb2aXP5eVbK1R1t6fnKqf9N/VdMG+m+Ypob++yHeGT4frO5GiFOyt/8QiAKJUIBH6V70HiEKFihCAoUoKlCq
            l7/F+MmCGKYgz2MZdGpY+89a9XqpaVtMbktlu+Hb/1/vfwt0+5/Tcnn03xeBoBAaC0fGJ6Kx+GQiOTU9k0rPzs0vLC4tr6yu
            rYsbm1vbO7t7+weZw6OsJPOPdU7PG+bxyenZ+cXl1dCfBwAAAAAAAAAAAAAAAAD4J74ArJORxAAoAAA=
            """, format: .packetLogger)
    static let snooz1 = Packed(
        testDescription: "btsnooz 1",
        base64: """
            AbhLHhgkCgYAeJxjYQABBWYeBnaGF8wMDAJ8LIxADg+Yo+gAFGVmYGHgYmbgBosIOiiwMTABRbi1AH5RBHM=
            """, format: .btsnooz)
    static let snooz2 = Packed(
        testDescription: "btsnooz 2, cut",
        base64: "ArhLHhgkCgYAeJxjYWBhAAEFZh4GdiB8wczAIMDHwgjm8oC5ig5AJjMQc4O5gg4KbAxMDABqSgRC",
        format: .btsnooz, kept: 6)
    static let bugReport = Packed(
        testDescription: "zip",
        base64: """
            UEsDBBQAAAAIAAAAIVZs0XD1BQAAAAMAAAALAAAAdmVyc2lvbi50eHQz0jMAAFBLAwQUAAAACAAAACFWCk6lri8AAABLAAAA
            MAAAAEZTL2RhdGEvbWlzYy9ibHVldG9vdGgvbG9ncy9idHNub29wX2hjaS5sb2cubGFzdEsqKc7Lzy9gAAJGBgbmV0CaBYoh
            4NHz6+q+ayoYmXlAPHYoZkTIbUhg4WMBSQMAUEsDBBQAAAAIAAAAIVYAwYymUgAAAJIAAAArAAAARlMvZGF0YS9taXNjL2Js
            dWV0b290aC9sb2dzL2J0c25vb3BfaGNpLmxvZ0sqKc7Lzy9gAAJGBgbmV0CaBYoh4NHz6+q+BxgYmXlAPHYoZkTIHX7BwscC
            leaBYiStxy8wOQC1MAON5GIGiXJDMZIRp3cwOSiwMTAB1XBrAQBQSwMEFAAAAAgAAAAhVuwj/464AAAA2AAAAA0AAABidWdy
            ZXBvcnQudHh0bc27DoIwFADQna+4ow4kRiEaEodbqIhaquAjuBDQpgVFFGt8fL2P2f0kZziE/a06X3WmhQPdTrdneCs2Bz6C
            mEbrwKWQH29C17VWaZWdMikaxzBNEwj1g9AhyzjkfJ7OuJ/GK8YwSqBl9yF/anGF4tSGjzWwUbOxkgdXJigmjzLZEIVIR1tl
            +fuCDO67FwbMG99lWQ1q1y6kjZOSLXYWt6W0pjk+mIfkEsvI/eU09P7W36yqG2G8AVBLAQIUAxQAAAAIAAAAIVZs0XD1BQAA
            AAMAAAALAAAAAAAAAAAAAACAAQAAAAB2ZXJzaW9uLnR4dFBLAQIUAxQAAAAIAAAAIVYKTqWuLwAAAEsAAAAwAAAAAAAAAAAA
            AACAAS4AAABGUy9kYXRhL21pc2MvYmx1ZXRvb3RoL2xvZ3MvYnRzbm9vcF9oY2kubG9nLmxhc3RQSwECFAMUAAAACAAAACFW
            AMGMplIAAACSAAAAKwAAAAAAAAAAAAAAgAGrAAAARlMvZGF0YS9taXNjL2JsdWV0b290aC9sb2dzL2J0c25vb3BfaGNpLmxv
            Z1BLAQIUAxQAAAAIAAAAIVbsI/+OuAAAANgAAAANAAAAAAAAAAAAAACAAUYBAABidWdyZXBvcnQudHh0UEsFBgAAAAAEAAQA
            KwEAACkCAAAAAA==
            """, format: .btsnoop)

    /// The session as a recorder keeps it that cuts packets.
    static func session(kept: Int) -> [Sample] {
        Samples.session.map { sample in
            var cut = sample
            cut.octets = String(sample.octets.prefix(2 * kept))
            return cut
        }
    }

    /// A file that is gone when its owner is.
    final class TemporaryFile {
        let path: String

        init(_ octets: [UInt8], _ name: String = "capture") throws {
            path =
                FileManager.default.temporaryDirectory.path
                + "/blecap-test-\(UInt64.random(in: 0 ... .max))-\(name)"
            try Data(octets).write(to: URL(filePath: path))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test(arguments: [gzip, zstandard, sysdiagnose, snooz1, snooz2])
    func `what is packed gives the records inside`(_ packed: Packed) throws {
        let file = try TemporaryFile(packed.octets)
        var reader = try CaptureReader(path: file.path)
        var samples: [Sample] = []
        while let record = try reader.next() {
            var sample = Sample(record)
            if packed.format == .packetLogger { sample.foreignType = 0 }
            samples.append(sample)
        }
        #expect(samples == Self.session(kept: packed.kept))
        #expect(reader.info.format == packed.format)
        #expect(reader.tally.totalOctets == reader.offset)
    }

    @Test(arguments: [snooz1, snooz2])
    func `the block in a bug report's text gives the records inside`(_ packed: Packed) throws {
        var text = "== dumpstate\r\nbluetooth_manager:\n--- BEGIN:BTSNOOP_LOG_SUMMARY (57 bytes in) ---\n"
        text += packed.base64.replacing("\n", with: "").enumerated().map { index, character in
            index % 76 == 75 ? "\(character)\r\n" : "\(character)"
        }.joined()
        let (samples, error) = Samples.read(Array((text + "\n--- END:BTSNOOP_LOG_SUMMARY ---\nmore").utf8))
        #expect(error == nil)
        #expect(samples == Self.session(kept: packed.kept))
        let cut = Samples.read(Array(text.utf8))
        #expect(cut.error?.cause == .truncated)
        #expect(cut.samples == samples)
    }

    @Test
    func `the logs in a bug report are listed and merged, and what they share is given once`() throws {
        let file = try TemporaryFile(Self.bugReport.octets)
        let sources = try CaptureSource.find(path: file.path)
        #expect(
            sources.map { String($0.name.dropFirst(file.path.count)) } == [
                ":FS/data/misc/bluetooth/logs/btsnoop_hci.log.last",
                ":FS/data/misc/bluetooth/logs/btsnoop_hci.log",
                ":bugreport.txt",
            ])
        var set = try CaptureSet(sources)
        #expect(set.logOfFile == [0, 0, 2])
        #expect(set.info(ofFile: 2).format == .btsnooz)
        var samples: [Sample] = []
        while let record = try set.next() { samples.append(Sample(record)) }
        #expect(set.duplicateRecords == 4)
        #expect(samples.map(\.file) == [0, 0, 1, 1, 1, 1])
        #expect(
            samples.map(\.microseconds) == [-5000, -4000, 0, 1000, 2000, 3000].map { Samples.start + $0 })
        #expect(samples.dropFirst(2).map(\.octets) == Samples.session.map(\.octets))
    }

    @Test
    func `an archive without a capture says so`() throws {
        var octets = Self.bugReport.octets
        octets.removeSubrange(47...)
        let file = try TemporaryFile(octets)
        let error = #expect(throws: CaptureFileError.self) { _ = try CaptureSource.find(path: file.path) }
        guard case .archive = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
