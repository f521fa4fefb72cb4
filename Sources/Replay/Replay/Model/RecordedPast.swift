public import BluetoothCore
public import LEHost

/// The recorded host's knowledge of a device before it connects.
public struct RecordedPast: Sendable {
    /// The device, with the address used for the connection.
    public var peer: DeviceAddress
    /// The bond that encrypts the link; nil if the log shows none.
    public var bond: Bond?
    /// The security policy with which the host pairs; nil if it does not pair on this connection.
    public var policy: SecurityPolicy?
    /// The random values for pairing (``EntropyPurpose/pairing``).
    public var draws: [[UInt8]]
    /// The device's attributes, if the log uses them without discovery; otherwise empty, so that the replay
    /// discovers them as the log does.
    public var cache: AttributeCache

    init(_ connection: RecordedConnection) {
        peer = connection.peer
        bond = connection.bond
        policy = connection.pairing?.hostPolicy
        draws = connection.pairing?.hostDraws ?? []
        cache = connection.discovers ? AttributeCache() : connection.database.cache
    }
}

extension RecordedConnection {
    /// Whether the host discovers attributes on this connection.
    fileprivate var discovers: Bool {
        !isCentral
            || pdus.contains { pdu in
                guard pdu.side == .host, pdu.channel == .attribute, pdu.opcode.isDiscovery else {
                    return false
                }
                return pdu.att(ATTReadByTypeRequest.self).map { Normalization.isDeclaration($0.type) } ?? true
            }
    }
}

extension PeerDatabase {
    /// The attributes in the form in which a host that discovered them earlier keeps them.
    fileprivate var cache: AttributeCache {
        var services: [GATTService] = []
        var others: [GATTService] = []
        var includes: [UInt16: [GATTInclude]] = [:]
        var characteristics: [UInt16: [GATTCharacteristic]] = [:]
        var descriptors: [UInt16: [GATTDescriptor]] = [:]
        for service in attributes {
            guard let uuid = service.declaredService, service.handle <= service.groupEnd else { continue }
            let range = service.handle...service.groupEnd
            let found = GATTService(uuid: uuid, handle: range.lowerBound, endHandle: range.upperBound)
            if service.type == .primaryService { services.append(found) } else { others.append(found) }
            var inner: [GATTCharacteristic] = []
            for one in attributes(in: range) {
                if let include = one.include { includes[service.handle, default: []].append(include) }
                if let next = one.discoveredCharacteristic(endHandle: range.upperBound) {
                    if !inner.isEmpty { inner[inner.count - 1].endHandle = one.handle - 1 }
                    inner.append(next)
                } else if one.declaration == nil, let last = inner.last, one.handle > last.valueHandle {
                    descriptors[last.valueHandle, default: []].append(
                        GATTDescriptor(uuid: one.type, handle: one.handle))
                }
            }
            characteristics[service.handle] = inner
        }
        return AttributeCache(
            services: services, others: others, includes: includes, characteristics: characteristics,
            descriptors: descriptors)
    }
}

extension PeerDatabase.Attribute {
    fileprivate var include: GATTInclude? {
        guard type == .includeDeclaration,
            let fields = try? declaration?.decoded(as: GATTIncludeDeclaration.self),
            let uuid = fields.uuid
        else { return nil }
        return GATTInclude(
            declarationHandle: handle,
            service: GATTService(uuid: uuid, handle: fields.handle, endHandle: fields.endGroupHandle))
    }

    fileprivate func discoveredCharacteristic(endHandle: UInt16) -> GATTCharacteristic? {
        guard type == .characteristicDeclaration,
            let fields = try? declaration?.decoded(as: GATTCharacteristicDeclaration.self)
        else { return nil }
        return GATTCharacteristic(
            uuid: fields.uuid, properties: fields.properties, declarationHandle: handle,
            valueHandle: fields.valueHandle, endHandle: endHandle)
    }
}
