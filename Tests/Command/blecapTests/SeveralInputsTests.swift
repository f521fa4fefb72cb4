import Foundation
import TestSupport
import Testing

/// Several files, and files of which part can't be read, as the user meets them.
@Suite struct SeveralInputsTests {
    static let session = ConvertTests.session
    static let other = PackageRoot.url.appendingPathComponent("captures/two-adapters.btsnoop").path

    @Test func `Standard input is read only once`() throws {
        for command in ["annotate", "info"] {
            let run = try CommandRun([command, "-", "-"])
            #expect(run.status == 2 && run.errors.contains("standard input can be read only once"))
        }
    }

    @Test func `Logs of two recorders are apart in pcapng, and one adapter elsewhere with a warning`() throws
    {
        let folder = try TemporaryFolder()
        let one = folder.path("one.btsnoop")
        let two = folder.path("two.btsnoop")
        let start = ["convert", "-f", "btsnoop"]
        #expect(try CommandRun(start + [Self.session, one]).status == 0)
        #expect(try CommandRun(start + ["--adapter", "0", Self.other, two]).status == 0)
        let apart = try CommandRun(["convert", one, two, folder.path("x.pcapng")])
        #expect(!apart.errors.contains("warning"), "\(apart.errors)")
        let shown = try CommandRun(["info", "--adapter", "1", folder.path("x.pcapng")])
        #expect(shown.text.contains("ATT"))
        let mixed = try CommandRun(["convert", one, two, folder.path("x.pcap")])
        #expect(mixed.errors.contains("2 adapters of 2 recorders are one in pcap"), "\(mixed.errors)")
        let adapters = try CommandRun(start + [Self.other, folder.path("y.btsnoop")])
        #expect(adapters.errors.contains("keep one with --adapter N"), "\(adapters.errors)")
    }

    /// A btsnoop file of answers to Reset, a millisecond apart, with the recorder's counts of drops.
    private static func log(drops: [UInt8], second: UInt8) -> Data {
        var octets = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        for (index, count) in drops.enumerated() {
            // Microseconds since the year 0, which the lowest three octets of eight tell apart.
            let time = UInt32(second) * 1_000_000 + UInt32(index) * 1000
            let low = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) }
            octets += [0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, count, 0x00, 0xE2, 0x4F, 0x62] + low
            octets += [4, 0x0E, 4, 1, 3, 0x0C, UInt8(index)]
        }
        return Data(octets)
    }

    @Test(
        arguments: [
            // Recorders that start again with each part, and such that count on.
            ([0, 5, 5], [0, 3, 3]), ([0, 5, 5], [5, 5, 8]),
        ] as [([UInt8], [UInt8])])
    func `Drops of the parts of a log that was rotated are told once each`(
        first: [UInt8], second: [UInt8]
    ) throws {
        let folder = try TemporaryFolder()
        let names = ["btsnoop_hci.log.last", "btsnoop_hci.log"].map(folder.path)
        try Self.log(drops: first, second: 1).write(to: URL(fileURLWithPath: names[0]))
        try Self.log(drops: second, second: 11).write(to: URL(fileURLWithPath: names[1]))
        let run = try CommandRun(["convert"] + names + [folder.path("x.pcap")])
        #expect(run.errors.contains("not held by pcap: 8 counts of dropped packets"), "\(run.errors)")
        #expect(!run.errors.contains("warning"), "\(run.errors)")
        // The losses are told where they were: in the parts, and in what is written of both.
        let copies = ["x.btsnoop", "x.pcapng"].map(folder.path)
        for copy in copies { #expect(try CommandRun(["convert"] + names + [copy]).status == 0) }
        let annotated = folder.path("annotated.pcapng")
        let ending = ["--format", "pcapng", "-o", annotated]
        #expect(try CommandRun(["annotate"] + names + ending).status == 0)
        for inputs in [names] + (copies + [annotated]).map({ [$0] }) {
            let text = try CommandRun(["annotate", "--all"] + inputs).text
            #expect(text.contains("\nincomplete: the recorder lost 8 packets\n"), "\(text)")
            #expect(text.contains("the recorder lost 5 packets before this one"), "\(text)")
            #expect(text.contains("the recorder lost 3 packets before this one"), "\(text)")
        }
    }

    @Test func `Files that may be parts of one log are read apart, which is said, or as one where asked`()
        throws
    {
        let folder = try TemporaryFolder()
        let names = ["monday.btsnoop", "tuesday.btsnoop"].map(folder.path)
        let start = ["convert", "-f", "btsnoop", "--frames"]
        #expect(try CommandRun(start + ["1-200", Self.session, names[0]]).status == 0)
        #expect(try CommandRun(start + ["201-", Self.session, names[1]]).status == 0)
        let hint = "--one-log reads them as parts of one log"
        for command in [
            ["info", "--one-timeline"], ["annotate", "--one-timeline"], ["annotate", "-f", "ndjson"],
        ] {
            let apart = try CommandRun(command + names)
            #expect(apart.status == 0 && apart.errors.contains(hint), "\(apart.errors)")
            #expect(apart.errors.split(separator: "\n").count == 1)
            let joined = try CommandRun(command + ["--one-log"] + names.reversed())
            #expect(joined.status == 0 && joined.errors.isEmpty, "\(joined.errors)")
        }
        let joined = try CommandRun(["annotate", "-f", "ndjson", "--one-log"] + names)
        #expect(joined.text.split(separator: "\n").count { $0.contains("\"kind\":\"connection\"") } == 1)
        #expect(joined.text.contains("\"last_file\":\"\(names[1])\""))
        let apart = try CommandRun(["annotate", "-f", "ndjson"] + names)
        #expect(apart.text.split(separator: "\n").count { $0.contains("\"kind\":\"connection\"") } == 2)
        // Logs of the same time are of two recorders, and one whose name says what it continues is no guess.
        let both = ["rim.btsnoop", "middle.btsnoop"].map(folder.path)
        #expect(try CommandRun(start + ["1-100", "--frames", "150-", Self.session, both[0]]).status == 0)
        #expect(try CommandRun(start + ["101-149", Self.session, both[1]]).status == 0)
        #expect(try CommandRun(["info", "--one-timeline"] + both).errors.isEmpty)
        let rotated = ["x.log.last", "x.log"].map(folder.path)
        for (from, to) in zip(names, rotated) { try FileManager.default.copyItem(atPath: from, toPath: to) }
        #expect(try CommandRun(["info"] + rotated).errors.isEmpty)
        let written = try CommandRun(["convert"] + names + [folder.path("both.pcapng")])
        #expect(written.errors.contains(hint), "\(written.errors)")
    }

    @Test func `More adapters than pcapng is given are warned of`() throws {
        let folder = try TemporaryFolder()
        let names = (0..<17).map { folder.path("host\($0 + 100).btsnoop") }
        for (index, name) in names.enumerated() {
            try Self.log(drops: [0], second: UInt8(index * 2)).write(to: URL(fileURLWithPath: name))
        }
        let most = try CommandRun(["convert"] + names.dropLast() + [folder.path("16.pcapng")])
        #expect(!most.errors.contains("warning"), "\(most.errors)")
        let more = try CommandRun(["convert"] + names + [folder.path("17.pcapng")])
        #expect(more.errors.contains("warning: pcapng holds 16 adapters; "), "\(more.errors)")
        #expect(more.errors.contains("; write fewer logs together\n"), "\(more.errors)")
        let annotate = ["annotate", "--force", "--format", "pcapng", "-o", folder.path("annotated.pcapng")]
        let fewer = try CommandRun(annotate + names.dropLast())
        #expect(!fewer.errors.contains("warning"), "\(fewer.errors)")
        let all = try CommandRun(annotate + names)
        #expect(all.errors.contains("; write fewer logs together\n"), "\(all.errors)")
    }

    /// A pcapng file of answers to Reset on these of 20 interfaces.
    private static func pcapng(interfaces: [UInt8]) -> Data {
        func block(_ type: [UInt8], _ body: [UInt8]) -> [UInt8] {
            let length: [UInt8] = [UInt8(body.count + 12), 0, 0, 0]
            return type + length + body + length
        }
        let section: [UInt8] = [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0] + Array(repeating: 0xFF, count: 8)
        var octets = block([0x0A, 0x0D, 0x0D, 0x0A], section)
        for _ in 0..<20 { octets += block([1, 0, 0, 0], [201, 0, 0, 0, 0, 0, 4, 0]) }
        for (index, interface) in interfaces.enumerated() {
            var packet: [UInt8] = [interface, 0, 0, 0, 0, 0, 0, 0, UInt8(index), 0, 0, 0, 11, 0, 0, 0]
            packet += [11, 0, 0, 0, 0, 0, 0, 1, 4, 0x0E, 4, 1, 3, 0x0C, 0, 0]
            octets += block([6, 0, 0, 0], packet)
        }
        return Data(octets)
    }

    @Test func `Adapters of high numbers are told apart, and warned of where they are too many`() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.pcapng")
        func convert(_ interfaces: [UInt8], _ options: [String] = []) throws -> String {
            try Self.pcapng(interfaces: interfaces).write(to: URL(fileURLWithPath: input))
            let run = try CommandRun(["convert", "--force"] + options + [input, folder.path("out.pcapng")])
            #expect(run.status == 0)
            return run.errors
        }
        for (interfaces, options) in [([18, 18], []), ([0, 18], []), ([0, 18], ["--adapter", "18"])] {
            let errors = try convert(interfaces.map { UInt8($0) }, options)
            #expect(!errors.contains("warning") && !errors.contains("not held"), "\(errors)")
        }
        let errors = try convert((0..<20).map { UInt8($0) })
        #expect(errors.contains("pcapng holds 16 adapters; "), "\(errors)")
        #expect(errors.contains("; keep one with --adapter N\n"), "\(errors)")
    }

    @Test func `A frame of one of several files is asked for as it is shown`() throws {
        let run = try CommandRun(["annotate", "--frames", "2:5-6", "--all", Self.session, Self.other])
        #expect(run.text.contains("2 of "), "\(run.text)")
    }

    @Test(.process) func `A folder of temporary files that is not there is the environment's fault`() throws {
        let folder = try TemporaryFolder()
        let words = ["-C", "/", "-cf", folder.path("x.tar"), String(Self.session.dropFirst())]
        #expect(try ProgramRun("/bin/tar", words).status == 0)
        let run = try CommandRun.process(
            ["annotate", folder.path("x.tar")], environment: ["TMPDIR": folder.path("none")])
        #expect(run.status == 4)
        #expect(run.errors.contains(folder.path("none")) && run.errors.contains("TMPDIR"), "\(run.errors)")
    }
}
