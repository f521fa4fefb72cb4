import BluetoothCore
import LEHost
import SimulatedDevices
import Testing

@testable import Replay

/// Logs of pairings that came to nothing.
@Suite struct FailedPairingTests {
    /// A log of one, and how it says that it ended.
    struct Case: Sendable, CustomTestStringConvertible {
        var way: RecordedFob.Way
        var side: RecordedFob.Side
        /// Who sends Pairing Failed, and why; nil where nobody does.
        var end: (from: RecordedFob.Side, reason: PairingReason)?

        var testDescription: String {
            let generation = way.isSecure ? "LE Secure Connections" : "legacy"
            return "\(way.failure.map { "\($0)" } ?? ""), \(way.pairing), \(generation), the \(side)'s log"
        }

        var model: SessionModel { get throws { try RecordedFob.model(way, of: side) } }

        /// Whether the host that plays it has to send Pairing Failed.
        var isByHost: Bool { end?.from == side }
    }

    private static func cases(
        _ failure: RecordedFob.Failure, _ pairing: Fob.Pairing, _ isSecure: Bool,
        _ end: (from: RecordedFob.Side, reason: PairingReason)?
    ) -> [Case] {
        let way = RecordedFob.Way(pairing: pairing, isSecure: isSecure, failure: failure)
        return [RecordedFob.Side.fob, .phone].map { Case(way: way, side: $0, end: end) }
    }

    static let cases: [Case] =
        cases(.phoneRefuses, .compare, true, (.phone, .numericComparisonFailed))
        + cases(.fobRefuses, .compare, true, (.fob, .numericComparisonFailed))
        + [true, false].flatMap { isSecure in
            cases(.phoneRefuses, .shows, isSecure, (.phone, .passkeyEntryFailed))
                + cases(.fobRefuses, .asks, isSecure, (.fob, .passkeyEntryFailed))
                + cases(.wrongPasskey, .shows, isSecure, (.fob, .confirmValueFailed))
                + cases(.wrongPasskey, .asks, isSecure, (.fob, .confirmValueFailed))
                + cases(.phoneLeaves, .shows, isSecure, nil)
        }
        + cases(.notPairable, .justWorks, true, (.fob, .pairingNotSupported)).filter { $0.side == .phone }

    @Test(arguments: cases)
    func `a pairing that failed is the same`(one: Case) throws {
        let model = try one.model
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        let pairing = try #require(model.connections[0].pairing)
        #expect(!pairing.isWhole && model.connections[0].encryption == nil)
        let reason = pairing.failure.map { PairingReason(rawValue: $0.octets[1]) }
        #expect(reason == one.end?.reason)
        #expect(pairing.failure.map { $0.side == .host } == one.end.map { _ in one.isByHost })
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.compared >= model.connections.flatMap(\.steps).count(where: \.isRequired))
    }

    @Test(arguments: cases.filter { $0.end != nil && $0.way.failure != .notPairable })
    func `the pairing that succeeds on the next link is the same, too`(one: Case) throws {
        var way = one.way
        way.links = 2
        let model = try RecordedFob.model(way, of: one.side)
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        #expect(model.connections.map { $0.pairing?.isWhole } == [false, true])
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test(arguments: cases.filter(\.isByHost))
    func `a host that fails for another reason, or does not fail, is named at its PDU`(one: Case) throws {
        let model = try one.model
        let failure = try #require(model.connections[0].pairing?.failure)
        let changes: [@Sendable ([UInt8]) -> [UInt8]?] = [
            { [$0[0], PairingReason.unspecified.rawValue] }, { _ in nil },
        ]
        for change in changes {
            let lie = PeripheralPairingTests.Lie(.pairingFailed, change)
            let replay = LogReplay(model, options: PeripheralPairingTests.options(lie))
            #expect(replay.report.frame == failure.frame, "\(replay.text)")
        }
    }
}
