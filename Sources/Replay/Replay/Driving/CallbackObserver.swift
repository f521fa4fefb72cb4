import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation

/// Observes the callbacks to the application and passes them to the recording, with the log's handles and
/// errors.
///
/// It is the witness of the managers' adapter, so the application doesn't have to report its callbacks.
final class CallbackObserver: NSObject, CallbackWitness, Sendable {
    private let tell: @Sendable (ApplicationEvent, DeviceAddress) -> Void

    init(_ tell: @escaping @Sendable (ApplicationEvent, DeviceAddress) -> Void) { self.tell = tell }

    /// Reports the end of a call. An error that isn't the server's comes from the link, which reports its own
    /// end.
    private func tell(
        _ error: (any Error)?, of peripheral: CBPeripheral, _ event: (ATTErrorCode?) -> ApplicationEvent
    ) {
        if error != nil, error?.refusal == nil { return }
        tell(event(error?.refusal), peripheral.address)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        tell(.connected, peripheral.address)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        tell(.connectFailed, peripheral.address)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        tell(.disconnected(byWish: error == nil), peripheral.address)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        let handle = characteristic.valueHandle ?? 0
        let value = [UInt8](characteristic.value ?? Data())
        tell(error, of: peripheral) { refusal in
            refusal.map { .readFailed(handle: handle, $0) } ?? .value(handle: handle, value)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        let handle = descriptor.attributeHandle ?? 0
        tell(error, of: peripheral) { refusal in
            refusal.map { .readFailed(handle: handle, $0) } ?? .value(handle: handle, descriptor.octets)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        tell(error, of: peripheral) { .written(handle: characteristic.valueHandle ?? 0, $0) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) {
        tell(error, of: peripheral) { .written(handle: descriptor.attributeHandle ?? 0, $0) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        tell(error, of: peripheral) { .configured(handle: characteristic.valueHandle ?? 0, $0) }
    }
}

extension Error {
    /// The server's error code; nil if the error isn't the server's.
    var refusal: ATTErrorCode? {
        (self as? CBATTError).map { ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: $0.errorCode)) }
    }
}
