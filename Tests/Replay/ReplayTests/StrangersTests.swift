import TestSupport
import Testing

@testable import Replay

/// The logs of strangers, where they are at hand.
@Suite struct StrangersTests {
    @Test(.corpus)
    func `every session that can be replayed is the same when its steps are done again`() throws {
        var same: [String] = []
        for name in Corpus.files {
            guard let model = try? Recording.model(path: name) else { continue }
            // The scripted host does not know what a sniffer missed.
            if model.obstacles.contains(where: { $0.kind == .notHeard || $0.kind == .closed }) { continue }
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
        #expect(
            same.contains(Corpus.path("led-controller-ledble.log"))
                && same.contains(Corpus.path("toy-car-scooter.log")))
        // Its links are encrypted by a bond.
        #expect(same.contains(Corpus.path("table-tennis-robot.log")))
    }

    @Test(.corpus)
    func `a pairing is played, and where it can't be, a part is judged`() throws {
        for name in ["pokemon-go-plus-pairing.log", "btmon-hid-keyboard.btsnoop"] {
            let model = try Recording.model(path: Corpus.path(name))
            let report = LogReplay(model).report
            #expect(
                report.verdict == (model.obstacles.isEmpty ? .same : .partlySame(model.obstacles)),
                "\(name): \(report.text)")
        }
    }
}
