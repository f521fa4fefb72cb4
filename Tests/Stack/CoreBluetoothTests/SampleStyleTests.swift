import CoreBluetooth
import Synchronization
import Testing

@testable import PulseActor
@testable import PulseSignals

/// Applications in the styles of iOS code, unchanged, on the virtual air.
@Suite(.serialized) struct SampleStyleTests {
    private final class Outcome: Sendable {
        private let kept = Mutex<Result<[Data], any Error>?>(nil)
        var result: Result<[Data], any Error>? { kept.withLock { $0 } }
        func keep(_ result: Result<[Data], any Error>) { kept.withLock { $0 = result } }
    }

    @Test func `an actor of Swift 6 reads what a sensor with signals of Swift 5 sends`() async throws {
        let world = BluetoothWorld()
        let sensor = AdapterSlot.with(world.adapter(0xC1).0) { PulseSensor() }
        let reader = AdapterSlot.with(world.adapter(0xF1).0) { PulseReader() }
        world.delivery.follow(reader.queue)
        var counts: [Int] = []
        let stop = sensor.subscribers.observe { count in
            counts.append(count)
            if count > 0 { for _ in 0..<30 { sensor.tick() } }
        }
        let outcome = Outcome()
        let task = Task {
            do { outcome.keep(.success(try await reader.pulses(30))) } catch { outcome.keep(.failure(error)) }
        }
        // The task begins on a thread of the language, which virtual time does not wait for: this test must
        // leave it one.
        for _ in 0..<1_000_000 where outcome.result == nil {
            world.run(for: .milliseconds(50))
            try await Task.sleep(for: .microseconds(500))
        }
        let found = try #require(outcome.result).get()
        #expect(found == (61...90).map { Data([0, UInt8($0)]) })
        world.run(for: .seconds(5))
        #expect(
            counts == [1, 0] && sensor.problems.isEmpty && sensor.manager.added == [CBUUID(string: "180D")])
        let (log, connects) = reader.queue.sync { reader.assumeIsolated { ($0.log, $0.connects) } }
        #expect(log == ["found pulse", "2902", "2901", "disconnected -1"])
        #expect(connects == 1)
        stop()
        task.cancel()
    }

    @Test func `closures answer reads and writes, and refuse with codes of their own`() throws {
        let world = BluetoothWorld()
        let sensor = AdapterSlot.with(world.adapter(0xC1).0) { PulseSensor() }
        var asked: [String] = []
        let texts = sensor.requests.filter { $0.central.maximumUpdateValueLength >= 20 }
            .map { "\($0.characteristic.uuid) \($0.value.map(Array.init) ?? [])" }
        _ = texts.observe { asked.append($0) }
        let phone = Phone.on(world)
        world.run(for: .seconds(1))
        let peripheral = try #require(phone.open(0xC1))
        let service = try #require(peripheral.services?.first { $0.uuid == uuid("180D") })
        let measurement = try #require(service.characteristics?.first)
        let control = try #require(service.characteristics?.last)
        for value in [[120], [0], [1, 2]] as [[UInt8]] {
            peripheral.writeValue(Data(value), for: control, type: .withResponse)
        }
        peripheral.readValue(for: measurement)
        world.run(for: .seconds(5))
        #expect(asked == ["2A39 [120]", "2A39 [0]", "2A39 [1, 2]", "2A37 []"])
        #expect(sensor.rate == 120 && measurement.value == Data([0, 120]))
        #expect(phone.lines.matching("wrote") == ["wrote 2A39 nil", "wrote 2A39 att128", "wrote 2A39 att13"])
    }
}
