import BluetoothCore
import Foundation
import LEHost

// Connections: a link is shared by all managers that want its device, and ends when the last lets go.
extension CentralCore {
    func connect(_ role: CentralRole, _ address: DeviceAddress, reconnects: Bool) {
        role.wanted[address] = reconnects
        var device = devices[address] ?? Device()
        if !device.wanting.contains(where: { $0 === role }) { device.wanting.append(role) }
        if device.isEnding {
            // The link that ends is none to share; what comes after it is.
            devices[address] = device
            return
        }
        if let link = device.link, !device.told.contains(where: { $0 === role }) {
            device.told.append(role)
            devices[address] = device
            tellConnected(role, address, link)
            return
        }
        devices[address] = device
        if device.link == nil { adapter.put(.connect(address)) }
    }

    func cancel(_ role: CentralRole, _ address: DeviceAddress) {
        role.wanted[address] = nil
        guard var device = devices[address], device.wanting.contains(where: { $0 === role }) else {
            return tellDisconnected(role, address, nil, again: false)
        }
        device.wanting.removeAll { $0 === role }
        guard let link = device.link, device.told.contains(where: { $0 === role }) else {
            devices[address] = device
            if device.wanting.isEmpty {
                if device.link == nil { devices[address] = nil }
                adapter.put(.cancelConnect(address))
            }
            return tellDisconnected(role, address, nil, again: false)
        }
        guard device.wanting.isEmpty else {
            device.told.removeAll { $0 === role }
            devices[address] = device
            return tellDisconnected(role, address, nil, again: false)
        }
        device.isEnding = true
        devices[address] = device
        adapter.put(.disconnect(link))
    }

    /// The application has let go of the object for a device: what it waited for is not waited for any more.
    func lost(_ role: CentralRole, _ address: DeviceAddress) {
        role.forget(address)
        guard role.existing(address) == nil, role.wanted[address] != nil else { return }
        cancel(role, address)
    }

    func take(_ link: Link) {
        guard var device = devices[link.peer], !device.wanting.isEmpty else {
            return adapter.put(.disconnect(link.id))
        }
        device.link = link.id
        device.told = device.wanting
        devices[link.peer] = device
        connected.change { $0.append(Connected(address: link.peer, services: [])) }
        for role in device.wanting { tellConnected(role, link.peer, link.id) }
        if adapter.configuration.keepsHouse { keepHouse(link.peer, link.id) }
    }

    func connectFailed(_ address: DeviceAddress, _ status: HCIStatus) {
        guard let device = devices.removeValue(forKey: address) else { return }
        for role in device.wanting {
            role.wanted[address] = nil
            guard let peripheral = role.existing(address) else { continue }
            let error = CBError(connecting: status)
            role.manager?.call { [weak manager = role.manager] in
                peripheral.visible.change { $0.state = .disconnected }
                guard let manager else { return }
                manager.delegate?.centralManager(manager, didFailToConnect: peripheral, error: error)
            }
        }
    }

    func disconnected(_ link: LinkID, _ address: DeviceAddress, _ reason: HCIStatus) {
        guard let device = devices[address], device.link == link else { return }
        devices[address] = nil
        connected.change { $0.removeAll { $0.address == address } }
        let error = device.isEnding ? nil : CBError(disconnecting: reason)
        var again: [CentralRole] = []
        for role in device.told {
            let isWanted = device.wanting.contains { $0 === role }
            let reconnects = isWanted && error != nil && role.wanted[address] == true
            if reconnects { again.append(role) }
            if isWanted, !reconnects, !device.isEnding { role.wanted[address] = nil }
            tellDisconnected(role, address, error, again: reconnects)
        }
        // Those who asked while the link was ending get a new one.
        again += device.wanting.filter { role in
            device.isEnding && role.wanted[address] != nil && !again.contains { $0 === role }
        }
        for role in again { connect(role, address, reconnects: role.wanted[address] ?? false) }
    }

    func mtuChanged(_ link: LinkID, _ mtu: Int) {
        guard let address = address(of: link), let device = devices[address] else { return }
        for role in device.told {
            role.existing(address)?.change { $0.visible.change { $0.mtu = mtu } }
        }
    }

    private func tellConnected(_ role: CentralRole, _ address: DeviceAddress, _ link: LinkID) {
        guard let manager = role.manager, let peripheral = role.existing(address) else {
            return cancel(role, address)
        }
        let mtu = adapter.host.mtu(of: link) ?? 23
        manager.call { [weak manager] in
            guard let manager else { return }
            peripheral.visible.change { visible in
                visible.state = .connected
                visible.mtu = mtu
                visible.unsent = 0
                visible.wasRefused = false
            }
            manager.delegate?.centralManager(manager, didConnect: peripheral)
        }
    }

    func tellDisconnected(_ role: CentralRole, _ address: DeviceAddress, _ error: CBError?, again: Bool) {
        guard let manager = role.manager, let peripheral = role.existing(address) else { return }
        let seconds = Double(adapter.wallClock) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
        manager.call { [weak manager] in
            guard let manager else { return }
            peripheral.visible.change { visible in
                visible.state = again ? .connecting : .disconnected
                visible.services = nil
                visible.unsent = 0
            }
            manager.delegate?.centralManager(
                manager, didDisconnectPeripheral: peripheral, timestamp: seconds, isReconnecting: again,
                error: error)
        }
    }
}
