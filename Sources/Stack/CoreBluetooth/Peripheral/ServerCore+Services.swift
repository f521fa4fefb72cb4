import BluetoothCore
import Foundation
import LEHost

// The attributes: each manager's services, placed in one database.
extension ServerCore {
    func add(_ service: CBMutableService, _ role: ServerRole) {
        var error: CBError?
        if placed.contains(where: { $0.service === service }) {
            error = CBError(.invalidParameters)
        } else if let definition = definition(of: service), let place = database.add(definition) {
            placed.append(Placed(service: service, role: role, place: place))
            adapter.put(.setDatabase(database))
        } else {
            error = CBError(.invalidParameters)
        }
        let failure = error
        role.manager?.call { [weak manager = role.manager] in
            guard let manager else { return }
            manager.delegate?.peripheralManager(manager, didAdd: service, error: failure)
        }
    }

    func remove(_ service: CBMutableService, _ role: ServerRole) {
        guard let index = placed.firstIndex(where: { $0.service === service && $0.role === role }) else {
            return
        }
        database.remove(placed.remove(at: index).place.service)
        adapter.put(.setDatabase(database))
    }

    func removeAll(_ role: ServerRole) {
        for one in placed where one.role === role { database.remove(one.place.service) }
        placed.removeAll { $0.role === role }
        adapter.put(.setDatabase(database))
    }

    /// The characteristic whose value has a handle, and whose it is.
    func characteristic(at handle: UInt16) -> (CBCharacteristic, ServerRole)? {
        for one in placed {
            guard let index = one.place.characteristics.firstIndex(where: { $0.valueHandle == handle }),
                let all = one.service.characteristics, index < all.count
            else { continue }
            return (all[index], one.role)
        }
        return nil
    }

    /// Where a characteristic's value lies.
    func handle(of characteristic: CBCharacteristic) -> UInt16? {
        for one in placed {
            guard let index = one.service.characteristics?.firstIndex(where: { $0 === characteristic }),
                index < one.place.characteristics.count
            else { continue }
            return one.place.characteristics[index].valueHandle
        }
        return nil
    }

    // Nil where an included service has not been added, or a value is given to a characteristic that can
    // change.
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
        if isFixed, !mutable.properties.subtracting([.read, .broadcast]).isEmpty { return nil }
        let descriptors = (mutable.descriptors ?? []).compactMap { descriptor in
            GATTServiceDefinition.Descriptor(
                uuid: descriptor.uuid.value, value: .fixed(descriptor.octets), permissions: .readable)
        }
        return GATTServiceDefinition.Characteristic(
            uuid: mutable.uuid.value,
            properties: GATTCharacteristicProperties(
                rawValue: UInt8(truncatingIfNeeded: mutable.properties.rawValue)),
            value: mutable.value.map { .fixed(Array($0)) } ?? .dynamic,
            permissions: ATTPermissions(rawValue: UInt8(truncatingIfNeeded: mutable.permissions.rawValue)),
            descriptors: descriptors)
    }
}

extension CBDescriptor {
    /// The value as it goes on the air.
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
