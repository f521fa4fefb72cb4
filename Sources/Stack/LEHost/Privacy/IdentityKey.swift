import Crypto
public import Runtime
import WireBytes

/// The identity resolving key of a host, in the form stored with its bonds: in hexadecimal.
public struct IdentityKey: Hashable, Sendable {
    let key: SecretKey

    /// Generates a new key.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        key = SecretKey(try entropy.octets(16, for: .identityKey))
    }
}

extension IdentityKey: Codable {
    /// Decodes the key; throws if it is not 16 bytes in hexadecimal.
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
    /// Creates privacy settings.
    ///
    /// - Parameter key: stored with the bonds.
    public init(_ key: IdentityKey) { self.init(identityKey: key.key) }
}
