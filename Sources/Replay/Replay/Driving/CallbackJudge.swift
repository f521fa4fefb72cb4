import BluetoothCore
@_spi(Host) import CoreBluetooth
import Foundation

/// Hears what the API tells the application, and hands it to the recording in the log's terms.
///
/// It is the witness of the managers' adapter: no application is needed that tells what it was told.
final class CallbackJudge: NSObject, CallbackWitness, Sendable {
    private let tell: @Sendable (ApplicationEvent, DeviceAddress) -> Void

    init(_ tell: @escaping @Sendable (ApplicationEvent, DeviceAddress) -> Void) { self.tell = tell }

    /// Tells how a call has ended; an error that is not the server's is one of the link, whose end is told.
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
    /// Why the server refused; nil where it was not the server.
    var refusal: ATTErrorCode? {
        (self as? CBATTError).map { ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: $0.errorCode)) }
    }
}

extension CBDescriptor {
    /// The bytes of the value, out of the form in which the API gives it.
    var octets: [UInt8] {
        switch value {
        case let data as Data: [UInt8](data)
        case let text as String: Array(text.utf8)
        case let number as NSNumber: [UInt8(truncating: number), UInt8(number.uint16Value >> 8)]
        default: []
        }
    }
}
