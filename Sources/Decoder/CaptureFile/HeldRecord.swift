import WireBytes

/// A record that outlives its reader's buffer: a copy of all that a reader gave.
public struct HeldRecord: Sendable {
    /// What the file says about the record.
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

    /// Octets that the copy takes.
    public var count: Int { octets.count &+ options.count }

    /// Gives up all but the header, and the room with it.
    public mutating func releaseOctets() {
        octets = []
        options = []
    }

    /// Lends the record for the call.
    public func withRecord<E: Error>(_ body: (borrowing Record) throws(E) -> Void) throws(E) {
        try body(Record(header, octets.borrowedOctets, options: options.borrowedOctets, optionsOrder))
    }
}
