import BluetoothCore
import CaptureFile
import TestSupport
import Testing

@testable import Replay

/// Sessions that a sniffer recorded: what it did not hear is nobody's fault.
@Suite struct AirReplayTests {
    private static func replay(_ play: (inout AirCapture, inout AirLink) -> Void) throws -> LogReplay {
        LogReplay(try model(play))
    }

    private static func model(_ play: (inout AirCapture, inout AirLink) -> Void) throws -> SessionModel {
        var capture = AirCapture()
        for index in 0..<3 {
            capture.add(
                at: index * 100_000, AirCapture.advertising, [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        }
        var link = AirLink(at: 400_000)
        play(&capture, &link)
        var reader = try CaptureReader(octets: capture.octets, name: "air")
        var builder = SessionModelBuilder()
        while let record = try reader.next() { builder.add(record) }
        return try builder.model()
    }

    /// Finds a service with a characteristic and its configuration, and subscribes.
    private static func subscribe(_ capture: inout AirCapture, _ link: inout AirLink) {
        let exchange: [(String, String)] = [
            ("10" + "0100ffff" + "0028", "1106" + "010009000f18"),
            ("10" + "0a00ffff" + "0028", "01100a000a"),
            ("08" + "01000900" + "0328", "0907" + "0200" + "12" + "0300" + "192a"),
            ("08" + "04000900" + "0328", "010804000a"), ("04" + "04000900", "0501" + "0400" + "0229"),
            ("04" + "05000900", "010405000a"), ("12" + "0400" + "0100", "13"),
        ]
        for (request, response) in exchange {
            link.event(&capture, .att(request), .empty)
            link.event(&capture, .empty, .att(response))
        }
    }

    @Test func `a session that was heard to its end is the same`() throws {
        let replay = try Self.replay { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            link.event(&capture, .att("0a0300"), .empty)
            link.event(&capture, .empty, .att("0b64"))
            link.event(&capture, .control("0213"), .empty)
        }
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `an end that was not heard does not keep the next connection waiting`() throws {
        let replay = try Self.replay { capture, link in
            for _ in 0..<2 {
                link.connect(&capture)
                Self.subscribe(&capture, &link)
                link.time += 2_000_000
            }
        }
        #expect(replay.report.results.map(\.word) == ["same", "same"], "\(replay.text)")
        #expect(replay.report.assumptions.contains { $0.kind == .missingEnd && $0.connection == 1 })
    }

    @Test(arguments: [true, false])
    func `a response that may not have been heard is made up, but not one that never came`(
        isHeard: Bool
    ) throws {
        let replay = try Self.replay { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            link.event(&capture, .att("12" + "0400" + "0000"), .empty)
            for index in 0..<1100 {
                let isMissed = !isHeard && (3..<6).contains(index)
                link.event(&capture, hears: isMissed ? (.missed, .missed) : (.heard, .heard))
            }
        }
        #expect(!["diverged", "stuck"].contains(replay.report.verdict.word), "\(replay.text)")
        #expect(replay.report.assumptions.contains { $0.kind == .missingResponse } == !isHeard)
    }

    @Test func `of two requests at once only the later one keeps its response`() throws {
        let model = try Self.model { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            link.event(&capture, .att("12" + "0300" + "01"), .empty)
            link.event(&capture, .att("12" + "0300" + "02"), .empty)
            link.event(&capture, .empty, .att("13"))
            link.event(&capture, .empty, .att("13"))
            link.event(&capture, .control("0213"), .empty)
        }
        let pdus = try #require(model.connections.first).pdus
        let response = try #require(pdus.last { $0.opcode == .writeResponse && !$0.isMadeUp })
        let request = try #require(response.answers.map { pdus[$0] })
        #expect(request.octets.last == 2)
        // Two packets in each event: the first response is the third one after the second request.
        #expect(response.frame == request.frame + 5)
    }

    @Test func `an end that only silence shows is an end, whichever packet follows it`() throws {
        let model = try Self.model { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            for _ in 0..<33 { link.event(&capture, .empty, nil) }
            capture.add(
                at: link.time + 1_500_000, AirCapture.advertising,
                [0x40, 9] + AirLink.peripheral + [2, 1, 6])
        }
        #expect(model.connections.first?.end?.reason == .connectionTimeout)
    }

    @Test func `a request with a direction that the sniffer has wrong is played`() throws {
        let model = try Self.model { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            link.event(&capture, .empty, .att("0a0300"))
            link.event(&capture, .empty, .att("0b64"))
            link.event(&capture, .control("0213"), .empty)
        }
        let pdus = try #require(model.connections.first).pdus
        #expect(pdus.last?.opcode == .readResponse)
        #expect(pdus.last?.answers.map { pdus[$0].side } == .host)
    }

    @Test func `a configuration is read in the form that the API has for it`() throws {
        for value in ["", "01", "0100", "010000"] {
            let replay = try Self.replay { capture, link in
                link.connect(&capture)
                Self.subscribe(&capture, &link)
                link.event(&capture, .att("0a0400"), .empty)
                link.event(&capture, .empty, .att("0b" + value))
                link.event(&capture, .control("0213"), .empty)
            }
            #expect(replay.report.verdict == .same, "\(replay.text)")
        }
    }

    @Test(arguments: ["a709000900", "02ff", "0200020000"])
    func `a request that no other host can send is left out`(request: String) throws {
        let replay = try Self.replay { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            link.event(&capture, .att(request), .empty)
            link.event(&capture, .empty, .empty)
            link.event(&capture, .att("0a0300"), .empty)
            link.event(&capture, .empty, .att("0b64"))
            link.event(&capture, .control("0213"), .empty)
        }
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.kind) == [.contradiction], "\(replay.text)")
    }

    @Test func `a pairing that the host leaves when it is its turn is left out`() throws {
        let replay = try Self.replay { capture, link in
            link.connect(&capture)
            Self.subscribe(&capture, &link)
            for (code, fromCentral) in [(1, true), (2, false)] as [(UInt8, Bool)] {
                let pdu = AirLink.PDU(2, [7, 0, 6, 0, code, 3, 0, 0, 16, 0, 0])
                link.event(&capture, fromCentral ? pdu : .empty, fromCentral ? .empty : pdu)
            }
            link.event(&capture, .control("0213"), .empty)
        }
        guard case .partlySame(let obstacles) = replay.report.verdict else {
            Issue.record("\(replay.text)")
            return
        }
        #expect(obstacles.map(\.kind) == [.pairing], "\(replay.text)")
    }
}
