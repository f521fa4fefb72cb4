import BluetoothCore
import Crypto
import WireBytes

// Bonds as they are kept: with their keys, in hexadecimal.

extension LongTermKey: Codable {
    private enum CodingKeys: CodingKey { case key, ediv, rand }

    /// Throws where the key is not 16 octets in hexadecimal.
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
            keySize
    }

    /// Throws where an address, a key or the size of the keys is none.
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
        security.isAuthenticated = try fields.decode(Bool.self, forKey: .isAuthenticated)
        security.isSecureConnections = try fields.decode(Bool.self, forKey: .isSecureConnections)
        security.keySize = size
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
    }
}

extension KeyedDecodingContainer {
    fileprivate func secret(_ key: Key) throws -> SecretKey {
        guard let octets = try? Hex.octets(try decode(String.self, forKey: key)), octets.count == 16 else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not 16 octets in hexadecimal")
        }
        return SecretKey(octets)
    }
}
