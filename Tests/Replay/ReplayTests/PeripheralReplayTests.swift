import BluetoothCore
import LEHost
import Runtime
import Synchronization
import Testing

@testable import Replay

/// Logs of the peripheral: the central's part is played to this project's own server.
@Suite struct PeripheralReplayTests {
    /// Captures of one device each, seen from its end.
    static let logs = ["mi-band", "mobike", "peripheral-clock", "uqdk-unlock", "handle-reuse-before"]

    @Test(arguments: logs)
    func `what a server did is done by this one, PDU for PDU`(name: String) throws {
        let model = try Recording.mirrored("\(name).btsnoop")
        #expect(model.obstacles.isEmpty)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.notes.isEmpty, "\(replay.notes)")
        let connection = model.connections[0]
        let own = connection.pdus.count { $0.side == .host && $0.channel == .attribute }
        #expect(connection.steps.count { $0.isRequired } >= own)
        #expect(replay.report.compared >= own)
        // What was not answered by the server itself is counted as the log's.
        #expect((replay.report.given ?? 0) > 1 && (replay.report.given ?? 0) < own)
        #expect(replay.report.results[0].callbacks > 0)
        #expect(replay.text.contains("as the peripheral"))
    }

    @Test(arguments: [
        PlacementPolicy.recorded, .earliest, .latest, .shuffle(seed: 1), .shuffle(seed: 2),
    ])
    func `the verdict does not hang on when the central does things`(policy: PlacementPolicy) throws {
        for name in Self.logs {
            var options = LogReplay.Options()
            options.replay.policy = policy
            let replay = LogReplay(try Recording.mirrored("\(name).btsnoop"), options: options)
            #expect(replay.report.verdict == .same, "\(name): \(replay.text)")
        }
    }

    @Test(arguments: ["mobike", "peripheral-clock"])
    func `an octet changed in what the server sent is found at its PDU, for every PDU`(name: String) throws {
        let model = try Recording.mirrored("\(name).btsnoop")
        var tried = 0
        for step in model.connections[0].steps {
            guard case .serve = step.action, let place = step.pdus.first else { continue }
            let count = model.connections[0].pdus[place].octets.count
            for octet in Set([0, count / 2, count - 1]) {
                var changed = model
                changed.connections[0].pdus[place].octets[octet] ^= 0x40
                // An opcode of another kind is no answer and no value any more.
                guard changed.connections[0].pdus[place].opcode.isSentByClient == false else { continue }
                let replay = LogReplay(changed, actions: model, options: LogReplay.Options())
                #expect(replay.report.frame == step.frame, "byte \(octet): \(replay.text)")
                tried += 1
            }
        }
        #expect(tried > 40)
    }

    @Test func `advertising that is another is found at the command that set it`() throws {
        let model = try Recording.mirrored("mobike.btsnoop")
        var changed = model
        changed.connections[0].advertising?.data[3] ^= 1
        let replay = LogReplay(changed, actions: model, options: LogReplay.Options())
        #expect(replay.report.frame == model.connections[0].advertising?.frame, "\(replay.text)")
        #expect(replay.text.contains("advertising data"))
    }

    @Test func `a response that is not in the log is left out with its request, and both are named`() throws {
        var connection = try Recording.mirrored("mobike.btsnoop").connections[0]
        let place = try #require(
            connection.pdus.firstIndex { $0.opcode == .readResponse && $0.side == .host })
        let asked = try #require(connection.pdus[place].answers)
        let frame = connection.pdus[asked].frame
        connection.pdus.remove(at: place)
        for later in connection.pdus.indices {
            if let answered = connection.pdus[later].answers, answered > place {
                connection.pdus[later].answers = answered - 1
            }
        }
        #expect(connection.leaveOutIncomplete().frames == [frame])
        #expect(!connection.pdus.contains { $0.frame == frame })
    }

    // MARK: Faults of the server

    private static let values: [ATTOpcode] = [.handleValueNotification]
    private static let answers: [ATTOpcode] = [
        .readResponse, .readBlobResponse, .writeResponse, .readByTypeResponse, .readByGroupTypeResponse,
        .findInformationResponse, .prepareWriteResponse, .executeWriteResponse, .exchangeMTUResponse,
    ]

    private static let faults: [StackFault] = [
        .init(name: "a value is not sent", way: .toPeer, opcodes: values) { _ in .replaced([]) },
        .init(name: "a value is sent twice", way: .toPeer, opcodes: values) {
            .replaced([($0, .zero), ($0, .zero)])
        },
        .init(name: "a value is sent for another handle", way: .toPeer, opcodes: values) {
            .replaced([([$0[0], $0[1] ^ 1] + $0[2...], .zero)])
        },
        .init(name: "an answer is not sent", way: .toPeer, opcodes: answers) { _ in .replaced([]) },
        .init(name: "an answer is sent twice", way: .toPeer, opcodes: answers) {
            .replaced([($0, .zero), ($0, .zero)])
        },
        .init(name: "the last byte of an answer is lost", way: .toPeer, opcodes: answers) {
            $0.count > 1 ? .replaced([(Array($0.dropLast()), .zero)]) : nil
        },
        .init(name: "a byte of an answer is wrong", way: .toPeer, opcodes: answers) {
            $0.count > 1 ? .replaced([(Array($0.dropLast()) + [($0.last ?? 0) ^ 1], .zero)]) : nil
        },
        .init(name: "a write is refused", way: .toPeer, opcodes: [.writeResponse]) { _ in
            .replaced([([0x01, 0x12, 1, 0, 0x0E], .zero)])
        },
        .init(name: "a refusal is swallowed", way: .toPeer, opcodes: [.errorResponse]) {
            $0[1] == 0x12 ? .replaced([([0x13], .zero)]) : nil
        },
        .init(name: "another error is told", way: .toPeer, opcodes: [.errorResponse]) {
            .replaced([(Array($0.dropLast()) + [0x0E], .zero)])
        },
        .init(
            name: "a byte that is written is wrong", way: .fromPeer, opcodes: [.writeRequest, .writeCommand]
        ) {
            $0.count > 3 ? .replaced([(Array($0[..<3]) + [$0[3] ^ 1] + $0[4...], .zero)]) : nil
        },
        .init(name: "a write does not come", way: .fromPeer, opcodes: [.writeCommand]) { _ in .replaced([]) },
    ]

    @Test(arguments: faults)
    func `a fault of the server is found where it is`(fault: StackFault) throws {
        var tried = 0
        for name in ["mi-band", "mobike", "peripheral-clock"] {
            let model = try Recording.mirrored("\(name).btsnoop")
            for place in 0..<8 {
                let made = Mutex<FaultyTransport?>(nil)
                var options = LogReplay.Options()
                options.transport = { adapter, time in
                    let faulty = FaultyTransport(adapter, time, fault, at: place)
                    made.withLock { $0 = $0 ?? faulty }
                    return faulty
                }
                let replay = LogReplay(model, options: options)
                guard let applied = made.withLock({ $0 })?.applied else { break }
                let connection = model.connections[0]
                let label = "\(name), place \(place), after frame \(applied.frame): \(replay.text)"
                tried += 1
                // The PDUs around the fault, from the last that had passed on.
                let near = connection.pdus.filter { $0.frame >= applied.frame }.prefix(6)
                // A write that the server refuses by itself is not told to the application.
                let answer = near.drop { $0.side == .host }.first { $0.side == .host }
                if fault.way == .fromPeer, answer?.opcode == .errorResponse { continue }
                let found = try #require(replay.report.frame, "\(label)")
                #expect(near.contains { $0.frame == found } || found == 0, "\(label)")
            }
        }
        #expect(tried > 0)
    }

    // MARK: Values, confirmations and encryption

    private static func made(_ lines: [Synthetic.Line]) -> SessionModel {
        Recording.mirror(Synthetic.model(lines))
    }

    @Test func `an indication is confirmed as in the log, and the next comes after it`() {
        let model = Self.made([
            .host("12 1600 0200"), .peer("13"), .peer("1d 1500 aabb"), .host("1e"), .peer("1d 1500 ccdd"),
            .host("1e"),
        ])
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(replay.report.compared == 3)
        // A server that never sends the second waits, and is named.
        var longer = model
        let last = longer.connections[0].pdus.count - 2
        longer.connections[0].pdus[last].octets[4] ^= 1
        let other = LogReplay(longer, actions: model, options: LogReplay.Options())
        #expect(other.report.frame == longer.connections[0].pdus[last].frame, "\(other.text)")
    }

    @Test func `a value that overtakes the answer before it is found, and one that comes after it is not`() {
        let lines: [Synthetic.Line] = [
            .host("12 1300 0100"), .peer("13"), .host("12 1200 42"), .peer("13"), .peer("1b 1200 01"),
        ]
        #expect(LogReplay(Self.made(lines)).report.verdict == .same)
        let overtaking = Self.made([lines[0], lines[1], lines[2], lines[4], lines[3]])
        let replay = LogReplay(overtaking)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        let changed = LogReplay(Self.made(lines), actions: overtaking, options: LogReplay.Options())
        #expect(changed.report.verdict != .same, "\(changed.text)")
    }

    @Test func `a central that comes back to its bond gets the key, and another key is found`() throws {
        let model = try Recording.mirrored("bonded-reconnect.btsnoop")
        #expect(LogReplay(model).report.verdict == .same, "\(LogReplay(model).text)")
        var other = model
        other.connections[0].encryption?.key.ediv ^= 1
        let report = LogReplay(other).report
        #expect(report.frame == model.connections[0].encryption?.frame, "\(report.text)")
    }

    @Test func `a program of its own is judged by the log of a server`() throws {
        // A host of another program is a central here.
        let played = OutsideReplay(
            try Recording.mirrored("mobike.btsnoop"), options: LogReplay.Options(), scheduler: VirtualTime()
        ).recording.model
        #expect(played.obstacles.map(\.kind) == [.peripheralRole])
    }
}
