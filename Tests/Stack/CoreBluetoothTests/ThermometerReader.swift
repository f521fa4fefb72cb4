import CoreBluetooth

// As an application for iOS has it: this import is all that it needs.

/// Reads a thermometer's value once, and again every time that it was written.
final class ThermometerReader: NSObject, @unchecked Sendable {
    static let service = CBUUID(string: "FF00")
    static let level = CBUUID(string: "FF01")

    let queue = DispatchQueue(label: "thermometer")
    private var central: CBCentralManager?
    private var thermometer: CBPeripheral?
    private(set) var identifier: UUID?
    private(set) var localName: String?
    private(set) var value = Data()
    private(set) var failures: [String] = []
    var onValue: ((Data) -> Void)?

    override init() {
        super.init()
        central = CBCentralManager(
            delegate: self, queue: queue, options: [CBCentralManagerOptionShowPowerAlertKey: true])
    }

    /// The level in percent; nil where none was read.
    var percent: Double? {
        value.first.map { (Double($0) / 255 * 100).rounded() }
    }

    /// What a person is told of an error.
    static func explain(_ error: any Error) -> String {
        do {
            throw error
        } catch CBError.connectionTimeout {
            return "out of reach"
        } catch CBError.peripheralDisconnected, CBError.connectionFailed {
            return "gone"
        } catch CBATTError.insufficientAuthentication, CBATTError.insufficientEncryption {
            return "not paired"
        } catch let error as CBATTError where error.code == .readNotPermitted {
            return "not readable"
        } catch let error as CBError {
            return "\(CBError.errorDomain) \(error.errorCode): \(error.localizedDescription)"
        } catch {
            let error = error as NSError
            return "\(error.domain) \(error.code)"
        }
    }

    /// What to do about a code of the Attribute Protocol.
    static func isFinal(_ code: CBATTError.Code) -> Bool {
        switch code {
        case .success: false
        case .insufficientResources, .prepareQueueFull, .unlikelyError: false
        case .invalidHandle, .attributeNotFound: true
        default: code.rawValue < 0x80
        }
    }
}

extension ThermometerReader: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn:
            central.scanForPeripherals(
                withServices: [Self.service], options: [CBCentralManagerScanOptionAllowDuplicatesKey: false])
        case .unknown, .resetting, .unsupported, .unauthorized, .poweredOff: thermometer = nil
        @unknown default: break
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard thermometer == nil, rssi.intValue < 127 else { return }
        localName = advertisementData[CBAdvertisementDataLocalNameKey] as? String
        thermometer = peripheral
        identifier = peripheral.identifier
        central.stopScan()
        central.connect(peripheral, options: nil)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices([Self.service])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        if let error { failures.append(Self.explain(error)) }
    }
}

extension ThermometerReader: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] where service.uuid == Self.service {
            peripheral.discoverCharacteristics([Self.level], for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard let level = service.characteristics?.first(where: { $0.uuid == Self.level }) else { return }
        peripheral.readValue(for: level)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { return failures.append(Self.explain(error)) }
        value = characteristic.value ?? Data()
        DispatchQueue.main.async { [weak self, value] in self?.onValue?(value) }
    }
}
