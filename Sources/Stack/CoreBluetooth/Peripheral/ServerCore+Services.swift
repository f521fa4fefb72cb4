import BluetoothCore
import Foundation
import LEHost

// The attributes: each manager's services, placed in one database.
extension ServerCore {
    func add(_ service: CBMutableService, _ role: ServerRole) {
        var error: CBError?
        if state != .poweredOn {
            // The power may have been turned off after the application saw it on.
            error = CBError(.unknown)
        } else if placed.contains(where: { $0.service === service }) {
            error = CBError(.invalidParameters)
        } else if let definition = definition(of: service), let place = place(definition) {
            placed.append(Placed(service: service, role: role, place: place))
        } else {
            error = CBError(.invalidParameters)
        }
        let failure = error
        role.manager?.call { [weak manager = role.manager] in
            guard let manager else { return }
            manager.delegate?.peripheralManager(manager, didAdd: service, error: failure)
        }
        // After that callback: a bonded central's earlier subscriptions may be restored.
        if failure == nil { adapter.put(.setDatabase(database)) }
    }

    private func place(_ definition: GATTServiceDefinition) -> GATTPlacedService? {
        guard let other = layout?.take(definition.uuid) else { return database.add(definition) }
        return database.add(definition, as: other)
    }

    func remove(_ service: CBMutableService, _ role: ServerRole) {
        remove { $0.service === service && $0.role === role }
    }

    func removeAll(_ role: ServerRole) { remove { $0.role === role } }

    /// Removes all services of all managers, and restarts the assignment of handles.
    func removeAll() {
        remove { _ in true }
        database.removeAll()
        layout = adapter.configuration.layout
        placeGeneric()
    }

    func placeGeneric() {
        guard adapter.configuration.hasGenericServices else { return }
        var new = GenericServices()
        new.place(bonds: adapter.configuration.host.security?.bonds == true) { place($0) }
        generic = new
    }

    private func remove(_ isMeant: (Placed) -> Bool) {
        let gone = placed.filter(isMeant)
        guard !gone.isEmpty else { return }
        placed.removeAll(where: isMeant)
        for one in gone {
            database.remove(one.place.service)
            // Its subscribers are unsubscribed.
            for characteristic in one.service.characteristics ?? [] {
                for link in centrals.keys.sorted() {
                    if let central = centrals[link] { unsubscribe(central, from: characteristic, one.role) }
                }
            }
        }
        adapter.put(.setDatabase(database))
    }

    func characteristic(at handle: UInt16) -> (CBCharacteristic, ServerRole)? {
        for one in placed {
            guard let index = one.place.characteristics.firstIndex(where: { $0.valueHandle == handle }),
                let all = one.service.characteristics, index < all.count
            else { continue }
            return (all[index], one.role)
        }
        return nil
    }

    func handle(of characteristic: CBCharacteristic) -> UInt16? {
        for one in placed {
            guard let index = one.service.characteristics?.firstIndex(where: { $0 === characteristic }),
                index < one.place.characteristics.count
            else { continue }
            return one.place.characteristics[index].valueHandle
        }
        return nil
    }

    // Nil if an included service has not been added, or a characteristic that can change has a fixed value.
    private func definition(of service: CBMutableService) -> GATTServiceDefinition? {
        var includes: [GATTService] = []
        for included in service.includedServices ?? [] {
            guard let one = placed.first(where: { $0.service === included }) else { return nil }
            includes.append(one.place.service)
        }
        var characteristics: [GATTServiceDefinition.Characteristic] = []
        for characteristic in service.characteristics ?? [] {
            guard let one = definition(of: characteristic) else { return nil }
            characteristics.append(one)
        }
        return GATTServiceDefinition(
            uuid: service.uuid.value, isPrimary: service.isPrimary, includes: includes,
            characteristics: characteristics)
    }

    private func definition(of characteristic: CBCharacteristic) -> GATTServiceDefinition.Characteristic? {
        guard let mutable = characteristic as? CBMutableCharacteristic else { return nil }
        let isFixed = mutable.value != nil
        let wanted = mutable.properties
        if isFixed, !mutable.properties.subtracting([.read, .broadcast]).isEmpty { return nil }
        let descriptors = (mutable.descriptors ?? []).compactMap { descriptor in
            GATTServiceDefinition.Descriptor(
                uuid: descriptor.uuid.value, value: .fixed(descriptor.octets), permissions: .readable)
        }
        // On the air, the need for encryption shows in the answer to an unencrypted request, not as a
        // property.
        var properties = GATTCharacteristicProperties(
            rawValue: UInt8(truncatingIfNeeded: wanted.rawValue))
        if wanted.contains(.notifyEncryptionRequired) { properties.insert(.notify) }
        if wanted.contains(.indicateEncryptionRequired) { properties.insert(.indicate) }
        let isGuarded = !wanted.isDisjoint(with: [.notifyEncryptionRequired, .indicateEncryptionRequired])
        // Permissions can't allow what no property offers.
        var permissions = ATTPermissions(rawValue: UInt8(truncatingIfNeeded: mutable.permissions.rawValue))
        if !wanted.contains(.read) { permissions.subtract([.readable, .readEncryptionRequired]) }
        if wanted.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites]) {
            permissions.subtract([.writeable, .writeEncryptionRequired])
        }
        return GATTServiceDefinition.Characteristic(
            uuid: mutable.uuid.value, properties: properties,
            value: mutable.value.map { .fixed(Array($0)) } ?? .dynamic, permissions: permissions,
            configurationPermissions: isGuarded
                ? [.readable, .writeable, .writeEncryptionRequired] : [.readable, .writeable],
            descriptors: descriptors)
    }
}

// Advertising, and values sent without a request.
extension ServerCore {
    func advertise(_ role: ServerRole, _ payload: AdvertisingPayload, _ stops: UInt64) {
        // The power may have been turned off after the application saw it on.
        guard state == .poweredOn else { return reportStart(role, stops, CBError(.unknown)) }
        guard !roles.contains(where: { $0.advertised != nil }) else {
            return reportStart(role, stops, CBError(.alreadyAdvertising))
        }
        var parameters = AdvertisingParameters()
        parameters.data = payload.data
        parameters.scanResponse = payload.scanResponse
        let units = payload.interval.saturatedMicroseconds / 625
        parameters.intervalUnits = UInt16(clamping: max(0x20, min(0x4000, units)))
        role.advertised = payload
        role.starting = stops
        if let name = payload.name, let handle = generic.deviceName {
            database.setValue(Array(name.utf8.prefix(248)), of: handle)
            adapter.put(.setDatabase(database))
        }
        adapter.put(.startAdvertising(parameters))
    }

    func stopAdvertising(_ role: ServerRole) {
        guard role.advertised != nil else { return }
        role.advertised = nil
        // A start that was interrupted ends with an error.
        if let stops = role.starting { reportStart(role, stops, CBError(.operationCancelled)) }
        role.starting = nil
        adapter.put(.stopAdvertising)
    }

    func advertising(_ isOn: Bool) {
        guard isOn, let role = roles.first(where: { $0.starting != nil }), let stops = role.starting else {
            return
        }
        role.starting = nil
        reportStart(role, stops, nil)
    }

    func advertisingFailed() {
        guard let role = roles.first(where: { $0.advertised != nil }) else { return }
        role.advertised = nil
        if let stops = role.starting { reportStart(role, stops, CBError(.invalidParameters)) }
        role.starting = nil
    }

    /// Ends advertising because the radio is off.
    func advertisingLost(_ role: ServerRole) {
        role.advertised = nil
        if let stops = role.starting { reportStart(role, stops, CBError(.unknown)) }
        role.starting = nil
    }

    private func reportStart(_ role: ServerRole, _ stops: UInt64, _ error: CBError?) {
        role.manager?.call { [weak manager = role.manager] in
            guard let manager else { return }
            // It may have been stopped since.
            manager.advertising.change { advertising in
                if error == nil, advertising.stops == stops { advertising.isOn = true }
            }
            manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: error)
        }
    }

    func update(
        _ value: [UInt8], _ characteristic: CBMutableCharacteristic, _ wanted: [CBCentral]?,
        _ role: ServerRole
    ) {
        let subscribers = characteristic.subscribers.current
        let links = centrals.keys.sorted().filter { link in
            guard let central = centrals[link], subscribers.contains(where: { $0 === central }) else {
                return false
            }
            return wanted?.contains { $0 === central } ?? true
        }
        guard let handle = handle(of: characteristic), !links.isEmpty else { return settled(role) }
        let call = UpdateCall(role, left: links.count)
        for link in links {
            // Values longer than the link allows are cut, as with Apple.
            let limit = max(0, (adapter.askHost { $0.mtu(of: link) } ?? 23) - 3)
            backlog.append(
                Update(handle: handle, value: Array(value.prefix(limit)), link: link, call: call))
        }
        sendBacklog()
    }

    func sendBacklog() {
        var held: Set<LinkID> = []
        var kept: [Update] = []
        let waiting = backlog
        backlog = []
        for update in waiting {
            guard !held.contains(update.link),
                adapter.askHost({ $0.canUpdate(update.handle, on: update.link) })
            else {
                held.insert(update.link)
                kept.append(update)
                continue
            }
            adapter.put(.update(valueHandle: update.handle, update.value, on: update.link))
            settle(update)
        }
        backlog = kept + backlog
    }

    /// Counts a link that got the value, or is gone; the call ends with its last link.
    func settle(_ update: Update) {
        update.call.left -= 1
        if update.call.left == 0 { settled(update.call.role) }
    }

    /// Frees the place of a call whose value was passed on.
    private func settled(_ role: ServerRole) {
        guard let manager = role.manager else { return }
        manager.call { [weak manager] in
            guard let manager else { return }
            let isReady = manager.updates.change { updates in
                updates.waiting = max(0, updates.waiting - 1)
                defer { updates.wasRefused = false }
                return updates.wasRefused
            }
            if isReady { manager.delegate?.peripheralManagerIsReady(toUpdateSubscribers: manager) }
        }
    }
}

extension Duration {
    fileprivate var saturatedMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : scaled &+ attoseconds / 1_000_000_000_000
    }
}
