public import Dispatch
public import Foundation
import LEHost

/// Publishes services to centrals, and advertises them.
open class CBPeripheralManager: CBManager, @unchecked Sendable {
    private struct Listener { weak var object: (any CBPeripheralManagerDelegate)? }

    private let listener: Guarded<Listener>
    private let linkListener = Guarded<(@Sendable (CBCentral, Bool) -> Void)?>(nil)
    /// Whether it advertises, and the number of calls that stopped it.
    let advertising = Guarded((isOn: false, stops: UInt64(0)))
    /// Number of updates not yet passed to the controller, and whether one was refused since.
    let updates = Guarded((waiting: 0, wasRefused: false))
    let role = ServerRole()

    /// Maximum number of waiting updates; beyond it ``updateValue(_:for:onSubscribedCentrals:)`` refuses.
    static let updateLimit = 16

    /// Creates a manager on the adapter of ``AdapterSlot``.
    public init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
    ) {
        listener = Guarded(Listener(object: delegate))
        super.init(queue: queue, adapter: AdapterSlot.named(in: options))
        begin()
    }

    public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    /// Creates a manager on a given adapter; nil for none.
    ///
    /// Not part of Apple's API.
    public convenience init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]?,
        adapter: BluetoothAdapter?
    ) {
        self.init(delegate: delegate, queue: queue, options: AdapterSlot.naming(adapter, in: options))
    }

    private func begin() {
        role.begin(self)
        let role = role
        if let adapter {
            adapter.submit { ServerCore.of($0).add(role) }
        } else {
            call { [weak self] in self?.become(.unsupported) }
        }
    }

    deinit {
        let role = role
        adapter?.submit { ServerCore.of($0).remove(role) }
    }

    /// Receives the manager's callbacks; weakly referenced.
    open var delegate: (any CBPeripheralManagerDelegate)? {
        get { listener.current.object }
        set { listener.current = Listener(object: newValue) }
    }

    /// Called in the manager's queue when a central's link begins (true) or ends (false); Apple reports only
    /// centrals that subscribe.
    ///
    /// Not part of Apple's API: for simulated devices.
    @_spi(Host) public var onLink: (@Sendable (CBCentral, Bool) -> Void)? {
        get { linkListener.current }
        set { linkListener.current = newValue }
    }

    /// Whether it advertises.
    open var isAdvertising: Bool { advertising.current.isOn }

    /// Advertises the local name and the service UUIDs, all that Apple lets a program choose; the delegate
    /// gets the result.
    open func startAdvertising(_ advertisementData: [String: Any]?) {
        let name = advertisementData?[CBAdvertisementDataLocalNameKey] as? String
        let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
        start(AdvertisingPayload(name: name, services: services.map(\.value)))
    }

    /// Advertises these AD structures, up to 31 bytes each, unchanged.
    ///
    /// Not part of Apple's API: for simulated devices.
    ///
    /// - Parameter interval: time between two advertising events, 20 ms to 10.24 s.
    @_spi(Host) public func startAdvertising(
        data: [UInt8], scanResponse: [UInt8], interval: Duration = .milliseconds(100)
    ) {
        start(AdvertisingPayload(data: data, scanResponse: scanResponse, interval: interval))
    }

    private func start(_ payload: AdvertisingPayload) {
        guard isOn("startAdvertising") else { return }
        let (role, stops) = (role, advertising.current.stops)
        adapter?.submit { ServerCore.of($0).advertise(role, payload, stops) }
    }

    /// Returns the user's permission: see ``CBManager/authorization-swift.type.property``.
    @available(*, deprecated, message: "Use CBManager.authorization")
    open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus { .authorized }

    /// Requests another connection interval from a central: about 15 to 30 ms, 75 to 105 ms, or 300 to 315
    /// ms.
    ///
    /// The central may keep the current one; there is no callback.
    open func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) {
        guard isOn("setDesiredConnectionLatency") else { return }
        adapter?.submit { ServerCore.of($0).ask(latency, of: central) }
    }

    /// Stops advertising.
    open func stopAdvertising() {
        guard isOn("stopAdvertising") else { return }
        advertising.change { $0 = (false, $0.stops + 1) }
        let role = role
        adapter?.submit { ServerCore.of($0).stopAdvertising(role) }
    }

    /// Adds a service, whose included services must have been added before; the delegate gets the result.
    open func add(_ service: CBMutableService) {
        guard isOn("add") else { return }
        let role = role
        adapter?.submit { ServerCore.of($0).add(service, role) }
    }

    /// Removes a service.
    open func remove(_ service: CBMutableService) {
        guard isOn("remove") else { return }
        let role = role
        adapter?.submit { ServerCore.of($0).remove(service, role) }
    }

    /// Removes all services of this manager.
    open func removeAllServices() {
        guard isOn("removeAllServices") else { return }
        let role = role
        adapter?.submit { ServerCore.of($0).removeAll(role) }
    }

    /// Lets centrals open channels to a service with a new number, which the delegate receives.
    ///
    /// - Parameter encryptionRequired: whether their links must be encrypted.
    open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
        guard isOn("publishL2CAPChannel") else { return }
        let role = role
        adapter?.submit { ChannelCore.of($0).publish(role, isEncrypted: encryptionRequired) }
    }

    /// Unpublishes a service and closes its channels.
    open func unpublishL2CAPChannel(_ psm: CBL2CAPPSM) {
        guard isOn("unpublishL2CAPChannel") else { return }
        let role = role
        adapter?.submit { ChannelCore.of($0).unpublish(psm, role) }
    }

    /// Answers a request; for a batch of writes, answer only the first, once.
    open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        guard let answered = request.request else { return }
        let value = Array(request.value ?? Data())
        let isRead = request.isRead
        adapter?.submit { ServerCore.of($0).respond(answered, isRead, value, result) }
    }

    /// Sends a value to the subscribed ones of these centrals; nil for all subscribers.
    ///
    /// - Returns: false if the queue is full and nothing is sent; then
    ///   ``CBPeripheralManagerDelegate/peripheralManagerIsReady(toUpdateSubscribers:)`` says when to try
    ///   again.
    open func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard isOn("updateValue") else { return false }
        let isTaken = updates.change { updates in
            guard updates.waiting < Self.updateLimit else {
                updates.wasRefused = true
                return false
            }
            updates.waiting += 1
            return true
        }
        guard isTaken else { return false }
        let (role, octets) = (role, Array(value))
        adapter?.submit { ServerCore.of($0).update(octets, characteristic, centrals, role) }
        return true
    }

    /// Adopts a new state, in the manager's queue.
    func become(_ new: CBManagerState) {
        guard new != state else { return }
        standing.current = new
        if new != .poweredOn { advertising.change { $0.isOn = false } }
        delegate?.peripheralManagerDidUpdateState(self)
    }
}

/// A central's request to read or write a local value.
open class CBATTRequest: NSObject, @unchecked Sendable {
    private let asked: (central: CBCentral, characteristic: CBCharacteristic, offset: Int)
    private let kept: Guarded<Data?>
    /// The request to answer; nil if no answer is expected.
    let request: (id: ServerRequestID, link: LinkID)?
    let isRead: Bool

    init(
        central: CBCentral, characteristic: CBCharacteristic, offset: Int, value: Data?,
        request: (id: ServerRequestID, link: LinkID)?, isRead: Bool
    ) {
        self.isRead = isRead
        asked = (central, characteristic, offset)
        self.request = request
        kept = Guarded(value)
    }

    /// The requesting central.
    open var central: CBCentral { asked.central }
    /// The requested characteristic.
    open var characteristic: CBCharacteristic { asked.characteristic }
    /// Offset of the first requested byte in the value.
    open var offset: Int { asked.offset }

    /// The bytes to write; for a read, the value from the offset, set by the delegate.
    open var value: Data? {
        get { kept.current }
        set { kept.current = newValue }
    }
}
