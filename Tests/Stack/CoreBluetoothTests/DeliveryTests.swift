import CoreBluetooth
import Dispatch
import Runtime
import Synchronization
import Testing

@Suite struct DeliveryTests {
    @Test func `a callback that takes longer than the patience is named, and named for good`() {
        let delivery = SettlingDelivery(patience: .milliseconds(5))
        let slow = DispatchQueue(label: "slow")
        // It takes as long as it is not named.
        delivery.deliver(on: slow) { while delivery.stalled.isEmpty { usleep(1000) } }
        delivery.settle()
        #expect(delivery.stalled == ["slow"])
        delivery.deliver(on: slow) {}
        delivery.settle()
        #expect(delivery.stalled == ["slow"])
    }

    @Test func `a callback that takes no longer than the patience is not named`() {
        let delivery = SettlingDelivery(patience: .seconds(600))
        delivery.deliver(on: DispatchQueue(label: "quick")) {}
        delivery.settle()
        #expect(delivery.stalled.isEmpty)
    }

    @MainActor @Test func `the main queue is known by each of its names`() {
        let delivery = SettlingDelivery(patience: .milliseconds(5))
        let ran = Mutex(0)
        for queue in [nil, DispatchQueue.main, .main] {
            delivery.deliver(on: queue) { ran.withLock { $0 += 1 } }
        }
        delivery.settle()
        // This is a block of the main queue: a wait for another one would end without it.
        #expect(ran.withLock { $0 } == 3 && delivery.stalled.isEmpty)
    }

    @Test func `what a cancelled action held may use the time when it is let go`() {
        final class Owner: Sendable {
            let time: VirtualTime
            init(_ time: VirtualTime) { self.time = time }
            deinit { time.schedule(at: time.now, from: .application) {} }
        }
        let time = VirtualTime()
        let owner = Mutex<Owner?>(Owner(time))
        let id = owner.withLock { kept in
            time.schedule(at: Instant(nanoseconds: 5), from: .application) { [kept] in
                withExtendedLifetime(kept) {}
            }
        }
        owner.withLock { $0 = nil }
        time.cancel(id)
        // The owner went with the action, and its end was heard.
        #expect(time.pending == 1)
    }

    @Test func `an adapter goes with its last manager`() {
        weak var gone: BluetoothAdapter?
        do {
            let world = BluetoothWorld()
            let (adapter, _) = world.adapter(0xF1)
            gone = adapter
            let manager = CBCentralManager(
                delegate: nil, queue: world.delivery.inline, options: nil, adapter: adapter)
            let peripherals = CBPeripheralManager(
                delegate: nil, queue: world.delivery.inline, options: nil, adapter: adapter)
            world.run(for: .seconds(1))
            #expect(manager.state == .poweredOn)
            withExtendedLifetime((manager, peripherals)) {}
            adapter.close()
        }
        #expect(gone == nil)
    }
}
