import BluetoothCore
import Foundation
import LEHost

/// State shared by all central managers of an adapter: devices, their links, and the managers using them.
///
/// Used only within the adapter's scheduler.
final class CentralCore: HostObserver, @unchecked Sendable {
    /// A requested or connected device.
    struct Device {
        /// Managers that want it connected, in the order of their requests.
        var wanting: [CentralRole] = []
        /// Managers that were notified of the link.
        var told: [CentralRole] = []
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
        adapter.centralCore.change { core in
            if let core { return core }
            let new = CentralCore(adapter)
            adapter.add(new)
            core = new
            return new
        }
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

    /// Returns the device at the other end of a link.
    func address(of link: LinkID) -> DeviceAddress? { devices.first { $0.value.link == link }?.key }
}
