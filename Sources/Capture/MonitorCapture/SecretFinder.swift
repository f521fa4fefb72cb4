import BluetoothCore
import WireBytes

/// Finds the keys in a PDU: it walks the PDU's fields like a reader, and records the places of the fields
/// defined as secret.
struct SecretFinder: ReadingCoder, ~Copyable, ~Escapable {
    private let octets: RawSpan
    var reader: ByteReader
    /// The places of secrets, in bytes from the start of the span.
    private(set) var secrets: [Range<Int>] = []
    /// Whether a list of keys ended before the PDU: the bytes after it may be more keys.
    private var restMayBeKeys = false

    /// A finder over `octets` that begins at `start`.
    @_lifetime(copy octets)
    init(_ octets: RawSpan, from start: Int) {
        self.octets = octets
        reader = ByteReader(octets, from: start)
    }

    /// Treats all remaining bytes as secret.
    @_lifetime(self: copy self)
    mutating func takeRest() {
        if reader.remaining > 0 { secrets.append(reader.offset..<octets.byteCount) }
    }

    /// Treats the bytes after a PDU's keys as secret: the count of a list may be too low.
    @_lifetime(self: copy self)
    mutating func takeRestAfterKeys() {
        if restMayBeKeys || !secrets.isEmpty { takeRest() }
    }

    /// Records a secret of `count` bytes here, cut at the record's end.
    @_lifetime(self: copy self)
    private mutating func note(_ count: Int) {
        let length = min(count, reader.remaining)
        if length > 0 { secrets.append(reader.offset..<reader.offset &+ length) }
    }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        if case .secret = meaning { note(width) }
        value = try reader.unsigned(width: width)
    }

    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        if case .secret = meaning { note(count ?? reader.remaining) }
        value = try P(reading: &reader, count: count ?? reader.remaining)
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout SecretFinder) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        let isEmpty = try elements(count, element) == 0
        if isEmpty, reader.remaining > 0, Self.holdsSecret(element) { restMayBeKeys = true }
    }

    /// Whether an element has a secret field, determined by walking an element of zeros.
    private static func holdsSecret(
        _ element: (inout SecretFinder) throws(DecodeError) -> Void
    ) -> Bool {
        let octets = [UInt8](repeating: 0, count: 256)
        var finder = SecretFinder(octets.borrowedOctets, from: 0)
        // If walking the element fails, its bytes may be anything.
        do throws(DecodeError) { try element(&finder) } catch { return true }
        return !finder.secrets.isEmpty
    }
}
