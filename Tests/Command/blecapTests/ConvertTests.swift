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
            #expect(run.errors.contains("not held by PacketLogger: "))
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
            let nowhere = try CommandRun(["convert", copy, folder.path + "/none/x.pcap"])
            #expect(nowhere.status == 4)
            #expect(nowhere.errors.hasSuffix("/none/x.pcap: can't create: No such file or directory\n"))
        }
    }

    @Test func `The same file twice gives each record once`() throws {
        try Self.withFolder { folder in
            let path = folder.appendingPathComponent("x.btsnoop").path
            let run = try CommandRun(["convert", Self.session, Self.session, path])
            #expect(run.status == 0 && run.errors.contains("302 records into"))
            #expect(run.errors.contains("left out: 302 were in two files"))
            let (once, twice) = (try Self.octets(Self.session), try Self.octets(path))
            #expect(once == twice)
        }
    }

    @Test(arguments: ["btsnoop", "pcapng"])
    func `What a filter writes has every fragment of what passes`(format: String) throws {
        try Self.withFolder { folder in
            let path = folder.appendingPathComponent("x." + format).path
            let log = PackageRoot.url.appendingPathComponent("captures/two-adapters.btsnoop").path
            let run =
                format == "btsnoop"
                ? try CommandRun(["convert", "--only", "att", log, path])
                : try CommandRun(["annotate", "-fpcapng", "-o", path, "--only", "att", log])
            #expect(run.status == 0)
            /// Of each ATT PDU its opcode and its value.
            func values(of path: String) throws -> [String] {
                let lines = try CommandRun(["annotate", "-fndjson", "--only", "att", path]).text
                #expect(!lines.contains("fragment-without-start"))
                return lines.split(separator: "\n").compactMap { line in
                    guard let att = line.firstRange(of: "\"att\":") else { return nil }
                    let members = line[att.upperBound...].split(separator: ",")
                    return members.filter { $0.contains("\"opcode\"") || $0.contains("\"value\"") }.joined()
                }
            }
            let (before, after) = (try values(of: log), try values(of: path))
            #expect(before.count >= 73 && before == after)
        }
    }

    /// A capture as pcap of link type 187, which keeps no direction.
    private static func withoutDirections(_ log: String, in folder: URL) throws -> String {
        let with = folder.appendingPathComponent("with.pcap").path
        #expect(try CommandRun(["convert", "--format", "pcap", log, with]).status == 0)
        let octets = [UInt8](try Self.octets(with))
        var out = Array(octets[..<20]) + [187, 0, 0, 0]
        var place = 24
        while place + 16 <= octets.count {
            let length = (0..<4).reduce(0) { $0 | Int(octets[place + 8 + $1]) << (8 * $1) }
            let kept = UInt32(length - 4)
            let lengths = (0..<4).map { UInt8(truncatingIfNeeded: kept >> (8 * $0)) }
            out += octets[place..<place + 8] + lengths + lengths
            out += octets[(place + 20)..<(place + 16 + length)]
            place += 16 + length
        }
        let path = folder.appendingPathComponent("without.pcap").path
        try Data(out).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `Directions that the input does not keep are inferred, and counted as that`() throws {
        try Self.withFolder { folder in
            let bare = try Self.withoutDirections(Self.session, in: folder)
            let path = folder.appendingPathComponent("x.pcap").path
            let run = try CommandRun(["convert", bare, path])
            #expect(run.status == 0 && !run.errors.contains("not held by pcap"))
            #expect(run.errors.contains("107 directions (inferred, and marked as inferred)"))
            let (with, again) = (
                try Self.octets(folder.appendingPathComponent("with.pcap").path), try Self.octets(path)
            )
            #expect(with == again)
        }
    }

    @Test func `A capture is not written to a terminal`() throws {
        let log = PackageRoot.url.appendingPathComponent("captures/mobike.btsnoop").path
        let run = try CommandRun(["convert", log, "-", "--format", "pcapng"], columns: 80)
        #expect(run.status == 2)
        #expect(run.text.contains("a capture can't be written to a terminal"), "\(run.text)")
    }
}
