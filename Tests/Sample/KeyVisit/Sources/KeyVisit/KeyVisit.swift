// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// Written as such code is written for iOS.

import CoreBluetooth
import Foundation

/// A visit to a car: connects, asks for its information, and sends messages one after the other, each when
/// the one before was answered.
public class KeyVisit: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    public enum Outcome: Equatable {
        case done(answers: Int)
        case timedOut(message: Int)
        case refused(message: Int)
        case lost
    }

    /// Runs a block after so many seconds; `DispatchQueue.asyncAfter` unless a test has its own time.
    public typealias Later = (Double, @escaping @Sendable () -> Void) -> Void

    static let service = CBUUID(string: "5551444B-0001-4449-4749-54414C4B4559")
    static let command = CBUUID(string: "5551444B-0002-4449-4749-54414C4B4559")
    static let event = CBUUID(string: "5551444B-0003-4449-4749-54414C4B4559")
    static let info = CBUUID(string: "5551444B-0004-4449-4749-54414C4B4559")

    public internal(set) var outcome: Outcome?
    /// Shows the user how far the visit is; nil for no user.
    public var shows: ((String) -> Void)?
    let messages: [[Data]]
    let later: Later
    private(set) var central: CBCentralManager!
    private(set) var car: CBPeripheral?
    var commandCharacteristic: CBCharacteristic?
    var eventCharacteristic: CBCharacteristic?
    var message = 0
    var fragment = 0
    var answers = 0

    /// - Parameters:
    ///   - messages: the fragments of each message.
    ///   - queue: where CoreBluetooth calls back; nil for the main queue.
    public init(_ messages: [[Data]], queue: DispatchQueue?, later: Later? = nil) {
        self.messages = messages
        self.later = later ?? { (queue ?? .main).asyncAfter(deadline: .now() + $0, execute: $1) }
        super.init()
        central = CBCentralManager(delegate: self, queue: queue)
    }

    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: [Self.service], options: nil)
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        central.stopScan()
        car = peripheral
        peripheral.delegate = self
        central.connect(peripheral, options: nil)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([Self.service])
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
    ) {
        if outcome == nil { outcome = .lost }
    }

    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == Self.service }) else { return }
        peripheral.discoverCharacteristics([Self.command, Self.event, Self.info], for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?
    ) {
        for characteristic in service.characteristics ?? [] {
            switch characteristic.uuid {
            case Self.command: commandCharacteristic = characteristic
            case Self.event: eventCharacteristic = characteristic
            default: peripheral.readValue(for: characteristic)
            }
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        if characteristic.uuid == Self.info, let event = eventCharacteristic {
            return peripheral.setNotifyValue(true, for: event)
        }
        guard let value = characteristic.value, value.count >= 2, value[1] & 0x80 != 0,
            message < messages.count, value[0] == messages[message][0][0]
        else { return }
        answers += 1
        message += 1
        shows?("message \(message) of \(messages.count) is answered")
        send()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: Error?
    ) {
        send()
    }

    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?
    ) {
        if error != nil { return end(.refused(message: message)) }
        fragment += 1
        guard message < messages.count, fragment < messages[message].count else { return }
        peripheral.writeValue(messages[message][fragment], for: characteristic, type: .withResponse)
    }

    func send() {
        guard let car = car, let characteristic = commandCharacteristic else { return }
        guard message < messages.count else { return end(.done(answers: answers)) }
        fragment = 0
        car.writeValue(messages[message][0], for: characteristic, type: .withResponse)
        let sent = message
        later(10) { [weak self] in self?.giveUp(sent) }
    }

    func giveUp(_ sent: Int) {
        guard outcome == nil, message == sent else { return }
        end(.timedOut(message: sent))
    }

    func end(_ outcome: Outcome) {
        guard let car = car else { return }
        self.outcome = outcome
        shows?("the visit is over: \(outcome)")
        central.cancelPeripheralConnection(car)
    }
}
