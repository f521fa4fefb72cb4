public import BluetoothCore

/// What the log tells about the adapter it was made with.
public struct RecordedController: Hashable, Sendable {
    /// Its public address; nil where the log does not tell.
    public var address: DeviceAddress?
    /// Octets of data that one ACL packet from the host may have.
    public var packetLength: UInt16 = 251
    /// ACL packets that it holds at once.
    public var packetCount: UInt8 = 8
    /// Devices that its filter accept list can hold.
    public var acceptListSize: UInt8 = 16
    /// Whether its host suggested a data length for new links.
    public var suggestsDataLength = false
}
