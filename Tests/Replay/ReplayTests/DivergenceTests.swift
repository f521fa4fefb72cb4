import BluetoothCore
import Replay
import Testing

@Suite struct DivergenceTests {
    static func steps(_ model: SessionModel) -> [HostStep] {
        model.connections[0].steps.filter(\.isRequired)
    }

    @Test func `one octet changed in what the host writes is found at that PDU`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        var count = 0
        for step in Self.steps(model) {
            guard case .write(let handle, let value, let withResponse) = step.action else { continue }
            for place in Set([0, value.count / 2, value.count - 1]).sorted() {
                var changed = step
                var other = value
                other[place] ^= 0x10
                changed.action = .write(handle: handle, value: other, withResponse: withResponse)
                let sent = changed
                let report = try ScriptedHost(model) { $0.frame == sent.frame ? sent : $0 }.run()
                guard case .diverged(let divergence) = report.verdict else {
                    Issue.record("frame \(step.frame), byte \(place): \(report.text)")
                    continue
                }
                #expect(divergence.expected?.frame == step.frame)
                #expect(divergence.firstDifference == 3 + place)
                #expect(report.text.contains("frame \(step.frame)"))
                count += 1
            }
        }
        #expect(count == 60)
    }

    @Test func `one octet changed in what is expected is found at that PDU`() throws {
        let original = try Recording.model("uqdk-unlock.btsnoop")
        for step in Self.steps(original) {
            guard let place = step.pdus.first else { continue }
            for octet in original.connections[0].pdus[place].octets.indices {
                // A log whose opcode is another is another log; a handle or a value is what is tested.
                guard octet > 0, octet < 5 || octet % 5 == 0 else { continue }
                var model = original
                model.connections[0].pdus[place].octets[octet] ^= 0x40
                let report = try ScriptedHost(model) { turn in
                    Self.steps(original).first { $0.frame == turn.frame } ?? turn
                }.run()
                guard case .diverged(let divergence) = report.verdict else {
                    Issue.record("frame \(step.frame), byte \(octet): \(report.text)")
                    continue
                }
                #expect(divergence.expected?.frame == step.frame, "byte \(octet)")
            }
        }
    }

    @Test func `a host that does nothing at its turn is stuck there`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        for step in Self.steps(model) {
            let report = try ScriptedHost(model) { $0.frame == step.frame ? nil : $0 }.run()
            guard case .stuck(let stuck) = report.verdict else {
                Issue.record("frame \(step.frame): \(report.text)")
                continue
            }
            #expect(stuck.expected?.frame == step.frame)
            #expect(report.text.hasPrefix("STUCK"))
        }
    }

    @Test func `a step left out is found at the next`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let steps = Self.steps(model)
        for (skipped, next) in zip(steps.dropFirst(2), steps.dropFirst(3)) {
            let report = try ScriptedHost(model) { $0.frame == skipped.frame ? next : $0 }.run()
            guard case .diverged(let divergence) = report.verdict else {
                Issue.record("frame \(skipped.frame): \(report.text)")
                continue
            }
            #expect(divergence.expected?.frame == skipped.frame)
            if next.octets0 != nil {
                #expect(divergence.nearest == .init(frame: next.frame, wasSeen: false))
            }
        }
    }

    @Test func `the report shows both sides and points at the octet`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        var options = ReplayOptions()
        options.describe = { $0.octets.first == 0x12 ? "a write" : nil }
        options.stateLines = { ["auth state: begun"] }
        let report = try ScriptedHost(model, options: options) { step in
            guard step.frame == 240, case .write(let handle, var value, _) = step.action else { return step }
            value[3] = 0xAA
            var changed = step
            changed.action = .write(handle: handle, value: value, withResponse: true)
            return changed
        }.run()
        let lines = report.text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("DIVERGED #1 at "))
        #expect(lines[0].hasSuffix(" s, frame 240, tier semantic, connection 1"))
        let name = "5551444B-0002-4449-4749-54414C4B4559"
        let values = ["0481edd1b15fa9", "0481edaab15fa9"]
        #expect(
            lines[1]
                == "  in words  the stack wrote \(values[1]) to \(name), but the recorded host wrote \(values[0]) "
                + "to \(name)")
        #expect(
            lines[2] == "  expected  ATT Write Request 0x0010 \(name) 0481edd1b15fa9  a write")
        #expect(
            lines[3] == "  got       ATT Write Request 0x0010 \(name) 0481edaab15fa9  a write")
        let place = try #require(lines[2].split(separator: "d1b15fa9").first).count
        #expect(lines[4] == String(repeating: " ", count: place) + "^^")
        #expect(report.text.contains("  before    "))
        #expect(report.text.contains("auth state: begun"))
        #expect(report.text.contains("connection 1 to 02:55:51:00:00:01 open, ATT_MTU 23"))
    }

    @Test func `an end that comes early and one for another reason are found`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let steps = Self.steps(model)
        let last = try #require(steps.last)
        let early = try ScriptedHost(model) { $0.frame == 254 ? last : $0 }.run()
        guard case .diverged(let found) = early.verdict else {
            Issue.record("\(early.text)")
            return
        }
        #expect(found.expected?.frame == 254)
        #expect(found.other == "disconnect, reason \(HCIStatus.remoteUserTerminatedConnection)")
        let other = try ScriptedHost(model) { step in
            guard step.frame == last.frame else { return step }
            var changed = step
            changed.action = .disconnect(.remoteDeviceTerminatedConnectionDueToPowerOff)
            return changed
        }.run()
        #expect(other.verdict.word == "diverged")
    }

    @Test func `a masked octet is not compared, and the report says so`() throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let mask = VolatileMask(frame: 240, range: 5..<10, reason: "no key")
        var options = ReplayOptions()
        options.masks = [mask]
        for (octet, word) in [(2, "same"), (6, "same"), (1, "diverged")] {
            let report = try ScriptedHost(model, options: options) { step in
                guard step.frame == 240, case .write(let handle, var value, _) = step.action else {
                    return step
                }
                value[octet] ^= 0xFF
                var changed = step
                changed.action = .write(handle: handle, value: value, withResponse: true)
                return changed
            }.run()
            #expect(report.verdict.word == word)
            #expect((report.masked == [mask]) == (word == "same"))
            #expect(report.text.contains("no key") == (word == "same"))
        }
    }
}

extension HostStep {
    /// Whether it is a PDU.
    var octets0: [UInt8]? {
        if case .disconnect = action { return nil }
        return []
    }
}
