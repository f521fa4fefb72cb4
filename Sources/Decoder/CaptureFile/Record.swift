import WireBytes

/// Content of a record: one HCI packet, or one note of the recorder.
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
    /// A record of the Linux monitor channel that is not an HCI packet; `foreignType` is its opcode.
    case monitor
    /// A note, log line or state of the recorder (PacketLogger and similar); `foreignType` is its type.
    case note
    /// An unknown packet type; its bytes are kept unchanged.
    case unknown
    /// An LE link layer packet that a sniffer heard, access address first and check sequence last;
    /// `RecordHeader.radio` describes it.
    case air
}

/// Direction of a packet.
@frozen
public enum Direction: UInt8, Hashable, Sendable {
    /// Sent by the host (`tx`).
    case hostToController
    /// Received by the host (`rx`).
    case controllerToHost
    /// Not recorded in the file, and not deducible from it.
    case unknown
}

/// A time in a capture: nanoseconds since 1970-01-01T00:00:00 UTC, or since the recorder's start.
@frozen
public struct CaptureTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the Unix epoch; negative before it.
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Converts microseconds, clamped to 292 years around 1970.
    @inlinable
    public init(microseconds: Int64) {
        let limit: Int64 = 9_223_372_036_854_775
        nanoseconds = min(max(microseconds, -limit), limit) &* 1000
    }

    @inlinable public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// Impossible values in a record header.
@frozen
public struct RecordFaults: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The original length is less than the length in the file.
    public static let originalLength = RecordFaults(rawValue: 1)
    /// The fraction of a second is at least one second.
    public static let timeFraction = RecordFaults(rawValue: 2)
    /// Damage precedes the record: the lost data counts as one dropped packet.
    public static let behindDamage = RecordFaults(rawValue: 4)
}

/// Metadata of one record: everything except its bytes.
@frozen
public struct RecordHeader: Sendable {
    /// The index of the record's file among those read together; 0 for a single file.
    public var file: UInt16
    /// The record's number in its file, from 1, as Wireshark counts it.
    public var number: Int
    /// Place of the record in bytes from the start of the decompressed file.
    public var fileOffset: Int
    /// Time at which the recorder saw the packet.
    public var time: CaptureTime
    /// The packet's adapter; 0 if the format has only one, 0xFFFF for none.
    public var adapter: UInt16
    /// Content of the record.
    public var kind: RecordKind
    /// Direction of the packet; unknown for ACL data in a format without direction.
    public var direction: Direction
    /// The monitor channel's opcode, or the recorder's packet type for notes and unknown packets.
    public var foreignType: UInt16
    /// Impossible values in the header; the record is read anyway.
    public var faults: RecordFaults = []
    /// Length of the packet when it was sent, in bytes, without headers of the file format; at least the
    /// captured length.
    public var originalLength: Int
    /// Bytes of the packet in the file.
    public var capturedLength: Int
    /// Packets that the recorder had dropped before this one; 0 if the format has no count. In a
    /// ``CaptureSet`` it covers the whole log.
    public var cumulativeDrops: UInt32

    /// Whether the recorder kept fewer bytes than were sent.
    @inlinable public var isTruncated: Bool { capturedLength < originalLength }

    /// Facts of the sniffer about an air packet; empty for other records.
    public var radio = RadioHeader()

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

/// One record: its header and its bytes, borrowed from the reader until the next one is read.
///
/// The bytes of an HCI packet start with its HCI header (command opcode, event code, ACL handle); they don't
/// include the packet type byte that some formats put before it.
@frozen
public struct Record: ~Escapable {
    /// The record's header.
    public let header: RecordHeader
    /// The bytes captured in the file.
    public let octets: RawSpan
    /// The unmodified options of a pcapng packet block; empty for other formats.
    public let options: RawSpan
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

    /// The same record with a direction found by other means than the file.
    @_lifetime(copy self)
    public func with(_ direction: Direction) -> Record {
        var header = header
        header.direction = direction
        return Record(header, of: self)
    }

    /// The same record with another adapter and file index.
    @_lifetime(copy self)
    public func with(adapter: UInt16, file: UInt16) -> Record {
        var header = header
        header.adapter = adapter
        header.file = file
        return Record(header, of: self)
    }

    /// Creates a record over a reader's buffer; the caller must bind its lifetime to the buffer's.
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

/// The packet type byte of the UART transport (Core Specification, Vol 4, Part A, 2).
enum PacketType {
    /// Sets kind and lengths from the packet type byte before a packet; returns the number of bytes used.
    ///
    /// A byte that is not a packet type stays in the record's bytes.
    @inline(__always)
    static func apply(_ octets: RawSpan, to header: inout RecordHeader) -> Int {
        guard header.capturedLength > 0, let type = octets.octet(at: 0) else {
            header.kind = .unknown
            return 0
        }
        switch type {
        case 1: (header.kind, header.direction) = (.command, .hostToController)
        case 2: header.kind = .acl
        case 3: header.kind = .sco
        case 4: (header.kind, header.direction) = (.event, .controllerToHost)
        case 5: header.kind = .iso
        default:
            header.kind = .unknown
            header.foreignType = UInt16(type)
            return 0
        }
        header.drop(1)
        return 1
    }

    /// Whether the bytes are an HCI packet of a kind, with the length in its own header.
    static func isWhole(_ kind: RecordKind, _ packet: RawSpan) -> Bool {
        let length: Int?
        switch kind {
        case .command: length = packet.octet(at: 2).map { 3 &+ Int($0) }
        case .event: length = packet.octet(at: 1).map { 2 &+ Int($0) }
        case .acl: length = packet.u16le(at: 2).map { 4 &+ Int($0) }
        case .sco: length = packet.octet(at: 2).map { 3 &+ Int($0) }
        case .iso: length = packet.u16le(at: 2).map { 4 &+ Int($0 & 0x3FFF) }
        case .monitor, .note, .unknown, .air: length = nil
        }
        return length == packet.byteCount
    }
}

/// A copy of a record that outlives its reader's buffer.
public struct HeldRecord: Sendable {
    /// The record's header.
    public var header: RecordHeader
    private var octets: [UInt8]
    private var options: [UInt8]
    private let optionsOrder: OctetOrder

    /// A copy of a record.
    public init(_ record: borrowing Record) {
        header = record.header
        octets = record.octets.copied()
        options = record.options.copied()
        optionsOrder = record.optionsOrder
    }

    /// Size of the copy in bytes.
    public var count: Int { octets.count &+ options.count }

    /// Frees everything except the header.
    public mutating func releaseOctets() {
        octets = []
        options = []
    }

    /// Lends the record for the call.
    public func withRecord<E: Error>(_ body: (borrowing Record) throws(E) -> Void) throws(E) {
        try body(Record(header, octets.borrowedOctets, options: options.borrowedOctets, optionsOrder))
    }
}
