import Foundation
import Testing

@Suite struct ConvertTests {
    static let session = PackageRoot.url.appendingPathComponent("captures/uqdk-unlock.btsnoop").path

    /// A folder that is gone after the test.
    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func octets(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test func `There and back gives the same octets, by suffix and by format`() throws {
        try Self.withFolder { folder in
            let there = folder.appendingPathComponent("x.pcapng").path
            let back = folder.appendingPathComponent("x.btsnoop").path
            let other = folder.appendingPathComponent("x.pcap").path
            for (input, output) in [(Self.session, there), (there, other), (other, back)] {
                let run = try CommandRun(["convert", input, output])
                #expect(run.status == 0 && run.text.isEmpty)
                #expect(run.errors.contains("302 records into") && !run.errors.contains("not held"))
            }
            let (first, last) = (try Self.octets(Self.session), try Self.octets(back))
            #expect(first == last)
            let piped = try CommandRun(
                ["convert", "--format", "monitor", "-", "-"], input: try Self.octets(other))
            let written = try Self.octets(back)
            #expect(piped.status == 0 && piped.output == written)
        }
    }

    @Test func `What the format can't hold is counted`() throws {
        try Self.withFolder { folder in
            let run = try CommandRun(["convert", Self.session, folder.appendingPathComponent("x.pklg").path])
            #expect(run.status == 0)
            #expect(run.errors.contains("not held by packetlogger: "))
            #expect(run.errors.contains("notes of the recorder"))
        }
    }

    @Test func `Filters leave records out and say how many`() throws {
        try Self.withFolder { folder in
            let path = folder.appendingPathComponent("x.btsnoop").path
            let run = try CommandRun(["convert", "--frames", "1-10", Self.session, path])
            #expect(
                run.errors.contains("10 records into") && run.errors.contains("292 did not pass the filter"))
            let (whole, part) = (try Self.octets(Self.session), try Self.octets(path))
            #expect(part == whole.prefix(part.count))
        }
    }

    @Test func `A damaged input gives what stands before the damage, and status 3`() throws {
        try Self.withFolder { folder in
            let cut = folder.appendingPathComponent("cut.log").path
            try Self.octets(Self.session).dropLast(1).write(to: URL(fileURLWithPath: cut))
            let run = try CommandRun(["convert", cut, folder.appendingPathComponent("x.pcap").path])
            #expect(run.status == 3)
            #expect(run.errors.contains("301 records into") && run.errors.contains("record 302, offset "))
        }
    }

    @Test func `Wrong usage and a full disk have their own statuses`() throws {
        try Self.withFolder { folder in
            let copy = folder.appendingPathComponent("copy.btsnoop").path
            try Self.octets(Self.session).write(to: URL(fileURLWithPath: copy))
            #expect(try CommandRun(["convert", copy, copy]).status == 2)
            let (first, last) = (try Self.octets(Self.session), try Self.octets(copy))
            #expect(first == last)
            #expect(try CommandRun(["convert", copy, folder.path + "/x.foo"]).status == 2)
            #expect(try CommandRun(["convert", copy, "-"]).status == 2)
            #expect(try CommandRun(["convert", folder.path + "/none", folder.path + "/x.pcap"]).status == 3)
            #expect(try CommandRun(["convert", "--format", "pcap", copy, "/dev/full"]).status == 4)
        }
    }
}
