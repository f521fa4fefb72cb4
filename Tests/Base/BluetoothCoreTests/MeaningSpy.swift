import BluetoothCore
import WireBytes

/// Reads fields, keeps their names and counts those that are secret.
struct MeaningSpy: FieldCoder, ~Copyable, ~Escapable {
    private let octets: RawSpan
    var reader: FieldReader
    var names: [String] = []
    /// What each field took, in bytes.
    var widths: [Int] = []
    var secrets = 0

    @_lifetime(copy octets)
    init(_ octets: RawSpan) {
        self.octets = octets
        reader = FieldReader(octets)
    }

    var remaining: Int { reader.remaining }
    var offset: Int { reader.offset }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        names.append("\(name)")
        widths.append(width)
        try reader.unsigned(name, &value, width: width, meaning)
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        names.append("\(name)")
        widths.append(width)
        try reader.signed(name, &value, width: width, meaning)
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        names.append("\(name)")
        try reader.address(name, &value)
    }

    @_lifetime(self: copy self)
    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        names.append("\(name)")
        widths.append(width)
        try reader.uuid(name, &value, width: width)
    }

    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        names.append("\(name)")
        if case .secret = meaning { secrets += 1 }
        widths.append(count ?? reader.remaining)
        try reader.payload(name, &value, count: count, meaning)
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout MeaningSpy) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        names.append("\(name)")
        var seen = 0
        while count.map({ seen < $0 }) ?? (remaining > 0) {
            try element(&self)
            seen += 1
        }
    }

    @_lifetime(self: copy self)
    mutating func within(
        _ width: Int, _ element: (inout MeaningSpy) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        let start = reader.offset
        reader = FieldReader(octets.clamped(0..<start + width), from: start)
        try element(&self)
        reader = FieldReader(octets, from: start + width)
    }
}
