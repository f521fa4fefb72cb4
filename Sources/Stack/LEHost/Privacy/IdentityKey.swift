import Crypto
public import Runtime
import WireBytes

/// The identity resolving key of a host, as it is kept with its bonds: in hexadecimal.
public struct IdentityKey: Hashable, Sendable {
    let key: SecretKey

    /// Draws a new one.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        key = SecretKey(try entropy.octets(16, for: .identityKey))
    }
}

extension IdentityKey: Codable {
    /// Throws where it is not 16 octets in hexadecimal.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let octets = try? Hex.octets(try value.decode(String.self)), octets.count == 16 else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "not 16 octets in hexadecimal")
        }
        key = SecretKey(octets)
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Hex.text(key.octets))
    }
}

extension HostPrivacy {
    /// - Parameter key: kept with the bonds.
    public init(_ key: IdentityKey) { self.init(identityKey: key.key) }
}
