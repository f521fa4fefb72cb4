import Testing

/// What the end of the annotation offers of logs whose visits to the car have no key.
@Suite struct ReplayOfferTests {
    /// The session with some of its frames, as a log of its own.
    private static func log(_ frames: [String], in folder: borrowing TemporaryFolder) throws -> String {
        let path = folder.path("visit.btsnoop")
        let ranges = frames.flatMap { ["--frames", $0] }
        let run = try CommandRun(["convert", "-f", "monitor"] + ranges + [ConvertTests.session, path])
        #expect(run.status == 0, "\(run.errors)")
        return path
    }

    private static func offers(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("next: blecap replay ") }
    }

    @Test func `A visit that needs no key is offered without one, and replays`() throws {
        let folder = try TemporaryFolder()
        // Up to the status that the car refuses to tell in clear.
        let path = try Self.log(["1-214"], in: folder)
        let offers = Self.offers(try CommandRun(["annotate", path]).text)
        #expect(offers.count == 1 && offers.first?.hasPrefix("next: blecap replay \(path)") == true)
        let replay = try CommandRun(["replay", path])
        #expect(replay.status == 0 && replay.text.hasPrefix("SAME: "), "\(replay.text)")
    }

    @Test func `A visit that names no key is not offered, since no file of keys helps`() throws {
        let folder = try TemporaryFolder()
        // Without activation and authentication: secured commands alone are left.
        let path = try Self.log(["1-214", "246-"], in: folder)
        for keys in [[], ["--keys", SimulateTests.keys]] {
            let run = try CommandRun(["annotate"] + keys + [path])
            #expect(run.status == 0 && Self.offers(run.text).isEmpty, "\(Self.offers(run.text))")
            #expect(try CommandRun(["replay"] + keys + [path]).status == 5)
        }
    }
}
