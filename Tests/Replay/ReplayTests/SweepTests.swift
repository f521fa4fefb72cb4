import Testing

@testable import Replay

/// One fault at one PDU, with a live car behind it.
@Suite struct SweepTests {
    @Test(arguments: SweepFault.allCases)
    func `a fault ends no session for good, and the application is told the truth`(fault: SweepFault) throws {
        let model = try Recording.model("uqdk-unlock.btsnoop")
        let options = try LogReplayTests.options()
        // Every seventh place here; all of them are run by `blecap replay --sweep`.
        var runs = 0
        for place in stride(from: 0, to: 200, by: 7) {
            let sweep = Sweep(model, options: options, only: (fault, place))
            guard !sweep.runs.isEmpty else { break }
            runs += 1
            #expect(sweep.failures.isEmpty, "\(sweep.text { $0 })")
        }
        #expect(runs >= 14)
    }

    @Test func `an application that is told what is not true is found`() throws {
        var options = try LogReplayTests.options()
        options.claimsSuccess = true
        let sweep = Sweep(
            try Recording.model("uqdk-unlock.btsnoop"), options: options, only: (.noCredits, 70))
        #expect(sweep.failures.count == 1)
        let text = sweep.text { "again \($0)" }
        #expect(text.contains("is told to have gone well") && text.contains("again no-credits:70"), "\(text)")
    }

    @Test func `a session without the digital-key protocol is swept with its database`() throws {
        let sweep = Sweep(try Recording.model("mobike.btsnoop"), options: LogReplay.Options())
        #expect(sweep.runs.count >= 300)
        #expect(sweep.failures.isEmpty, "\(sweep.text { $0 })")
    }
}
