import BluetoothCore
import LEHost

// Connections: managers share the link to a device; it ends when the last of them releases it.
extension CentralCore {
    func connect(_ role: CentralRole, _ address: DeviceAddress, _ wish: CentralRole.Wish) {
        role.heard[address] = max(role.heard[address] ?? 0, wish.call)
        // The power may have been turned off after the application saw it on.
        guard state == .poweredOn else { return tellFailed(role, address, CBError(.connectionFailed)) }
        role.wanted[address] = wish
        var device = devices[address] ?? Device()
        if !device.wanting.contains(where: { $0 === role }) { device.wanting.append(role) }
        let (link, isEnding) = (device.link, device.isEnding)
        if let link, !isEnding {
            // A manager that is already connected gets another callback: each call ends with one.
            if !device.connectedRoles.contains(where: { $0 === role }) { device.connectedRoles.append(role) }
            devices[address] = device
            return tellConnected(role, address, link)
        }
        // Closing links aren't shared; the next link is.
        devices[address] = device
        guard link == nil else { return }
        let made = adapter.openLinks.first {
            !$0.isCentral && $0.peer.names(address) && adapter.host.isOpen($0.id)
        }
        if let made { use(made, for: address) } else { adapter.put(.connect(address)) }
    }

    /// Cancels a connection.
    ///
    /// - Parameters:
    ///   - call: number of the application's call; nil if the application made none.
    ///   - tells: whether the application gets a callback.
    ///   - reason: reason sent to the peer if this ends the link.
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
        let wasConnected = device.connectedRoles.contains { $0 === role }
        if wasConnected, device.isEnding, tells {
            // The callback follows when the link has ended.
            devices[address] = device
            return
        }
        if wasConnected, device.wanting.isEmpty, let link = device.link, !device.isBorrowed {
            device.isEnding = true
            if !tells { leave(role, address, &device) }
            devices[address] = device
            return adapter.put(.disconnect(link, reason))
        }
        if wasConnected { leave(role, address, &device) }
        if device.wanting.isEmpty, device.link == nil || device.isBorrowed {
            devices[address] = nil
            if device.link == nil { adapter.put(.cancelConnect(address)) }
        } else {
            devices[address] = device
        }
        if tells { tellDisconnected(role, address, nil) }
    }

    // Detaches a manager from a link, which may continue for others.
    private func leave(_ role: CentralRole, _ address: DeviceAddress, _ device: inout Device) {
        device.connectedRoles.removeAll { $0 === role }
        endCalls(&device, of: role)
        ChannelCore.of(adapter).leave(role, address)
        let me = ObjectIdentifier(role)
        for (handle, wanting) in device.subscriptions.sorted(by: { $0.key < $1.key })
        where wanting.contains(me) {
            let others = wanting.filter { $0 != me }
            device.subscriptions[handle] = others
            guard others.isEmpty, !device.connectedRoles.isEmpty || device.isBorrowed, let link = device.link,
                let configuration = device.configurations[handle]
            else { continue }
            adapter.perform(.write(configuration, [0, 0]), on: link) { _ in }
        }
    }

    /// Handles the release of the application's object for a device, which ends its pending connection.
    func lost(
        _ role: CentralRole, _ address: DeviceAddress, _ number: UInt64, _ remains: PeripheralRemains?
    ) {
        role.forget(address)
        guard let wish = role.wanted[address], wish.object == number else { return }
        guard let remains else { return cancel(role, address, tells: false) }
        // If the manager is released together with the peripheral, another manager may take over; so decide
        // after the manager's deinit.
        role.remains[address] = remains
        adapter.submit { adapter in
            guard !role.isDormant, role.wanted[address]?.object == number else { return }
            role.remains[address] = nil
            CentralCore.of(adapter).cancel(role, address, tells: false)
        }
    }

    func take(_ link: Link) {
        guard let device = devices[link.peer], !device.wanting.isEmpty else {
            return adapter.put(.disconnect(link.id))
        }
        note(link)
        begin(link, link.peer)
        tellEvent(.peerConnected, link.peer, advertisedServices(of: link.peer))
        if adapter.configuration.keepsHouse { keepHouse(link.peer, link.id) }
    }

    /// Adopts a link that the device established, as a central.
    func takeFromPeer(_ link: Link) {
        note(link)
        tellEvent(.peerConnected, link.peer, advertisedServices(of: link.peer))
        let waiting = devices.first {
            $0.value.link == nil && !$0.value.wanting.isEmpty && link.peer.names($0.key)
        }
        if let waiting { use(link, for: waiting.key) }
    }

    /// Lets ``CBCentralManager/retrieveConnectedPeripherals(withServices:)`` find a device, at first by its
    /// advertised services.
    func note(_ link: Link) {
        let services = advertisedServices(of: link.peer)
        connected.change { connected in
            if connected.contains(where: { $0.address == link.peer }) { return }
            connected.append(Connected(address: link.peer, services: services))
        }
    }

    // A second link to the same device is impossible, so the one that it established serves both directions.
    private func use(_ link: Link, for address: DeviceAddress) {
        devices[address]?.isBorrowed = true
        begin(link, address)
        if adapter.configuration.keepsHouse { keepHouse(address, link.id) }
    }

    private func begin(_ link: Link, _ address: DeviceAddress) {
        guard var device = devices[address] else { return }
        device.link = link.id
        device.connectedRoles = device.wanting
        devices[address] = device
        for role in device.wanting { tellConnected(role, address, link.id) }
    }

    func connectFailed(_ address: DeviceAddress, _ status: HCIStatus) {
        guard let device = devices.removeValue(forKey: address) else { return }
        for role in device.wanting { tellFailed(role, address, CBError(connecting: status)) }
    }

    func disconnected(_ link: LinkID, _ address: DeviceAddress, _ reason: HCIStatus) {
        // A device that established the link may have been requested under another form of its address.
        let (peer, address) = (address, self.address(of: link) ?? address)
        guard var device = devices[address], device.link == link else { return forget(peer) }
        devices[address] = nil
        endCalls(&device)
        let hasPower = adapter.host.state == .ready
        let loss = hasPower ? CBError(disconnecting: reason) : CBError(.unknown)
        var again: [CentralRole] = []
        for role in device.connectedRoles {
            let isWanted = device.wanting.contains { $0 === role }
            // A manager that requested the disconnection gets no error, and may have requested a new
            // connection since.
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
        forget(peer)
        for role in device.wanting where !device.connectedRoles.contains(where: { $0 === role }) {
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

    private func forget(_ address: DeviceAddress) {
        let gone = connected.change { connected in
            defer { connected.removeAll { $0.address == address } }
            return connected.first { $0.address == address }
        }
        if let gone { tellEvent(.peerDisconnected, address, gone.services) }
    }

    func mtuChanged(_ link: LinkID, _ mtu: Int) {
        guard let address = address(of: link), let device = devices[address] else { return }
        for role in device.connectedRoles {
            role.existing(address)?.change { $0.visible.change { $0.mtu = mtu } }
        }
    }

    func advertisedServices(of address: DeviceAddress) -> Set<BluetoothUUID> {
        Set(advertisers[address].map { AdvertisementContents($0).services } ?? [])
    }
}

// Actions that a phone takes by itself after connecting: it reads the name and subscribes to Service Changed.
extension CentralCore {
    func keepHouse(_ address: DeviceAddress, _ link: LinkID) {
        adapter.perform(.readByType(BluetoothUUID(UInt16(0x2A00)), 1...0xFFFF), on: link) {
            [weak self] result in
            guard let self, case .success(.values(let values)) = result, let first = values.first else {
                return
            }
            let limit = (adapter.host.mtu(of: link) ?? 23) - 4
            guard first.value.count >= limit else { return rename(address, first.value) }
            // The value may be longer than one response.
            adapter.perform(.read(first.handle), on: link) { [weak self] result in
                if case .success(.value(let whole)) = result { self?.rename(address, whole) }
            }
        }
        // The host stores it with the bond and checks whether it has changed.
        if adapter.host.security(of: link).isEncrypted {
            adapter.perform(.readByType(.databaseHash, 1...0xFFFF), on: link) { _ in }
        }
        subscribeToChanges(of: address, link)
    }

    private func subscribeToChanges(of address: DeviceAddress, _ link: LinkID) {
        adapter.perform(.discoverServices(BluetoothUUID(UInt16(0x1801))), on: link) { [weak self] result in
            guard case .success(.services(let services)) = result, let service = services.first,
                service.handle < service.endHandle
            else { return }
            self?.findServiceChanged(service.handle...service.endHandle, address, link)
        }
    }

    private func findServiceChanged(
        _ range: ClosedRange<UInt16>, _ address: DeviceAddress, _ link: LinkID
    ) {
        adapter.perform(.discoverCharacteristics(range), on: link) { [weak self] result in
            guard case .success(.characteristics(let all)) = result,
                let changed = all.first(where: { $0.uuid == BluetoothUUID(UInt16(0x2A05)) }),
                changed.valueHandle < changed.endHandle
            else { return }
            let range = changed.valueHandle + 1...changed.endHandle
            self?.adapter.perform(.discoverDescriptors(range), on: link) { [weak self] result in
                guard case .success(.descriptors(let found)) = result,
                    let one = found.first(where: { $0.uuid == .clientCharacteristicConfiguration })
                else { return }
                self?.devices[address]?.serviceChanged = changed.valueHandle
                self?.adapter.perform(.write(one.handle, [2, 0]), on: link) { _ in }
            }
        }
    }

    private func rename(_ address: DeviceAddress, _ octets: [UInt8]) {
        let name = String(decoding: octets, as: UTF8.self)
        guard !name.isEmpty else { return }
        adapter.acquaintances.change { $0.call(address, name) }
        for role in devices[address]?.connectedRoles ?? [] {
            role.existing(address)?.change { peripheral in
                let isNew = peripheral.visible.change { visible in
                    defer { visible.name = name }
                    return visible.name != name
                }
                if isNew { peripheral.inform { $0.peripheralDidUpdateName(peripheral) } }
            }
        }
    }

    /// Handles Service Changed: discoveries in the range of handles are invalid.
    func servicesChanged(_ value: [UInt8], at address: DeviceAddress) {
        guard value.count == 4 else { return }
        let first = UInt16(value[0]) | UInt16(value[1]) << 8
        let last = UInt16(value[2]) | UInt16(value[3]) << 8
        guard first <= last else { return }
        let isGone = { (handle: UInt16) in (first...last).contains(handle) }
        devices[address]?.configurations = [:]
        // A server forgets subscriptions to deleted attributes, so a new subscription must be written.
        for handle in devices[address]?.subscriptions.keys.filter(isGone) ?? [] {
            devices[address]?.subscriptions[handle] = nil
        }
        if let link = devices[address]?.link, devices[address]?.serviceChanged.map(isGone) ?? false {
            subscribeToChanges(of: address, link)
        }
        for role in devices[address]?.connectedRoles ?? [] {
            role.existing(address)?.change { peripheral in
                let gone = peripheral.visible.change { visible -> [CBService] in
                    let gone = (visible.services ?? []).filter { $0.handles?.overlaps(first...last) ?? false }
                    visible.services?.removeAll { service in gone.contains { $0 === service } }
                    return gone
                }
                for service in gone { service.end() }
                peripheral.inform { $0.peripheral(peripheral, didModifyServices: gone) }
            }
        }
    }
}
