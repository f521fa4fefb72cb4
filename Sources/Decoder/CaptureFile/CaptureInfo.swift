import WireBytes

/// What a capture file says about itself.
public struct CaptureInfo: Sendable {
    /// The name of a file format.
    public struct Format: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
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
    /// Whether times count from the recorder's own start instead of the Unix epoch.
    public var hasRelativeTime = false
    /// The program that wrote the file, where it says so.
    public var recorder: String?
    /// The comments on the file, its sections and interfaces, as far as they stand before the first packet.
    public var comments: [String] = []
    /// How many of these had no room.
    public private(set) var droppedComments = 0

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

// Text of a file about itself, kept within bounds.
extension CaptureInfo {
    static let mostComments = 64
    static let longestText = 4096
    /// The most octets of all comments: those of the longest one that a file can hold.
    static let mostCommentOctets = 0xFFFF

    /// The octets as text, cut at a length that no honest file reaches.
    func text(_ octets: RawSpan) -> String {
        String(decoding: octets.clamped(0..<Self.longestText).copied(), as: UTF8.self)
    }

    /// Keeps a comment; false where there is no room for it.
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
