import Analysis
import CaptureFile
import Foundation
import PayloadFormat
import TestSupport
import Testing

@testable import Rendering

/// The verdict on small captures that were shown wrongly once, where they are at hand: what failed first, on
/// which side, at which frame. Their own README says what is right.
@Suite struct SharedCaseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        /// The code of the first failure, or of the first warning; nil where nothing failed and nothing is to
        /// be said first.
        var code: Problem.Code?
        var side: Problem.Party?
        var frame: Int?
        var isWarning = false

        init(
            _ file: String, _ code: Problem.Code? = nil, _ side: Problem.Party? = nil, _ frame: Int? = nil,
            isWarning: Bool = false
        ) {
            (self.file, self.code, self.side, self.frame, self.isWarning) =
                (file, code, side, frame, isWarning)
        }

        var path: String { "\(SharedCaseTests.folder)/\(file)" }
        var testDescription: String { file }
    }

    /// Their folder: beside that of the captures of strangers.
    static let folder = "\(Corpus.folder ?? "")/../cases"

    static let cases: [Case] = [
        Case("hunt/ase-refused.btsnoop", .controlRefused, .peer, 13),
        Case("hunt/att-only-handle-again.btsnoop"),
        Case("hunt/command-never-answered.btsnoop", .commandUnanswered, .controller, 37),
        Case("hunt/early-packets.btsnoop"),
        Case("hunt/empty.btsnoop"),
        Case("hunt/endless-discovery.btsnoop", .askedAgain, .host, 13),
        Case("hunt/invalid-parameters-asked.btsnoop", .abnormalDisconnection, .link, 8),
        Case("hunt/late-packets.btsnoop"),
        Case("hunt/payload-timeout-ends.btsnoop", .authenticatedPayloadTimeout, .link, 4),
        Case("hunt/peer-ends-at-once.btsnoop", .endedByPeer, .peer, 7),
        Case("hunt/pipelined-writes.btsnoop", .requestWhilePending, .host, 5, isWarning: true),
        Case("hunt/update-refused-then-lost.btsnoop", .abnormalDisconnection, .link, 7),
        Case("hunt/warning-order.btsnoop", .requestWhilePending, .host, 7, isWarning: true),
        Case("hunt/wrong-address-type.btsnoop", .connectionGivenUp, .host, 12),
        Case("verdict/c06_long_write_refused.log", .attError, .peer, 92),
        Case("verdict/c07_cccd_05_pair_ok.log"),
        Case("verdict/c16_coc_no_resources.log", .channelRefused, .peer, 81),
        Case("verdict/c18_coc_credits_stall.log", .creditsSpent, .peer, 88),
        Case("verdict/c20_two_requests.log", .requestWhilePending, .host, 84),
        Case("verdict/c23_longer_than_mtu.log", .mtuExceeded, .host, 43),
        Case("verdict/c30_flow_stall.log", .buffersHeld, .controller, 50),
        Case("verdict/c32_adapter_reset.log", .adapterEnded, .host, 92),
        Case("verdict/c46_ll_timeout_22.log", .abnormalDisconnection, .link, 42),
        Case("verdict/c48_adv_refused.log", .commandFailed, .host, 20),
        Case("verdict/h02_mtu_not_supported.log"),
        Case("verdict/h18_second_passkey_ok.log"),
        Case("verdict/x01_host_leaves_after_2s.log"),
        Case("verdict/x06_peer_low_resources.log", .endedByPeer, .peer, 51),
        Case("verdict/y04_no_events_same_handle.log"),
    ]

    @Test(
        .corpus,
        .enabled(
            if: FileManager.default.fileExists(atPath: folder),
            "there are no cases beside the captures of strangers"),
        arguments: cases)
    func `the first failure of a case is its cause, with its side and frame`(_ known: Case) throws {
        var reader = try CaptureReader(path: known.path)
        var analyzer = Analyzer()
        while let record = try reader.next() { analyzer.analyze(record) }
        analyzer.finish()
        let failures = Verdict.failures(analyzer, analyzer.totals)
        #expect(failures.isEmpty == (known.isWarning || known.code == nil), "\(failures)")
        guard known.code != nil else { return }
        let first = try #require(known.isWarning ? Verdict.warnings(analyzer.totals).first : failures.first)
        #expect(first.problem.code == known.code)
        #expect(first.problem.side == known.side)
        #expect(first.place.frame == known.frame)
    }
}
