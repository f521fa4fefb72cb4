import BluetoothCore
import Runtime
import TestSupport
import Testing
import UQDK
import WireBytes

@testable import SimulatedDevices

/// The published exchanges from the car's side: the phone's values go in, the car's come out octet by octet.
@Suite struct CarVectorsTests {
    static func octets(_ values: [String]) throws -> [[UInt8]] { try values.map { try Hex.octets($0) } }

    /// What the car sends, as the values in which it travels.
    static func said(_ engine: inout CarEngine) throws -> [[String]] {
        try engine.takeOutputs().compactMap { output -> [String]? in
            guard case .send(let message, let id, _) = output else { return nil }
            return try engine.dialect.values(of: message, id: id, valueOctets: 20).map { Hex.text($0) }
        }
    }

    /// A car with two slots taken, whose nonce is that of the vectors.
    static func car() -> CarEngine {
        var configuration = CarConfiguration(keys: [
            CarKey(keyID: Array(repeating: 1, count: 8), key: Array(repeating: 9, count: 16), slot: 0),
            CarKey(keyID: Array(repeating: 2, count: 8), key: Array(repeating: 9, count: 16), slot: 1),
            CarKey(keyID: EnginePhone.keyID, key: EnginePhone.key),
        ])
        configuration.pairingCode = EnginePhone.code
        // The vectors' event tells of a car whose front left door stands open.
        configuration.vehicle.doorsOpen = 0x01
        let entropy = RecordedEntropy([.nonce: [Array(UInt8(0xC0)..<0xD0)]])
        var engine = CarEngine(configuration, entropy: entropy)
        engine.begin(EnginePhone.link, DeviceAddress(0xF1))
        _ = engine.takeOutputs()
        return engine
    }

    static let exchanges: [(request: [String], answers: [[String]])] = [
        (
            ["0000555101010001000010112233445566778806", "00814b7ed42959d4e844a5"],
            [["00805551010200010000020002aa27"]]
        ),
        (
            ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"],
            [["010055510102010100001900c0c1c2c3c4c5c6c7", "0181c8c9cacbcccdcecfb73a9aebed7c0dbc6d71"]]
        ),
        (
            ["020055510101010200000c00000007402c2ef6d7", "0281513e033947"],
            [["028055510102010200000300012c6af8"]]
        ),
        (
            ["030055510101020201000d0000000189f1b1d123", "03816aef5b1d7b6e"],
            [
                ["030055510102020201000d00000001538e326134", "0381ffa5c5a9abf9"],
                ["800055510103040101001600000002dce20825a1", "8081d9a4a344800b74b9c15373b4ee88e2"],
            ]
        ),
    ]

    @Test func `the published exchanges, octet by octet`() throws {
        var engine = Self.car()
        for (index, exchange) in Self.exchanges.enumerated() {
            // The vectors have no event before the fourth exchange.
            engine.links[EnginePhone.link]?.isSubscribed = index == 3
            for value in try Self.octets(exchange.request) {
                engine.receive(value, on: EnginePhone.link, at: .zero)
            }
            #expect(try Self.said(&engine) == exchange.answers)
        }
        #expect(engine.keys.last?.slot == 2)
        #expect(engine.keys.last?.authCounter == 7)
        #expect(engine.vehicle.doorsLocked == 0)
    }

    @Test func `a dialect that differs in every point`() throws {
        let dialect = try Dialect(
            json: try PackageFile.octets("Tests/Decoder/UQDKTests/other-dialect.json"))
        var configuration = CarConfiguration(
            keys: [CarKey(keyID: [1, 2, 3, 4], key: Array(0..<24))], dialect: dialect)
        configuration.pairingCode = "271828"
        configuration.lifetime = 70_000
        var engine = CarEngine(
            configuration, entropy: RecordedEntropy([.nonce: [Array(UInt8(0x50)..<0x5C)]]))
        let link = EnginePhone.link
        engine.begin(link, DeviceAddress(0xF1))
        _ = engine.takeOutputs()
        let exchanges: [(request: [String], answer: [String])] = [
            (
                ["1d0001160005900759454b2900476a51a9010203", "2500010484c237b8"],
                ["1500010e0005800759454b640070c2465c"]
            ),
            (
                ["1d01011c0002900759454b303132333435363738", "250101393a3b010203048dd183b2"],
                [
                    "1d0101240002800759454b640004128451d19cb9",
                    "2d01018c5676505152535455565758595a5b7191",
                    "3501011985",
                ]
            ),
            (
                ["1d02011a0003900759454bdf1613866334164c95", "250201ce61b50102aabcb27d"],
                ["1d0201120003800759454b640070110100883553", "2502019c"]
            ),
        ]
        for exchange in exchanges {
            for value in try Self.octets(exchange.request) { engine.receive(value, on: link, at: .zero) }
            #expect(try Self.said(&engine) == [exchange.answer])
        }
        let unlock = ["1d03011c0010980759454b87b519fda91a859067", "250301b658fd000013683706b387"]
        for value in try Self.octets(unlock) { engine.receive(value, on: link, at: .zero) }
        let answers = try Self.said(&engine)
        #expect(answers.count == 1)
        #expect(engine.vehicle.doorsLocked == 0)
    }
}
