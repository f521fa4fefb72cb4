import WireBytes

/// Metadata that a capture file holds about itself.
public struct CaptureInfo: Sendable {
    /// The name of a file format.
    public struct Format: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let btsnoop = Self(rawValue: "btsnoop")
        public static let btsnooz = Self(rawValue: "btsnooz")
        public static let hcidump = Self(rawValue: "hcidump")
        public static let packetLogger = Self(rawValue: "PacketLogger")
        public static let packetSniffer = Self(rawValue: "packet sniffer")
        public static let pcap = Self(rawValue: "pcap")
        public static let pcapng = Self(rawValue: "pcapng")
        public static let textDump = Self(rawValue: "text dump")
    }

    /// The file's name, as given; `-` for standard input.
    public var name: String
    /// The file format.
    public var format: Format
    /// The datalink (btsnoop) or link type (pcap, first interface of pcapng); nil where the format has none.
    public var datalink: UInt32?
    /// Decimal digits of the file's fractions of a second: 6 or 9.
    public var timeDigits: Int
    /// Whether the link type records the direction of ACL data.
    public var hasDirection: Bool
    /// Whether times count from the recorder's start instead of the Unix epoch.
    public var hasRelativeTime = false
    /// Whether the file has times; otherwise all of them are 0.
    public var hasTimes = true
    /// The program that wrote the file, if the file names it.
    public var recorder: String?
    /// Comments on the file, its sections and interfaces that precede the first packet.
    public var comments: [String] = []
    /// Number of comments left out for lack of room.
    public private(set) var droppedComments = 0

    /// The kind of packets in a file whose format has no link types.
    var contentOfFormat = CaptureContent.hci

    /// The kind of packets in the file, by its link type or its format.
    public var content: CaptureContent {
        guard let datalink else { return contentOfFormat }
        if format == .btsnoop { return datalink == 2001 ? .monitor : .hci }
        guard let linkType = UInt16(exactly: datalink).flatMap(LinkType.init(rawValue:)) else { return .hci }
        return linkType.isAir ? .air : linkType == .monitor ? .monitor : .hci
    }

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

// Bounds on a file's text.
extension CaptureInfo {
    static let mostComments = 64
    static let longestText = 4096
    /// Limit of all comments together, in bytes: the length of the longest one that a file can hold.
    static let mostCommentOctets = 0xFFFF

    /// The bytes as text, cut at a length that no honest file reaches.
    func text(_ octets: RawSpan) -> String {
        String(decoding: octets.clamped(0..<Self.longestText).copied(), as: UTF8.self)
    }

    /// Keeps a comment; returns false if there is no room.
    mutating func add(comment: RawSpan) -> Bool {
        let octets = comments.reduce(comment.byteCount) { $0 &+ $1.utf8.count }
        guard comments.count < Self.mostComments, octets <= Self.mostCommentOctets else {
            droppedComments &+= 1
            return false
        }
        comments.append(String(decoding: comment.copied(), as: UTF8.self))
        return true
    }
}

/// Kind of packets in a capture.
public enum CaptureContent: Sendable {
    /// HCI packets.
    case hci
    /// Records of the Linux monitor channel: HCI packets, and facts about the adapters.
    case monitor
    /// LE link layer packets that a sniffer heard.
    case air
}
