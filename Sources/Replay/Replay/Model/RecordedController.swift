public import BluetoothCore

/// Properties of the adapter that recorded the log.
public struct RecordedController: Hashable, Sendable {
    /// The public address; nil if the log does not show it.
    public var address: DeviceAddress?
    /// Maximum number of data octets in an ACL packet from the host.
    public var packetLength: UInt16 = 251
    /// Number of ACL packets that the controller buffers.
    public var packetCount: UInt8 = 8
    /// Size of the filter accept list.
    public var acceptListSize: UInt8 = 16
    /// Whether the host suggested a data length for new links.
    public var suggestsDataLength = false
}
