import CoreBluetooth
import Foundation
import Synchronization

/// A program in the style of Swift concurrency: each step of a connection is awaited.
final class AwaitedVisit: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
    struct Lost: Error {}

    private struct State {
        var manager: CBCentralManager?
        var peripheral: CBPeripheral?
        var waiting: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    var peripheral: CBPeripheral? { state.withLock { $0.peripheral } }

    func begin(_ queue: DispatchQueue?) async throws {
        try await step { $0.manager = CBCentralManager(delegate: self, queue: queue) }
    }

    func find(_ service: CBUUID) async throws {
        try await step { $0.manager?.scanForPeripherals(withServices: [service]) }
    }

    func connect() async throws {
        try await step { state in
            guard let peripheral = state.peripheral else { return }
            state.manager?.stopScan()
            peripheral.delegate = self
            state.manager?.connect(peripheral)
        }
    }

    func discover(_ service: CBUUID) async throws {
        try await step { $0.peripheral?.discoverServices([service]) }
        try await step { state in
            guard let service = state.peripheral?.services?.first else { return }
            state.peripheral?.discoverCharacteristics(nil, for: service)
        }
    }

    func read(_ uuid: CBUUID) async throws -> Data? {
        let characteristic = peripheral?.services?.first?.characteristics?.first { $0.uuid == uuid }
        try await step { state in
            guard let characteristic else { return }
            state.peripheral?.readValue(for: characteristic)
        }
        return characteristic?.value
    }

    private func step(_ call: @Sendable @escaping (inout sending State) -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.waiting = continuation
                call(&state)
            }
        }
    }

    private func done(_ error: (any Error)? = nil) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { done() }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        let isFirst = state.withLock { state in
            defer { state.peripheral = state.peripheral ?? peripheral }
            return state.peripheral == nil
        }
        if isFirst { done() }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { done() }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        done(Lost())
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { done(error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        done(error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        done(error)
    }
}
