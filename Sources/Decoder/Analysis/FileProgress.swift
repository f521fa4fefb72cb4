import CaptureFile

/// How far one of the files has come.
struct FileProgress: Sendable {
    /// The time of its last record, in nanoseconds; nil before the first.
    var time: Int64?
    /// What its recorder is known to keep.
    var shown = ShownPackets()
    /// The packets that its recorder had dropped by then.
    var drops: UInt32 = 0
    /// When a request of one of its links has waited as long as it may, at the earliest.
    var deadline = Int64.max
}

/// What a file is known to hold: exports of some packets alone say nothing about the ones that they left out.
public struct ShownPackets: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What the host sent: commands and data.
    public static let fromHost = Self(rawValue: 1)
    /// What came from the controller: events and data.
    public static let fromController = Self(rawValue: 2)
    /// HCI events.
    public static let events = Self(rawValue: 4)

    /// Notes one record.
    @inline(__always)
    mutating func note(_ header: borrowing RecordHeader) {
        switch header.direction {
        case .hostToController: formUnion(.fromHost)
        case .controllerToHost:
            formUnion(header.kind == .event ? [.fromController, .events] : .fromController)
        default: if header.kind == .event { formUnion(.events) }
        }
    }

    /// Whether it shows what one side of a connection sends: all do that don't say who sent what.
    func contains(_ side: Side) -> Bool {
        isDisjoint(with: [.fromHost, .fromController])
            || contains(side == .host ? .fromHost : .fromController)
    }
}
