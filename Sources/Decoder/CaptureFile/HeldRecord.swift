import WireBytes

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
