import BluetoothCore
public import CaptureFile
import WireBytes

/// Blanks the keys in records before they are written: their bytes become zeros, the rest is unchanged.
///
/// The definitions of PDUs mark the keys: in HCI commands, events and return parameters, SMP's key
/// distribution, commands and events of the management interface. It also blanks the numbers from which keys
/// are made (passkeys, the results of LE_Rand). Records of vendor diagnostics, which can't be decoded, are
/// left out.
public struct KeyBlanker: Sendable {
    /// Records in which bytes were blanked.
    public private(set) var blanked = 0
    /// Records of vendor diagnostics left out.
    public private(set) var leftOut = 0
    private var places: [Range<Int>] = []
    private var copy: [UInt8] = []
    private var distribution = KeyDistributionWatch()

    public init() {}

    /// Passes the blanked record to `body`; does not call it for a record that must be left out.
    public mutating func pass<E: Error>(
        _ record: borrowing Record, to body: (borrowing Record) throws(E) -> Void
    ) throws(E) {
        if record.header.kind == .monitor, record.header.foreignType == Self.vendorDiagnostics {
            leftOut += 1
            return
        }
        find(record)
        if places.isEmpty { return try body(record) }
        blanked += 1
        copy = record.octets.copied()
        for place in places { copy.replaceSubrange(place, with: repeatElement(0, count: place.count)) }
        try body(Record(record.header, copy.borrowedOctets))
    }

    /// Takes note of a record that is not written: it may end a link or an adapter.
    public mutating func passOver(_ record: borrowing Record) { follow(record) }

    private static let vendorDiagnostics: UInt16 = 11
    private static let disconnectionComplete: UInt8 = 0x05

    /// Forgets the links that the record ends.
    private mutating func follow(_ record: borrowing Record) {
        switch record.header.kind {
        case .event:
            let octets = record.octets
            if octets.octet(at: 0) == Self.disconnectionComplete, let handle = octets.u16le(at: 3) {
                distribution.forget(handle, of: record.header.adapter)
            }
        case .monitor:
            let opcode = MonitorOpcode(rawValue: record.header.foreignType)
            if opcode == .deleteIndex || opcode == .closeIndex {
                distribution.forget(adapter: record.header.adapter)
            }
        default: break
        }
    }

    private mutating func find(_ record: borrowing Record) {
        places.removeAll(keepingCapacity: true)
        follow(record)
        let octets = record.octets
        switch record.header.kind {
        case .command: findInCommand(octets)
        case .event: findInEvent(octets)
        case .acl: distribution.find(record, into: &places)
        case .air: distribution.find(air: record, into: &places)
        case .monitor: findInMonitor(octets, MonitorOpcode(rawValue: record.header.foreignType))
        case .sco, .iso, .note, .unknown: break
        }
    }

    private mutating func findInCommand(_ octets: RawSpan) {
        guard let opcode = octets.u16le(at: 0) else { return }
        walk(octets, from: 3) { (finder) throws(DecodeError) in
            _ = try HCICommandTable.code(HCIOpcode(rawValue: opcode), .parameters, &finder)
        }
    }

    private mutating func findInEvent(_ octets: RawSpan) {
        guard let code = octets.octet(at: 0) else { return }
        walk(octets, from: 2) { (finder) throws(DecodeError) in
            _ = try HCIEventTable.code(HCIEventCode(rawValue: code), &finder)
        }
    }

    private mutating func findInMonitor(_ octets: RawSpan, _ opcode: MonitorOpcode) {
        guard opcode == .controlCommand || opcode == .controlEvent else { return }
        walk(octets, from: 0) { (finder) throws(DecodeError) in
            _ = try MonitorTable.code(opcode, &finder)
        }
    }

    /// Walks over a PDU; if its fields are impossible, the rest may hold anything and is blanked too.
    private mutating func walk(
        _ octets: RawSpan, from start: Int,
        _ body: (inout SecretFinder) throws(DecodeError) -> Void
    ) {
        var finder = SecretFinder(octets, from: start)
        do throws(DecodeError) {
            try body(&finder)
            finder.takeRestAfterKeys()
        } catch {
            if case .truncated = error.reason {} else { finder.takeRest() }
        }
        places += finder.secrets
    }
}
