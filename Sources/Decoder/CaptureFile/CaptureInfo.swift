/// What a capture file says about itself.
public struct CaptureInfo: Sendable {
    /// The file format.
    public enum Format: String, Sendable {
        case btsnoop, pcap, pcapng
        case packetLogger = "PacketLogger"
        case hcidump, btsnooz
    }

    /// The file's name, as given; `-` for standard input.
    public var name: String
    /// The file format.
    public var format: Format
    /// The datalink (btsnoop) or link type (pcap, first interface of pcapng); nil where the format has none.
    public var datalink: UInt32?
    /// Decimal digits of a second that the file's times have: 6 or 9.
    public var timeDigits: Int
    /// Whether the link type keeps the direction of ACL data.
    public var hasDirection: Bool

    public init(
        name: String, format: Format, datalink: UInt32? = nil, timeDigits: Int = 6, hasDirection: Bool = true
    ) {
        self.name = name
        self.format = format
        self.datalink = datalink
        self.timeDigits = timeDigits
        self.hasDirection = hasDirection
    }
}
