import BluetoothCore
import CoreBluetooth
import Dispatch
import Foundation
import Runtime
import Synchronization
import VirtualController

/// Adapters on one virtual air, in virtual time.
final class BluetoothWorld: Sendable {
    let time = VirtualTime()
    let delivery = SettlingDelivery()
    let radio: VirtualRadio
    private let count = Mutex(UInt32(0))

    init(seed: UInt64 = 1) { radio = VirtualRadio(seed: seed, scheduler: time) }

    /// An adapter whose controller has this public address.
    func adapter(_ address: UInt64) -> (BluetoothAdapter, ControllerID) {
        let radio = radio
        let controller = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(address, .public)))
        let pipe = PacketPipe(
            attach: { radio.attach(controller, $0) }, send: { radio.send($0, from: controller) })
        var configuration = BluetoothAdapter.Configuration()
        configuration.source = .host.numbered(controller.rawValue)
        let adapter = BluetoothAdapter(
            pipe: pipe, time: time, entropy: SeededEntropy(seed: 1), delivery: delivery,
            configuration: configuration)
        return (adapter, controller)
    }

    /// Goes on until the condition holds, or for `limit` of virtual time.
    @discardableResult
    func run(for limit: Duration = .seconds(60), until condition: () -> Bool = { false }) -> Bool {
        let end = time.now.advanced(by: limit)
        while true {
            delivery.settle()
            if condition() { return true }
            guard time.step(notAfter: end) else { break }
        }
        time.run(until: end)
        delivery.settle()
        return condition()
    }
}

/// Lines in the order in which they were written.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var all: [String] { kept.withLock { $0 } }
}
