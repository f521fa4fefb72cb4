import CoreBluetooth
import Foundation
import Synchronization
import Testing

/// A central and a peripheral in the machine's time, each on a queue of its own, up to an open channel.
final class LiveEnds: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, CBPeripheralManagerDelegate,
    @unchecked Sendable
{
    private let queue = DispatchQueue(label: "ends")
    private let adapters: [BluetoothAdapter]
    private var central: CBCentralManager?
    private var manager: CBPeripheralManager?
    private var found: CBPeripheral?
    private var psm: CBL2CAPPSM = 0
    private let opened = DispatchSemaphore(value: 0)
    private var mine: CBL2CAPChannel?
    private var its: CBL2CAPChannel?

    init(central: BluetoothAdapter, peripheral: BluetoothAdapter) {
        adapters = [central, peripheral]
        super.init()
        self.central = CBCentralManager(delegate: self, queue: queue, options: nil, adapter: central)
        manager = CBPeripheralManager(delegate: self, queue: queue, options: nil, adapter: peripheral)
    }

    func close() { for adapter in adapters { adapter.close() } }

    /// The channel's ends: the central's and the peripheral's.
    func open() throws -> (CBL2CAPChannel, CBL2CAPChannel) {
        for _ in 0..<2 { try #require(opened.wait(timeout: .now() + 60) == .success) }
        return try queue.sync { (try #require(mine), try #require(its)) }
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if peripheral.state == .poweredOn { peripheral.publishL2CAPChannel(withEncryption: false) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel psm: CBL2CAPPSM, error: (any Error)?
    ) {
        self.psm = psm
        peripheral.startAdvertising(nil)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) {
        its = channel
        opened.signal()
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard found == nil else { return }
        found = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.openL2CAPChannel(psm)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        mine = channel
        opened.signal()
    }
}

/// Something that one thread hands to another, and uses no more.
struct Handed<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// A thread with a run loop, in which a talker sends back what comes.
final class Guest: Sendable {
    private let isOver = Mutex(false)

    init(_ channel: CBL2CAPChannel) {
        Thread.detachNewThread { [self] in
            let talker = Talker(channel, echoes: true)
            while !isOver.withLock({ $0 }) {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.2))
            }
            talker.close()
        }
    }

    func cancel() { isOver.withLock { $0 = true } }
}
