import BluetoothCore
import Foundation
import LEHost

/// State shared by all central managers of an adapter: devices, their links, and the managers using them.
///
/// Used only within the adapter's scheduler.
final class CentralCore: HostObserver, @unchecked Sendable {
    struct Device {
        /// Managers that want it connected, in the order of their requests.
        var wanting: [CentralRole] = []
        /// Managers that were notified of the link.
        var connectedRoles: [CentralRole] = []
        var link: LinkID?
        /// Whether the device established the link, as a central; such a link must not be ended here.
        var isBorrowed = false
        /// Whether the link is ending because no manager wants it any more.
        var isEnding = false
        /// Managers subscribed to each value handle.
        var subscriptions: [UInt16: [ObjectIdentifier]] = [:]
        /// Client Characteristic Configurations found, by the handle of the value.
        var configurations: [UInt16: UInt16] = [:]
        /// Values without response waiting for room at the host.
        var backlog: [(value: [UInt8], handle: UInt16, peripheral: CBPeripheral)] = []
        /// Calls of applications that have not begun.
        var calls: [GATTCall] = []
        var running: GATTCall?
        /// Queries for the signal strength, in order; nil for a cancelled one.
        var asking: [CBPeripheral?] = []
        /// Handle of Service Changed; nil if not found.
        var serviceChanged: UInt16?
    }

    /// A connected device, for queries about connected devices.
    struct Connected: Sendable {
        var address: DeviceAddress
        /// Services found so far by any manager.
        var services: Set<BluetoothUUID>
    }

    /// The owner.
    unowned let adapter: BluetoothAdapter
    var roles: [CentralRole] = []
    var devices: [DeviceAddress: Device] = [:]
    let connected = Guarded<[Connected]>([])
    /// Data of advertisers, for scan results that come in two parts.
    var advertisers = AdvertiserMemory()
    /// Released managers whose state can be taken over, by restore identifier.
    var dormant: [String: CentralRole] = [:]
    private(set) var state = CBManagerState.unknown

    private init(_ adapter: BluetoothAdapter) { self.adapter = adapter }

    /// Returns the core of an adapter, created with the first manager.
    static func of(_ adapter: BluetoothAdapter) -> CentralCore {
        adapter.core(adapter.centralCore, CentralCore.init)
    }

    func add(_ role: CentralRole) {
        if state == .unknown {
            state = adapter.standing
            for link in adapter.openLinks where !link.isCentral { note(link) }
        }
        roles.append(role)
        restore(role)
        adapter.open()
        if state != .unknown { announce(state, to: role) }
    }

    func remove(_ role: CentralRole) {
        if sleep(role) { return }
        roles.removeAll { $0 === role }
        for address in role.wanted.keys.sorted(by: DeviceAddress.isInOrder) {
            cancel(role, address, tells: false)
        }
        role.scan = nil
        reconcileScan()
    }

    func take(_ event: HostEvent) {
        switch event {
        case .stateChanged(let new): take(new)
        case .advertisement(let advertisement): take(advertisement)
        case .scanFailed: scanFailed()
        case .connected(let link): link.isCentral ? take(link) : takeFromPeer(link)
        case .connectFailed(let address, let status): connectFailed(address, status)
        case .disconnected(let link, let address, let reason): disconnected(link, address, reason)
        case .mtuChanged(let link, let mtu): mtuChanged(link, mtu)
        case .value(let link, let handle, let value, _): take(value, of: handle, on: link)
        case .databaseChanged(let link):
            if let address = address(of: link) { servicesChanged([1, 0, 0xFF, 0xFF], at: address) }
        case .rssi(let link, let status, let strength): take(strength, status, of: link)
        case .writeCommandReady(let link):
            // Not from within the host's event: values passed on then would wait, and the freed room would
            // not be seen.
            adapter.submit { CentralCore.of($0).sendBacklog(of: link) }
        default: break
        }
    }

    private func take(_ new: HostState) {
        guard let now = CBManagerState(new, after: state), now != state else { return }
        state = now
        if state != .poweredOn { dropAll() }
        for role in roles { announce(state, to: role) }
    }

    private func announce(_ state: CBManagerState, to role: CentralRole) {
        role.manager?.call { [weak manager = role.manager] in
            if state.rawValue < CBManagerState.poweredOff.rawValue { role.invalidate() }
            manager?.become(state)
        }
    }

    // Without power there are no scans, links or pending connections; links have ended before.
    private func dropAll() {
        for address in devices.keys.sorted(by: DeviceAddress.isInOrder) {
            guard let device = devices.removeValue(forKey: address) else { continue }
            // A failed host would resume it after recovery.
            adapter.put(.cancelConnect(address))
            for role in device.wanting { tellFailed(role, address, CBError(.connectionFailed)) }
        }
        adapter.put(.stopScanning)
        for role in roles {
            role.scan = nil
            role.reported = [:]
            role.wanted = [:]
            role.remains = [:]
        }
        roles.removeAll { $0.isDormant }
        dormant = [:]
        connected.current = []
    }

    func address(of link: LinkID) -> DeviceAddress? { devices.first { $0.value.link == link }?.key }
}

// Scanning: one scan of the host serves all managers, and each gets the results that it requested.
extension CentralCore {
    func scan(_ role: CentralRole, _ wanted: Scan?) {
        role.reported = [:]
        // The power may have been turned off after the application saw it on.
        role.scan = state == .poweredOn ? wanted : nil
        if let wanted, role.scan == nil { tellStopped(role, wanted) }
        reconcileScan()
    }

    private func tellStopped(_ role: CentralRole, _ scan: Scan) {
        role.manager?.call { [weak manager = role.manager] in
            manager?.scanning.change { if $0.number == scan.number { $0.isOn = false } }
        }
    }

    func reconcileScan() {
        guard roles.contains(where: { $0.scan != nil }) else { return adapter.put(.stopScanning) }
        // The controller's own filter ignores data, so duplicates are filtered here.
        adapter.put(.startScanning(ScanParameters()))
    }

    func scanFailed() {
        for role in roles {
            if let scan = role.scan { tellStopped(role, scan) }
            role.scan = nil
        }
    }

    func take(_ advertisement: Advertisement) {
        let heard = advertisers.take(advertisement)
        var contents: AdvertisementContents?
        for role in roles {
            guard let scan = role.scan, let manager = role.manager else { continue }
            let told = contents ?? AdvertisementContents(heard)
            contents = told
            guard scan.matches(told) else { continue }
            var reported = role.reported[advertisement.address] ?? CentralRole.Reported()
            let isRepeat = advertisement.isScanResponse ? reported.scanResponse : reported.advertisement
            if isRepeat, !scan.allowsDuplicates { continue }
            if advertisement.isScanResponse {
                reported.scanResponse = true
            } else {
                reported.advertisement = true
            }
            // Addresses change: devices reported long ago may be reported again.
            if role.reported.count >= 8192 { role.reported = [:] }
            role.reported[advertisement.address] = reported
            tell(manager, role, scan.number, advertisement.address, told, heard.rssi)
        }
    }

    private func tell(
        _ manager: CBCentralManager, _ role: CentralRole, _ scan: UInt64, _ address: DeviceAddress,
        _ contents: AdvertisementContents, _ rssi: Int8
    ) {
        let peripheral = role.peripheral(at: address, on: adapter)
        if let name = contents.name {
            adapter.acquaintances.change { if $0.name(of: address) == nil { $0.call(address, name) } }
        }
        manager.call { [weak manager] in
            // Results of an earlier scan may not match this one.
            guard let manager, manager.scanning.current == (true, scan) else { return }
            if let name = contents.name {
                peripheral.visible.change { if $0.name == nil { $0.name = name } }
            }
            manager.inform {
                $0.centralManager(
                    manager, didDiscover: peripheral, advertisementData: contents.dictionary,
                    rssi: NSNumber(value: rssi))
            }
        }
    }
}

extension Scan {
    func matches(_ contents: AdvertisementContents) -> Bool {
        if services.isEmpty, solicited.isEmpty { return true }
        return services.contains { contents.services.contains($0) }
            || solicited.contains { contents.solicited.contains($0) }
    }
}

// Callbacks about links. They also set the peripheral's state, unless the application has called again since:
// then that call's state stays.
extension CentralCore {
    func tellConnected(_ role: CentralRole, _ address: DeviceAddress, _ link: LinkID) {
        if role.isDormant { return }
        guard let manager = role.manager, let peripheral = role.existing(address) else {
            return cancel(role, address, tells: false)
        }
        // The object of the request has been released, and the request ends with it.
        guard role.wanted[address]?.object == peripheral.number else { return }
        let mtu = adapter.askHost { $0.mtu(of: link) } ?? 23
        let heard = role.heard[address] ?? 0
        adapter.remember(address)
        manager.call { [weak manager] in
            guard let manager else { return }
            let isCancelled = peripheral.visible.change { visible in
                visible.mtu = mtu
                if visible.lastCall > heard, visible.state == .disconnecting { return true }
                if visible.state != .connected {
                    visible.unsent = 0
                    visible.wasRefused = false
                }
                visible.state = .connected
                return false
            }
            // A cancelled connection only reports its end.
            if !isCancelled { manager.inform { $0.centralManager(manager, didConnect: peripheral) } }
        }
    }

    func tellFailed(_ role: CentralRole, _ address: DeviceAddress, _ error: CBError) {
        role.wanted[address] = nil
        guard let manager = role.manager, let peripheral = role.existing(address) else { return }
        let heard = role.heard[address] ?? 0
        manager.call { [weak manager] in
            peripheral.end(.disconnected, after: heard)
            guard let manager else { return }
            manager.inform { $0.centralManager(manager, didFailToConnect: peripheral, error: error) }
        }
    }

    /// Reports a disconnection.
    ///
    /// - Parameters:
    ///   - again: whether the system reconnects by itself.
    ///   - isWanted: whether the application has already requested the next connection.
    func tellDisconnected(
        _ role: CentralRole, _ address: DeviceAddress, _ error: CBError?, again: Bool = false,
        isWanted: Bool = false
    ) {
        guard let manager = role.manager, let peripheral = role.existing(address) else { return }
        let seconds = Double(adapter.wallClock) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
        let heard = role.heard[address] ?? 0
        manager.call { [weak manager] in
            peripheral.end(again || isWanted ? .connecting : .disconnected, after: heard)
            guard let manager else { return }
            manager.inform {
                $0.centralManager(
                    manager, didDisconnectPeripheral: peripheral, timestamp: seconds, isReconnecting: again,
                    error: error)
            }
        }
    }

    /// Reports a connection or disconnection to managers that registered for it.
    func tellEvent(
        _ event: CBConnectionEvent, _ address: DeviceAddress, _ services: Set<BluetoothUUID>
    ) {
        let identifier = adapter.identifier(of: address)
        for role in roles {
            guard let wanted = role.events, wanted.matches(identifier, services), let manager = role.manager
            else { continue }
            let peripheral = role.peripheral(at: address, on: adapter)
            manager.call { [weak manager] in
                guard let manager else { return }
                manager.inform {
                    $0.centralManager(
                        manager, connectionEventDidOccur: event, for: peripheral)
                }
            }
        }
    }
}

extension CBPeripheral {
    /// Handles the end of an established or pending connection, in the manager's queue.
    func end(_ state: CBPeripheralState, after heard: UInt64) {
        let gone = visible.change { visible -> [CBService] in
            defer { visible.services = nil }
            visible.unsent = 0
            visible.wasRefused = false
            if visible.lastCall <= heard {
                visible.state = state
            } else if visible.state == .connected {
                // The application asked to connect while it was connected.
                visible.state = .connecting
            }
            return visible.services ?? []
        }
        for service in gone { service.end() }
    }
}

/// The latest advertising data of each advertiser, so that a scan response is reported together with the
/// advertisement that it answers.
///
/// Limited in number; the oldest entries are evicted.
struct AdvertiserMemory {
    struct Heard {
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        var isConnectable = false
        var rssi: Int8 = 127
    }

    private static let limit = 1024
    private var heard: [DeviceAddress: Heard] = [:]
    private var order: [DeviceAddress] = []

    subscript(address: DeviceAddress) -> Heard? { heard[address] }

    /// Adds an advertisement.
    ///
    /// - Returns: everything known of the advertiser now.
    mutating func take(_ advertisement: Advertisement) -> Heard {
        let address = advertisement.address
        var latest = heard[address] ?? Heard()
        if advertisement.isScanResponse {
            latest.scanResponse = advertisement.data
        } else {
            latest.data = advertisement.data
            latest.isConnectable = advertisement.isConnectable
        }
        latest.rssi = advertisement.rssi
        if heard[address] == nil {
            order.append(address)
            if order.count > Self.limit { heard[order.removeFirst()] = nil }
        }
        heard[address] = latest
        return latest
    }
}
