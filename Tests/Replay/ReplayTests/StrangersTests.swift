import Replay
import Testing

/// The logs of strangers, where they are at hand.
@Suite struct StrangersTests {
    @Test(.enabled(if: !Recording.corpusFiles.isEmpty, "the corpus is not at hand"))
    func `every session that can be replayed is the same when its steps are done again`() throws {
        var same: [String] = []
        for name in Recording.corpusFiles {
            guard let model = try? Recording.model(path: Recording.corpus + "/" + name) else { continue }
            let report = try ScriptedHost(model, discovers: same.count % 2 == 0).run()
            if model.obstacles.isEmpty {
                #expect(report.verdict == .same, "\(name): \(report.text)")
                same.append(name)
            } else {
                #expect(report.verdict == .notReplayable(model.obstacles), "\(name)")
            }
        }
        #expect(same.count >= 20)
        #expect(same.contains("led-controller-ledble.log") && same.contains("toy-car-scooter.log"))
    }

    @Test(.enabled(if: !Recording.corpusFiles.isEmpty, "the corpus is not at hand"))
    func `a part of a session that can't be replayed wholly is judged where that is allowed`() throws {
        var options = ReplayOptions()
        options.allowPartial = true
        for name in [
            "pokemon-go-plus-pairing.log", "btmon-hid-keyboard.btsnoop", "table-tennis-robot.log",
        ] {
            let model = try Recording.model(path: Recording.corpus + "/" + name)
            let report = try ScriptedHost(model, options: options).run()
            #expect(report.isPartial && report.leftOut == model.obstacles)
            #expect(report.verdict == .same, "\(name): \(report.text)")
            #expect(report.text.hasPrefix("PARTLY SAME"))
        }
    }
}
