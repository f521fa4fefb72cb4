import BluetoothCore
import Foundation
import LEHost

// Connections: a link is shared by all managers that want its device, and ends when the last lets go.
extension CentralCore {
    func connect(_ role: CentralRole, _ address: DeviceAddress, _ wish: CentralRole.Wish) {
        role.heard[address] = max(role.heard[address] ?? 0, wish.call)
        // The power may have gone after the application saw it on.
        guard state == .poweredOn else { return tellFailed(role, address, CBError(.connectionFailed)) }
        role.wanted[address] = wish
        var device = devices[address] ?? Device()
        if !device.wanting.contains(where: { $0 === role }) { device.wanting.append(role) }
        let (link, isEnding) = (device.link, device.isEnding)
        if let link, !isEnding {
            // One that is connected already is told again: each call ends.
            if !device.told.contains(where: { $0 === role }) { device.told.append(role) }
            devices[address] = device
            return tellConnected(role, address, link)
        }
        // The link that ends is none to share; what comes after it is.
        devices[address] = device
        if link == nil { adapter.put(.connect(address)) }
    }

    /// Takes a wish back.
    ///
    /// - Parameters:
    ///   - call: the number of the application's call; nil where it made none.
    ///   - tells: whether the application hears of it.
    ///   - reason: what the other side is told where that ends the link.
    func cancel(
        _ role: CentralRole, _ address: DeviceAddress, call: UInt64? = nil, tells: Bool = true,
        reason: HCIStatus = .remoteUserTerminatedConnection
    ) {
        if let call { role.heard[address] = max(role.heard[address] ?? 0, call) }
        role.wanted[address] = nil
        guard var device = devices[address] else {
            if tells { tellDisconnected(role, address, nil) }
            return
        }
        device.wanting.removeAll { $0 === role }
        let isTold = device.told.contains { $0 === role }
        if isTold, device.isEnding, tells {
            // The end of the link is told when it comes.
            devices[address] = device
            return
        }
        if isTold, device.wanting.isEmpty, let link = device.link {
            device.isEnding = true
            if !tells { leave(role, address, &device) }
            devices[address] = device
            return adapter.put(.disconnect(link, reason))
        }
        if isTold { leave(role, address, &device) }
        if device.link == nil, device.wanting.isEmpty {
            devices[address] = nil
            adapter.put(.cancelConnect(address))
        } else {
            devices[address] = device
        }
        if tells { tellDisconnected(role, address, nil) }
    }

    // A manager has no part in a link any more, though the link may go on.
    private func leave(_ role: CentralRole, _ address: DeviceAddress, _ device: inout Device) {
        device.told.removeAll { $0 === role }
        endCalls(&device, of: role)
        let me = ObjectIdentifier(role)
        for (handle, wanting) in device.subscriptions.sorted(by: { $0.key < $1.key })
        where wanting.contains(me) {
            let others = wanting.filter { $0 != me }
            device.subscriptions[handle] = others
            guard others.isEmpty, !device.told.isEmpty, let link = device.link,
                let configuration = device.configurations[handle]
            else { continue }
            adapter.perform(.write(configuration, [0, 0]), on: link) { _ in }
        }
    }

    /// The application has let go of the object for a device: what it waited for is not waited for any more.
    func lost(
        _ role: CentralRole, _ address: DeviceAddress, _ number: UInt64, _ remains: PeripheralRemains?
    ) {
        role.forget(address)
        guard let wish = role.wanted[address], wish.object == number else { return }
        guard let remains else { return cancel(role, address, tells: false) }
        // Where manager and peripheral go together, another manager takes over; so it waits for the manager.
        role.remains[address] = remains
        adapter.submit { adapter in
            guard !role.isDormant, role.wanted[address]?.object == number else { return }
            role.remains[address] = nil
            CentralCore.of(adapter).cancel(role, address, tells: false)
        }
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
        tellEvent(.peerConnected, link.peer, advertisedServices(of: link.peer))
        if adapter.configuration.keepsHouse { keepHouse(link.peer, link.id) }
    }

    func connectFailed(_ address: DeviceAddress, _ status: HCIStatus) {
        guard let device = devices.removeValue(forKey: address) else { return }
        for role in device.wanting { tellFailed(role, address, CBError(connecting: status)) }
    }

    func disconnected(_ link: LinkID, _ address: DeviceAddress, _ reason: HCIStatus) {
        guard var device = devices[address], device.link == link else { return }
        devices[address] = nil
        let services = connected.change { connected in
            defer { connected.removeAll { $0.address == address } }
            return connected.first { $0.address == address }?.services ?? []
        }
        endCalls(&device)
        let hasPower = adapter.host.state == .ready
        let loss = hasPower ? CBError(disconnecting: reason) : CBError(.unknown)
        var again: [CentralRole] = []
        for role in device.told {
            let isWanted = device.wanting.contains { $0 === role }
            // One that asked for the end of the link is told of no error, and may have asked anew since.
            let error = device.isEnding ? nil : loss
            let wish = role.wanted[address]
            let reconnects = isWanted && hasPower && wish.map { device.isEnding || $0.reconnects } ?? false
            if reconnects { again.append(role) } else if isWanted { role.wanted[address] = nil }
            tellDisconnected(
                role, address, error, again: reconnects && !device.isEnding, isWanted: reconnects)
            if isWanted, device.isEnding, !hasPower {
                tellFailed(role, address, CBError(.connectionFailed))
            }
        }
        tellEvent(.peerDisconnected, address, services)
        for role in device.wanting where !device.told.contains(where: { $0 === role }) {
            if hasPower {
                again.append(role)
            } else {
                tellFailed(role, address, CBError(.connectionFailed))
            }
        }
        for role in again {
            if let wish = role.wanted[address] { connect(role, address, wish) }
        }
    }

    func mtuChanged(_ link: LinkID, _ mtu: Int) {
        guard let address = address(of: link), let device = devices[address] else { return }
        for role in device.told {
            role.existing(address)?.change { $0.visible.change { $0.mtu = mtu } }
        }
    }

    func advertisedServices(of address: DeviceAddress) -> Set<BluetoothUUID> {
        Set(advertisers[address].map { AdvertisementContents($0).services } ?? [])
    }
}
