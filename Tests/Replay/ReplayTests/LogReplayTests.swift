import CaptureFile
import Foundation
import TestSupport
import Testing
import UQDK

@testable import Replay

/// The whole stack from the manager to the fake adapter, driven by the log.
@Suite struct LogReplayTests {
    static func options(_ name: String = "uqdk-unlock") throws -> LogReplay.Options {
        var options = LogReplay.Options()
        options.knowledge = UQDKKnowledge(
            keys: try KeyStore(json: try PackageFile.octets("captures/\(name).keys.json")))
        return options
    }

    @Test func `the digital-key session goes through the real stack and comes out the same`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let replay = LogReplay(model, options: try Self.options())
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.masked.isEmpty)
        #expect(replay.report.compared >= 23)
        let text = String(decoding: replay.transcriptOctets, as: UTF8.self)
        for name in ["ACTIVATE", "authenticate", "DOOR_UNLOCK", "STATUS_QUERY", "DOOR_LOCK"] {
            #expect(text.contains("\(name) ok"), "\(name)")
        }
    }

    @Test(arguments: ["mi-band", "mobike", "link-device", "peripheral-clock", "two-devices"])
    func `sessions of other devices go through plain calls`(name: String) throws {
        let replay = LogReplay(try Recording.model("\(name).btsnoop"))
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.notes.isEmpty)
    }

    @Test(arguments: [
        PlacementPolicy.recorded, .earliest, .latest, .shuffle(seed: 1), .shuffle(seed: 2),
        .shuffle(seed: 3),
    ])
    func `no policy breaks a timer of the program that the log's time kept`(policy: PlacementPolicy) throws {
        for (name, _) in SameTests.plain where name != "uqdk-refusals.btsnoop" {
            var options = try Self.options()
            options.replay.policy = policy
            let replay = LogReplay(try Recording.model(name), options: options)
            #expect(replay.report.verdict == .same, "\(name): \(replay.text)")
        }
    }

    @Test func `without its key a session's messages are sent as recorded, and the report says so`() throws {
        for name in ["uqdk-unlock.btsnoop", "uqdk-refusals.btsnoop"] {
            let replay = LogReplay(try Recording.model(name))
            #expect(replay.report.isPartial, "\(replay.text)")
            #expect(replay.report.leftOut.allSatisfy { $0.kind == .missingKey && $0.frame > 0 })
            #expect((replay.report.given ?? 0) >= 20)
            #expect(
                replay.text.contains("connection 1: without the session's key, messages are sent as recorded")
            )
        }
    }

    @Test func `an octet changed in what is expected is found at its PDU, for every PDU`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let options = try Self.options()
        var tried = 0
        for step in model.connections[0].steps where step.isRequired {
            guard let place = step.pdus.first else { continue }
            let count = model.connections[0].pdus[place].octets.count
            for octet in Set([1, 3, count / 2, count - 1]) where octet < count {
                var changed = model
                changed.connections[0].pdus[place].octets[octet] ^= 0x01
                let replay = LogReplay(changed, actions: model, options: options)
                guard case .diverged(let divergence) = replay.report.verdict else {
                    Issue.record("frame \(step.frame), byte \(octet): \(replay.text)")
                    continue
                }
                #expect(divergence.expected?.frame == step.frame, "byte \(octet): \(replay.text)")
                tried += 1
            }
        }
        #expect(tried > 70)
    }

    @Test func `an octet changed in the log itself is found in its message`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let options = try Self.options()
        let visit = try #require(UQDKVisit(model.connections[0], options.knowledge))
        var tried = 0
        // What was sent broken on purpose is sent as recorded, and says so.
        for request in visit.requests where !request.isBroken {
            for frame in request.frames {
                let place = try #require(model.connections[0].pdus.firstIndex { $0.frame == frame })
                for octet in [4, model.connections[0].pdus[place].octets.count - 1] {
                    var changed = model
                    changed.connections[0].pdus[place].octets[octet] ^= 0x01
                    let replay = LogReplay(changed, options: options)
                    switch replay.report.verdict {
                    case .diverged(let divergence):
                        let found = divergence.expected?.frame ?? 0
                        #expect(
                            request.frames.contains(found), "frame \(frame), byte \(octet): \(replay.text)")
                    case .same: Issue.record("frame \(frame), byte \(octet) was not found")
                    // A message that is no longer of the protocol can't be called.
                    case .stuck, .partlySame, .notReplayable, .unfinished: break
                    }
                    tried += 1
                }
            }
        }
        #expect(tried > 30)
    }

    @Test func `a message that is wrong in the log is found, and the report says why`() throws {
        let options = try Self.options()
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let visit = try #require(UQDKVisit(model.connections[0], options.knowledge))
        let request = try #require(visit.requests.first { $0.name == "DOOR_UNLOCK" })
        var fields: Set<String> = []
        for (frame, value) in zip(request.frames, request.values) {
            let place = try #require(model.connections[0].pdus.firstIndex { $0.frame == frame })
            for offset in value.indices {
                fields.insert(try #require(visit.field(at: offset, ofValueIn: frame)))
                guard offset > 9 || frame != request.frames[0] else { continue }
                var changed = model
                changed.connections[0].pdus[place].octets[3 + offset] ^= 1
                let text = LogReplay(changed, options: options).text
                #expect(
                    text.contains(" of DOOR_UNLOCK, whose ") && text.contains(" is wrong in the log")
                        || offset < 2 && text.contains("of DOOR_UNLOCK"),
                    "frame \(frame), byte \(offset): \(text)")
            }
        }
        #expect(
            fields.isSuperset(of: [
                "fragment header", "command in the header", "length in the header", "secured counter",
                "ciphertext", "tag", "checksum",
            ]))
    }

    @Test func `a log cut in the middle of a fragment is judged as far as it goes, and says why`() throws {
        let octets = try PackageFile.octets("captures/uqdk-unlock.btsnoop")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("cut.btsnoop").path
        try Data(octets[..<(octets.count * 3 / 4 - 5)]).write(to: URL(fileURLWithPath: path))
        var captures = try CaptureSet(paths: [path])
        let model = try SessionModel(reading: &captures)
        let replay = LogReplay(model, options: try Self.options())
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.contains { $0.kind == .damagedFile || $0.kind == .endsInPDU })
        #expect(replay.text.hasPrefix("PARTLY SAME"))
    }

    @Test func `a hundred runs give one transcript`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let options = try Self.options()
        let first = LogReplay(model, options: options).transcriptOctets
        #expect(first.count > 10_000)
        for _ in 1..<100 where LogReplay(model, options: options).transcriptOctets != first {
            Issue.record("another transcript")
            return
        }
    }
}
