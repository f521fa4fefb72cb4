import Testing

@testable import Replay

/// The logs of strangers, where they are at hand.
@Suite struct StrangersTests {
    @Test(.enabled(if: !Recording.corpusFiles.isEmpty, "the corpus is not at hand"))
    func `every session that can be replayed is the same when its steps are done again`() throws {
        var same: [String] = []
        for name in Recording.corpusFiles {
            guard let model = try? Recording.model(path: Recording.corpus + "/" + name) else { continue }
            // A pairing is played to a real host alone, and the scripted host is a central.
            let isScripted = model.connections.allSatisfy { $0.pairing == nil && $0.isCentral }
            let report =
                isScripted
                ? try ScriptedHost(model, discovers: same.count % 2 == 0).run() : LogReplay(model).report
            switch report.verdict {
            case .same: same.append(name)
            case .partlySame, .notReplayable: #expect(!model.obstacles.isEmpty, "\(name): \(report.text)")
            default: Issue.record("\(name): \(report.text)")
            }
        }
        #expect(same.count >= 20)
        #expect(same.contains("led-controller-ledble.log") && same.contains("toy-car-scooter.log"))
        // Its links are encrypted by a bond.
        #expect(same.contains("table-tennis-robot.log"))
    }

    @Test(.enabled(if: !Recording.corpusFiles.isEmpty, "the corpus is not at hand"))
    func `a pairing is played, and where it can't be, a part is judged`() throws {
        for name in ["pokemon-go-plus-pairing.log", "btmon-hid-keyboard.btsnoop"] {
            let model = try Recording.model(path: Recording.corpus + "/" + name)
            let report = LogReplay(model).report
            #expect(
                report.verdict == (model.obstacles.isEmpty ? .same : .partlySame(model.obstacles)),
                "\(name): \(report.text)")
        }
    }
}
