import BluetoothCore
public import Runtime
public import UQDK

/// The properties of a simulated car.
public struct CarConfiguration: Sendable {
    /// The dialect of the digital-key protocol.
    public var dialect: Dialect
    /// The keys known to the car.
    public var keys: [CarKey]
    /// The vehicle behind the protocol.
    public var vehicle = Vehicle()
    /// The id in its info characteristic.
    public var vehicleID: [UInt8] = Array("BLECAP01".utf8)
    /// Maximum number of activated keys.
    public var slots: UInt8 = 4
    /// Lifetime of a session, in seconds.
    public var lifetime: UInt32 = 300
    /// The signal strength at which the car receives phones, in dBm.
    public var rssi: Int8 = -50
    /// The advertised name; nil for none.
    public var name: String?
    /// Whether the address is in the name instead of manufacturer specific data.
    public var showsAddressAsName = false
    /// Advertising interval.
    public var advertisingInterval = Duration.milliseconds(100)
    /// The digits of the pairing code if the pairing window is open at the start; nil if it is closed.
    public var pairingCode: String?

    /// Creates a car with these keys.
    public init(keys: [CarKey], dialect: Dialect = .reference1) {
        self.keys = keys
        self.dialect = dialect
    }
}

/// A digital key in a car's memory.
public struct CarKey: Hashable, Sendable {
    /// The id of the key.
    public var keyID: [UInt8]
    /// The secret.
    public var key: [UInt8]
    /// The slot assigned by activation; nil if the key is not activated.
    public var slot: UInt8?
    /// The highest accepted authentication counter; nil if absent.
    public var authCounter: UInt64?
    /// Whether it is revoked or has expired.
    public var isRevoked = false
    /// Number of consecutive bad proofs.
    public internal(set) var badProofs = 0
    /// The end of the lock-out; nil if the key is not locked out.
    public internal(set) var lockedUntil: Instant?

    /// Creates a key, which is activated if it has a slot.
    public init(keyID: [UInt8], key: [UInt8], slot: UInt8? = nil, authCounter: UInt64? = nil) {
        self.keyID = keyID
        self.key = key
        self.slot = slot
        self.authCounter = authCounter
    }

    /// Restores the state from an earlier run of the car.
    ///
    /// - Parameters:
    ///   - slot: the key's slot; nil if it was not activated.
    ///   - authCounter: the highest counter that was accepted; nil without one.
    ///   - isRevoked: whether the key was revoked.
    ///   - badProofs: the number of wrong proofs since the last right one.
    ///   - lockedFor: the remaining time of the lock-out; nil if the key is not locked out.
    public mutating func restore(
        slot: UInt8?, authCounter: UInt64?, isRevoked: Bool, badProofs: Int, lockedFor: Duration?
    ) {
        self.slot = slot
        self.authCounter = authCounter
        self.isRevoked = isRevoked
        self.badProofs = min(max(0, badProofs), Int(Int32.max))
        lockedUntil = lockedFor.map { Instant.zero.advanced(by: $0) }
    }
}

/// An attack on one of the car's messages to its phone, which the phone has to detect.
public struct CarTampering: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A secured message has another tag, and the checksum that matches it.
        case forged
        /// A secured message is repeated after the next one.
        case again
        /// The car authenticates with another key, and accepts any proof.
        case impostor
        /// All fragments of a message are delayed by two seconds.
        case late
    }

    public var kind: Kind
    /// The index among the messages that can be attacked in this way, from 0.
    public var place: Int

    public init(_ kind: Kind, at place: Int) {
        self.kind = kind
        self.place = place
    }
}

extension CarEngine {
    mutating func tampers(_ kind: CarTampering.Kind) -> Bool {
        guard tampering?.kind == kind else { return false }
        defer { tampering?.place -= 1 }
        guard tampering?.place == 0 else { return false }
        wasTampered = true
        return true
    }
}

struct CarAdvertising: Hashable, Sendable {
    var data: [UInt8]
    var scanResponse: [UInt8]

    /// Puts flags and either the address as the name, or manufacturer specific data and the name, into the
    /// data. The scan response has the service, and the name if only there is room.
    init(_ configuration: CarConfiguration, address: DeviceAddress, flags: Set<String>) {
        let format = configuration.dialect.advertising
        var advertisement = ADBuilder()
        var response = ADBuilder()
        _ = advertisement.append([.leGeneralDiscoverableMode, .brEDRNotSupported])
        _ = response.append(services: [configuration.dialect.gatt.service])
        if configuration.showsAddressAsName {
            _ = advertisement.append(name: address.description)
        } else {
            let payload = format.encode(address: address, flags: flags)
            _ = advertisement.append(company: format.companyID, payload)
            if let name = configuration.name {
                if name.utf8.count <= advertisement.room {
                    _ = advertisement.append(name: name)
                } else {
                    _ = response.append(name: name)
                }
            }
        }
        data = advertisement.octets
        scanResponse = response.octets
    }
}
