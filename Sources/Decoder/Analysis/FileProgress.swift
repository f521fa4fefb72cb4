import CaptureFile

/// Progress in one of the files.
struct FileProgress: Sendable {
    /// The time of its last record, in nanoseconds; nil before the first.
    var time: Int64?
    /// The packets that its recorder is known to keep.
    var shown = ShownPackets()
    /// The number of packets that the recorder had dropped so far.
    var drops: UInt32 = 0
    /// The earliest time at which a request of one of its links times out, in nanoseconds.
    var deadline = Int64.max
}

/// The packets that a file is known to contain: an export of selected packets lacks others.
public struct ShownPackets: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Packets from the host: commands and data.
    public static let fromHost = Self(rawValue: 1)
    /// Packets from the controller: events and data.
    public static let fromController = Self(rawValue: 2)
    /// HCI events.
    public static let events = Self(rawValue: 4)

    /// Records the direction and kind of one record.
    @inline(__always)
    mutating func note(_ header: borrowing RecordHeader) {
        switch header.direction {
        case .hostToController: formUnion(.fromHost)
        case .controllerToHost:
            formUnion(header.kind == .event ? [.fromController, .events] : .fromController)
        default: if header.kind == .event { formUnion(.events) }
        }
    }

    /// Whether the file shows the packets of one side of a connection. Files without directions show both
    /// sides.
    func contains(_ side: Side) -> Bool {
        isDisjoint(with: [.fromHost, .fromController])
            || contains(side == .host ? .fromHost : .fromController)
    }
}
