import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// Commands that wait for their answer: which are told of, and which of them are kept.
@Suite struct WaitingCommandTests {
    private static let publicAddress = "0910 00"
    private static let publicAddressIs = "0E 0A 01 0910 00 665544332211"
    private static let version = "0110 00"
    private static let versionIs = "0E 0C 01 0110 00 0C 0000 0C 0F00 0000"
    private static let features = "0310 00"
    private static let featuresAre = "0E 0C 01 0310 00 0000000000000000"
    private static let buffers = "0510 00"
    private static let buffersAre = "0E 0B 01 0510 00 0000 00 0000 0000"

    /// A log in which each of these packets, in hexadecimal, is a record; a number waits as many seconds.
    private func trace(_ steps: [String]) -> Trace {
        var trace = Trace()
        for step in steps {
            if let seconds = Double(step) {
                trace.wait(seconds: seconds)
            } else if step.hasPrefix("0E ") {
                trace.event(octets(step))
            } else {
                trace.add(.command, .hostToController, octets(step))
            }
        }
        return trace
    }

    @Test func `what a host asks after a suspend does not make what it asked before unanswered`() {
        let answered = [Self.features, Self.featuresAre]
        let asksBefore = trace(
            answered + [
                Self.publicAddress, Self.version, "10", Self.publicAddressIs, Self.buffers, Self.versionIs,
                Self.buffersAre,
            ])
        #expect(asksBefore.run().codes.isEmpty)
        let asksAtOnce = trace(
            answered + [Self.publicAddress, "10", Self.version, Self.publicAddressIs, Self.versionIs])
        let outcome = asksAtOnce.run()
        #expect(outcome.codes.isEmpty)
        // The late answer belongs to what asked for it.
        #expect(outcome.seen.compactMap(\.frame.request?.frame) == [1, 3, 4])
    }

    @Test(arguments: [false, true])
    func `a reset or a closed adapter ends the wait for answers`(_ isReset: Bool) {
        var trace = trace([Self.features, Self.featuresAre, Self.publicAddress, "10", Self.version])
        let told =
            isReset
            ? trace.add(.command, .hostToController, octets("030C 00"))
            : trace.add(.monitor, .unknown, [], foreignType: 9)
        let outcome = trace.run()
        #expect(outcome.frames(with: .commandUnanswered) == [told])
        // What was asked just before has not waited.
        let start = "the controller did not answer Read BD_ADDR of frame "
        #expect(outcome[told].problems.count == 1)
        #expect(outcome[told].problems.first?.sentence.hasPrefix(start) == true)
    }

    @Test(arguments: [0, 2.0])
    func `a command that gives its place up has no answer, unless it has hardly waited`(_ pause: Double) {
        let all = [Self.publicAddress, Self.version, Self.buffers]
        var steps = [Self.features, Self.featuresAre]
        let limit = AdapterTable.Adapter.pendingLimit
        for number in 0..<limit + 8 { steps += [all[number % 3], "\(pause)"] }
        var analyzer = Analyzer()
        let outcome = trace(steps).run(&analyzer)
        let told = outcome.seen.flatMap(\.problems).filter { $0.code == .commandUnanswered }
        guard pause > 0 else {
            #expect(told.isEmpty)
            return
        }
        let asked = told.map { String($0.sentence.split(separator: " for ")[0]) }
        let names = ["Read BD_ADDR", "Read Local Version Information", "Read Buffer Size"]
        #expect(
            asked
                == (3..<11).map { "the controller did not answer \(names[($0 - 3) % 3]) of frame \($0)" })
        #expect(outcome.frames(with: .commandUnanswered) == Array(limit + 3..<limit + 11))
        // The last was asked as the log ends.
        #expect(analyzer.openRequests.map(\.frame) == Array(11..<limit + 10))
    }

    @Test(arguments: [0, 0.1])
    func `commands that get no answer take the place of none that waits for its own`(_ pause: Double) {
        let credits = Array(
            repeating: ["350C 05 01 4000 0100", "\(pause)"], count: AdapterTable.Adapter.pendingLimit + 8)
        let before = [Self.features, Self.featuresAre, Self.publicAddress]
        let after = [Self.version, Self.versionIs]
        let outcome = trace(before + credits.flatMap { $0 } + ["5"] + after).run()
        #expect(outcome.frames(with: .commandUnanswered) == [outcome.seen.count])
        #expect(outcome.seen.last?.problems.first?.sentence.contains(" of frame 3 for ") == true)
        // One that a suspend has held up is still answered.
        let late = trace(before + ["10"] + credits.flatMap { $0 } + [Self.publicAddressIs])
        #expect(late.run().codes.isEmpty)
    }

    @Test func `there is room for all that may wait and as many again`() {
        #expect(FrameSelection.mostCommands >= 2 * AdapterTable.mostWaiting)
        // As many as may be: each adapter has two attempts, and is full of commands of both kinds.
        var trace = Trace()
        for adapter in 0..<UInt16(AdapterTable.limit) {
            trace.adapter = adapter
            for handle in 0..<UInt16(AdapterTable.Adapter.runningLimit) {
                trace.command(
                    HCIDisconnect {
                        $0.connectionHandle = handle
                        $0.reason = HCIStatus(rawValue: 0x13)
                    })
                trace.event(octets("0F 04 00 01 0604"))
            }
            for _ in 0..<2 {
                trace.command(LECreateConnection { $0.peerAddress = address(AttemptTests.car) })
            }
            for _ in 0..<AdapterTable.Adapter.pendingLimit {
                trace.add(.command, .hostToController, octets(Self.publicAddress))
            }
        }
        var analyzer = Analyzer()
        _ = trace.run(&analyzer)
        let waiting = analyzer.adapters.waitingCommands.count
        #expect(waiting > AdapterTable.mostWaiting * 9 / 10 && waiting <= AdapterTable.mostWaiting)
    }

    @Test func `a chosen request is listed, however many others wait`() {
        var trace = Trace()
        for adapter in 0..<UInt16(AdapterTable.limit) {
            trace.adapter = adapter
            trace.event(octets(Self.featuresAre))
            trace.add(.command, .hostToController, octets(Self.features))
            trace.event(octets(Self.featuresAre))
        }
        for _ in 0..<FrameSelection.mostCommands {
            trace.add(.command, .hostToController, octets(Self.features))
            trace.event(octets(Self.featuresAre))
        }
        let asked = trace.add(.command, .hostToController, octets(Self.publicAddress))
        trace.wait(seconds: 10)
        trace.add(.event, .controllerToHost, octets("3E 0C 02 01 00 00 010000EEFFC0 00 C8"))
        let analyzer = trace.selecting()
        #expect(analyzer.listedRequests.map(\.frame) == [asked])
    }

    @Test(arguments: [UInt16(0), 1])
    func `a request of another part of the log is not that of a chosen frame with its number`(
        _ part: UInt16
    ) {
        var trace = trace([Self.features, Self.featuresAre])
        let asked = AttemptTests.ask(&trace)
        let inFirst = trace.last
        for _ in 0..<asked {
            trace.add(.command, .hostToController, octets(Self.features))
            trace.event(octets(Self.featuresAre))
        }
        var analyzer = Analyzer()
        analyzer.beginSelection()
        for made in trace.made {
            var header = made.header
            if header.number > inFirst {
                header.file = 1
                header.number -= inFirst
            }
            analyzer.analyze(Record(header, made.octets.borrowedOctets), file: 0)
            let isChosen = header.file == part && header.number == asked
            if isChosen { analyzer.select() } else { analyzer.passOver() }
        }
        analyzer.finish()
        #expect(analyzer.listedRequests.count == (part == 0 ? 1 : 0))
        #expect(analyzer.openRequests.map(\.place) == [FramePlace(file: 0, frame: asked)])
    }
}
