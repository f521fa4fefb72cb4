/// What a record holds: one HCI packet, or one note of the recorder.
@frozen
public enum RecordKind: UInt8, Hashable, Sendable {
    /// HCI command packet, host to controller.
    case command
    /// HCI event packet, controller to host.
    case event
    /// HCI ACL data packet.
    case acl
    /// HCI synchronous data packet.
    case sco
    /// HCI isochronous data packet.
    case iso
    /// A record of the Linux monitor channel that is no HCI packet; `monitorOpcode` says which.
    case monitor
    /// A note, log line or state of the recorder (PacketLogger and its like), in `foreignType`.
    case note
    /// A packet type that no definition known here names; its octets are kept as they are.
    case unknown
}

/// Which way a packet went.
@frozen
public enum Direction: UInt8, Hashable, Sendable {
    /// Sent by the host (`tx`).
    case hostToController
    /// Received by the host (`rx`).
    case controllerToHost
    /// The file does not say, and nothing in it tells.
    case unknown
}

/// A time in a capture: nanoseconds since 1970-01-01T00:00:00 UTC, or since the recorder's own start.
@frozen
public struct CaptureTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the Unix epoch; negative before it.
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The time that microseconds give; what lies more than 292 years from 1970 is put at that end.
    @inlinable
    public init(microseconds: Int64) {
        let limit: Int64 = 9_223_372_036_854_775
        nanoseconds = min(max(microseconds, -limit), limit) &* 1000
    }

    @inlinable public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// What a file says about a record and can't be.
@frozen
public struct RecordFaults: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The packet had fewer octets when it was sent than the file holds of it.
    public static let originalLength = RecordFaults(rawValue: 1)
    /// The fraction of a second in its time is a second or more.
    public static let timeFraction = RecordFaults(rawValue: 2)
    /// Damage stands before the record: what was there is lost, and counts as one dropped packet.
    public static let behindDamage = RecordFaults(rawValue: 4)
}

/// All that a file says about one record besides its octets.
@frozen
public struct RecordHeader: Sendable {
    /// The index of the record's file among those read together; 0 where only one is read.
    public var file: UInt16
    /// The record's number in its file, from 1, as Wireshark counts it.
    public var number: Int
    /// Octets from the start of the file (after decompression) to the record.
    public var fileOffset: Int
    /// When the packet was seen.
    public var time: CaptureTime
    /// The adapter it belongs to; 0 where the format knows only one, 0xFFFF for none.
    public var adapter: UInt16
    /// What the record holds.
    public var kind: RecordKind
    /// Which way it went; for ACL of a format without direction it is unknown here.
    public var direction: Direction
    /// The monitor channel's opcode, or the recorder's own packet type where it is a note or unknown.
    public var foreignType: UInt16
    /// What of it can't be; the record is read all the same.
    public var faults: RecordFaults = []
    /// Octets that the packet had when it was sent, without any header of the file format; never fewer than
    /// the file holds.
    public var originalLength: Int
    /// Octets of it that the file holds.
    public var capturedLength: Int
    /// Packets that the recorder says it had dropped before this one; 0 where the format cannot say. Of files
    /// that a ``CaptureSet`` reads together it is the count of the whole log.
    public var cumulativeDrops: UInt32

    /// Whether the recorder kept less than was sent.
    @inlinable public var isTruncated: Bool { capturedLength < originalLength }

    @inlinable
    public init(
        number: Int, fileOffset: Int, time: CaptureTime, adapter: UInt16, kind: RecordKind,
        direction: Direction, foreignType: UInt16 = 0, faults: RecordFaults = [], originalLength: Int,
        capturedLength: Int, cumulativeDrops: UInt32 = 0, file: UInt16 = 0
    ) {
        self.faults = faults
        self.file = file
        self.number = number
        self.fileOffset = fileOffset
        self.time = time
        self.adapter = adapter
        self.kind = kind
        self.direction = direction
        self.foreignType = foreignType
        self.originalLength = originalLength
        self.capturedLength = capturedLength
        self.cumulativeDrops = cumulativeDrops
    }
}

/// One record: its header and its octets, borrowed from the reader until the next one is read.
///
/// The octets of an HCI packet start with its HCI header (command opcode, event code, ACL handle); the packet
/// type octet that some formats put before it is not among them.
@frozen
public struct Record: ~Escapable {
    /// What the file says about the record.
    public let header: RecordHeader
    /// The octets that the file holds.
    public let octets: RawSpan
    /// The options of a pcapng packet block as they stand in the file; empty for other formats.
    public let options: RawSpan
    /// Whether integers of the options have their most significant octet first.
    @usableFromInline let optionsAreBigEndian: Bool

    var optionsOrder: OctetOrder { optionsAreBigEndian ? .mostSignificantFirst : .leastSignificantFirst }

    @inlinable
    @_lifetime(copy octets)
    public init(_ header: RecordHeader, _ octets: RawSpan) {
        self.header = header
        self.octets = octets
        options = RawSpan()
        optionsAreBigEndian = false
    }

    @_lifetime(copy octets, copy options)
    init(_ header: RecordHeader, _ octets: RawSpan, options: RawSpan, _ order: OctetOrder) {
        self.header = header
        self.octets = octets
        self.options = options
        optionsAreBigEndian = order == .mostSignificantFirst
    }

    @_lifetime(copy record)
    private init(_ header: RecordHeader, of record: borrowing Record) {
        self.header = header
        octets = record.octets
        options = record.options
        optionsAreBigEndian = record.optionsAreBigEndian
    }

    /// The same record with a direction that was found by other means than the file.
    @_lifetime(copy self)
    public func with(_ direction: Direction) -> Record {
        var header = header
        header.direction = direction
        return Record(header, of: self)
    }

    /// The same record as one of another adapter, and of the file with another index.
    @_lifetime(copy self)
    public func with(adapter: UInt16, file: UInt16) -> Record {
        var header = header
        header.adapter = adapter
        header.file = file
        return Record(header, of: self)
    }

    /// A record over a reader's buffer; the caller must bind its lifetime to the buffer's.
    @inline(__always)
    @_lifetime(immortal)
    @unsafe
    init(
        _ header: RecordHeader, _ octets: UnsafeRawBufferPointer, options: UnsafeRawBufferPointer,
        _ order: OctetOrder
    ) {
        self.header = header
        // Safe: the caller binds the record to the buffer that both point into.
        self.octets = unsafe _overrideLifetime(octets.bytes, copying: ())
        self.options = unsafe _overrideLifetime(options.bytes, copying: ())
        optionsAreBigEndian = order == .mostSignificantFirst
    }
}
