import Foundation
import Synchronization

/// A client's work with one device: its link, the discovery of its attributes, and the answers to its calls.
///
/// The session is the delegate of its peripheral, which does not keep it alive. Each callback becomes an
/// event in the manager's queue, until ``end()`` or the next session of the same peripheral.
package final class GATTSession: NSObject, Sendable {
    /// A callback, with its error.
    package enum Event {
        case connected
        case connectFailed((any Error)?)
        case disconnected((any Error)?)
        case services((any Error)?)
        case characteristics(CBService, (any Error)?)
        case descriptors(CBCharacteristic, (any Error)?)
        /// The end of a discovery, after its last callback, with its first error.
        case discovered((any Error)?)
        /// A value of a characteristic or a descriptor, read or notified.
        case value(CBAttribute, [UInt8], (any Error)?)
        case written(CBAttribute, (any Error)?)
        case subscription(CBCharacteristic, (any Error)?)
        /// The signal strength in dBm.
        case strength(Int, (any Error)?)
        case readyToWrite
        case modified([CBService])
    }

    private struct Discovery: Sendable {
        /// The services to look into; nil for all.
        var services: [CBUUID]?
        /// The characteristics to discover; nil for all.
        var characteristics: [CBUUID]?
        /// Whether to look only into the first of the services.
        var isForOne = false
        var isDeep = false
        /// Number of calls without an answer.
        var open = 0
        var error: (any Error)?
    }

    package let peripheral: CBPeripheral
    private let take: @Sendable (Event, GATTSession) -> Void
    private let discovery = Mutex(Discovery())

    package init(_ peripheral: CBPeripheral, _ take: @escaping @Sendable (Event, GATTSession) -> Void) {
        self.peripheral = peripheral
        self.take = take
        super.init()
        peripheral.delegate = self
    }

    /// Ends the events; the link stays.
    package func end() {
        if peripheral.delegate === self { peripheral.delegate = nil }
    }

    /// Number of discovery calls without an answer.
    package var discoveries: Int { discovery.withLock { $0.open } }

    /// Discovers services with all their characteristics; one discovery at a time.
    ///
    /// - Parameters:
    ///   - services: nil for all.
    ///   - isDeep: whether to discover the descriptors too.
    package func discover(_ services: [CBUUID]? = nil, isDeep: Bool = false) {
        start(Discovery(services: services, isDeep: isDeep), services)
    }

    /// Discovers characteristics of a service, of which only the first instance counts.
    ///
    /// - Parameter isAll: whether to ask for all services and for all characteristics of this one.
    package func discover(_ characteristics: [CBUUID], of service: CBUUID, isAll: Bool = false) {
        start(
            Discovery(services: [service], characteristics: isAll ? nil : characteristics, isForOne: true),
            isAll ? nil : [service])
    }

    private func start(_ new: Discovery, _ services: [CBUUID]?) {
        discovery.withLock { discovery in
            let open = discovery.open
            discovery = new
            discovery.open = open + 1
        }
        peripheral.discoverServices(services)
    }

    /// Ends a discovery without its event.
    package func stopDiscovery() { discovery.withLock { $0.open = 0 } }

    /// Returns a characteristic that the last discovery was for.
    package func characteristic(_ uuid: CBUUID) -> CBCharacteristic? {
        services(of: discovery.withLock { $0 }).flatMap { $0.characteristics ?? [] }.first { $0.uuid == uuid }
    }

    private func services(of discovery: Discovery) -> [CBService] {
        let found = (peripheral.services ?? []).filter { discovery.services?.contains($0.uuid) ?? true }
        return discovery.isForOne ? Array(found.prefix(1)) : found
    }

    /// Returns the discovery in progress, unless a call of it has failed.
    private func unfinished(_ error: (any Error)?) -> Discovery? {
        discovery.withLock { error == nil && $0.open > 0 ? $0 : nil }
    }

    /// Ends one call of a discovery.
    ///
    /// - Parameter more: number of calls that follow from its answer.
    private func answered(_ error: (any Error)?, more: Int = 0) {
        let (isOver, error) = discovery.withLock { discovery in
            guard discovery.open > 0 else { return (false, error) }
            discovery.open += more - 1
            discovery.error = discovery.error ?? error
            return (discovery.open == 0, discovery.error)
        }
        if isOver { tell(.discovered(error)) }
    }

    fileprivate static func of(_ peripheral: CBPeripheral) -> GATTSession? {
        peripheral.delegate as? GATTSession
    }

    fileprivate func tell(_ event: Event) {
        if peripheral.delegate === self { take(event, self) }
    }
}

extension GATTSession: CBPeripheralDelegate {
    package func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        tell(.modified(invalidatedServices))
    }

    package func peripheral(_ peripheral: CBPeripheral, didReadRSSI rssi: NSNumber, error: (any Error)?) {
        tell(.strength(rssi.intValue, error))
    }

    package func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        tell(.services(error))
        let plan = unfinished(error)
        let found = plan.map(services) ?? []
        // A client may have ended the session.
        guard peripheral.delegate === self else { return }
        answered(error, more: found.count)
        for service in found { peripheral.discoverCharacteristics(plan?.characteristics, for: service) }
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        tell(.characteristics(service, error))
        let found = unfinished(error)?.isDeep == true ? service.characteristics ?? [] : []
        answered(error, more: found.count)
        for characteristic in found { peripheral.discoverDescriptors(for: characteristic) }
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        tell(.descriptors(characteristic, error))
        if discovery.withLock({ $0.isDeep }) { answered(error) }
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { tell(.value(characteristic, Array(characteristic.value ?? Data()), error)) }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { tell(.value(descriptor, descriptor.octets, error)) }

    package func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { tell(.written(characteristic, error)) }

    package func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
    ) { tell(.written(descriptor, error)) }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { tell(.subscription(characteristic, error)) }

    package func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        tell(.readyToWrite)
    }
}

/// The delegate of a manager whose devices have sessions: the sessions receive the changes of the links.
package protocol GATTCentral: CBCentralManagerDelegate {}

extension GATTCentral {
    package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        GATTSession.of(peripheral)?.tell(.connected)
    }

    package func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { GATTSession.of(peripheral)?.tell(.connectFailed(error)) }

    package func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { GATTSession.of(peripheral)?.tell(.disconnected(error)) }
}
