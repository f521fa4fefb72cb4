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

    /// Returns the characteristic with a value handle, and its owner.
    func characteristic(at handle: UInt16) -> (CBCharacteristic, ServerRole)? {
        for one in placed {
            guard let index = one.place.characteristics.firstIndex(where: { $0.valueHandle == handle }),
                let all = one.service.characteristics, index < all.count
            else { continue }
            return (all[index], one.role)
        }
        return nil
    }

    /// Returns the handle of a characteristic's value.
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

extension CBDescriptor {
    /// The value as sent on the air.
    fileprivate var octets: [UInt8] {
        switch value {
        case let text as String: Array(text.utf8)
        case let data as Data: Array(data)
        case let number as NSNumber:
            [UInt8(truncatingIfNeeded: number.intValue), UInt8(truncatingIfNeeded: number.intValue >> 8)]
        default: []
        }
    }
}
