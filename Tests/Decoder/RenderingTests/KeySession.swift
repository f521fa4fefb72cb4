import CaptureFile
import UQDK
import WireBytes

/// Sessions with a car that speaks reference format 1, as records under handles without a label.
extension Shown {
    /// The values of the published session, in the order in which they were sent.
    enum Published {
        static let begin = (
            true, ["01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3"]
        )
        static let begun = (
            false, ["010055510102010100001900c0c1c2c3c4c5c6c7", "0181c8c9cacbcccdcecfb73a9aebed7c0dbc6d71"]
        )
        static let finish = (true, ["020055510101010200000c00000007402c2ef6d7", "0281513e033947"])
        static let finished = (false, ["028055510102010200000300012c6af8"])
        static let unlock = (true, ["030055510101020201000d0000000189f1b1d123", "03816aef5b1d7b6e"])
        static let unlocked = (false, ["030055510102020201000d00000001538e326134", "0381ffa5c5a9abf9"])
        static let authentication = [begin, begun, finish, finished]
        static let session = authentication + [unlock, unlocked]
        static let key = Array(UInt8(0)..<16)
        static let keyID: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    }

    /// Adds the values of messages; the number of the last frame.
    @discardableResult
    mutating func exchange(_ messages: [(isPhones: Bool, values: [String])]) -> Int {
        for message in messages {
            for value in message.values {
                if message.isPhones {
                    att(.hostToController, "52 2000" + value)
                } else {
                    att(.controllerToHost, "1B 2200" + value)
                }
            }
        }
        return count
    }

    /// Adds a message in clear.
    @discardableResult
    mutating func message(
        _ kind: MessageKind, _ command: UInt64, _ payload: [UInt8], id: UInt64
    ) throws -> Int {
        let dialect = Dialect.reference1
        let octets = Message(kind, command: command, payload: payload).encoded(dialect, id: id)
        let values = try dialect.values(of: octets, id: id, valueOctets: 20).map { Hex.text($0) }
        return exchange([(kind == .request, values)])
    }

    /// The connection ends: the local host's wish.
    mutating func disconnect() { event("05 04 00 4000 16") }
}
