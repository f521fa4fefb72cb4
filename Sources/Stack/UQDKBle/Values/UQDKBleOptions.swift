public import CoreBluetooth
public import LEHost
public import UQDK

/// Times, limits and habits of a manager.
public struct UQDKBleOptions: Hashable, Sendable {
    /// How long the car is looked for, from when the radio is on; zero for as long as it takes.
    public var scanTimeout: Duration
    /// How long a link may take to be made.
    public var connectTimeout: Duration
    /// How long discovery and the Info value may take, and then the subscription.
    public var discoveryTimeout: Duration
    /// How long one try of the authentication may take.
    public var authenticationTimeout: Duration
    /// How long a response may take, from the request's last fragment on.
    public var commandTimeout: Duration
    /// How often notifications are asked for before the car is given up.
    public var notificationTries: Int
    /// How often an authentication is tried that the car does not answer in time.
    public var authenticationTries: Int
    /// Services that a scan looks for; nil for all devices. In the background of a phone it must be set.
    public var scanServices: [CBUUID]?
    /// Whether a scan reports every advertisement of a device and not only the first.
    public var allowsDuplicates = false
    /// Whether a connect waits for a radio that is off, instead of failing.
    public var waitsForPower = true
    /// Whether an authentication follows by itself when a session has ended and the link stands.
    public var reauthenticatesAutomatically = true
    /// How fragments are written.
    public var writeType = CBCharacteristicWriteType.withResponse
    /// How often the link's two ends meet, asked for as soon as it is made; nil leaves it to the host.
    public var connectionParameters: ConnectionParameters?
    /// The id of the first request on each link; nil for the lowest that the dialect has for requests.
    public var firstMessageID: UInt64?

    func firstMessageID(_ dialect: Dialect) -> UInt64 {
        let ids = dialect.requestIDs
        return firstMessageID.flatMap { ids.contains($0) ? $0 : nil } ?? ids.lowerBound
    }

    /// The times and limits of a dialect.
    public init(_ dialect: Dialect = .reference1) {
        let limits = dialect.limits
        scanTimeout = .milliseconds(limits.scan)
        connectTimeout = .milliseconds(limits.connect)
        discoveryTimeout = .milliseconds(limits.discovery)
        authenticationTimeout = .milliseconds(limits.authentication)
        commandTimeout = .milliseconds(limits.command)
        notificationTries = limits.notificationTries
        authenticationTries = limits.authenticationTries
    }
}
