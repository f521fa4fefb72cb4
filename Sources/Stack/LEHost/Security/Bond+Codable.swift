import BluetoothCore
import Crypto
import WireBytes

// Bonds in their stored form: with their keys, in hexadecimal.

extension LongTermKey: Codable {
    private enum CodingKeys: CodingKey { case key, ediv, rand }

    /// Decodes the key; throws if it is not 16 bytes in hexadecimal.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.secret(.key), ediv: try fields.decode(UInt16.self, forKey: .ediv),
            rand: try fields.decode(UInt64.self, forKey: .rand))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Hex.text(key.octets), forKey: .key)
        try fields.encode(ediv, forKey: .ediv)
        try fields.encode(rand, forKey: .rand)
    }
}

extension Bond: Codable {
    private enum CodingKeys: CodingKey {
        case address, kind, identityKey, asCentral, asPeripheral, isAuthenticated, isSecureConnections,
            keySize, client, peerDatabaseHash, peerDatabase
    }

    /// Decodes a bond; throws if an address, a key or the key size is invalid.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let text = try fields.decode(String.self, forKey: .address)
        let kind = DeviceAddress.Kind(rawValue: try fields.decode(UInt8.self, forKey: .kind))
        let size = try fields.decode(UInt8.self, forKey: .keySize)
        guard var peer = DeviceAddress(text, kind: .public), let kind, (7...16).contains(size) else {
            throw DecodingError.dataCorruptedError(
                forKey: .address, in: fields, debugDescription: "no address, or no size of a key")
        }
        peer.kind = kind
        self.init(peer: peer)
        identityKey = fields.contains(.identityKey) ? try fields.secret(.identityKey) : nil
        asCentral = try fields.decodeIfPresent(LongTermKey.self, forKey: .asCentral)
        asPeripheral = try fields.decodeIfPresent(LongTermKey.self, forKey: .asPeripheral)
        security.isEncrypted = true
        security.isSecureConnections = try fields.decode(Bool.self, forKey: .isSecureConnections)
        // Older files say that bonds from legacy passkeys are authenticated.
        let isAuthenticated = try fields.decode(Bool.self, forKey: .isAuthenticated)
        security.isAuthenticated = isAuthenticated && security.isSecureConnections
        security.keySize = size
        // Older files lack these fields.
        client = try fields.decodeIfPresent(ClientRecord.self, forKey: .client) ?? ClientRecord()
        peerDatabaseHash = try fields.octets(.peerDatabaseHash, [0, 16])
        peerDatabase =
            try fields.decodeIfPresent(AttributeCache.self, forKey: .peerDatabase) ?? AttributeCache()
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode("\(DeviceAddress(peer.value, .public))", forKey: .address)
        try fields.encode(peer.kind.rawValue, forKey: .kind)
        try fields.encodeIfPresent(identityKey.map { Hex.text($0.octets) }, forKey: .identityKey)
        try fields.encodeIfPresent(asCentral, forKey: .asCentral)
        try fields.encodeIfPresent(asPeripheral, forKey: .asPeripheral)
        try fields.encode(security.isAuthenticated, forKey: .isAuthenticated)
        try fields.encode(security.isSecureConnections, forKey: .isSecureConnections)
        try fields.encode(security.keySize, forKey: .keySize)
        if client != ClientRecord() { try fields.encode(client, forKey: .client) }
        try fields.encode(peerDatabaseHash, forKey: .peerDatabaseHash)
        if !peerDatabase.isEmpty { try fields.encode(peerDatabase, forKey: .peerDatabase) }
    }
}

extension ClientRecord: Codable {
    private enum CodingKeys: CodingKey { case subscriptions, features, databaseHash }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        subscriptions = try fields.decode([Subscription].self, forKey: .subscriptions)
        features = try fields.octets(.features, 0...ATTServer.featuresLimit)
        databaseHash = try fields.octets(.databaseHash, [0, 16])
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(subscriptions, forKey: .subscriptions)
        try fields.encode(features, forKey: .features)
        try fields.encode(databaseHash, forKey: .databaseHash)
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ octets: [UInt8], forKey key: Key) throws {
        if !octets.isEmpty { try encode(Hex.text(octets), forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes the bytes of a hexadecimal string. Their number must be one of `counts`; a missing string has
    /// 0.
    func octets(_ key: Key, _ counts: some Collection<Int>) throws -> [UInt8] {
        let octets = try? Hex.octets(try decodeIfPresent(String.self, forKey: key) ?? "")
        guard let octets, counts.contains(octets.count) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not octets in hexadecimal")
        }
        return octets
    }

    fileprivate func secret(_ key: Key) throws -> SecretKey {
        guard let octets = try? Hex.octets(try decode(String.self, forKey: key)), octets.count == 16 else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not 16 octets in hexadecimal")
        }
        return SecretKey(octets)
    }
}
