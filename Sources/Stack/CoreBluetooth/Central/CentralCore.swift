import BluetoothCore
import Foundation
import LEHost

/// What all central managers of an adapter share: the devices, their links, and who wants them.
///
/// It is used within the adapter's scheduler alone.
final class CentralCore: HostObserver, @unchecked Sendable {
    /// A device that is wanted or connected.
    struct Device {
        /// Managers that want it, in the order in which they asked.
        var wanting: [CentralRole] = []
        /// Managers that have been told of the link.
        var told: [CentralRole] = []
        var link: LinkID?
        /// Whether the device made the link itself, as a central: then it is not ours to end.
        var isBorrowed = false
        /// Whether the link ends because no manager wants it any more.
        var isEnding = false
        /// Handles of values that each manager wants to hear of.
        var subscriptions: [UInt16: [ObjectIdentifier]] = [:]
        /// Client Characteristic Configurations found, by the handle of the value.
        var configurations: [UInt16: UInt16] = [:]
        /// Values without response that wait for room at the host.
        var backlog: [(value: [UInt8], handle: UInt16, peripheral: CBPeripheral)] = []
        /// What applications have asked for that has not begun.
        var calls: [GATTCall] = []
        var running: GATTCall?
        /// Who waits for the strength of the signal, in order; nil for one who waits no longer.
        var asking: [CBPeripheral?] = []
        /// Where Service Changed lies; nil where it was not found.
        var serviceChanged: UInt16?
    }

    /// A connected device, for those who ask what is connected.
    struct Connected: Sendable {
        var address: DeviceAddress
        /// Services found so far by any manager.
        var services: Set<BluetoothUUID>
    }

    /// Who owns it.
    unowned let adapter: BluetoothAdapter
    var roles: [CentralRole] = []
    var devices: [DeviceAddress: Device] = [:]
    let connected = Guarded<[Connected]>([])
    /// What advertisers have sent, for the answers of scans that come in two parts.
    var advertisers = AdvertiserMemory()
    /// Managers that have gone and left something to be taken over, by their restore identifiers.
    var dormant: [String: CentralRole] = [:]
    private(set) var state = CBManagerState.unknown

    private init(_ adapter: BluetoothAdapter) { self.adapter = adapter }

    /// The core of an adapter; made with the first manager.
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
        case .rssi(let link, let status, let strength): take(strength, status, of: link)
        case .writeCommandReady(let link):
            // Not from within the host's news: what is handed over then waits, and its room is not seen.
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

    // Without power there is no scan, no link and nothing that is waited for; links have ended before.
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

    /// The device at the other end of a link.
    func address(of link: LinkID) -> DeviceAddress? { devices.first { $0.value.link == link }?.key }
}
