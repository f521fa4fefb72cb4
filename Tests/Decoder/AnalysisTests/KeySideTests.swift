import Analysis
import BluetoothCore
import PayloadFormat
import Testing
import UQDK
import WireBytes

/// On which side the key protocol failed, and what of it is no failure.
@Suite struct KeySideTests {
    static let begin = ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"]
    static let begun = [
        "010055510102010100001900c0c1c2c3c4c5c6c7", "0181c8c9cacbcccdcecfb73a9aebed7c0dbc6d71",
    ]
    static let finish = ["020055510101010200000c00000007402c2ef6d7", "0281513e033947"]
    static let finished = ["028055510102010200000300012c6af8"]
    static let unlock = ["030055510101020201000d0000000189f1b1d123", "03816aef5b1d7b6e"]
    static let unlocked = ["030055510102020201000d00000001538e326134", "0381ffa5c5a9abf9"]

    /// A phone that has found the car and subscribed to its events.
    private func connected() -> Trace {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        trace.discover(0x40, EnablingTests.car())
        trace.write(0x40, 6, [1, 0])
        return trace
    }

    private func phone(_ values: [String], _ trace: inout Trace) {
        for hex in values { trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: octets(hex))) }
    }

    private func car(_ values: [String], _ trace: inout Trace) {
        for hex in values { trace.att(0x40, .rx, ATTHandleValueNotification(handle: 5, value: octets(hex))) }
    }

    /// A message in clear, in one value.
    private func message(
        _ kind: MessageKind, _ command: UInt64, _ payload: [UInt8], id: UInt64
    ) throws -> [String] {
        let dialect = Dialect.reference1
        let octets = Message(kind, command: command, payload: payload).encoded(dialect, id: id)
        return try dialect.values(of: octets, id: id, valueOctets: 20).map { Hex.text($0) }
    }

    private func authenticated() -> Trace {
        var trace = connected()
        phone(Self.begin, &trace)
        car(Self.begun, &trace)
        phone(Self.finish, &trace)
        car(Self.finished, &trace)
        return trace
    }

    private func failures(_ trace: Trace) -> [Problem] {
        (trace.run().totals?.incidents ?? []).filter { $0.severity >= .error }.map(\.problem)
    }

    @Test func `a refusal is the car's, and a wrong checksum the sender's`() throws {
        var refused = connected()
        phone(Self.begin, &refused)
        car(try message(.response, 0x0101, [9], id: 1), &refused)
        #expect(failures(refused).map(\.side) == [.peer])
        var damaged = connected()
        phone([Self.begin[0], "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c4"], &damaged)
        #expect(failures(damaged).first?.name == "uqdk.message.checksum")
        #expect(failures(damaged).first?.side == .host)
    }

    @Test func `a command in clear that no authentication follows is the phone's failure`() throws {
        var trace = connected()
        phone(try message(.request, 0x0202, [0xFF], id: 0), &trace)
        car(try message(.response, 0x0202, [2], id: 0), &trace)
        trace.disconnect(0x40)
        #expect(failures(trace).map(\.name) == ["uqdk.session.not-authenticated"])
        #expect(failures(trace).map(\.side) == [.host])
    }

    @Test(
        arguments: [
            (0x13, 0.2, ["uqdk.request.unanswered"]), (0x16, 3, ["uqdk.request.unanswered"]), (0x16, 0.2, []),
            (0x08, 3, [nil]),
        ] as [(UInt8, Double, [String?])])
    func `a request whose link ends fails by who ended it`(
        _ reason: UInt8, _ seconds: Double, _ names: [String?]
    ) {
        var trace = authenticated()
        phone(Self.unlock, &trace)
        trace.wait(seconds: seconds)
        trace.disconnect(0x40, reason: reason)
        let failed = failures(trace)
        #expect(failed.map(\.name) == names)
        let isLost = reason == 0x08
        #expect(failed.allSatisfy { $0.code == (isLost ? .abnormalDisconnection : .uqdk) })
        #expect(failed.allSatisfy { $0.side == (isLost ? .link : .peer) })
    }

    @Test func `a log of one direction shows no failure of a session that it can't follow`() throws {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55")
        car(Self.begun + Self.finished + Self.unlocked, &trace)
        car(try message(.response, 0x0301, [2], id: 4), &trace)
        trace.wait(seconds: 9)
        trace.disconnect(0x40)
        #expect(failures(trace).isEmpty)
        #expect(trace.run().codes.contains(.uqdk))
    }

    @Test func `a log without what the car sends shows no request that had no answer`() {
        var trace = Trace()
        trace.connect(0x40, "00:11:22:33:44:55", role: 1)
        for hex in Self.begin { trace.att(0x40, .rx, ATTWriteCommand(handle: 3, value: octets(hex))) }
        trace.wait(seconds: 9)
        trace.disconnect(0x40)
        #expect(failures(trace).isEmpty)
        #expect(trace.run().links.first?.session != nil)
    }

    @Test func `a secured request that the car can't verify is the phone's failure`() throws {
        var trace = authenticated()
        phone(Self.unlock, &trace)
        var other = trace
        car(try message(.response, 0x0202, [7], id: 3), &trace)
        #expect(failures(trace).map(\.name) == ["uqdk.session.unsecured-response"])
        #expect(failures(trace).map(\.side) == [.host])
        // A success in clear proves nothing.
        car(try message(.response, 0x0202, [0], id: 3), &other)
        #expect(failures(other).map(\.side) == [.peer])
    }

    @Test func `only a success with the same key overcomes a refusal`() throws {
        let key: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let proof: [UInt8] = [9, 9, 9, 9, 9, 9, 9, 9]
        for other in [key, key.reversed()] {
            var trace = connected()
            phone(try message(.request, 0x0001, key + proof, id: 0), &trace)
            car(try message(.response, 0x0001, [9], id: 0), &trace)
            phone(try message(.request, 0x0001, other + proof, id: 1), &trace)
            car(try message(.response, 0x0001, [0, 0], id: 1), &trace)
            #expect(failures(trace).map(\.name) == (other == key ? [] : ["uqdk.status"]))
            let known = failures(trace).first?.circumstances
            #expect(
                known?.hasSuffix("later with another key, 0807060504030201") == (other == key ? nil : true))
        }
    }

    /// The hint of the failure with a name.
    private func hint(_ name: String, _ trace: Trace) -> String {
        failures(trace).first { $0.name == name }?.hint.map { "\($0)" } ?? ""
    }

    @Test func `the hint about a key follows what the log shows of it, before and after`() throws {
        let proof: [UInt8] = [9, 9, 9, 9, 9, 9, 9, 9]
        for (key, words) in [
            (Array(repeating: 0, count: 8), "no key"), (Self.keyID.reversed(), "the other key works"),
        ] as [([UInt8], String)] {
            var trace = connected()
            phone(try message(.request, 0x0001, key + proof, id: 0), &trace)
            car(try message(.response, 0x0001, [9], id: 0), &trace)
            #expect(hint("uqdk.status", trace).contains(key[0] == 0 ? words : "withdrawn"))
            phone(try message(.request, 0x0001, Self.keyID + proof, id: 1), &trace)
            car(try message(.response, 0x0001, [0, 0], id: 1), &trace)
            #expect(hint("uqdk.status", trace).contains(words))
        }
        for hadWorked in [false, true] {
            var trace = authenticated()
            if hadWorked {
                phone(Self.unlock, &trace)
                car(Self.unlocked, &trace)
            }
            phone(Self.unlock, &trace)
            car(try message(.response, 0x0202, [7], id: 3), &trace)
            // Where the request repeats a counter, it follows from that.
            let refused = trace.run().seen.last?.problems.first { $0.name?.hasSuffix("response") == true }
            let words = "\(try #require(refused?.hint))"
            #expect(words.contains("different keys") == !hadWorked && words.contains("worked") == hadWorked)
        }
        for hadWorked in [false, true] {
            var trace = hadWorked ? authenticated() : connected()
            let nonce = Array(repeating: UInt8(7), count: 16)
            phone(try message(.request, 0x0101, Self.keyID + nonce, id: 4), &trace)
            car(try message(.response, 0x0101, [0] + nonce + proof, id: 4), &trace)
            phone(try message(.request, 0x0102, [0, 0, 0, 9] + proof, id: 5), &trace)
            car(try message(.response, 0x0102, [3], id: 5), &trace)
            let words = hint("uqdk.status", trace)
            #expect(words.contains("different keys") == !hadWorked && words.contains("before") == hadWorked)
        }
    }

    @Test func `a key that is locked out names its refused proofs before`() throws {
        let key = Self.keyID + Array(repeating: 0, count: 16)
        var trace = connected()
        var refused: [Int] = []
        for id: UInt64 in [0, 2, 4] {
            phone(try message(.request, 0x0101, key, id: id), &trace)
            car(try message(.response, 0x0101, [0] + Array(repeating: 1, count: 24), id: id), &trace)
            phone(try message(.request, 0x0102, Array(repeating: 1, count: 12), id: id + 1), &trace)
            car(try message(.response, 0x0102, [3], id: id + 1), &trace)
            refused.append(trace.last)
        }
        phone(try message(.request, 0x0101, key, id: 6), &trace)
        car(try message(.response, 0x0101, [10], id: 6), &trace)
        let text = failures(trace).last.map { "\($0.line)" } ?? ""
        let frames = "(frames \(refused[0]) to \(refused[2]))"
        #expect(text.contains("is answered with keyLockedOut after 3 refused proofs \(frames)"), "\(text)")
    }

    @Test func `a wrong proof comes before the counter, which the car did not look at`() throws {
        let key = Self.keyID + Array(repeating: 0, count: 16)
        for (status, name) in [(UInt8(3), "uqdk.status"), (4, "uqdk.counter.auth-replayed")] {
            var trace = authenticated()
            for id: UInt64 in [4, 6] {
                phone(try message(.request, 0x0101, key, id: id), &trace)
                car(try message(.response, 0x0101, [0] + Array(repeating: 1, count: 24), id: id), &trace)
                phone(try message(.request, 0x0102, Array(repeating: 0, count: 12), id: id + 1), &trace)
                car(try message(.response, 0x0102, [status], id: id + 1), &trace)
            }
            let failed = (trace.run().totals?.incidents ?? []).filter { $0.severity >= .error }
            #expect(failed.map(\.problem.name) == [name] && failed.map(\.count) == [2])
        }
    }

    @Test(arguments: [
        ([UInt8](repeating: 0, count: 8), Problem.Party.host), ([1] + [UInt8](repeating: 0, count: 7), .peer),
    ])
    func `a proof of zeros that the car refuses is the phone's failure`(
        _ proof: [UInt8], _ side: Problem.Party
    ) throws {
        var trace = connected()
        phone(try message(.request, 0x0101, Self.keyID + Array(repeating: 5, count: 16), id: 1), &trace)
        car(try message(.response, 0x0101, [0] + Array(repeating: 1, count: 24), id: 1), &trace)
        phone(try message(.request, 0x0102, [0, 0, 0, 9] + proof, id: 2), &trace)
        car(try message(.response, 0x0102, [3], id: 2), &trace)
        #expect(failures(trace).map(\.name) == ["uqdk.status"])
        #expect(failures(trace).map(\.side) == [side])
        #expect(failures(trace).first?.sentence.hasSuffix("all zeros") == (side == .host))
    }

    private static let keyID: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]

    @Test func `a request longer than the MTU that gets no answer fails by its length`() {
        var trace = connected()
        let fragments = Self.begin.map { octets($0) }
        let whole = [1, 0x80] + fragments[0].dropFirst(2) + fragments[1].dropFirst(2)
        let long = trace.att(0x40, .tx, ATTWriteCommand(handle: 3, value: Array(whole)))
        trace.wait(seconds: 6)
        trace.disconnect(0x40, reason: 0x16)
        let outcome = trace.run()
        let named = outcome.totals?.incidents.filter { $0.severity >= .error }
        #expect(named?.contains { $0.problem.code == .mtuExceeded && $0.place.frame == long } == true)
        #expect(failures(trace).first { $0.code == .mtuExceeded }?.side == .host)
    }
}
