public import CoreBluetooth
public import LEHost
public import UQDK

/// Times, limits and behaviour of a manager.
public struct UQDKBleOptions: Hashable, Sendable {
    /// Time limit of the scan, from the moment the radio is on; zero for none.
    public var scanTimeout: Duration
    /// Time limit of establishing the link.
    public var connectTimeout: Duration
    /// Time limit of discovery and the Info value, and then of the subscription.
    public var discoveryTimeout: Duration
    /// Time limit of one authentication try.
    public var authenticationTimeout: Duration
    /// Time limit of a response, from the request's last fragment.
    public var commandTimeout: Duration
    /// Number of tries to turn notifications on.
    public var notificationTries: Int
    /// Number of tries of an authentication that times out.
    public var authenticationTries: Int
    /// Services to scan for; nil for all devices.
    ///
    /// Required in the background of a phone.
    public var scanServices: [CBUUID]?
    /// Whether a scan reports every advertisement of a device rather than only the first.
    public var allowsDuplicates = false
    /// Whether a connect waits while the radio is off instead of failing.
    public var waitsForPower = true
    /// Whether an authentication follows automatically when a session ends and the link remains.
    public var reauthenticatesAutomatically = true
    /// Write type of fragments.
    public var writeType = CBCharacteristicWriteType.withResponse
    /// Connection parameters to request for a new link; nil leaves them to the host.
    public var connectionParameters: ConnectionParameters?
    /// The id of the first request on each link; nil for the lowest request id of the dialect.
    public var firstMessageID: UInt64?

    func firstMessageID(_ dialect: Dialect) -> UInt64 {
        let ids = dialect.requestIDs
        return firstMessageID.flatMap { ids.contains($0) ? $0 : nil } ?? ids.lowerBound
    }

    /// Creates the times and limits of a dialect.
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
