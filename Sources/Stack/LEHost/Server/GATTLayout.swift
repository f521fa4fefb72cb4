public import BluetoothCore

/// The handles for the services of a server that stands in for another one; other servers number theirs
/// consecutively.
public struct GATTLayout: Hashable, Sendable {
    /// One service.
    public struct Service: Hashable, Sendable {
        /// The service's UUID.
        public var uuid: BluetoothUUID
        /// The types and handles of the service's attributes, from its declaration.
        public var attributes: [GATTDescriptor]
        /// The last handle of the service.
        public var endHandle: UInt16
        /// Handles of declarations with a 128-bit UUID, even if the UUID has a short form.
        public var longForms: Set<UInt16>

        public init(
            uuid: BluetoothUUID, attributes: [GATTDescriptor], endHandle: UInt16,
            longForms: Set<UInt16> = []
        ) {
            self.uuid = uuid
            self.attributes = attributes
            self.endHandle = endHandle
            self.longForms = longForms
        }
    }

    /// The services by handle.
    ///
    /// A service that is added takes the first free one with its UUID.
    public var services: [Service]

    public init(services: [Service] = []) { self.services = services }

    /// Removes and returns the first service with this UUID; nil if no such service is left.
    public mutating func take(_ uuid: BluetoothUUID) -> Service? {
        services.firstIndex { $0.uuid == uuid }.map { services.remove(at: $0) }
    }
}

extension GATTDatabase {
    /// Adds a service at the handles of another server's service.
    ///
    /// Within each characteristic, an attribute gets the handle of the attribute with its type; descriptors
    /// that the other server lacks are left out.
    ///
    /// - Returns: nil if the other server's service lacks a characteristic or its handles are in use; then
    ///   nothing is added.
    public mutating func add(
        _ definition: GATTServiceDefinition, as other: GATTLayout.Service
    ) -> GATTPlacedService? {
        var alone = GATTDatabase()
        guard var placed = alone.add(definition) else { return nil }
        let groups = Self.groups(other.attributes)
        var handles: [UInt16: UInt16] = [:]
        var ends: [UInt16: UInt16] = [:]
        var next = 0
        for own in Self.groups(alone.attributes.map { GATTDescriptor(uuid: $0.type, handle: $0.handle) }) {
            let value = own.count > 1 && next > 0 ? own[1].uuid : nil
            guard
                let place = groups.indices.dropFirst(next).first(where: { at in
                    value == nil
                        || groups[at].count > 1 && groups[at][1].uuid == value
                            && groups[at][1].handle == groups[at][0].handle + 1
                })
            else { return nil }
            next = place + 1
            var free = groups[place]
            for attribute in own {
                guard let found = free.firstIndex(where: { $0.uuid == attribute.uuid }) else { continue }
                handles[attribute.handle] = free.remove(at: found).handle
            }
            ends[own[0].handle] = groups[place].last?.handle
        }
        ends[alone.attributes[0].handle] = other.endHandle
        guard let first = other.attributes.first?.handle, first <= other.endHandle,
            attributes(in: first...other.endHandle).isEmpty, placed.move(handles, ends)
        else { return nil }
        insert(alone.attributes, handles, ends, other.longForms)
        return placed
    }

    /// Returns the attributes before the first characteristic, then those of each characteristic.
    private static func groups(_ attributes: [GATTDescriptor]) -> [[GATTDescriptor]] {
        var groups: [[GATTDescriptor]] = [[]]
        for attribute in attributes {
            if attribute.uuid == .characteristicDeclaration { groups.append([]) }
            groups[groups.count - 1].append(attribute)
        }
        return groups
    }
}

extension GATTPlacedService {
    /// Replaces all handles; returns false if a handle is missing.
    fileprivate mutating func move(_ handles: [UInt16: UInt16], _ ends: [UInt16: UInt16]) -> Bool {
        guard let first = handles[service.handle], let last = ends[service.handle] else { return false }
        (service.handle, service.endHandle) = (first, last)
        for index in characteristics.indices {
            let own = characteristics[index].declarationHandle
            guard let declaration = handles[own], let value = handles[characteristics[index].valueHandle],
                let end = ends[own]
            else { return false }
            characteristics[index].declarationHandle = declaration
            characteristics[index].valueHandle = value
            characteristics[index].endHandle = end
            descriptors[index] = descriptors[index].compactMap { descriptor in
                handles[descriptor.handle].map { GATTDescriptor(uuid: descriptor.uuid, handle: $0) }
            }
        }
        return true
    }
}
