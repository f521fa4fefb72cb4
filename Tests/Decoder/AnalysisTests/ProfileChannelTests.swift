import Analysis
import BluetoothCore
import Profiles
import Testing

/// Profiles of L2CAP channels, in whole logs.
@Suite struct ProfileChannelTests {
    let peer = "00:11:22:33:44:55"

    /// FFF0/FFF1 announces an SPSM; the messages on its channels are a number and bytes.
    func knowledge(
        framing: String = "{}", service: String = #""service": "FFF0", "#
    ) throws -> AnalysisKnowledge {
        let json = """
            {"name": "x", "channels": [
             {"name": "service", "attributes": [{\(service)"characteristic": "FFF1"}],
              "messages": [{"name": "announcement", "fields": [{"name": "spsm", "type": "u16"}]}]},
             {"name": "messages", "l2cap": [{"psmField": "spsm"}], "framing": \(framing), "messages": [
              {"name": "message", "fields": [{"name": "number", "type": "u8"}, {"name": "rest", "type": "bytes"}]}]}]}
            """
        var knowledge = AnalysisKnowledge()
        knowledge.profiles = ProfileSet([try Profile(json: Array(json.utf8))])
        return knowledge
    }

    /// A link whose peer announced the SPSM 0x80, with a channel to it: the host's end 0x50, the peer's 0x60.
    ///
    /// - Parameter byType: whether the client read by the characteristic's type, without a discovery.
    func opened(mtu: UInt16 = 100, byType: Bool = false) -> Trace {
        var trace = Trace()
        trace.connect(0x40, peer)
        if byType {
            trace.att(
                0x40, .tx,
                ATTReadByTypeRequest(
                    startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(0xFFF1 as UInt16)))
            trace.att(0x40, .rx, ATTReadByTypeResponse(length: 4, attributes: [3, 0, 0x00, 0x80]))
        } else {
            trace.discover(0x40, .simple())
            trace.read(0x40, 3, [0x00, 0x80])
        }
        // SPSM, the host's end, MTU, MPS, credits; the peer's end, MTU, MPS, credits, result
        trace.signal(0x40, .tx, .leCreditBasedConnectionRequest, [0x80, 0x50, mtu, 64, 50])
        trace.signal(0x40, .rx, .leCreditBasedConnectionResponse, [0x60, mtu, 64, 50, 0])
        return trace
    }

    func frame(_ sdu: [UInt8], length: Int? = nil) -> [UInt8] { little(UInt16(length ?? sdu.count)) + sdu }

    @Test func `SDUs of an announced channel are named, whole or in several K-frames`() throws {
        var trace = opened()
        let sdu = [UInt8](1...40)
        let whole = trace.l2cap(0x40, .tx, 0x60, frame([7, 8]))
        let start = trace.l2cap(0x40, .rx, 0x50, frame(Array(sdu[..<20]), length: sdu.count))
        let end = trace.l2cap(0x40, .rx, 0x50, Array(sdu[20...]))
        let outcome = trace.run(try knowledge())
        #expect(outcome[whole].isAnnotated && outcome[whole].frame.att == nil)
        #expect(!outcome[start].isAnnotated)
        #expect(outcome[end].isAnnotated && outcome[end].frames == [start, end])
        #expect(outcome.codes.isEmpty)
    }

    @Test func `an announcement that was read by its type names the channel too`() throws {
        var trace = opened(byType: true)
        let whole = trace.l2cap(0x40, .tx, 0x60, frame([7, 8]))
        let outcome = trace.run(try knowledge(service: ""))
        #expect(outcome[whole].isAnnotated && outcome.codes.isEmpty)
    }

    @Test func `what no profile describes stays as it was`() throws {
        var trace = opened()
        let whole = trace.l2cap(0x40, .tx, 0x60, frame([7, 8]))
        // Without a profile the bytes of the channel are not even put together.
        trace.l2cap(0x40, .tx, 0x60, frame([7, 8, 9], length: 1))
        let outcome = trace.run()
        #expect(!outcome[whole].isAnnotated && outcome.codes.isEmpty)
    }

    @Test func `lengths that lie and K-frames that are missing cost one SDU`() throws {
        var trace = opened()
        let long = trace.l2cap(0x40, .rx, 0x50, frame([1, 2, 3], length: 1))
        let short = trace.l2cap(0x40, .rx, 0x50, [])
        let good = trace.l2cap(0x40, .rx, 0x50, frame([7, 8]))
        trace.l2cap(0x40, .rx, 0x50, frame([1, 2, 3], length: 50))
        trace.drops = 1
        let rest = trace.l2cap(0x40, .rx, 0x50, [4, 5, 6])
        let after = trace.l2cap(0x40, .rx, 0x50, frame([9]))
        let outcome = trace.run(try knowledge())
        #expect(outcome[long].codes == [.malformedL2CAP] && outcome[short].codes == [.malformedL2CAP])
        #expect(!outcome[rest].isAnnotated)
        #expect(outcome[good].isAnnotated && outcome[after].isAnnotated)
    }

    @Test func `the longest SDU is put together`() throws {
        var trace = opened(mtu: 65_535)
        let sdu = [UInt8](repeating: 5, count: 65_535)
        trace.l2cap(0x40, .rx, 0x50, frame(Array(sdu[..<30_000]), length: sdu.count))
        trace.l2cap(0x40, .rx, 0x50, Array(sdu[30_000..<60_000]))
        let end = trace.l2cap(0x40, .rx, 0x50, Array(sdu[60_000...]))
        let outcome = trace.run(try knowledge())
        #expect(outcome[end].isAnnotated && outcome.codes.isEmpty)
    }

    @Test func `a message that a closed channel cut short is not continued on the next one`() throws {
        var trace = opened()
        trace.l2cap(0x40, .tx, 0x60, frame([0xA5, 4]))
        trace.signal(0x40, .tx, L2CAPSignallingCode(rawValue: 6), [0x60, 0x50])
        trace.signal(0x40, .rx, .disconnectionResponse, [0x60, 0x50])
        trace.signal(0x40, .tx, .leCreditBasedConnectionRequest, [0x80, 0x50, 100, 64, 50])
        trace.signal(0x40, .rx, .leCreditBasedConnectionResponse, [0x60, 100, 64, 50, 0])
        let whole = trace.l2cap(0x40, .tx, 0x60, frame([0xA5, 3, 7]))
        let framing = #"{"prefix": "a5", "length": {"at": 1, "counts": "frame"}, "stream": {}}"#
        let outcome = trace.run(try knowledge(framing: framing))
        // Joined, they would be a message of four bytes, and one byte that starts none.
        #expect(outcome[whole].isAnnotated && outcome.codes.isEmpty)
    }
}
