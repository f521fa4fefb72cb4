import Foundation
import Testing

/// What the page of `blecap report` says about the clocks of several logs.
@Suite struct ReportTests {
    /// Writes the two sides of one simulated session, the car's with times later by `apart` microseconds.
    private static func session(
        in folder: TemporaryFolder, apart: Int64
    ) throws -> (phone: String, car: String) {
        let (phone, car) = (folder.path("phone.btsnoop"), folder.path("car.btsnoop"))
        for (words, path) in [(["drive", "uqdk"], phone), (["simulate", "car"], car)] {
            let run = try CommandRun(
                words + ["unlock", "--adapter", "simulator", "--seed", "7", "--record", path])
            #expect(run.status == 0, "\(run.errors)")
        }
        try shift(car, by: apart)
        return (phone, car)
    }

    /// Adds microseconds to all times of a btsnoop file.
    private static func shift(_ path: String, by microseconds: Int64) throws {
        var octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(_ place: Int, _ count: Int) -> Int64 {
            octets[place..<place + count].reduce(0) { $0 << 8 | Int64($1) }
        }
        var place = 16
        while place < octets.count {
            let time = number(place + 16, 8) + microseconds
            for index in 0..<8 {
                octets[place + 16 + index] = UInt8(truncatingIfNeeded: time >> (56 - 8 * index))
            }
            place += 24 + Int(number(place + 4, 4))
        }
        try Data(octets).write(to: URL(fileURLWithPath: path))
    }

    /// The page's sentences about its logs.
    private static func notes(_ arguments: [String]) throws -> [String] {
        let run = try CommandRun(["report", "--keys", "none"] + arguments)
        #expect(run.status == 0, "\(run.errors)")
        return run.text.matches(of: #/<p class="note" role="note">(.*)</p>/#).map { String($0.1) }
    }

    @Test(arguments: [0, 1_250_000, -86_400_000_000, 3_141] as [Int64])
    func `a phone's and a car's log come on one timeline`(apart: Int64) throws {
        let folder = try TemporaryFolder()
        let (phone, car) = try Self.session(in: folder, apart: apart)
        let note = try #require(try Self.notes([phone, car]).first)
        #expect(note.contains(" s to the clock of file 1, within \u{B1} "))
        let numbers = #/File 2: times moved by ([-+][\d.]+) s .* ± ([\d.]+) ms, from (\d+) packets/#
        let found = try #require(note.firstMatch(of: numbers), "\(note)")
        let (offset, within) = (try #require(Double(found.1)), try #require(Double(found.2)))
        #expect(abs(offset * 1e6 + Double(apart)) <= within * 1000)
        #expect(try within < 100 && #require(Int(found.3)) > 20)
        let moved = try Self.notes(["--offset", "2:\(-Double(apart) / 1e6)", phone, car])
        #expect(moved.count { $0.hasSuffix("(--offset).") } == 1)
        // The messages that need a key.
        #expect(moved.dropFirst().allSatisfy { $0.hasPrefix("not read: ") }, "\(moved)")
    }

    @Test func `logs without common packets say that their clocks are not matched`() throws {
        let band = PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path
        let notes = try Self.notes([AnnotateTests.session, band])
        #expect(notes.count { $0.hasPrefix("File 2: clocks not matched") } == 1)
        #expect(try Self.notes([band]).isEmpty)
    }

    @Test func `a page among the logs brings the option that was meant`() throws {
        let folder = try TemporaryFolder()
        let page = folder.path("page.html")
        let meant = try CommandRun(["report", AnnotateTests.session, page])
        #expect(meant.status == 3 && meant.errors.contains("blecap report -o \(page) "), "\(meant.errors)")
        #expect(try CommandRun(["report", "-o", page, AnnotateTests.session]).status == 0)
        let again = try CommandRun(["report", AnnotateTests.session, page])
        #expect(again.status == 3 && again.errors.contains("a page, not a log"), "\(again.errors)")
    }

    @Test(arguments: ["2", "0:1", "3:1", "2:x", "2:", "2:1:1"])
    func `an offset that moves no file is wrong usage`(text: String) throws {
        let run = try CommandRun(["report", "--offset", text, AnnotateTests.session, AnnotateTests.session])
        #expect(run.status == 2 && run.errors.contains("--offset"), "\(run.errors)")
    }
}
