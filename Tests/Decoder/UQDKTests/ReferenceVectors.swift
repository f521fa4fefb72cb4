import PayloadFormat
import Testing
import UQDK
import WireBytes

/// The published vectors of reference format 1, made with other implementations.
enum ReferenceVectors {
    static let key = Array(UInt8(0)..<16)
    static let keyID: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    static let phoneNonce = Array(UInt8(0xA0)..<0xB0)
    static let vehicleNonce = Array(UInt8(0xC0)..<0xD0)
    static let pairingCode = "314159"

    struct Exchange: Sendable, CustomTestStringConvertible {
        var name: String
        var sender: Sender
        var id: UInt64
        var values: [String]
        var testDescription: String { name }
    }

    static let activate = Exchange(
        name: "ACTIVATE request", sender: .phone, id: 0,
        values: ["0000555101010001000010112233445566778806", "00814b7ed42959d4e844a5"])
    static let activated = Exchange(
        name: "ACTIVATE response", sender: .car, id: 0, values: ["00805551010200010000020002aa27"])
    static let begin = Exchange(
        name: "AUTH_BEGIN request", sender: .phone, id: 1,
        values: ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"])
    static let begun = Exchange(
        name: "AUTH_BEGIN response", sender: .car, id: 1,
        values: [
            "010055510102010100001900c0c1c2c3c4c5c6c7", "0181c8c9cacbcccdcecfb73a9aebed7c0dbc6d71",
        ])
    static let finish = Exchange(
        name: "AUTH_FINISH request", sender: .phone, id: 2,
        values: ["020055510101010200000c00000007402c2ef6d7", "0281513e033947"])
    static let finished = Exchange(
        name: "AUTH_FINISH response", sender: .car, id: 2, values: ["028055510102010200000300012c6af8"])
    static let unlock = Exchange(
        name: "DOOR_UNLOCK request", sender: .phone, id: 3,
        values: ["030055510101020201000d0000000189f1b1d123", "03816aef5b1d7b6e"])
    static let unlocked = Exchange(
        name: "DOOR_UNLOCK response", sender: .car, id: 3,
        values: ["030055510102020201000d00000001538e326134", "0381ffa5c5a9abf9"])
    static let status = Exchange(
        name: "STATUS_EVENT", sender: .car, id: 0x80,
        values: [
            "800055510103040101001600000002dce20825a1", "8081d9a4a344800b74b9c15373b4ee88e2",
        ])

    static let all = [activate, activated, begin, begun, finish, finished, unlock, unlocked, status]

    /// The values that the session's formulas use.
    static var variables: FormulaVariables {
        var variables = FormulaVariables()
        variables["keyId"] = keyID
        variables["phoneNonce"] = phoneNonce
        variables["vehicleNonce"] = vehicleNonce
        variables["authCounter"] = [0, 0, 0, 7]
        variables["pairingCode"] = Array(pairingCode.utf8)
        return variables
    }

    static func cipher() throws -> SessionCipher {
        try SessionCipher(.reference1, digitalKey: key, variables)
    }

    /// The message that the values of an exchange carry.
    static func octets(_ exchange: Exchange) throws -> [UInt8] {
        var reassembler = Reassembler(limits: ReassemblyLimits())
        let format = try #require(Dialect.reference1.fragments).format
        var ended: [Reassembler.Ended] = []
        for (index, value) in exchange.values.enumerated() {
            let fragment = try #require(Fragment(try Hex.octets(value), format))
            let outcome = reassembler.accept(
                fragment, at: Int64(index), frame: UInt64(index + 1), ended: &ended)
            if case .complete(let whole) = outcome {
                #expect(ended.isEmpty && whole.messageID == exchange.id)
                return whole.octets
            }
        }
        Issue.record("\(exchange.name) did not become whole")
        return []
    }
}
