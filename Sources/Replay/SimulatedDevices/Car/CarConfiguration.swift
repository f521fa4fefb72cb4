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
