import CoreBluetooth
import Dispatch
import Foundation
import Runtime
import Testing
import VirtualController

/// A run is the same each time, whatever queues the programs use.
@Suite struct DeterminismTests {
    @Test func `a hundred runs on queues of any kind write the same lines`() {
        let inline = SessionTests.session { ($0.delivery.inline, $0.delivery.inline) }
        #expect(inline.count == SessionTests.expected.count)
        for seed in UInt64(0)..<100 {
            var random = SplitMix(state: seed)
            let lines = SessionTests.session { world in
                let shared = DispatchQueue(label: "shared", attributes: .concurrent)
                let kinds: [DispatchQueue?] = [
                    world.delivery.inline, nil, DispatchQueue(label: "serial"), shared,
                    DispatchQueue(label: "eager", qos: .userInteractive),
                    DispatchQueue(label: "idle", qos: .background, attributes: .concurrent),
                ]
                return (
                    kinds[Int(random.next() % UInt64(kinds.count))],
                    kinds[Int(random.next() % UInt64(kinds.count))]
                )
            }
            #expect(lines == inline, "seed \(seed)")
        }
    }

    @Test func `delegates are kept by no one, and found by their own type`() {
        final class Listener: NSObject, CBCentralManagerDelegate, CBPeripheralManagerDelegate {
            func centralManagerDidUpdateState(_ central: CBCentralManager) {}
            func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
        }
        let world = BluetoothWorld()
        let (adapter, _) = world.adapter(0xF1)
        var listener: Listener? = Listener()
        let central = CBCentralManager(
            delegate: listener, queue: world.delivery.inline, options: nil, adapter: adapter)
        let server = CBPeripheralManager(
            delegate: listener, queue: world.delivery.inline, options: nil, adapter: adapter)
        #expect(central.delegate === listener && server.delegate === listener)
        listener = nil
        #expect(central.delegate == nil && server.delegate == nil)
    }
}
