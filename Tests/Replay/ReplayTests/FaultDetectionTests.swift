import Synchronization
import Testing

@testable import Replay

/// Faults of the stack that are switched in, each at every PDU that it can be in: the replay finds them.
@Suite struct FaultDetectionTests {
    static let logs = [
        "mi-band", "mobike", "link-device", "peripheral-clock", "two-devices", "handle-reuse", "uqdk-unlock",
        "made",
    ]

    /// A session with what no capture has: indications, and reads that are refused.
    private static func made() -> SessionModel {
        Synthetic.model([
            .host("1213000200"), .peer("13"), .peer("1d1200aabb"), .host("1e"), .host("0a1500"),
            .peer("010a150002"), .peer("1d1200ccdd"), .host("1e"), .host("0a1800"), .peer("010a180005"),
            .host("12150042"), .peer("0112150003"),
        ])
    }

    /// Replays a log with a fault; nil where no PDU of it had the fault.
    private static func replay(
        _ name: String, _ fault: StackFault, at place: Int
    ) throws -> (replay: LogReplay, isHarmless: Bool)? {
        var options = try LogReplayTests.options()
        let made = Mutex<[FaultyTransport]>([])
        let model = name == "made" ? Self.made() : try Recording.model("\(name).btsnoop")
        options.transport = { adapter, time in
            let transport = FaultyTransport(adapter, time, fault, at: place)
            made.withLock { $0.append(transport) }
            return transport
        }
        let replay = LogReplay(model, actions: model, options: options)
        guard let handle = made.withLock({ $0.first?.applied }) else { return nil }
        // The rule, written before the faults. What operating systems read and write by themselves makes no
        // difference to anyone. A configuration is given to an application as a number, which has no length.
        let isHarmless = model.connections.contains { connection in
            Normalization.isHousekeeping(handle, connection.database)
                || fault.name.hasSuffix("read is lost") && connection.database.isClientConfiguration(handle)
        }
        return (replay, isHarmless)
    }

    @Test(arguments: StackFault.all)
    func `a fault of the stack is found at every place`(fault: StackFault) throws {
        var runs = 0
        var missed: [String] = []
        for name in Self.logs {
            for place in 0..<40 {
                guard let (replay, isHarmless) = try Self.replay(name, fault, at: place) else { break }
                guard !isHarmless else { continue }
                runs += 1
                switch replay.report.verdict {
                case .diverged, .stuck: break
                default: missed.append("\(name) \(place)")
                }
            }
        }
        print("\(fault.name): \(runs) runs, \(missed.count) missed \(missed)")
        #expect(runs > 0 && missed.isEmpty)
    }
}
