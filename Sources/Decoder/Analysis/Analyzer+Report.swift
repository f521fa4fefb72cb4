public import BluetoothCore

// Knowledge from a whole capture, for a report about it.

/// A characteristic as a report lists it.
public struct KnownCharacteristic: Sendable {
    /// The handle of its value.
    public var value: UInt16
    /// The properties of its declaration.
    public var properties: UInt8
    /// Nil if a truncated record kept the handle and not the UUID.
    public var uuid: BluetoothUUID?
}

/// A service as a report lists it.
public struct KnownService: Sendable {
    public var start: UInt16
    public var end: UInt16
    public var uuid: BluetoothUUID
    public var characteristics: [KnownCharacteristic]
    /// Whether it was searched completely for characteristics.
    public var isSearched: Bool
}

/// The database of one device as a report lists it.
public struct KnownDatabase: Sendable {
    /// The device's identity or address; nil for the unknown end of a link that the log does not open.
    public var address: DeviceAddress?
    public var services: [KnownService]
}

/// An adapter as a report lists it.
public struct KnownAdapter: Sendable {
    public var file: Int
    public var index: UInt16
    /// Its public address, if the log contains it.
    public var address: DeviceAddress?
}

extension Analyzer {
    /// The attribute databases learned from the capture, by device; if frames are selected, only those of the
    /// devices on the links of selected frames.
    public var databases: [KnownDatabase] {
        peers.peers.filter { lists($0) }.compactMap { Self.database(of: $0) }
    }

    /// The attribute databases learned from the capture, whichever frames are selected.
    public var everyDatabase: [KnownDatabase] { peers.peers.compactMap { Self.database(of: $0) } }

    private static func database(of peer: PeerTable.Peer) -> KnownDatabase? {
        let services = peer.database.services.map { service in
            KnownService(
                start: service.start, end: service.end, uuid: service.uuid,
                characteristics: peer.database.characteristics
                    .filter { (service.start...service.end).contains($0.declaration) }
                    .map {
                        KnownCharacteristic(value: $0.value, properties: $0.properties, uuid: $0.uuid)
                    },
                isSearched: peer.database.declared.covers(service.range))
        }
        return services.isEmpty ? nil : KnownDatabase(address: peer.address, services: services)
    }

    /// The identities of devices that had connections and are still remembered, whichever frames are
    /// selected.
    public var connectedPeers: [DeviceAddress] {
        peers.peers.compactMap { $0.lastTime > 0 ? $0.address : nil }
    }

    /// The indices of all adapters, whichever frames are selected.
    public var everyAdapter: [UInt16] { Set(adapters.all.map(\.index)).sorted() }

    /// Whether one of the files has records of more than one adapter.
    public var hasSeveralAdapters: Bool { adapters.hasSeveral }

    /// The adapters in the capture; if frames are selected, only those of selected frames.
    public var knownAdapters: [KnownAdapter] {
        adapters.all.filter { lists($0) }.map {
            KnownAdapter(
                file: $0.file, index: $0.index, address: $0.address)
        }
    }
}
