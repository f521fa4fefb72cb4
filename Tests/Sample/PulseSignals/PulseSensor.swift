import CoreBluetooth.CBPeripheralManager

// As an application for iOS has it, in the style of Swift 5: the peripheral role behind closures and signals,
// with a delegate that nobody else sees, and attributes that are subclasses.

/// A stream of values that closures observe.
final class Signal<Value> {
    private var observers: [Int: (Value) -> Void] = [:]
    private var next = 0

    /// Calls `action` with each value until the result is called.
    func observe(_ action: @escaping (Value) -> Void) -> () -> Void {
        let number = next
        next += 1
        observers[number] = action
        return { [weak self] in self?.observers[number] = nil }
    }

    func send(_ value: Value) {
        for number in observers.keys.sorted() { observers[number]?(value) }
    }

    func map<Other>(_ transform: @escaping (Value) -> Other) -> Signal<Other> {
        let other = Signal<Other>()
        _ = observe { other.send(transform($0)) }
        return other
    }

    func filter(_ isWanted: @escaping (Value) -> Bool) -> Signal<Value> {
        let other = Signal<Value>()
        _ = observe { if isWanted($0) { other.send($0) } }
        return other
    }
}

/// A characteristic that knows how it is answered.
class AnsweringCharacteristic: CBMutableCharacteristic, @unchecked Sendable {
    var answer: (() -> Data)?
    var take: ((Data) -> CBATTError.Code)?

    convenience init(_ uuid: CBUUID, _ properties: CBCharacteristicProperties, about text: String) {
        var permissions: CBAttributePermissions = []
        if properties.contains(.read) { permissions.insert(.readable) }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) { permissions.insert(.writeable) }
        self.init(type: uuid, properties: properties, value: nil, permissions: permissions)
        let description = CBUUID(string: CBUUIDCharacteristicUserDescriptionString)
        descriptors = [CBMutableDescriptor(type: description, value: text)]
    }
}

/// A manager that knows what was added to it.
class SensorManager: CBPeripheralManager, @unchecked Sendable {
    private(set) var added: [CBUUID] = []

    convenience init(named name: String) {
        let options = [CBPeripheralManagerOptionShowPowerAlertKey: false]
        self.init(delegate: nil, queue: DispatchQueue(label: name), options: options)
    }

    override func add(_ service: CBMutableService) {
        added.append(service.uuid)
        super.add(service)
    }
}

/// A pulse sensor on the air: counts up with each tick, and its counter can be set.
class PulseSensor {
    let states = Signal<CBManagerState>()
    let subscribers = Signal<Int>()
    let requests = Signal<CBATTRequest>()
    private(set) var problems: [String] = []
    private(set) var rate: UInt8 = 60

    let manager = SensorManager(named: "pulse")
    private let proxy = Proxy()
    private let measurement = AnsweringCharacteristic(
        CBUUID(string: "2A37"), [.read, .notify], about: "pulse")
    private let control = AnsweringCharacteristic(CBUUID(string: "2A39"), .write, about: "control")
    private var unsent: [Data] = []

    init() {
        measurement.answer = { [unowned self] in Data([0, rate]) }
        control.take = { [unowned self] value in
            guard value.count == 1 else { return .invalidAttributeValueLength }
            guard let new = value.first, new > 0 else {
                return CBATTError.Code(rawValue: 0x80) ?? .unlikelyError
            }
            rate = new
            return .success
        }
        proxy.sensor = self
        manager.delegate = proxy
        _ = states.filter { $0 == .poweredOn }.observe { [unowned self] _ in open() }
    }

    private func open() {
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        service.characteristics = [measurement, control]
        manager.add(service)
    }

    /// One beat: sends the rate to those who have subscribed.
    func tick() {
        rate &+= 1
        send(Data([0, rate]))
    }

    private func send(_ value: Data) {
        unsent.append(value)
        flush()
    }

    fileprivate func flush() {
        while let value = unsent.first {
            guard manager.updateValue(value, for: measurement, onSubscribedCentrals: nil) else { return }
            unsent.removeFirst()
        }
    }

    fileprivate func serviceAdded(_ service: CBService, _ error: Error?) {
        if let error = error as NSError? { problems.append("\(error.domain) \(error.code)") }
        manager.startAdvertising([
            CBAdvertisementDataLocalNameKey: "pulse",
            CBAdvertisementDataServiceUUIDsKey: [service.uuid],
        ])
    }

    fileprivate func subscriptionsChanged() { subscribers.send(measurement.subscribedCentrals?.count ?? 0) }

    fileprivate func read(_ request: CBATTRequest) {
        requests.send(request)
        // Before iOS 15 the service was not optional, and code was written so.
        guard request.characteristic.service.isPrimary,
            let value = (request.characteristic as? AnsweringCharacteristic)?.answer?()
        else {
            return manager.respond(to: request, withResult: .readNotPermitted)
        }
        guard request.offset <= value.count else {
            return manager.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        manager.respond(to: request, withResult: .success)
    }

    fileprivate func write(_ all: [CBATTRequest]) {
        for request in all {
            requests.send(request)
            let take = (request.characteristic as? AnsweringCharacteristic)?.take
            let result = take?(request.value ?? Data()) ?? .writeNotPermitted
            guard result == .success else { return manager.respond(to: all[0], withResult: result) }
        }
        manager.respond(to: all[0], withResult: .success)
    }

    private class Proxy: NSObject, CBPeripheralManagerDelegate {
        weak var sensor: PulseSensor?

        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
            sensor?.states.send(peripheral.state)
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
            sensor?.serviceAdded(service, error)
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, central: CBCentral,
            didSubscribeTo characteristic: CBCharacteristic
        ) { sensor?.subscriptionsChanged() }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, central: CBCentral,
            didUnsubscribeFrom characteristic: CBCharacteristic
        ) { sensor?.subscriptionsChanged() }

        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
            sensor?.read(request)
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
            sensor?.write(requests)
        }

        func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { sensor?.flush() }
    }
}

// Two types, as on iOS, so each can have its own description.

extension CBManagerState: CustomStringConvertible {
    public var description: String { self == .poweredOn ? "on" : "off" }
}

extension CBPeripheralManagerState: CustomStringConvertible {
    public var description: String { self == .poweredOn ? "on" : "off" }
}
