public import CoreBluetooth
public import WireBytes

/// What becomes of link devices.
public enum LinkState: Hashable, Sendable {
    /// The radio can be used, or not: this is of no channel.
    case deviceOpen
    /// A device is linked under a number.
    case connected(channel: Int)
    /// A device's data come, or could not be started.
    case ready(channel: Int)
    /// A device is gone, and its number is free.
    case disconnected(channel: Int)
}

/// What went wrong with link devices.
public enum LinkDeviceError: Error, Equatable, Sendable {
    /// There is no device to link with.
    case noDevices
    /// A text of the list is no MAC.
    case invalidID(String)
    /// More devices than channels.
    case tooManyDevices(Int)
    /// No device is ready under this number.
    case noDevice(channel: Int)
    /// The upload rate is not 0 to 1,000 octets a second.
    case invalidSpeed(Int)
    /// The text is not hexadecimal; nothing was written.
    case invalidHex(Hex.Problem)
    /// The value is longer than the link takes at once.
    case tooLong(limit: Int)
    /// The device refused the value, or is gone.
    case writeFailed
}

/// Where a link device keeps its data, and how long things may take.
public struct LinkDeviceOptions: Hashable, Sendable {
    /// The service.
    public var service = CBUUID(string: "FFE0")
    /// The one characteristic for everything.
    public var characteristic = CBUUID(string: "FFE1")
    /// How long a scan for what is left of the list lasts; zero for as long as it takes.
    public var scanTimeout = Duration.seconds(10)
    /// How long a link may take, and then its three calls.
    public var connectTimeout = Duration.seconds(10)

    public init() {}
}
