import BluetoothCore
import Testing

@testable import Replay

// The first lines of a report say what was compared, and nothing else.

@Suite("What a replay counts")
struct PDUAccountTests {
    static let names = [
        "mi-band", "mobike", "two-devices", "peripheral-clock", "link-device", "handle-reuse",
        "bonded-reconnect", "uqdk-unlock",
    ]

    @Test("each PDU of the log is counted once", arguments: names)
    func once(_ name: String) throws {
        for result in LogReplay(try Recording.model("\(name).btsnoop")).report.results {
            let pdus = result.pdus
            let judged: Int = pdus.compared + pdus.played
            let others: Int = pdus.setUp + pdus.leftOut + pdus.missing.count + pdus.behind
            #expect(pdus.recorded == judged + others)
            #expect(pdus.leftOut >= 0)
        }
    }

    /// Counted by the transcript and the log alone: PDUs that passed in the replay as they stand in the log.
    @Test("what was judged passed as it stands in the log", arguments: names)
    func independently(_ name: String) throws {
        let model = try Recording.model("\(name).btsnoop")
        let replay = LogReplay(model)
        for connection in model.connections where connection.status == .success {
            let result = try #require(replay.report.results.first { $0.number == connection.number })
            var passed = replay.transcript.pdus.filter {
                $0.connection == connection.number && $0.channel == .attribute && !$0.isSetUp
            }
            var found = 0
            for pdu in connection.pdus where pdu.channel == .attribute {
                guard
                    let place = passed.firstIndex(where: { $0.side == pdu.side && $0.octets == pdu.octets })
                else { continue }
                passed.remove(at: place)
                found += 1
            }
            // What differs from run to run in a key protocol is compared in its meaning.
            if name.hasPrefix("uqdk") {
                #expect(found <= result.pdus.judged)
            } else {
                #expect(found == result.pdus.judged, "\(name), connection \(connection.number)")
            }
        }
    }

    @Test(
        "a PDU that is missing from the log changes a count or the verdict",
        arguments: ["mi-band", "mobike"])
    func everyPDUCounts(_ name: String) throws {
        let model = try Recording.model("\(name).btsnoop")
        let whole = LogReplay(model).report
        for place in model.connections.indices {
            for pdu in model.connections[place].pdus.indices
            where model.connections[place].pdus[pdu].channel == .attribute {
                var other = model
                other.connections[place].attPDUs -= 1
                other.connections[place].leaveOut([pdu])
                let report = LogReplay(other, actions: model, options: .init()).report
                let frame = model.connections[place].pdus[pdu].frame
                #expect(
                    report.word != whole.word || report.account != whole.account
                        || report.compared != whole.compared, "frame \(frame)")
            }
        }
    }

    @Test(
        "an octet that the host did not send is a difference at its PDU, or a count of what is missing",
        arguments: ["mi-band", "mobike"])
    func everyOctetCounts(_ name: String) throws {
        let model = try Recording.model("\(name).btsnoop")
        let whole = LogReplay(model).report.account
        let missing = Set(whole.missing)
        // The host does what it did, whatever the log says.
        var options = LogReplay.Options()
        options.program = { turn in
            guard case .step(let number, let step) = turn,
                let connection = model.connections.first(where: { $0.number == number })
            else { return [turn] }
            return [.step(connection: number, connection.steps[step.index])]
        }
        for place in model.connections.indices {
            for step in model.connections[place].steps where !missing.contains(step.frame) {
                for pdu in step.pdus where model.connections[place].pdus[pdu].channel == .attribute {
                    var other = model
                    let last = other.connections[place].pdus[pdu].octets.count - 1
                    guard last > 0 else { continue }
                    other.connections[place].pdus[pdu].octets[last] ^= 0x55
                    let report = LogReplay(other, actions: model, options: options).report
                    guard case .diverged(let divergence) = report.verdict else {
                        #expect(report.account.missing.contains(step.frame), "\(report.text)")
                        #expect(report.account.compared < whole.compared, "\(report.text)")
                        continue
                    }
                    let frames = [step.frame, model.connections[place].pdus[pdu].frame]
                    #expect(frames.contains(divergence.expected?.frame ?? 0), "\(report.text)")
                }
            }
        }
    }

    @Test("the first line says that most values came from the log")
    func reservation() throws {
        let text = LogReplay(try Recording.model("mi-band.btsnoop")).report.text
        let first = "SAME: 17 of 43 ATT PDUs compared, 9 host steps over 1 connection, but 3 of 3 values "
        #expect(text.hasPrefix(first + "taken from the log\n"), "\(text)")
        #expect(
            text.contains("  tolerated 14 times: discovery in another order or in other parts (discovery)"))
    }

    @Test func `the first line says that nothing was compared`() throws {
        var report = LogReplay(try Recording.model("mi-band.btsnoop")).report
        let recorded = report.account.recorded
        #expect(!report.text.contains("none of"))
        report.given = nil
        for place in report.results.indices {
            let all = report.results[place].pdus.recorded
            report.results[place].pdus = PDUAccount(recorded: all, setUp: all)
        }
        let first = "NOT COMPARED: none of \(recorded) ATT PDUs; the same in 9 host steps over 1 connection"
        #expect(report.text.hasPrefix(first), "\(report.text)")
        #expect(report.text.contains("\n  reason    the log's ATT PDUs are all of discovery and MTU"))
        #expect(report.text.contains("\n  next time let the app read, write or subscribe"))
        // Exit statuses and the names in reports of CI stay.
        #expect(report.verdict == .same && report.word == "same")
    }
}
