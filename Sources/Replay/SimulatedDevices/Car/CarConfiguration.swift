public import UQDK

/// What a simulated car is.
public struct CarConfiguration: Sendable {
    /// The digital-key protocol that it speaks.
    public var dialect: Dialect
    /// The keys that it knows.
    public var keys: [CarKey]
    /// The vehicle behind the protocol.
    public var vehicle = Vehicle()
    /// The id that its info characteristic tells.
    public var vehicleID: [UInt8] = Array("BLECAP01".utf8)
    /// Keys that can be activated at once.
    public var slots: UInt8 = 4
    /// How long a session lasts, in seconds.
    public var lifetime: UInt32 = 300
    /// The signal strength at which it hears phones, in dBm.
    public var rssi: Int8 = -50
    /// The name that it advertises; nil for none.
    public var name: String?
    /// Whether its address stands in its name and not in manufacturer specific data.
    public var showsAddressAsName = false
    /// Time from one advertising event to the next.
    public var advertisingInterval = Duration.milliseconds(100)
    /// The digits of the pairing code with which the pairing window stands open at the start; nil where it is
    /// closed.
    public var pairingCode: String?

    /// A car that knows these keys.
    public init(keys: [CarKey], dialect: Dialect = .reference1) {
        self.keys = keys
        self.dialect = dialect
    }
}
